/** Lets the owner record a payment, or undo the last one. */
import { useRef } from 'react'
import { href, useFetcher } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { OfferPayment } from '#app/features/orders/offer-payment.ts'
import type { Offer } from '#app/features/orders/order.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmForm, Field, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { type PaymentAction, type PaymentMethod, PAYMENT_METHODS, undoAction } from './payment.ts'
import { paymentFormTexts as texts } from './owner-texts.ts'
import { methodName, paidText } from './texts.ts'
import css from './payment-card.module.css'

type Props = { offer: Offer; orderId: string }

/** Returns the payment method of the first way to pay on the customer's card. */
function firstMethod({ due }: OfferPayment): PaymentMethod | undefined {
  const way = due?.ways[0]?.way
  return way === 'usBank' ? 'bank' : way
}

export function PaymentForm({ offer: { id, state, payment }, orderId }: Props) {
  const paying = useFetcher<ActionResult>()
  const undoing = useFetcher<ActionResult>()
  const currency = useCurrency()
  useActionToasts(paying.data)
  useActionToasts(undoing.data)
  const { errors, error } = paying.data ?? {}
  const form = useRef<HTMLFormElement>(null)
  useFocusFirstInvalid(form, errors)
  if (!payment) return null
  const { payments, due, toReturnCents } = payment
  const action = href('/manage/offer/:orderid', { orderid: orderId })
  const isPending = paying.state !== 'idle' || undoing.state !== 'idle'
  const last = payments.at(-1)
  const undo = undoAction(payments)
  const buttons: [PaymentAction & keyof typeof texts.pay, number][] = !due
    ? []
    : due.kind === 'deposit'
      ? [
          ['pay-deposit', due.cents],
          ['pay-total', due.cents + due.rest],
        ]
      : [[due.kind === 'balance' ? 'pay-balance' : 'pay-total', due.cents]]
  return (
    <>
      {toReturnCents > 0 && (
        <p className="strong flush">
          {(state === 'canceled' ? texts.toReturnAll : texts.toReturn)(
            formatMoney(toReturnCents, currency),
          )}
        </p>
      )}
      {buttons.length > 0 && (
        // The new key closes the form after each payment, so that a slow double click does not record the next payment.
        <details
          className="fold arrow"
          key={payment.state}
        >
          <summary>{texts.mark}</summary>
          <paying.Form
            ref={form}
            method="post"
            action={action}
            className="stack slim"
          >
            <HiddenFields
              offerId={id}
              position={payments.length + 1}
            />
            <Field
              label={texts.day}
              name="paidOn"
              id={`paid-on-${id}`}
              error={errors?.paidOn}
              hint={texts.dayHint}
            >
              {(tied) => (
                <input
                  {...tied}
                  type="date"
                />
              )}
            </Field>
            <Field
              label={texts.method}
              name="method"
              id={`method-${id}`}
              error={errors?.method}
            >
              {(tied) => (
                <select
                  {...tied}
                  defaultValue={firstMethod(payment)}
                >
                  {PAYMENT_METHODS.map((method) => (
                    <option
                      key={method}
                      value={method}
                    >
                      {methodName(method)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <div className={css.buttons}>
              {buttons.map(([intent, cents], at) => (
                <button
                  key={intent}
                  className={at === 0 ? 'button' : 'button quiet'}
                  name="intent"
                  value={intent}
                  aria-disabled={isPending}
                >
                  {texts.pay[intent](formatMoney(cents, currency))}
                </button>
              ))}
            </div>
          </paying.Form>
        </details>
      )}
      {undo && last && (
        <ConfirmForm
          form={undoing.Form}
          action={action}
          fields={{
            intent: undo,
            offerId: id,
            position: payments.length,
            paidOn: last.paidOn,
            method: last.method,
          }}
          className="button quiet"
          question={texts.undoQuestion(paidText(last), formatMoney(last.cents, currency))}
          label={texts.undo}
          isPending={isPending}
        />
      )}
      {(error ?? undoing.data?.error) && (
        <p
          className="error"
          role="alert"
        >
          {error ?? undoing.data?.error}
        </p>
      )}
    </>
  )
}
