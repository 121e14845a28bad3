import { memo, type SubmitEvent, useId, useState } from 'react'
import { href, Link, useFetcher, useFetchers, useSubmit } from 'react-router'
import { discountTag } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { quickLink } from '#app/ui/quick-link.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type CardView, favouriteTexts } from './catalog.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Heart } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './item-card.module.css'
import stripCss from './item-strip.module.css'
import toggleCss from './favourite-toggle.module.css'

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
            <i key={color.id} title={colorName(color)} style={{ backgroundImage: color.swatch }} />
          ))}
          {item.colors.length > DOTS && <span aria-hidden="true">+{item.colors.length - DOTS}</span>}
        </p>
      )}
      {isFavourite !== null && <FavouriteToggle item={item} isFavourite={isFavourite} className={css.heart} />}
    </article>
  )
}

type StripProps = {
  title: string
  items: CardView[]
  note?: string
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

const FAVOURITE = href('/favourite')
const FORM_IDS = { yes: 'add-favorite', no: 'remove-favorite' }

/**
 * The forms of all hearts of a page, which stand in them by their ids: a form and a fetcher for each heart took a seventh of the page's rendering time.
 * Each item has its own fetcher once its heart has been pressed, so that no request ends another one.
 */
export function FavouriteForms() {
  const submit = useSubmit()
  const [pressed, setPressed] = useState<string[]>([])
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const button = event.nativeEvent.submitter as HTMLButtonElement
    setPressed((ids) => (ids.includes(button.value) ? ids : [...ids, button.value]))
    void submit(button, { navigate: false, fetcherKey: fetcherKeyOf(button.value) })
  }
  return (
    <>
      {(['yes', 'no'] as const).map((wanted) => (
        <form
          key={wanted}
          id={FORM_IDS[wanted]}
          method="post"
          action={FAVOURITE}
          data-unsent={favouriteTexts.failed}
          onSubmit={send}
          hidden
        >
          <BackField />
          <input type="hidden" name="wanted" value={wanted} />
        </form>
      ))}
      {pressed.map((itemId) => (
        <FavouriteAnswer key={itemId} itemId={itemId} />
      ))}
    </>
  )
}

const fetcherKeyOf = (itemId: string): string => `favorite ${itemId}`

function FavouriteAnswer({ itemId }: { itemId: string }) {
  useAnswerToasts(useFetcher<Answer>({ key: fetcherKeyOf(itemId) }).data)
  return null
}

/** Until the answer is there a heart shows what was asked for; after a refusal what is stored shows again. */
export function useFavourites(stored: string[] | null): Set<string> | null {
  const fetchers = useFetchers()
  if (stored === null) return null
  const shown = new Set(stored)
  for (const { formAction, formData, state, data } of fetchers) {
    if (formAction !== FAVOURITE || (state === 'loading' && (data as Answer | undefined)?.ok === false)) continue
    const itemId = String(formData?.get('itemId'))
    if (formData?.get('wanted') === 'yes') shown.add(itemId)
    else shown.delete(itemId)
  }
  return shown
}

type ToggleProps = { item: { id: string; name: string }; isFavourite: boolean; className?: string }

export const FavouriteToggle = ({ item, isFavourite, className = '' }: ToggleProps) => (
  <button
    className={`in-middle round ${toggleCss.toggle} ${className}`}
    form={FORM_IDS[isFavourite ? 'no' : 'yes']}
    name="itemId"
    value={item.id}
    aria-pressed={isFavourite}
    aria-label={`Favorite: ${item.name}`}
  >
    <Heart aria-hidden size={22} />
  </button>
)
