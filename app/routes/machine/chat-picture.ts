import { deleteChatUploads, findChatPicture, uploadChatPicture } from '#app/features/messaging/message-pictures.server.ts'
import { PICTURE_FAILED } from '#app/features/messaging/message-pictures.ts'
import { limitUpload } from '#app/features/messaging/conversation.action.server.ts'
import type { Upload } from '#app/features/images/picture-upload.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { pictureTypeOf } from '#app/platform/picture-types.ts'
import { pictureLater } from '../picture-later.server.ts'
import type { Route } from './+types/chat-picture'

/** S-175: shown to the two of the conversation, asked for anew each time: whoever may no longer see it, does not. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [{ db, files, log }, user] = [context.get(shopContext), context.get(userContext)]
  const path = user && (await findChatPicture(db, user, params.name ?? ''))
  if (!path) return missing()
  // A path's bytes never change.
  const headers = { 'Cache-Control': 'private, no-cache', ETag: `"${params.name}"`, Vary: 'Cookie' }
  if (request.headers.get('if-none-match') === headers.ETag) return new Response(null, { status: 304, headers })
  const bytes = await files.read(path).catch((error: unknown) => {
    log.error('a picture could not be read', error)
    return 'failed' as const
  })
  if (bytes === 'failed') return pictureLater()
  if (!bytes) return missing()
  return new Response(bytes, {
    headers: { ...headers, 'Content-Type': pictureTypeOf(path) ?? '', 'Content-Length': String(bytes.length) },
  })
}

const missing = () => new Response('There is no such picture.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
const tell = (upload: Upload, status = 200) => Response.json(upload, { status })

/** S-174: one picture, before its message is sent. Whose it is, is taken from the session alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  if (!user) return tell({ state: 'error', text: 'Please log in again.' }, 401)
  const limited = await limitUpload(shop, page, user)
  if (limited) return tell({ state: 'error', text: limited.error }, 429)
  const form = await readForm(request)
  try {
    if (textOf(form, 'intent') === 'delete') {
      await deleteChatUploads(shop, user, [textOf(form, 'id')])
      return tell({ state: 'deleted' })
    }
    const done = await uploadChatPicture(shop, user, form.get('file'), request.signal)
    return tell(done, done.state === 'error' ? 422 : 200)
  } catch (error) {
    shop.log.error('a picture of a message could not be stored', error)
    return tell({ state: 'error', text: PICTURE_FAILED }, 500)
  }
}
