import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { customerName, greetingName } from '#conversation/people.ts'
import { MAX_MESSAGE_LENGTH } from '#conversation/message.ts'
import { lastMessageExcerpt } from '../images/message-images.server.ts'
import { ownerEmail, readMessagingSettings, readSettings } from '#settings/settings.server.ts'
import { reminderText, signatureOf } from '#settings/texts.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { AppServices } from '#services/context.ts'
import type { Db, Tx } from '#db/schema.ts'
import { reminderEmailTexts } from './texts.ts'

const UNREAD_EMAIL = 'unread'
const POLL_MS = 20_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MIN_INTERVAL_MS = 24 * HOUR_MS
const MAX_MESSAGE_AGE_MS = 72 * HOUR_MS

/** If the shop does not know its own URL, the emails have no links. [S-180] */
export async function sendReminders(app: AppServices) {
  await cancelOutdatedReminders(app)
  const { reminderMinutes: minutes } = await readMessagingSettings(app.db)
  if (minutes <= 0) return
  const now = app.now()
  const settings = await readSettings(app.db)
  const setting = {
    shopName: settings.name,
    signature: signatureOf(settings),
    origin: app.emailLinkOrigin,
    minutes,
  }
  const isDue = ({ since }: Unread) => since <= now - minutes * MINUTE_MS

  const owners = await listUnread(app.db, 'owner', now)
  const to = await ownerEmail(app.db)
  // The owner's email also lists messages that are not due yet; otherwise another email would
  // follow.
  let isAnyEnqueued =
    owners.some(isDue) &&
    (await enqueueReminder(app, { to }, owners, (unread) => ownerReminder(unread, setting)))
  for (const unread of await listUnread(app.db, 'customers', now)) {
    if (!isDue(unread)) continue
    const addresses = { to: unread.email, replyTo: to }
    const email = () => customerReminder(unread, setting)
    if (await enqueueReminder(app, addresses, [unread], email)) isAnyEnqueued = true
  }
  if (isAnyEnqueued) await app.outbox.deliverDue()
}

/** If several processes call this at once, only one succeeds. */
function enqueueReminder(
  app: AppServices,
  addresses: { to: string; replyTo?: string },
  unread: Unread[],
  emailOf: (unread: Unread[]) => { subject: string; text: string },
) {
  const id = `${UNREAD_EMAIL}-${newId15()}`
  const now = app.now()
  return inTransaction(app.db, async (tx) => {
    const claimed: Unread[] = []
    for (const conversation of unread) {
      if (await claimReminder(tx, conversation, id, now)) claimed.push(conversation)
    }
    if (claimed.length === 0) return false
    return app.outbox.post(tx, { id, kind: UNREAD_EMAIL, ...addresses, ...emailOf(claimed) }, now)
  })
}

async function claimReminder(
  tx: Tx,
  { orderId, reader, seenSeq, lastSeq }: Unread,
  emailId: string,
  at: number,
) {
  const order = await tx
    .selectFrom('orders')
    .select('id')
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order) return false
  const row = { seq: lastSeq, at, emailId }
  const result = await tx
    .insertInto('reminders')
    .values({ orderId, reader, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['orderId', 'reader'])
        .doUpdateSet(row)
        .where('reminders.seq', '<', lastSeq)
        .where((eb) =>
          eb.or([
            eb('reminders.seq', '<=', seenSeq),
            eb('reminders.at', '<=', at - MIN_INTERVAL_MS),
          ]),
        ),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Failed emails stay, because the owner must see them. */
async function cancelOutdatedReminders({ db, live, now }: AppServices) {
  const result = await db
    .deleteFrom('outbox')
    .where('kind', '=', UNREAD_EMAIL)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', now())]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reminders as reminder')
            .innerJoin('user', 'user.id', 'reminder.reader')
            .leftJoin('readReceipts as receipt', (join) =>
              join
                .onRef('receipt.orderId', '=', 'reminder.orderId')
                .onRef('receipt.reader', '=', 'reminder.reader'),
            )
            .select('reminder.orderId')
            .whereRef('reminder.emailId', '=', 'outbox.id')
            .where((eb) => eb('reminder.seq', '>', eb.fn.coalesce('receipt.seq', eb.lit(0))))
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
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
  if (result.numDeletedRows > 0n) live.changed('mail')
}

export const startReminders = (app: AppServices) =>
  runEvery({ every: POLL_MS, failure: 'unread messages could not be searched', log: app.log }, () =>
    sendReminders(app),
  )

type Unread = NonNullable<Awaited<ReturnType<typeof findUnread>>>

/** Leaves out messages from the contact form, which the shop has emailed already. */
async function listUnread(db: Db, side: 'owner' | 'customers', now: number) {
  const conversations: Unread[] = []
  for (const candidate of await listCandidates(db, side, now)) {
    // A query on SQLite blocks the process, so other requests go first.
    await setImmediate()
    const unread = await findUnread(db, candidate, now)
    if (unread) conversations.push(unread)
  }
  return conversations
}
const UNDELIVERABLE = '.invalid'

