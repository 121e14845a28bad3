/** Sends buyers their testimony ticket as a message in the conversation, some days after the handover. */
import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { appendMessage, lockOrder } from '#app/features/orders/orders.server.ts'
import { lockReceipt } from '#app/features/orders/undo-sale.server.ts'
import { buyerDisplayName } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { withRegionalSettings } from '#app/features/settings/settings.server.ts'
import { handoverOf, type Handover } from './handover.ts'
import { ensureTicket } from './testimonies.server.ts'
import { rewardText } from './testimony.ts'
import { ticketMessage } from './ticket-message.ts'

const DAY_MS = 86_400_000
const POLL_MS = 5 * 60_000

/** Returns the number of days and the time when the owner chose this number, or null if she sends no testimony tickets. */
async function readTicketSetting(db: Db): Promise<{ days: number; since: number } | null> {
  const row = await db
    .selectFrom('settings')
    .select(['value', 'updatedAt'])
    .where('key', '=', 'ticketDays')
    .executeTakeFirst()
  const days = Number(/^"(\d{1,3})"$/.exec(row?.value ?? '')?.[1] ?? 0)
  return days > 0 ? { days, since: row!.updatedAt } : null
}

/**
 * Sends all testimony tickets that are due. A receipt that was due before the owner chose the number of days gets no message, so that the owner
 * does not write to all earlier buyers. Links begin with `origin`. Without a known origin, nothing is sent. [AGREE-60]
 */
export async function offerTickets(services: AppServices, origin: string | null): Promise<void> {
  const setting = await readTicketSetting(services.db)
  if (!setting || origin === null) return
  const app = await withRegionalSettings(services)
  const delay = setting.days * DAY_MS
  const now = app.now()
  for (const { key, orderId, at } of await listHandovers(app.db, setting.since - delay)) {
    if (at === null || at + delay > now || at + delay < setting.since) continue
    const isOffered = await inTransaction(app.db, (tx) =>
      offerTicket(tx, { key, orderId }, { origin, currency: app.currency, now }),
    )
    if (isOffered) app.live.changed('orders', `order:${orderId}`, 'sales', 'tickets')
  }
}

/** Lists the receipts for which a testimony ticket may be sent. Their buyers have a conversation and an account with an email address, and have neither got the ticket nor used it. */
async function listHandovers(db: Db, from: number) {
  // Some agreed pieces are sold long before their handover. Both databases find each group of sales with an index.
  const soldInOffers = db
    .selectFrom('offers')
    .innerJoin('orderItems as agreed', (join) =>
      join.onRef('agreed.orderId', '=', 'offers.orderId').onRef('agreed.offerId', '=', 'offers.id'),
    )
    .select('agreed.saleId')
    .where('offers.state', '=', 'accepted')
    .where('agreed.saleId', 'is not', null)
    .$castTo<{ saleId: string }>()
  const rows = await db
    .selectFrom('sales as s')
    .innerJoin('orders as o', 'o.id', 's.buyerId')
    .leftJoin('orderItems as line', (join) =>
      join.onRef('line.orderId', '=', 'o.id').onRef('line.saleId', '=', 's.id'),
    )
    .leftJoin('testimonies as t', (join) =>
      join.on(sql<SqlBool>`"t"."receiptTag" = coalesce(nullif("s"."receiptTag", ''), "s"."id")`),
    )
    .select(['s.id', 's.receiptTag', 's.createdAt', 's.buyerId', 'line.offerId'])
    .where('o.userId', 'is not', null)
    .where('o.fromContactPage', '=', 0)
    .where('s.buyerEmail', '<>', '')
    .where('s.buyerEmail', 'not like', '%.invalid')
    .where('s.cancels', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sales as c').select('c.id').whereRef('c.cancels', '=', 's.id'))),
    )
    .where(({ or, and, eb }) =>
      or([
        eb('t.id', 'is', null),
        and([eb('t.isAvailable', '=', 1), eb('t.offeredAt', 'is', null)]),
      ]),
    )
    .where(({ or, eb }) => or([eb('s.createdAt', '>=', from), eb('s.id', 'in', soldInOffers)]))
    .execute()
  const handovers = await readHandovers(db, [
    ...new Set(rows.flatMap(({ offerId }) => offerId ?? [])),
  ])
  return [...Map.groupBy(rows, receiptKey)].map(([key, sales]) => {
    const times = sales.map(({ offerId, createdAt }) =>
      offerId === null ? createdAt : handoverOf(handovers.get(offerId), createdAt),
    )
    return {
      key,
      orderId: sales[0]!.buyerId,
      at: times.includes(null) ? null : Math.max(...times.map(Number)),
    }
  })
}

