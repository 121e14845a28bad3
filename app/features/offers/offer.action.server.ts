import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { done, refused, type ActionOutcome } from '#app/ui/action-result.ts'
import {
  customerName,
  MAX_MESSAGE_LENGTH,
  type Offer,
  withPlainBreaks,
} from '#app/features/orders/order.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { dayAndTime } from '#app/ui/format-date.ts'
import { decimalAmount } from '#app/features/pricing/money.ts'
import { readPaymentSettings, readSettings } from '#app/features/settings/settings.server.ts'
import { listCredits } from '#app/features/credits/credits.server.ts'
import { creditFormTexts } from '#app/features/credits/owner-texts.ts'
import { listOrderLines, type OrderLine } from '#app/features/orders/order-lines.server.ts'
import { suggestReadyBy } from '#app/features/production-queue/ready-date.server.ts'
import { isPaymentAction } from '#app/features/payments/payment.ts'
import { handlePaymentAction } from '#app/features/payments/payment.action.server.ts'
import {
  handleCustomerParcelAction,
  handleOwnerParcelAction,
} from '#app/features/parcels/parcel.action.server.ts'
import { parseOffer } from './offer-form.server.ts'
import { blankLine, type LineValues, type OfferValues, readOfferForm } from './offer-values.ts'
import { holdRefusalText } from '#app/features/holds/hold.action.server.ts'
import type { OfferFormResult } from './offer-form.tsx'
import { DEFAULT_VALID_DAYS, OPEN_STATES } from './offer.ts'
import {
  acceptOffer,
  cancelOffer,
  type OfferResult,
  requestChange,
  sendOffer,
  withdrawOffer,
} from './offers.server.ts'
import { offerErrors, ownerOfferRefusals } from './owner-texts.ts'
import { readOffers } from './read-offers.server.ts'
import { offerRefusals, offerResults } from './texts.ts'

/** Handles the customer's actions on an offer. The session identifies the customer, so she can act only on offers in her own conversation. */
export async function handleCustomerOfferAction(
  app: AppServices,
  user: User,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, offerId] = [formText(form, 'intent'), formText(form, 'offerId')]
  if (intent === 'accept')
    return toOutcome(await acceptOffer(app, user, offerId), offerResults.accept)
  if (intent !== 'request-change')
    return (await handleCustomerParcelAction(app, user, form)) ?? refused(400)
  const text = withPlainBreaks(formText(form, 'text'))
  if (text.trim() === '') return refused(422, { field: 'text', error: offerResults.noText })
  if (text.length > MAX_MESSAGE_LENGTH)
    return refused(422, { field: 'text', error: offerResults.longText })
  return toOutcome(await requestChange(app, user, offerId, text), offerResults['request-change'])
}

/** Handles the owner's actions on an offer that she has sent. */
export async function handleOwnerOfferAction(
  app: AppServices,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, offerId] = [formText(form, 'intent'), formText(form, 'offerId')]
  if (intent === 'withdraw')
    return toOutcome(
      await withdrawOffer(app, orderId, offerId),
      offerResults.withdraw,
      ownerOfferRefusals,
    )
  if (isPaymentAction(intent)) return handlePaymentAction(app, orderId, intent, form)
  if (intent !== 'cancel')
    return (await handleOwnerParcelAction(app, orderId, form)) ?? refused(400)
  if (formText(form, 'confirm') !== 'Yes')
    return refused(400, { toasts: [offerResults.notConfirmed] })
  return toOutcome(
    await cancelOffer(app, orderId, offerId),
    offerResults.cancel,
    ownerOfferRefusals,
  )
}

const statuses: Record<string, number> = { 'not-found': 404, failed: 500 }
const toOutcome = (result: OfferResult, text: string, refusals = offerRefusals): ActionOutcome =>
  result.ok
    ? done(text)
    : refused(statuses[result.refusal] ?? 409, { error: refusals[result.refusal] })

