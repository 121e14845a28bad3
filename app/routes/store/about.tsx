import upright from '#app/ui/fonts/fraunces-400.woff2?url'
import { AboutPage } from '#app/features/about/about-page.tsx'
import { readAboutCached } from '#app/features/about/about.server.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/about'

export const handle = { hasFooter: true }

/** Preloads the light weight of the heading font here and not in the root route, because only few pages need this weight. */
export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: upright },
]

export const loader = ({ context }: Route.LoaderArgs) => readAboutCached(context.get(appContext))

export default function About({ loaderData, matches }: Route.ComponentProps) {
  return (
    <AboutPage
      {...loaderData}
      ownerName={matches[0].loaderData.settings.ownerName}
    />
  )
}
