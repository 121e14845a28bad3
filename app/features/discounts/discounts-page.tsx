import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Form, Link, useFetcher, useLocation, useNavigation, useSearchParams } from 'react-router'
import { type Category, type ItemCard, colorName, type Color } from '#catalog/catalog.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { type Discount, discountTag } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { Price } from '#pricing/price.tsx'
import { priceTexts } from '#pricing/texts.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { DialogActions, closestDialog } from '#ui/dialog-button.tsx'
import dialogCss from '#ui/dialog.module.css'
import { HiddenFields, InputField, SelectField } from '#ui/form-fields.tsx'
import { X } from '#ui/icons.tsx'
import { Undo2 } from '#ui/owner-icons.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { useHydrated, RedirectToField } from '#ui/redirect-field.tsx'
import { useActionToasts } from '#ui/toasts.tsx'
import type { ConfirmQuestion, DiscountResult } from './discount.actions.server.ts'
import {
  type UndoOffer,
  COLUMNS,
  COMPARISONS,
  type ItemSearch,
  PART_SIZE,
  undoOfferText,
} from './discount.ts'
import css from './discounts.module.css'
import {
  colorsDiscountTexts as colorsTexts,
  discountFieldTexts,
  itemsDiscountTexts as texts,
  undoTexts,
} from './texts.ts'

const fieldClass = `grid gap-4 min-w-0 ${css.field}`
const buttonsClass = `row ${css.buttons}`

type FoundItems = { items: ItemCard[]; total: number; search: ItemSearch; offer: UndoOffer | null }

export function ItemsDiscount({
  categories,
  ...foundItems
}: FoundItems & { categories: Category[] }) {
  const { columns: _columns, parts: _parts, ...terms } = foundItems.search
  const searchKey = JSON.stringify(terms)
  return (
    <section
      className={`card mb-5 ${css.part}`}
      aria-labelledby="items-discount"
    >
      <h2 id="items-discount">{texts.title}</h2>
      <SearchForm
        search={foundItems.search}
        categories={categories}
        key={`form ${searchKey}`}
      />
      <Results
        {...foundItems}
        key={`results ${searchKey}`}
      />
    </section>
  )
}

