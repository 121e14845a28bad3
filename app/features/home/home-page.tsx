/** The opening of Home: the wall with its macrame, the headline, and the ring of categories that hangs from it. */
import { Link, href, Form } from 'react-router'
import { quickLink } from '#app/ui/quick-link.ts'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import { Headline } from './headline.tsx'
import css from './hero.module.css'
import { Ring } from './ring.tsx'
import type { ShowcaseView, NewPiece } from './showcase.ts'
import { Price } from '#app/features/pricing/price.tsx'
import newPiecesCss from './new-pieces.module.css'
import { colorName, stockHint, type Color } from '#app/features/catalog/catalog.ts'
import { ChevronDown } from '#app/ui/icons.tsx'
import homeColorsCss from './home-colors.module.css'
import promoCss from './promo.module.css'

type Props = { wallpaper: PictureView | null; records: ShowcaseView[]; category: string | null }

export function Hero({ wallpaper, records, category }: Props) {
  return (
    <section className={`anchor ${css.hero}`} aria-label="Welcome" data-has-wall={wallpaper ? true : undefined}>
      <div className={css.wall}>
        {wallpaper && <Picture key={wallpaper.url} picture={wallpaper} alt="" sizes="max(100vw, 28rem)" isFirst className={css.picture} />}
      </div>
      <Headline className={`stack ${css.inside}`}>
        <Ring records={records} first={category} />
        <div className={`stack centered-text ${css.words}`}>
          <Link className="button" to="/gallery/" {...quickLink}>
            Look through the gallery
          </Link>
          <p className={`large flush ${css.lead}`}>
            Cotton, wood and patience. Every piece is tied by one pair of hands, in the colors that you choose.
          </p>
        </div>
      </Headline>
    </section>
  )
}

/** A row of the newest pieces: whoever came to look is one step from a piece. */
export function NewPieces({ pieces }: { pieces: NewPiece[] }) {
  if (pieces.length === 0) return null
  return (
    <section aria-labelledby="newest" className={newPiecesCss.section}>
      <h2 id="newest" className={`centered-text gap-below ${newPiecesCss.title}`}>
        Fresh from the workshop
      </h2>
      <ul className={`bare-list stack ${newPiecesCss.row}`}>
        {pieces.map(({ id, name, priceCents, discount, picture }) => (
          <li key={id} className={`gap-below anchor ${newPiecesCss.piece}`}>
            {/* The name below says what the picture shows. */}
            <span className={`raised ${newPiecesCss.frame}`}>
              {picture && (
                <Picture picture={picture} alt="" sizes="(min-width: 769px) 18rem, 45vw" className={`fill ${newPiecesCss.picture}`} />
              )}
            </span>
            <Link to={href('/item/:itemid', { itemid: id })} {...quickLink} className={`undecorated ${newPiecesCss.name}`}>
              {name}
            </Link>
            <Price cents={priceCents} discount={discount} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Twelve colors, or all of them after View All (HOME-11 to HOME-14, S-024, S-025). */
export function HomeColors({ colors, isAll }: { colors: Color[]; isAll: boolean }) {
  if (colors.length === 0) return null
  return (
    <section id="colors" aria-labelledby="colors-title" className={`stack ${homeColorsCss.section}`}>
      <h2 id="colors-title" className={`centered-text flush ${homeColorsCss.title}`}>
        Look through our Available Colors
      </h2>
      <ul className={`bare-list stack wide ${homeColorsCss.grid}`}>
        {colors.map((color) => (
          <li key={color.id} className={`aligned centered-text small ${homeColorsCss.color}`} data-gone={!color.isAvailable || undefined}>
            <span className={`raised round ${homeColorsCss.swatch}`}>
              {color.picture && <Picture picture={color.picture} alt="" sizes="(min-width: 769px) 9rem, 28vw" />}
            </span>
            {colorName(color)}
            {stockHint(color) && <span className={`soft ${homeColorsCss.hint}`}>{stockHint(color)}</span>}
          </li>
        ))}
      </ul>
      <Form method="get" action="/" preventScrollReset replace>
        <button className={`button quiet ${homeColorsCss.all}`} name={isAll ? undefined : 'colors'} value="all" aria-expanded={isAll}>
          View All
          <ChevronDown aria-hidden size={18} />
        </button>
      </Form>
    </section>
  )
}

/** S-142: a text only; prices change through discounts. */
export function PromoBanner() {
  return (
    <aside className={`centered-text ${promoCss.banner}`} aria-label="Clearance">
      <p>
        <strong>50% off everything</strong>, while stocks last
      </p>
    </aside>
  )
}

const sections = [
  {
    title: 'Tied in your colors',
    text: 'Show me your room, name two colors, and I will find the cords that belong there. Most pieces can be made anew in any color on my shelf.',
    link: 'Find your piece',
  },
  {
    title: 'Made slowly, to stay for years',
    text: 'Thick cotton, sanded wood and knots that hold. Nothing is glued, nothing comes from a factory, and everything can be washed, combed and mended.',
    link: 'See what is ready',
  },
] as const

/** The words are fixed; the pictures come from the catalogue. */
export function PromoSections({ pictures }: { pictures: PictureView[] }) {
  return sections.map(({ title, text, link }, at) => (
    <section key={title} className={`stack ${promoCss.section}`} aria-label={title}>
      {pictures[at] && (
        <Picture picture={pictures[at]} alt="" sizes="(min-width: 769px) 36rem, 92vw" className={`wide ${promoCss.picture}`} />
      )}
      <div className={promoCss.words}>
        <h2 className={promoCss.title}>{title}</h2>
        <p>{text}</p>
        <Link className="button quiet" to="/gallery/">
          {link}
        </Link>
      </div>
    </section>
  ))
}
