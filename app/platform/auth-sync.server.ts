/** Tells another service of the owner's who signs in and out, as soon as it happens (S-016); without a setting nothing is told to anybody. */
import { setTimeout as after } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Log } from './log.server.ts'

/** CONST-07: seconds for which a token counts. */
export const TOKEN_AGE = 300

/** Who it is, and no more: an e-mail address that nobody has verified yet would be believed there. */
export type Synced = { id: string; sessionId: string; role: string }
export type AuthSync = {
  /** LOGIN-25: after the session has been made, or when what the token says has changed. Never waits, never throws. */
  signedIn: (user: Synced) => void
  /** LOGIN-26: after a session has ended, or the account with it. Never waits, never throws. */
  signedOut: (session: { id: string; sessionId: string }) => void
  /** What is under way may end, for a moment. */
  close: () => Promise<void>
}

/** Where it goes; `secret` is known to the other service too. */
export type SyncTarget = { url: string; secret: string }
/** Milliseconds: for one try, between tries, and for all that is under way when the shop closes. */
export type SyncPatience = { ofTry?: number; pauses?: number[]; ofClose?: number }
type Setup = {
  target: SyncTarget | null
  issuer: string | null
  now: () => number
  log: Log
  patience?: SyncPatience
}
type Call = { method: 'POST' | 'DELETE'; userId: string; sessionId: string; role?: string }

/** Calls under way at once, waiting ones included: an endpoint that hangs may not fill the memory. */
export const MOST_CALLS = 200
/** Worth another try: the network's mistakes, the service's own, and its wish to wait. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429

class Refused extends Error {
  override name = 'Refused'
}

export function openAuthSync({ target, issuer, now, log, patience = {} }: Setup): AuthSync {
  if (!target) return { signedIn() {}, signedOut() {}, close: async () => {} }
  const { ofTry = 5000, pauses = [1000, 10_000], ofClose = 2000 } = patience
  const key = new TextEncoder().encode(target.secret)
  /** by session: its end never overtakes its beginning */
  const lanes = new Map<string, Promise<void>>()
  let calls = 0
  const closing = new AbortController()

  /** A new one for each try, so that none is old when it arrives. */
  function tokenOf({ method, userId, sessionId, role }: Call): Promise<string> {
    const at = Math.floor(now() / 1000)
    const token = new SignJWT({ sid: sessionId, event: method === 'POST' ? 'signed-in' : 'signed-out', ...(role && { role }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(userId)
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
    const told = `the service answered ${response.status}`
    throw isPassing(response.status) ? new Error(told) : new Refused(told)
  }

  async function deliver(call: Call): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        return await send(call)
      } catch (error) {
        log.error('the sync of sign-ins failed', error, { method: call.method, user: call.userId, attempt })
        const pause = error instanceof Refused ? undefined : pauses[attempt - 1]
        if (pause === undefined) return
        await after(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
    }
  }

  function start(call: Call): void {
    if (calls >= MOST_CALLS) return log.error('the sync of sign-ins is behind', new Error(`${calls} calls wait`), { user: call.userId })
    calls += 1
    const lane = (lanes.get(call.sessionId) ?? Promise.resolve())
      .then(() => deliver(call))
      .finally(() => {
        calls -= 1
        if (lanes.get(call.sessionId) === lane) lanes.delete(call.sessionId)
      })
    lanes.set(call.sessionId, lane)
  }

  return {
    signedIn: ({ id, sessionId, role }) => start({ method: 'POST', userId: id, sessionId, role }),
    signedOut: ({ id, sessionId }) => start({ method: 'DELETE', userId: id, sessionId }),
    async close() {
      await Promise.race([Promise.allSettled(lanes.values()), after(ofClose, undefined, { ref: false })])
      closing.abort()
    },
  }
}
