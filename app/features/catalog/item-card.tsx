import { memo, type SubmitEvent, useId, useState } from 'react'
import { href, Link, useFetcher, useFetchers, useSubmit } from 'react-router'
import { discountTag } from '#app/features/pricing/money.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { prefetchingLink } from '#app/ui/link-props.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type CardView } from './catalog.ts'
import { favoriteTexts, itemCardTexts as texts, stockTexts } from './texts.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { Heart } from '#app/ui/icons.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import css from './item-card.module.css'
import stripCss from './item-strip.module.css'
import toggleCss from './favorite-toggle.module.css'

type Props = {
  item: CardView
  sizes: string
  isFirst?: boolean
  /** Is null for visitors, who see no heart button. */
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
}: Props) {
  const currency = useCurrency()
  const shown = item.colors.slice(0, MAX_SWATCHES)
  const mark =
    item.mark ??
    (item.isAvailable === false
      ? stockTexts.notAvailable
      : item.discount && discountTag(item.discount, currency))
  return (
    <article className={`column anchor ${css.card}`}>
      <div className={`anchor raised ${css.frame}`}>
        {/* The image has no alternative text, because the name of the item is below it. */}
        {item.picture && (
          <Picture
            picture={item.picture}
            alt=""
            sizes={sizes}
            isFirst={isFirst}
            className={`fill ${css.picture}`}
          />
        )}
        {mark && <span className={`strong ${css.mark}`}>{mark}</span>}
      </div>
      <Heading className={css.name}>
        <Link
          to={href('/item/:itemid', { itemid: item.id })}
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
      {shown.length > 0 && (
        <p className={`cluster soft small flush ${css.dots}`}>
          <span className="visually-hidden">
            {texts.colors(item.colors.map(colorName).join(', '))}
          </span>
          {shown.map((color) => (
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

type StripProps = {
  title: string
  items: CardView[]
  note?: string
  all?: number
}

/** Renders a row of items. The component is memoized, because the row stays the same when the visitor selects another image on an item page. [ITEM-21 to ITEM-24] */
export const ItemStrip = memo(function ItemStrip({ title, items, note, all }: StripProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`no-print ${stripCss.section}`}
    >
      <div className={`wrap apart ${stripCss.head}`}>
        <h2
          id={id}
          className={stripCss.title}
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
      {note && <p className="soft">{note}</p>}
      {items.length > 0 && (
        <ul className={stripCss.strip}>
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

/** Contains the unfinished requests of heart buttons. The browser cancels these requests when the customer leaves the page, so they are sent again as beacons. [OWN-87] */
const unsaved = new Map<string, FormData>()
const sendUnsaved = () => {
  for (const form of unsaved.values()) navigator.sendBeacon(FAVORITE_URL, form)
  unsaved.clear()
}

/**
 * Renders the two forms that all heart buttons on a page share, because a form for each button would make the page slower.
 * Each clicked item has its own fetcher, so that a request for one item does not abort the request for another item.
 */
export function FavoriteForms() {
  const submit = useSubmit()
  const [pressed, setPressed] = useState<string[]>([])
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const button = event.nativeEvent.submitter as HTMLButtonElement
    setPressed((ids) => (ids.includes(button.value) ? ids : [...ids, button.value]))
    const form = new FormData(button.form!, button)
    unsaved.set(button.value, form)
    // Phones may skip `beforeunload`. Before `pagehide`, a browser may already have canceled the requests. So the code listens to both events.
    for (const leaving of ['beforeunload', 'pagehide']) addEventListener(leaving, sendUnsaved)
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
      {pressed.map((itemId) => (
        <FavoriteAnswer
          key={itemId}
          itemId={itemId}
        />
      ))}
    </>
  )
}

const fetcherKeyOf = (itemId: string): string => `favorite ${itemId}`

function FavoriteAnswer({ itemId }: { itemId: string }) {
  useActionToasts(useFetcher<ActionResult>({ key: fetcherKeyOf(itemId) }).data)
  return null
}

/** Returns the ids of the items whose heart buttons are pressed. A button shows the requested state until the response arrives, and the stored state after an error. */
export function useFavorites(stored: string[] | null): Set<string> | null {
  const fetchers = useFetchers()
  if (stored === null) return null
  const shown = new Set(stored)
  for (const { formAction, formData, state, data } of fetchers) {
    if (
      formAction !== FAVORITE_URL ||
      (state === 'loading' && (data as ActionResult | undefined)?.ok === false)
    )
      continue
    const itemId = String(formData?.get('itemId'))
    if (formData?.get('wanted') === 'yes') shown.add(itemId)
    else shown.delete(itemId)
  }
  return shown
}

type ToggleProps = { item: { id: string; name: string }; isFavorite: boolean; className?: string }

export const FavoriteToggle = ({ item, isFavorite, className = '' }: ToggleProps) => (
  <button
    className={`in-middle rigid round no-print ${toggleCss.toggle} ${className}`}
    form={FORM_IDS[isFavorite ? 'no' : 'yes']}
    name="itemId"
    value={item.id}
    aria-pressed={isFavorite}
    aria-label={texts.favorite(item.name)}
  >
    <Heart
      aria-hidden
      size={22}
    />
  </button>
)
