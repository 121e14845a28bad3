import { deleteUpload, uploadItemPicture } from '#app/features/images/edit-pictures.server.ts'
import { itemTexts } from '#app/features/item-editor/item-input.ts'
import { shopContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Route } from './+types/item-picture'

export const loader = () => Response.json({}, { status: 405 })

/** One picture in a request of its own, so that several large ones never exceed what the shop takes at once. */
export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  try {
    const done =
      textOf(form, 'intent') === 'delete'
        ? await deleteUpload(shop, textOf(form, 'url'))
        : await uploadItemPicture(shop, textOf(form, 'categoryId'), form.get('file'), request.signal)
    return Response.json(done, { status: done.state === 'error' ? 422 : 200 })
  } catch (error) {
    shop.log.error('an item picture could not be stored', error)
    return Response.json({ state: 'error', text: itemTexts.uploadFailed }, { status: 500 })
  }
}
