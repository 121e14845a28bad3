/** Stores each email as a row in the transaction of the change that the email reports. The email is sent after the commit, and a failed attempt is retried. */
import { setTimeout as after } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import type { Db, OutboxTable, Tx } from '#db/schema.ts'
import { classifySmtpError, type EmailTransport } from './transport.server.ts'
import { VERIFICATION_EMAIL } from '#app/lib/auth/verification-codes.server.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'
import { isDueOrClockSkewed, createJob } from '#app/lib/jobs/interval.server.ts'

/** Two emails with the same `id` count as one email. */
export type Email = {
  id: string
  kind: string
  to: string
  replyTo?: string
  subject: string
  text: string
}
export type Outbox = ReturnType<typeof createOutbox>
export type Timeouts = { attemptMs?: number; ofVisitor?: number }

const MINUTE_MS = 60_000
/** The delay before each further attempt to send an email. After the last attempt, the email counts as undeliverable. */
export const emailRetryDelaysMs = [1, 5, 15, 60, 240, 720, 1440].map(
  (minutes) => minutes * MINUTE_MS,
)
/** A worker claims an email for this many milliseconds, which is longer than any attempt. If the process of this worker is killed, other workers wait until the claim ends. */
const CLAIM_MS = MINUTE_MS
const MAX_RETRY_DELAY_MS = Math.max(...emailRetryDelaysMs)
const isUnclaimed = (at: number) =>
  sql<SqlBool>`("claimedUntil" is null or ${isDueOrClockSkewed('claimedUntil', at, CLAIM_MS)})`
/** Several workers send emails, so that an email that hangs blocks only one worker. */
const WORKERS = 4
const POLL_MS = 15_000
/** The column `lastError` of an email has this text if the email was written as a file. The outbox also sets `sentAt`, so that the email is not sent later. */
const WRITTEN_AS_FILE = 'No mail server was configured, so the email was written as a file.'
/** Sent emails are deleted after this many milliseconds, because they contain text of visitors. The shop keeps this text only in the conversations. */
export const SENT_RETENTION_MS = 30 * 24 * 60 * MINUTE_MS

type Options = {
  db: Db
  transport: EmailTransport
  now: () => number
  log: Log
  changed: () => void
  timeouts?: Timeouts
}

