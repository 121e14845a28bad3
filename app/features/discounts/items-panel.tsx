import { useId, useLayoutEffect, useRef, useEffect } from 'react'
import { useFetcher } from 'react-router'
import { RedirectToField, useHydrated } from '#app/ui/redirect-field.tsx'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { DialogActions, closestDialog } from '#app/ui/dialog-button.tsx'
import { type UndoOffer, undoOfferText } from './discount.ts'
import type { ItemSelection } from './discounts-page.tsx'
import type { DiscountResult, ConfirmQuestion } from './discount.action.server.ts'
import { Undo2, X } from '#app/ui/icons.tsx'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import type { Discount } from '#app/features/pricing/money.ts'
import css from './discounts.module.css'
import { discountFieldTexts, itemsDiscountTexts as texts, undoTexts } from './texts.ts'
import dialogCss from '#app/ui/dialog.module.css'
import cssUndoNotice from './undo-notice.module.css'

export const ITEMS_FORM = 'items-panel'

export function ItemsPanel({ ticked, offer }: { ticked: ItemSelection; offer: UndoOffer | null }) {
  const fetcher = useItemsFetcher()
  useActionToasts(fetcher.data)
  const hasScript = useHydrated()
  const isBusy = fetcher.state !== 'idle'
  const isNoneTicked = ticked.isAll || ticked.ids.size === 0
  return (
    <div
      className={`stack ${css.panel}`}
      role="group"
      aria-label={texts.panel}
    >
      <div className={css.wide}>
        <UndoNotice offer={offer} />
      </div>
      {fetcher.state !== 'submitting' && isNoneTicked && fetcher.data?.field === 'item' && (
        <p
          className={`error flush ${css.wide}`}
          role="alert"
        >
          {fetcher.data.error}
        </p>
      )}
      <fetcher.Form
        method="post"
        id={ITEMS_FORM}
      >
        <RedirectToField />
        {hasScript && ticked.isAll && (
          <input
            type="hidden"
            name="all"
            value="on"
          />
        )}
        {ticked.isAll &&
          [...ticked.ids].map((id) => (
            <input
              type="hidden"
              name="except"
              value={id}
              key={id}
            />
          ))}
      </fetcher.Form>
      <DiscountFields
        prefix="items"
        form={ITEMS_FORM}
        type="amount"
        value=""
        error={fetcher.data?.field === 'value' ? fetcher.data.error : undefined}
      />
      <div className={`cluster ${css.buttons}`}>
        <button
          className="button"
          form={ITEMS_FORM}
          name="intent"
          value="items-apply"
          aria-disabled={isBusy}
        >
          {texts.apply}
        </button>
        <button
          className="button danger"
          form={ITEMS_FORM}
          name="intent"
          value="items-remove"
          aria-disabled={isBusy}
        >
          {texts.remove}
        </button>
      </div>
      {fetcher.data?.question && <BulkDiscountQuestion confirmation={fetcher.data.question} />}
    </div>
  )
}

/** The panel and its confirmation dialog use the same fetcher. */
const useItemsFetcher = () => useFetcher<DiscountResult>({ key: 'items-discount' })

/** Without JavaScript, the question is a part of the page. With JavaScript, each new question opens as a dialog. */
export function BulkDiscountQuestion({
  confirmation: { question, warning, fields },
}: {
  confirmation: ConfirmQuestion
}) {
  const fetcher = useItemsFetcher()
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
        className={`large ${dialogCss.question}`}
      >
        {question}
      </p>
      {warning && (
        <p
          id={`${id}-warning`}
          className={`strong raised ${css.warning}`}
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
          // The dialog closes after the form was sent, because a button in a closed dialog sends nothing.
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

type Props = {
  prefix: string
  /** The id of the form to which the fields belong; missing if the fields are inside this form. */
  form?: string
  type: Discount['type']
  value: string
  error?: string | undefined
}

export function DiscountFields({ prefix, form, type, value, error }: Props) {
  const className = `stack slim ${css.field}`
  return (
    <>
      <Field
        label={discountFieldTexts.type}
        name="type"
        id={`${prefix}-type`}
        className={className}
      >
        {(tied) => (
          <select
            {...tied}
            form={form}
            defaultValue={type}
          >
            <option value="amount">{discountFieldTexts.amount}</option>
            <option value="percent">{discountFieldTexts.percent}</option>
          </select>
        )}
      </Field>
      <Field
        label={discountFieldTexts.value}
        name="value"
        id={`${prefix}-value`}
        className={className}
        error={error}
        example={discountFieldTexts.example}
      >
        {(tied) => (
          <input
            {...tied}
            className="input tabular"
            form={form}
            inputMode="decimal"
            placeholder={form ? discountFieldTexts.value : undefined}
            autoComplete="off"
            defaultValue={value}
          />
        )}
      </Field>
    </>
  )
}

/** This element stays in the page while it is empty. Otherwise screen readers would not announce a text that appears in this element. */
export function UndoNotice({ offer }: { offer: UndoOffer | null }) {
  const currency = useCurrency()
  const fetcher = useFetcher<DiscountResult>()
  const place = useRef<HTMLDivElement>(null)
  const { data } = fetcher
  // A toast shows only an error of the undo, because the page itself shows a successful undo.
  useActionToasts(data?.ok ? undefined : data)
  // Moves the focus to the undo notice, because the button that had the focus was removed.
  useEffect(() => {
    if (data?.ok) place.current?.focus()
  }, [data])
  const isBusy = fetcher.state !== 'idle'
  const { dismiss } = undoTexts
  return (
    <div
      className={`row apart raised ${cssUndoNotice.place}`}
      ref={place}
      tabIndex={-1}
      role="group"
      aria-label={undoTexts.lastChange}
    >
      <p
        className={`flush ${cssUndoNotice.text}`}
        role="status"
      >
        {offer ? undoOfferText(offer, currency) : data?.undone}
      </p>
      {offer && (
        <fetcher.Form
          method="post"
          className="aligned rigid"
        >
          <HiddenFields seq={offer.seq} />
          <button
            className="button quiet"
            name="intent"
            value="undo"
            aria-disabled={isBusy}
            data-uncovered
          >
            <Undo2
              size={18}
              aria-hidden="true"
            />
            {undoTexts.undo}
          </button>
          <button
            className="icon-button"
            name="intent"
            value="dismiss"
            aria-label={dismiss}
            title={dismiss}
          >
            <X
              size={20}
              aria-hidden="true"
            />
          </button>
        </fetcher.Form>
      )}
      {!offer && data?.undone && (
        <button
          type="button"
          className="icon-button"
          aria-label={dismiss}
          title={dismiss}
          onClick={() => fetcher.reset()}
        >
          <X
            size={20}
            aria-hidden="true"
          />
        </button>
      )}
    </div>
  )
}
