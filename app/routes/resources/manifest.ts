import { readSettings } from '#settings/settings.server.ts'
import { manifestOf } from '#seo/manifest.ts'
import { appContext } from '#services/context.ts'
import type { Route } from './+types/manifest'

export async function loader({ context }: Route.LoaderArgs) {
  const { name, logo, defaultTheme } = await readSettings(context.get(appContext).db)
  return Response.json(manifestOf({ name, logo, theme: defaultTheme }), {
    headers: {
      'Content-Type': 'application/manifest+json; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    },
  })
}
