import { z } from 'zod'
import {
  type ActionTable,
  formAction,
  refusalTable,
  textField,
} from '#lib/http/form-actions.server.ts'
import {
  MAX_ADDRESS_LENGTH,
  MAX_ADDRESS_LINES,
  MAX_RECIPIENT_LENGTH,
  parseAddress,
} from '#lib/text/postal-address.ts'
import { oneLine } from '#lib/http/form-data.server.ts'
import type { CustomerContext, OwnerContext } from '#conversation/conversation.server.ts'
import { formatMoney } from '#pricing/money.ts'
import { ownerParcelTexts, trackingErrors } from './owner-texts.ts'
import {
  isCarrier,
  MAX_TRACKING_NUMBER,
  MAX_TRACKING_URL,
  OTHER_CARRIER,
  type Tracking,
} from './parcel.ts'
import { confirmArrival, correctTracking, giveAddress, shipParcel } from './parcels.server.ts'
import { addressErrors, parcelRefusals, parcelResults } from './texts.ts'

const isReadable = (text: string) => /[\p{L}\p{N}]/u.test(text)

const offerFields = z.object({ offerId: textField })

const AddressSchema = offerFields.extend({
  recipient: textField.pipe(
    oneLine
      .refine(isReadable, addressErrors.noRecipient)
      .max(MAX_RECIPIENT_LENGTH, addressErrors.longRecipient(MAX_RECIPIENT_LENGTH)),
  ),
  address: textField.transform((typed, context) => {
    const address = parseAddress(typed.replaceAll('\t', ' '))
    const error =
      address === null
        ? addressErrors.longAddress(MAX_ADDRESS_LENGTH, MAX_ADDRESS_LINES)
        : addressErrors.noAddress
    if (!address || !isReadable(address)) context.addIssue({ code: 'custom', message: error })
    return address ?? ''
  }),
})

const TrackingSchema = z
  .object({
    carrier: textField,
    trackingNumber: textField.transform((typed) => typed.replace(/\s+/g, '')),
    trackingUrl: textField.pipe(z.string().trim()),
  })
  .transform(({ carrier, trackingNumber, trackingUrl: link }, context): Tracking => {
    const refuseField = (field: keyof Tracking, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const isKnown = isCarrier(carrier) || carrier === OTHER_CARRIER
    if (carrier === '' ? trackingNumber !== '' : !isKnown) {
      refuseField('carrier', trackingErrors.badCarrier)
    }
    if (isCarrier(carrier) && trackingNumber === '') {
      refuseField('trackingNumber', trackingErrors.noNumber)
    } else if (
      trackingNumber.length > MAX_TRACKING_NUMBER ||
      !/^[A-Z\d-]*$/i.test(trackingNumber)
    ) {
      refuseField('trackingNumber', trackingErrors.badNumber(MAX_TRACKING_NUMBER))
    }
    const trackingUrl = carrier === OTHER_CARRIER ? parseLink(link) : ''
    if (trackingUrl === null) {
      const isLong = link.length > MAX_TRACKING_URL
      const { longLink, badLink } = trackingErrors
      refuseField('trackingUrl', isLong ? longLink(MAX_TRACKING_URL) : badLink)
    }
    return { carrier, trackingNumber, trackingUrl: trackingUrl ?? '' }
  })

/** A user name in the URL could disguise the host. */
function parseLink(typed: string) {
  const url = URL.parse(typed)
  const isSafe = url?.protocol === 'https:' && !url.username && !url.password
  return isSafe && url.href.length <= MAX_TRACKING_URL ? url.href : null
}

const refusals = refusalTable(parcelRefusals)
const joinErrors = (errors: Record<string, string>) => ({
  error: Object.values(errors).join(' '),
  errors,
})

export const customerParcelActions: ActionTable<CustomerContext> = {
  'confirm-arrival': formAction({
    schema: offerFields,
    run: confirmArrival,
    success: parcelResults['confirm-arrival'],
    refusals,
  }),
  'give-address': formAction({
    schema: AddressSchema,
    invalid: joinErrors,
    run: giveAddress,
    success: parcelResults['give-address'],
    refusals,
  }),
}

export const ownerParcelActions: ActionTable<OwnerContext> = {
  'ship-parcel': formAction({
    schema: z.intersection(
      offerFields.extend({ seen: textField.transform(Number), confirm: textField }),
      TrackingSchema,
    ),
    invalid: joinErrors,
    run: shipParcel,
    success: parcelResults['ship-parcel'],
    refusals: {
      ...refusals,
      unpaid: ({ openCents }, { app }) => ({
        status: 409,
        error: ownerParcelTexts.unpaid(formatMoney(openCents, app.currency)),
      }),
    },
  }),
  'correct-tracking': formAction({
    schema: z.intersection(offerFields, TrackingSchema),
    invalid: joinErrors,
    run: correctTracking,
    success: parcelResults['correct-tracking'],
    refusals,
  }),
}
