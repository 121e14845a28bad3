import { AboutPage } from '#about/about-page.tsx'
import { readAboutCached } from '#about/about.server.ts'
import { appContext } from '#services/context.ts'
import { preloadUprightFont } from './upright-font.ts'
import type { Route } from './+types/about'

export const handle = { hasFooter: true }

export const links: Route.LinksFunction = preloadUprightFont

export const loader = ({ context }: Route.LoaderArgs) => readAboutCached(context.get(appContext))

export default function About({ loaderData, matches }: Route.ComponentProps) {
  return (
    <AboutPage
      {...loaderData}
      ownerName={matches[0].loaderData.settings.ownerName}
    />
  )
}
