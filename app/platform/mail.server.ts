/** The outbox: a letter is a row, written in the transaction of what it tells; delivery follows after the commit, and is tried again. */
import { setTimeout as after } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import type { Db, OutboxTable, Tx } from '#db/schema.ts'
import { refusalOf, type Letters } from './letters.server.ts'
import type { Log } from './log.server.ts'
import { isDue, openJob } from './regularly.server.ts'

/** `id`: two letters with the same are one, sent twice. */
export type Letter = { id: string; kind: string; to: string; replyTo?: string; subject: string; text: string }
export type Mail = ReturnType<typeof openMail>
export type Patience = { ofTry?: number; ofVisitor?: number }

const MINUTE = 60_000
/** Pauses before the next tries; after the last one the letter counts as undeliverable. */
export const pauses = [1, 5, 15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE)
/** Longer than any try. A process that dies in the middle leaves the letter held until then. */
const HOLD = MINUTE
const LONGEST_PAUSE = Math.max(...pauses)
const isFree = (at: number) => sql<SqlBool>`("claimedUntil" is null or ${isDue('claimedUntil', at, HOLD)})`
/** A letter that hangs holds up one lane only. */
const LANES = 4
const ROUND = 15_000
/** Sent letters hold what visitors wrote; the conversation has it too. */
export const KEPT_SENT = 30 * 24 * 60 * MINUTE

type Setup = { db: Db; letters: Letters; now: () => number; log: Log; changed: () => void; patience?: Patience }

export function openMail({ db, letters, now, log, changed, patience: { ofTry = 20_000, ofVisitor = 4000 } = {} }: Setup) {
  const underWay = new Set<Promise<unknown>>()
  let isStopped = false

  /** Takes the letter for itself; null: it has left, is not due, or somebody else has it. The try is counted before it is made. */
  async function claim(letter: OutboxTable): Promise<number | null> {
    const at = now()
    if (letter.sentAt !== null || letter.failedAt !== null) return null
    const taken = await db
      .updateTable('outbox')
      .set({ attempts: letter.attempts + 1, claimedUntil: at + HOLD, nextAttemptAt: at + (pauses[letter.attempts] ?? pauses.at(-1)!) })
      .where('id', '=', letter.id)
      .where('attempts', '=', letter.attempts)
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .where(isDue('nextAttemptAt', at, LONGEST_PAUSE))
      .where(isFree(at))
      .executeTakeFirst()
    return taken.numUpdatedRows === 1n ? letter.attempts + 1 : null
  }

  async function deliver(id: string): Promise<boolean> {
    const letter = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
    if (!letter) return false
    const attempt = await claim(letter)
    if (attempt === null) return letter.sentAt !== null
    const ours = db.updateTable('outbox').where('id', '=', id).where('attempts', '=', attempt)
    try {
      await letters.send(letter, ofTry)
    } catch (error) {
      log.error('a letter could not be sent', error, { id, attempt })
      const { reason, isFinal } = refusalOf(error)
      const failedAt = isFinal || attempt > pauses.length ? now() : null
      await ours.set({ claimedUntil: null, lastError: reason, failedAt }).execute()
      changed()
      return false
    }
    await ours.set({ claimedUntil: null, lastError: null, sentAt: now() }).execute()
    changed()
    return true
  }

  /** Never rejects: whoever started it may be gone. */
  function run(id: string): Promise<boolean> {
    const delivery = deliver(id).catch((error) => {
      log.error('a delivery broke off', error, { id })
      return false
    })
    underWay.add(delivery)
    void delivery.then(() => underWay.delete(delivery))
    return delivery
  }

  const waiting = () => db.selectFrom('outbox').where('sentAt', 'is', null).where('failedAt', 'is', null)

  async function makeRound() {
    await db
      .deleteFrom('outbox')
      .where('sentAt', '<', now() - KEPT_SENT)
      .execute()
    const due = await waiting()
      .select('id')
      .where(isDue('nextAttemptAt', now(), LONGEST_PAUSE))
      .where(isFree(now()))
      .orderBy('nextAttemptAt')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(50)
      .execute()
    const lane = async () => {
      for (let next = due.shift(); next && !isStopped; next = due.shift()) await run(next.id)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  const rounds = openJob({ every: ROUND, failure: 'the mail round failed', log }, makeRound)

  return {
    hasServer: letters.hasServer,
    async post(tx: Tx | Db, { id, kind, to, replyTo, subject, text }: Letter, at: number): Promise<boolean> {
      const state = { createdAt: at, attempts: 0, nextAttemptAt: at, claimedUntil: null, sentAt: null, failedAt: null, lastError: null }
      const put = await tx
        .insertInto('outbox')
        .values({ id, kind, toAddress: to, replyTo: replyTo ?? null, subject, text, ...state })
        .onConflict((same) => same.column('id').doNothing())
        .executeTakeFirst()
      return put.numInsertedOrUpdatedRows === 1n
    },
    /** Sends one letter if it is due and nobody else is at it; true once it has left, now or before. */
    deliver: run,
    /** The same for somebody who waits: after a few seconds false, while the delivery goes on. */
    deliverSoon: (id: string): Promise<boolean> => Promise.race([run(id), after(ofVisitor, false, { ref: false })]),
    deliverDue: rounds.run,
    wake: rounds.wake,
    async start() {
      // Whoever has just corrected SMTP_URL need not wait for the pauses to pass. What a killed process held stays held for its minute.
      await db
        .updateTable('outbox')
        .set({ nextAttemptAt: now() })
        .where('sentAt', 'is', null)
        .where('failedAt', 'is', null)
        .where('nextAttemptAt', '>', now())
        .where(isFree(now()))
        .execute()
      const stop = rounds.start()
      return async () => {
        isStopped = true
        // What is being sent may end; what hangs is held and tried again after the next start.
        await Promise.race([Promise.allSettled([stop(), ...underWay]), after(2000, undefined, { ref: false })])
      }
    },
  }
}
