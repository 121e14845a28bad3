import { HomePage } from '#app/features/home/home-page.tsx'
import { readHome } from '#app/features/home/showcase.server.ts'
import { appContext } from '#app/services/context.ts'
import { useShownTheme } from '#app/ui/layout/theme-toggle.tsx'
import type { Route } from './+types/home'

export const handle = { hasFooter: true }

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const isAll = searchParams.get('colors') === 'all'
  return {
    ...(await readHome(context.get(appContext), isAll)),
    isAll,
    category: searchParams.get('category'),
  }
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { wallpapers, ...home } = loaderData
  return (
    <HomePage
      {...home}
      wallpaper={wallpapers[useShownTheme(matches[0].loaderData.theme)]}
    />
  )
}
