/** One item: pictures, price, description, colours, measures, and what stands beside it. */
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { FavouriteToggle } from '#app/features/favourites/favourite-toggle.tsx'
import { Price } from '#app/features/money/price.tsx'
import { Cord } from '#app/ui/cord.tsx'
import type { Item, ItemCard } from './catalog.ts'
import { ItemColors } from './item-colors.tsx'
import css from './item-page.module.css'
import { ItemPictures } from './item-pictures.tsx'
import { ItemStrip } from './item-strip.tsx'

type Props = {
  item: Item
  firstPicture: number
  /** null: nobody is signed in */
  favourites: ItemCard[] | null
  mostOrdered: ItemCard[]
  areSamples: boolean
  /** the order request box */
  children: ReactNode
}

export function ItemPage({ item, firstPicture, favourites, mostOrdered, areSamples, children }: Props) {
  // ITEM-15 to ITEM-17: only what has been filled in.
  const measures = [
    ['Width', item.width],
    ['Soletype', item.soleType],
    ['Size', item.size],
  ].filter(([, value]) => value !== '')
  return (
    <>
      <nav aria-label="You are here" className={css.trail}>
        <Link to="/gallery/">Gallery</Link>
        <span aria-hidden="true">/</span>
        <Link to={href('/gallery/:categoryid?', { categoryid: item.categoryId })}>{item.categoryTitle}</Link>
      </nav>
      <div className={css.columns}>
        <ItemPictures item={item} first={firstPicture} />
        <div>
          <div className={css.heading}>
            <h1 className={css.name}>{item.name}</h1>
            {favourites && <FavouriteToggle item={item} isFavourite={favourites.some(({ id }) => id === item.id)} />}
          </div>
          <p className={css.price}>
            <Price cents={item.priceCents} discount={item.discount} />
          </p>
          <p className={css.description}>{item.description}</p>
          <ItemColors colors={item.colors} />
          {measures.length > 0 && (
            <dl className={css.measures}>
              {measures.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {children}
        </div>
      </div>
      {favourites && (
        <ItemStrip
          title="Your Favorite Items"
          items={favourites}
          note={favourites.length === 0 ? 'No favorites yet. Press the heart beside a name to keep a piece here.' : undefined}
        />
      )}
      <ItemStrip
        title="Customers Most Ordered"
        items={mostOrdered}
        note={areSamples ? 'A few samples, until the first orders have come in.' : undefined}
      />
    </>
  )
}

/** S-058 */
export function ItemNotFound() {
  return (
    <div className={css.missing}>
      <Cord />
      <h1>This item was not found</h1>
      <p>It may have found its home already.</p>
      <Link className="button" to="/gallery/">
        Look through the gallery
      </Link>
    </div>
  )
}
