import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection, Driver } from 'kysely'
import type { Log } from './log.server.ts'

/** The specification requires the words of `read`. [ERR-01] */
export const outageTexts = {
  read: 'The shop could not fetch data just now',
  write: 'The shop could not save that just now. Please try again in a minute.',
} as const

export const RETRY_AFTER_SECONDS = 10

type Failure = Partial<Record<'code' | 'errcode' | 'message' | 'cause' | 'httpStatus', unknown>> & {
  errors?: unknown[]
}

const sqliteCodes = [5, 6, 8, 10, 13, 14]
const postgresCodes = /^(08...|53...|57P0[1-5]|25006|58030)$/
const diskCodes = /^(ENOSPC|EDQUOT|EROFS|EIO|EFBIG|EMFILE|ENFILE|EACCES|EPERM)$/
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_SOCKET|TimeoutError|AbortError)$/
/** node-postgres throws errors with these messages without a code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode, message, cause, errors, httpStatus } = error as Failure
  if (code === 'ERR_SQLITE_ERROR') {
    return typeof errcode === 'number' && sqliteCodes.includes(errcode & 0xff)
  }
  const name = error instanceof Error ? error.name : ''
  const isOutageCode = (text: string) =>
    diskCodes.test(text) || networkCodes.test(text) || postgresCodes.test(text)
  if (typeof code === 'string' && isOutageCode(code)) return true
  if (networkCodes.test(name) || error instanceof ServiceUnavailableError) return true
  if (typeof httpStatus === 'number' && (httpStatus >= 500 || httpStatus === 429)) return true
  if (typeof message === 'string' && clientMessages.test(message)) return true
  return isOutage(cause) || (errors?.some(isOutage) ?? false)
}

export class ServiceUnavailableError extends Error {
  override name = 'ServiceUnavailableError'
}

const current = new AsyncLocalStorage<{ isMet: boolean }>()

export async function detectOutages<Result>(work: () => Promise<Result>) {
  const state = { isMet: false }
  const result = await current.run(state, work)
  return { result, isMet: state.isMet }
}

export function recordOutage(error: unknown) {
  const state = current.getStore()
  if (state && !state.isMet && isOutage(error)) state.isMet = true
}

export const sawOutage = () => current.getStore()?.isMet ?? false

export const logWithOutageDetection = (log: Log): Log => ({
  ...log,
  error(message, error, about) {
    recordOutage(error)
    log.error(message, error, about)
  },
})

/** The driver notes outages, because better-auth hides the cause of a failure. */
export function driverWithOutageDetection<AnyDriver extends Driver>(driver: AnyDriver) {
  const watched = new WeakSet<object>()
  const noting = <Result>(work: Promise<Result>) =>
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
