/** The opening of Home: the wall with its macrame, the headline, and the ring of categories that hangs from it. */
import { Link } from 'react-router'
import { swift } from '#app/ui/swift.ts'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import { Headline } from './headline.tsx'
import css from './hero.module.css'
import { Ring } from './ring.tsx'
import type { ShowcaseView } from './showcase.ts'

type Props = { wallpaper: PictureView | null; records: ShowcaseView[]; category: string | null }

export function Hero({ wallpaper, records, category }: Props) {
  return (
    <section className={css.hero} aria-label="Welcome" data-has-wall={wallpaper ? true : undefined}>
      <div className={css.wall}>
        {wallpaper && <Picture key={wallpaper.url} picture={wallpaper} alt="" sizes="max(100vw, 28rem)" isFirst className={css.picture} />}
      </div>
      <Headline className={css.inside}>
        <Ring records={records} first={category} />
        <div className={css.words}>
          <Link className="button" to="/gallery/" {...swift()}>
            Look through the gallery
          </Link>
          <p className={css.lead}>Cotton, wood and patience. Every piece is tied by one pair of hands, in the colors that you choose.</p>
        </div>
      </Headline>
    </section>
  )
}
