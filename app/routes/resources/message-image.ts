import {
  deleteUnsentUploads,
  findMessageImage,
  limitUpload,
  uploadMessageImage,
} from '#messaging/images/message-images.server.ts'
import { messageImageTexts } from '#messaging/texts.ts'
import type { Upload } from '#images/image-upload.ts'
import { requestInfoContext, appContext, userContext } from '#services/context.ts'
import { parseForm, formText } from '#lib/http/form-data.server.ts'
import { imageMissing, imageResponse } from '#routes/image-response.server.ts'
import type { Route } from './+types/message-image'
import { uploadTexts } from '#images/texts.ts'

/** Browsers ask again before each use of an image, because users can lose access to it. [S-175] */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const user = context.get(userContext)
  const path = user && (await findMessageImage(app.db, user, params.name ?? ''))
  if (!path) return imageMissing()
  const headers = { 'Cache-Control': 'private, no-cache', ETag: `"${params.name}"`, Vary: 'Cookie' }
  if (request.headers.get('if-none-match') === headers.ETag) {
    return new Response(null, { status: 304, headers })
  }
  return imageResponse(app, path, headers)
}

const respondWithUpload = (upload: Upload, status = 200) => Response.json(upload, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const info = context.get(requestInfoContext)
  const user = context.get(userContext)
  if (!user) return respondWithUpload({ state: 'error', text: uploadTexts.logIn }, 401)
  const limited = await limitUpload(app, info, user)
  if (limited) return respondWithUpload({ state: 'error', text: limited.error }, 429)
  const form = await parseForm(request)
  try {
    if (formText(form, 'intent') === 'delete') {
      await deleteUnsentUploads(app, user, [formText(form, 'id')])
      return respondWithUpload({ state: 'deleted' })
    }
    const upload = await uploadMessageImage(app, user, form.get('file'), request.signal)
    return respondWithUpload(upload, upload.state === 'error' ? 422 : 200)
  } catch (error) {
    app.log.error('an image of a message could not be stored', error)
    return respondWithUpload({ state: 'error', text: messageImageTexts.failed }, 500)
  }
}
