import { href } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import type { Offer, OfferPayment } from '#conversation/agreement.ts'
import {
  ActionForm,
  FormError,
  SubmitButton,
  useActionForm,
  type FormState,
} from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { InputField, SelectField } from '#ui/form-fields.tsx'
import { PAYMENT_METHODS, undoAction } from './payment.ts'
import { paymentFormTexts as texts } from './owner-texts.ts'
import { methodName, paidText } from './texts.ts'
import css from './payment-card.module.css'

type PaymentFormProps = { offer: Offer; orderId: string }

export function PaymentForm({ offer: { id, state, payment }, orderId }: PaymentFormProps) {
  const paying = useActionForm()
  const undoing = useActionForm()
  const money = useMoney()
  if (!payment) return null
  const { payments, due, toReturnCents } = payment
  const action = href('/manage/offer/:orderid', { orderid: orderId })
  const isPending = paying.isPending || undoing.isPending
  const last = payments.at(-1)
  const undo = undoAction(payments)
  return (
    <>
      {toReturnCents > 0 && (
        <p className="font-semibold m-0">
          {(state === 'canceled' ? texts.toReturnAll : texts.toReturn)(money(toReturnCents))}
        </p>
      )}
      {due && (
        // The new `key` closes the form, because a slow double click would otherwise also record
        // the next payment.
        <details
          className="fold arrow"
          key={payment.state}
        >
          <summary>{texts.mark}</summary>
          <MarkPaidForm
            form={paying}
            action={action}
            offerId={id}
            payment={payment}
            isPending={isPending}
          />
        </details>
      )}
      {undo && last && (
        <ConfirmForm
          form={undoing}
          action={action}
          fields={{
            intent: undo,
            offerId: id,
            position: payments.length,
            paidOn: last.paidOn,
            method: last.method,
          }}
          className="button quiet"
          question={texts.undoQuestion(paidText(last), money(last.cents))}
          label={texts.undo}
          isPending={isPending}
        />
      )}
      <FormError answer={paying.answer?.error ? paying.answer : undoing.answer} />
    </>
  )
}

type MarkPaidFormProps = {
  form: FormState
  action: string
  offerId: string
  payment: OfferPayment
  isPending: boolean
}

function MarkPaidForm({ form, action, offerId, payment, isPending }: MarkPaidFormProps) {
  const money = useMoney()
  return (
    <ActionForm
      form={form}
      action={action}
      className="grid gap-4 min-w-0"
      fields={{ offerId, position: payment.payments.length + 1 }}
    >
      <InputField
        label={texts.day}
        name="paidOn"
        hint={texts.dayHint}
        type="date"
      />
      <SelectField
        label={texts.method}
        name="method"
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
      </SelectField>
      <div className={css.buttons}>
        {paymentButtons(payment).map(([intent, cents], index) => (
          <SubmitButton
            key={intent}
            className={index === 0 ? 'button' : 'button quiet'}
            name="intent"
            value={intent}
            isPending={isPending}
          >
            {texts.pay[intent](money(cents))}
          </SubmitButton>
        ))}
      </div>
    </ActionForm>
  )
}

function firstMethod({ due }: OfferPayment) {
  const way = due?.ways[0]?.way
  return way === 'usBank' ? 'bank' : way
}

function paymentButtons({ due }: OfferPayment): [keyof typeof texts.pay, number][] {
  if (!due) return []
  switch (due.kind) {
    case 'deposit':
      return [
        ['pay-deposit', due.cents],
        ['pay-total', due.cents + due.rest],
      ]
    case 'balance':
      return [['pay-balance', due.cents]]
    default:
      return [['pay-total', due.cents]]
  }
}
