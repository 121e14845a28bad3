import { type ReactNode, useEffect, useId, useState } from 'react'
import { href, Link } from 'react-router'
import { FavouriteForms, FavouriteToggle, ItemStrip, useFavourites } from './item-card.tsx'
import { discountedPrice, formatMoney, discountTag } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { type CardView, type Item, colorName, stockHint, type Color } from './catalog.ts'
import { ItemPictures } from './item-pictures.tsx'
import { useShownPicture, type Shown, chosenColor, PICTURE_ID, pictureWearing, searchOf, takesOver } from './shown-picture.ts'
import { Picture } from '#app/ui/picture.tsx'
import css from './item-page.module.css'
import colorsCss from './item-colors.module.css'
import descriptionCss from './item-description.module.css'

type Props = {
  item: Item
  firstShown: Shown
  cut: number
  ratio: number
  favourites: { isOne: boolean; items: CardView[]; count: number } | null
  mostOrdered: CardView[]
  areSamples: boolean
  children: ReactNode
}

export function ItemPage({ item, firstShown, cut, ratio, favourites, mostOrdered, areSamples, children }: Props) {
  const [shown, show] = useShownPicture(firstShown)
  const shownFavourites = useFavourites(favourites && (favourites.isOne ? [item.id] : []))
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
            {shownFavourites && <FavouriteToggle item={item} isFavourite={shownFavourites.has(item.id)} />}
            {favourites && <FavouriteForms />}
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

type ColorsProps = { item: Item; shown: Shown; show: (wanted: Shown) => void }

function ItemColors({ item, shown, show }: ColorsProps) {
  // Escape hides the tooltip, also while the pointer rests on its color; the tooltip of the next color is shown again.
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    // Hovering does not move the focus, so the document receives the key.
    const hush = (event: KeyboardEvent) => event.key === 'Escape' && setQuiet(true)
    document.addEventListener('keydown', hush)
    return () => document.removeEventListener('keydown', hush)
  }, [])
  if (item.colors.length === 0) return null
  const chosen = chosenColor(item.pictures, shown)
  const speak = () => setQuiet(false)
  return (
    <section aria-labelledby="colors-used">
      <h2 id="colors-used" className={`strong ${colorsCss.title}`}>
        Colors Used
      </h2>
      <ul className={`wrap ${colorsCss.colors}`} data-quiet={isQuiet || undefined}>
        {item.colors.map((color) => (
          <li key={color.id} className={`anchor ${colorsCss.color}`}>
            <ColorChip
              color={color}
              isChosen={color.id === chosen}
              speak={speak}
              choose={() => {
                show({ index: pictureWearing(item.pictures, color.id), colorId: color.id })
                // On a phone the picture may have gone out of sight above.
                document.getElementById(PICTURE_ID)?.scrollIntoView({ block: 'nearest' })
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type ChipProps = { color: Color; isChosen: boolean; choose: () => void; speak: () => void }

function ColorChip({ color, isChosen, choose, speak }: ChipProps) {
  const tip = useId()
  const hint = stockHint(color)
  return (
    <>
      <Link
        to={searchOf({ index: 0, colorId: color.id })}
        onClick={(event) => takesOver(event) && choose()}
        onPointerEnter={speak}
        onFocus={speak}
        className={`tap undecorated ${colorsCss.chip}`}
        aria-current={isChosen ? 'true' : undefined}
        aria-describedby={hint ? tip : undefined}
      >
        <span className={`rigid raised round ${colorsCss.swatch}`} data-gone={!color.isAvailable || undefined}>
          {color.picture && <Picture picture={color.picture} alt="" sizes="2rem" />}
        </span>
        <span>{colorName(color)}</span>
        {color.discount && <span className={`small strong unbroken round ${colorsCss.tag}`}>{discountTag(color.discount)}</span>}
        {hint && <span className={`rigid round ${colorsCss.dot}`} data-gone={!color.isAvailable || undefined} aria-hidden="true" />}
      </Link>
      {hint && (
        <span role="tooltip" id={tip} className={`centered-text small raised ${colorsCss.tip}`}>
          {colorName(color)}: {hint}
        </span>
      )}
    </>
  )
}

function ItemDescription({ text, cut }: { text: string; cut: number }) {
  const [start, rest] = [text.slice(0, cut), text.slice(cut)]
  if (text.trim() === '') return null
  return (
    <div className={`gap-below ${descriptionCss.description}`}>
      <p className={`flush ${descriptionCss.text}`}>{start.trimEnd()}</p>
      {rest !== '' && (
        <details className={`column ${descriptionCss.more}`}>
          <summary className={`tap accented ${descriptionCss.press}`}>
            <span>Read more</span>
            <span>Read less</span>
          </summary>
          <p className={`flush ${descriptionCss.text}`}>{rest.trimStart()}</p>
        </details>
      )}
    </div>
  )
}

const LONG = 420
const FEW_MORE = 160

/** Where it is cut: after the last whole sentence or paragraph, at the least between two words; the whole length when it is short. */
export function cutOfDescription(text: string): number {
  if (text.length <= LONG + FEW_MORE) return text.length
  const start = text.slice(0, LONG)
  const ends = [/^[\s\S]*\n/, /^[\s\S]*[.!?…]\s/, /^[\s\S]*\s/].map((end) => end.exec(start)?.[0].length ?? 0)
  return ends.find((end) => end > LONG / 3) ?? [...start].slice(0, -1).join('').length
}