async function listCandidates(db: Db, side: 'owner' | 'customers', now: number) {
  const isOwner = side === 'owner'
  const reader = isOwner ? sql.lit(OWNER_ID) : sql.ref<string>('user.id')
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('user', 'user.id', 'o.userId')
    .leftJoin('readReceipts as receipt', (join) =>
      join.onRef('receipt.orderId', '=', 'o.id').on('receipt.reader', '=', reader),
    )
    .leftJoin('reminders as reminder', (join) =>
      join.onRef('reminder.orderId', '=', 'o.id').on('reminder.reader', '=', reader),
    )
    .where('o.fromContactPage', '=', false)
    .where('o.createdAt', '>=', now - MAX_MESSAGE_AGE_MS)
    .where((eb) => eb('o.lastSeq', '>', eb.fn.coalesce('receipt.seq', eb.lit(0))))
    .where((eb) => eb('o.lastSeq', '>', eb.fn.coalesce('reminder.seq', eb.lit(0))))
    .where(({ exists, selectFrom, fn, lit }) =>
      exists(
        selectFrom('messages')
          .select('messages.seq')
          .whereRef('orderId', '=', 'o.id')
          .where('messages.seq', '>', fn.coalesce('receipt.seq', lit(0)))
          .where('sender', '!=', reader),
      ),
    )
    .$if(!isOwner, (query) => query.where('user.email', 'not like', `%${UNDELIVERABLE}`))
    .select([
      'o.id as orderId',
      'user.id as userId',
      'user.name',
      'user.email',
      'user.emailVerified',
      'o.userName',
      'o.userEmail',
      'receipt.seq as receiptSeq',
      'reminder.seq as reminderSeq',
      'reminder.at as reminderAt',
    ])
    .orderBy('o.id')
    .execute()
  return rows.map(({ userId, name, email, emailVerified, userName, userEmail, ...row }) =>
    isOwner
      ? {
          ...row,
          reader: OWNER_ID,
          name: userName,
          email: userEmail.endsWith(UNDELIVERABLE) ? '' : userEmail,
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

async function findUnread(
  db: Db,
  { receiptSeq, reminderSeq, reminderAt, ...conversation }: Candidate,
  now: number,
) {
  const { answerSeq } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.max('seq').as('answerSeq'))
    .where('orderId', '=', conversation.orderId)
    .where('sender', '=', conversation.reader)
    .where('seq', '>', receiptSeq ?? 0)
    .executeTakeFirstOrThrow()
  const seenSeq = Math.max(receiptSeq ?? 0, answerSeq ?? 0)
  if (reminderSeq !== null && reminderSeq > seenSeq && reminderAt! > now - MIN_INTERVAL_MS) {
    return null
  }
  const { count, since, lastSeq } = await db
    .selectFrom('messages')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('createdAt').as('since'),
      fn.max('seq').as('lastSeq'),
    ])
    .where('orderId', '=', conversation.orderId)
    .where('seq', '>', Math.max(seenSeq, reminderSeq ?? 0))
    .where('sender', '!=', conversation.reader)
    .where('createdAt', '>=', now - MAX_MESSAGE_AGE_MS)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return null
  const { message } = await db
    .selectFrom('messages as last')
    .select(lastMessageExcerpt(MAX_MESSAGE_LENGTH).as('message'))
    .where('last.orderId', '=', conversation.orderId)
    .where('last.seq', '=', lastSeq)
    .executeTakeFirstOrThrow()
  return {
    ...conversation,
    seenSeq,
    lastSeq,
    count: Number(count),
    since: Number(since),
    lastMessage: message ?? '',
  }
}

const MAX_QUOTE_LENGTH = 200
function quoteText(text: string) {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return reminderEmailTexts.noText
  return line.length > MAX_QUOTE_LENGTH
    ? `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`
    : line
}

const waitText = (minutes: number) => reminderText(minutes).replace('After ', '')

type ReminderContext = {
  shopName: string
  signature: string
  origin: string | null
  minutes: number
}
const loginLink = (origin: string, orderId = '') =>
  `${origin}/login/?messages=${encodeURIComponent(orderId)}`

/** The email quotes no message, because an unconfirmed address may be a stranger's. */
function customerReminder(
  { name, email, count }: Unread,
  { shopName, signature, origin, minutes }: ReminderContext,
) {
  return {
    subject: reminderEmailTexts.customerSubject(count, shopName),
    text: reminderEmailTexts.customerText({
      name: customerName({ name, email }),
      signature,
      shopName,
      count,
      link: origin && loginLink(origin),
      wait: waitText(minutes),
    }),
  }
}

function ownerReminder(unread: Unread[], { shopName, origin, minutes }: ReminderContext) {
  const sections = unread.map(({ orderId, name, email, count, lastMessage }) =>
    [
      reminderEmailTexts.ownerSection(customerName({ name, email }), email, count),
      `> ${quoteText(lastMessage)}`,
      ...(origin ? [loginLink(origin, orderId)] : []),
    ].join('\n'),
  )
  return {
    subject: reminderEmailTexts.ownerSubject(unread.length, customerName(unread[0]!), shopName),
    text: `${sections.join('\n\n')}\n\n${reminderEmailTexts.ownerEnd(waitText(minutes))}`,
  }
}
