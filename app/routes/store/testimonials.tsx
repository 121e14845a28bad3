import { listShownTestimonies } from '#app/features/testimonials/testimonies.server.ts'
import { TestimonyCarousel } from '#app/features/testimonials/testimony-carousel.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/testimonials'

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = Number(new URL(request.url).searchParams.get('at'))
  const testimonies = await listShownTestimonies(context.get(shopContext).db)
  return { testimonies, first: Number.isInteger(asked) && asked >= 1 && asked <= testimonies.length ? asked - 1 : 0 }
}

export default function Testimonials({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page" id="main">
      <h1>Testimonials</h1>
      <TestimonyCarousel {...loaderData} />
    </main>
  )
}
