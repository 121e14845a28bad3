/** Reports sign-ins and sign-outs to the web service that the owner has configured. Without such a service, nothing is sent. [S-016] */
import { setTimeout as after } from 'node:timers/promises'
import { SignJWT, type JWTPayload } from 'jose'
import type { ChangeBus } from '#app/lib/realtime/change-bus.server.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'

const TOKEN_LIFETIME_SECONDS = 300

/** The event contains no email address, because the service might trust an address that the shop has not verified. */
type AuthEventUser = { id: string; sessionId: string; role: string }
export type AuthWebhook = ReturnType<typeof createAuthWebhook>
export type WebhookTarget = { url: string; secret: string }
type Options = {
  live: Pick<ChangeBus<never>, 'onSessionEnd'>
  target: WebhookTarget | null
  issuer: string | null
  now: () => number
  log: Log
  timeouts?: { ofTry?: number; pauses?: number[]; ofClose?: number }
}
type WebhookCall = { method: 'POST' | 'DELETE'; about: string; claims: JWTPayload }

/** The maximum number of running and waiting calls, so that an endpoint that hangs does not fill the memory. */
export const MAX_PENDING_CALLS = 200
/** If the service responds with a server error, a timeout or too many requests, the shop repeats the call. */
const isRetryable = (status: number) => status >= 500 || status === 408 || status === 429

export function createAuthWebhook({ live, target, issuer, now, log, timeouts = {} }: Options) {
  const { ofTry = 5000, pauses = [1000, 10_000], ofClose = 2000 } = timeouts
  const key = new TextEncoder().encode(target?.secret)
  /** There is one queue per session or account, so that the service never receives the end of a session before its start. */
  const queues = new Map<string, Promise<void>>()
  let calls = 0
  const closing = new AbortController()

  /** Each attempt signs a new token, because the token of an earlier attempt may have expired. */
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
      // A redirect is not followed, because it would send the token to another server.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(ofTry), closing.signal]),
    })
    await response.body?.cancel()
    if (response.ok) return
    throw Object.assign(new Error(`the service responded with ${response.status}`), { isFinal: !isRetryable(response.status) })
  }

  async function deliver(call: WebhookCall): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        return await send(call)
      } catch (error) {
        log.error('a call to the auth webhook failed', error, { method: call.method, about: call.about, attempt })
        const pause = (error as { isFinal?: boolean }).isFinal ? undefined : pauses[attempt - 1]
        if (pause === undefined) return
        await after(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
    }
  }

  function start(call: WebhookCall): void {
    if (!target) return
    if (calls >= MAX_PENDING_CALLS)
      return log.error('calls to the auth webhook are delayed', new Error(`${calls} calls wait`), { about: call.about })
    calls += 1
    const queue = (queues.get(call.about) ?? Promise.resolve())
      .then(() => deliver(call))
      .finally(() => {
        calls -= 1
        if (queues.get(call.about) === queue) queues.delete(call.about)
      })
    queues.set(call.about, queue)
  }

  /** The ids of ended sessions that the shop has already sent, so that the service receives the end of a session only once. */
  const described = new Set<string>()
  function ended(sid: string): void {
    if (described.has(sid)) return
    described.add(sid)
    if (described.size > MAX_PENDING_CALLS) described.delete(described.values().next().value!)
    start({ method: 'DELETE', about: sid, claims: { event: 'signed-out', sid } })
  }
  // Only the process that ended the session sends the call.
  const offSessionEnd = live.onSessionEnd((sid, isOurs) => isOurs && ended(sid))
  return {
    /** Must be called after a session was created or its claims have changed. Never waits and never throws. [LOGIN-25] */
    signedIn: ({ id, sessionId, role }: AuthEventUser): void =>
      start({ method: 'POST', about: sessionId, claims: { event: 'signed-in', sub: id, sid: sessionId, role } }),
    /** Must be called after an account or a guest was deleted. `onSessionEnd` reports the end of the user's sessions. [LOGIN-26] */
    accountGone: (id: string): void => start({ method: 'DELETE', about: id, claims: { event: 'account-deleted', sub: id } }),
    async close() {
      offSessionEnd()
      await Promise.race([Promise.allSettled(queues.values()), after(ofClose, undefined, { ref: false })])
      closing.abort()
    },
  }
}
