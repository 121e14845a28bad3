import { marketManifestOf } from '#market-stall/market-manifest.ts'
import { readSettings } from '#settings/settings.server.ts'
import { appContext } from '#services/context.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market-manifest'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

export async function loader({ context }: Route.LoaderArgs) {
  const { name, logo, defaultTheme } = await readSettings(context.get(appContext).db)
  return Response.json(marketManifestOf({ name, logo, theme: defaultTheme }), {
    headers: {
      'Content-Type': 'application/manifest+json; charset=utf-8',
      'Cache-Control': 'private, max-age=3600',
    },
  })
}
