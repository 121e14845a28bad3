/** Configures better-auth, which manages accounts and sessions. Only the shop's own code calls better-auth, and none of its URLs is public. */
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { newRecoveryCode } from '#app/lib/auth/human-readable-codes.ts'
import { APIError } from 'better-auth/api'
import { anonymous } from 'better-auth/plugins/anonymous'
import type { Db, Dialect } from '#db/schema.ts'
import {
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '#app/lib/auth/account-limits.ts'
import {
  limitHashing,
  passwordHashing,
  type PasswordHashing,
} from '#app/lib/auth/password-hashing.server.ts'
import {
  stripTokens,
  providersPlugin,
  type Providers,
} from '#app/lib/auth/oauth-providers.server.ts'
import { GUEST_NAME } from './guest-name.ts'

const RECOVERY_CODE_COUNT = 10

/** Adds two-factor login with codes of an authenticator app and recovery codes. better-auth encrypts the app's secret and the recovery codes with the shop's secret. */
const twoFactorPlugin = () =>
  twoFactor({
    // After the password, the user has this many seconds to type the two-factor code.
    twoFactorCookieMaxAge: 600,
    // After ten wrong two-factor codes in a row, the account is locked for 15 minutes.
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    backupCodeOptions: {
      storeBackupCodes: 'encrypted',
      customBackupCodesGenerate: () => Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode),
    },
  })

/** Returns true for the URLs of better-auth that check the password before they create a session. The owner can sign in only through these URLs. */
const isPasswordSignIn = (path: string | undefined): boolean =>
  /^\/(sign-in\/email|two-factor\/[a-z-]+|change-password)$/.test(path ?? '')

/** The owner can sign in only with her password, and her account cannot be deleted. [S-232] Also shortens the user agent of each new session. */
const accountHooks = (adminId: string) =>
  ({
    user: { delete: { before: async ({ id }) => id !== adminId } },
    account: { delete: { before: async ({ userId }) => userId !== adminId } },
    session: {
      create: {
        before: async (session, context) =>
          (session.userId !== adminId || isPasswordSignIn(context?.path)) && {
            data: { ...session, userAgent: session.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) },
          },
      },
      // better-auth replaces the session when two-factor login is turned on or off. The old session must stay valid, because the open page may still use its cookie.
      delete: { before: async (_, context) => !context?.path?.startsWith('/two-factor/') },
    },
  }) satisfies BetterAuthOptions['databaseHooks']

type AuthConfig = {
  db: Db
  dialect: Dialect
  secret: string
  publicUrl: string | null
  adminId: string
  providers?: Providers
  /** Tests replace better-auth's functions. */
  password?: PasswordHashing
}

/** The shop uses this base URL when it calls better-auth. No browser requests this URL. */
export const AUTH_ORIGIN = 'http://auth.internal'
const DAY = 24 * 60 * 60
/** A session ends after this many seconds without use. A session in use is renewed at most once per SESSION_RENEWAL_SECONDS. */
const SESSION_LIFETIME_SECONDS = 30 * DAY
const SESSION_RENEWAL_SECONDS = 60 * 60

/** Browsers send shorter user agents. An attacker could fill the disk with long ones. */
const MAX_USER_AGENT_LENGTH = 500

/** Pages need a name and an image URL of limited length, but better-auth accepts any JSON. */
const validName = (name: unknown) =>
  typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : ''
const validImage = (image: unknown) =>
  typeof image === 'string' && image.length <= 500 && /^(https:\/\/|\/)/.test(image) ? image : null

export function authOptions({
  db,
  dialect,
  secret,
  publicUrl,
  adminId,
  providers,
  password = passwordHashing,
}: AuthConfig) {
  const isSecure = publicUrl?.startsWith('https:') ?? false
  return {
    appName: 'Knots & Love',
    baseURL: AUTH_ORIGIN,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [AUTH_ORIGIN],
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Errors are thrown, so that the caller logs them; otherwise better-auth would print them itself.
    onAPIError: { throw: true },
    database: { db, type: dialect },
    advanced: {
      // The shop uses the prefix __Host- instead of better-auth's prefix, so that no other host of the domain can set a session cookie.
      useSecureCookies: false,
      cookiePrefix: isSecure ? '__Host-shop' : 'shop',
      defaultCookieAttributes: { secure: isSecure },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
      // A login with a provider may take this many seconds, because the user may have to create an account at the provider.
      cookies: { state: { attributes: { maxAge: 600 } } },
    },
    session: {
      expiresIn: SESSION_LIFETIME_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
      freshAge: 600,
    },
    // The shop has its own rate limits, which also count by device and account.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      revokeSessionsOnPasswordReset: true,
      password: limitHashing(password),
    },
    user: {
      deleteUser: {
        enabled: true,
        beforeDelete: async (user) => {
          if (user.id === adminId)
            throw new APIError('FORBIDDEN', {
              message: 'The owner cannot be deleted',
              code: 'OWNER',
            })
        },
      },
    },
    // The shop stores no tokens of a provider, because it never calls the provider on behalf of a customer.
    account: { updateAccountOnSignIn: false },
    databaseHooks: {
      ...accountHooks(adminId),
      account: {
        ...accountHooks(adminId).account,
        create: { before: async (account) => stripTokens(account, adminId) },
      },
      user: {
        ...accountHooks(adminId).user,
        create: {
          before: async (user) => ({
            data: { ...user, name: validName(user.name), image: validImage(user.image) },
          }),
        },
        update: {
          before: async (user) => ({
            data: {
              ...user,
              ...('name' in user && { name: validName(user.name) }),
              ...('image' in user && { image: validImage(user.image) }),
            },
          }),
        },
      },
    },
    plugins: [
      providersPlugin(providers ?? { list: [], origin: null }),
      // better-auth must not delete a guest who signs in to an account, because the shop first moves the guest's data and then deletes the guest. [S-002]
      anonymous({
        emailDomainName: 'guest.invalid',
        generateName: () => GUEST_NAME,
        disableDeleteAnonymousUser: true,
      }),
      twoFactorPlugin(),
    ],
  } satisfies BetterAuthOptions
}

export const createAuth = (setup: AuthConfig) => betterAuth(authOptions(setup))
export type Auth = ReturnType<typeof createAuth>

export async function ensureOwner(
  auth: Auth,
  owner: { id: string; email: string; name: string; password: string },
): Promise<'created' | 'exists'> {
  const { internalAdapter, password } = await auth.$context
  if (!(await internalAdapter.findUserById(owner.id))) {
    await internalAdapter.createUser(
      { id: owner.id, email: owner.email, name: owner.name, emailVerified: true },
      { method: 'seed' },
    )
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