function SearchForm({ search, categories }: { search: ItemSearch; categories: Category[] }) {
  const { categoryId, columns, comparison, isOnSale, name, price } = search
  return (
    <Form
      className={css.search}
      role="search"
      aria-label={texts.search}
      preventScrollReset
    >
      <input
        type="hidden"
        name="columns"
        value={columns}
      />
      <label className={`check ${css.wide}`}>
        <input
          type="checkbox"
          name="sale"
          defaultChecked={isOnSale}
        />
        {texts.onSale}
      </label>
      <InputField
        label={texts.name}
        name="name"
        id="search-name"
        className={fieldClass}
        type="search"
        defaultValue={name}
        autoComplete="off"
      />
      <SelectField
        label={texts.comparison}
        name="compare"
        id="search-compare"
        className={`${fieldClass} ${css.short}`}
        aria-describedby="compare-hint"
        defaultValue={comparison ?? '>='}
      >
        {COMPARISONS.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
      <InputField
        label={texts.price}
        name="price"
        id="search-price"
        className={`${fieldClass} ${css.short}`}
        error={price.trim() !== '' && parseMoney(price) === null ? priceTexts.invalid : undefined}
        controlClassName="input tabular-nums"
        inputMode="decimal"
        defaultValue={price}
        autoComplete="off"
      />
      <p
        className={`text-soft text-sm m-0 ${css.wide} ${css.comparisons}`}
        id="compare-hint"
      >
        {texts.comparisonHint}
      </p>
      <CategoryField
        categoryId={categoryId}
        categories={categories}
      />
      <div className={buttonsClass}>
        <button className="button">{texts.submit}</button>
        <button
          className="button quiet"
          form="reset-search"
        >
          {texts.reset}
        </button>
      </div>
    </Form>
  )
}

type CategoryFieldProps = Pick<ItemSearch, 'categoryId'> & { categories: Category[] }

const CategoryField = ({ categoryId, categories }: CategoryFieldProps) => (
  <SelectField
    label={texts.category}
    name="category"
    id="search-category"
    className={fieldClass}
    defaultValue={categoryId}
  >
    <option value="">{texts.allCategories}</option>
    {categories.map(({ id, title }) => (
      <option
        key={id}
        value={id}
      >
        {title}
      </option>
    ))}
  </SelectField>
)

/** With `isAll`, all found items except `ids` are selected, otherwise only `ids`. */
type ItemSelection = { isAll: boolean; ids: Set<string> }

const emptySelection: ItemSelection = { isAll: false, ids: new Set() }

function toggleSelected({ isAll, ids }: ItemSelection, id: string) {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { isAll, ids: next }
}

function Results({ offer, ...cards }: FoundItems) {
  const [chosen, setChosen] = useState(emptySelection)
  const existingIds = cards.items.map(({ id }) => id)
  const ticked = { ...chosen, ids: new Set(existingIds.filter((id) => chosen.ids.has(id))) }
  return (
    <div>
      <Form
        id="reset-search"
        preventScrollReset
        onSubmit={() => setChosen(emptySelection)}
      >
        <input
          type="hidden"
          name="columns"
          value={cards.search.columns}
        />
      </Form>
      {cards.total === 0 ? (
        <p className="text-soft">{texts.noItems}</p>
      ) : (
        <Cards
          {...cards}
          ticked={ticked}
          onTick={setChosen}
        />
      )}
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
  const isBusy = useNavigation().state !== 'idle'
  const to = useSearchWith()
  const count = ticked.isAll ? total - ticked.ids.size : ticked.ids.size
  return (
    <>
      <div className={`row ${css.above}`}>
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
          className="text-soft tabular-nums"
          role="status"
        >
          {texts.selected(count, total)}
        </span>
        <nav
          className={css.layout}
          aria-label={texts.columns}
        >
          <span
            className="flex items-center text-soft text-sm"
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
              aria-current={columns === search.columns || undefined}
            >
              {columns}
            </Link>
          ))}
        </nav>
      </div>
      <ul
        className={`grid gap-4 ${css.grid}`}
        role="list"
        data-columns={search.columns}
      >
        {items.map((item) => (
          <Card
            item={item}
            isTicked={ticked.ids.has(item.id) !== ticked.isAll}
            onTick={() => onTick(toggleSelected(ticked, item.id))}
            key={item.id}
          />
        ))}
      </ul>
      {items.length < total && (
        <p className={`row justify-center ${css.more}`}>
          <Link
            className="button quiet"
            to={to('parts', search.parts + 1)}
            preventScrollReset
            replace
            aria-disabled={isBusy}
          >
            {texts.showMore(Math.min(PART_SIZE, total - items.length))}
          </Link>
          <span className="text-soft tabular-nums">{texts.shown(items.length, total)}</span>
        </p>
      )}
    </>
  )
}

function useSearchWith() {
  const { search } = useLocation()
  return (name: string, value: string | number) => {
    const params = new URLSearchParams(search)
    params.set(name, String(value))
    return `?${params}`
  }
}

type CardProps = { item: ItemCard; isTicked: boolean; onTick: () => void }

const Card = ({ item, isTicked, onTick }: CardProps) => (
  <li className={css.found}>
    <label className={css.item}>
      <ResponsiveImage
        className={`w-full ${css.itemImage}`}
        image={item.image}
        alt=""
        sizes="(min-width: 48.0625em) 24rem, 45vw"
      />
      <span className={css.itemWords}>
        <input
          type="checkbox"
          form={ITEMS_FORM}
          name="item"
          value={item.id}
          checked={isTicked}
          onChange={onTick}
        />
        <span className="min-w-0">
          <span className={`font-semibold ${css.itemName}`}>{item.name}</span>
          <Price
            cents={item.priceCents}
            discount={item.discount}
          />
        </span>
      </span>
    </label>
  </li>
)

const ITEMS_FORM = 'items-panel'

