import { sql, type ExpressionBuilder } from 'kysely'
import type { Db, OrderTable, Tables } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { countRequests, countUnreadConversations } from '#app/features/messaging/conversation-list.server.ts'
import { hasUnread } from '#app/features/messaging/conversations.server.ts'
import { beginningOfLast } from '#app/features/messaging/message-pictures.server.ts'
import { countUndelivered } from '#app/features/admin/email-outbox/outbox.server.ts'
import { nameOf } from '#app/features/orders/order.ts'
import { shownName } from '#app/features/sales/receipt.ts'
import { listWaitingVoices } from '#app/features/testimonials/testimonies.server.ts'

/** A phone shows the first lists without scrolling. */
const SHOWN = 4

/** How many there are before the limit, told by each row, so that one query answers both. */
const inAll = sql<number>`count(*) over ()`.as('inAll')
const countedIn = (rows: { inAll: number }[]) => Number(rows[0]?.inAll ?? 0)

export async function listWaiting(db: Db) {
  const unread = await unreadConversations(db)
  const requests = await openRequests(db)
  const colors = await db
    .selectFrom('colors')
    .select(['name', 'isAvailable', inAll])
    .where((is) => is.or([is('isLowOnStock', '=', 1), is('isAvailable', '=', 0)]))
    .orderBy('name')
    .limit(12)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'buyerName', 'buyerEmail', 'itemName', 'salePriceCents'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  const voices = await listWaitingVoices(db, SHOWN)
  return {
    letters: await countUndelivered(db),
    unread: {
      count: await countUnreadConversations(db, ADMIN_ID),
      lines: unread.map(({ id, lastMessage, lastAt, ...user }) => ({ id, name: named(user), lastMessage, lastAt })),
    },
    requests: {
      count: await countRequests(db),
      lines: requests.map(({ id, pieces, cents, createdAt, ...user }) => ({
        id,
        name: named(user),
        pieces: Number(pieces),
        cents: Number(cents),
        createdAt,
      })),
    },
    voices: {
      count: voices.length < SHOWN ? voices.length : await countWaitingVoices(db),
      lines: voices.map(({ id, writerName, writtenAt, createdAt }) => ({
        id,
        name: writerName || 'Guest',
        writtenAt: writtenAt ?? createdAt,
      })),
    },
    colors: { count: countedIn(colors), lines: colors.map(({ name, isAvailable }) => ({ name, isAvailable: isAvailable === 1 })) },
    sales: sales.map((sale) => ({ id: sale.id, buyer: shownName(sale), itemName: sale.itemName, salePriceCents: sale.salePriceCents })),
  }
}

const named = ({ userName, userEmail }: { userName: string; userEmail: string }) => nameOf({ name: userName, email: userEmail })

const unreadConversations = (db: Db) =>
  db
    .selectFrom('orders as o')
    .leftJoin('messages as last', (join) => join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'))
    .select(['o.id', 'o.userName', 'o.userEmail', 'last.createdAt as lastAt'])
    .select(beginningOfLast(140).as('lastMessage'))
    .where((eb) => hasUnread(eb, ADMIN_ID))
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute()

const openRequests = (db: Db) =>
  db
    .selectFrom('orders as o')
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.createdAt'])
    .select((eb) => [
      unsold(eb)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('pieces'),
      unsold(eb)
        .select(({ fn }) => fn.sum<number>('item.priceCents').as('sum'))
        .as('cents'),
    ])
    .where('o.isClosed', '=', 0)
    .where('o.fromContactPage', '=', 0)
    .where((eb) => eb.exists(unsold(eb).select('item.itemId')))
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute()

const unsold = (eb: ExpressionBuilder<Tables & { o: OrderTable }, 'o'>) =>
  eb.selectFrom('orderItems as item').whereRef('item.orderId', '=', 'o.id').where('item.isSold', '=', 0)

async function countWaitingVoices(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('isAvailable', '=', 0)
    .where('isValidated', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countWaiting(db: Db): Promise<{ letters: number; failed: number; voices: number }> {
  const { failed, waiting } = await countUndelivered(db)
  return { letters: failed + waiting, failed, voices: await countWaitingVoices(db) }
}

export type Waiting = Awaited<ReturnType<typeof listWaiting>>
