/** Reads what a customer requested and agreed on, for the export of her data. */
import { dataExportTexts as texts } from '#app/features/account/texts.ts'
import { offerTotal } from '#app/features/offers/offer.ts'
import { readOffers } from '#app/features/offers/read-offers.server.ts'
import { trackingLink } from '#app/features/parcels/parcel.ts'
import type { Db } from '#db/schema.ts'

const isoText = (at: number): string => new Date(at).toISOString()

/** Reads the items of the customer's current order, every order request that she has ever made, and the offers that she got, with their payments and the addresses of their parcels. [S-196, AGREE-59] */
export async function readOwnOrder(db: Db, id: string) {
  const order = await db
    .selectFrom('orders')
    .select(['receiptTag', 'isClosed'])
    .where('id', '=', id)
    .executeTakeFirst()
  const lines = await db
    .selectFrom('orderItems')
    .selectAll()
    .where('orderId', '=', id)
    .orderBy('position')
    .orderBy('itemId')
    .execute()
  const requests = await db
    .selectFrom('requests')
    .selectAll()
    .where('orderId', '=', id)
    .orderBy('at')
    .orderBy('itemId')
    .execute()
  return {
    order: order && {
      receipt: order.receiptTag,
      isClosed: order.isClosed === 1,
      items: lines.map((line) => ({
        ...{ item: line.itemId, name: line.name, color: line.color, price: line.priceCents / 100 },
        // "price" and "shownPrice" are for one piece, and "agreedPrice" is for all pieces.
        ...{
          quantity: line.quantity,
          agreedPrice: line.agreedCents === null ? null : line.agreedCents / 100,
        },
        shownPrice: line.shownPriceCents === null ? null : line.shownPriceCents / 100,
        isSold: line.isSold === 1,
      })),
    },
    requests: requests.map((one) => ({
      item: one.itemId,
      category: one.categoryTitle,
      askedAt: isoText(one.at),
      cameToSale: one.saleId !== null,
    })),
    offers: await readOwnOffers(db, id),
  }
}

async function readOwnOffers(db: Db, id: string) {
  const sent = await db
    .selectFrom('offers')
    .select(['id', 'createdAt'])
    .where('orderId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const offers = await readOffers(
    db,
    sent.map((offer) => offer.id),
  )
  return sent.map((row) => {
    const offer = offers.get(row.id)!
    const { state, readyBy, shippingCents, depositCents, creditCode, creditCents, parcel } = offer
    return {
      ...{ sentAt: isoText(row.createdAt), validUntil: isoText(offer.validUntil), state, readyBy },
      lines: offer.lines.map(({ cents, ...line }) => ({ ...line, price: cents / 100 })),
      ...{ shipping: shippingCents / 100, total: offerTotal(offer) / 100 },
      ...{
        deposit: depositCents / 100,
        credit: creditCode === null ? null : { code: creditCode, amount: creditCents / 100 },
      },
      payments: (offer.payment?.payments ?? []).map(({ cents, ...payment }) => ({
        ...payment,
        amount: cents / 100,
      })),
      parcel: parcel && {
        ...{ recipient: parcel.recipient, address: parcel.address, tracking: trackingLink(parcel) },
        shippedAt: parcel.shippedAt === null ? null : isoText(parcel.shippedAt),
        arrivedAt: parcel.arrivedAt === null ? null : isoText(parcel.arrivedAt),
      },
    }
  })
}

type OwnOffer = Awaited<ReturnType<typeof readOwnOffers>>[number]

export const offerSummary = ({ lines, state, parcel }: OwnOffer) => ({
  names: lines.map(({ name, quantity }) => texts.pieces(name, quantity)).join(', '),
  state,
  shipTo: parcel
    ? [parcel.recipient, ...parcel.address.split('\n')].filter(Boolean).join(', ')
    : '',
})
