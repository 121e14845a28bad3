import { useEffect, useRef } from 'react'
import { href } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import type { Offer, ShownStep } from '#conversation/agreement.ts'
import { ParcelPart } from '#parcels/parcel-part.tsx'
import { ActionForm, FormError, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { TextareaField } from '#ui/form-fields.tsx'
import { saveDraft, useStoredDraft } from '#client/drafts.ts'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { formatDate, formatIsoDay } from '#ui/format-date.ts'
import { closeFold } from '#ui/close-fold.ts'
import { OfferPaymentPart } from '#payments/payment-card.tsx'
import { paidCents } from '#payments/payment.ts'
import { isOpen, offerSums, stepAnchor } from './offer.ts'
import { offerTexts as texts } from './texts.ts'
import css from './offer-card.module.css'
import { queueTexts } from '#production-queue/texts.ts'

type OfferCardProps = { offer: Offer; orderId: string; isOwner: boolean }

const draftKey = (offerId: string) => `offer ${offerId}`

export function OfferCard({ offer, orderId, isOwner }: OfferCardProps) {
  const timeZone = useShopTimeZone()
  const { readyBy, state } = offer
  const isDraftOver = !isOwner && !isOpen(state)
  useEffect(() => {
    if (isDraftOver) saveDraft(orderId, draftKey(offer.id), '')
  }, [isDraftOver, orderId, offer.id])
  const isToAnswer = !isOwner && (state === 'sent' || state === 'seen')
  return (
    <div
      ref={useScrollToOwnAction(state, isOwner)}
      className={`grid gap-4 min-w-0 ${css.card}`}
      role="group"
      aria-label={texts.title}
    >
      <p className="flex items-center gap-3 justify-between m-0">
        <span className="text-sm">{texts.title}</span>
        <span className="font-semibold text-sm">
          {isToAnswer ? texts.toAnswer : texts.states[state]}
        </span>
      </p>
      <OfferLines offer={offer} />
      {readyBy && <p className="text-sm m-0">{texts.readyBy(formatIsoDay(readyBy))}</p>}
      {isOpen(state) && (
        <p className="text-sm m-0">
          {texts.validUntil(formatDate(offer.validUntil - 1, timeZone))}
        </p>
      )}
      <PaymentAndParcel
        offer={offer}
        orderId={orderId}
        isOwner={isOwner}
      />
      {isOwner && (
        <OwnerActions
          offer={offer}
          orderId={orderId}
        />
      )}
      {!isOwner && isOpen(state) && (
        <CustomerActions
          offer={offer}
          userId={orderId}
        />
      )}
    </div>
  )
}

/** Shows the package first once it is on its way. The keys keep typed texts when the parts move. */
function PaymentAndParcel({ offer, orderId, isOwner }: OfferCardProps) {
  const parcelPart = (
    <ParcelPart
      key="parcel"
      id={stepAnchor(offer, 'address')}
      offer={offer}
      orderId={orderId}
      isOwner={isOwner}
    />
  )
  const paymentPart = (
    <OfferPaymentPart
      key="payment"
      id={stepAnchor(offer, 'pay')}
      offer={offer}
      orderId={orderId}
      isOwner={isOwner}
      isOpen={isOpen(offer.state)}
    />
  )
  return offer.parcel?.shippedAt ? [parcelPart, paymentPart] : [paymentPart, parcelPart]
}

function useScrollToOwnAction(state: Offer['state'], isOwner: boolean) {
  const card = useRef<HTMLDivElement>(null)
  const previousState = useRef(state)
  useEffect(() => {
    const ownStates: Offer['state'][] = isOwner ? ['withdrawn', 'canceled'] : ['accepted']
    if (state !== previousState.current && ownStates.includes(state)) {
      card.current!.closest('[role=log]')?.scrollTo({ top: 0 })
    }
    previousState.current = state
  }, [state, isOwner])
  return card
}

function OfferLines({ offer }: { offer: Offer }) {
  const money = useMoney()
  return (
    <ul
      className={`list-none grid gap-4 min-w-0 ${css.lines}`}
      role="list"
    >
      {offer.lines.map((line, index) => (
        <li key={index}>
          <span className="flex items-center gap-3 justify-between tabular-nums">
            <span className="font-semibold">
              {line.quantity > 1 && `${texts.quantity(line.quantity)} `}
              {line.name}
            </span>
            <span className="whitespace-nowrap">{money(line.cents * line.quantity)}</span>
          </span>
          {(line.color || line.notes) && (
            <span className="text-sm">{[line.color, line.notes].filter(Boolean).join(', ')}</span>
          )}
          <LineStep step={offer.steps?.[index + 1]} />
        </li>
      ))}
      {offerSums(offer).map(({ name, cents, isTotal }) => (
        <li
          key={name}
          className={`flex items-center gap-3 justify-between tabular-nums ${isTotal ? `font-semibold ${css.total}` : ''}`}
        >
          <span>{name}</span>
          <span className="whitespace-nowrap">{money(cents)}</span>
        </li>
      ))}
    </ul>
  )
}

const LineStep = ({ step }: { step: ShownStep | undefined }) =>
  step && <span className="text-sm text-soft flex flex-col">{queueTexts.steps[step]}</span>

function CustomerActions({ offer: { id }, userId }: { offer: Offer; userId: string }) {
  const accepting = useActionForm()
  const asking = useActionForm()
  const isPending = accepting.isPending || asking.isPending
  const action = href('/offer')
  const fold = useRef<HTMLDetailsElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const draft = draftKey(id)
  useStoredDraft(text, userId, draft)
  useEffect(() => {
    if (text.current!.value !== '') fold.current!.open = true
  }, [userId, draft])
  useEffect(() => {
    if (!asking.answer?.ok || !fold.current) return
    fold.current.querySelector('form')?.reset()
    closeFold(fold.current)
    fold.current.closest('[role=log]')?.scrollTo({ top: 0 })
    saveDraft(userId, draft, '')
  }, [asking.answer, userId, draft])
  return (
    <>
      <ActionForm
        form={accepting}
        action={action}
        fields={{ offerId: id, intent: 'accept' }}
      >
        <SubmitButton
          className="button w-full"
          isPending={isPending}
        >
          {texts.accept}
        </SubmitButton>
        <FormError answer={accepting.answer} />
      </ActionForm>
      <details
        className="fold"
        ref={fold}
      >
        <summary className="button quiet">{texts.requestChange}</summary>
        <ActionForm
          form={asking}
          action={action}
          className="grid gap-4 min-w-0"
          fields={{ offerId: id, intent: 'request-change' }}
        >
          <TextareaField
            label={texts.change}
            name="text"
            error={asking.answer?.error}
            ref={text}
            rows={3}
            onChange={({ target }) => saveDraft(userId, draft, target.value)}
          />
          <SubmitButton
            className="button quiet"
            isPending={isPending}
          >
            {texts.sendChange}
          </SubmitButton>
        </ActionForm>
      </details>
    </>
  )
}

function OwnerActions({ offer, orderId }: { offer: Offer; orderId: string }) {
  const form = useActionForm()
  const money = useMoney()
  const { id, state, isSold } = offer
  const action = href('/manage/offer/:orderid', { orderid: orderId })
  return (
    <>
      {isOpen(state) && (
        <ActionForm
          form={form}
          action={action}
          fields={{ offerId: id, intent: 'withdraw' }}
        >
          <SubmitButton className="button quiet">{texts.withdraw}</SubmitButton>
        </ActionForm>
      )}
      {state === 'accepted' && !isSold && (
        <ConfirmForm
          form={form}
          action={action}
          fields={{ intent: 'cancel', offerId: id }}
          className="button quiet"
          question={cancelQuestion(offer, money)}
          label={texts.cancel}
        />
      )}
      <FormError answer={form.answer} />
    </>
  )
}

function cancelQuestion({ payment, ...offer }: Offer, money: ReturnType<typeof useMoney>) {
  const effects = texts.cancelEffects
  const { due = null, payments = [], state } = payment ?? {}
  const paid = paidCents(payments)
  const { shippingCents, creditCents } = offer
  const hasParts = paid > 0 && state === 'paid' && shippingCents > 0
  return [
    texts.cancelQuestion,
    due && effects.open(money(due.cents + due.rest)),
    creditCents > 0 && effects.credit(money(creditCents)),
    paid > 0 && effects.paid(money(paid)),
    hasParts && effects.parts(money(paid - shippingCents), money(shippingCents)),
    paid > 0 && '.',
  ]
    .filter(Boolean)
    .join('')
}
