import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { FavouriteToggle, ItemStrip } from './item-card.tsx'
import { discountedPrice, formatMoney } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import type { CardView, Item } from './catalog.ts'
import { ItemColors } from './item-colors.tsx'
import { ItemDescription } from './item-description.tsx'
import css from './item-page.module.css'
import { ItemPictures } from './item-pictures.tsx'
import { useShownPicture, type Shown } from './shown-picture.ts'

type Props = {
  item: Item
  firstShown: Shown
  cut: number
  ratio: number
  /** null: nobody is signed in */
  favourites: { isOne: boolean; items: CardView[]; count: number } | null
  mostOrdered: CardView[]
  areSamples: boolean
  children: ReactNode
}

export function ItemPage({ item, firstShown, cut, ratio, favourites, mostOrdered, areSamples, children }: Props) {
  const [shown, show] = useShownPicture(firstShown)
  // ITEM-15 to ITEM-17: only what has been filled in.
  const measures = [
    ['Width', item.width],
    ['Soletype', item.soleType],
    ['Size', item.size],
  ].filter(([, value]) => value !== '')
  return (
    <>
      <div className={`stack ${css.columns}`} style={{ '--ratio': ratio }}>
        <div className={css.pictures}>
          <ItemPictures item={item} shown={shown} show={show} />
        </div>
        <div className="slim">
          <nav aria-label="You are here" className={`row small ${css.trail}`}>
            <Link to="/gallery/">Gallery</Link>
            <span aria-hidden="true">/</span>
            <Link to={href('/gallery/:categoryid?', { categoryid: item.categoryId })}>{item.categoryTitle}</Link>
          </nav>
          <div className={`stack apart ${css.heading}`}>
            <h1 className={css.name}>{item.name}</h1>
            {favourites && <FavouriteToggle item={item} isFavourite={favourites.isOne} />}
          </div>
          <p className={css.price}>
            <Price cents={item.priceCents} discount={item.discount} />
          </p>
          <ItemColors item={item} shown={shown} show={show} />
          <div>
            <ItemDescription text={item.description} cut={cut} />
            {measures.length > 0 && (
              <dl className={`wrap ${css.measures}`}>
                {measures.map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            {/* On a phone, once price and colours have gone by, it waits at the lower edge until the box is there, and then lies behind it. */}
            <a
              className={`aligned apart strong undecorated raised round tabular ${css.ask}`}
              href="#order-request"
              onClick={(event) => {
                const box = document.getElementById('order-request')
                if (!box) return
                event.preventDefault()
                box.scrollIntoView()
                box.focus({ preventScroll: true })
              }}
            >
              <span>{formatMoney(discountedPrice(item.priceCents, item.discount))}</span>
              <span>Order Request</span>
            </a>
            <div className={`anchor ${css.box}`}>{children}</div>
          </div>
        </div>
      </div>
      {favourites && (
        <ItemStrip
          title="Your Favorite Items"
          items={favourites.items}
          note={favourites.count === 0 ? 'No favorites yet. Press the heart beside a name to keep a piece here.' : undefined}
          all={favourites.count > favourites.items.length ? favourites.count : undefined}
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

export function ItemNotFound() {
  return (
    <div className={`stack centered-text ${css.missing}`}>
      <LooseKnot />
      <h1>This item was not found</h1>
      <p>It may have found its home already.</p>
      <Link className="button" to="/gallery/">
        Look through the gallery
      </Link>
    </div>
  )
}
