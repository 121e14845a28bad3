/**
 * An email is stored in the transaction of its change, and sent later. A claim keeps two processes
 * from sending it at the same time. If a process is killed before it stores `sentAt`, the email is
 * sent again with the same Message-ID.
 */
import { setTimeout as after } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import type { Db, OutboxTable } from '#db/schema.ts'
import { classifySmtpError, type EmailTransport } from '#lib/email/transport.server.ts'
import { VERIFICATION_EMAIL } from '#lib/auth/verification-codes.server.ts'
import type { AppServices } from './context.ts'
import { isDueOrClockSkewed, createJob } from '#lib/jobs/interval.server.ts'

export type Email = {
  id: string
  kind: string
  to: string
  replyTo?: string
  subject: string
  text: string
}
export type Outbox = ReturnType<typeof createOutbox>
export type Timeouts = { attemptMs?: number; visitorWaitMs?: number }

const MINUTE_MS = 60_000
export const emailRetryDelaysMs = [1, 5, 15, 60, 240, 720, 1440].map(
  (minutes) => minutes * MINUTE_MS,
)
const MAX_RETRY_DELAY_MS = emailRetryDelaysMs.at(-1)!
/** An attempt takes less than this. If its process is killed, another process tries again then. */
const CLAIM_MS = MINUTE_MS
const WORKERS = 4
const POLL_MS = 15_000
const WRITTEN_AS_FILE = 'No mail server was configured, so the email was written as a file.'
export const SENT_RETENTION_MS = 30 * 24 * 60 * MINUTE_MS

type OutboxOptions = Pick<AppServices, 'db' | 'log' | 'now'> & {
  transport: EmailTransport
  changed: () => void
  timeouts?: Timeouts
}

