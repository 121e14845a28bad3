import { Field } from '#app/ui/form-fields.tsx'
import { useState } from 'react'
import { Form, Link, useLocation, useNavigation, useFetcher, useSearchParams } from 'react-router'
import {
  type Category,
  type ItemCard,
  colorName,
  type Color,
} from '#app/features/catalog/catalog.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { useHydrated, RedirectToField } from '#app/ui/redirect-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import {
  type UndoOffer,
  COLUMNS,
  COMPARISONS,
  type ItemSearch,
  PART_SIZE,
  searchTerms,
  valueText,
} from './discount.ts'
import { ITEMS_FORM, ItemsPanel, DiscountFields, UndoNotice } from './items-panel.tsx'
import { discountTag, parseMoney } from '#app/features/pricing/money.ts'
import { priceTexts } from '#app/features/pricing/texts.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import css from './discounts.module.css'
import { colorsDiscountTexts as colorsTexts, itemsDiscountTexts as texts } from './texts.ts'

type FoundItems = { items: ItemCard[]; total: number; search: ItemSearch; offer: UndoOffer | null }
type Props = FoundItems & { categories: Category[] }

export function ItemsDiscount({ categories, ...found }: Props) {
  const { search } = found
  const { categoryId, comparison, isOnSale, name, price } = search
  // A new search resets the search fields and clears the selection [S-123]. A different number of columns does not count as a new search.
  const searched = searchTerms(search)
  return (
    <section
      className={`card gap-below ${css.part}`}
      aria-labelledby="items-discount"
    >
      <h2 id="items-discount">{texts.title}</h2>
      <Form
        className={css.search}
        role="search"
        aria-label={texts.search}
        preventScrollReset
        key={`form ${searched}`}
      >
        <input
          type="hidden"
          name="columns"
          value={search.columns}
        />
        <label className={`check ${css.wide}`}>
          <input
            type="checkbox"
            name="sale"
            defaultChecked={isOnSale}
          />
          {texts.onSale}
        </label>
        <Field
          label={texts.name}
          name="name"
          id="search-name"
          className={`stack slim ${css.field}`}
        >
          {(tied) => (
            <input
              {...tied}
              type="search"
              defaultValue={name}
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label={texts.comparison}
          name="compare"
          id="search-compare"
          className={`stack slim ${css.field} ${css.short}`}
        >
          {(tied) => (
            <select
              {...tied}
              aria-describedby="compare-hint"
              defaultValue={comparison}
            >
              {COMPARISONS.map((known) => (
                <option key={known}>{known}</option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={texts.price}
          name="price"
          id="search-price"
          className={`stack slim ${css.field} ${css.short}`}
          error={price.trim() !== '' && parseMoney(price) === null ? priceTexts.invalid : undefined}
        >
          {(tied) => (
            <input
              {...tied}
              className="input tabular"
              inputMode="decimal"
              defaultValue={price}
              autoComplete="off"
            />
          )}
        </Field>
        <p
          className={`soft small flush ${css.wide} ${css.comparisons}`}
          id="compare-hint"
        >
          {texts.comparisonHint}
        </p>
        <Field
          label={texts.category}
          name="category"
          id="search-category"
          className={`stack slim ${css.field}`}
        >
          {(tied) => (
            <select
              {...tied}
              defaultValue={categoryId}
            >
              <option value="">{texts.allCategories}</option>
              {categories.map((category) => (
                <option
                  key={category.id}
                  value={category.id}
                >
                  {category.title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className={`cluster ${css.buttons}`}>
          <button className="button">{texts.submit}</button>
          <button
            className="button quiet"
            form="reset-search"
          >
            {texts.reset}
          </button>
        </div>
      </Form>
      <Results
        {...found}
        key={`results ${searched}`}
      />
    </section>
  )
}

function Results({ items, total, search, offer }: FoundItems) {
  const [chosen, setChosen] = useState(emptySelection)
  const ticked = keepExisting(chosen, items)
  return (
    <div>
      {/* The button "Reset" clears the selection even if the URL stays the same. */}
      <Form
        id="reset-search"
        preventScrollReset
        onSubmit={() => setChosen(emptySelection)}
      >
        <input
          type="hidden"
          name="columns"
          value={search.columns}
        />
      </Form>
      <Cards
        items={items}
        total={total}
        search={search}
        ticked={ticked}
        onTick={setChosen}
      />
      <ItemsPanel
        ticked={ticked}
        offer={offer}
      />
    </div>
  )
}

type CardsProps = Omit<FoundItems, 'offer'> & {
  ticked: ItemSelection
  onTick: (ticked: ItemSelection) => void
}

function Cards({ items, total, search, ticked, onTick }: CardsProps) {
  const hasScript = useHydrated()
  const location = useLocation()
  const isBusy = useNavigation().state !== 'idle'
  const count = ticked.isAll ? total - ticked.ids.size : ticked.ids.size
  const to = (name: string, value: number) => {
    const next = new URLSearchParams(location.search)
    next.set(name, String(value))
    return `?${next}`
  }
  if (total === 0) return <p className="soft">{texts.noItems}</p>
  return (
    <>
      <div className={`cluster ${css.above}`}>
        <label className="check">
          <input
            type="checkbox"
            {...(hasScript ? {} : { name: 'all', form: ITEMS_FORM })}
            checked={count === total}
            onChange={(event) => onTick({ isAll: event.currentTarget.checked, ids: new Set() })}
          />
          {texts.selectAll}
        </label>
        <span
          className="soft tabular"
          role="status"
        >
          {texts.selected(count, total)}
        </span>
        <nav
          className={css.layout}
          aria-label={texts.columns}
        >
          <span
            className="aligned soft small"
            aria-hidden="true"
          >
            {texts.columns}
          </span>
          {COLUMNS.map((columns) => (
            <Link
              key={columns}
              to={to('columns', columns)}
              preventScrollReset
              replace
              aria-label={texts.columnCount(columns)}
              aria-current={columns === search.columns ? 'true' : undefined}
            >
              {columns}
            </Link>
          ))}
        </nav>
      </div>
      <ul
        className={`stack ${css.grid}`}
        role="list"
        data-columns={search.columns}
      >
        {items.map((item) => (
          <li
            key={item.id}
            className={css.found}
          >
            <label className={css.item}>
              {item.picture ? (
                <Picture
                  className={`wide ${css.itemPicture}`}
                  picture={item.picture}
                  alt=""
                  sizes="(min-width: 48.0625em) 24rem, 45vw"
                />
              ) : (
                <span className={`wide ${css.itemPicture}`} />
              )}
              <span className={css.itemWords}>
                <input
                  type="checkbox"
                  form={ITEMS_FORM}
                  name="item"
                  value={item.id}
                  checked={ticked.ids.has(item.id) !== ticked.isAll}
                  onChange={(event) =>
                    onTick(toggleSelected(ticked, item.id, event.currentTarget.checked))
                  }
                />
                <span className="slim">
                  <span className={`strong ${css.itemName}`}>{item.name}</span>
                  <Price
                    cents={item.priceCents}
                    discount={item.discount}
                  />
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {items.length < total && (
        <p className={`cluster centered ${css.more}`}>
          <Link
            className="button quiet"
            to={to('parts', search.parts + 1)}
            preventScrollReset
            replace
            aria-disabled={isBusy}
          >
            {texts.showMore(Math.min(PART_SIZE, total - items.length))}
          </Link>
          <span className="soft tabular">{texts.shown(items.length, total)}</span>
        </p>
      )}
    </>
  )
}

/** If `isAll` is false, the items in `ids` are selected. If `isAll` is true, all found items except those in `ids` are selected. */
export type ItemSelection = { isAll: boolean; ids: ReadonlySet<string> }

const emptySelection: ItemSelection = { isAll: false, ids: new Set() }

function toggleSelected({ isAll, ids }: ItemSelection, id: string, isOn: boolean): ItemSelection {
  const next = new Set(ids)
  if (isOn === isAll) next.delete(id)
  else next.add(id)
  return { isAll, ids: next }
}

/** Removes the ids of items that were deleted in another browser tab. */
function keepExisting(
  { isAll, ids }: ItemSelection,
  shown: readonly { id: string }[],
): ItemSelection {
  const shownIds = new Set(shown.map(({ id }) => id))
  return { isAll, ids: new Set([...ids].filter((id) => shownIds.has(id))) }
}

export function ColorsDiscount({ colors, offer }: { colors: Color[]; offer: UndoOffer | null }) {
  const currency = useCurrency()
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const [params] = useSearchParams()
  const chosen = colors.find((color) => color.id === params.get('color'))
  const onSale = colors.filter((color) => color.discount)
  const error = (field: string) => (fetcher.data?.field === field ? fetcher.data.error : undefined)
  const withColor = (id: string) => {
    const next = new URLSearchParams(params)
    next.set('color', id)
    return next
  }
  const isBusy = fetcher.state !== 'idle'
  return (
    <section
      className={`card gap-below ${css.part}`}
      aria-labelledby="colors-discount"
    >
      <h2 id="colors-discount">{colorsTexts.title}</h2>
      <fetcher.Form
        method="post"
        className={css.fields}
      >
        <RedirectToField />
        {/* When the owner selects another color, the new `key` creates the fields again with the values of this color. */}
        <div
          className={`stack ${css.loaded}`}
          key={`${chosen?.id} ${chosen?.discount?.type} ${chosen?.discount?.value}`}
        >
          <Field
            label={colorsTexts.color}
            name="color"
            className={`stack slim ${css.field} ${css.wider}`}
            error={error('color')}
          >
            {(tied) => (
              <select
                {...tied}
                defaultValue={chosen?.id ?? ''}
              >
                <option value="">{colorsTexts.selectColor}</option>
                {colors.map((color) => (
                  <option
                    key={color.id}
                    value={color.id}
                  >
                    {colorName(color)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <DiscountFields
            prefix="color"
            type={chosen?.discount?.type ?? 'percent'}
            value={chosen?.discount ? valueText(chosen.discount) : ''}
            error={error('value')}
          />
        </div>
        <div className={`cluster ${css.buttons}`}>
          <button
            className="button"
            name="intent"
            value="color-go"
            aria-disabled={isBusy}
          >
            {colorsTexts.go}
          </button>
          <button
            className="button quiet"
            name="intent"
            value="color-remove"
            aria-disabled={isBusy}
          >
            {colorsTexts.remove}
          </button>
        </div>
      </fetcher.Form>
      <div className={css.offer}>
        <UndoNotice offer={offer} />
      </div>
      <h3 className={css.stripTitle}>{colorsTexts.onSale}</h3>
      {onSale.length === 0 ? (
        <p className="soft">{colorsTexts.noneOnSale}</p>
      ) : (
        <ul
          className="cluster"
          role="list"
        >
          {onSale.map((color) => (
            <li key={color.id}>
              <Link
                className={`row same-color undecorated round ${css.onSale}`}
                to={`?${withColor(color.id)}`}
                preventScrollReset
                replace
                aria-current={color.id === chosen?.id ? 'true' : undefined}
              >
                {color.picture && (
                  <Picture
                    className={`photo ${css.swatch}`}
                    picture={color.picture}
                    alt=""
                    sizes="3rem"
                  />
                )}
                <span>
                  {colorName(color)}
                  {color.discount && (
                    <span className={`small strong ${css.tag}`}>
                      {discountTag(color.discount, currency)}
                    </span>
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
