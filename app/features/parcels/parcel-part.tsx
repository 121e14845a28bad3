import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { href } from 'react-router'
import { readDraft, saveDraft, useStoredDraft } from '#client/drafts.ts'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import type { Offer, Parcel } from '#conversation/agreement.ts'
import { MAX_RECIPIENT_LENGTH } from '#lib/text/postal-address.ts'
import { ActionForm, FormError, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { InputField, TextareaField } from '#ui/form-fields.tsx'
import { formatDate } from '#ui/format-date.ts'
import { lazyComponent } from '#ui/lazy-component.tsx'
import { mayDo, parcelState, trackingLink, trackingName } from './parcel.ts'
import { parcelTexts as texts } from './texts.ts'
import css from './parcel-part.module.css'

const OwnerParcel = lazyComponent(() =>
  import('./owner-parcel.tsx').then((module) => module.OwnerParcel),
)

type ParcelPartProps = { id: string; offer: Offer; orderId: string; isOwner: boolean }

export function ParcelPart({ id, offer, orderId, isOwner }: ParcelPartProps) {
  const { parcel } = offer
  const isAccepted = offer.state === 'accepted'
  if (!offer.isShipped || !(isAccepted || parcel)) return null
  return (
    <section
      id={id}
      tabIndex={-1}
      className={`grid gap-4 min-w-0 ${css.parcel}`}
      aria-label={texts.title}
    >
      {parcel && <ParcelFacts parcel={parcel} />}
      {isAccepted && isOwner && (
        <OwnerParcel
          offer={offer}
          orderId={orderId}
        />
      )}
      {isAccepted && !isOwner && (
        <CustomerParcel
          offer={offer}
          userId={orderId}
        />
      )}
    </section>
  )
}

export function ParcelFacts({ parcel }: { parcel: Parcel }) {
  const timeZone = useShopTimeZone()
  const { recipient, address, shippedAt, arrivedAt } = parcel
  const link = trackingLink(parcel)
  return (
    <>
      {recipient !== '' && (
        <div>
          <span className="text-sm">{texts.to}</span>
          <address className={css.address}>
            <strong dir="auto">{recipient}</strong>
            {address.split('\n').map((line, index) => (
              <span
                dir="auto"
                key={index}
              >
                {line}
              </span>
            ))}
          </address>
        </div>
      )}
      {shippedAt !== null && (
        <p className="m-0">
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

function CustomerParcel({ offer: { id, parcel }, userId }: { offer: Offer; userId: string }) {
  const form = useActionForm()
  const state = parcelState(parcel)
  return (
    <>
      <AddressForm
        offerId={id}
        userId={userId}
        parcel={parcel}
        isOpen={mayDo('give-address', state)}
      />
      {mayDo('confirm-arrival', state) && (
        <ActionForm
          form={form}
          action={href('/offer')}
          fields={{ offerId: id, intent: 'confirm-arrival' }}
        >
          <SubmitButton>{texts.arrived}</SubmitButton>
          <FormError answer={form.answer} />
        </ActionForm>
      )}
    </>
  )
}

type AddressFormProps = {
  offerId: string
  userId: string
  parcel: Parcel | undefined
  isOpen: boolean
}

/** The form stays open while the customer types, because another tab could remove the text. */
function AddressForm({ offerId, userId, parcel: storedParcel, isOpen }: AddressFormProps) {
  const form = useActionForm()
  const { answer } = form
  const [typing, setTyping] = useState<{ parcel: Parcel | undefined; answer: unknown } | null>(null)
  const isTyping = typing !== null && !(answer?.ok && answer !== typing.answer)
  const parcel = isTyping ? typing.parcel : storedParcel
  useLayoutEffect(() => {
    if (isOpen && draftsOf(offerId).some((draft) => readDraft(userId, draft))) {
      setTyping({ parcel: storedParcel, answer: undefined })
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the first render restores the draft
  }, [])
  const isDraftOver = !isTyping && (!isOpen || answer?.ok)
  useEffect(() => {
    if (!isDraftOver) return
    for (const draft of draftsOf(offerId)) saveDraft(userId, draft, '')
  }, [isDraftOver, userId, offerId])
  if (!isOpen && !isTyping) return null
  const addressForm = (
    <ActionForm
      form={form}
      action={href('/offer')}
      className="grid gap-4 min-w-0"
      fields={{ offerId, intent: 'give-address' }}
      noValidate
      onInput={() => setTyping({ parcel, answer })}
      key={parcel?.changedAt}
    >
      <AddressFields
        offerId={offerId}
        userId={userId}
        parcel={parcel}
      />
      <FormError answer={answer} />
      <SubmitButton className={parcel ? 'button quiet' : 'button'}>
        {parcel ? texts.saveChange : texts.save}
      </SubmitButton>
    </ActionForm>
  )
  if (!parcel) {
    return (
      <>
        <p className="m-0">{texts.ask}</p>
        {addressForm}
      </>
    )
  }
  return (
    <details
      className="fold arrow"
      open={isTyping || undefined}
    >
      <summary className="tap">{texts.change}</summary>
      {addressForm}
    </details>
  )
}

const draftsOf = (offerId: string) => [`recipient ${offerId}`, `address ${offerId}`] as const

function AddressFields({ offerId, userId, parcel }: Omit<AddressFormProps, 'isOpen'>) {
  const [recipientDraft, addressDraft] = draftsOf(offerId)
  const recipient = useDraftField<HTMLInputElement>(userId, recipientDraft, parcel?.recipient)
  const address = useDraftField<HTMLTextAreaElement>(userId, addressDraft, parcel?.address)
  return (
    <>
      <InputField
        label={texts.recipient}
        name="recipient"
        {...recipient}
        autoComplete="name"
        dir="auto"
        maxLength={MAX_RECIPIENT_LENGTH}
      />
      <TextareaField
        label={texts.address}
        name="address"
        hint={texts.addressHint}
        {...address}
        autoComplete="street-address"
        dir="auto"
        rows={4}
      />
    </>
  )
}

function useDraftField<Element extends HTMLInputElement | HTMLTextAreaElement>(
  userId: string,
  draft: string,
  savedText: string | undefined,
) {
  const ref = useRef<Element>(null)
  useStoredDraft(ref, userId, draft, savedText)
  return {
    ref,
    defaultValue: savedText,
    onChange: ({ target }: { target: Element }) => saveDraft(userId, draft, target.value),
  }
}
