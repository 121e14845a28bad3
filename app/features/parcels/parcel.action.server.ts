import { z } from 'zod'
import type { AppServices, User } from '#app/services/context.ts'
import { formText, validateForm } from '#app/lib/http/form-data.server.ts'
import {
  MAX_ADDRESS_LENGTH,
  MAX_ADDRESS_LINES,
  MAX_RECIPIENT_LENGTH,
  parseAddress,
} from '#app/lib/text/postal-address.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { trackingErrors } from './owner-texts.ts'
import {
  isCarrier,
  MAX_TRACKING_NUMBER,
  MAX_TRACKING_URL,
  OTHER_CARRIER,
  type Tracking,
} from './parcel.ts'
import {
  confirmArrival,
  correctTracking,
  giveAddress,
  type ParcelResult,
  shipParcel,
} from './parcels.server.ts'
import { addressErrors, parcelRefusals, parcelResults } from './texts.ts'

/** Matches control characters other than line breaks, and invisible characters that change the direction of text. */
const UNPRINTABLE = /[^\P{Cc}\r\n]|[\u202A-\u202E\u2066-\u2069]/gu

/** Returns false for a text without letters and digits, because it could be an empty line on the packing slip. */
const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const AddressSchema = z.object({
  recipient: z
    .string()
    .transform((typed) => typed.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .refine(isReadable, addressErrors.noRecipient)
        .max(MAX_RECIPIENT_LENGTH, addressErrors.longRecipient(MAX_RECIPIENT_LENGTH)),
    ),
  address: z.string().transform((typed, context) => {
    const address = parseAddress(typed.replace(UNPRINTABLE, ' '))
    const error =
      address === null
        ? addressErrors.longAddress(MAX_ADDRESS_LENGTH, MAX_ADDRESS_LINES)
        : addressErrors.noAddress
    if (!address || !isReadable(address)) context.addIssue({ code: 'custom', message: error })
    return address ?? ''
  }),
})

/** Handles the customer's forms about a parcel, and returns null for other forms. The session identifies the customer, so she can act only on her own parcels. [AGREE-51, AGREE-52] */
export async function handleCustomerParcelAction(
  app: AppServices,
  user: User,
  form: FormData,
): Promise<ActionOutcome | null> {
  const [intent, offerId] = [formText(form, 'intent'), formText(form, 'offerId')]
  if (intent === 'confirm-arrival')
    return toOutcome(await confirmArrival(app, user, offerId), parcelResults[intent])
  if (intent !== 'give-address') return null
  const typed = validateForm(AddressSchema, {
    recipient: formText(form, 'recipient'),
    address: formText(form, 'address'),
  })
  if (!typed.ok)
    return refused(422, { error: Object.values(typed.errors).join(' '), errors: typed.errors })
  return toOutcome(await giveAddress(app, user, offerId, typed.data), parcelResults[intent])
}

/** Handles the owner's forms about a parcel, and returns null for other forms. [AGREE-53] */
export async function handleOwnerParcelAction(
  app: AppServices,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome | null> {
  const [intent, offerId] = [formText(form, 'intent'), formText(form, 'offerId')]
  if (intent !== 'ship-parcel' && intent !== 'correct-tracking') return null
  const typed = parseTracking(form)
  if (!typed.ok)
    return refused(422, { error: Object.values(typed.errors).join(' '), errors: typed.errors })
  const where = { orderId, offerId }
  const result =
    intent === 'ship-parcel'
      ? await shipParcel(app, where, { ...typed.tracking, seen: Number(formText(form, 'seen')) })
      : await correctTracking(app, where, typed.tracking)
  return toOutcome(result, parcelResults[intent])
}

const statuses: Record<string, number> = { 'not-found': 404, failed: 500 }
const toOutcome = (result: ParcelResult, text: string): ActionOutcome =>
  result.ok
    ? done(text)
    : refused(statuses[result.refusal] ?? 409, { error: parcelRefusals[result.refusal] })

type ParsedTracking =
  | { ok: true; tracking: Tracking }
  | { ok: false; errors: Record<string, string> }

/** Parses carrier and tracking number. Carriers print numbers in groups, so spaces are removed. A carrier that is not in the list needs an https link. [AGREE-53] */
function parseTracking(form: FormData): ParsedTracking {
  const carrier = formText(form, 'carrier')
  const trackingNumber = formText(form, 'trackingNumber').replace(/\s+/g, '')
  const link = formText(form, 'trackingUrl').trim()
  const errors: Record<string, string> = {}
  if (carrier === '' ? trackingNumber !== '' : !isCarrier(carrier) && carrier !== OTHER_CARRIER)
    errors.carrier = trackingErrors.badCarrier
  if (isCarrier(carrier) && trackingNumber === '') errors.trackingNumber = trackingErrors.noNumber
  if (
    trackingNumber !== '' &&
    (trackingNumber.length > MAX_TRACKING_NUMBER || !/^[A-Z\d-]+$/i.test(trackingNumber))
  )
    errors.trackingNumber = trackingErrors.badNumber(MAX_TRACKING_NUMBER)
  const trackingUrl = carrier === OTHER_CARRIER ? parseLink(link) : ''
  if (trackingUrl === null)
    errors.trackingUrl =
      link.length > MAX_TRACKING_URL
        ? trackingErrors.longLink(MAX_TRACKING_URL)
        : trackingErrors.badLink
  return Object.keys(errors).length > 0 || trackingUrl === null
    ? { ok: false, errors }
    : { ok: true, tracking: { carrier, trackingNumber, trackingUrl } }
}

/** Returns the link, or null if it is no https link or contains a user name, which could disguise its host. */
function parseLink(typed: string): string | null {
  const url = URL.parse(typed)
  if (
    !url ||
    url.protocol !== 'https:' ||
    url.username ||
    url.password ||
    url.href.length > MAX_TRACKING_URL
  )
    return null
  return url.href
}
