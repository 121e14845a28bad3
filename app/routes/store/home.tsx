import { HomePage } from '#home/home-page.tsx'
import { readHome } from '#home/showcase.server.ts'
import { appContext } from '#services/context.ts'
import { useShownTheme } from '#ui/layout/theme-toggle.tsx'
import type { Route } from './+types/home'

export const handle = { hasFooter: true }

export async function loader({ url, context }: Route.LoaderArgs) {
  const isAll = url.searchParams.get('colors') === 'all'
  return {
    ...(await readHome(context.get(appContext), isAll)),
    isAll,
    category: url.searchParams.get('category'),
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
