import { setTimeout as after } from 'node:timers/promises'
import { SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ChangeBus } from '#lib/realtime/change-bus.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import type { Log } from '#lib/telemetry/log.server.ts'
import { newSecretId } from '#lib/text/ids.ts'
import type { Db } from '#db/schema.ts'

export type AuthWebhook = ReturnType<typeof createAuthWebhook>
export type WebhookTarget = { url: string; secret: string }

const TOKEN_LIFETIME_SECONDS = 300
const MAX_PENDING_CALLS = 200
const MINUTE_MS = 60_000
/** A call with all its attempts ends within this time. After it, any process may repeat it. */
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
  const deliver = createDelivery(options, closing.signal)
  const deliveries = new Map<string, Promise<void>>()
  let lastCreatedAt = 0

  async function report(call: Omit<WebhookCall, 'id'>) {
    if (!target) return
    // Each call gets its own time, so that calls of the same millisecond keep their sequence.
    lastCreatedAt = Math.max(now(), lastCreatedAt + 1)
    try {
      await storeCall(db, call, { createdAt: lastCreatedAt, nextAttemptAt: now() })
      void sendDue()
    } catch (error) {
      log.error('a call to the auth webhook could not be stored', error, { about: call.about })
    }
  }

  async function sendDue() {
    if (closing.signal.aborted) return
    try {
      for await (const call of claimDueCalls(db, now(), deliveries)) {
        const delivery = sendAndDelete(call).finally(() => deliveries.delete(call.id))
        deliveries.set(call.id, delivery)
        void delivery.then(sendDue)
      }
    } catch (error) {
      log.error('calls to the auth webhook could not be sent', error)
    }
  }

  async function sendAndDelete(call: WebhookCall) {
    if (!(await deliver(call))) return
    try {
      await db.deleteFrom('webhookCalls').where('id', '=', call.id).execute()
    } catch (error) {
      log.error('a call to the auth webhook could not be deleted', error, { about: call.about })
    }
  }

  const job = { every: MINUTE_MS, failure: 'calls to the auth webhook could not be sent', log }
  const reportedSessionIds = new LRUCache<string, true>({ max: MAX_PENDING_CALLS })
  const offSessionEnd = live.onSessionEnd((sid, isOurs) => {
    if (!isOurs || reportedSessionIds.has(sid)) return
    reportedSessionIds.set(sid, true)
    void report({ method: 'DELETE', about: sid, claims: { event: 'signed-out', sid } })
  })
  return {
    /** Omits the email address, because the service might trust an unverified one. [LOGIN-25] */
    signedIn: ({ id, sessionId, role }: { id: string; sessionId: string; role: string }) =>
      report({
        method: 'POST',
        about: sessionId,
        claims: { event: 'signed-in', sub: id, sid: sessionId, role },
      }),
    /** The ends of the account's sessions are reported by `onSessionEnd`. [LOGIN-26] */
    accountGone: (id: string) =>
      report({ method: 'DELETE', about: id, claims: { event: 'account-deleted', sub: id } }),
    sendDue,
    start: () => (target ? runEvery(job, sendDue) : async () => {}),
    async close() {
      offSessionEnd()
      const { closeMs = 2000 } = options.timeouts ?? {}
      const sent = Promise.allSettled(deliveries.values())
      await Promise.race([sent, after(closeMs, undefined, { ref: false })])
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

const storeCall = (
  db: Db,
  call: Omit<WebhookCall, 'id'>,
  times: { createdAt: number; nextAttemptAt: number },
) =>
  db
    .insertInto('webhookCalls')
    .values({ ...call, ...times, id: newSecretId(), claims: JSON.stringify(call.claims) })
    .execute()

/** A call waits for all earlier calls about the same session or account. */
async function* claimDueCalls(db: Db, at: number, deliveries: ReadonlyMap<string, unknown>) {
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
    .limit(MAX_PENDING_CALLS)
    .execute()
  for (const { id, about, method, claims, nextAttemptAt } of dueCalls) {
    if (deliveries.has(id) || deliveries.size >= MAX_PENDING_CALLS) continue
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
