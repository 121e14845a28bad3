/** Reports logins and logouts to a web service. [S-352] */
import { setTimeout as after } from 'node:timers/promises'
import { SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ChangeBus } from '../lib/realtime/change-bus.server.ts'
import { createJob } from '../lib/jobs/interval.server.ts'
import type { Log } from '../lib/telemetry/log.server.ts'
import { newSecretId } from '../lib/text/ids.ts'
import type { Db } from '#db/schema.ts'

export type AuthWebhook = ReturnType<typeof createAuthWebhook>
export type WebhookTarget = { url: string; secret: string }

const TOKEN_LIFETIME_SECONDS = 300
const MAX_PENDING_CALLS = 200
const MINUTE_MS = 60_000
/** A call with all its attempts takes less than this; then any process may repeat it. */
const LEASE_MS = 5 * MINUTE_MS
const MAX_AGE_MS = 24 * 60 * MINUTE_MS

type AuthWebhookOptions = {
  db: Db
  live: Pick<ChangeBus<never>, 'onSessionEnd'>
  target: WebhookTarget | null
  issuer: string | null
  now: () => number
  log: Log
  timeouts?: { attemptMs?: number; retryDelaysMs?: number[]; closeMs?: number }
}
type WebhookCall = { id: string; method: 'POST' | 'DELETE'; about: string; claims: JWTPayload }

export function createAuthWebhook(options: AuthWebhookOptions) {
  const { db, live, target, now, log } = options
  const closing = new AbortController()
  const queues = createQueues(options, createDelivery(options, closing.signal))

  async function start(call: Omit<WebhookCall, 'id'>) {
    if (!target) return
    const callWithId = { ...call, id: newSecretId() }
    const isNext = queues.store(callWithId)
    queues.enqueue(callWithId, isNext)
    await isNext
  }

  const job = createJob(
    { every: MINUTE_MS, failure: 'calls to the auth webhook could not be sent again', log },
    async () => {
      for await (const call of claimLeftOver(db, now())) queues.enqueue(call, true)
    },
  )

  const reportedSessionIds = new LRUCache<string, true>({ max: MAX_PENDING_CALLS })
  const offSessionEnd = live.onSessionEnd((sid, isOurs) => {
    if (!isOurs || reportedSessionIds.has(sid)) return
    reportedSessionIds.set(sid, true)
    void start({ method: 'DELETE', about: sid, claims: { event: 'signed-out', sid } })
  })
  return {
    /** An email address may be unverified, and the service might trust it. [LOGIN-25] */
    signedIn: ({ id, sessionId, role }: { id: string; sessionId: string; role: string }) =>
      start({
        method: 'POST',
        about: sessionId,
        claims: { event: 'signed-in', sub: id, sid: sessionId, role },
      }),
    /** `onSessionEnd` reports the sessions of the account. [LOGIN-26] */
    accountGone: (id: string) =>
      start({ method: 'DELETE', about: id, claims: { event: 'account-deleted', sub: id } }),
    sendLeftOver: job.run,
    start: () => (target ? job.start() : async () => {}),
    async close() {
      offSessionEnd()
      const { closeMs = 2000 } = options.timeouts ?? {}
      await Promise.race([queues.settled(), after(closeMs, undefined, { ref: false })])
      closing.abort()
    },
  }
}

function createDelivery(
  { target, issuer, now, log, timeouts = {} }: AuthWebhookOptions,
  closing: AbortSignal,
) {
  const { attemptMs = 5000, retryDelaysMs = [1000, 10_000] } = timeouts
  const key = new TextEncoder().encode(target?.secret)

  function tokenOf({ claims }: WebhookCall) {
    const at = Math.floor(now() / 1000)
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience(target!.url)
      .setJti(crypto.randomUUID())
      .setIssuedAt(at)
      .setExpirationTime(at + TOKEN_LIFETIME_SECONDS)
    if (issuer) token.setIssuer(issuer)
    return token.sign(key)
  }

  async function send(call: WebhookCall) {
    const response = await fetch(target!.url, {
      method: call.method,
      headers: { authorization: `Bearer ${await tokenOf(call)}` },
      // A redirect would give the token to another server.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(attemptMs), closing]),
    })
    await response.body?.cancel()
    if (response.ok) return
    const { status } = response
    throw Object.assign(new Error(`the service responded with ${status}`), {
      isFinal: status < 500 && status !== 408 && status !== 429,
    })
  }

  return async (call: WebhookCall) => {
    const { method, about } = call
    for (let attempt = 1; !closing.aborted; attempt++) {
      try {
        await send(call)
        return true
      } catch (error) {
        log.error('a call to the auth webhook failed', error, { method, about, attempt })
        if ((error as { isFinal?: boolean }).isFinal) return true
        const pause = retryDelaysMs[attempt - 1]
        if (pause === undefined) return false
        await after(pause, undefined, { ref: false, signal: closing }).catch(() => {})
      }
    }
    return false
  }
}

