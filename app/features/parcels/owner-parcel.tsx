import { useEffect, useRef } from 'react'
import { href, useFetcher } from 'react-router'
import type { Offer } from '#app/features/orders/order.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { closeFold } from '#app/ui/close-fold.ts'
import { Field, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { focusSaveButton, useStoredValues } from '#app/ui/use-stored-values.ts'
import { ownerParcelTexts as texts } from './owner-texts.ts'
import { carriers, MAX_TRACKING_NUMBER, mayDo, OTHER_CARRIER, parcelState } from './parcel.ts'
import { PackingSlipLinks } from './packing-slip-links.tsx'
import css from './parcel-part.module.css'

/** Shows the packing slips and the form for carrier and tracking number. Only the owner's browser loads this code. [AGREE-53, AGREE-57] */
export function OwnerParcel({ offer: { id, parcel }, orderId }: { offer: Offer; orderId: string }) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const state = parcelState(parcel)
  const isShipped = mayDo('correct-tracking', state)
  const errors = fetcher.data?.errors
  const form = useRef<HTMLFormElement>(null)
  const isBusy = fetcher.state !== 'idle'
  // Waits for the end of the save, because inert fields cannot get the focus.
  useFocusFirstInvalid(form, isBusy ? undefined : errors)
  const stored = {
    carrier: parcel?.carrier ?? '',
    trackingNumber: parcel?.trackingNumber ?? '',
    trackingUrl: parcel?.trackingUrl ?? '',
  }
  useStoredValues(form, stored, isBusy, fetcher.data)
  const fold = useRef<HTMLDetailsElement>(null)
  // The form closes after the shop has saved it. It stays open when the owner ships the parcel on another device.
  useEffect(() => {
    if (fetcher.data?.ok && fold.current) closeFold(fold.current)
  }, [fetcher.data])
  return (
    <>
      {state === 'no-address' && <p className="flush">{texts.noAddress}</p>}
      {parcel && parcel.recipient !== '' && <PackingSlipLinks offerId={id} />}
      {(isShipped || mayDo('ship-parcel', state)) && (
        <details
          className="fold arrow"
          ref={fold}
        >
          <summary className="tap">{isShipped ? texts.correctFold : texts.shipFold}</summary>
          <fetcher.Form
            ref={form}
            method="post"
            action={href('/manage/offer/:orderid', { orderid: orderId })}
            className="stack slim"
            onSubmit={focusSaveButton}
            noValidate
          >
            <HiddenFields
              offerId={id}
              intent={isShipped ? 'correct-tracking' : 'ship-parcel'}
              seen={parcel?.changedAt ?? 0}
            />
            <div
              className={`stack slim ${css.fields}`}
              inert={isBusy}
            >
              <Field
                label={texts.carrier}
                name="carrier"
                id={`carrier-${id}`}
                error={errors?.carrier}
              >
                {(tied) => (
                  <select
                    {...tied}
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
                  </select>
                )}
              </Field>
              <Field
                label={texts.number}
                name="trackingNumber"
                id={`number-${id}`}
                error={errors?.trackingNumber}
              >
                {(tied) => (
                  <input
                    {...tied}
                    autoComplete="off"
                    autoCapitalize="characters"
                    spellCheck={false}
                    maxLength={2 * MAX_TRACKING_NUMBER}
                    defaultValue={stored.trackingNumber}
                  />
                )}
              </Field>
              <Field
                label={texts.link}
                name="trackingUrl"
                id={`link-${id}`}
                error={errors?.trackingUrl}
                className={`field ${css.url}`}
              >
                {(tied) => (
                  <input
                    {...tied}
                    type="url"
                    autoComplete="off"
                    placeholder="https://"
                    defaultValue={stored.trackingUrl}
                  />
                )}
              </Field>
            </div>
            <button
              className={isShipped ? 'button quiet' : 'button'}
              aria-disabled={isBusy}
            >
              {isShipped ? texts.correct : texts.ship}
            </button>
          </fetcher.Form>
        </details>
      )}
      {!errors && fetcher.data?.error && (
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
