import type { Env } from '#lib/config/env.server.ts'

type Failure = {
  code?: string
  name?: string
  syscall?: string
  hostname?: string
  httpStatus?: number
  message?: string
  errors?: Failure[]
}

const filesystemCodes =
  /^(EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST|ENOSPC|EDQUOT|ERR_SQLITE_ERROR)$/
const networkCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|ENOENT)$/

export function describeStartupErrors(error: unknown, env: Env | undefined) {
  const { lines } = (error ?? {}) as { lines?: string[] }
  return lines ?? [describeStartupError(error, env)]
}

/** Returns one line without passwords. `env` is undefined if the settings are invalid. */
export function describeStartupError(error: unknown, env: Env | undefined) {
  const failure = (error ?? {}) as Failure
  const code = failure.code ?? failure.errors?.[0]?.code ?? ''
  const message = (failure.message || failure.errors?.[0]?.message || String(error)).split('\n')[0]!
  if (!env) return message
  if (failure.syscall === 'listen' || failure.hostname === env.host) return listenReason(code, env)
  const isDatabase =
    networkCodes.test(code) && failure.syscall !== 'mkdir' && failure.syscall !== 'open'
  if (env.databaseUrl && (isDatabase || /^[0-9A-Z]{5}$/.test(code))) {
    return `DATABASE_URL names a database that cannot be used (${code}${code.startsWith('E') ? '' : `: ${message}`})`
  }
  if (env.databaseUrl && /^timeout (expired|exceeded)/.test(message)) {
    return 'DATABASE_URL names a database that does not respond'
  }
  if (filesystemCodes.test(code)) {
    return `DATA_DIR ${env.dataDir} cannot be used (${code === 'ERR_SQLITE_ERROR' ? message : code})`
  }
  return message
}

function listenReason(code: string, { port, host }: Env) {
  if (code === 'EADDRINUSE') return `Another program uses PORT ${port} on ${host}`
  if (code === 'EACCES') return `PORT ${port} may be used by the system's administrator only`
  return `HOST ${host} is not an address of this machine (${code})`
}

export function storageReason(error: unknown) {
  const failure = (error ?? {}) as Failure
  const code = failure.code ?? failure.errors?.[0]?.code ?? failure.name ?? ''
  const status = failure.httpStatus
  if (code === 'NoSuchBucket' || status === 404) {
    return 'STORAGE_URL names a bucket that does not exist; the shop does not create it'
  }
  if (status === 401 || status === 403) {
    return `The key in STORAGE_URL may not read, write, list and delete in the bucket (${code})`
  }
  if (status === 301 || status === 307 || code === 'PermanentRedirect') {
    return 'STORAGE_URL names a bucket in another region'
  }
  if (networkCodes.test(code) || ['TimeoutError', 'AbortError'].includes(code)) {
    return `STORAGE_URL names a storage that does not respond (${code})`
  }
  return `STORAGE_URL names a storage that cannot be used (${(failure.message || code).split('\n')[0]})`
}
