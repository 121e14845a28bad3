import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/picture'

const types: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif', gif: 'image/gif' }

/** A stored picture; its address never means another one, so it may be kept for ever. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const path = params['*']
  const type = types[path.split('.').at(-1) ?? '']
  const bytes = type ? await context.get(shopContext).files.read(path) : null
  if (!bytes || !type) return new Response('There is no such picture.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  return new Response(bytes, {
    headers: { 'Content-Type': type, 'Content-Length': String(bytes.length), 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
}
