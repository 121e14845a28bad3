/** What the machine cannot do for a while (044): told from mistakes of the program, so that people are told to come back instead of that something broke. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection, Driver } from 'kysely'
import type { Log } from './log.server.ts'

/** S-262; the first holds the words of ERR-01. */
export const outageTexts = {
  read: 'The shop could not fetch data just now',
  write: 'The shop could not keep that just now. Please try again in a minute.',
} as const

export const RETRY_AFTER = 10

type Failure = Partial<Record<'code' | 'errcode' | 'message' | 'cause' | 'httpStatus', unknown>> & { errors?: unknown[] }

/** SQLite: busy, locked, read-only, input or output failed, full, cannot be opened. */
const ofSqlite = [5, 6, 8, 10, 13, 14]
/** PostgreSQL: connections, resources, shutting down or starting, no writing here, its disk. */
const ofPostgres = /^(08...|53...|57P0[1-5]|25006|58030)$/
const ofTheDisk = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM']
const ofTheNetwork =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_SOCKET|TimeoutError|AbortError)$/
/** What the client of PostgreSQL says without a code. */
const ofTheClient =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Whether it passes by itself, or once somebody has made room; nothing that was asked for is wrong. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode, message, cause, errors, httpStatus } = error as Failure
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && ofSqlite.includes(errcode & 0xff)
  const name = error instanceof Error ? error.name : ''
  if (typeof code === 'string' && (ofTheDisk.includes(code) || ofTheNetwork.test(code) || ofPostgres.test(code))) return true
  if (ofTheNetwork.test(name) || error instanceof AwayForNow) return true
  if (typeof httpStatus === 'number' && (httpStatus >= 500 || httpStatus === 429)) return true
  if (typeof message === 'string' && ofTheClient.test(message)) return true
  return isOutage(cause) || (errors?.some(isOutage) ?? false)
}

export class AwayForNow extends Error {
  override name = 'AwayForNow'
}

const current = new AsyncLocalStorage<{ isMet: boolean }>()

/** Runs what answers a request; `isMet` then says whether the answer is what it is because of an outage. */
export async function watchingOutages<Result>(work: () => Promise<Result>): Promise<{ result: Result; isMet: boolean }> {
  const seen = { isMet: false }
  const result = await current.run(seen, work)
  return { result, isMet: seen.isMet }
}

export function noteOutage(error: unknown): void {
  const seen = current.getStore()
  if (seen && !seen.isMet && isOutage(error)) seen.isMet = true
}

export const isOutageMet = (): boolean => current.getStore()?.isMet ?? false

/** Whoever catches a failure logs it: so it is noted whatever is answered. */
export const notingLog = (log: Log): Log => ({
  ...log,
  error(message, error, about) {
    noteOutage(error)
    log.error(message, error, about)
  },
})

/** The accounts library tells nobody why it failed: failures of the database are noted where they happen. */
export function notingDriver<Each extends Driver>(driver: Each): Each {
  const watched = new WeakSet<object>()
  const noting = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      noteOutage(error)
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
