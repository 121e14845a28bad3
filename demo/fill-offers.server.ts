import type { Tx } from '#db/schema.ts'
import { REWARD_CENTS } from '#credits/credit.ts'
import { isOpen } from '#offers/offer.ts'
import { agreeOnLines } from '#offers/offers.server.ts'
import type { DemoOffer } from './catalog.ts'

const DAY = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

type Place = { id: string; orderId: string; sentAt: number; now: number }

export async function fillOffer(tx: Tx, offer: DemoOffer, place: Place) {
  const { id, orderId, sentAt, now } = place
  const { state, lines, validDays = 7, openDays = 0, creditCode = null } = offer
  const creditCents = creditCode === null ? 0 : REWARD_CENTS
  const validUntil = isOpen(state) ? now + openDays * DAY : sentAt + validDays * DAY
  await tx
    .insertInto('offers')
    .values({
      id,
      orderId,
      state,
      shippingCents: offer.shippingCents,
      isShipped: offer.isShipped ?? false,
      depositCents: offer.depositCents ?? 0,
      creditCode,
      creditCents,
      soldDifferenceCents: 0,
      readyBy: dayOf(now + offer.readyInDays * DAY),
      validUntil,
      createdAt: sentAt,
      changedAt: sentAt,
    })
    .execute()
  await tx
    .insertInto('offerLines')
    .values(lines.map((line, index) => ({ offerId: id, position: index + 1, ...line })))
    .execute()
  if (creditCode !== null) await fillCredit(tx, creditCode, state === 'accepted', place)
  if (isOpen(state)) await holdUniqueItems(tx, { id, orderId, until: validUntil, now })
  if (state !== 'accepted') return
  await agreeOnLines(tx, { id, orderId, creditCents })
  await fillQueue(tx, offer, place)
  await fillPayments(tx, offer, creditCents, place)
  if (offer.parcel) await fillParcel(tx, offer.parcel, place)
}

async function fillCredit(tx: Tx, code: string, isUsed: boolean, { id, orderId, sentAt }: Place) {
  await tx
    .insertInto('credits')
    .values({
      code,
      userId: orderId,
      receiptTag: `demo-${code}`,
      cents: REWARD_CENTS,
      createdAt: sentAt - 30 * DAY,
      usedAt: isUsed ? sentAt : null,
      offerId: isUsed ? id : null,
    })
    .execute()
}

async function fillQueue(tx: Tx, { steps = [] }: DemoOffer, { id, now }: Place) {
  for (const [index, step] of steps.entries()) {
    await tx
      .insertInto('queueEntries')
      .values({
        offerId: id,
        line: index + 1,
        step,
        position: index + 1,
        handedOverAt: step === 'handed-over' ? now - 21 * DAY : null,
      })
      .execute()
  }
}

async function fillPayments(tx: Tx, offer: DemoOffer, creditCents: number, { id, now }: Place) {
  const { lines, shippingCents, depositCents = 0 } = offer
  const total = lines.reduce(
    (sum, { priceCents, quantity }) => sum + priceCents * quantity,
    shippingCents - creditCents,
  )
  for (const [index, kind] of (['deposit', 'balance'] as const).entries()) {
    const payment = offer[kind]
    if (!payment) continue
    await tx
      .insertInto('payments')
      .values({
        offerId: id,
        position: index + 1,
        kind,
        cents: kind === 'deposit' ? depositCents : total - depositCents,
        paidOn: dayOf(now - payment.daysAgo * DAY),
        method: payment.method,
        createdAt: now,
      })
      .execute()
  }
}

async function fillParcel(
  tx: Tx,
  {
    recipient,
    address,
    carrier = '',
    trackingNumber = '',
    shippedDaysAgo,
    arrivedDaysAgo,
  }: NonNullable<DemoOffer['parcel']>,
  { id, now }: Place,
) {
  const daysAgo = (days: number | undefined) => (days === undefined ? null : now - days * DAY)
  await tx
    .insertInto('parcels')
    .values({
      offerId: id,
      recipient,
      address,
      carrier,
      trackingNumber,
      trackingUrl: '',
      shippedAt: daysAgo(shippedDaysAgo),
      arrivedAt: daysAgo(arrivedDaysAgo),
      changedAt: now,
    })
    .execute()
}

async function holdUniqueItems(
  tx: Tx,
  { id, orderId, until, now }: { id: string; orderId: string; until: number; now: number },
) {
  const lines = await tx
    .selectFrom('offerLines as line')
    .innerJoin('items', 'items.id', 'line.itemId')
    .select('items.id')
    .where('line.offerId', '=', id)
    .where('items.kind', '=', 'unique')
    .execute()
  for (const { id: itemId } of lines) {
    await tx
      .insertInto('holds')
      .values({ itemId, orderId, offerId: id, until, createdAt: now })
      .execute()
  }
}