function ItemsPanel({ ticked, offer }: { ticked: ItemSelection; offer: UndoOffer | null }) {
  const form = useActionForm<DiscountResult>(ITEMS_FORM)
  const { answer } = form
  const hasScript = useHydrated()
  const isNoneTicked = ticked.isAll || ticked.ids.size === 0
  const button = { form: ITEMS_FORM, name: 'intent', isPending: form.isPending }
  return (
    <div
      className={`grid gap-4 ${css.panel}`}
      role="group"
      aria-label={texts.panel}
    >
      <div className={css.wide}>
        <UndoNotice offer={offer} />
      </div>
      {!form.isPending && isNoneTicked && answer?.field === 'item' && (
        <p
          className={`error m-0 ${css.wide}`}
          role="alert"
        >
          {answer.error}
        </p>
      )}
      <ActionForm
        form={form}
        id={ITEMS_FORM}
        fields={{ all: hasScript && ticked.isAll ? 'on' : null }}
      >
        {ticked.isAll &&
          [...ticked.ids].map((id) => (
            <input
              type="hidden"
              name="except"
              value={id}
              key={id}
            />
          ))}
      </ActionForm>
      <DiscountFields
        prefix="items"
        form={ITEMS_FORM}
        type="amount"
        error={answer?.field === 'value' ? answer.error : undefined}
      />
      <div className={buttonsClass}>
        <SubmitButton
          {...button}
          value="items-apply"
        >
          {texts.apply}
        </SubmitButton>
        <SubmitButton
          {...button}
          value="items-remove"
          className="button danger"
        >
          {texts.remove}
        </SubmitButton>
      </div>
      {answer?.question && <BulkDiscountQuestion confirmation={answer.question} />}
    </div>
  )
}

export function BulkDiscountQuestion({
  confirmation: { question, warning, fields },
}: {
  confirmation: ConfirmQuestion
}) {
  const fetcher = useFetcher<DiscountResult>({ key: ITEMS_FORM })
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    dialog.current?.close()
    dialog.current?.showModal()
  }, [fields])
  return (
    <dialog
      open
      ref={dialog}
      className={`card ${dialogCss.dialog} ${css.asked}`}
      aria-labelledby={`${id}-question`}
      aria-describedby={warning ? `${id}-warning` : undefined}
    >
      <p
        id={`${id}-question`}
        className={`text-lg ${dialogCss.question}`}
      >
        {question}
      </p>
      {warning && (
        <p
          id={`${id}-warning`}
          className={`font-semibold bg-raised ${css.warning}`}
        >
          {warning}
        </p>
      )}
      <fetcher.Form
        method="post"
        id={`${id}-yes`}
      >
        <RedirectToField />
        {fields.map(([name, value]) => (
          <input
            type="hidden"
            name={name}
            value={value}
            key={`${name} ${value}`}
          />
        ))}
      </fetcher.Form>
      <form
        method="dialog"
        id={`${id}-no`}
      />
      <DialogActions>
        <button
          className="button"
          form={`${id}-yes`}
          name="confirm"
          value="Yes"
          // The dialog closes later, because a button in a closed dialog sends nothing.
          onClick={({ currentTarget }) => setTimeout(() => closestDialog(currentTarget)?.close())}
        >
          {texts.yes}
        </button>
        <button
          className="button quiet"
          form={`${id}-no`}
        >
          {texts.no}
        </button>
      </DialogActions>
    </dialog>
  )
}

type DiscountFieldsProps = {
  prefix: string
  form?: string
  type: Discount['type']
  value?: number
  error?: string
}

const DiscountFields = ({ prefix, form, type, value, error }: DiscountFieldsProps) => (
  <>
    <SelectField
      label={discountFieldTexts.type}
      name="type"
      id={`${prefix}-type`}
      className={fieldClass}
      form={form}
      defaultValue={type}
    >
      <option value="amount">{discountFieldTexts.amount}</option>
      <option value="percent">{discountFieldTexts.percent}</option>
    </SelectField>
    <InputField
      label={discountFieldTexts.value}
      name="value"
      id={`${prefix}-value`}
      className={fieldClass}
      error={error}
      example={discountFieldTexts.example}
      controlClassName="input tabular-nums"
      form={form}
      inputMode="decimal"
      placeholder={form && discountFieldTexts.value}
      autoComplete="off"
      defaultValue={value === undefined ? '' : value / 100}
    />
  </>
)

