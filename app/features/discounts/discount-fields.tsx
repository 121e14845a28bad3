/** Type and value of a discount. */
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Undo2, X } from '#app/ui/icons.tsx'
import type { Discount } from '#app/features/pricing/money.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { DiscountAnswer } from './discount-acts.server.ts'
import { type Offer, offerText } from './discount-texts.ts'
import css from './discounts.module.css'
import cssUndoNotice from './undo-notice.module.css'

type Props = {
  prefix: string
  /** id of the form they belong to where they do not stand in it */
  form?: string
  type: Discount['type']
  value: string
  error?: string | undefined
}

/** DISC-03: "Amount" or "Percent". */
export function DiscountFields({ prefix, form, type, value, error }: Props) {
  const id = (name: string) => `${prefix}-${name}`
  return (
    <>
      <div className={`stack slim ${css.field}`}>
        <label htmlFor={id('type')}>Discount type</label>
        <select className="input" id={id('type')} name="type" form={form} defaultValue={type}>
          <option value="amount">Amount</option>
          <option value="percent">Percent</option>
        </select>
      </div>
      <div className={`stack slim ${css.field}`}>
        <label htmlFor={id('value')}>Value</label>
        <input
          className="input tabular"
          id={id('value')}
          name="value"
          form={form}
          inputMode="decimal"
          placeholder={form ? 'Value' : undefined}
          autoComplete="off"
          defaultValue={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id('error') : undefined}
        />
      </div>
      {error && (
        <p className={`error ${css.wide}`} id={id('error')} role="alert">
          {error}
        </p>
      )}
    </>
  )
}

/** Stays mounted while it is empty, so that what comes into it is announced. */
export function UndoNotice({ offer }: { offer: Offer | null }) {
  const fetcher = useFetcher<DiscountAnswer>()
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<DiscountAnswer>()
  const { data } = fetcher
  // An undo that went well is told here, where it stays; only a refusal is a toast.
  useAnswerToasts(data?.ok ? undefined : data)
  // The focus is the browser's: the button that had it is gone now.
  useEffect(() => {
    if (data?.ok) place.current?.focus()
  }, [data])
  const result = data && data !== seen ? data.undone : undefined
  const isBusy = fetcher.state !== 'idle'
  const dismiss = 'Dismiss'
  return (
    <div className={`row apart raised ${cssUndoNotice.place}`} ref={place} tabIndex={-1} role="group" aria-label="Last change">
      <p className={`flush ${cssUndoNotice.text}`} role="status">
        {offer ? offerText(offer) : (result ?? '')}
      </p>
      {offer && (
        <fetcher.Form method="post" className="aligned rigid">
          <BackField />
          <input type="hidden" name="seq" value={offer.seq} />
          <button className="button quiet" name="intent" value="undo" aria-disabled={isBusy}>
            <Undo2 size={18} aria-hidden="true" />
            Undo
          </button>
          <button className="icon-button" name="intent" value="dismiss" aria-label={dismiss} title={dismiss}>
            <X size={20} aria-hidden="true" />
          </button>
        </fetcher.Form>
      )}
      {!offer && result && (
        <button type="button" className="icon-button" aria-label={dismiss} title={dismiss} onClick={() => setSeen(data)}>
          <X size={20} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
