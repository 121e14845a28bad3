import { deleteUpload, uploadItemImage } from '#images/edit-images.server.ts'
import { itemTexts } from '#item-editor/texts.ts'
import { readForm } from '#routes/action-response.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { Route } from './+types/upload-item-image'

export const loader = () => Response.json({}, { status: 405 })

export async function action(args: Route.ActionArgs) {
  const { app, form } = await readForm(args)
  const { signal } = args.request
  try {
    const upload =
      formText(form, 'intent') === 'delete'
        ? await deleteUpload(app, formText(form, 'url'))
        : await uploadItemImage(app, formText(form, 'categoryId'), form.get('file'), signal)
    return Response.json(upload, { status: upload.state === 'error' ? 422 : 200 })
  } catch (error) {
    app.log.error('an item image could not be stored', error)
    return Response.json({ state: 'error', text: itemTexts.uploadFailed }, { status: 500 })
  }
}
