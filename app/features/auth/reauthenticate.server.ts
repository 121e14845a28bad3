import { loginErrorTexts, loginResults } from './texts.ts'
import type { AuthRequest } from './auth-client.server.ts'
import { checkCode } from './two-factor/check-code.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { toEpochMs } from '#services/users.server.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#lib/auth/account-limits.ts'
import { limitAttempts } from '#services/rate-limits.server.ts'
import type { Db } from '#db/schema.ts'

/** For an account without a password, the last login is 'fresh' for ten minutes, then 'stale'. */
export type ReauthMethod = 'password' | 'fresh' | 'stale'

export const FRESH_LOGIN_MS = 10 * 60_000

type ReauthenticationRefusal = { ok: false; error: string; status: number; field?: 'code' }

export async function readPasswordHash(db: Db, userId: string) {
  const credential = await db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()
  return credential?.password ?? undefined
}

export async function readReauthMethod(
  { db, now }: AppServices,
  user: User,
): Promise<ReauthMethod> {
  if (await readPasswordHash(db, user.id)) return 'password'
  const session = await db
    .selectFrom('session')
    .select('createdAt')
    .where('id', '=', user.sessionId)
    .executeTakeFirst()
  const age = session ? now() - toEpochMs(session.createdAt) : Infinity
  return age < FRESH_LOGIN_MS ? 'fresh' : 'stale'
}

/**
 * Returns null if the proof is right. Call it last (it may use up a code) and outside of
 * transactions. [LOGIN-23]
 */
export async function reauthenticate(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<ReauthenticationRefusal | null> {
  const { app, info } = auth
  const method = await readReauthMethod(app, user)
  if (method === 'fresh') return null
  if (method === 'stale') return { ok: false, error: loginErrorTexts.staleLogin, status: 403 }
  const refusal = { ok: false, error: loginResults.invalidCredentials, status: 403 } as const
  const typed = formText(form, 'password')
  if (typed === '' || typed.length > MAX_TYPED_PASSWORD_LENGTH) return refusal
  const limit =
    (await limitAttempts(auth, 'password-check', user.id)) ??
    (await limitAttempts(auth, 'reauthentication', user.id))
  if (limit) return limit
  const { password } = await app.auth.$context
  const hash = await readPasswordHash(app.db, user.id)
  if (!hash || !(await password.verify({ hash, password: typed }))) return refusal
  await app.rateLimits.giveBack('reauthentication', {
    address: info.clientAddress,
    account: user.id,
  })
  return user.hasSecondFactor ? checkCode(auth, user, formText(form, 'code')) : null
}

export async function listLinkedProviders(app: AppServices, userId: string) {
  const accounts = await app.db
    .selectFrom('account')
    .select('providerId')
    .where('userId', '=', userId)
    .execute()
  return app.providers.filter(({ id }) => accounts.some(({ providerId }) => providerId === id))
}
