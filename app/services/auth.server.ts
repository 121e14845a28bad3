/** Only the shop's own code calls better-auth; none of its URLs is public. */
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { newRecoveryCode } from '#lib/auth/human-readable-codes.ts'
import { anonymous } from 'better-auth/plugins/anonymous'
import type { Db, Dialect } from '#db/schema.ts'
import {
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '#lib/auth/account-limits.ts'
import {
  limitHashing,
  passwordHashing,
  type PasswordHashing,
} from '#lib/auth/password-hashing.server.ts'
import {
  stripTokens,
  providersPlugin,
  type ProviderSettings,
} from '#lib/auth/oauth-providers.server.ts'
import { decodesEmails } from '#lib/auth/encoded-emails.server.ts'
import { GUEST_NAME } from './guest-name.ts'
import { isOwnerId, OWNER_ID } from './owner-id.ts'

type AuthConfig = {
  db: Db
  dialect: Dialect
  secret: string
  publicUrl: string | null
  providers?: readonly ProviderSettings[]
  origin?: string | null
  password?: PasswordHashing
}

export const AUTH_ORIGIN = 'http://auth.internal'
const MAX_USER_AGENT_LENGTH = 500

export function authOptions({
  db,
  dialect,
  secret,
  publicUrl,
  providers = [],
  origin = null,
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
    // Without `throw`, better-auth would print the errors.
    onAPIError: { throw: true },
    database: { db: db.withPlugin(decodesEmails()), type: dialect },
    advanced: {
      // The shop itself adds the prefix `__Host-`, which keeps other hosts from setting the cookie.
      useSecureCookies: false,
      cookiePrefix: isSecure ? '__Host-shop' : 'shop',
      defaultCookieAttributes: { secure: isSecure },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
      cookies: { state: { attributes: { maxAge: 600 } } },
    },
    // In seconds. A session expires 30 days after the last visit.
    session: { expiresIn: 30 * 24 * 60 * 60, updateAge: 60 * 60, freshAge: 600 },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: limitHashing(password),
    },
    account: { updateAccountOnSignIn: false },
    databaseHooks,
    plugins: [
      providersPlugin(providers, origin),
      // better-auth must not delete the guest, because the shop moves the guest's data first.
      // [S-002]
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
  owner: { email: string; name: string; password: string },
): Promise<'created' | 'exists'> {
  const { internalAdapter, password } = await auth.$context
  if (!(await internalAdapter.findUserById(OWNER_ID))) {
    await internalAdapter.createUser(
      { id: OWNER_ID, email: owner.email, name: owner.name, emailVerified: true },
      { method: 'seed' },
    )
  }
  const accounts = await internalAdapter.findAccounts(OWNER_ID)
  if (accounts.some((account) => account.providerId === 'credential')) return 'exists'
  await internalAdapter.linkAccount({
    userId: OWNER_ID,
    providerId: 'credential',
    accountId: OWNER_ID,
    password: await password.hash(owner.password),
  })
  return 'created'
}

const twoFactorPlugin = () =>
  twoFactor({
    twoFactorCookieMaxAge: 600,
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    backupCodeOptions: {
      storeBackupCodes: 'encrypted',
      customBackupCodesGenerate: () => Array.from({ length: 10 }, newRecoveryCode),
    },
  })

const isPasswordSignIn = (path: string | undefined) =>
  /^\/(sign-in\/email|two-factor\/[a-z-]+|change-password)$/.test(path ?? '')

/** Nobody logs in as the owner without her password, and nobody deletes her account. [S-232] */
const databaseHooks = {
  user: {
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
    delete: { before: async ({ id }) => !isOwnerId(id) },
  },
  account: {
    create: { before: async (account) => stripTokens(account, OWNER_ID) },
    delete: { before: async ({ userId }) => !isOwnerId(userId) },
  },
  session: {
    create: {
      before: async (session, context) =>
        (!isOwnerId(session.userId) || isPasswordSignIn(context?.path)) && {
          data: { ...session, userAgent: session.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) },
        },
    },
    // In a two-factor request, better-auth would end a session that the open page may still use.
    delete: { before: async (_, context) => !context?.path?.startsWith('/two-factor/') },
  },
} satisfies BetterAuthOptions['databaseHooks']

const validName = (name: unknown) =>
  typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : ''
const validImage = (image: unknown) =>
  typeof image === 'string' && image.length <= 500 && /^(https:\/\/|\/)/.test(image) ? image : null