/** Sends the offer of the owner's form, or adds an empty line to the form or removes a line. A refused form keeps the texts that she typed. [AGREE-09, AGREE-95] */
export async function handleOfferForm(
  app: AppServices,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome<OfferFormResult>> {
  const values = readOfferForm(form)
  if (form.has('add'))
    return refused<OfferFormResult>(200, {
      values: { ...values, lines: [...values.lines, blankLine] },
    })
  const removed = form.has('remove') ? Number(formText(form, 'remove')) : -1
  if (form.has('remove'))
    return refused<OfferFormResult>(200, {
      values: { ...values, lines: values.lines.filter((_, at) => at !== removed) },
    })
  const parsed = parseOffer(values, app.now(), app.timeZone)
  if (!parsed.ok) return refused<OfferFormResult>(422, { errors: parsed.errors, values })
  const sent = await sendOffer(app, orderId, parsed.offer)
  if (sent.ok) return done()
  if (sent.refusal === 'unknown' || sent.refusal === 'used')
    return refused<OfferFormResult>(422, {
      errors: { creditCode: creditFormTexts[sent.refusal] },
      values,
    })
  if (sent.refusal === 'only-one') {
    const isWrong = ({ itemId, isIncluded }: LineValues) =>
      isIncluded && sent.itemIds.includes(itemId)
    const quantityErrors = values.lines.flatMap((line, at) =>
      isWrong(line) ? [[`quantity-${at}`, offerErrors.onlyOne]] : [],
    )
    return refused<OfferFormResult>(422, { errors: Object.fromEntries(quantityErrors), values })
  }
  if (sent.refusal === 'not-held')
    return refused<OfferFormResult>(409, {
      errors: { lines: holdRefusalText(app, sent.hold) },
      values,
    })
  return refused<OfferFormResult>(statuses[sent.refusal] ?? 409, {
    errors: { lines: offerErrors[sent.refusal] },
    values,
  })
}

const findOpenOffer = async (
  db: AppServices['db'],
  orderId: string,
): Promise<Offer | undefined> => {
  const open = db
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', orderId)
    .where('state', 'in', OPEN_STATES)
  const found = await open.executeTakeFirst()
  return found && (await readOffers(db, [found.id])).get(found.id)
}

/** A line that the owner typed can always be offered again, and an item only while it is requested and not agreed on. [AGREE-96] */
const canBeOffered = ({ itemId }: Pick<LineValues, 'itemId'>, requested: OrderLine[]): boolean =>
  itemId === '' || requested.some(({ id, agreedCents }) => id === itemId && agreedCents === null)

/** Returns the first lines of the form. A form that replaces an open offer begins with the lines of that offer, and other requested items are not included. Otherwise all requested items are included. [AGREE-16] */
function firstLines(requested: OrderLine[], open: Offer | undefined): LineValues[] {
  const offered = (open?.lines ?? [])
    .filter((line) => canBeOffered(line, requested))
    .map(({ cents, quantity, ...line }) => ({
      ...{ ...line, price: decimalAmount(cents), quantity: String(quantity), isIncluded: true },
    }))
  const known = new Set(offered.map(({ itemId }) => itemId))
  const others = requested
    .filter(({ id, agreedCents }) => !known.has(id) && agreedCents === null)
    .map(({ id, name, color, shownCents, priceCents }) => ({
      ...{
        itemId: id,
        name,
        color,
        price: decimalAmount(shownCents ?? priceCents),
        quantity: '1',
        notes: '',
        isIncluded: !open,
      },
    }))
  const lines = [...offered, ...others]
  return lines.length === 0 ? [blankLine] : lines
}

/** Returns the customer's name, and the form filled with the requested items. Returns null if there is no conversation, or only one of a contact message or a deleted account, which cannot get an offer. */
export async function readOfferFormDefaults(app: AppServices, orderId: string) {
  const { db, now, timeZone } = app
  const order = await db
    .selectFrom('orders')
    .select(['userId', 'userName', 'userEmail', 'fromContactPage'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order || order.fromContactPage || order.userId === null) return null
  const requested = (await listOrderLines(db, orderId)).filter(({ isSold }) => !isSold)
  const open = await findOpenOffer(db, orderId)
  const [validUntil] = dayAndTime(now() + DEFAULT_VALID_DAYS * 86_400_000, timeZone)
  const [today] = dayAndTime(now(), timeZone)
  const notAgreed = requested.filter(({ agreedCents }) => agreedCents === null)
  // Without a requested piece, the owner offers a piece that she describes herself.
  const suggested = await suggestReadyBy(
    app,
    notAgreed.length === 0 ? 1 : notAgreed.filter(({ kind }) => kind !== 'unique').length,
  )
  const { defaultShipping } = await readSettings(db)
  const credits = (await listCredits(db, orderId)).filter(({ state }) => state === 'open')
  const code = open?.creditCode ?? ''
  const values: OfferValues = {
    id: newId15(),
    lines: firstLines(requested, open),
    ...{
      shipping: defaultShipping,
      readyBy: suggested,
      validUntil,
      isShipped: defaultShipping !== '',
      message: '',
    },
    ...(open && {
      shipping: decimalAmount(open.shippingCents),
      readyBy: open.readyBy < today ? suggested : open.readyBy,
      isShipped: open.isShipped,
    }),
    ...(code === credits[0]?.code
      ? { credit: code, creditCode: '' }
      : { credit: '', creditCode: code }),
  }
  const leftOut = (open?.lines ?? [])
    .filter((line) => !canBeOffered(line, requested))
    .map(({ name }) => name)
  const { depositPercent } = await readPaymentSettings(db)
  const customer = customerName({ name: order.userName, email: order.userEmail })
  return { customer, orderId, credits, values, leftOut, depositPercent: Number(depositPercent) }
}