export function createOutbox({
  db,
  transport,
  now,
  log,
  changed,
  timeouts: { attemptMs = 20_000, ofVisitor = 4000 } = {},
}: Options) {
  const underWay = new Set<Promise<unknown>>()
  let isStopped = false
  /** An error that concerns all emails sets this flag. The next email that is sent clears this flag. */
  let isFailing = false

  /** Claims the email for this worker, and returns the number of the attempt. Returns null if the email was sent, is undeliverable, is not due, or is claimed by another worker. */
  async function claim(email: OutboxTable): Promise<number | null> {
    const at = now()
    if (email.sentAt !== null || email.failedAt !== null) return null
    const taken = await db
      .updateTable('outbox')
      .set({
        attempts: email.attempts + 1,
        claimedUntil: at + CLAIM_MS,
        nextAttemptAt: at + (emailRetryDelaysMs[email.attempts] ?? emailRetryDelaysMs.at(-1)!),
      })
      .where('id', '=', email.id)
      .where('attempts', '=', email.attempts)
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .where(isDueOrClockSkewed('nextAttemptAt', at, MAX_RETRY_DELAY_MS))
      .where(isUnclaimed(at))
      .executeTakeFirst()
    return taken.numUpdatedRows === 1n ? email.attempts + 1 : null
  }

  async function deliver(id: string): Promise<boolean> {
    const email = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
    if (!email) return false
    const attempt = await claim(email)
    if (attempt === null) return email.sentAt !== null
    const ours = db.updateTable('outbox').where('id', '=', id).where('attempts', '=', attempt)
    let outcome
    try {
      outcome = await transport.send(email, attemptMs)
      isFailing = false
    } catch (error) {
      log.error('an email could not be sent', error, { id, attempt })
      const { fault, reason, isFinal } = classifySmtpError(error)
      if (fault !== 'email') isFailing = true
      const failedAt = isFinal || attempt > emailRetryDelaysMs.length ? now() : null
      await ours.set({ claimedUntil: null, lastError: reason, failedAt }).execute()
      changed()
      return false
    }
    await ours
      .set({
        claimedUntil: null,
        lastError: outcome === 'file' ? WRITTEN_AS_FILE : null,
        sentAt: now(),
      })
      .execute()
    changed()
    return true
  }

  /** Tries to send the email. The promise never rejects, because not every caller waits for it. */
  function run(id: string): Promise<boolean> {
    const delivery = deliver(id).catch((error) => {
      log.error('an email delivery was interrupted', error, { id })
      return false
    })
    underWay.add(delivery)
    void delivery.then(() => underWay.delete(delivery))
    return delivery
  }

  const waiting = () =>
    db.selectFrom('outbox').where('sentAt', 'is', null).where('failedAt', 'is', null)

  async function makeRound() {
    await db
      .deleteFrom('outbox')
      .where('sentAt', '<', now() - SENT_RETENTION_MS)
      .execute()
    // Deletes unsent emails whose code no longer works. Such an email and its token have the same id. [S-231]
    const validTokens = db
      .selectFrom('verificationTokens')
      .select('id')
      .where('expiresAt', '>', now())
    await db
      .deleteFrom('outbox')
      .where('kind', '=', VERIFICATION_EMAIL)
      .where('sentAt', 'is', null)
      .where(isUnclaimed(now()))
      .where('id', 'not in', validTokens)
      .execute()
    const due = await waiting()
      .select('id')
      .where(isDueOrClockSkewed('nextAttemptAt', now(), MAX_RETRY_DELAY_MS))
      .where(isUnclaimed(now()))
      .orderBy('nextAttemptAt')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(50)
      .execute()
    // If no email is waiting, no attempt would ever clear the flag.
    if (
      isFailing &&
      due.length === 0 &&
      !(await waiting().select('id').limit(1).executeTakeFirst())
    )
      isFailing = false
    const worker = async () => {
      for (let next = due.shift(); next && !isStopped; next = due.shift()) await run(next.id)
    }
    await Promise.all(Array.from({ length: WORKERS }, worker))
  }
  const rounds = createJob(
    { every: POLL_MS, failure: 'emails could not be processed', log },
    makeRound,
  )

  /** Makes all unsent emails due, because the owner may have corrected the settings of the mail server. An email that a worker has claimed still waits. */
  async function makeAllDue() {
    isFailing = false
    await db
      .updateTable('outbox')
      .set({ nextAttemptAt: now() })
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .where('nextAttemptAt', '>', now())
      .where(isUnclaimed(now()))
      .execute()
  }

  return {
    hasServer: transport.hasServer,
    /** Returns false if no mail server is configured, or if the last attempt showed that the mail server does not work. Pages then must not promise an email. */
    canSend: async (): Promise<boolean> => !isFailing && (await transport.hasServer()),
    async post(
      tx: Tx | Db,
      { id, kind, to, replyTo, subject, text }: Email,
      at: number,
    ): Promise<boolean> {
      const state = {
        createdAt: at,
        attempts: 0,
        nextAttemptAt: at,
        claimedUntil: null,
        sentAt: null,
        failedAt: null,
        lastError: null,
      }
      const put = await tx
        .insertInto('outbox')
        .values({ id, kind, toAddress: to, replyTo: replyTo ?? null, subject, text, ...state })
        .onConflict((same) => same.column('id').doNothing())
        .executeTakeFirst()
      return put.numInsertedOrUpdatedRows === 1n
    },
    /** Sends one email if it is due and no worker has claimed it. Returns true if this call or an earlier call has sent the email. */
    deliver: run,
    /** Calls `deliver`, but returns false if the delivery takes longer than a few seconds. The delivery then continues in the background. */
    deliverSoon: (id: string): Promise<boolean> =>
      Promise.race([run(id), after(ofVisitor, false, { ref: false })]),
    /** Sends an email without storing it. Returns null, or the reason why the email was not sent. */
    async sendNow({ to, replyTo, ...email }: Email): Promise<string | null> {
      const state = {
        attempts: 1,
        nextAttemptAt: 0,
        claimedUntil: null,
        sentAt: null,
        failedAt: null,
        lastError: null,
      }
      try {
        await transport.send(
          { ...email, toAddress: to, replyTo: replyTo ?? null, createdAt: now(), ...state },
          attemptMs,
        )
        isFailing = false
        return null
      } catch (error) {
        log.error('an email could not be sent', error, { id: email.id })
        return classifySmtpError(error).reason
      }
    },
    deliverDue: rounds.run,
    wake: rounds.wake,
    /** Must be called after the settings of the mail server were changed. */
    async sendAgain(): Promise<void> {
      await makeAllDue()
      rounds.wake()
    },
    async start() {
      await makeAllDue()
      const stop = rounds.start()
      return async () => {
        isStopped = true
        // Attempts that are in progress get two seconds to finish. An attempt that takes longer is repeated after the next start of the shop.
        await Promise.race([
          Promise.allSettled([stop(), ...underWay]),
          after(2000, undefined, { ref: false }),
        ])
      }
    },
  }
}
