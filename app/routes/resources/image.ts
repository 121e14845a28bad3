import { appContext } from '#app/services/context.ts'
import { readForResponse } from '#app/lib/storage/storage.server.ts'
import { contentTypeOf } from '#app/lib/images/content-type.ts'
import { isPublicImagePath } from '#app/services/image-paths.ts'
import { imageUnavailable } from '#app/routes/image-unavailable.server.ts'
import type { Route } from './+types/image'
import { uploadTexts } from '#app/features/images/texts.ts'

/** Serves an image. The image at a path never changes, so browsers may cache it forever. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { storage, log } = context.get(appContext)
  const path = params['*']
  const type = isPublicImagePath(path) ? contentTypeOf(path) : null
  if (!type) return missing()
  const file = await readForResponse(storage, path).catch((error: unknown) => {
    log.error('an image could not be read', error)
    return 'failed' as const
  })
  if (file === 'failed') return imageUnavailable()
  if (!file) return missing()
  return new Response(file.body, {
    headers: {
      'Content-Type': type,
      'Content-Length': String(file.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}

const missing = () =>
  new Response(uploadTexts.noPicture, { status: 404, headers: { 'Cache-Control': 'no-store' } })
