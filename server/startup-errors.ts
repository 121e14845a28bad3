/** Explains a failed start in one line that names the setting, without a password or a stack trace. */
import type { Env } from '#app/lib/config/env.server.ts'

type Failure = {
  code?: string
  syscall?: string
  hostname?: string
  message?: string
  errors?: Failure[]
}

const filesystemCodes = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOENT',
  'EEXIST',
  'ENOSPC',
  'EDQUOT',
  'ERR_SQLITE_ERROR',
]
const networkCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNRESET',
  'ENOENT',
]

/** Returns a line for each problem. Errors are recognized by their properties, because the bundle contains its own copies of the error classes. */
export function describeStartupErrors(error: unknown, env: Env | undefined): string[] {
  const { lines } = (error ?? {}) as { lines?: string[] }
  return lines ?? [describeStartupError(error, env)]
}

/** Returns a line for an error. `env` is undefined if the error is about invalid settings. */
export function describeStartupError(error: unknown, env: Env | undefined): string {
  const failure = (error ?? {}) as Failure
  // If Node has tried several addresses of the host, `errors` contains an error for each address.
  const code = failure.code ?? failure.errors?.[0]?.code ?? ''
  const message = (failure.message || failure.errors?.[0]?.message || String(error)).split('\n')[0]!
  if (!env) return message
  if (failure.syscall === 'listen' || failure.hostname === env.host) return listenReason(code, env)
  const isDatabase =
    networkCodes.includes(code) && failure.syscall !== 'mkdir' && failure.syscall !== 'open'
  // PostgreSQL's error codes have five characters, so such an error comes from the database.
  if (env.databaseUrl && (isDatabase || /^[0-9A-Z]{5}$/.test(code)))
    return `DATABASE_URL names a database that cannot be used (${code}${code.startsWith('E') ? '' : `: ${message}`})`
  if (env.databaseUrl && /^timeout (expired|exceeded)/.test(message))
    return 'DATABASE_URL names a database that does not respond'
  if (filesystemCodes.includes(code))
    return `DATA_DIR ${env.dataDir} cannot be used (${code === 'ERR_SQLITE_ERROR' ? message : code})`
  return message
}

function listenReason(code: string, { port, host }: Env): string {
  if (code === 'EADDRINUSE') return `Another program uses PORT ${port} on ${host}`
  if (code === 'EACCES') return `PORT ${port} may be used by the system's administrator only`
  return `HOST ${host} is not an address of this machine (${code})`
}

type StorageFailure = Failure & { name?: string; httpStatus?: number }

export function storageReason(error: unknown): string {
  const failure = (error ?? {}) as StorageFailure
  const code = failure.code ?? failure.errors?.[0]?.code ?? failure.name ?? ''
  const status = failure.httpStatus
  if (code === 'NoSuchBucket' || status === 404)
    return 'STORAGE_URL names a bucket that does not exist; the shop does not create it'
  if (status === 401 || status === 403)
    return `The key in STORAGE_URL may not read, write, list and delete in the bucket (${code})`
  if (status === 301 || status === 307 || code === 'PermanentRedirect')
    return 'STORAGE_URL names a bucket in another region'
  if (networkCodes.includes(code) || ['TimeoutError', 'AbortError'].includes(code))
    return `STORAGE_URL names a storage that does not respond (${code})`
  return `STORAGE_URL names a storage that cannot be used (${(failure.message || code).split('\n')[0]})`
}
