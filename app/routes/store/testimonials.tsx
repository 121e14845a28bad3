import upright from '#app/ui/fonts/fraunces-400.woff2?url'
import { TestimonyCarousel } from '#app/features/testimonials/testimony-carousel.tsx'
import { listShownTestimonies } from '#app/features/testimonials/testimonies.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/testimonials'

export const handle = { hasFooter: true }

/** The quiet weight of the headings' typeface, which few pages need. */
export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: upright },
]

export const loader = async ({ context }: Route.LoaderArgs) => ({ testimonies: await listShownTestimonies(context.get(shopContext).db) })

export default function Testimonials({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page" id="main">
      <h1>Testimonials</h1>
      <p className="intro">What came back from the homes where the pieces hang.</p>
      <TestimonyCarousel testimonies={loaderData.testimonies} />
    </main>
  )
}
