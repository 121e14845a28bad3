import upright from '#app/ui/fonts/fraunces-400.woff2?url'
import { Testimonies } from '#app/features/testimonials/testimony-wall.tsx'
import { listShownTestimonies } from '#app/features/testimonials/testimonies.server.ts'
import { testimonialsTexts as texts } from '#app/features/testimonials/texts.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/testimonials'

export const handle = { hasFooter: true }

/** Preloads the light weight of the heading font here and not in the root route, because only few pages need this weight. */
export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: upright },
]

export const loader = async ({ url, context }: Route.LoaderArgs) => ({
  testimonies: await listShownTestimonies(context.get(appContext).db),
  isWall: url.searchParams.get('view') === 'all',
})

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
