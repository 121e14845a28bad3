import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { AppServices } from '#services/context.ts'
import {
  countConversations,
  newestConversations,
  requestedItems,
  requestedPieces,
} from '#messaging/list/conversation-list.server.ts'
import { hasUnread } from '#conversation/read-receipts.server.ts'
import { countUndeliveredEmails } from '../mail/mail.server.ts'
import { customerName, customerOf } from '#conversation/people.ts'
import { readOpenAmounts } from '#payments/payments.server.ts'
import { listUnsoldHandovers } from '#production-queue/production-queue.server.ts'
import { buyerDisplayName } from '#sales/receipt.ts'
import { listPendingTestimonies } from '#testimonials/testimonies.server.ts'

const MAX_SHOWN = 4

const totalCount = sql<number>`count(*) over ()`.as('inAll')

export async function listPendingItems(app: Pick<AppServices, 'db' | 'live'>) {
  const { db } = app
  const counts = await countConversations(app, OWNER_ID)
  const unread = counts.unread === 0 ? [] : await unreadConversations(db)
  const requests = counts.requests === 0 ? [] : await openRequests(db)
  const colors = await db
    .selectFrom('colors')
    .select(['name', 'isAvailable', totalCount])
    .where((eb) => eb.or([eb('isLowOnStock', '=', true), eb('isAvailable', '=', false)]))
    .orderBy('name')
    .limit(12)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'buyerName', 'buyerEmail', 'itemName', 'salePriceCents', 'cancels'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
  const handedOver = await listUnsoldHandovers(db)
  const testimonies = await listPendingTestimonies(db, MAX_SHOWN)
  return {
    emails: await countUndeliveredEmails(db),
    openAmounts: await readOpenAmounts(db, MAX_SHOWN),
    handedOver: { count: handedOver.length, lines: handedOver.slice(0, MAX_SHOWN) },
    unread: {
      count: counts.unread,
      lines: unread.map(({ userName, userEmail, ...line }) => ({
        ...line,
        viewerId: OWNER_ID,
        name: customerOf({ userName, userEmail }),
      })),
    },
    requests: {
      count: counts.requests,
      lines: requests.map(({ id, pieces, cents, at, ...order }) => ({
        id,
        name: customerOf(order),
        pieces: Number(pieces),
        cents: Number(cents),
        at,
      })),
    },
    testimonies: {
      count: await countPendingTestimonies(db),
      lines: testimonies.map(({ id, writerName, writerEmail, createdAt }) => ({
        id,
        name: customerName({ name: writerName, email: writerEmail }),
        writtenAt: createdAt,
      })),
    },
    colors: { count: Number(colors[0]?.inAll ?? 0), lines: colors },
    sales: sales.map(({ buyerName, buyerEmail, cancels, ...sale }) => ({
      ...sale,
      buyer: buyerDisplayName({ buyerName, buyerEmail }),
      isCancellation: cancels !== null,
    })),
  }
}

const unreadConversations = (db: Db) =>
  newestConversations(db)
    .where((eb) => hasUnread(eb, OWNER_ID))
    .limit(MAX_SHOWN)
    .execute()

const openRequests = (db: Db) =>
  db
    .selectFrom('orders as o')
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.lastMessageAt as at'])
    .select((eb) => [
      requestedPieces(eb),
      requestedItems(eb)
        .select(({ fn }) =>
          fn
            .sum<number>(fn.coalesce('line.agreedCents', 'line.shownPriceCents', 'line.priceCents'))
            .as('sum'),
        )
        .as('cents'),
    ])
    .where('o.isClosed', '=', false)
    .where('o.fromContactPage', '=', false)
    .where((eb) => eb.exists(requestedItems(eb).select('line.itemId')))
    .orderBy('o.lastMessageAt', 'desc')
    .orderBy('o.id')
    .limit(MAX_SHOWN)
    .execute()

const countPendingTestimonies = (db: Db) =>
  countRows(
    db.selectFrom('testimonies').where('isAvailable', '=', false).where('isValidated', '=', false),
  )

export async function countPendingItems(db: Db) {
  const { failed, waiting } = await countUndeliveredEmails(db)
  return { emails: failed + waiting, failed, testimonies: await countPendingTestimonies(db) }
}

export type PendingItems = Awaited<ReturnType<typeof listPendingItems>>
