/** An item in a list: picture, name, price, colours, and the heart for those who are signed in. */
import { href, Link } from 'react-router'
import { FavouriteToggle } from '#app/features/favourites/favourite-toggle.tsx'
import { discountTag } from '#app/features/money/money.ts'
import { Price } from '#app/features/money/price.tsx'
import { swift } from '#app/ui/swift.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type ItemCard } from './catalog.ts'
import css from './item-card.module.css'

type Props = {
  item: ItemCard
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
    <article className={css.card}>
      <div className={css.frame}>
        {/* The name below says what the picture shows. */}
        {item.picture && <Picture picture={item.picture} alt="" sizes={sizes} isFirst={isFirst} className={css.picture} />}
        {mark && <span className={css.mark}>{mark}</span>}
      </div>
      <Heading className={css.name}>
        <Link to={href('/item/:itemid', { itemid: item.id })} {...swift()}>
          {item.name}
        </Link>
      </Heading>
      <p className={css.price}>
        <Price cents={item.priceCents} discount={item.discount} />
      </p>
      {shown.length > 0 && (
        <p className={css.dots}>
          <span className="unseen">Colors: {item.colors.map(colorName).join(', ')}</span>
          {shown.map((color) => (
            <span
              key={color.id}
              className={css.dot}
              title={colorName(color)}
              style={{ backgroundImage: `url("${color.picture?.placeholder ?? ''}")` }}
            />
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
