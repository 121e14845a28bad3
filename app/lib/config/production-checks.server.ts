import { isIP } from 'node:net'
import { createProxyTrust } from '../http/client-address.server.ts'
import type { Env } from './env.server.ts'
import { isCommonPassword, validatePassword } from '../auth/password-policy.server.ts'
import { decodePercent } from '../text/decode-percent.ts'
import { parseStorageUrl } from './storage-url.ts'

const isPrivate = createProxyTrust('loopback, private')
/** No public website can have a name that ends like this. */
const RESERVED_NAMES = /(^|\.)(localhost|local|test|internal)$/

export function isProduction({ publicUrl }: Pick<Env, 'publicUrl'>) {
  if (publicUrl === null) return false
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? !isPrivate(host) : !RESERVED_NAMES.test(host)
}

const knownSecrets =
  /^(password|secret|shop|postgres|minio|minioadmin|token|key|user|admin|owner|root|test|example|changeme|knots-and-love|owner-password|a-good-password|a-secret-of-at-least-32-characters)$/
export const knownOwnerPasswords = ['owner-password', 'knots-and-love']

function isKnownSecret(secret: string) {
  const plain = secret.toLowerCase()
  return (
    knownSecrets.test(plain) ||
    isCommonPassword(plain) ||
    /change-?me|[<>…]|\.\.\.|^your-/.test(plain)
  )
}

const isExample = (email: string) =>
  /[@.]((example\.(com|net|org))|example|test|invalid|localhost)$/.test(email)

function passwordOf(text: string | null) {
  if (text === null) return null
  const url = new URL(text)
  return url.searchParams.get('password') || decodePercent(url.password) || null
}

function storageSecretOf(filesUrl: string | null) {
  const address = filesUrl === null ? null : parseStorageUrl(filesUrl)
  return typeof address === 'object' ? (address?.credentials?.secretAccessKey ?? null) : null
}

const WELL_KNOWN = 'that everyone knows; create one with: openssl rand -base64 33'

export function throwIfInvalid(lines: string[]) {
  if (lines.length > 0) throw Object.assign(new Error(lines.join('\n')), { lines })
}

export function checkProductionConfig(env: Env, variables: Record<string, string | undefined>) {
  if (!isProduction(env)) return []
  const lines: string[] = []
  const refuseIf = (isSo: boolean, line: string) => void (isSo && lines.push(line))
  refuseIf(
    !env.publicUrl!.startsWith('https:'),
    'PUBLIC_URL must be an https URL: over http, others can read passwords and messages',
  )
  refuseIf(
    isExample(env.ownerEmail),
    `OWNER_EMAIL must be the owner's own address; ${env.ownerEmail} is an example`,
  )
  const { ownerPassword } = env
  refuseIf(
    ownerPassword !== null &&
      (isKnownSecret(ownerPassword) || validatePassword(ownerPassword, env.ownerEmail) !== null),
    'OWNER_PASSWORD is well known or easy to guess; choose another one, or leave it unset to generate one',
  )
  refuseIf(env.demo, 'DEMO must be 0: the password of the demo customers is in the README')
  const secrets: [name: string, secret?: string | null][] = [
    ['DATABASE_URL', passwordOf(env.databaseUrl)],
    ['DATABASE_LISTEN_URL', env.listenUrl === env.databaseUrl ? null : passwordOf(env.listenUrl)],
    ['APP_SECRET', env.secret],
    ['SMTP_URL', passwordOf(env.smtpUrl)],
    ['STORAGE_URL', storageSecretOf(env.filesUrl)],
    ['AUTH_WEBHOOK_SECRET', env.authSync?.secret],
    ['METRICS_TOKEN', env.watch.metricsToken],
  ]
  for (const { id, clientSecret } of env.providers) {
    secrets.push([`${id.toUpperCase()}_CLIENT_SECRET`, clientSecret])
  }
  for (const [name, secret] of secrets) {
    refuseIf(
      typeof secret === 'string' && isKnownSecret(secret),
      `${name} has a ${name.endsWith('_URL') ? 'password' : 'value'} ${WELL_KNOWN}`,
    )
  }
  const isOpen = !['127.0.0.1', 'localhost', '::1'].includes(env.host)
  refuseIf(
    isOpen && !variables.TRUSTED_PROXIES,
    `TRUSTED_PROXIES must name the proxy that accepts https, because HOST ${env.host} accepts connections from other machines; if the proxy runs on this machine, set HOST=127.0.0.1, or name loopback`,
  )
  return lines
}