async function readHandovers(db: Db, offerIds: string[]): Promise<Map<string, Handover>> {
  if (offerIds.length === 0) return new Map()
  const offers = await db
    .selectFrom('offers')
    .leftJoin('parcels', 'parcels.offerId', 'offers.id')
    .select(['offers.id', 'offers.isShipped', 'parcels.shippedAt', 'parcels.arrivedAt'])
    .where('offers.id', 'in', offerIds)
    .execute()
  const steps = await db
    .selectFrom('queueEntries')
    .select(['offerId', 'handedOverAt'])
    .where('offerId', 'in', offerIds)
    .execute()
  const unsold = await db
    .selectFrom('orderItems')
    .select('offerId')
    .where('offerId', 'in', offerIds)
    .where('isSold', '=', 0)
    .execute()
  return new Map(
    offers.map(({ id, isShipped, shippedAt, arrivedAt }) => {
      const handedOver = steps
        .filter(({ offerId }) => offerId === id)
        .map(({ handedOverAt }) => handedOverAt)
      return [
        id,
        {
          isSold: !unsold.some(({ offerId }) => offerId === id),
          isShipped: isShipped === 1,
          shippedAt,
          arrivedAt,
          handedOver,
        },
      ]
    }),
  )
}

type Offering = { origin: string; currency: Currency; now: number }

/** Creates the testimony ticket if the receipt has none, and sends its link as a message of the owner. If two processes do this concurrently, only one sends the message. [AGREE-60, AGREE-61] */
async function offerTicket(
  tx: Tx,
  { key, orderId }: { key: string; orderId: string },
  { origin, currency, now }: Offering,
) {
  const order = await lockOrder(tx, orderId)
  if (!order || order.userId === null) return false
  await lockReceipt(tx, key)
  const ticket = await ensureTicket(tx, key, now, 'shop')
  if (!ticket.ok) return false
  const claimed = await tx
    .updateTable('testimonies')
    .set({ offeredAt: now })
    .where('id', '=', ticket.id)
    .where('offeredAt', 'is', null)
    .where('isAvailable', '=', 1)
    .executeTakeFirst()
  if (claimed.numUpdatedRows === 0n) return false
  const receipt = (await findReceipt(tx, key))!
  const names = receipt.items.filter(({ isCanceled }) => !isCanceled).map(({ name }) => name)
  const message = ticketMessage(
    names,
    rewardText(currency),
    `${origin}/writetestimonials/${ticket.id}`,
  )
  await appendMessage(tx, orderId, { id: newId15(), message, sender: ADMIN_ID }, now)
  await recordAuditEvent(tx, {
    at: now,
    actor: 'shop',
    act: 'offer-ticket',
    subject: key,
    name: buyerDisplayName(receipt),
  })
  return true
}

export const startOfferingTickets = (
  app: AppServices,
  origin: string | null,
): (() => Promise<void>) =>
  runEvery(
    {
      every: POLL_MS,
      failure: 'testimony tickets could not be offered',
      log: app.log,
      isBegunNow: true,
    },
    () => offerTickets(app, origin),
  )
