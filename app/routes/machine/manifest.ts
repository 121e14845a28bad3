import { readSettings } from '#app/features/settings/settings.server.ts'
import { manifestOf } from '#app/features/seo/manifest.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/manifest'

export async function loader({ context }: Route.LoaderArgs) {
  const { name } = await readSettings(context.get(shopContext).db)
  return new Response(JSON.stringify(manifestOf(name)), {
    headers: { 'Content-Type': 'application/manifest+json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
