import { type FormEvent, useEffect, useRef } from 'react'
import { href } from 'react-router'
import type { Cents } from '#pricing/money.ts'
import type { Offer, Parcel } from '#conversation/agreement.ts'
import {
  ActionForm,
  FormError,
  SubmitButton,
  useActionForm,
  type FormState,
} from '#ui/action-form.tsx'
import { useMoney } from '#pricing/use-money.ts'
import { closeFold } from '#ui/close-fold.ts'
import { ConfirmButton } from '#ui/dialog-button.tsx'
import { InputField, SelectField, useFocusFirstInvalid } from '#ui/form-fields.tsx'
import { focusSaveButton, useStoredValues } from '#ui/use-stored-values.ts'
import { ownerParcelTexts as texts } from './owner-texts.ts'
import {
  carriers,
  MAX_TRACKING_NUMBER,
  mayDo,
  OTHER_CARRIER,
  parcelState,
  SLIP_SIZES,
} from './parcel.ts'
import css from './parcel-part.module.css'

type OwnerParcelProps = { offer: Offer; orderId: string }

export function OwnerParcel({ offer: { id, parcel, payment }, orderId }: OwnerParcelProps) {
  const form = useActionForm()
  const state = parcelState(parcel)
  const isShipped = mayDo('correct-tracking', state)
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (form.answer?.ok && fold.current) closeFold(fold.current)
  }, [form.answer])
  return (
    <>
      {state === 'no-address' && <p className="m-0">{texts.noAddress}</p>}
      {parcel && parcel.recipient !== '' && <PackingSlipLinks offerId={id} />}
      {(isShipped || mayDo('ship-parcel', state)) && (
        <details
          className="fold arrow"
          ref={fold}
        >
          <summary className="tap">{isShipped ? texts.correctFold : texts.shipFold}</summary>
          <TrackingForm
            form={form}
            action={href('/manage/offer/:orderid', { orderid: orderId })}
            offerId={id}
            parcel={parcel}
            isShipped={isShipped}
            openCents={payment?.due ? payment.due.cents + payment.due.rest : 0}
          />
        </details>
      )}
      <FormError answer={form.answer} />
    </>
  )
}

type TrackingFormProps = {
  form: FormState
  action: string
  offerId: string
  parcel: Parcel | undefined
  isShipped: boolean
  openCents: Cents
}

function TrackingForm(props: TrackingFormProps) {
  const { form, action, offerId, parcel, isShipped, openCents } = props
  const element = useRef<HTMLFormElement>(null)
  const stored = {
    carrier: parcel?.carrier ?? '',
    trackingNumber: parcel?.trackingNumber ?? '',
    trackingUrl: parcel?.trackingUrl ?? '',
  }
  const hasQuestion = !isShipped && openCents > 0
  // Inert fields cannot get the focus.
  useFocusFirstInvalid(element, form.isPending ? undefined : form.answer?.errors)
  useStoredValues(element, stored, form.isPending, form.answer)
  return (
    <ActionForm
      form={form}
      ref={element}
      action={action}
      className="grid gap-4 min-w-0"
      fields={{
        offerId,
        intent: isShipped ? 'correct-tracking' : 'ship-parcel',
        seen: parcel?.changedAt ?? 0,
      }}
      onSubmit={hasQuestion ? askFirst : focusSaveButton}
      noValidate
    >
      <div
        className={`grid gap-4 min-w-0 ${css.fields}`}
        inert={form.isPending}
      >
        <SelectField
          label={texts.carrier}
          name="carrier"
          defaultValue={stored.carrier}
        >
          <option value="">{texts.noCarrier}</option>
          {Object.entries(carriers).map(([carrier, { name }]) => (
            <option
              value={carrier}
              key={carrier}
            >
              {name}
            </option>
          ))}
          <option value={OTHER_CARRIER}>{texts.other}</option>
        </SelectField>
        <InputField
          label={texts.number}
          name="trackingNumber"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={2 * MAX_TRACKING_NUMBER}
          defaultValue={stored.trackingNumber}
        />
        <InputField
          label={texts.link}
          name="trackingUrl"
          className={`field ${css.url}`}
          type="url"
          autoComplete="off"
          placeholder={texts.linkExample}
          defaultValue={stored.trackingUrl}
        />
      </div>
      {hasQuestion ? (
        <ShipUnpaid
          form={form}
          openCents={openCents}
        />
      ) : (
        <SubmitButton className={isShipped ? 'button quiet' : 'button'}>
          {isShipped ? texts.correct : texts.ship}
        </SubmitButton>
      )}
    </ActionForm>
  )
}

/** The first button of a form is the one that Enter presses, and Enter must not mean "Yes". */
function ShipUnpaid({ form, openCents }: Pick<TrackingFormProps, 'form' | 'openCents'>) {
  const money = useMoney()
  return (
    <>
      <button hidden>{texts.ship}</button>
      <ConfirmButton
        isPending={form.isPending}
        className="button"
        label={texts.ship}
        question={texts.shipUnpaid(money(openCents))}
      >
        {(yesNo) => yesNo}
      </ConfirmButton>
    </>
  )
}

function askFirst(event: FormEvent<HTMLFormElement>) {
  const { submitter } = event.nativeEvent as SubmitEvent
  if (submitter?.getAttribute('name') === 'confirm') return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('[aria-haspopup=dialog]')?.click()
}

export const PackingSlipLinks = ({ offerId }: { offerId: string }) => (
  <div className={`row ${css.sizes}`}>
    <span>{texts.slip}</span>
    {SLIP_SIZES.map((size) => (
      <a
        className="tap"
        key={size}
        href={`${href('/manage/packing-slip/:offerid', { offerid: offerId })}?size=${size}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`${texts.slip}, ${texts.slipSizes[size]}`}
      >
        {texts.slipSizes[size]}
      </a>
    ))}
  </div>
)
