import { Footer } from '#app/features/settings/footer.tsx'
import { listShownTestimonies } from '#app/features/testimonials/testimonies.server.ts'
import { TestimonyCarousel } from '#app/features/testimonials/testimony-carousel.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/testimonials'

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
