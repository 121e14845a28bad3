import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import { href, Link } from 'react-router'
import { FavoriteForms, FavoriteToggle, ItemStrip, useFavorites } from './item-card.tsx'
import { useCurrency } from '#pricing/currency-context.ts'
import { discountedPrice, discountTag } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import { Price } from '#pricing/price.tsx'
import { takeOverClick } from '#ui/link-props.ts'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { type CardView, type Item, colorName, isForSale, stockHint, type Color } from './catalog.ts'
import { optionalItemTexts } from './item-fields.ts'
import { ItemImages } from './item-images.tsx'
import {
  chosenColor,
  IMAGE_ID,
  imageWithColor,
  selectionSearch,
  useSelectedImage,
  type SelectedImage,
} from './selected-image.ts'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { KnotMark } from '#ui/layout/knot-mark.tsx'
import css from './item-page.module.css'
import { itemNotFoundTexts, itemPageTexts as texts } from './texts.ts'

type ItemPageProps = {
  item: Item
  firstShown: SelectedImage
  cut: number
  ratio: number
  availability: string[]
  favorites: { isOne: boolean; items: CardView[]; count: number } | null
  mostOrdered: CardView[]
  areSamples: boolean
  facts: string[]
  imprint: string[]
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
}: ItemPageProps) {
  const [selected, select] = useSelectedImage(firstShown)
  const selectedColor = chosenColor(item.images, selected)
  const favoriteIds = useFavorites(favorites && (favorites.isOne ? [item.id] : []))
  return (
    <>
      <p className={`print-only ${css.imprint}`}>
        <KnotMark />
        {imprint.join(' · ')}
      </p>
      <div
        className={`grid gap-4 ${css.columns}`}
        style={{ '--ratio': ratio }}
      >
        <div className={css.images}>
          <ItemImages
            item={item}
            selected={selected}
            select={select}
          />
        </div>
        <div className="min-w-0">
          <Trail item={item} />
          <div className={`grid gap-4 justify-between ${css.heading}`}>
            <h1 className={css.name}>{item.name}</h1>
            {favoriteIds && isForSale(item.state) && (
              <FavoriteToggle
                item={item}
                isFavorite={favoriteIds.has(item.id)}
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
          {availability.length > 0 && <Availability lines={availability} />}
          <ItemColors
            item={item}
            selectedColor={selectedColor}
            select={select}
          />
          <div>
            <ItemDescription
              text={item.description}
              cut={cut}
            />
            <Measures item={item} />
            <Facts facts={facts} />
            {isForSale(item.state) && <RequestLink {...item} />}
            <div className={`relative no-print ${css.box}`}>{children(selectedColor)}</div>
          </div>
        </div>
      </div>
      {favorites && <FavoriteStrip {...favorites} />}
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

const Availability = ({ lines }: { lines: string[] }) => (
  <div className={css.availability}>
    {lines.map((line, index) => (
      <p
        key={line}
        className={`m-0 ${index === 0 ? 'font-semibold' : 'text-soft'}`}
      >
        {line}
      </p>
    ))}
  </div>
)

function FavoriteStrip({ items, count }: NonNullable<ItemPageProps['favorites']>) {
  if (items.length === 0 && count > 0) return null
  return (
    <ItemStrip
      title={texts.favorites}
      items={items}
      note={count === 0 ? texts.noFavorites : undefined}
      all={count > items.length ? count : undefined}
    />
  )
}

const Trail = ({ item }: { item: Item }) => (
  <nav
    aria-label={texts.trail}
    className={`flex items-center gap-3 text-sm no-print ${css.trail}`}
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
)

function Measures({ item }: { item: Item }) {
  const names = optionalItemTexts.filter((name) => item[name] !== '')
  if (names.length === 0) return null
  return (
    <dl className={`flex flex-wrap gap-3 ${css.measures}`}>
      {names.map((name) => (
        <div key={name}>
          <dt>{texts.measures[name]}</dt>
          <dd>{item[name]}</dd>
        </div>
      ))}
    </dl>
  )
}

function Facts({ facts }: { facts: string[] }) {
  if (facts.length === 0) return null
  return (
    <p className={`text-soft text-sm ${css.facts}`}>
      {facts.map((fact, index) => (
        <Fragment key={fact}>
          <span>{index < facts.length - 1 ? `${fact} ·` : fact}</span>{' '}
        </Fragment>
      ))}
    </p>
  )
}

function RequestLink({ priceCents, discount }: Pick<Item, 'priceCents' | 'discount'>) {
  const money = useMoney()
  return (
    <a
      className={`flex items-center justify-between font-semibold no-underline rounded-full tabular-nums no-print ${css.ask}`}
      href="#order-request"
      onClick={(event) => {
        const box = document.getElementById('order-request')
        if (!box) return
        event.preventDefault()
        box.scrollIntoView()
        box.focus({ preventScroll: true })
      }}
    >
      <span>{money(discountedPrice(priceCents, discount))}</span>
      <span>{texts.orderRequest}</span>
    </a>
  )
}

export function ItemNotFound() {
  return (
    <div className={`grid gap-4 text-center ${css.missing}`}>
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

type ItemColorsProps = {
  item: Item
  selectedColor: string | null
  select: (next: SelectedImage) => void
}

function ItemColors({ item, selectedColor, select }: ItemColorsProps) {
  const [isTooltipHidden, setTooltipHidden] = useState(false)
  useEffect(() => {
    // The pointer opens a tooltip without moving the focus, so the listener is on the document.
    const hideTooltip = (event: KeyboardEvent) => event.key === 'Escape' && setTooltipHidden(true)
    document.addEventListener('keydown', hideTooltip)
    return () => document.removeEventListener('keydown', hideTooltip)
  }, [])
  if (item.colors.length === 0) return null
  return (
    <section aria-labelledby="colors-used">
      <h2
        id="colors-used"
        className={`font-semibold ${css.title}`}
      >
        {texts.colors}
      </h2>
      <ul
        className={`flex flex-wrap gap-3 ${css.colors}`}
        data-quiet={isTooltipHidden || undefined}
      >
        {item.colors.map((color) => (
          <li
            key={color.id}
            className={`relative ${css.color}`}
          >
            <ColorChip
              color={color}
              isSelected={color.id === selectedColor}
              onReach={() => setTooltipHidden(false)}
              onSelect={() => {
                select({ index: imageWithColor(item.images, color.id), colorId: color.id })
                document.getElementById(IMAGE_ID)?.scrollIntoView({ block: 'nearest' })
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type ColorChipProps = {
  color: Color
  isSelected: boolean
  onSelect: () => void
  onReach: () => void
}

function ColorChip({ color, isSelected, onSelect, onReach }: ColorChipProps) {
  const tip = useId()
  const hint = stockHint(color)
  const currency = useCurrency()
  return (
    <>
      <Link
        to={selectionSearch({ index: 0, colorId: color.id })}
        onClick={(event) => takeOverClick(event) && onSelect()}
        onPointerEnter={onReach}
        onFocus={onReach}
        className={`tap no-underline ${css.chip}`}
        aria-current={isSelected || undefined}
        aria-describedby={hint ? tip : undefined}
      >
        <span
          className={`flex-none bg-raised rounded-full ${css.swatch}`}
          data-gone={!color.isAvailable || undefined}
        >
          {color.image && (
            <ResponsiveImage
              image={color.image}
              alt=""
              sizes="2rem"
            />
          )}
        </span>
        <span>{colorName(color)}</span>
        {color.discount && (
          <span className={`text-sm font-semibold whitespace-nowrap rounded-full ${css.tag}`}>
            {discountTag(color.discount, currency)}
          </span>
        )}
        {hint && (
          <span
            className={`text-sm ${css.stock}`}
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
          className={`text-center text-sm bg-raised no-print ${css.tip}`}
        >
          {texts.colorHint(colorName(color), hint)}
        </span>
      )}
    </>
  )
}

function ItemDescription({ text, cut }: { text: string; cut: number }) {
  const start = text.slice(0, cut)
  const rest = text.slice(cut)
  if (text.trim() === '') return null
  return (
    <div className={`mb-5 ${css.description}`}>
      <p
        className={`m-0 ${css.text}`}
        dir="auto"
      >
        {start.trimEnd()}
      </p>
      {rest !== '' && (
        <details className={`flex flex-col ${css.more}`}>
          <summary className={`tap text-accent no-print ${css.press}`}>
            <span>{texts.readMore}</span>
            <span>{texts.readLess}</span>
          </summary>
          <p
            className={`m-0 ${css.text}`}
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

export function descriptionCutoff(text: string) {
  if (text.length <= MAX_DESCRIPTION_LENGTH + MIN_HIDDEN_LENGTH) return text.length
  const start = text.slice(0, MAX_DESCRIPTION_LENGTH)
  const ends = [/^[\s\S]*\n/, /^[\s\S]*[.!?…]\s/, /^[\s\S]*\s/].map(
    (end) => end.exec(start)?.[0].length ?? 0,
  )
  const end = ends.find((length) => length > MAX_DESCRIPTION_LENGTH / 3)
  return end ?? [...start].slice(0, -1).join('').length
}
