/** Why the shop cannot start, in one line that names the setting to look at; never a password, never a stack. */
import type { Env } from '#app/platform/env.server.ts'

type Failure = { code?: string; syscall?: string; hostname?: string; message?: string; errors?: Failure[] }

const ofTheFolder = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST', 'ENOSPC', 'EDQUOT', 'ERR_SQLITE_ERROR']
const ofTheNetwork = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'ENOENT']

/** The same, where several things are wrong (env.server.ts, and production.server.ts, whose class in the bundle is another one). */
export function describeStartupErrors(error: unknown, env: Env | undefined): string[] {
  const { lines } = (error ?? {}) as { lines?: string[] }
  return lines ?? [describeStartupError(error, env)]
}

/** `env` undefined: the settings themselves were wrong, and the error says which. */
export function describeStartupError(error: unknown, env: Env | undefined): string {
  const failure = (error ?? {}) as Failure
  // Several addresses of one name were tried.
  const code = failure.code ?? failure.errors?.[0]?.code ?? ''
  const message = (failure.message || failure.errors?.[0]?.message || String(error)).split('\n')[0]!
  if (!env) return message
  if (failure.syscall === 'listen' || failure.hostname === env.host) return listenReason(code, env)
  const isDatabase = ofTheNetwork.includes(code) && failure.syscall !== 'mkdir' && failure.syscall !== 'open'
  // PostgreSQL's own refusals have codes of five characters.
  if (env.databaseUrl && (isDatabase || /^[0-9A-Z]{5}$/.test(code)))
    return `DATABASE_URL leads to a database that cannot be used (${code}${code.startsWith('E') ? '' : `: ${message}`})`
  if (env.databaseUrl && /^timeout (expired|exceeded)/.test(message)) return 'DATABASE_URL leads to a database that does not answer'
  if (ofTheFolder.includes(code)) return `DATA_DIR ${env.dataDir} cannot be used (${code === 'ERR_SQLITE_ERROR' ? message : code})`
  return message
}

function listenReason(code: string, { port, host }: Env): string {
  if (code === 'EADDRINUSE') return `PORT ${port} is taken by another program on ${host}`
  if (code === 'EACCES') return `PORT ${port} is reserved for the system's administrator`
  return `HOST ${host} is no address of this machine (${code})`
}

type StorageFailure = Failure & { name?: string; httpStatus?: number }

export function storageReason(error: unknown): string {
  const failure = (error ?? {}) as StorageFailure
  const code = failure.code ?? failure.errors?.[0]?.code ?? failure.name ?? ''
  const status = failure.httpStatus
  if (code === 'NoSuchBucket' || status === 404) return 'FILES_URL names a bucket that does not exist; the shop does not make one'
  if (status === 401 || status === 403) return `FILES_URL has a key that may not read, write, list and delete there (${code})`
  if (status === 301 || status === 307 || code === 'PermanentRedirect') return 'FILES_URL has a bucket of another region'
  if (ofTheNetwork.includes(code) || ['TimeoutError', 'AbortError'].includes(code))
    return `FILES_URL leads to a storage that does not answer (${code})`
  return `FILES_URL leads to a storage that cannot be used (${(failure.message || code).split('\n')[0]})`
}
