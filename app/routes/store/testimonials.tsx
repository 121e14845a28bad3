import upright from '#app/ui/fonts/fraunces-400.woff2?url'
import { Footer } from '#app/features/settings/footer.tsx'
import { TestimonyCarousel } from '#app/features/testimonials/carousel-later.tsx'
import { listShownTestimonies } from '#app/features/testimonials/testimonies.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/testimonials'

/** The quiet weight of the headings' typeface, which few pages need. */
export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: upright },
]

export const loader = async ({ context }: Route.LoaderArgs) => ({ testimonies: await listShownTestimonies(context.get(shopContext).db) })

export default function Testimonials({ loaderData, matches }: Route.ComponentProps) {
  return (
    <>
      <main className="page" id="main">
        <h1>Testimonials</h1>
        <p className="intro">What came back from the homes where the pieces hang.</p>
        <TestimonyCarousel testimonies={loaderData.testimonies} />
      </main>
      <Footer settings={matches[0].loaderData.settings} />
    </>
  )
}
