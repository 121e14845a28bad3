import { findSubject, readOgImage, subjectVersion } from '#seo/og-image.server.ts'
import { shareImageTexts } from '#seo/texts.ts'
import { appContext } from '#services/context.ts'
import { imageUnavailable } from '#routes/image-response.server.ts'
import type { Route } from './+types/share-image'

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const subject = await findSubject(app, params['*'])
  if (!subject) {
    return new Response(shareImageTexts.notFound, {
      status: 404,
      headers: { 'Cache-Control': 'no-store' },
    })
  }
  const version = subjectVersion(subject)
  const isCurrent = url.searchParams.get('v') === version
  const headers = {
    ETag: `"${version}"`,
    'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    // Other sites may embed the image.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (request.headers.get('if-none-match')?.includes(headers.ETag)) {
    return new Response(null, { status: 304, headers })
  }
  const bytes = await readOgImage(app, subject).catch((error: unknown) => {
    app.log.error('an image for a share image could not be read', error)
    return null
  })
  if (!bytes) return imageUnavailable()
  return new Response(bytes, {
    headers: { ...headers, 'Content-Type': 'image/jpeg', 'Content-Length': String(bytes.length) },
  })
}
