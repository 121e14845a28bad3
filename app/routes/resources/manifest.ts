import { readSettings } from '#app/features/settings/settings.server.ts'
import { manifestOf } from '#app/features/seo/manifest.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/manifest'

export async function loader({ context }: Route.LoaderArgs) {
  const { name, logo, defaultTheme } = await readSettings(context.get(appContext).db)
  return new Response(
    JSON.stringify(manifestOf({ name, logo, theme: defaultTheme === 'light' ? 'light' : 'dark' })),
    {
      headers: {
        'Content-Type': 'application/manifest+json; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
      },
    },
  )
}
