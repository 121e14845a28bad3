/**
 * Reports sign-ins and sign-outs to the web service that the owner has configured. Each call is stored before it is sent, so that it survives
 * the end of the process. Without such a service, nothing is stored or sent. [S-016, S-352]
 */
import { setTimeout as after } from 'node:timers/promises'
import { SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ChangeBus } from '#app/lib/realtime/change-bus.server.ts'
import { createJob } from '#app/lib/jobs/interval.server.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import type { Db } from '#db/schema.ts'

const TOKEN_LIFETIME_SECONDS = 300

/** The event contains no email address. The service that receives the webhook might trust an address that the shop has not verified. */
type AuthEventUser = { id: string; sessionId: string; role: string }
export type AuthWebhook = ReturnType<typeof createAuthWebhook>
export type WebhookTarget = { url: string; secret: string }
type Options = {
  db: Db
  live: Pick<ChangeBus<never>, 'onSessionEnd'>
  target: WebhookTarget | null
  issuer: string | null
  now: () => number
  log: Log
  timeouts?: { attemptMs?: number; retryDelaysMs?: number[]; closeMs?: number }
}
/** `about` is the id of the session or account. */
type WebhookCall = { id: string; method: 'POST' | 'DELETE'; about: string; claims: JWTPayload }

/** The maximum number of running and waiting webhook calls, so that an endpoint that hangs does not fill the memory. */
const MAX_PENDING_CALLS = 200
const MINUTE_MS = 60_000
/** A process sends a call, with all its attempts, in less than this many milliseconds. After that, any process may send the call again. */
const LEASE_MS = 5 * MINUTE_MS
/** A call that failed for this many milliseconds is deleted, because the service then has no use for it. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS
/** Returns true if the HTTP status is a server error, a timeout or too many requests. The shop then repeats the webhook call. */
const isRetryable = (status: number) => status >= 500 || status === 408 || status === 429

