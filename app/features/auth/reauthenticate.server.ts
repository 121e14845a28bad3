/** Before a sensitive act: proof that whoever sends the form is the person, not just somebody at her open browser. */
import { INVALID_CREDENTIALS, FRESH_FOR, STALE_LOGIN, type ProofWay } from './auth-texts.ts'
import type { Asker } from './auth-client.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { libraryTime } from '#app/platform/users.server.ts'
import { MOST_TYPED } from '#app/platform/account-limits.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { ProviderChoice } from '#app/platform/providers.server.ts'

export type Proof = { ok: true } | { ok: false; error: string; status: number }

/** The hash of the account's password; undefined for one that has none (Google, or moved here without one). */
export async function readPasswordHash(db: Db | Tx, userId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()
  return found?.password ?? undefined
}

/** LOGIN-23, S-015: what the page must ask for. */
export async function readProofWay({ db, now }: Pick<Shop, 'db' | 'now'>, user: Pick<User, 'id' | 'sessionId'>): Promise<ProofWay> {
  if (await readPasswordHash(db, user.id)) return 'password'
  const session = await db.selectFrom('session').select('createdAt').where('id', '=', user.sessionId).executeTakeFirst()
  const age = session ? now() - libraryTime(session.createdAt) : Infinity
  return age < FRESH_FOR ? 'fresh' : 'stale'
}

/**
 * LOGIN-23, LOGIN-39, LOGIN-55, TOAST-07: the form's field `password` must be the password of the one who is signed in. It comes with the very
 * form that does the act, so one proof is good for one act (034). Ask last, after everything that can be refused without it, and outside
 * transactions. Only failures count as tries.
 */
export async function proveItsYou({ shop, page }: Asker, user: Pick<User, 'id' | 'sessionId'>, form: FormData): Promise<Proof> {
  const way = await readProofWay(shop, user)
  if (way === 'fresh') return { ok: true }
  if (way === 'stale') return { ok: false, error: STALE_LOGIN, status: 403 }
  const refused = { ok: false, error: INVALID_CREDENTIALS, status: 403 } as const
  const typed = textOf(form, 'password')
  if (typed === '' || typed.length > MOST_TYPED) return refused
  const who = { address: page.clientAddress, account: user.id }
  const seconds = await shop.limits.secondsToWait('proof', who)
  if (seconds > 0) return tooMany(page, seconds)
  const { password } = await shop.auth.$context
  const hash = await readPasswordHash(shop.db, user.id)
  if (!hash || !(await password.verify({ hash, password: typed }))) return refused
  await shop.limits.giveBack('proof', who)
  return { ok: true }
}

/** S-220: whoever has no password can prove herself by these. */
export async function listOwnProviders(shop: Pick<Shop, 'db' | 'providers'>, userId: string): Promise<ProviderChoice[]> {
  const own = await shop.db.selectFrom('account').select('providerId').where('userId', '=', userId).execute()
  return shop.providers.list.filter(({ id }) => own.some(({ providerId }) => providerId === id)).map(({ id, name }) => ({ id, name }))
}
