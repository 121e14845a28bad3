/** Sends the customers and the owner emails about unread messages. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  ownerEmail,
  readSettings,
  readMessagingSettings,
} from '#app/features/settings/settings.server.ts'
import { signatureOf } from '#app/features/settings/texts.ts'
import type { AppServices } from '#app/services/context.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { lastMessageExcerpt } from '#app/features/messaging/message-images.server.ts'
import { MAX_MESSAGE_LENGTH, customerName, greetingName } from '#app/features/orders/order.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { reminderText } from '#app/features/settings/texts.ts'
import { reminderEmailTexts } from '../owner-texts.ts'

const UNREAD_EMAIL = 'unread'
const POLL_MS = 20_000

/** Sends all due reminder emails about unread messages. The links in the emails begin with `origin`, which is null if the shop does not know its own URL. [S-180 to S-183] */
export async function sendReminders(app: AppServices, origin: string | null): Promise<void> {
  await cancelOutdatedReminders(app)
  const { reminderMinutes: minutes } = await readMessagingSettings(app.db)
  if (minutes <= 0) return
  const now = app.now()
  const settings = await readSettings(app.db)
  const setting = { shopName: settings.name, signature: signatureOf(settings), origin, minutes }

  const owners = await listUnread(app.db, 'owner', now)
  // The owner's email also lists messages for which no email is due yet, so that she does not get another email a minute later.
  const isNews = owners.some(({ since }) => isReminderDue(since, minutes, now))
  const to = await ownerEmail(app.db)
  let isAny =
    isNews &&
    (await enqueueReminder(app, { to }, owners, (unread) => ownerReminder(unread, setting)))
  for (const one of await listUnread(app.db, 'customers', now))
    if (
      isReminderDue(one.since, minutes, now) &&
      (await enqueueReminder(app, { to: one.email, replyTo: to }, [one], () =>
        customerReminder(one, setting),
      ))
    )
      isAny = true
  if (isAny) await app.outbox.deliverDue()
}

type Addresses = { to: string; replyTo?: string }

/** Stores the reminder and its email in one transaction. If several processes try this at the same time, only one process succeeds. [S-181] */
function enqueueReminder(
  app: AppServices,
  addresses: Addresses,
  unread: Unread[],
  wordsOf: (unread: Unread[]) => EmailText,
): Promise<boolean> {
  const [id, now] = [`${UNREAD_EMAIL}-${newId15()}`, app.now()]
  return inTransaction(app.db, async (tx) => {
    const claimed: Unread[] = []
    for (const one of unread) if (await claimReminder(tx, one, id, now)) claimed.push(one)
    if (claimed.length === 0) return false
    return app.outbox.post(tx, { id, kind: UNREAD_EMAIL, ...addresses, ...wordsOf(claimed) }, now)
  })
}

