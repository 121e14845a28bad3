/** What waits for the owner when she opens her side of the shop. */
import type { Db } from '#db/tables.ts'
import { listConversations } from '#app/features/orders/conversation-reads.server.ts'
import { countUndelivered } from '#app/features/mail/outbox.server.ts'
import { nameOf } from '#app/features/orders/order.ts'
import { shownName } from '#app/features/sales/receipt.ts'
import { listWaitingVoices } from '#app/features/testimonials/moderation.server.ts'

/** Conversations with something unread, testimonies to look at, letters that could not be delivered, colours to buy again, the newest sales. */
export async function listWaiting(db: Db) {
  const unread = (await listConversations(db)).filter((line) => line.unread > 0).slice(0, 8)
  const colors = await db
    .selectFrom('colors')
    .select(['id', 'name', 'isAvailable'])
    .where((is) => is.or([is('isLowOnStock', '=', 1), is('isAvailable', '=', 0)]))
    .orderBy('name')
    .limit(12)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'buyerName', 'buyerEmail', 'itemName', 'salePriceCents'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(5)
    .execute()
  const voices = await listWaitingVoices(db, 8)
  return {
    letters: await countUndelivered(db),
    voices: voices.map(({ id, writerName, writtenAt, createdAt }) => ({
      id,
      name: writerName || 'Guest',
      writtenAt: writtenAt ?? createdAt,
    })),
    unread: unread.map(({ id, user, createdAt }) => ({ id, name: nameOf(user), createdAt })),
    colors,
    sales: sales.map((sale) => ({ id: sale.id, buyer: shownName(sale), itemName: sale.itemName, salePriceCents: sale.salePriceCents })),
  }
}

export type Waiting = Awaited<ReturnType<typeof listWaiting>>
