/** Before a sensitive act: proof that whoever sends the form is the person, not just somebody at her open browser. */
import { INVALID_CREDENTIALS, TOO_MANY_TRIES } from '#app/features/accounts/account-texts.ts'
import { askAuth, type Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { FRESH_FOR, STALE_LOGIN, type ProofWay } from './proof.ts'

export type Proof = { ok: true } | { ok: false; error: string; status: number }

/** Longer than any password that the shop takes: not worth hashing. */
const LONGEST = 1000

/** LOGIN-23, S-015: what the page must ask for. */
export async function readProofWay({ db, now }: Pick<Shop, 'db' | 'now'>, user: Pick<User, 'id' | 'sessionId'>): Promise<ProofWay> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('userId', '=', user.id)
    .where('providerId', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()
  if (account) return 'password'
  const session = await db.selectFrom('session').select('createdAt').where('id', '=', user.sessionId).executeTakeFirst()
  // The library keeps text in SQLite and a date in PostgreSQL; both make a Date.
  const age = session ? now() - new Date(session.createdAt as string | Date).getTime() : Infinity
  return age < FRESH_FOR ? 'fresh' : 'stale'
}

/**
 * LOGIN-23, LOGIN-55, TOAST-07: the form's field `password` must be the password of the one who is signed in. It comes with the very form
 * that does the act, so one proof is good for one act. Ask last, after everything that can be refused without it, and outside transactions.
 */
export async function proveItsYou(asker: Asker, user: Pick<User, 'id' | 'sessionId'>, form: FormData): Promise<Proof> {
  const way = await readProofWay(asker.shop, user)
  if (way === 'fresh') return { ok: true }
  if (way === 'stale') return { ok: false, error: STALE_LOGIN, status: 403 }
  const password = textOf(form, 'password')
  if (password === '' || password.length > LONGEST) return { ok: false, error: INVALID_CREDENTIALS, status: 403 }
  const { status } = await askAuth(asker, '/verify-password', { password })
  if (status === 200) return { ok: true }
  return status === 429 ? { ok: false, error: TOO_MANY_TRIES, status } : { ok: false, error: INVALID_CREDENTIALS, status: 403 }
}
