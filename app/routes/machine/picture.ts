import { shopContext } from '#app/platform/context.ts'
import { isShownPath, pictureTypeOf } from '#app/platform/picture-types.ts'
import { pictureLater } from '../picture-later.server.ts'
import type { Route } from './+types/picture'

/** A stored picture; its address never means another one, so it may be kept for ever. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { files, log } = context.get(shopContext)
  const path = params['*']
  const type = isShownPath(path) ? pictureTypeOf(path) : null
  if (!type) return missing()
  const bytes = await files.read(path).catch((error: unknown) => {
    log.error('a picture could not be read', error)
    return 'failed' as const
  })
  if (bytes === 'failed') return pictureLater()
  if (!bytes) return missing()
  return new Response(bytes, {
    headers: { 'Content-Type': type, 'Content-Length': String(bytes.length), 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
}

const missing = () => new Response('There is no such picture.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
