import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { href, useFetcher } from 'react-router'
import { readDraft, saveDraft, useStoredDraft } from '#app/client/drafts.ts'
import type { Offer, Parcel } from '#app/features/orders/order.ts'
import { MAX_RECIPIENT_LENGTH } from '#app/lib/text/postal-address.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { formatDate } from '#app/ui/format-date.ts'
import { lazyComponent } from '#app/ui/lazy-component.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { mayDo, parcelState, trackingLink, trackingName } from './parcel.ts'
import { parcelTexts as texts } from './texts.ts'
import css from './parcel-part.module.css'

const OwnerParcel = lazyComponent(() =>
  import('./owner-parcel.tsx').then((module) => module.OwnerParcel),
)

type Props = { offer: Offer; orderId: string; isOwner: boolean; timeZone: string }

/** Shows the parcel of an accepted offer on the card of the offer, with the buttons of the customer or the owner. [AGREE-50, AGREE-53, AGREE-56] */
export function ParcelPart({ offer, orderId, isOwner, timeZone }: Props) {
  const { parcel } = offer
  const isAccepted = offer.state === 'accepted'
  if (!offer.isShipped || !(isAccepted || parcel)) return null
  return (
    <section
      className={`stack slim ${css.parcel}`}
      aria-label={texts.title}
    >
      {parcel && (
        <ParcelFacts
          parcel={parcel}
          timeZone={timeZone}
        />
      )}
      {isAccepted &&
        (isOwner ? (
          <OwnerParcel
            offer={offer}
            orderId={orderId}
          />
        ) : (
          <CustomerParcel
            offer={offer}
            userId={orderId}
          />
        ))}
    </section>
  )
}

export function ParcelFacts({ parcel, timeZone }: { parcel: Parcel; timeZone: string }) {
  const { recipient, address, shippedAt, arrivedAt } = parcel
  const link = trackingLink(parcel)
  return (
    <>
      {recipient !== '' && (
        <div>
          <span className="small">{texts.to}</span>
          <address className={css.address}>
            <strong dir="auto">{recipient}</strong>
            {address.split('\n').map((line, at) => (
              <span
                dir="auto"
                key={at}
              >
                {line}
              </span>
            ))}
          </address>
        </div>
      )}
      {shippedAt !== null && (
        <p className="flush">
          {arrivedAt === null
            ? texts.shippedOn(formatDate(shippedAt, timeZone))
            : texts.arrivedOn(formatDate(arrivedAt, timeZone))}
        </p>
      )}
      {link && (
        <a
          className={`tap ${css.link}`}
          href={link}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {texts.track(trackingName(parcel))}
        </a>
      )}
    </>
  )
}

/** The id of an order is also the id of its customer. */
function CustomerParcel({ offer: { id, parcel }, userId }: { offer: Offer; userId: string }) {
  const arriving = useFetcher<ActionResult>()
  useActionToasts(arriving.data)
  const state = parcelState(parcel)
  const action = href('/offer')
  return (
    <>
      <AddressForm
        offerId={id}
        userId={userId}
        parcel={parcel}
        isOpen={mayDo('give-address', state)}
      />
      {mayDo('confirm-arrival', state) && (
        <arriving.Form
          method="post"
          action={action}
        >
          <HiddenFields offerId={id} />
          <button
            className="button"
            name="intent"
            value="confirm-arrival"
            aria-disabled={arriving.state !== 'idle'}
          >
            {texts.arrived}
          </button>
          {arriving.data?.error && (
            <p
              className="error"
              role="alert"
            >
              {arriving.data.error}
            </p>
          )}
        </arriving.Form>
      )}
    </>
  )
}

const draftsOf = (offerId: string) => [`recipient ${offerId}`, `address ${offerId}`] as const

/** Returns the props of a text field that contains `stored` and keeps what the customer types as a draft. */
function useDraftField<Element extends HTMLInputElement | HTMLTextAreaElement>(
  userId: string,
  draft: string,
  stored: string | undefined,
) {
  const ref = useRef<Element>(null)
  useStoredDraft(ref, userId, draft, stored)
  return {
    ref,
    defaultValue: stored,
    onChange: ({ target }: { target: Element }) => saveDraft(userId, draft, target.value),
  }
}

type AddressFormProps = {
  offerId: string
  userId: string
  parcel: Parcel | undefined
  isOpen: boolean
}

/** The form stays open while the customer types, so that she loses no text if the owner ships the parcel, or if another tab saves an address. A draft keeps the text when she closes the message panel. [AGREE-54, S-402] */
function AddressForm({ offerId, userId, parcel: stored, isOpen }: AddressFormProps) {
  const saving = useFetcher<ActionResult>()
  const fields = useRef<HTMLFormElement>(null)
  useActionToasts(saving.data)
  useFocusFirstInvalid(fields, saving.data)
  const [typing, setTyping] = useState<{ parcel: Parcel | undefined; data: unknown } | null>(null)
  const isTyping = typing !== null && !(saving.data?.ok && saving.data !== typing.data)
  const parcel = isTyping ? typing.parcel : stored
  const [recipientDraft, addressDraft] = draftsOf(offerId)
  const recipient = useDraftField<HTMLInputElement>(userId, recipientDraft, parcel?.recipient)
  const address = useDraftField<HTMLTextAreaElement>(userId, addressDraft, parcel?.address)
  useLayoutEffect(() => {
    if (isOpen && draftsOf(offerId).some((draft) => readDraft(userId, draft)))
      setTyping({ parcel: stored, data: undefined })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the first render restores the draft
  }, [])
  const isDraftOver = !isTyping && (!isOpen || saving.data?.ok)
  useEffect(() => {
    if (isDraftOver) for (const draft of draftsOf(offerId)) saveDraft(userId, draft, '')
  }, [isDraftOver, userId, offerId])
  if (!isOpen && !isTyping) return null
  const errors = saving.data?.errors
  const form = (
    <saving.Form
      ref={fields}
      method="post"
      action={href('/offer')}
      className={`stack slim ${css.form}`}
      noValidate
      onInput={() => setTyping({ parcel, data: saving.data })}
      key={parcel?.changedAt}
    >
      <HiddenFields
        offerId={offerId}
        intent="give-address"
      />
      <Field
        label={texts.recipient}
        name="recipient"
        id={`recipient-${offerId}`}
        error={errors?.recipient}
      >
        {(tied) => (
          <input
            {...tied}
            {...recipient}
            autoComplete="name"
            dir="auto"
            maxLength={MAX_RECIPIENT_LENGTH}
          />
        )}
      </Field>
      <Field
        label={texts.address}
        name="address"
        id={`address-${offerId}`}
        error={errors?.address}
        hint={texts.addressHint}
      >
        {(tied) => (
          <textarea
            {...tied}
            {...address}
            autoComplete="street-address"
            dir="auto"
            rows={4}
          />
        )}
      </Field>
      {!errors && saving.data?.error && (
        <p
          className="error"
          role="alert"
        >
          {saving.data.error}
        </p>
      )}
      <button
        className={parcel ? 'button quiet' : 'button'}
        aria-disabled={saving.state !== 'idle'}
      >
        {parcel ? texts.saveChange : texts.save}
      </button>
    </saving.Form>
  )
  if (!parcel)
    return (
      <>
        <p className="flush">{texts.ask}</p>
        {form}
      </>
    )
  return (
    <details
      className="fold arrow"
      open={isTyping || undefined}
    >
      <summary className="tap">{texts.change}</summary>
      {form}
    </details>
  )
}
