import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import { href, Link } from 'react-router'
import { FavoriteForms, FavoriteToggle, ItemStrip, useFavorites } from './item-card.tsx'
import { discountedPrice, formatMoney, discountTag } from '#app/features/pricing/money.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { type CardView, type Item, colorName, isForSale, stockHint, type Color } from './catalog.ts'
import { ItemPictures } from './item-pictures.tsx'
import type { SelectedImage } from './selected-image.ts'
import {
  useSelectedImage,
  chosenColor,
  PICTURE_ID,
  imageWithColor,
  selectionSearch,
  takeOverClick,
} from './selected-image.ts'
import { Picture } from '#app/ui/picture.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import css from './item-page.module.css'
import colorsCss from './item-colors.module.css'
import descriptionCss from './item-description.module.css'
import { itemNotFoundTexts, itemPageTexts as texts } from './texts.ts'

type Props = {
  item: Item
  firstShown: SelectedImage
  cut: number
  ratio: number
  /** lines such as "On hold until Friday" and their explanation */
  availability: string[]
  favorites: { isOne: boolean; items: CardView[]; count: number } | null
  mostOrdered: CardView[]
  areSamples: boolean
  /** The owner's notes about delivery. The item page shows them on one line, separated by dots. */
  facts: string[]
  /** The contact data of the shop, which only the printed page shows. */
  imprint: string[]
  /** Renders the order request form for the selected color. */
  children: (colorId: string | null) => ReactNode
}

export function ItemPage({
  item,
  firstShown,
  cut,
  ratio,
  availability,
  favorites,
  mostOrdered,
  areSamples,
  facts,
  imprint,
  children,
}: Props) {
  const [shown, show] = useSelectedImage(firstShown)
  const chosen = chosenColor(item.pictures, shown)
  const shownFavorites = useFavorites(favorites && (favorites.isOne ? [item.id] : []))
  // The page shows only measures that the owner has filled in. [ITEM-15 to ITEM-17]
  const measures = [
    [texts.width, item.width],
    [texts.soleType, item.soleType],
    [texts.size, item.size],
  ].filter(([, value]) => value !== '')
  const currency = useCurrency()
  return (
    <>
      <p className={`print-only ${css.imprint}`}>
        <KnotMark />
        {imprint.join(' · ')}
      </p>
      <div
        className={`stack ${css.columns}`}
        style={{ '--ratio': ratio }}
      >
        <div className={css.pictures}>
          <ItemPictures
            item={item}
            shown={shown}
            show={show}
          />
        </div>
        <div className="slim">
          <nav
            aria-label={texts.trail}
            className={`row small no-print ${css.trail}`}
          >
            <Link to="/gallery/">{texts.gallery}</Link>
            {item.categoryTitle && (
              <>
                <span aria-hidden="true">/</span>
                <Link to={href('/gallery/:categoryid?', { categoryid: item.categoryId })}>
                  {item.categoryTitle}
                </Link>
              </>
            )}
          </nav>
          <div className={`stack apart ${css.heading}`}>
            <h1 className={css.name}>{item.name}</h1>
            {shownFavorites && isForSale(item.state) && (
              <FavoriteToggle
                item={item}
                isFavorite={shownFavorites.has(item.id)}
              />
            )}
            {favorites && <FavoriteForms />}
          </div>
          <p className={css.price}>
            <Price
              cents={item.priceCents}
              discount={item.discount}
            />
          </p>
          {availability.length > 0 && (
            <div className={css.availability}>
              {availability.map((line, at) => (
                <p
                  key={line}
                  className={`flush ${at === 0 ? 'strong' : 'soft'}`}
                >
                  {line}
                </p>
              ))}
            </div>
          )}
          <ItemColors
            item={item}
            chosen={chosen}
            show={show}
          />
          <div>
            <ItemDescription
              text={item.description}
              cut={cut}
            />
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
            {facts.length > 0 && (
              <p className={`soft small ${css.facts}`}>
                {facts.map((fact, at) => (
                  <Fragment key={fact}>
                    <span>{at < facts.length - 1 ? `${fact} ·` : fact}</span>{' '}
                  </Fragment>
                ))}
              </p>
            )}
            {/* On a phone, this link at the lower edge leads to the order request form. It appears when the price and the colors are out of sight. */}
            {isForSale(item.state) && (
              <a
                className={`aligned apart strong undecorated raised round tabular no-print ${css.ask}`}
                href="#order-request"
                onClick={(event) => {
                  const box = document.getElementById('order-request')
                  if (!box) return
                  event.preventDefault()
                  box.scrollIntoView()
                  box.focus({ preventScroll: true })
                }}
              >
                <span>
                  {formatMoney(discountedPrice(item.priceCents, item.discount), currency)}
                </span>
                <span>{texts.orderRequest}</span>
              </a>
            )}
            <div className={`anchor no-print ${css.box}`}>{children(chosen)}</div>
          </div>
        </div>
      </div>
      {favorites && (favorites.items.length > 0 || favorites.count === 0) && (
        <ItemStrip
          title={texts.favorites}
          items={favorites.items}
          note={favorites.count === 0 ? texts.noFavorites : undefined}
          all={favorites.count > favorites.items.length ? favorites.count : undefined}
        />
      )}
      {mostOrdered.length > 0 && (
        <ItemStrip
          title={isForSale(item.state) ? texts.mostOrdered : texts.similar}
          items={mostOrdered}
          note={areSamples ? texts.samples : undefined}
        />
      )}
    </>
  )
}

