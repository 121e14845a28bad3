/** Tells another service of the owner's who signs in and out, as soon as it happens (S-016); without a setting nothing is told to anybody. */
import { setTimeout as after } from 'node:timers/promises'
import { SignJWT, type JWTPayload } from 'jose'
import type { Live } from './live.server.ts'
import type { Log } from './log.server.ts'

/** CONST-07: seconds for which a token counts. */
const TOKEN_AGE = 300

/** Who it is, and no more: an e-mail address that nobody has verified yet would be believed there. */
type Synced = { id: string; sessionId: string; role: string }
export type AuthSync = ReturnType<typeof openAuthSync>
export type SyncTarget = { url: string; secret: string }
type Setup = {
  live: Pick<Live, 'onSessionEnd'>
  target: SyncTarget | null
  issuer: string | null
  now: () => number
  log: Log
  patience?: { ofTry?: number; pauses?: number[]; ofClose?: number }
}
type Call = { method: 'POST' | 'DELETE'; about: string; claims: JWTPayload }

/** Calls under way at once, waiting ones included: an endpoint that hangs may not fill the memory. */
export const MOST_CALLS = 200
/** Worth another try: the network's mistakes, the service's own, and its wish to wait. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429

export function openAuthSync({ live, target, issuer, now, log, patience = {} }: Setup) {
  const { ofTry = 5000, pauses = [1000, 10_000], ofClose = 2000 } = patience
  const key = new TextEncoder().encode(target?.secret)
  /** by session or account: its end never overtakes its beginning */
  const lanes = new Map<string, Promise<void>>()
  let calls = 0
  const closing = new AbortController()

  /** A new one for each try, so that none is old when it arrives. */
  function tokenOf({ claims }: Call): Promise<string> {
    const at = Math.floor(now() / 1000)
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience(target!.url)
      .setJti(crypto.randomUUID())
      .setIssuedAt(at)
      .setExpirationTime(at + TOKEN_AGE)
    if (issuer) token.setIssuer(issuer)
    return token.sign(key)
  }

  async function send(call: Call): Promise<void> {
    const response = await fetch(target!.url, {
      method: call.method,
      headers: { authorization: `Bearer ${await tokenOf(call)}` },
      // Nobody else may be handed the token.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(ofTry), closing.signal]),
    })
    await response.body?.cancel()
    if (response.ok) return
    throw Object.assign(new Error(`the service answered ${response.status}`), { isFinal: !isPassing(response.status) })
  }

  async function deliver(call: Call): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        return await send(call)
      } catch (error) {
        log.error('the sync of sign-ins failed', error, { method: call.method, about: call.about, attempt })
        const pause = (error as { isFinal?: boolean }).isFinal ? undefined : pauses[attempt - 1]
        if (pause === undefined) return
        await after(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
    }
  }

  function start(call: Call): void {
    if (!target) return
    if (calls >= MOST_CALLS) return log.error('the sync of sign-ins is behind', new Error(`${calls} calls wait`), { about: call.about })
    calls += 1
    const lane = (lanes.get(call.about) ?? Promise.resolve())
      .then(() => deliver(call))
      .finally(() => {
        calls -= 1
        if (lanes.get(call.about) === lane) lanes.delete(call.about)
      })
    lanes.set(call.about, lane)
  }

  /** Several may say that one session has ended, its account's end among them; once is enough. */
  const told = new Set<string>()
  function ended(sid: string): void {
    if (told.has(sid)) return
    told.add(sid)
    if (told.size > MOST_CALLS) told.delete(told.values().next().value!)
    start({ method: 'DELETE', about: sid, claims: { event: 'signed-out', sid } })
  }
  // Of several processes the one that has ended it tells it.
  const offSessionEnd = live.onSessionEnd((sid, isOurs) => isOurs && ended(sid))
  return {
    /** LOGIN-25: after the session has been made, or when what the token says has changed. Never waits, never throws. */
    signedIn: ({ id, sessionId, role }: Synced): void =>
      start({ method: 'POST', about: sessionId, claims: { event: 'signed-in', sub: id, sid: sessionId, role } }),
    /** LOGIN-26: after an account has been deleted, a guest's too. Its sessions' ends are told by `live`, like any. */
    accountGone: (id: string): void => start({ method: 'DELETE', about: id, claims: { event: 'account-deleted', sub: id } }),
    async close() {
      offSessionEnd()
      await Promise.race([Promise.allSettled(lanes.values()), after(ofClose, undefined, { ref: false })])
      closing.abort()
    },
  }
}