export function createAuthWebhook({ db, live, target, issuer, now, log, timeouts = {} }: Options) {
  const { attemptMs = 5000, retryDelaysMs = [1000, 10_000], closeMs = 2000 } = timeouts
  const key = new TextEncoder().encode(target?.secret)
  /** There is one queue of webhook calls per login session or account. So the service never receives the end of a session before its start. */
  const queues = new Map<string, Promise<boolean>>()
  /** The ids of the calls that this process sends or has sent, each with a number that grows from call to call. */
  const taken = new LRUCache<string, number>({ max: 5 * MAX_PENDING_CALLS })
  let lastNumber = 0
  let calls = 0
  const closing = new AbortController()

  /** Each attempt signs a new JWT, because the JWT of an earlier attempt may have expired. */
  function tokenOf({ claims }: WebhookCall): Promise<string> {
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

  async function send(call: WebhookCall): Promise<void> {
    const response = await fetch(target!.url, {
      method: call.method,
      headers: { authorization: `Bearer ${await tokenOf(call)}` },
      // fetch must not follow a redirect, because it would send the JWT to another server.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(attemptMs), closing.signal]),
    })
    await response.body?.cancel()
    if (response.ok) return
    throw Object.assign(new Error(`the service responded with ${response.status}`), {
      isFinal: !isRetryable(response.status),
    })
  }

  /** Returns true if the call needs no further attempt. */
  async function deliver(call: WebhookCall): Promise<boolean> {
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        await send(call)
        return true
      } catch (error) {
        log.error('a call to the auth webhook failed', error, {
          method: call.method,
          about: call.about,
          attempt,
        })
        if ((error as { isFinal?: boolean }).isFinal) return true
        const pause = retryDelaysMs[attempt - 1]
        if (pause === undefined) return false
        await after(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
    }
    return false
  }

  /** Stores a call. Returns true if it is the next one: if this process sends or has sent all earlier calls about the same session or account. Never rejects. */
  async function store(call: WebhookCall): Promise<boolean> {
    const row = {
      ...call,
      claims: JSON.stringify(call.claims),
      createdAt: now(),
      nextAttemptAt: now() + LEASE_MS,
    }
    const number = ++lastNumber
    try {
      const earlier = await db
        .selectFrom('webhookCalls')
        .select('id')
        .where('about', '=', call.about)
        .execute()
      await db.insertInto('webhookCalls').values(row).execute()
      // The job may have taken an earlier, failed call only after this call was enqueued. Then this call does not wait in its queue.
      return earlier.every(({ id }) => (taken.get(id) ?? Infinity) < number)
    } catch (error) {
      log.error('a call to the auth webhook could not be stored', error, { about: call.about })
      return false
    }
  }

  /**
   * Sends a call after the earlier calls about the same session or account, if `isNext` resolves to true. A failed call, and each later call
   * about the same session or account, stays stored for the job below.
   */
  function enqueue(call: WebhookCall, isNext: Promise<boolean> | true): void {
    if (calls >= MAX_PENDING_CALLS)
      return log.error('calls to the auth webhook are delayed', new Error(`${calls} calls wait`), {
        about: call.about,
      })
    calls += 1
    taken.set(call.id, ++lastNumber)
    const queue = Promise.all([queues.get(call.about) ?? true, isNext])
      .then(async (conditions) => {
        if (conditions.includes(false) || !(await deliver(call))) return false
        await db.deleteFrom('webhookCalls').where('id', '=', call.id).execute()
        return true
      })
      .catch((error: unknown) => {
        log.error('a call to the auth webhook could not be deleted', error, { about: call.about })
        return false
      })
      .then((isSent) => {
        calls -= 1
        if (!isSent) taken.delete(call.id)
        if (queues.get(call.about) === queue) queues.delete(call.about)
        return isSent
      })
    queues.set(call.about, queue)
  }

  /** Stores and sends a call. The promise resolves when the call is stored, and never rejects. */
  async function start(call: Omit<WebhookCall, 'id'>): Promise<void> {
    if (!target) return
    const callWithId = { ...call, id: newSecretId() }
    const isNext = store(callWithId)
    enqueue(callWithId, isNext)
    await isNext
  }

  /** Sends the calls of a process that was killed, and calls that failed. Of several calls about the same session or account, only the earliest is sent now. */
  async function sendLeftOver(): Promise<void> {
    const at = now()
    await db
      .deleteFrom('webhookCalls')
      .where('createdAt', '<', at - MAX_AGE_MS)
      .execute()
    const due = await db
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
    const first = due.filter(
      ({ about }, index) => due.findIndex((other) => other.about === about) === index,
    )
    for (const { id, about, method, claims, nextAttemptAt } of first) {
      const claim = db
        .updateTable('webhookCalls')
        .set({ nextAttemptAt: at + LEASE_MS })
        .where('id', '=', id)
      const { numUpdatedRows } = await claim
        .where('nextAttemptAt', '=', nextAttemptAt)
        .executeTakeFirst()
      if (numUpdatedRows === 1n)
        enqueue({ id, about, method, claims: JSON.parse(claims) as JWTPayload }, true)
    }
  }
  const job = createJob(
    { every: MINUTE_MS, failure: 'calls to the auth webhook could not be sent again', log },
    sendLeftOver,
  )

  /** The ids of ended sessions that the shop has already sent, so that the service receives the end of a session only once. */
  const reportedSessionIds = new Set<string>()
  function ended(sid: string): void {
    if (reportedSessionIds.has(sid)) return
    reportedSessionIds.add(sid)
    if (reportedSessionIds.size > MAX_PENDING_CALLS)
      reportedSessionIds.delete(reportedSessionIds.values().next().value!)
    void start({ method: 'DELETE', about: sid, claims: { event: 'signed-out', sid } })
  }
  // Only the process that ended the login session sends the webhook call.
  const offSessionEnd = live.onSessionEnd((sid, isOurs) => isOurs && ended(sid))
  return {
    /** Must be called after a session was created or its claims have changed. Waits only until the call is stored, and never throws. [LOGIN-25] */
    signedIn: ({ id, sessionId, role }: AuthEventUser): Promise<void> =>
      start({
        method: 'POST',
        about: sessionId,
        claims: { event: 'signed-in', sub: id, sid: sessionId, role },
      }),
    /** Must be called after an account or a guest was deleted. `onSessionEnd` reports the end of the user's login sessions. [LOGIN-26] */
    accountGone: (id: string): Promise<void> =>
      start({ method: 'DELETE', about: id, claims: { event: 'account-deleted', sub: id } }),
    sendLeftOver: job.run,
    /** Starts the job that sends the calls of earlier processes. Returns a function that stops it. */
    start: () => (target ? job.start() : async () => {}),
    async close() {
      offSessionEnd()
      await Promise.race([
        Promise.allSettled(queues.values()),
        after(closeMs, undefined, { ref: false }),
      ])
      closing.abort()
    },
  }
}
