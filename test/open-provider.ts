/** A real OpenID Connect provider for a test, in the place of Google: whoever is asked for signs in by a link, or refuses. */
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { decodeJwt, SignJWT, type JWTPayload } from 'jose'
import Provider, { interactionPolicy, type Configuration } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { openMemory } from './provider-memory.ts'
import { STAYS } from './listen.ts'

export type ProviderPerson = { sub: string; email?: unknown; email_verified?: unknown; name?: unknown; picture?: unknown }
type Manners = {
  /** Cross-Origin-Opener-Policy of its pages; some providers part their windows from those that opened them */
  opener?: string
  /** the claims stand behind the userinfo address only, not in the signed token */
  isTerse?: boolean
  /** another signed token in the place of its own; `sign` has the key that is believed */
  forge?: ((claims: JWTPayload, sign: (claims: JWTPayload, header?: object) => Promise<string>) => Promise<string>) | undefined
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

export const CLIENT = { clientId: 'knots', clientSecret: 'a-secret-of-the-provider' }

/** `people`: who may sign in, by a link of their name; may be changed at any time. `redirect`: addresses it may send people back to. */
export async function openProvider({
  port = 0,
  redirects = [] as string[],
  people = {} as Record<string, ProviderPerson>,
  ...manners
}: Manners & {
  port?: number
  redirects?: string[]
  people?: Record<string, ProviderPerson>
} = {}) {
  const at = port || (await freePort())
  const issuer = `http://localhost:${at}`
  const key = newKey()
  const provider = new Provider(issuer, configurationOf(key, redirects, people, manners.isTerse ?? false))
  const sign = (claims: JWTPayload, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key)
  provider.on('server_error', (_context, error) => console.error(error))
  const server = createHttp({ keepAliveTimeout: STAYS }, (request, response) => void answer(request, response))
  server.listen(at, 'localhost')
  await once(server, 'listening')

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (manners.opener) response.setHeader('Cross-Origin-Opener-Policy', manners.opener)
    const url = new URL(request.url!, issuer)
    // Nobody is remembered: every visit begins with the question.
    if (url.pathname === '/token' && manners.forge) return forgeToken(manners.forge, request, response)
    if (url.pathname === '/auth') delete request.headers.cookie
    if (!url.pathname.startsWith('/interaction/')) return provider.callback()(request, response)
    const who = url.searchParams.get('who')
    if (who === null) {
      const links = [...Object.keys(people), 'Cancel'].map((name) => `<p><a href="?who=${encodeURIComponent(name)}">${name}</a></p>`)
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      return response.end(`<!doctype html><title>Provider</title><h1>Who are you?</h1>${links.join('')}`)
    }
    const person = people[who]
    const result = person
      ? { login: { accountId: person.sub }, select_account: {} }
      : { error: 'access_denied', error_description: 'refused' }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  /** What it answers is written anew, with the token that the test wants. */
  function forgeToken(forge: NonNullable<Manners['forge']>, request: IncomingMessage, response: ServerResponse) {
    const end = response.end.bind(response)
    response.end = ((body: string) => {
      const told = JSON.parse(String(body))
      void forge(decodeJwt(told.id_token), sign).then((forged) => {
        const text = JSON.stringify({ ...told, id_token: forged })
        response.setHeader('Content-Length', Buffer.byteLength(text))
        end(text)
      })
      return response
    }) as typeof response.end
    return provider.callback()(request, response)
  }

  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { issuer, people, manners, close, settings: { id: 'google', name: 'Google', issuer, ...CLIENT } }
}

/** The same, closed with the test that opened it. */
export async function openTestProvider(setup: Parameters<typeof openProvider>[0] = {}) {
  const provider = await openProvider(setup)
  onTestFinished(() => provider.close())
  return provider
}

function configurationOf(
  privateKey: KeyObject,
  redirects: string[],
  people: Record<string, ProviderPerson>,
  isTerse: boolean,
): Configuration {
  const key = privateKey.export({ format: 'jwk' })
  const { base, Prompt } = interactionPolicy
  const policy = base()
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirects,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    adapter: openMemory(),
    jwks: { keys: [{ ...key, kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Google puts e-mail address and name into the signed token.
    conformIdTokenClaims: isTerse,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => Object.values(people).find((person) => person.sub === sub) as ProviderPerson,
    }),
    // Consent is given at once.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}