/** One queue per session or account keeps an end from arriving before its start. */
function createQueues(
  { db, now, log }: AuthWebhookOptions,
  deliver: (call: WebhookCall) => Promise<boolean>,
) {
  const queues = new Map<string, Promise<boolean>>()
  const callNumbers = new LRUCache<string, number>({ max: 5 * MAX_PENDING_CALLS })
  let lastNumber = 0
  let calls = 0

  async function send(call: WebhookCall, isNext: Promise<boolean> | true) {
    const { id, about } = call
    const conditions = await Promise.all([queues.get(about) ?? true, isNext])
    try {
      if (conditions.includes(false) || !(await deliver(call))) return false
      await db.deleteFrom('webhookCalls').where('id', '=', id).execute()
      return true
    } catch (error) {
      log.error('a call to the auth webhook could not be deleted', error, { about })
      return false
    }
  }

  return {
    settled: () => Promise.allSettled(queues.values()),

    async store(call: WebhookCall) {
      const { about } = call
      const row = {
        ...call,
        claims: JSON.stringify(call.claims),
        createdAt: now(),
        nextAttemptAt: now() + LEASE_MS,
      }
      const number = ++lastNumber
      try {
        const earlierCalls = await db
          .selectFrom('webhookCalls')
          .select('id')
          .where('about', '=', about)
          .execute()
        await db.insertInto('webhookCalls').values(row).execute()
        // An earlier call about the same subject must arrive first.
        return earlierCalls.every(({ id }) => (callNumbers.get(id) ?? Infinity) < number)
      } catch (error) {
        log.error('a call to the auth webhook could not be stored', error, { about })
        return false
      }
    },

    /** Calls about a subject keep their sequence; after a failure, the job sends them again. */
    enqueue(call: WebhookCall, isNext: Promise<boolean> | true) {
      const { id, about } = call
      if (calls >= MAX_PENDING_CALLS) {
        const error = new Error(`${calls} calls wait`)
        log.error('calls to the auth webhook are delayed', error, { about })
        return
      }
      calls += 1
      callNumbers.set(id, ++lastNumber)
      const queue = send(call, isNext).then((isSent) => {
        calls -= 1
        if (!isSent) callNumbers.delete(id)
        if (queues.get(about) === queue) queues.delete(about)
        return isSent
      })
      queues.set(about, queue)
    },
  }
}

async function* claimLeftOver(db: Db, at: number) {
  await db
    .deleteFrom('webhookCalls')
    .where('createdAt', '<', at - MAX_AGE_MS)
    .execute()
  const dueCalls = await db
    .selectFrom('webhookCalls as call')
    .selectAll()
    .where('nextAttemptAt', '<=', at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhookCalls as earlier')
            .select('earlier.id')
            .whereRef('earlier.about', '=', 'call.about')
            .whereRef('earlier.createdAt', '<', 'call.createdAt'),
        ),
      ),
    )
    .orderBy('createdAt')
    .limit(100)
    .execute()
  const subjects = new Set<string>()
  for (const { id, about, method, claims, nextAttemptAt } of dueCalls) {
    if (subjects.has(about)) continue
    subjects.add(about)
    const { numUpdatedRows } = await db
      .updateTable('webhookCalls')
      .set({ nextAttemptAt: at + LEASE_MS })
      .where('id', '=', id)
      .where('nextAttemptAt', '=', nextAttemptAt)
      .executeTakeFirst()
    if (numUpdatedRows === 1n) {
      yield { id, about, method, claims: JSON.parse(claims) as JWTPayload }
    }
  }
}