/** Returns false if another process has already stored the reminder, or if the conversation was deleted. */
async function claimReminder(
  tx: Tx,
  { orderId, reader, seen, lastSeq }: Unread,
  emailId: string,
  at: number,
): Promise<boolean> {
  if (!(await tx.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst()))
    return false
  const row = { seq: lastSeq, at, emailId }
  const claimed = await tx
    .insertInto('reminders')
    .values({ orderId, reader, ...row })
    .onConflict((same) =>
      same
        .columns(['orderId', 'reader'])
        .doUpdateSet(row)
        .where('reminders.seq', '<', lastSeq)
        .where((is) =>
          is.or([is('reminders.seq', '<=', seen), is('reminders.at', '<=', at - MIN_INTERVAL_MS)]),
        ),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** Deletes unsent reminders whose messages were read, answered or deleted. Emails whose delivery has failed stay, so that the owner sees them. */
async function cancelOutdatedReminders({ db, live, now }: AppServices): Promise<void> {
  const dropped = await db
    .deleteFrom('outbox')
    .where('kind', '=', UNREAD_EMAIL)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', now())]))
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('reminders as reminder')
            .innerJoin('user', 'user.id', 'reminder.reader')
            .leftJoin('readReceipts as receipt', (join) =>
              join
                .onRef('receipt.orderId', '=', 'reminder.orderId')
                .onRef('receipt.reader', '=', 'reminder.reader'),
            )
            .select('reminder.orderId')
            .whereRef('reminder.emailId', '=', 'outbox.id')
            .where((inner) =>
              inner('reminder.seq', '>', inner.fn.coalesce('receipt.seq', inner.lit(0))),
            )
            .where((inner) =>
              inner.not(
                inner.exists(
                  inner
                    .selectFrom('messages as answer')
                    .select('answer.seq')
                    .whereRef('answer.orderId', '=', 'reminder.orderId')
                    .whereRef('answer.sender', '=', 'reminder.reader')
                    .whereRef('answer.seq', '>', 'reminder.seq'),
                ),
              ),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  if (dropped.numDeletedRows > 0n) live.changed('mail')
}

export const startReminders = (app: AppServices, origin: string | null): (() => Promise<void>) =>
  runEvery(
    {
      every: POLL_MS,
      failure: 'unread messages could not be searched',
      log: app.log,
      isBegunNow: true,
    },
    () => sendReminders(app, origin),
  )

/** Matches the email addresses that the shop generates for guests. */
const UNDELIVERABLE = '%.invalid'

/** Lists conversations with messages that are newer than the read receipt and the last reminder. Contact messages are not included, because the shop emails each contact message anyway. [S-180, S-183] */
async function listUnread(db: Db, side: 'owner' | 'customers', now: number): Promise<Unread[]> {
  const found: Unread[] = []
  for (const candidate of await listCandidates(db, side, now)) {
    // A query on SQLite blocks the process. The process handles other requests before it reads the next conversation.
    await setImmediate()
    const unread = await toUnread(db, candidate, now)
    if (unread) found.push(unread)
  }
  return found
}

/** Lists conversations that may have unread messages. For `customers`, lists only conversations of customers who have an account with an email address. */
async function listCandidates(db: Db, side: 'owner' | 'customers', now: number) {
  const isOwner = side === 'owner'
  const reader = isOwner ? sql.lit(ADMIN_ID) : sql.ref<string>('user.id')
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('user', 'user.id', 'o.userId')
    .leftJoin('readReceipts as receipt', (join) =>
      join.onRef('receipt.orderId', '=', 'o.id').on('receipt.reader', '=', reader),
    )
    .leftJoin('reminders as reminder', (join) =>
      join.onRef('reminder.orderId', '=', 'o.id').on('reminder.reader', '=', reader),
    )
    .where('o.fromContactPage', '=', 0)
    .where('o.createdAt', '>=', now - MAX_MESSAGE_AGE_MS)
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('receipt.seq', is.lit(0))))
    .where((is) => is('o.lastSeq', '>', is.fn.coalesce('reminder.seq', is.lit(0))))
    .where(({ exists, selectFrom, fn, lit }) =>
      exists(
        selectFrom('messages')
          .select('messages.seq')
          .whereRef('orderId', '=', 'o.id')
          .where('messages.seq', '>', fn.coalesce('receipt.seq', lit(0)))
          .where('sender', '!=', reader),
      ),
    )
    .$if(!isOwner, (query) => query.where('user.email', 'not like', UNDELIVERABLE))
    .select([
      'o.id as orderId',
      'user.id as userId',
      'user.name',
      'user.email',
      'user.emailVerified',
      'o.userName',
      'o.userEmail',
    ])
    .select(['receipt.seq as marked', 'reminder.seq as reminderSeq', 'reminder.at as reminderAt'])
    .orderBy('o.id')
    .execute()
  return rows.map(({ userId, name, email, emailVerified, userName, userEmail, ...row }) =>
    isOwner
      ? {
          ...row,
          reader: ADMIN_ID,
          name: userName,
          email: userEmail.endsWith('.invalid') ? '' : userEmail,
        }
      : {
          ...row,
          reader: userId!,
          name: greetingName({ name: name!, email: email!, emailVerified }),
          email: email!,
        },
  )
}

type Candidate = Awaited<ReturnType<typeof listCandidates>>[number]

/** Returns the unread messages that need a reminder, or null without such messages. A person who has written a message has read all messages before this message. */
async function toUnread(
  db: Db,
  { marked, reminderSeq, reminderAt, ...who }: Candidate,
  now: number,
): Promise<Unread | null> {
  const { own } = await db
    .selectFrom('messages')
    .select((is) => is.fn.max('seq').as('own'))
    .where('orderId', '=', who.orderId)
    .where('sender', '=', who.reader)
    .where('seq', '>', marked ?? 0)
    .executeTakeFirstOrThrow()
  const seen = Math.max(marked ?? 0, own ?? 0)
  // After a reminder email, the shop sends no other email until the user has read the messages or a day has passed. [S-181]
  if (reminderSeq !== null && reminderSeq > seen && reminderAt! > now - MIN_INTERVAL_MS) return null
  const waiting = db
    .selectFrom('messages')
    .where('orderId', '=', who.orderId)
    .where('seq', '>', Math.max(seen, reminderSeq ?? 0))
    .where('sender', '!=', who.reader)
  const { count, since, lastSeq } = await waiting
    .select((is) => [
      is.fn.countAll<number>().as('count'),
      is.fn.min('createdAt').as('since'),
      is.fn.max('seq').as('lastSeq'),
    ])
    .where('createdAt', '>=', now - MAX_MESSAGE_AGE_MS)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return null
  const { message } = await db
    .selectFrom('messages as last')
    .select(lastMessageExcerpt(MAX_MESSAGE_LENGTH).as('message'))
    .where('last.orderId', '=', who.orderId)
    .where('last.seq', '=', lastSeq)
    .executeTakeFirstOrThrow()
  return {
    ...who,
    seen,
    lastSeq,
    count: Number(count),
    since: Number(since),
    lastMessage: message ?? '',
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const MIN_INTERVAL_MS = 24 * HOUR_MS
/** A message that is older than this number of milliseconds causes no email, for example after a long outage of the shop. */
const MAX_MESSAGE_AGE_MS = 72 * HOUR_MS

type Unread = {
  orderId: string
  reader: string
  name: string
  email: string
  /** the sequence number of the last message that the person has read or written */
  seen: number
  lastSeq: number
  count: number
  /** UTC milliseconds when the first unread message was sent */
  since: number
  lastMessage: string
}

const isReminderDue = (since: number, minutes: number, now: number): boolean =>
  since <= now - minutes * MINUTE_MS

const waitText = (minutes: number) => reminderText(minutes).replace('After ', '')
const MAX_QUOTE_LENGTH = 200
const quoteText = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === ''
    ? reminderEmailTexts.noText
    : line.length > MAX_QUOTE_LENGTH
      ? `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`
      : line
}

type ReminderContext = {
  shopName: string
  signature: string
  origin: string | null
  minutes: number
}
type EmailText = { subject: string; text: string }

/** The link leads to the login page, which asks visitors to log in and then opens the messages. [S-182] */
const loginLink = (origin: string, orderId = ''): string =>
  `${origin}/login/?messages=${encodeURIComponent(orderId)}`

/** The email to a customer never quotes messages, because the unverified email address may belong to another person. */
function customerReminder(
  { name, email, count }: Unread,
  { shopName, signature, origin, minutes }: ReminderContext,
): EmailText {
  const values = {
    name: customerName({ name, email }),
    signature,
    shopName,
    count,
    link: origin && loginLink(origin),
    wait: waitText(minutes),
  }
  return {
    subject: reminderEmailTexts.customerSubject(count, shopName),
    text: reminderEmailTexts.customerText(values),
  }
}

function ownerReminder(
  unread: readonly Unread[],
  { shopName, origin, minutes }: ReminderContext,
): EmailText {
  const [first] = unread
  const subject = reminderEmailTexts.ownerSubject(unread.length, customerName(first!), shopName)
  const sections = unread.map(({ orderId, name, email, count, lastMessage }) => {
    const head = reminderEmailTexts.ownerSection(customerName({ name, email }), email, count)
    return [
      head,
      `> ${quoteText(lastMessage)}`,
      ...(origin ? [loginLink(origin, orderId)] : []),
    ].join('\n')
  })
  return {
    subject,
    text: `${sections.join('\n\n')}\n\n${reminderEmailTexts.ownerEnd(waitText(minutes))}`,
  }
}