export function ItemNotFound() {
  return (
    <div className={`stack centered-text ${css.missing}`}>
      <LooseKnot />
      <h1>{itemNotFoundTexts.title}</h1>
      <p>{itemNotFoundTexts.hint}</p>
      <Link
        className="button"
        to="/gallery/"
      >
        {itemNotFoundTexts.gallery}
      </Link>
    </div>
  )
}

type ColorsProps = { item: Item; chosen: string | null; show: (next: SelectedImage) => void }

function ItemColors({ item, chosen, show }: ColorsProps) {
  // The Escape key hides the tooltip, even while the pointer is on the color. The next color shows its tooltip again.
  const [isTooltipHidden, setTooltipHidden] = useState(false)
  useEffect(() => {
    // The whole document listens to the Escape key, because the pointer can open a tooltip without moving the focus.
    const hideTooltip = (event: KeyboardEvent) => event.key === 'Escape' && setTooltipHidden(true)
    document.addEventListener('keydown', hideTooltip)
    return () => document.removeEventListener('keydown', hideTooltip)
  }, [])
  if (item.colors.length === 0) return null
  const speak = () => setTooltipHidden(false)
  return (
    <section aria-labelledby="colors-used">
      <h2
        id="colors-used"
        className={`strong ${colorsCss.title}`}
      >
        {texts.colors}
      </h2>
      <ul
        className={`wrap ${colorsCss.colors}`}
        data-quiet={isTooltipHidden || undefined}
      >
        {item.colors.map((color) => (
          <li
            key={color.id}
            className={`anchor ${colorsCss.color}`}
          >
            <ColorChip
              color={color}
              isChosen={color.id === chosen}
              speak={speak}
              choose={() => {
                show({ index: imageWithColor(item.pictures, color.id), colorId: color.id })
                // The page scrolls to the image, because on a phone the image may be out of sight.
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
  const currency = useCurrency()
  return (
    <>
      <Link
        to={selectionSearch({ index: 0, colorId: color.id })}
        onClick={(event) => takeOverClick(event) && choose()}
        onPointerEnter={speak}
        onFocus={speak}
        className={`tap undecorated ${colorsCss.chip}`}
        aria-current={isChosen ? 'true' : undefined}
        aria-describedby={hint ? tip : undefined}
      >
        <span
          className={`rigid raised round ${colorsCss.swatch}`}
          data-gone={!color.isAvailable || undefined}
        >
          {color.picture && (
            <Picture
              picture={color.picture}
              alt=""
              sizes="2rem"
            />
          )}
        </span>
        <span>{colorName(color)}</span>
        {color.discount && (
          <span className={`small strong unbroken round ${colorsCss.tag}`}>
            {discountTag(color.discount, currency)}
          </span>
        )}
        {hint && (
          <span
            className={`small ${colorsCss.stock}`}
            data-gone={!color.isAvailable || undefined}
            aria-hidden="true"
          >
            {hint}
          </span>
        )}
      </Link>
      {hint && (
        <span
          role="tooltip"
          id={tip}
          className={`centered-text small raised no-print ${colorsCss.tip}`}
        >
          {texts.colorHint(colorName(color), hint)}
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
      <p
        className={`flush ${descriptionCss.text}`}
        dir="auto"
      >
        {start.trimEnd()}
      </p>
      {rest !== '' && (
        <details className={`column ${descriptionCss.more}`}>
          <summary className={`tap accented no-print ${descriptionCss.press}`}>
            <span>{texts.readMore}</span>
            <span>{texts.readLess}</span>
          </summary>
          <p
            className={`flush ${descriptionCss.text}`}
            dir="auto"
          >
            {rest.trimStart()}
          </p>
        </details>
      )}
    </div>
  )
}

const MAX_DESCRIPTION_LENGTH = 420
const MIN_HIDDEN_LENGTH = 160

/** Returns where a long description is cut: after a paragraph or a sentence if possible, otherwise between two words. */
export function descriptionCutoff(text: string): number {
  if (text.length <= MAX_DESCRIPTION_LENGTH + MIN_HIDDEN_LENGTH) return text.length
  const start = text.slice(0, MAX_DESCRIPTION_LENGTH)
  const ends = [/^[\s\S]*\n/, /^[\s\S]*[.!?…]\s/, /^[\s\S]*\s/].map(
    (end) => end.exec(start)?.[0].length ?? 0,
  )
  return (
    ends.find((end) => end > MAX_DESCRIPTION_LENGTH / 3) ?? [...start].slice(0, -1).join('').length
  )
}
