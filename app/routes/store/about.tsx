import upright from '#app/ui/fonts/fraunces-400.woff2?url'
import { AboutPage } from '#app/features/about/about-page.tsx'
import { listSlides } from '#app/features/about/slides.server.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/about'

export const handle = { hasFooter: true }

/** Loads the light weight of the heading font, which few pages need. */
export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: upright },
]

export const loader = async ({ context }: Route.LoaderArgs) => ({ slides: await listSlides(context.get(appContext).db) })

export default function About({ loaderData, matches }: Route.ComponentProps) {
  return <AboutPage slides={loaderData.slides} ownerName={matches[0].loaderData.settings.ownerName} />
}
