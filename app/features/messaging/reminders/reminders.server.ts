/** Nobody is left unaware: what stays unread becomes a letter, once for a burst, to either side. */
import { sql } from 'kysely'
import { ownersAddress, readSettings, readTalkSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { beginningOfLast } from '#app/features/messaging/message-pictures.server.ts'
import { MAX_MESSAGE, nameOf } from '#app/features/orders/order.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { minutesText } from '#app/features/settings/shop-settings.ts'

const UNREAD = 'unread'
const ROUND = 20_000

/** S-180 to S-183: one look at all conversations. `origin`: where links in letters lead; null: nowhere that is known. */
export async function remindOfUnread(shop: Shop, origin: string | null): Promise<void> {
  await dropLettersOfRead(shop)
  const { reminderMinutes: minutes } = await readTalkSettings(shop.db)
  if (minutes <= 0) return
  const now = shop.now()
  const { name: shopName, ownerName } = await readSettings(shop.db)
  const setting = { shopName, ownerName, origin, minutes }

  const owners = await listUnread(shop.db, 'owner', now)
  // All that waits goes into the one letter, so that the next one does not follow a minute later.
  const isNews = owners.some(({ since }) => isDue(since, minutes, now))
  const to = await ownersAddress(shop.db)
  let isAny = isNews && (await postLetter(shop, { to }, owners, (told) => letterToOwner(told, setting)))
  for (const one of await listUnread(shop.db, 'customers', now))
    if (
      isDue(one.since, minutes, now) &&
      (await postLetter(shop, { to: one.email, replyTo: to }, [one], () => letterToCustomer(one, setting)))
    )
      isAny = true
  if (isAny) await shop.mail.deliverDue()
}

type Addresses = { to: string; replyTo?: string }

/** S-181: what is told and the letter that tells it are one transaction; of two processes one writes. */
function postLetter(shop: Shop, addresses: Addresses, unread: Unread[], wordsOf: (told: Unread[]) => Words): Promise<boolean> {
  const [id, now] = [`${UNREAD}-${newId15()}`, shop.now()]
  return transact(shop.db, async (tx) => {
    const told: Unread[] = []
    for (const one of unread) if (await claim(tx, one, id, now)) told.push(one)
    if (told.length === 0) return false
    return shop.mail.post(tx, { id, kind: UNREAD, ...addresses, ...wordsOf(told) }, now)
  })
}

/** false: somebody else has told it meanwhile, or the conversation is gone. */
async function claim(tx: Tx, { orderId, reader, seen, lastSeq }: Unread, letterId: string, at: number): Promise<boolean> {
  if (!(await tx.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst())) return false
  const row = { seq: lastSeq, at, letterId }
  const claimed = await tx
    .insertInto('reminders')
    .values({ orderId, reader, ...row })
    .onConflict((same) =>
      same
        .columns(['orderId', 'reader'])
        .doUpdateSet(row)
        .where('reminders.seq', '<', lastSeq)
        .where((is) => is.or([is('reminders.seq', '<=', seen), is('reminders.at', '<=', at - QUIET)])),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** A letter that has not left is not sent once everything in it has been read, answered or deleted, or its reader is gone. One that cannot be delivered stays to be seen. */
async function dropLettersOfRead({ db, live, now }: Shop): Promise<void> {
  const dropped = await db
    .deleteFrom('outbox')
    .where('kind', '=', UNREAD)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', now())]))
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('reminders as told')
            .innerJoin('user', 'user.id', 'told.reader')
            .leftJoin('readMarks as mark', (join) =>
              join.onRef('mark.orderId', '=', 'told.orderId').onRef('mark.reader', '=', 'told.reader'),
            )
            .select('told.orderId')
            .whereRef('told.letterId', '=', 'outbox.id')
            .where((inner) => inner('told.seq', '>', inner.fn.coalesce('mark.seq', inner.lit(0))))
            .where((inner) =>
              inner.not(
                inner.exists(
                  inner
                    .selectFrom('messages as answer')
                    .select('answer.seq')
                    .whereRef('answer.orderId', '=', 'told.orderId')
                    .whereRef('answer.sender', '=', 'told.reader')
                    .whereRef('answer.seq', '>', 'told.seq'),
                ),
              ),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  if (dropped.numDeletedRows > 0n) live.changed('mail')
}

export const startReminders = (shop: Shop, origin: string | null): (() => Promise<void>) =>
  regularly({ every: ROUND, failure: 'unread messages could not be looked for', log: shop.log, isBegunNow: true }, () =>
    remindOfUnread(shop, origin),
  )

/** Nothing can be delivered there: the made-up addresses of guests. */
const NOWHERE = '%.invalid'

/**
 * S-180, S-183: conversations with a message beyond the reader's mark and beyond what was told. The time of an order is that of its last write, so
 * the index of the list leads to the few that can hold anything new. What came from the contact page was a letter from the beginning.
 */
async function listUnread(db: Db, side: 'owner' | 'customers', now: number): Promise<Unread[]> {
  const found: Unread[] = []
  for (const candidate of await listCandidates(db, side, now)) {
    const unread = await unreadOf(db, candidate, now)
    if (unread) found.push(unread)
  }
  return found
}

/** Of the owner's side all conversations; of the customers' those whose account still exists, and has an address. */
async function listCandidates(db: Db, side: 'owner' | 'customers', now: number) {
  const isOwner = side === 'owner'
  const reader = isOwner ? sql.lit(ADMIN_ID) : sql.ref<string>('user.id')
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('user', 'user.id', 'o.userId')
    .leftJoin('readMarks as mark', (join) => join.onRef('mark.orderId', '=', 'o.id').on('mark.reader', '=', reader))
    .leftJoin('reminders as told', (join) => join.onRef('told.orderId', '=', 'o.id').on('told.reader', '=', reader))
    .where('o.fromContactPage', '=', 0)
    .where('o.createdAt', '>=', now - TOLD_FOR)
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('mark.seq', is.lit(0))))
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('told.seq', is.lit(0))))
    .$if(!isOwner, (query) => query.where('user.email', 'not like', NOWHERE))
    .select(['o.id as orderId', 'user.id as userId', 'user.name', 'user.email', 'o.userName', 'o.userEmail'])
    .select(['mark.seq as marked', 'told.seq as toldSeq', 'told.at as toldAt'])
    .orderBy('o.id')
    .execute()
  return rows.map(({ userId, name, email, userName, userEmail, ...row }) =>
    isOwner
      ? { ...row, reader: ADMIN_ID, name: userName, email: userEmail.endsWith('.invalid') ? '' : userEmail }
      : { ...row, reader: userId!, name: name!, email: email! },
  )
}

