import { HomePage } from '#home/home-page.tsx'
import { readHome } from '#home/showcase.server.ts'
import { readNewestTestimonyCached } from '#testimonials/testimonies.server.ts'
import { TestimonyQuote } from '#testimonials/testimony-quote.tsx'
import { appContext } from '#services/context.ts'
import { useShownTheme } from '#ui/layout/theme-toggle.tsx'
import type { Route } from './+types/home'

export const handle = { hasFooter: true }

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const isAll = url.searchParams.get('colors') === 'all'
  return {
    ...(await readHome(app, isAll)),
    testimony: await readNewestTestimonyCached(app),
    isAll,
    category: url.searchParams.get('category'),
  }
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { wallpapers, testimony, ...home } = loaderData
  return (
    <HomePage
      {...home}
      wallpaper={wallpapers[useShownTheme(matches[0].loaderData.theme)]}
    >
      {testimony && <TestimonyQuote testimony={testimony} />}
    </HomePage>
  )
}
