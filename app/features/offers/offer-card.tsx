import { useEffect, useRef } from 'react'
import { href, useFetcher } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { Offer } from '#app/features/orders/order.ts'
import { LineStep } from '#app/features/production-queue/line-step.tsx'
import { ParcelPart } from '#app/features/parcels/parcel-part.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmForm, Field, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { saveDraft, useStoredDraft } from '#app/client/drafts.ts'
import { formatDate, formatIsoDay } from '#app/ui/format-date.ts'
import { closeFold } from '#app/ui/close-fold.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { OfferPaymentPart } from '#app/features/payments/payment-card.tsx'
import { paidCents } from '#app/features/payments/payment.ts'
import { isOpen, offerSums } from './offer.ts'
import { offerTexts as texts } from './texts.ts'
import css from './offer-card.module.css'

type Props = { offer: Offer; orderId: string; isOwner: boolean; timeZone: string }

const draftKey = (offerId: string) => `offer ${offerId}`

/** Shows an offer in the conversation, with the buttons of the customer or the owner. [AGREE-01] */
export function OfferCard({ offer, orderId, isOwner, timeZone }: Props) {
  const currency = useCurrency()
  const { lines, readyBy, state } = offer
  const isDraftOver = !isOwner && !isOpen(state)
  useEffect(() => {
    if (isDraftOver) saveDraft(orderId, draftKey(offer.id), '')
  }, [isDraftOver, orderId, offer.id])
  // After an action that only this reader can take, the log scrolls to the message about it. [S-405]
  const card = useRef<HTMLDivElement>(null)
  const shownState = useRef(state)
  useEffect(() => {
    const isOwnAction = isOwner
      ? state === 'withdrawn' || state === 'canceled'
      : state === 'accepted'
    if (state !== shownState.current && isOwnAction)
      card.current!.closest('[role=log]')?.scrollTo({ top: 0 })
    shownState.current = state
  }, [state, isOwner])
  return (
    <div
      ref={card}
      className={`stack slim ${css.card}`}
      role="group"
      aria-label={texts.title}
    >
      <p className="row apart flush">
        <span className="small">{texts.title}</span>
        <span className="strong small">
          {!isOwner && (state === 'sent' || state === 'seen')
            ? texts.toAnswer
            : texts.states[state]}
        </span>
      </p>
      <ul
        className={`bare-list stack slim ${css.lines}`}
        role="list"
      >
        {lines.map((line, at) => (
          <li key={at}>
            <span className="row apart tabular">
              <span className="strong">
                {line.quantity > 1 && `${texts.quantity(line.quantity)} `}
                {line.name}
              </span>
              <span className="unbroken">{formatMoney(line.cents * line.quantity, currency)}</span>
            </span>
            {(line.color || line.notes) && (
              <span className="small">{[line.color, line.notes].filter(Boolean).join(', ')}</span>
            )}
            <LineStep step={offer.steps?.[at + 1]} />
          </li>
        ))}
        {offerSums(offer).map(({ name, cents, isTotal }) => (
          <li
            key={name}
            className={`row apart tabular ${isTotal ? `strong ${css.total}` : ''}`}
          >
            <span>{name}</span>
            <span className="unbroken">{formatMoney(cents, currency)}</span>
          </li>
        ))}
      </ul>
      {readyBy && <p className="small flush">{texts.readyBy(formatIsoDay(readyBy))}</p>}
      {isOpen(state) && (
        <p className="small flush">
          {texts.validUntil(formatDate(offer.validUntil - 1, timeZone))}
        </p>
      )}
      <OfferPaymentPart
        offer={offer}
        orderId={orderId}
        isOwner={isOwner}
        isOpen={isOpen(state)}
      />
      <ParcelPart
        offer={offer}
        orderId={orderId}
        isOwner={isOwner}
        timeZone={timeZone}
      />
      {isOwner ? (
        <OwnerActions
          offer={offer}
          orderId={orderId}
        />
      ) : (
        isOpen(state) && (
          <CustomerActions
            offer={offer}
            userId={orderId}
          />
        )
      )}
    </div>
  )
}

/** The id of an order is also the id of its customer. */
function CustomerActions({ offer: { id }, userId }: { offer: Offer; userId: string }) {
  const accepting = useFetcher<ActionResult>()
  const asking = useFetcher<ActionResult>()
  useActionToasts(accepting.data)
  useActionToasts(asking.data)
  const isPending = accepting.state !== 'idle' || asking.state !== 'idle'
  const action = href('/offer')
  const change = useRef<HTMLDetailsElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const draft = draftKey(id)
  useStoredDraft(text, userId, draft)
  useFocusFirstInvalid(change, asking.data)
  useEffect(() => {
    if (text.current!.value !== '') change.current!.open = true
  }, [userId, draft])
  // After the customer has sent her request for a change, the form closes, because the conversation now contains its text as a message.
  useEffect(() => {
    if (!asking.data?.ok || !change.current) return
    change.current.querySelector('form')?.reset()
    closeFold(change.current)
    change.current.closest('[role=log]')?.scrollTo({ top: 0 })
    saveDraft(userId, draft, '')
  }, [asking.data, userId, draft])
  return (
    <>
      <accepting.Form
        method="post"
        action={action}
      >
        <HiddenFields offerId={id} />
        <button
          className="button wide"
          name="intent"
          value="accept"
          aria-disabled={isPending}
        >
          {texts.accept}
        </button>
        {accepting.data?.error && (
          <p
            className="error"
            role="alert"
          >
            {accepting.data.error}
          </p>
        )}
      </accepting.Form>
      <details
        className="fold"
        ref={change}
      >
        <summary className="button quiet">{texts.requestChange}</summary>
        <asking.Form
          method="post"
          action={action}
          className="stack slim"
        >
          <HiddenFields
            offerId={id}
            intent="request-change"
          />
          <Field
            label={texts.change}
            name="text"
            id={`change-${id}`}
            error={asking.data?.error}
          >
            {(tied) => (
              <textarea
                {...tied}
                ref={text}
                rows={3}
                onChange={({ target }) => saveDraft(userId, draft, target.value)}
              />
            )}
          </Field>
          <button
            className="button quiet"
            aria-disabled={isPending}
          >
            {texts.sendChange}
          </button>
        </asking.Form>
      </details>
    </>
  )
}

function OwnerActions({
  offer: { id, state, isSold, payment },
  orderId,
}: {
  offer: Offer
  orderId: string
}) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const currency = useCurrency()
  const paid = paidCents(payment?.payments ?? [])
  const action = href('/manage/offer/:orderid', { orderid: orderId })
  const isPending = fetcher.state !== 'idle'
  return (
    <>
      {isOpen(state) && (
        <fetcher.Form
          method="post"
          action={action}
        >
          <HiddenFields offerId={id} />
          <button
            className="button quiet"
            name="intent"
            value="withdraw"
            aria-disabled={isPending}
          >
            {texts.withdraw}
          </button>
        </fetcher.Form>
      )}
      {state === 'accepted' && !isSold && (
        <ConfirmForm
          form={fetcher.Form}
          action={action}
          fields={{ intent: 'cancel', offerId: id }}
          className="button quiet"
          question={texts.cancelQuestion(paid > 0 ? formatMoney(paid, currency) : null)}
          label={texts.cancel}
          isPending={isPending}
        />
      )}
      {fetcher.data?.error && (
        <p
          className="error"
          role="alert"
        >
          {fetcher.data.error}
        </p>
      )}
    </>
  )
}