/** The region stays while it is empty, because screen readers announce only changes. */
function UndoNotice({ offer }: { offer: UndoOffer | null }) {
  const currency = useCurrency()
  const fetcher = useFetcher<DiscountResult>()
  const place = useRef<HTMLDivElement>(null)
  const { data } = fetcher
  useActionToasts(data?.ok ? undefined : data)
  useEffect(() => {
    if (data?.ok) place.current?.focus()
  }, [data])
  const dismissButton = {
    className: 'icon-button',
    'aria-label': undoTexts.dismiss,
    title: undoTexts.dismiss,
    children: <X size={20} />,
  }
  return (
    <div
      className={`flex items-center gap-3 justify-between bg-raised ${css.undo}`}
      ref={place}
      tabIndex={-1}
      role="group"
      aria-label={undoTexts.lastChange}
    >
      <p
        className={`m-0 ${css.undoText}`}
        role="status"
      >
        {offer ? undoOfferText(offer, currency) : data?.undone}
      </p>
      {offer && (
        <fetcher.Form
          method="post"
          className="flex items-center flex-none"
        >
          <HiddenFields seq={offer.seq} />
          <button
            className="button quiet"
            name="intent"
            value="undo"
            aria-disabled={fetcher.state !== 'idle'}
            data-uncovered
          >
            <Undo2 size={18} />
            {undoTexts.undo}
          </button>
          <button
            name="intent"
            value="dismiss"
            {...dismissButton}
          />
        </fetcher.Form>
      )}
      {!offer && data?.undone && (
        <button
          type="button"
          onClick={() => fetcher.reset()}
          {...dismissButton}
        />
      )}
    </div>
  )
}

export function ColorsDiscount({ colors, offer }: { colors: Color[]; offer: UndoOffer | null }) {
  const [params] = useSearchParams()
  const chosen = colors.find((color) => color.id === params.get('color'))
  return (
    <section
      className={`card mb-5 ${css.part}`}
      aria-labelledby="colors-discount"
    >
      <h2 id="colors-discount">{colorsTexts.title}</h2>
      <ColorForm
        colors={colors}
        chosen={chosen}
      />
      <div className={css.offer}>
        <UndoNotice offer={offer} />
      </div>
      <h3 className={css.stripTitle}>{colorsTexts.onSale}</h3>
      <ColorsOnSale
        colors={colors.filter((color) => color.discount)}
        chosen={chosen}
      />
    </section>
  )
}

type ColorsProps = { colors: Color[]; chosen: Color | undefined }

function ColorForm({ colors, chosen }: ColorsProps) {
  const form = useActionForm()
  const discount = chosen?.discount
  return (
    <ActionForm
      form={form}
      className={css.fields}
    >
      <div
        className={`grid gap-4 ${css.loaded}`}
        key={`${chosen?.id} ${discount?.type} ${discount?.value}`}
      >
        <SelectField
          label={colorsTexts.color}
          name="color"
          className={`${fieldClass} ${css.wider}`}
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
        </SelectField>
        <DiscountFields
          prefix="color"
          {...(discount ?? { type: 'percent' })}
        />
      </div>
      <div className={buttonsClass}>
        <SubmitButton
          name="intent"
          value="color-go"
        >
          {colorsTexts.go}
        </SubmitButton>
        <SubmitButton
          className="button quiet"
          name="intent"
          value="color-remove"
        >
          {colorsTexts.remove}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}

function ColorsOnSale({ colors, chosen }: ColorsProps) {
  const currency = useCurrency()
  const to = useSearchWith()
  if (colors.length === 0) return <p className="text-soft">{colorsTexts.noneOnSale}</p>
  return (
    <ul
      className="row"
      role="list"
    >
      {colors.map((color) => (
        <li key={color.id}>
          <Link
            className={`flex items-center gap-3 text-inherit no-underline rounded-full ${css.onSale}`}
            to={to('color', color.id)}
            preventScrollReset
            replace
            aria-current={color.id === chosen?.id ? 'true' : undefined}
          >
            {color.image && (
              <ResponsiveImage
                className={`photo ${css.swatch}`}
                image={color.image}
                alt=""
                sizes="3rem"
              />
            )}
            <span>
              {colorName(color)}
              {color.discount && (
                <span className={`text-sm font-semibold ${css.tag}`}>
                  {discountTag(color.discount, currency)}
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
