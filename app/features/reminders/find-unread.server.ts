/** Who has messages that she has not read, and has not been told of. */
import { beginningOfLast } from '#app/features/conversations/message-pictures.server.ts'
import { MAX_MESSAGE } from '#app/features/orders/order.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { Db } from '#db/tables.ts'
import { isTold, TOLD_FOR, type Unread } from './reminder.ts'

/** Nothing can be delivered there: the made-up addresses of guests. */
const NOWHERE = '%.invalid'

type Candidate = Pick<Unread, 'orderId' | 'reader' | 'name' | 'email'> & {
  marked: number | null
  toldSeq: number | null
  toldAt: number | null
}

/**
 * S-180, S-183: conversations with a message beyond the reader's mark and beyond what was told. The time of an order is that of its last write, so
 * the index of the list leads to the few that can hold anything new. What came from the contact page was a letter from the beginning.
 */
export async function listUnread(db: Db, side: 'owner' | 'customers', now: number): Promise<Unread[]> {
  const found: Unread[] = []
  for (const candidate of side === 'owner' ? await ofOwner(db, now) : await ofCustomers(db, now)) {
    const unread = await unreadOf(db, candidate, now)
    if (unread) found.push(unread)
  }
  return found
}

const conversations = (db: Db, now: number) =>
  db
    .selectFrom('orders as o')
    .where('o.fromContactPage', '=', 0)
    .where('o.createdAt', '>=', now - TOLD_FOR)
    .orderBy('o.id')

const ofOwner = (db: Db, now: number): Promise<Candidate[]> =>
  conversations(db, now)
    .leftJoin('readMarks as mark', (join) => join.onRef('mark.orderId', '=', 'o.id').on('mark.reader', '=', ADMIN_ID))
    .leftJoin('reminders as told', (join) => join.onRef('told.orderId', '=', 'o.id').on('told.reader', '=', ADMIN_ID))
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('mark.seq', is.lit(0))))
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('told.seq', is.lit(0))))
    .select([
      'o.id as orderId',
      'o.userName as name',
      'o.userEmail as email',
      'mark.seq as marked',
      'told.seq as toldSeq',
      'told.at as toldAt',
    ])
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, email: row.email.endsWith('.invalid') ? '' : row.email, reader: ADMIN_ID })))

const ofCustomers = (db: Db, now: number): Promise<Candidate[]> =>
  conversations(db, now)
    .innerJoin('user', 'user.id', 'o.userId')
    .leftJoin('readMarks as mark', (join) => join.onRef('mark.orderId', '=', 'o.id').onRef('mark.reader', '=', 'user.id'))
    .leftJoin('reminders as told', (join) => join.onRef('told.orderId', '=', 'o.id').onRef('told.reader', '=', 'user.id'))
    .where('user.email', 'not like', NOWHERE)
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('mark.seq', is.lit(0))))
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('told.seq', is.lit(0))))
    .select([
      'o.id as orderId',
      'user.id as reader',
      'user.name',
      'user.email',
      'mark.seq as marked',
      'told.seq as toldSeq',
      'told.at as toldAt',
    ])
    .execute()

/** Whoever has written since has read what was there. */
async function unreadOf(db: Db, { marked, toldSeq, toldAt, ...who }: Candidate, now: number): Promise<Unread | null> {
  const { own } = await db
    .selectFrom('messages')
    .select((is) => is.fn.max('seq').as('own'))
    .where('orderId', '=', who.orderId)
    .where('sender', '=', who.reader)
    .where('seq', '>', marked ?? 0)
    .executeTakeFirstOrThrow()
  const seen = Math.max(marked ?? 0, own ?? 0)
  if (isTold(toldSeq === null ? null : { seq: toldSeq, at: toldAt! }, seen, now)) return null
  const waiting = db
    .selectFrom('messages')
    .where('orderId', '=', who.orderId)
    .where('seq', '>', Math.max(seen, toldSeq ?? 0))
    .where('sender', '!=', who.reader)
  const { count, since, lastSeq } = await waiting
    .select((is) => [is.fn.countAll<number>().as('count'), is.fn.min('createdAt').as('since'), is.fn.max('seq').as('lastSeq')])
    .where('createdAt', '>=', now - TOLD_FOR)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return null
  const { message } = await db
    .selectFrom('messages as last')
    .select(beginningOfLast(MAX_MESSAGE).as('message'))
    .where('last.orderId', '=', who.orderId)
    .where('last.seq', '=', lastSeq)
    .executeTakeFirstOrThrow()
  return { ...who, seen, lastSeq, count: Number(count), since: Number(since), lastMessage: message ?? '' }
}
