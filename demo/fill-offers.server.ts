/** Inserts the offers of the demo shop in all states, together with their holds, credits, steps, payments and parcels. */
import type { Tx } from '#db/schema.ts'
import { REWARD_CENTS } from '#app/features/credits/credit.ts'
import { isOpen } from '#app/features/offers/offer.ts'
import { agreeOnLines } from '#app/features/offers/agreed-lines.server.ts'
import type { DemoOffer } from './catalog.ts'

const DAY = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

type Place = { id: string; orderId: string; sentAt: number; now: number }

export async function fillOffer(
  tx: Tx,
  offer: DemoOffer,
  { id, orderId, sentAt, now }: Place,
): Promise<void> {
  const {
    state,
    lines,
    shippingCents,
    isShipped = false,
    depositCents = 0,
    readyInDays,
    validDays = 7,
    openDays = 0,
    creditCode = null,
  } = offer
  const creditCents = creditCode === null ? 0 : REWARD_CENTS
  const validUntil = isOpen(state) ? now + openDays * DAY : sentAt + validDays * DAY
  await tx
    .insertInto('offers')
    .values({
      ...{
        id,
        orderId,
        state,
        shippingCents,
        isShipped: isShipped ? 1 : 0,
        depositCents,
        creditCode,
        creditCents,
        soldDifferenceCents: 0,
      },
      ...{
        readyBy: dayOf(now + readyInDays * DAY),
        validUntil,
        createdAt: sentAt,
        changedAt: sentAt,
      },
    })
    .execute()
  await tx
    .insertInto('offerLines')
    .values(lines.map((line, at) => ({ offerId: id, position: at + 1, ...line })))
    .execute()
  if (creditCode !== null) {
    const usedAt = state === 'accepted' ? sentAt : null
    const credit = {
      code: creditCode,
      userId: orderId,
      receiptTag: `demo-${creditCode}`,
      cents: creditCents,
      createdAt: sentAt - 30 * DAY,
    }
    await tx
      .insertInto('credits')
      .values({ ...credit, usedAt, offerId: usedAt === null ? null : id })
      .execute()
  }
  if (isOpen(state)) await holdUniqueItems(tx, { id, orderId, until: validUntil, now })
  if (state !== 'accepted') return
  await agreeOnLines(tx, { id, orderId, creditCents })
  for (const [at, step] of (offer.steps ?? []).entries())
    await tx
      .insertInto('queueEntries')
      .values({
        offerId: id,
        line: at + 1,
        step,
        position: at + 1,
        handedOverAt: step === 'handed-over' ? now - 21 * DAY : null,
      })
      .execute()
  const total = lines.reduce(
    (sum, { priceCents, quantity }) => sum + priceCents * quantity,
    shippingCents - creditCents,
  )
  for (const [at, kind] of (['deposit', 'balance'] as const).entries()) {
    const paid = offer[kind]
    if (!paid) continue
    const cents = kind === 'deposit' ? depositCents : total - depositCents
    const paidOn = dayOf(now - paid.daysAgo * DAY)
    const payment = {
      offerId: id,
      position: at + 1,
      kind,
      cents,
      paidOn,
      method: paid.method,
      createdAt: now,
    }
    await tx.insertInto('payments').values(payment).execute()
  }
  const { parcel } = offer
  if (!parcel) return
  const daysAgo = (days: number | undefined) => (days === undefined ? null : now - days * DAY)
  const {
    recipient,
    address,
    carrier = '',
    trackingNumber = '',
    shippedDaysAgo,
    arrivedDaysAgo,
  } = parcel
  await tx
    .insertInto('parcels')
    .values({
      ...{ offerId: id, recipient, address, carrier, trackingNumber, trackingUrl: '' },
      ...{ shippedAt: daysAgo(shippedDaysAgo), arrivedAt: daysAgo(arrivedDaysAgo), changedAt: now },
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
  for (const { id: itemId } of lines)
    await tx
      .insertInto('holds')
      .values({ itemId, orderId, offerId: id, until, createdAt: now })
      .execute()
}
