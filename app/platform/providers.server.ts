/** Providers of identities, such as Google: better-auth speaks with them, this looks them up when somebody asks for them (032). */
import { z } from 'zod'
import { LONGEST_NAME } from './account-limits.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as after } from 'node:timers/promises'
import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { APIError, getOAuthState } from 'better-auth/api'
import type { OAuthProvider } from 'better-auth/oauth2'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { decodeJwt } from 'jose'

export type Identity = {
  provider: string
  /** the provider's own name for the person, which never changes */
  subject: string
  email: string
  emailVerified: boolean
  name: string
  /** where the provider keeps the photo; nobody's browser is sent there (S-209) */
  image: string | null
}

const blank = (value: unknown): unknown => (typeof value === 'string' ? value : '')
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Some providers send it as a text; a text that says 'false' is true to a program.
  email_verified: z
    .unknown()
    .optional()
    .transform((told) => told === true || told === 'true'),
  name: z.preprocess(blank, z.string()),
  picture: z.preprocess(blank, z.string()),
})

/** null: claims that name nobody, or that no account could be made of. */
function identityOf(provider: string, claims: unknown): Identity | null {
  const read = Claims.safeParse(claims)
  if (!read.success) return null
  const { sub, email, email_verified: emailVerified, name, picture } = read.data
  // Names stand in letters and lists: neither a line of one's own nor marks that turn the words around them have a place there.
  const oneLine = name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/\p{Cs}/gu, '')
  const image = picture.length <= 500 && picture.startsWith('https://') && URL.canParse(picture) ? picture : null
  return { provider, subject: sub, email: email.toLowerCase(), emailVerified, name: oneLine, image }
}

export type ProviderSettings = { id: string; name: string; issuer: string; clientId: string; clientSecret: string }
export type ProviderChoice = Pick<ProviderSettings, 'id' | 'name'>
export type Providers<Each = ProviderSettings> = {
  list: readonly Each[]
  /** where they send people back to; null: unknown, and none is asked */
  origin: string | null
}

/** Where a provider sends people back to: this address is to be registered with it. */
const backAddressOf = (id: string) => `/login/${id}/back`

/** Meets the identity that an answer proves, before any account is looked at; `wanted`: the address of success; false: the library stops. */
export const meeting = new AsyncLocalStorage<{ meet: (identity: Identity, wanted: string) => Promise<boolean> }>()

export const providersPlugin = ({ list, origin }: Providers) =>
  ({
    id: 'providers',
    init: (context: AuthContext) => ({
      context: { socialProviders: origin === null ? [] : list.map((settings) => openProvider(settings, origin, context)) },
    }),
  }) satisfies BetterAuthPlugin

/** How long a provider may think, and how long what it says of itself is believed. */
const PATIENCE = 8000
const BELIEVED = 3_600_000

/** The library asks once, at its start; a provider that was away then would stay away. So it is asked anew until it answers. */
function openProvider(settings: ProviderSettings, origin: string, context: AuthContext): OAuthProvider {
  const { id, name, clientId, clientSecret } = settings
  const issuer = settings.issuer.replace(/\/$/, '')
  const config = {
    ...{ providerId: id, name, clientId, clientSecret, pkce: true, requireIdTokenVerification: true },
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    redirectURI: origin + backAddressOf(id),
    scopes: ['openid', 'email', 'profile'],
    ...(id === 'google' && { prompt: 'select_account' as const }),
  }
  let known: { provider: OAuthProvider; until: number } | null = null

  async function lookUp(): Promise<OAuthProvider> {
    const found = await inTime(genericOAuth({ config: [config] }).init(context)).catch(() => null)
    const provider = found?.context.socialProviders[0]
    if (!provider?.issuer) throw new APIError('BAD_GATEWAY', { code: `${issuer} does not answer as a provider` })
    if (provider.issuer.replace(/\/$/, '') !== issuer)
      throw new APIError('BAD_GATEWAY', { code: `${issuer} says that it is ${provider.issuer}` })
    known = { provider, until: Date.now() + BELIEVED }
    return provider
  }
  const find = async () =>
    known && known.until > Date.now()
      ? known.provider
      : lookUp().catch((error: unknown) => {
          if (known) return known.provider
          throw error
        })

  return {
    id,
    name,
    get issuer() {
      return known?.provider.issuer
    },
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => String((profile as { sub?: unknown }).sub ?? ''),
    createAuthorizationURL: async (asked) => (await find()).createAuthorizationURL(asked),
    validateAuthorizationCode: async (asked) => inTime((await find()).validateAuthorizationCode(asked)),
    async getUserInfo(tokens) {
      const visit = meeting.getStore()
      const state = await getOAuthState()
      if (!visit || !state || !tokens.idToken) return null
      const told = await inTime(find().then((provider) => provider.getUserInfo(tokens))).catch(() => null)
      const identity = told && identityOf(id, told.data)
      // What was asked for separately must be of the one whom the signed token names.
      if (!identity || identity.subject !== decodeJwt(tokens.idToken).sub) return null
      if (!(await visit.meet(identity, state.callbackURL))) return null
      const { email, emailVerified, name: called } = identity
      return { user: { email, emailVerified, name: called }, data: { sub: identity.subject } }
    },
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Symbol('late')
  const found = await Promise.race([work, after(PATIENCE, late, { ref: false })])
  if (found === late) throw new Error('the provider does not answer')
  return found as Result
}

type KeptAccount = { userId: string; providerId: string } & Record<string, unknown>

/** A way into an account, without its tokens; the owner has no other than her password. */
export function keepAccount(account: KeptAccount, adminId: string) {
  if (account.userId === adminId && account.providerId !== 'credential')
    throw new APIError('FORBIDDEN', { message: 'The owner signs in with her password', code: 'OWNER' })
  return {
    data: { ...account, accessToken: null, refreshToken: null, idToken: null, accessTokenExpiresAt: null, refreshTokenExpiresAt: null },
  }
}
