import { memo, type SubmitEvent, useId, useState } from 'react'
import { href, Link, useFetcher, useFetchers, useSubmit } from 'react-router'
import { discountTag } from '#pricing/money.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { Price } from '#pricing/price.tsx'
import { prefetchingLink } from '#ui/link-props.ts'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { colorName, type CardView } from './catalog.ts'
import { favoriteTexts, itemCardTexts as texts, stockTexts } from './texts.ts'
import type { ActionResult } from '#ui/action-result.ts'
import { RedirectToField } from '#ui/redirect-field.tsx'
import { Heart } from '#ui/icons.tsx'
import { useActionToasts } from '#ui/toasts.tsx'
import css from './item-card.module.css'

type ItemCardViewProps = {
  item: CardView
  sizes: string
  isFirst?: boolean
  isFavorite?: boolean | null
  heading?: 'h2' | 'h3'
}

const MAX_SWATCHES = 5

export function ItemCardView({
  item,
  sizes,
  isFirst = false,
  isFavorite = null,
  heading: Heading = 'h2',
}: ItemCardViewProps) {
  const currency = useCurrency()
  const notAvailable = item.isAvailable === false ? stockTexts.notAvailable : null
  const mark = item.mark ?? notAvailable ?? (item.discount && discountTag(item.discount, currency))
  return (
    <article className={`flex flex-col relative ${css.card}`}>
      <div className={`relative bg-raised ${css.frame}`}>
        {item.image && (
          <ResponsiveImage
            image={item.image}
            alt=""
            sizes={sizes}
            isFirst={isFirst}
            className={`size-full ${css.image}`}
          />
        )}
        {mark && <span className={`font-semibold ${css.mark}`}>{mark}</span>}
      </div>
      <Heading className={css.name}>
        <Link
          to={itemPath(item)}
          {...prefetchingLink}
        >
          {item.name}
        </Link>
      </Heading>
      <p className={css.price}>
        <Price
          cents={item.priceCents}
          discount={item.discount}
        />
      </p>
      {item.colors.length > 0 && (
        <p className={`row text-soft text-sm m-0 ${css.dots}`}>
          <span className="sr-only">{texts.colors(item.colors.map(colorName).join(', '))}</span>
          {item.colors.slice(0, MAX_SWATCHES).map((color) => (
            <i
              key={color.id}
              title={colorName(color)}
              style={{ backgroundImage: color.swatch }}
            />
          ))}
          {item.colors.length > MAX_SWATCHES && (
            <span aria-hidden="true">+{item.colors.length - MAX_SWATCHES}</span>
          )}
        </p>
      )}
      {isFavorite !== null && (
        <FavoriteToggle
          item={item}
          isFavorite={isFavorite}
          className={css.heart}
        />
      )}
    </article>
  )
}

const itemPath = ({ id, chosenColorId }: CardView) =>
  href('/item/:itemid', { itemid: id }) +
  (chosenColorId ? `?color=${encodeURIComponent(chosenColorId)}` : '')

type ItemStripProps = {
  title: string
  items: CardView[]
  note?: string
  all?: number
}

export const ItemStrip = memo(function ItemStrip({ title, items, note, all }: ItemStripProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`no-print ${css.section}`}
    >
      <div className={`flex flex-wrap gap-3 justify-between ${css.head}`}>
        <h2
          id={id}
          className={css.title}
        >
          {title}
        </h2>
        {all && (
          <Link
            to="/gallery/?favorites"
            className="tap"
          >
            {texts.seeAll(all)}
          </Link>
        )}
      </div>
      {note && <p className="text-soft">{note}</p>}
      {items.length > 0 && (
        <ul className={css.strip}>
          {items.map((item) => (
            <li key={item.id}>
              <ItemCardView
                item={item}
                sizes="11rem"
                heading="h3"
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
})

const FAVORITE_URL = href('/favourite')
const FORM_IDS = { yes: 'add-favorite', no: 'remove-favorite' }

/** The browser cancels requests when the customer leaves the page, so beacons repeat them. */
const unsaved = new Map<string, FormData>()
const sendUnsaved = () => {
  for (const form of unsaved.values()) navigator.sendBeacon(FAVORITE_URL, form)
  unsaved.clear()
}

/** Each item has its own fetcher, so that one request does not abort another. */
export function FavoriteForms() {
  const submit = useSubmit()
  const [pressedIds, setPressedIds] = useState<string[]>([])
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const button = event.nativeEvent.submitter as HTMLButtonElement
    setPressedIds((ids) => (ids.includes(button.value) ? ids : [...ids, button.value]))
    const form = new FormData(button.form!, button)
    unsaved.set(button.value, form)
    // Phones may skip `beforeunload`, and `pagehide` may come after the browser has canceled
    // requests.
    for (const event of ['beforeunload', 'pagehide']) addEventListener(event, sendUnsaved)
    void submit(button, { navigate: false, fetcherKey: fetcherKeyOf(button.value) }).finally(
      () => unsaved.get(button.value) === form && unsaved.delete(button.value),
    )
  }
  return (
    <>
      {(['yes', 'no'] as const).map((value) => (
        <form
          key={value}
          id={FORM_IDS[value]}
          method="post"
          action={FAVORITE_URL}
          data-unsent={favoriteTexts.failed}
          onSubmit={send}
          hidden
        >
          <RedirectToField />
          <input
            type="hidden"
            name="wanted"
            value={value}
          />
        </form>
      ))}
      {pressedIds.map((itemId) => (
        <FavoriteAnswer
          key={itemId}
          itemId={itemId}
        />
      ))}
    </>
  )
}

const fetcherKeyOf = (itemId: string) => `favorite ${itemId}`

function FavoriteAnswer({ itemId }: { itemId: string }) {
  useActionToasts(useFetcher<ActionResult>({ key: fetcherKeyOf(itemId) }).data)
  return null
}

export function useFavorites(storedIds: string[] | null) {
  const fetchers = useFetchers()
  if (storedIds === null) return null
  const ids = new Set(storedIds)
  for (const { formAction, formData, state, data } of fetchers) {
    const isRefused = state === 'loading' && (data as ActionResult | undefined)?.ok === false
    if (formAction !== FAVORITE_URL || isRefused) continue
    const itemId = String(formData?.get('itemId'))
    if (formData?.get('wanted') === 'yes') ids.add(itemId)
    else ids.delete(itemId)
  }
  return ids
}

type FavoriteToggleProps = {
  item: { id: string; name: string }
  isFavorite: boolean
  className?: string
}

export const FavoriteToggle = ({ item, isFavorite, className = '' }: FavoriteToggleProps) => (
  <button
    className={`grid place-items-center flex-none rounded-full no-print ${css.toggle} ${className}`}
    form={FORM_IDS[isFavorite ? 'no' : 'yes']}
    name="itemId"
    value={item.id}
    aria-pressed={isFavorite}
    aria-label={texts.favorite(item.name)}
  >
    <Heart size={22} />
  </button>
)
