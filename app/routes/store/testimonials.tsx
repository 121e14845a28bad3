import { Testimonies } from '#testimonials/testimony-wall.tsx'
import { listShownTestimonies } from '#testimonials/testimonies.server.ts'
import { testimonialsTexts as texts } from '#testimonials/texts.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { appContext } from '#services/context.ts'
import { preloadUprightFont } from './upright-font.ts'
import type { Route } from './+types/testimonials'

export const handle = { hasFooter: true }

export const links: Route.LinksFunction = preloadUprightFont

export const loader = async ({ url, context }: Route.LoaderArgs) => {
  const page = parsePageNumber(url.searchParams)
  return {
    ...(await listShownTestimonies(context.get(appContext).db, page)),
    isWall: url.searchParams.get('view') === 'all',
  }
}

export default function Testimonials({ loaderData }: Route.ComponentProps) {
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <Testimonies {...loaderData} />
    </main>
  )
}
