import {
  deleteUnsentUploads,
  findMessageImage,
  uploadMessageImage,
} from '#app/features/messaging/message-images.server.ts'
import { messageImageTexts } from '#app/features/messaging/texts.ts'
import { limitUpload } from '#app/features/messaging/conversation.action.server.ts'
import type { Upload } from '#app/features/images/image-upload.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { readForResponse } from '#app/lib/storage/storage.server.ts'
import { contentTypeOf } from '#app/lib/images/content-type.ts'
import { imageUnavailable } from '#app/routes/image-unavailable.server.ts'
import type { Route } from './+types/message-image'
import { uploadTexts } from '#app/features/images/texts.ts'

/** Serves an image of a conversation only to its customer and the owner. The browser must ask the shop each time it shows the image, because a user can lose access to the conversation. [S-175] */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [{ db, storage, log }, user] = [context.get(appContext), context.get(userContext)]
  const path = user && (await findMessageImage(db, user, params.name ?? ''))
  if (!path) return missing()
  const headers = { 'Cache-Control': 'private, no-cache', ETag: `"${params.name}"`, Vary: 'Cookie' }
  if (request.headers.get('if-none-match') === headers.ETag)
    return new Response(null, { status: 304, headers })
  const file = await readForResponse(storage, path).catch((error: unknown) => {
    log.error('an image could not be read', error)
    return 'failed' as const
  })
  if (file === 'failed') return imageUnavailable()
  if (!file) return missing()
  return new Response(file.body, {
    headers: {
      ...headers,
      'Content-Type': contentTypeOf(path) ?? '',
      'Content-Length': String(file.size),
    },
  })
}

const missing = () =>
  new Response(uploadTexts.noPicture, { status: 404, headers: { 'Cache-Control': 'no-store' } })
const respondWithUpload = (upload: Upload, status = 200) => Response.json(upload, { status })

/** Stores one image before its message is sent. The image belongs to the user of the session. [S-174] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  if (!user) return respondWithUpload({ state: 'error', text: uploadTexts.logIn }, 401)
  const limited = await limitUpload(app, info, user)
  if (limited) return respondWithUpload({ state: 'error', text: limited.error }, 429)
  const form = await parseForm(request)
  try {
    if (formText(form, 'intent') === 'delete') {
      await deleteUnsentUploads(app, user, [formText(form, 'id')])
      return respondWithUpload({ state: 'deleted' })
    }
    const done = await uploadMessageImage(app, user, form.get('file'), request.signal)
    return respondWithUpload(done, done.state === 'error' ? 422 : 200)
  } catch (error) {
    app.log.error('an image of a message could not be stored', error)
    return respondWithUpload({ state: 'error', text: messageImageTexts.failed }, 500)
  }
}
