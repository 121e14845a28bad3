/** The owner's story: five pictures with her words, turning every ten seconds (ABOUT-01 to ABOUT-05). */
import { Link } from 'react-router'
import { NO_OWNER } from '#app/features/settings/shop-settings.ts'
import { isLedHere, later } from '#app/ui/later.tsx'
import css from './about-page.module.css'
import type { Slide } from './slides.server.ts'

const { Later: Story, ready } = later(async () => (await import('./story.tsx')).Story)
if (isLedHere()) await ready()

type Props = { slides: Slide[]; ownerName: string }

export function AboutPage({ slides, ownerName }: Props) {
  return (
    <main className="page" id="main">
      <h1>About</h1>
      <p className="intro">How a knot finds its way from my table to your wall, in five pictures.</p>
      <Story slides={slides} />
      {ownerName !== NO_OWNER && <p className={css.signature}>{ownerName}</p>}
      <p className={css.onward}>
        <Link className="button" to="/gallery/">
          See what hangs on the rack
        </Link>
        <Link className="button quiet" to="/contact/">
          Write to me
        </Link>
      </p>
    </main>
  )
}
