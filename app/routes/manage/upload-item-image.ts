import { deleteUpload, uploadItemPicture } from '#app/features/images/edit-images.server.ts'
import { itemTexts } from '#app/features/item-editor/texts.ts'
import { appContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import type { Route } from './+types/upload-item-image'

export const loader = () => Response.json({}, { status: 405 })

/** Stores one image per request, so that several large images do not exceed the size limit of a request. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const form = await parseForm(request)
  try {
    const done =
      formText(form, 'intent') === 'delete'
        ? await deleteUpload(app, formText(form, 'url'))
        : await uploadItemPicture(
            app,
            formText(form, 'categoryId'),
            form.get('file'),
            request.signal,
          )
    return Response.json(done, { status: done.state === 'error' ? 422 : 200 })
  } catch (error) {
    app.log.error('an item image could not be stored', error)
    return Response.json({ state: 'error', text: itemTexts.uploadFailed }, { status: 500 })
  }
}
