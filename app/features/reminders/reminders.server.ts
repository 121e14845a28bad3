/** Nobody is left unaware: what stays unread becomes a letter, once for a burst, to either side. */
import { ownersAddress } from '#app/features/settings/owners-address.server.ts'
import { readSettings, readTalkSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { listUnread } from './find-unread.server.ts'
import { isDue, letterToCustomer, letterToOwner, QUIET, type Unread, type Words } from './reminder.ts'

/** The kind of these letters in the outbox. */
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
  const toOwner = { to: await ownersAddress(shop.db), unread: owners, words: (told: Unread[]) => letterToOwner(told, setting) }
  const customers = (await listUnread(shop.db, 'customers', now)).filter(({ since }) => isDue(since, minutes, now))
  const replyTo = toOwner.to
  const toCustomers = customers.map((one) => ({ to: one.email, replyTo, unread: [one], words: () => letterToCustomer(one, setting) }))
  let isAny = false
  for (const letter of [...(isNews ? [toOwner] : []), ...toCustomers]) isAny = (await postLetter(shop, letter, now)) || isAny
  if (isAny) await shop.mail.deliverDue()
}

type Wanted = { to: string; replyTo?: string; unread: Unread[]; words: (told: Unread[]) => Words }

/** S-181: what is told and the letter that tells it are one transaction; of two processes one writes. */
function postLetter(shop: Shop, { to, replyTo, unread, words }: Wanted, now: number): Promise<boolean> {
  const id = `${UNREAD}-${newId15()}`
  return transact(shop.db, async (tx) => {
    const told: Unread[] = []
    for (const one of unread) if (await claim(tx, one, id, now)) told.push(one)
    if (told.length === 0) return false
    return shop.mail.post(tx, { id, kind: UNREAD, to, ...(replyTo && { replyTo }), ...words(told) }, now)
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

/** The clock; gives what stops it. A round that takes long is not joined by a second one. */
export function startReminders(shop: Shop, origin: string | null): () => Promise<void> {
  let round: Promise<void> | null = null
  const look = () => {
    round ??= remindOfUnread(shop, origin)
      .catch((error: unknown) => shop.log.error('unread messages could not be looked for', error))
      .finally(() => (round = null))
  }
  look()
  const clock = setInterval(look, ROUND)
  return async () => {
    clearInterval(clock)
    await round
  }
}
