/** What refuses to start in public (046); at home, as `npm start` on a fresh machine, everything may be as it comes. */
import { isIP } from 'node:net'
import { openTrust } from './client-address.server.ts'
import type { Env } from './env.server.ts'
import { isCommonPassword, isFitPassword } from './password-policy.server.ts'
import { readStorageAddress } from './storage-address.ts'

const isPrivate = openTrust('loopback, private')
/** Names that are nobody's on the internet (RFC 2606, 6761, 6762). */
const ofNobody = /(^|\.)(localhost|local|test|internal)$/

export function isProduction({ publicUrl }: Pick<Env, 'publicUrl'>): boolean {
  if (publicUrl === null) return false
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? !isPrivate(host) : !ofNobody.test(host)
}

/** In README, in docs and in deploy/, in tests, and what people put there meanwhile. */
const known =
  /^(password|secret|shop|postgres|minio|minioadmin|token|key|user|admin|owner|root|test|example|changeme|knots-and-love|owner-password|a-good-password|a-secret-of-at-least-32-characters)$/
export const knownOwnersPasswords = ['owner-password', 'knots-and-love']

/** What everybody would try, and what nobody has put in the place of an example. */
function isKnownSecret(secret: string): boolean {
  const plain = secret.toLowerCase()
  return known.test(plain) || isCommonPassword(plain) || /change-?me|[<>…]|\.\.\.|^your-/.test(plain)
}

const isExample = (email: string) => /[@.]((example\.(com|net|org))|example|test|invalid|localhost)$/.test(email)

/** Before the host, or as a setting behind the address, which PostgreSQL's library takes as well. */
function passwordOf(text: string | null): string | null {
  if (text === null) return null
  const url = new URL(text)
  return url.searchParams.get('password') || decodeURIComponent(url.password) || null
}

function storageSecretOf(filesUrl: string | null): string | null {
  const address = filesUrl === null ? null : readStorageAddress(filesUrl)
  return typeof address === 'object' ? (address?.credentials?.secretAccessKey ?? null) : null
}

const EVERYBODY = 'that everybody knows; make one with: openssl rand -base64 33'

export function refuseIfAny(lines: string[]): void {
  if (lines.length > 0) throw Object.assign(new Error(lines.join('\n')), { lines })
}

export function productionRefusals(env: Env, variables: Record<string, string | undefined>): string[] {
  if (!isProduction(env)) return []
  const lines: string[] = []
  const refuseIf = (isSo: boolean, line: string) => void (isSo && lines.push(line))
  refuseIf(
    !env.publicUrl!.startsWith('https:'),
    'PUBLIC_URL must be a https address: over http everybody on the way reads passwords and messages',
  )
  refuseIf(isExample(env.ownerEmail), `OWNER_EMAIL must be the owner's own address; ${env.ownerEmail} is an example that reaches nobody`)
  const { ownerPassword } = env
  refuseIf(
    ownerPassword !== null && (isKnownSecret(ownerPassword) || !isFitPassword(ownerPassword, env.ownerEmail)),
    'OWNER_PASSWORD is one that everybody knows or would guess first; choose another, or leave it unset to have one made',
  )
  refuseIf(env.demo, 'DEMO must be 0: the demo shop has customers whose password stands in README')
  const secrets: [name: string, secret: string | null | undefined][] = [
    ['DATABASE_URL', passwordOf(env.databaseUrl)],
    ...(env.listenUrl === env.databaseUrl ? [] : [['DATABASE_LISTEN_URL', passwordOf(env.listenUrl)] as [string, string | null]]),
    ['SHOP_SECRET', env.secret],
    ['SMTP_URL', passwordOf(env.smtpUrl)],
    ['FILES_URL', storageSecretOf(env.filesUrl)],
    ['AUTH_SYNC_SECRET', env.authSync?.secret],
    ['METRICS_TOKEN', env.watch.metricsToken],
    ...env.providers.map(({ id, clientSecret }): [string, string] => [`${id.toUpperCase()}_CLIENT_SECRET`, clientSecret]),
  ]
  for (const [name, secret] of secrets)
    refuseIf(
      typeof secret === 'string' && isKnownSecret(secret),
      `${name} has a ${name.endsWith('_URL') ? 'password' : 'value'} ${EVERYBODY}`,
    )
  const isOpen = !['127.0.0.1', 'localhost', '::1'].includes(env.host)
  refuseIf(
    isOpen && !variables.TRUSTED_PROXIES,
    `TRUSTED_PROXIES must name the proxy that speaks https, since HOST ${env.host} lets others than this machine connect; for one on this machine set HOST=127.0.0.1, or name loopback`,
  )
  return lines
}
