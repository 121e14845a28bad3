import { findSubject, readSharePicture, versionOf } from '#app/features/seo/share-picture.server.ts'
import { shopContext } from '#app/platform/context.ts'
import { pictureLater } from '../picture-later.server.ts'
import type { Route } from './+types/share-picture'

/** An address with the version of today may be kept for ever; any other one shows the picture of today as well, for a while. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const subject = await findSubject(shop.db, params['*'])
  if (!subject) return new Response('There is no such picture.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  const version = versionOf(subject)
  const isCurrent = new URL(request.url).searchParams.get('v') === version
  const headers = {
    ETag: `"${version}"`,
    'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    // Others show it on their pages: that is what it is for.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (request.headers.get('if-none-match')?.includes(headers.ETag)) return new Response(null, { status: 304, headers })
  const bytes = await readSharePicture(shop, subject).catch((error: unknown) => {
    shop.log.error('a shared picture could not be read', error)
    return null
  })
  if (!bytes) return pictureLater()
  return new Response(bytes, { headers: { ...headers, 'Content-Type': 'image/jpeg', 'Content-Length': String(bytes.length) } })
}
