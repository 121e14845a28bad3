import { sql, type ExpressionBuilder } from 'kysely'
import type { Db, OrderTable, Tables } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import type { AppServices } from '#app/services/context.ts'
import { countConversations } from '#app/features/messaging/conversation-list.server.ts'
import { hasUnread } from '#app/features/messaging/conversations.server.ts'
import { lastMessageExcerpt } from '#app/features/messaging/message-images.server.ts'
import { countUndeliveredEmails } from '#app/features/admin/email-outbox/outbox.server.ts'
import { customerName } from '#app/features/orders/order.ts'
import { readOpenAmounts } from '#app/features/payments/payments.server.ts'
import { listUnsoldHandovers } from '#app/features/production-queue/queue-page.server.ts'
import { buyerDisplayName } from '#app/features/sales/receipt.ts'
import { listPendingTestimonies } from '#app/features/testimonials/testimonies.server.ts'

/** Each list on the dashboard shows at most this many entries, so that a phone shows the first lists without scrolling. */
const MAX_SHOWN = 4

/** This column contains the number of all matching rows, because a query with a limit returns only some of the rows. */
const totalCount = sql<number>`count(*) over ()`.as('inAll')
const totalOf = (rows: { inAll: number }[]) => Number(rows[0]?.inAll ?? 0)

export async function listPendingItems(app: Pick<AppServices, 'db' | 'live'>) {
  const { db } = app
  const counts = await countConversations(app, ADMIN_ID)
  const unread = counts.unread === 0 ? [] : await unreadConversations(db)
  const requests = counts.requests === 0 ? [] : await openRequests(db)
  const colors = await db
    .selectFrom('colors')
    .select(['name', 'isAvailable', totalCount])
    .where((is) => is.or([is('isLowOnStock', '=', 1), is('isAvailable', '=', 0)]))
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
        viewerId: ADMIN_ID,
        name: displayName({ userName, userEmail }),
      })),
    },
    requests: {
      count: counts.requests,
      lines: requests.map(({ id, pieces, cents, lastMessageAt, ...user }) => ({
        id,
        name: displayName(user),
        pieces: Number(pieces),
        cents: Number(cents),
        at: lastMessageAt,
      })),
    },
    testimonies: {
      count:
        testimonies.length < MAX_SHOWN ? testimonies.length : await countPendingTestimonies(db),
      lines: testimonies.map(({ id, writerName, writerEmail, writtenAt, createdAt }) => ({
        id,
        name: customerName({ name: writerName, email: writerEmail }),
        writtenAt: writtenAt ?? createdAt,
      })),
    },
    colors: {
      count: totalOf(colors),
      lines: colors.map(({ name, isAvailable }) => ({ name, isAvailable: isAvailable === 1 })),
    },
    sales: sales.map((sale) => ({
      id: sale.id,
      buyer: buyerDisplayName(sale),
      itemName: sale.itemName,
      isCancellation: sale.cancels !== null,
      salePriceCents: sale.salePriceCents,
    })),
  }
}

const displayName = ({ userName, userEmail }: { userName: string; userEmail: string }) =>
  customerName({ name: userName, email: userEmail })

const unreadConversations = (db: Db) =>
  db
    .selectFrom('orders as o')
    .leftJoin('messages as last', (join) =>
      join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'),
    )
    .select([
      'o.id',
      'o.userName',
      'o.userEmail',
      'last.sender as lastSender',
      'last.createdAt as lastAt',
    ])
    .select(lastMessageExcerpt(140).as('lastMessage'))
    .where((eb) => hasUnread(eb, ADMIN_ID))
    .orderBy('o.lastMessageAt', 'desc')
    .orderBy('o.id')
    .limit(MAX_SHOWN)
    .execute()

const openRequests = (db: Db) =>
  db
    .selectFrom('orders as o')
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.lastMessageAt'])
    .select((eb) => [
      unsold(eb)
        .select(({ fn }) => fn.sum<number>('item.quantity').as('sum'))
        .as('pieces'),
      unsold(eb)
        .select(({ fn }) =>
          fn
            .sum<number>(fn.coalesce('item.agreedCents', 'item.shownPriceCents', 'item.priceCents'))
            .as('sum'),
        )
        .as('cents'),
    ])
    .where('o.isClosed', '=', 0)
    .where('o.fromContactPage', '=', 0)
    .where((eb) => eb.exists(unsold(eb).select('item.itemId')))
    .orderBy('o.lastMessageAt', 'desc')
    .orderBy('o.id')
    .limit(MAX_SHOWN)
    .execute()

const unsold = (eb: ExpressionBuilder<Tables & { o: OrderTable }, 'o'>) =>
  eb
    .selectFrom('orderItems as item')
    .whereRef('item.orderId', '=', 'o.id')
    .where('item.isSold', '=', 0)

async function countPendingTestimonies(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('isAvailable', '=', 0)
    .where('isValidated', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countPendingItems(
  db: Db,
): Promise<{ emails: number; failed: number; testimonies: number }> {
  const { failed, waiting } = await countUndeliveredEmails(db)
  return { emails: failed + waiting, failed, testimonies: await countPendingTestimonies(db) }
}

export type PendingItems = Awaited<ReturnType<typeof listPendingItems>>
