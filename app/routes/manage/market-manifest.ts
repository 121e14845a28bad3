import { marketManifestOf } from '#app/features/market-stall/market-manifest.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { appContext } from '#app/services/context.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market-manifest'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

export async function loader({ context }: Route.LoaderArgs) {
  const { name, logo, defaultTheme } = await readSettings(context.get(appContext).db)
  const manifest = marketManifestOf({
    name,
    logo,
    theme: defaultTheme === 'light' ? 'light' : 'dark',
  })
  return new Response(JSON.stringify(manifest), {
    headers: {
      'Content-Type': 'application/manifest+json; charset=utf-8',
      'Cache-Control': 'private, max-age=3600',
    },
  })
}
