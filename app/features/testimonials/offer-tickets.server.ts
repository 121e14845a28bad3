import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import type { Currency } from '#lib/text/currency.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { appendMessage, lockOrder, lockReceipt } from '#conversation/conversation.server.ts'
import { buyerDisplayName } from '#sales/receipt.ts'
import { findReceipt } from '#sales/sales.server.ts'
import { withRegionalSettings } from '#settings/settings.server.ts'
import { ensureTicket, ticketUrl } from './testimonies.server.ts'
import { rewardText } from './testimony.ts'
import { ticketMessage } from './texts.ts'

const DAY_MS = 86_400_000
const POLL_MS = 5 * 60_000

async function readTicketSetting(db: Db) {
  const row = await db
    .selectFrom('settings')
    .select(['value', 'updatedAt'])
    .where('key', '=', 'ticketDays')
    .executeTakeFirst()
  const days = Number(/^"(\d{1,3})"$/.exec(row?.value ?? '')?.[1] ?? 0)
  return days > 0 ? { days, since: row!.updatedAt } : null
}

export async function offerTickets(services: AppServices) {
  const setting = await readTicketSetting(services.db)
  const { emailLinkOrigin: origin } = services
  if (!setting || origin === null) return
  const app = await withRegionalSettings(services)
  const delay = setting.days * DAY_MS
  const now = app.now()
  for (const { key, orderId, at } of await listHandovers(app.db, setting.since - delay)) {
    if (at === null || at + delay > now || at + delay < setting.since) continue
    const isOffered = await inTransaction(app.db, (tx) =>
      offerTicket(tx, { key, orderId, origin, currency: app.currency, now }),
    )
    if (isOffered) app.live.changed('orders', `order:${orderId}`, 'sales', 'tickets')
  }
}

async function listHandovers(db: Db, from: number) {
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
    .where('o.fromContactPage', '=', false)
    .where('s.buyerEmail', '<>', '')
    .where('s.buyerEmail', 'not like', '%.invalid')
    .where('s.cancels', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sales as c').select('c.id').whereRef('c.cancels', '=', 's.id'))),
    )
    .where(({ or, and, eb }) =>
      or([
        eb('t.id', 'is', null),
        and([eb('t.isAvailable', '=', true), eb('t.offeredAt', 'is', null)]),
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

type Handover = {
  isSold: boolean
  isShipped: boolean
  shippedAt: number | null
  arrivedAt: number | null
  handedOver: readonly (number | null)[]
}

/** Returns UTC ms, or null before the handover. [AGREE-62] */
export function handoverOf(handover: Handover | undefined, soldAt: number) {
  if (!handover) return soldAt
  const { isSold, isShipped, shippedAt, arrivedAt, handedOver } = handover
  if (!isSold) return null
  if (arrivedAt !== null) return arrivedAt
  if (handedOver.includes(null)) return null
  if (handedOver.length > 0) return Math.max(...handedOver.map(Number), shippedAt ?? 0)
  return isShipped ? shippedAt : soldAt
}

async function readHandovers(db: Db, offerIds: string[]) {
  if (offerIds.length === 0) return new Map<string, Handover>()
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
    .where('isSold', '=', false)
    .execute()
  return new Map(
    offers.map(({ id, ...offer }): [string, Handover] => [
      id,
      {
        ...offer,
        isSold: !unsold.some(({ offerId }) => offerId === id),
        handedOver: steps
          .filter(({ offerId }) => offerId === id)
          .map(({ handedOverAt }) => handedOverAt),
      },
    ]),
  )
}

type TicketOffer = { key: string; orderId: string; origin: string; currency: Currency; now: number }

async function offerTicket(tx: Tx, { key, orderId, origin, currency, now }: TicketOffer) {
  const order = await lockOrder(tx, orderId)
  if (!order || order.userId === null) return false
  await lockReceipt(tx, key)
  const ticket = await ensureTicket(tx, key, now, 'shop')
  if (!ticket.ok) return false
  const { numUpdatedRows } = await tx
    .updateTable('testimonies')
    .set({ offeredAt: now })
    .where('id', '=', ticket.id)
    .where('offeredAt', 'is', null)
    .where('isAvailable', '=', true)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const receipt = (await findReceipt(tx, key))!
  const names = receipt.items.filter(({ isCanceled }) => !isCanceled).map(({ name }) => name)
  const link = ticketUrl(origin, ticket.id)
  const message = ticketMessage(names, rewardText(currency), link)
  await appendMessage(tx, orderId, { message, sender: OWNER_ID }, now)
  await recordAuditEvent(tx, {
    at: now,
    actor: 'shop',
    act: 'offer-ticket',
    subject: key,
    name: buyerDisplayName(receipt),
  })
  return true
}

export const startOfferingTickets = (app: AppServices) =>
  runEvery(
    {
      every: POLL_MS,
      failure: 'testimony tickets could not be offered',
      log: app.log,
    },
    () => offerTickets(app),
  )
