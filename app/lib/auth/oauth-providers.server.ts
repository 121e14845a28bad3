import { canonicalEmail, isEmailAddress } from '#lib/text/email-address.server.ts'
import { z } from 'zod'
import { MAX_NAME_LENGTH } from './account-limits.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as after } from 'node:timers/promises'
import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { APIError, getOAuthState } from 'better-auth/api'
import type { OAuthProvider } from 'better-auth/oauth2'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { decodeJwt } from 'jose'

export type Identity = {
  provider: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
  /** Browsers never load this URL. [S-209] */
  image: string | null
}

const textOrBlank = z.string().catch('')
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().refine(isEmailAddress),
  // Some providers send text, and 'false' is truthy.
  email_verified: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true'),
  name: textOrBlank,
  picture: textOrBlank,
})

const photoOrigins: Record<string, string> = {
  'https://accounts.google.com': 'https://lh3.googleusercontent.com',
}

/**
 * Refuses a photo at another host, because its URL could name any server that the shop can reach.
 */
function photoUrl(picture: string, issuer: string) {
  if (picture.length > 500 || !URL.canParse(picture)) return null
  return new URL(picture).origin === (photoOrigins[issuer] ?? new URL(issuer).origin)
    ? picture
    : null
}

function parseIdentity(provider: string, issuer: string, claims: unknown) {
  const { data } = Claims.safeParse(claims)
  if (!data) return null
  const name = data.name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Cs}/gu, '')
  return {
    provider,
    subject: data.sub,
    email: canonicalEmail(data.email),
    emailVerified: data.email_verified,
    name,
    image: photoUrl(data.picture, issuer),
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

export const oauthCallbackContext = new AsyncLocalStorage<{
  meet: (identity: Identity, providerId: string) => Promise<boolean>
}>()

export const providersPlugin = (list: readonly ProviderSettings[], origin: string | null) =>
  ({
    id: 'providers',
    init: (context: AuthContext) => ({
      context: {
        socialProviders: list.map((settings) => createProvider(settings, origin, context)),
      },
    }),
  }) satisfies BetterAuthPlugin

const TIMEOUT_MS = 8000
const DISCOVERY_TTL_MS = 3_600_000

/**
 * better-auth would read the provider's configuration only at startup, when the provider may be
 * down.
 */
function createProvider(
  settings: ProviderSettings,
  origin: string | null,
  context: AuthContext,
): OAuthProvider {
  const { id, name, clientId, clientSecret } = settings
  const issuer = settings.issuer.replace(/\/$/, '')
  const config = {
    providerId: id,
    name,
    clientId,
    clientSecret,
    pkce: true,
    requireIdTokenVerification: true,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    redirectURI: `${origin}/login/${id}/back`,
    scopes: ['openid', 'email', 'profile'],
    ...(id === 'google' && { prompt: 'select_account' as const }),
  }
  let cached: { provider: OAuthProvider; until: number } | null = null

  async function lookUp() {
    const result = await withTimeout(genericOAuth({ config: [config] }).init(context)).catch(
      () => null,
    )
    const provider = result?.context.socialProviders[0]
    if (!provider?.issuer) {
      throw new APIError('BAD_GATEWAY', { code: `${issuer} does not answer as a provider` })
    }
    if (provider.issuer.replace(/\/$/, '') !== issuer) {
      throw new APIError('BAD_GATEWAY', { code: `${issuer} says that it is ${provider.issuer}` })
    }
    cached = { provider, until: Date.now() + DISCOVERY_TTL_MS }
    return provider
  }
  const find = async () =>
    cached && cached.until > Date.now()
      ? cached.provider
      : lookUp().catch((error: unknown) => {
          if (cached) return cached.provider
          throw error
        })

  return {
    id,
    name,
    get issuer() {
      return cached?.provider.issuer
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
      if (!identity || identity.subject !== decodeJwt(tokens.idToken).sub) return null
      if (!(await visit.meet(identity, state.callbackURL))) return null
      const { email, emailVerified, subject } = identity
      return { user: { email, emailVerified, name: identity.name }, data: { sub: subject } }
    },
  }
}

async function withTimeout<Result>(work: Promise<Result>) {
  const late = Symbol('late')
  const result = await Promise.race([work, after(TIMEOUT_MS, late, { ref: false })])
  if (result === late) throw new Error('the provider does not answer')
  return result as Result
}

type StoredAccount = { userId: string; providerId: string } & Record<string, unknown>

export function stripTokens(account: StoredAccount, ownerId: string) {
  if (account.userId === ownerId && account.providerId !== 'credential') {
    throw new APIError('FORBIDDEN', {
      message: 'The owner signs in with her password',
      code: 'OWNER',
    })
  }
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
