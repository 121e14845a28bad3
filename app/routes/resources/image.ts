import { appContext } from '#services/context.ts'
import { contentTypeOf } from '#lib/images/content-type.ts'
import { isPublicImagePath } from '#services/image-paths.ts'
import { imageMissing, imageResponse } from '#routes/image-response.server.ts'
import type { Route } from './+types/image'

export async function loader({ params, context }: Route.LoaderArgs) {
  const path = params['*']
  if (!isPublicImagePath(path) || !contentTypeOf(path)) return imageMissing()
  return imageResponse(context.get(appContext), path, {
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}
