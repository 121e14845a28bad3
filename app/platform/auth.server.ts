/** Accounts and sessions, kept by better-auth. Reached only through the shop’s own actions: no address of it is public. */
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { newRecoveryCode } from './readable-codes.ts'
import { APIError } from 'better-auth/api'
import { anonymous } from 'better-auth/plugins/anonymous'
import type { Db, Dialect } from '#db/schema.ts'
import { LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD } from './account-limits.ts'
import { keepAccount, providersPlugin, type Providers } from './providers.server.ts'

const RECOVERY_CODES = 10

/** Codes of an app every 30 seconds, recovery codes, no codes by mail. Secret and recovery codes are encrypted with the shop's secret. */
export const secondFactor = () =>
  twoFactor({
    // Between the password and the code; longer than it takes to find a telephone.
    twoFactorCookieMaxAge: 600,
    // Ten wrong codes in a row, whoever types them, need the password each time: then nobody gets in for a quarter of an hour.
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    backupCodeOptions: {
      storeBackupCodes: 'encrypted',
      customBackupCodesGenerate: () => Array.from({ length: RECOVERY_CODES }, newRecoveryCode),
    },
  })

/** The library's ways to a session that begin with her password; nothing else lets the owner in, whoever vouches for her address. */
const isHerDoor = (path: string | undefined): boolean => /^\/(sign-in\/email|two-factor\/[a-z-]+|change-password)$/.test(path ?? '')

/** S-232: no session of the owner is made without her password, and she is never deleted. That no other provider is linked to her, see 032. */
const ownerGuards = (adminId: string) =>
  ({
    user: { delete: { before: async ({ id }) => id !== adminId } },
    account: { delete: { before: async ({ userId }) => userId !== adminId } },
    session: {
      create: { before: async ({ userId }, context) => userId !== adminId || isHerDoor(context?.path) },
      // Turning two-step login on or off would end the very session that does it: her open page loads its data anew before it has the new cookie.
      delete: { before: async ({ userId }, context) => userId !== adminId || !context?.path?.startsWith('/two-factor/') },
    },
  }) satisfies BetterAuthOptions['databaseHooks']

type AuthSetup = {
  db: Db
  dialect: Dialect
  secret: string
  publicUrl: string | null
  adminId: string
  providers?: Providers
  password?: NonNullable<BetterAuthOptions['emailAndPassword']>['password']
}

/** Where the shop's own code calls the library; the browser never sees this address. */
export const AUTH_ORIGIN = 'http://auth.internal'
const DAY = 24 * 60 * 60
/** In seconds: how long a session lives unused, and after which time of use it begins anew. */
const LIFE = 30 * DAY
const RENEWED_AFTER = 60 * 60

/** The library takes any JSON for name and image: hold them to what pages can show, whichever way they come in. */
const fitName = (name: unknown) => (typeof name === 'string' ? name.slice(0, LONGEST_NAME) : '')
const fitImage = (image: unknown) => (typeof image === 'string' && image.length <= 500 && /^(https:\/\/|\/)/.test(image) ? image : null)

export function authOptions({ db, dialect, secret, publicUrl, adminId, providers, password }: AuthSetup) {
  const isSecure = publicUrl?.startsWith('https:') ?? false
  return {
    appName: 'Knots & Love',
    baseURL: AUTH_ORIGIN,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [AUTH_ORIGIN],
    telemetry: { enabled: false },
    logger: { disabled: true },
    // The caller logs errors that are no refusal (auth-client.server.ts); the library would print them.
    onAPIError: { throw: true },
    database: { db, type: dialect },
    advanced: {
      // 031: with https no other host of the same domain can plant a session; the library's own prefix would allow that.
      useSecureCookies: false,
      cookiePrefix: isSecure ? '__Host-shop' : 'shop',
      defaultCookieAttributes: { secure: isSecure },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
      // Choosing an account at a provider, or making one there, may take a while.
      cookies: { state: { attributes: { maxAge: 600 } } },
    },
    session: { expiresIn: LIFE, updateAge: RENEWED_AFTER, freshAge: 600 },
    // 038: tries are counted at the shop's own door, where devices and accounts are known.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
      revokeSessionsOnPasswordReset: true,
      ...(password && { password }),
    },
    user: {
      deleteUser: {
        enabled: true,
        beforeDelete: async (user) => {
          if (user.id === adminId) throw new APIError('FORBIDDEN', { message: 'The owner cannot be deleted', code: 'OWNER' })
        },
      },
    },
    // Nothing is ever asked of a provider in somebody's name: its tokens are not kept.
    account: { updateAccountOnSignIn: false },
    databaseHooks: {
      ...ownerGuards(adminId),
      account: { ...ownerGuards(adminId).account, create: { before: async (account) => keepAccount(account, adminId) } },
      user: {
        ...ownerGuards(adminId).user,
        create: { before: async (user) => ({ data: { ...user, name: fitName(user.name), image: fitImage(user.image) } }) },
        update: {
          before: async (user) => ({
            data: { ...user, ...('name' in user && { name: fitName(user.name) }), ...('image' in user && { image: fitImage(user.image) }) },
          }),
        },
      },
    },
    plugins: [
      providersPlugin(providers ?? { list: [], origin: null }),
      // Whoever signs in with a guest's session would end the guest, unasked (S-002): the shop moves and clears guests itself (033).
      anonymous({ emailDomainName: 'guest.invalid', generateName: () => 'Guest', disableDeleteAnonymousUser: true }),
      secondFactor(),
    ],
  } satisfies BetterAuthOptions
}

export const openAuth = (setup: AuthSetup) => betterAuth(authOptions(setup))
export type Auth = ReturnType<typeof openAuth>

export async function ensureOwner(
  auth: Auth,
  owner: { id: string; email: string; name: string; password: string },
): Promise<'created' | 'exists'> {
  const { internalAdapter, password } = await auth.$context
  if (!(await internalAdapter.findUserById(owner.id))) {
    await internalAdapter.createUser({ id: owner.id, email: owner.email, name: owner.name, emailVerified: true }, { method: 'seed' })
  }
  const accounts = await internalAdapter.findAccounts(owner.id)
  if (accounts.some((account) => account.providerId === 'credential')) return 'exists'
  await internalAdapter.linkAccount({
    userId: owner.id,
    providerId: 'credential',
    accountId: owner.id,
    password: await password.hash(owner.password),
  })
  return 'created'
}
