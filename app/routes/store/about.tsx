import { AboutPage } from '#app/features/about/about-page.tsx'
import { listSlides } from '#app/features/about/slides.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/about'

export async function loader({ request, context }: Route.LoaderArgs) {
  const slides = await listSlides(context.get(shopContext).db)
  const asked = Number(new URL(request.url).searchParams.get('slide'))
  return { slides, first: Number.isInteger(asked) && asked >= 1 && asked <= slides.length ? asked - 1 : 0 }
}

export default function About({ loaderData }: Route.ComponentProps) {
  return <AboutPage {...loaderData} />
}