type Candidate = Awaited<ReturnType<typeof listCandidates>>[number]

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
  // S-181: one letter for a burst, which ends when its messages are read, or after a quiet day.
  if (toldSeq !== null && toldSeq > seen && toldAt! > now - QUIET) return null
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

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** S-181: as long as nobody reads, no second letter comes sooner. */
const QUIET = 24 * HOUR
/** Messages that have been unread for longer get no email: after an outage, or when reminders are switched on, nobody gets old news. */
const TOLD_FOR = 72 * HOUR

type Unread = {
  orderId: string
  reader: string
  name: string
  email: string
  /** how far the reader has read, or written herself */
  seen: number
  lastSeq: number
  count: number
  /** of the first of them */
  since: number
  lastMessage: string
}

const isDue = (since: number, minutes: number, now: number): boolean => since <= now - minutes * MINUTE

const waitText = (minutes: number) => minutesText(minutes).replace('After ', '')
const messages = (count: number) => (count === 1 ? 'a message' : `${count} messages`)
const MOST_QUOTED = 200
const quoted = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? '(no text)' : line.length > MOST_QUOTED ? `${line.slice(0, MOST_QUOTED).toWellFormed()}…` : line
}

type Setting = { shopName: string; ownerName: string; origin: string | null; minutes: number }
type Words = { subject: string; text: string }

/** S-182: the way back asks who is not signed in to do so, and leads on from there. */
const wayBack = (origin: string, orderId = ''): string => `${origin}/login/?messages=${encodeURIComponent(orderId)}`

/** To the customer. Her address was never confirmed, so what was written stays in the shop. */
function letterToCustomer({ name, email, count }: Unread, { shopName, ownerName, origin, minutes }: Setting): Words {
  const subject = count === 1 ? `A message for you at ${shopName}` : `${count} messages for you at ${shopName}`
  const where = origin ? `Read and answer here:\n${wayBack(origin)}` : `To read and answer, open ${shopName}, sign in and press the bell.`
  return {
    subject,
    text: `Hello ${nameOf({ name, email })},

${ownerName} of ${shopName} has sent you ${messages(count)} that you have not read yet.

${where}

This letter came because something was unread for ${waitText(minutes)}. Until you have read it there is at most one a day.
`,
  }
}

/** To the owner: everything that waits for her, in one letter. */
function letterToOwner(unread: readonly Unread[], { shopName, origin, minutes }: Setting): Words {
  const [first] = unread
  const subject =
    unread.length === 1 ? `${nameOf(first!)} wrote to you at ${shopName}` : `${unread.length} customers wrote to you at ${shopName}`
  const told = unread.map(({ orderId, name, email, count, lastMessage }) => {
    const head = `${nameOf({ name, email })}${email ? ` (${email})` : ''}, ${count === 1 ? '1 unread message' : `${count} unread messages`}`
    return [head, `> ${quoted(lastMessage)}`, ...(origin ? [wayBack(origin, orderId)] : [])].join('\n')
  })
  return {
    subject,
    text: `${told.join('\n\n')}

This letter came because something was unread for ${waitText(minutes)}. You can change that, or switch it off, under "Replies and alerts".
`,
  }
}
