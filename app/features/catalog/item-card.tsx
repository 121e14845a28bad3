/** An item in a list: picture, name, price, colours, and the heart for those who are signed in. */
import { href, Link } from 'react-router'
import { FavouriteToggle } from '#app/features/catalog/favorites/favourite-toggle.tsx'
import { discountTag } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { quickLink } from '#app/ui/quick-link.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type CardView } from './catalog.ts'
import css from './item-card.module.css'
import { memo, useId } from 'react'
import stripCss from './item-strip.module.css'

type Props = {
  item: CardView
  sizes: string
  isFirst?: boolean
  /** null: nobody is signed in, so there is no heart */
  isFavourite?: boolean | null
  heading?: 'h2' | 'h3'
}

const DOTS = 5

export function ItemCardView({ item, sizes, isFirst = false, isFavourite = null, heading: Heading = 'h2' }: Props) {
  const shown = item.colors.slice(0, DOTS)
  const mark = item.isAvailable === false ? 'Not available' : item.discount && discountTag(item.discount)
  return (
    <article className={`column anchor ${css.card}`}>
      <div className={`anchor raised ${css.frame}`}>
        {/* The name below says what the picture shows. */}
        {item.picture && <Picture picture={item.picture} alt="" sizes={sizes} isFirst={isFirst} className={`fill ${css.picture}`} />}
        {mark && <span className={`strong round ${css.mark}`}>{mark}</span>}
      </div>
      <Heading className={css.name}>
        <Link to={href('/item/:itemid', { itemid: item.id })} {...quickLink}>
          {item.name}
        </Link>
      </Heading>
      <p className={css.price}>
        <Price cents={item.priceCents} discount={item.discount} />
      </p>
      {shown.length > 0 && (
        <p className={`cluster soft small flush ${css.dots}`}>
          <span className="unseen">Colors: {item.colors.map(colorName).join(', ')}</span>
          {shown.map((color) => (
            <span key={color.id} className={`round ${css.dot}`} title={colorName(color)} style={{ backgroundImage: color.swatch }} />
          ))}
          {item.colors.length > DOTS && <span aria-hidden="true">+{item.colors.length - DOTS}</span>}
        </p>
      )}
      {isFavourite !== null && (
        <div className={css.heart}>
          <FavouriteToggle item={item} isFavourite={isFavourite} />
        </div>
      )}
    </article>
  )
}

type StripProps = {
  title: string
  items: CardView[]
  /** a sentence under the title, or in place of the items when there are none */
  note?: string
  /** how many favourites there are, when the strip holds only some of them */
  all?: number
}

/** ITEM-21 to ITEM-24: a strip of items. It stays while another picture of the page's item is chosen. */
export const ItemStrip = memo(function ItemStrip({ title, items, note, all }: StripProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={stripCss.section}>
      <div className={`wrap apart ${stripCss.head}`}>
        <h2 id={id} className={stripCss.title}>
          {title}
        </h2>
        {all && (
          <Link to="/gallery/?favorites" className="tap">
            {`See all ${all}`}
          </Link>
        )}
      </div>
      {note && <p className="soft">{note}</p>}
      {items.length > 0 && (
        <ul className={stripCss.strip}>
          {items.map((item) => (
            <li key={item.id}>
              <ItemCardView item={item} sizes="11rem" heading="h3" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
})