export function createOutbox(options: OutboxOptions) {
  const { db, transport, now, log } = options
  const { attemptMs = 20_000, visitorWaitMs = 4000 } = options.timeouts ?? {}
  const deliveries = createDeliveries(options, attemptMs)
  const rounds = createJob(
    { every: POLL_MS, failure: 'emails could not be processed', log },
    async () => {
      await deleteExpired(db, now())
      await deliveries.runDue()
    },
  )

  async function makeAllDue() {
    deliveries.clearFailure()
    await db
      .updateTable('outbox')
      .set({ nextAttemptAt: now() })
      .where(isWaiting)
      .where('nextAttemptAt', '>', now())
      .where(isUnclaimed(now()))
      .execute()
  }

  return {
    hasServer: transport.hasServer,
    canSend: async () => !deliveries.isFailing() && (await transport.hasServer()),
    async post(tx: Db, { id, kind, to, replyTo, subject, text }: Email, at: number) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('outbox')
        .values({
          id,
          kind,
          toAddress: to,
          replyTo: replyTo ?? null,
          subject,
          text,
          createdAt: at,
          attempts: 0,
          nextAttemptAt: at,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    deliver: deliveries.run,
    deliverSoon: (id: string) =>
      Promise.race([deliveries.run(id), after(visitorWaitMs, false, { ref: false })]),
    async sendNow({ to, replyTo, ...email }: Email) {
      const draft = { ...email, toAddress: to, replyTo: replyTo ?? null, createdAt: now() }
      try {
        await transport.send(draft, attemptMs)
        deliveries.clearFailure()
        return null
      } catch (error) {
        log.error('an email could not be sent', error, { id: email.id })
        return classifySmtpError(error).reason
      }
    },
    deliverDue: rounds.run,
    wake: rounds.wake,
    async sendAgain() {
      await makeAllDue()
      rounds.wake()
    },
    async start() {
      await makeAllDue()
      const stop = rounds.start()
      return async () => {
        const finished = deliveries.stop()
        await Promise.race([
          Promise.allSettled([stop(), finished]),
          after(2000, undefined, { ref: false }),
        ])
      }
    },
  }
}

function createDeliveries({ db, transport, now, log, changed }: OutboxOptions, attemptMs: number) {
  const underWay = new Set<Promise<unknown>>()
  let isStopped = false
  let isFailing = false

  async function deliver(id: string) {
    const email = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
    if (!email) return false
    const attempt = await claimEmail(db, email, now())
    if (attempt === null) return email.sentAt !== null
    const claimed = db.updateTable('outbox').where('id', '=', id).where('attempts', '=', attempt)
    let lastError: string | null
    try {
      const outcome = await transport.send(email, attemptMs)
      isFailing = false
      lastError = outcome === 'file' ? WRITTEN_AS_FILE : null
    } catch (error) {
      log.error('an email could not be sent', error, { id, attempt })
      const { fault, reason, isFinal } = classifySmtpError(error)
      if (fault !== 'email') isFailing = true
      const failedAt = isFinal || attempt > emailRetryDelaysMs.length ? now() : null
      await claimed.set({ claimedUntil: null, lastError: reason, failedAt }).execute()
      changed()
      return false
    }
    await claimed.set({ claimedUntil: null, lastError, sentAt: now() }).execute()
    changed()
    return true
  }

  function run(id: string) {
    const delivery = deliver(id).catch((error) => {
      log.error('an email delivery was interrupted', error, { id })
      return false
    })
    underWay.add(delivery)
    void delivery.then(() => underWay.delete(delivery))
    return delivery
  }

  async function runDue() {
    const waiting = db.selectFrom('outbox').select('id').where(isWaiting)
    const due = await waiting
      .where(isDueOrClockSkewed('nextAttemptAt', now(), MAX_RETRY_DELAY_MS))
      .where(isUnclaimed(now()))
      .orderBy('nextAttemptAt')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(50)
      .execute()
    if (isFailing && due.length === 0 && !(await waiting.limit(1).executeTakeFirst())) {
      isFailing = false
    }
    const worker = async () => {
      for (let next = due.shift(); next && !isStopped; next = due.shift()) await run(next.id)
    }
    await Promise.all(Array.from({ length: WORKERS }, worker))
  }

  return {
    run,
    runDue,
    isFailing: () => isFailing,
    clearFailure: () => void (isFailing = false),
    stop() {
      isStopped = true
      return Promise.all(underWay)
    },
  }
}

async function claimEmail(db: Db, email: OutboxTable, at: number) {
  if (email.sentAt !== null || email.failedAt !== null) return null
  const update = await db
    .updateTable('outbox')
    .set({
      attempts: email.attempts + 1,
      claimedUntil: at + CLAIM_MS,
      nextAttemptAt: at + (emailRetryDelaysMs[email.attempts] ?? MAX_RETRY_DELAY_MS),
    })
    .where('id', '=', email.id)
    .where('attempts', '=', email.attempts)
    .where(isWaiting)
    .where(isDueOrClockSkewed('nextAttemptAt', at, MAX_RETRY_DELAY_MS))
    .where(isUnclaimed(at))
    .executeTakeFirst()
  return update.numUpdatedRows === 1n ? email.attempts + 1 : null
}

const isWaiting = sql<SqlBool>`("sentAt" is null and "failedAt" is null)`
const isUnclaimed = (at: number) =>
  sql<SqlBool>`("claimedUntil" is null or ${isDueOrClockSkewed('claimedUntil', at, CLAIM_MS)})`

async function deleteExpired(db: Db, at: number) {
  await db
    .deleteFrom('outbox')
    .where('sentAt', '<', at - SENT_RETENTION_MS)
    .execute()
  // An email with a code has the id of the code's token, so it is useless without a valid token.
  // [S-231]
  const validTokens = db.selectFrom('verificationTokens').select('id').where('expiresAt', '>', at)
  await db
    .deleteFrom('outbox')
    .where('kind', '=', VERIFICATION_EMAIL)
    .where('sentAt', 'is', null)
    .where(isUnclaimed(at))
    .where('id', 'not in', validTokens)
    .execute()
}
