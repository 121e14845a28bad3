/** Distinguishes outages from bugs, so that the shop can ask visitors to come back later. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection, Driver } from 'kysely'
import type { Log } from './log.server.ts'

/** The error page shows one of these texts. The text for `read` contains the words that the specification requires. [S-262, ERR-01] */
export const outageTexts = {
  read: 'The shop could not fetch data just now',
  write: 'The shop could not save that just now. Please try again in a minute.',
} as const

export const RETRY_AFTER_SECONDS = 10

type Failure = Partial<Record<'code' | 'errcode' | 'message' | 'cause' | 'httpStatus', unknown>> & {
  errors?: unknown[]
}

/** SQLite's codes mean, from left to right: busy, locked, read-only, I/O error, full, cannot open. */
const sqliteCodes = [5, 6, 8, 10, 13, 14]
/** PostgreSQL's codes mean, from left to right: connection failed, not enough resources, shutdown or startup, read-only, disk failure. */
const postgresCodes = /^(08...|53...|57P0[1-5]|25006|58030)$/
const diskCodes = [
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EFBIG',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
]
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_SOCKET|TimeoutError|AbortError)$/
/** node-postgres throws errors with these messages and without a code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Returns true for a failure that ends by itself, or ends when someone repairs the machine. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode, message, cause, errors, httpStatus } = error as Failure
  if (code === 'ERR_SQLITE_ERROR')
    return typeof errcode === 'number' && sqliteCodes.includes(errcode & 0xff)
  const name = error instanceof Error ? error.name : ''
  if (
    typeof code === 'string' &&
    (diskCodes.includes(code) || networkCodes.test(code) || postgresCodes.test(code))
  )
    return true
  if (networkCodes.test(name) || error instanceof ServiceUnavailableError) return true
  if (typeof httpStatus === 'number' && (httpStatus >= 500 || httpStatus === 429)) return true
  if (typeof message === 'string' && clientMessages.test(message)) return true
  return isOutage(cause) || (errors?.some(isOutage) ?? false)
}

export class ServiceUnavailableError extends Error {
  override name = 'ServiceUnavailableError'
}

const current = new AsyncLocalStorage<{ isMet: boolean }>()

/** Runs the work of an HTTP response. `isMet` is true if an outage affected this work. */
export async function detectOutages<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; isMet: boolean }> {
  const seen = { isMet: false }
  const result = await current.run(seen, work)
  return { result, isMet: seen.isMet }
}

export function recordOutage(error: unknown): void {
  const seen = current.getStore()
  if (seen && !seen.isMet && isOutage(error)) seen.isMet = true
}

export const sawOutage = (): boolean => current.getStore()?.isMet ?? false

/** Detects outages in the logged errors. This works because the shop logs every failure that it handles. */
export const logWithOutageDetection = (log: Log): Log => ({
  ...log,
  error(message, error, about) {
    recordOutage(error)
    log.error(message, error, about)
  },
})

/** Makes a database driver record its own failures, because better-auth hides the cause of a failure. */
export function driverWithOutageDetection<Each extends Driver>(driver: Each): Each {
  const watched = new WeakSet<object>()
  const noting = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      recordOutage(error)
      throw error
    })
  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async (options) => {
    const connection = await noting(acquire(options))
    if (watched.has(connection)) return connection
    watched.add(connection)
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection)
    connection.executeQuery = (query, inside) => noting(execute(query, inside))
    return connection
  }
  return driver
}
