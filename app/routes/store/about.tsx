import { AboutPage } from '#app/features/about/about-page.tsx'
import { listSlides } from '#app/features/about/slides.server.ts'
import { Footer } from '#app/features/settings/footer.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/about'

export const loader = async ({ context }: Route.LoaderArgs) => ({ slides: await listSlides(context.get(shopContext).db) })

export default function About({ loaderData, matches }: Route.ComponentProps) {
  const { settings } = matches[0].loaderData
  return (
    <>
      <AboutPage slides={loaderData.slides} ownerName={settings.ownerName} />
      <Footer settings={settings} />
    </>
  )
}
