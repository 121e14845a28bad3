import { useId, useLayoutEffect, useRef, useEffect } from 'react'
import { useFetcher } from 'react-router'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { Choices, dialogAround } from '#app/ui/question.tsx'
import { type Offer, offerText } from './discount-texts.ts'
import type { Ticked } from './discounts-page.tsx'
import type { DiscountAnswer, Question } from './discount-acts.server.ts'
import { Undo2, X } from '#app/ui/icons.tsx'
import type { Discount } from '#app/features/pricing/money.ts'
import css from './discounts.module.css'
import dialogCss from '#app/ui/dialog.module.css'
import cssUndoNotice from './undo-notice.module.css'

export const ITEMS_FORM = 'items-panel'

export function ItemsPanel({ ticked, offer }: { ticked: Ticked; offer: Offer | null }) {
  const fetcher = useItemsFetcher()
  useAnswerToasts(fetcher.data)
  const hasScript = useHasScript()
  const isBusy = fetcher.state !== 'idle'
  return (
    <div className={`stack ${css.panel}`} role="group" aria-label="Discount of the selected items">
      <div className={css.wide}>
        <UndoNotice offer={offer} />
      </div>
      <fetcher.Form method="post" id={ITEMS_FORM}>
        <BackField />
        {hasScript && ticked.isAll && <input type="hidden" name="all" value="on" />}
        {ticked.isAll && [...ticked.ids].map((id) => <input type="hidden" name="except" value={id} key={id} />)}
      </fetcher.Form>
      <DiscountFields
        prefix="items"
        form={ITEMS_FORM}
        type="amount"
        value=""
        error={fetcher.data?.field === 'value' ? fetcher.data.error : undefined}
      />
      <div className={`cluster ${css.buttons}`}>
        <button className="button" form={ITEMS_FORM} name="intent" value="items-apply" aria-disabled={isBusy}>
          Apply
        </button>
        <button className="button danger" form={ITEMS_FORM} name="intent" value="items-remove" aria-disabled={isBusy}>
          Remove Discount
        </button>
      </div>
      {fetcher.data?.asked && <AskedQuestion asked={fetcher.data.asked} />}
    </div>
  )
}

/** The panel and the question speak to the server as one. */
const useItemsFetcher = () => useFetcher<DiscountAnswer>({ key: 'items-discount' })

/** Without script it stands open in the page; with it, it is a dialog, opened anew for each new question. */
export function AskedQuestion({ asked: { question, warning, fields } }: { asked: Question }) {
  const fetcher = useItemsFetcher()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Only the browser can make a dialog of it, and it brings the focus back by itself.
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
      <p id={`${id}-question`} className={`large ${dialogCss.question}`}>
        {question}
      </p>
      {warning && (
        <p id={`${id}-warning`} className={`strong raised ${css.warning}`}>
          {warning}
        </p>
      )}
      <fetcher.Form method="post" id={`${id}-yes`}>
        <BackField />
        {fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} key={`${name} ${value}`} />
        ))}
      </fetcher.Form>
      <form method="dialog" id={`${id}-no`} />
      <Choices>
        <button
          className="button"
          form={`${id}-yes`}
          name="confirm"
          value="Yes"
          // Closed after the form has gone out: a button in a closed dialog sends nothing.
          onClick={({ currentTarget }) => setTimeout(() => dialogAround(currentTarget)?.close())}
        >
          Yes
        </button>
        <button className="button quiet" form={`${id}-no`}>
          No
        </button>
      </Choices>
    </dialog>
  )
}

type Props = {
  prefix: string
  /** id of the form they belong to where they do not stand in it */
  form?: string
  type: Discount['type']
  value: string
  error?: string | undefined
}

export function DiscountFields({ prefix, form, type, value, error }: Props) {
  const className = `stack slim ${css.field}`
  return (
    <>
      <Field label="Discount type" name="type" id={`${prefix}-type`} className={className}>
        {(tied) => (
          <select {...tied} form={form} defaultValue={type}>
            <option value="amount">Amount</option>
            <option value="percent">Percent</option>
          </select>
        )}
      </Field>
      <Field label="Value" name="value" id={`${prefix}-value`} className={className} error={error}>
        {(tied) => (
          <input
            {...tied}
            className="input tabular"
            form={form}
            inputMode="decimal"
            placeholder={form ? 'Value' : undefined}
            autoComplete="off"
            defaultValue={value}
          />
        )}
      </Field>
    </>
  )
}

/** Stays mounted while it is empty, so that what comes into it is announced. */
export function UndoNotice({ offer }: { offer: Offer | null }) {
  const fetcher = useFetcher<DiscountAnswer>()
  const place = useRef<HTMLDivElement>(null)
  const { data } = fetcher
  // An undo that went well is told here, where it stays; only a refusal is a toast.
  useAnswerToasts(data?.ok ? undefined : data)
  // The focus is the browser's: the button that had it is gone now.
  useEffect(() => {
    if (data?.ok) place.current?.focus()
  }, [data])
  const isBusy = fetcher.state !== 'idle'
  const dismiss = 'Dismiss'
  return (
    <div className={`row apart raised ${cssUndoNotice.place}`} ref={place} tabIndex={-1} role="group" aria-label="Last change">
      <p className={`flush ${cssUndoNotice.text}`} role="status">
        {offer ? offerText(offer) : data?.undone}
      </p>
      {offer && (
        <fetcher.Form method="post" className="aligned rigid">
          <HiddenFields seq={offer.seq} />
          <button className="button quiet" name="intent" value="undo" aria-disabled={isBusy}>
            <Undo2 size={18} aria-hidden="true" />
            Undo
          </button>
          <button className="icon-button" name="intent" value="dismiss" aria-label={dismiss} title={dismiss}>
            <X size={20} aria-hidden="true" />
          </button>
        </fetcher.Form>
      )}
      {!offer && data?.undone && (
        <button type="button" className="icon-button" aria-label={dismiss} title={dismiss} onClick={() => fetcher.reset()}>
          <X size={20} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
