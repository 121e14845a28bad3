/** Reads offers together with the steps of their pieces, their payments, parcels and credits. */
import type { Db, Tx } from '#db/schema.ts'
import { type Message, type Offer, type OfferLine } from '#app/features/orders/order.ts'
import { readSteps } from '#app/features/production-queue/production-queue.server.ts'
import { addPayments } from '#app/features/payments/payments.server.ts'
import { readParcels } from '#app/features/parcels/parcels.server.ts'
import { offerTotal } from './offer.ts'

/** Adds each offer to the owner's message that contains it. [AGREE-01] */
export async function withOffers<Row extends Message & { offerId: string | null }>(
  db: Db | Tx,
  rows: readonly Row[],
): Promise<(Omit<Row, 'offerId'> & { offer?: Offer })[]> {
  const offers = await readOffers(
    db,
    rows.flatMap(({ offerId }) => offerId ?? []),
  )
  return rows.map(({ offerId, ...message }) => {
    const offer = offerId === null ? undefined : offers.get(offerId)
    return offer ? { ...message, offer } : message
  })
}

const offerColumns = [
  'id',
  'state',
  'shippingCents',
  'isShipped',
  'depositCents',
  'creditCode',
  'creditCents',
  'soldDifferenceCents',
  'readyBy',
  'validUntil',
] as const

const lineColumns = [
  'offerId',
  'itemId',
  'name',
  'color',
  'notes',
  'quantity',
  'priceCents',
] as const

export async function readOffers(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Offer>> {
  if (ids.length === 0) return new Map()
  const offers = await db.selectFrom('offers').select(offerColumns).where('id', 'in', ids).execute()
  const lines = new Map<string, OfferLine[]>(ids.map((id) => [id, []]))
  for (const { offerId, priceCents, ...line } of await db
    .selectFrom('offerLines')
    .select(lineColumns)
    .where('offerId', 'in', ids)
    .orderBy('position')
    .execute())
    lines.get(offerId)!.push({ ...line, cents: priceCents })
  const sold = await db
    .selectFrom('offers')
    .innerJoin('orderItems as line', (join) =>
      join
        .onRef('line.orderId', '=', 'offers.orderId')
        .onRef('line.offerId', '=', 'offers.id')
        .on('line.isSold', '=', 1),
    )
    .select('offers.id')
    .where('offers.id', 'in', ids)
    .execute()
  const steps = await readSteps(db, ids)
  const parcels = await readParcels(db, ids)
  const found = new Map<string, Offer>(
    offers.map((offer) => [
      offer.id,
      {
        ...offer,
        isShipped: offer.isShipped === 1,
        isSold: sold.some(({ id }) => id === offer.id),
        lines: lines.get(offer.id)!,
        steps: steps.get(offer.id),
        parcel: parcels.get(offer.id),
      },
    ]),
  )
  await addPayments(db, found.values(), offerTotal)
  return found
}

/**
 * Reads the accepted offers of a conversation, and its canceled offers with payments, which the owner may have to return. An accepted offer is settled
 * when all of its pieces are sold and paid.
 */
export async function readAgreements(
  db: Db | Tx,
  orderId: string,
): Promise<(Offer & { isSettled: boolean })[]> {
  const agreed = db
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', orderId)
    .where('state', 'in', ['accepted', 'canceled'])
  const ids = (await agreed.orderBy('createdAt').orderBy('id').execute()).map(({ id }) => id)
  const lines = await db
    .selectFrom('orderItems')
    .select('offerId')
    .where('orderId', '=', orderId)
    .where('isSold', '=', 0)
    .execute()
  const unsold = new Set(lines.map(({ offerId }) => offerId))
  return [...(await readOffers(db, ids)).values()]
    .filter(({ state, payment }) => state === 'accepted' || payment)
    .map((offer) => ({
      ...offer,
      isSettled: offer.state === 'accepted' && !unsold.has(offer.id) && !offer.payment?.due,
    }))
}
