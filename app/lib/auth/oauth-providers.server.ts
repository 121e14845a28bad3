/** Adds OAuth providers such as Google to better-auth. The configuration of a provider is read when a visitor first uses the provider. */
import { z } from 'zod'
import { MAX_NAME_LENGTH } from '#app/lib/auth/account-limits.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as after } from 'node:timers/promises'
import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { APIError, getOAuthState } from 'better-auth/api'
import type { OAuthProvider } from 'better-auth/oauth2'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { decodeJwt } from 'jose'

export type Identity = {
  provider: string
  /** the permanent id that the provider gives the user */
  subject: string
  email: string
  emailVerified: boolean
  name: string
  /** URL of the photo at the provider's own host, or null. Browsers never load this URL. [S-209] */
  image: string | null
}

const blank = (value: unknown): unknown => (typeof value === 'string' ? value : '')
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Some providers send this value as text, and JavaScript treats the text 'false' as true.
  email_verified: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true'),
  name: z.preprocess(blank, z.string()),
  picture: z.preprocess(blank, z.string()),
})

/** Lists the issuers whose photos have another origin than the issuer itself. */
const photoOrigins: Record<string, string> = {
  'https://accounts.google.com': 'https://lh3.googleusercontent.com',
}

/** Accepts only a URL at the provider's own host, so that a claim cannot make the shop request another server. */
function photoUrl(picture: string, issuer: string): string | null {
  if (picture.length > 500 || !URL.canParse(picture)) return null
  return new URL(picture).origin === (photoOrigins[issuer] ?? new URL(issuer).origin)
    ? picture
    : null
}

/** Parses what the provider claims about a user. Returns null if a required claim is missing or invalid. */
function parseIdentity(provider: string, issuer: string, claims: unknown): Identity | null {
  const read = Claims.safeParse(claims)
  if (!read.success) return null
  const { sub, email, email_verified: emailVerified, name, picture } = read.data
  // Removes line breaks and bidirectional marks, which would garble emails and the owner's lists.
  const oneLine = name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Cs}/gu, '')
  return {
    provider,
    subject: sub,
    email: email.toLowerCase(),
    emailVerified,
    name: oneLine,
    image: photoUrl(picture, issuer),
  }
}

export type ProviderSettings = {
  id: string
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}
export type ProviderChoice = Pick<ProviderSettings, 'id' | 'name'>
export type Providers<Each = ProviderSettings> = {
  list: readonly Each[]
  /** the origin of the callback URL, or null if the origin is unknown; OAuth is then turned off */
  origin: string | null
}

/** The path of the callback URL, which the owner must register with the provider. */
const callbackPath = (id: string) => `/login/${id}/back`

/** `meet` is called with a verified identity before better-auth looks for an account. If `meet` returns false, better-auth stops the login. */
export const oauthCallbackContext = new AsyncLocalStorage<{
  meet: (identity: Identity, providerId: string) => Promise<boolean>
}>()

export const providersPlugin = ({ list, origin }: Providers) =>
  ({
    id: 'providers',
    init: (context: AuthContext) => ({
      context: {
        socialProviders:
          origin === null ? [] : list.map((settings) => createProvider(settings, origin, context)),
      },
    }),
  }) satisfies BetterAuthPlugin

const TIMEOUT_MS = 8000
const DISCOVERY_TTL_MS = 3_600_000

/** This function reads a provider's configuration when a visitor uses the provider. better-auth itself reads it only at startup, and a provider that is down at startup would stay unavailable. */
function createProvider(
  settings: ProviderSettings,
  origin: string,
  context: AuthContext,
): OAuthProvider {
  const { id, name, clientId, clientSecret } = settings
  const issuer = settings.issuer.replace(/\/$/, '')
  const config = {
    ...{
      providerId: id,
      name,
      clientId,
      clientSecret,
      pkce: true,
      requireIdTokenVerification: true,
    },
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    redirectURI: origin + callbackPath(id),
    scopes: ['openid', 'email', 'profile'],
    ...(id === 'google' && { prompt: 'select_account' as const }),
  }
  let known: { provider: OAuthProvider; until: number } | null = null

  async function lookUp(): Promise<OAuthProvider> {
    const found = await withTimeout(genericOAuth({ config: [config] }).init(context)).catch(
      () => null,
    )
    const provider = found?.context.socialProviders[0]
    if (!provider?.issuer)
      throw new APIError('BAD_GATEWAY', { code: `${issuer} does not answer as a provider` })
    if (provider.issuer.replace(/\/$/, '') !== issuer)
      throw new APIError('BAD_GATEWAY', { code: `${issuer} says that it is ${provider.issuer}` })
    known = { provider, until: Date.now() + DISCOVERY_TTL_MS }
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
    createAuthorizationURL: async (request) => (await find()).createAuthorizationURL(request),
    validateAuthorizationCode: async (request) =>
      withTimeout((await find()).validateAuthorizationCode(request)),
    async getUserInfo(tokens) {
      const visit = oauthCallbackContext.getStore()
      const state = await getOAuthState()
      if (!visit || !state || !tokens.idToken) return null
      const info = await withTimeout(find().then((provider) => provider.getUserInfo(tokens))).catch(
        () => null,
      )
      const identity = info && parseIdentity(id, issuer, info.data)
      // The user info must belong to the user whom the signed token names.
      if (!identity || identity.subject !== decodeJwt(tokens.idToken).sub) return null
      if (!(await visit.meet(identity, state.callbackURL))) return null
      const { email, emailVerified, name: called } = identity
      return { user: { email, emailVerified, name: called }, data: { sub: identity.subject } }
    },
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const late = Symbol('late')
  const found = await Promise.race([work, after(TIMEOUT_MS, late, { ref: false })])
  if (found === late) throw new Error('the provider does not answer')
  return found as Result
}

type StoredAccount = { userId: string; providerId: string } & Record<string, unknown>

/** Removes the provider's tokens before better-auth stores an account. Throws if the account would let the owner sign in with a provider, because she must use her password. */
export function stripTokens(account: StoredAccount, adminId: string) {
  if (account.userId === adminId && account.providerId !== 'credential')
    throw new APIError('FORBIDDEN', {
      message: 'The owner signs in with her password',
      code: 'OWNER',
    })
  return {
    data: {
      ...account,
      accessToken: null,
      refreshToken: null,
      idToken: null,
      accessTokenExpiresAt: null,
      refreshTokenExpiresAt: null,
    },
  }
}
