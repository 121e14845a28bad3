import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { newId15 } from '#app/lib/text/ids.ts'
import { type Cents, decimalAmount, parseMoney } from '#app/features/pricing/money.ts'
import { SALE_METHODS, type SaleMethod } from '#app/features/sales/payment-method.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { MethodChoice } from './add-sale-page.tsx'
import { MAX_PIECE_NAME, type MarketSale } from './direct-sale.ts'
import css from './market-stall.module.css'
import { addSaleErrors, marketTexts as texts } from './texts.ts'

/** `itemId` is empty and `cents` is null if the owner types name and amount. */
export type Selling = { itemId: string; name: string; cents: Cents | null; error?: string }

type Props = { selling: Selling; onSold: (sale: MarketSale) => void; onClose: () => void }

/** Most buyers of a day pay in the same way, so the dialog proposes the last payment method. */
let lastMethod: SaleMethod = 'cash'

export function SaleDialog({ selling, onSold, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [error, setError] = useState<string | undefined>()
  const isSold = useRef(false)
  const isTyped = selling.cents === null
  // On a phone, a focused field opens the keyboard, which would cover the button "Sold".
  useEffect(() => {
    dialog.current?.showModal()
    if (!isTyped) dialog.current?.querySelector<HTMLElement>(`.${css.sold}`)?.focus()
  }, [isTyped])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSold.current) return
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    const cents = parseMoney(text('price'))
    if (cents === null) {
      event.currentTarget.querySelector<HTMLElement>('[name=price]')?.focus()
      return setError(addSaleErrors.badPrice)
    }
    isSold.current = true
    lastMethod = SALE_METHODS.find((method) => method === text('method')) ?? 'cash'
    const name = selling.itemId
      ? selling.name
      : text('what').replaceAll(/\s+/g, ' ').trim() || texts.otherName
    dialog.current?.close()
    onSold({
      id: newId15(),
      itemId: selling.itemId,
      name,
      cents,
      method: lastMethod,
      at: Date.now(),
    })
  }

  return (
    <dialog
      ref={dialog}
      className={`card ${css.dialog}`}
      aria-labelledby="selling"
      onClose={onClose}
    >
      <form
        onSubmit={submit}
        noValidate
      >
        <h2 id="selling">{selling.name || texts.other}</h2>
        {selling.error && (
          <p
            className="error gap-below"
            role="alert"
          >
            {selling.error}
          </p>
        )}
        <Field
          label={texts.price}
          name="price"
          error={error}
        >
          {(tied) => (
            <input
              {...tied}
              className={`input ${css.amount}`}
              inputMode="decimal"
              autoComplete="off"
              defaultValue={selling.cents === null ? '' : decimalAmount(selling.cents)}
            />
          )}
        </Field>
        {selling.itemId === '' && (
          <Field
            label={texts.what}
            name="what"
          >
            {(tied) => (
              <input
                {...tied}
                autoComplete="off"
                maxLength={MAX_PIECE_NAME}
                defaultValue={selling.name}
              />
            )}
          </Field>
        )}
        <MethodChoice chosen={lastMethod} />
        <button
          className={`button ${css.sold}`}
          aria-disabled={false}
        >
          {texts.sold}
        </button>
        <button
          type="button"
          className="button quiet wide"
          onClick={() => dialog.current?.close()}
        >
          {texts.cancel}
        </button>
      </form>
    </dialog>
  )
}
