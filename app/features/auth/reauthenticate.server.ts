/** Checks the password again before a sensitive action, because another person may be using the customer's open browser. */
import { loginErrorTexts, loginResults } from './texts.ts'
import type { AuthRequest } from './auth-client.server.ts'
import { checkCode } from './two-factor/check-code.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { toEpochMs } from '#app/services/users.server.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#app/lib/auth/account-limits.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { ProviderChoice } from '#app/lib/auth/oauth-providers.server.ts'

/** A user with a password must type the password. A user without a password needs a recent login with a provider: her login is recent enough ("fresh") or too old ("stale"). */
export type ReauthMethod = 'password' | 'fresh' | 'stale'

/** If a user has no password, her login counts as a re-authentication for this many milliseconds. */
export const FRESH_LOGIN_MS = 10 * 60_000

export type Reauthentication =
  | { ok: true }
  | { ok: false; error: string; status: number; field?: 'code' }

/** Returns undefined if the account has no password. */
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

/** Decides whether the page asks for the password or for a recent login. [LOGIN-23, S-015] */
export async function readReauthMethod(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  user: Pick<User, 'id' | 'sessionId'>,
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
 * Checks the field `password` of the form that starts the action, and the field `code` if two-step login is on. Call this function after all
 * other checks, and outside of transactions. Failed attempts have a lower rate limit than correct passwords. [LOGIN-23, LOGIN-39, LOGIN-55, TOAST-07, S-235]
 */
export async function reauthenticate(
  auth: AuthRequest,
  user: Pick<User, 'id' | 'email' | 'sessionId' | 'hasSecondFactor'>,
  form: FormData,
): Promise<Reauthentication> {
  const { app, info } = auth
  const method = await readReauthMethod(app, user)
  if (method === 'fresh') return { ok: true }
  if (method === 'stale') return { ok: false, error: loginErrorTexts.staleLogin, status: 403 }
  const refused = { ok: false, error: loginResults.invalidCredentials, status: 403 } as const
  const typed = formText(form, 'password')
  if (typed === '' || typed.length > MAX_TYPED_PASSWORD_LENGTH) return refused
  const who = { address: info.clientAddress, account: user.id }
  const { rateLimits } = app
  const seconds =
    (await rateLimits.secondsToWait('password-check', who)) ||
    (await rateLimits.secondsToWait('reauthentication', who))
  if (seconds > 0) return tooManyRequests(info, seconds)
  const { password } = await app.auth.$context
  const hash = await readPasswordHash(app.db, user.id)
  if (!hash || !(await password.verify({ hash, password: typed }))) return refused
  await rateLimits.giveBack('reauthentication', who)
  const wrongCode = user.hasSecondFactor
    ? await checkCode(auth, user, formText(form, 'code'))
    : null
  return wrongCode ?? { ok: true }
}

/** Lists the providers with which the user can log in. A user without a password re-authenticates with one of them. [S-220] */
export async function listLinkedProviders(
  app: Pick<AppServices, 'db' | 'providers'>,
  userId: string,
): Promise<ProviderChoice[]> {
  const own = await app.db
    .selectFrom('account')
    .select('providerId')
    .where('userId', '=', userId)
    .execute()
  return app.providers.list
    .filter(({ id }) => own.some(({ providerId }) => providerId === id))
    .map(({ id, name }) => ({ id, name }))
}
