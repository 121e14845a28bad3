/** Writes the email to the owner about the open order of a customer who has deleted her account. [S-223] */
import type { Tx } from '#db/schema.ts'
import { openOrderEmailTexts as texts } from '#app/features/account/texts.ts'
import { offerTotal } from '#app/features/offers/offer.ts'
import { readAgreements } from '#app/features/offers/read-offers.server.ts'
import { customerName } from '#app/features/orders/order.ts'
import { paidText } from '#app/features/payments/texts.ts'
import { paymentReference } from '#app/features/payments/ways-to-pay.server.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { Currency } from '#app/lib/text/currency.ts'

/** Returns null if the customer has no order, if it has neither pieces nor agreements, or if it is closed and all of its agreements are settled. */
export async function findOpenOrder(tx: Tx, id: string) {
  const order = await tx
    .selectFrom('orders')
    .select(['receiptTag', 'isClosed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!order) return null
  const lines = await tx
    .selectFrom('orderItems as i')
    .leftJoin('sales as s', 's.id', 'i.saleId')
    .select([
      'i.name',
      'i.priceCents',
      'i.agreedCents',
      'i.quantity',
      'i.isSold',
      's.salePriceCents',
    ])
    .where('i.orderId', '=', id)
    .orderBy('i.position')
    .orderBy('i.itemId')
    .execute()
  const offers = await readAgreements(tx, id)
  const isOpen = order.isClosed
    ? offers.some(({ isSettled }) => !isSettled)
    : lines.length > 0 || offers.length > 0
  return isOpen ? { ...order, lines, offers } : null
}
type OpenOrder = NonNullable<Awaited<ReturnType<typeof findOpenOrder>>>

/** Lists the pieces with their sold, agreed or original prices, and the offers with their payments, because the owner may still have to hand over pieces or return money. The shop deletes sent emails after 30 days. */
export function openOrderEmail(
  { receiptTag, lines, offers }: OpenOrder,
  who: { name: string; email: string },
  shopName: string,
  currency: Currency,
) {
  const name = customerName(who)
  const money = (cents: number) => formatMoney(cents, currency)
  const section = (title: string, listed: string[]) =>
    listed.length > 0 ? [[title, ...listed.map((line) => `- ${line}`)].join('\n')] : []
  const pieces = (isSold: 0 | 1) =>
    lines
      .filter((line) => line.isSold === isSold)
      .map((line) => {
        const cents = line.salePriceCents ?? line.agreedCents ?? line.priceCents * line.quantity
        return `${line.name}${line.quantity > 1 ? ` × ${line.quantity}` : ''}, ${money(cents)}`
      })
  const text = [
    texts.start({ name, email: who.email, shopName, receiptTag }),
    ...section(texts.notRequested, pieces(0)),
    ...section(texts.alreadySold, pieces(1)),
    ...section(
      texts.offers,
      offers.map((offer) => {
        const paid = (offer.payment?.payments ?? []).map(
          (payment) => `${paidText(payment)}: ${money(payment.cents)}`,
        )
        return texts.offer({
          reference: paymentReference(offer.id),
          isCanceled: offer.state === 'canceled',
          total: money(offerTotal(offer)),
          paid,
        })
      }),
    ),
    texts.end,
  ]
  return { subject: texts.subject(name), text: `${text.join('\n\n')}\n`, replyTo: who.email }
}
