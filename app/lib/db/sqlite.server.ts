/** Defines a Kysely dialect for node:sqlite, which needs no native module. The driver waits while another program locks the database. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import type {
  DatabaseConnection,
  Dialect,
  SqliteDatabase,
  SqliteDialectConfig,
  TransactionSettings,
} from 'kysely'
import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { driverWithOutageDetection } from '#app/lib/telemetry/outages.server.ts'

/** Converts values that node:sqlite refuses: booleans, Dates and undefined. */
function bind(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return (value ?? null) as SQLInputValue
}

/** The driver caches this many prepared statements, because preparing a statement of a public page takes twice as long as running it. */
const MAX_PREPARED_STATEMENTS = 500

function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  function prepare(sql: string) {
    const statement = db.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(bind)),
      run: (values: readonly unknown[]) => statement.run(...values.map(bind)),
      // Each iteration prepares its own statement, because a second query with the same text may start before all rows of the first query are read.
      iterate: (values: readonly unknown[]) => db.prepare(sql).iterate(...values.map(bind)),
    }
  }
  return {
    close: () => db.close(),
    prepare(sql) {
      // When the disk is full, SQLite rolls back by itself. A second rollback would fail and hide the cause, so a harmless statement replaces it.
      if (sql === 'rollback' && !db.isTransaction) return prepare('select 1')
      const statement = statements.get(sql) ?? prepare(sql)
      statements.delete(sql)
      statements.set(sql, statement)
      if (statements.size > MAX_PREPARED_STATEMENTS)
        statements.delete(statements.keys().next().value!)
      return statement
    },
  }
}

/** SQLite blocks the process for at most this many milliseconds while another program writes. After that time, the driver waits asynchronously. */
const BUSY_TIMEOUT_MS = 20

/** Opens the database so that a power loss never undoes a committed write. If `isAlone` is true, the function locks the file, and throws if another process has the file open. */
export function openSqlite(path: string, isAlone = false): DatabaseSync {
  const db = new DatabaseSync(path, {
    timeout: isAlone ? 500 : 5000,
    enableForeignKeyConstraints: true,
  })
  if (isAlone) db.exec('PRAGMA locking_mode = EXCLUSIVE;')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  // Opening the database may block the process for seconds. Later statements block it only for BUSY_TIMEOUT_MS.
  if (!isAlone) db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};`)
  db.function('fold', { deterministic: true }, (text) =>
    text === null ? null : normalizeForSearch(String(text)),
  )
  return db
}

export const openSqliteToRead = (path: string): DatabaseSync =>
  new DatabaseSync(path, { readOnly: true, timeout: 5000 })

/** A write waits at most this many milliseconds until another program has released its lock. */
const BUSY_RETRY_MS = 5000
const PAUSE_MS = 25

/** Returns true for SQLITE_BUSY. SQLite then has executed nothing, and the driver can repeat the statement. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === 5

/** All queries share one connection. While a write waits for another program, reads may use the connection. A writing transaction locks the database when the transaction begins. */
class BusyRetrySqliteDriver extends SqliteDriver {
  readonly #file: DatabaseSync
  readonly #patienceMs: number
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #connection: DatabaseConnection | undefined

  constructor(config: SqliteDialectConfig, file: DatabaseSync, patienceMs: number) {
    super(config)
    this.#file = file
    this.#patienceMs = patienceMs
  }

  #take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((done) => this.#waiting.push(done))
    this.#isTaken = true
  }

  #release() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#take()
    if (this.#connection) return this.#connection
    const inner = await super.acquireConnection()
    this.#connection = {
      executeQuery: (query) => this.#whenFree(() => inner.executeQuery(query)),
      streamQuery: (query, size) => inner.streamQuery(query, size),
    }
    return this.#connection
  }

  override async releaseConnection() {
    this.#release()
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings = {},
  ) {
    const isForReading =
      settings.isolationLevel !== undefined || settings.accessMode === 'read only'
    await connection.executeQuery(CompiledQuery.raw(isForReading ? 'begin' : 'begin immediate'))
  }

  async #whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (
          !isBusy(error) ||
          this.#file.isTransaction ||
          performance.now() - begun > this.#patienceMs
        )
          throw error
        this.#release()
        await after(PAUSE_MS)
        await this.#take()
      }
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** Makes Kysely run migrations in a transaction, so that a migration that is killed halfway is rolled back. */
  override get supportsTransactionalDdl() {
    return true
  }
  /** Turns off Kysely's own lock, which would block reads while a write waits. */
  override get supportsMultipleConnections() {
    return true
  }
}

export function sqliteDialect(db: DatabaseSync, patienceMs = BUSY_RETRY_MS): Dialect {
  const config = { database: toKyselyDatabase(db) }
  const standard = new SqliteDialect(config)
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () =>
      driverWithOutageDetection(new BusyRetrySqliteDriver(config, db, patienceMs)),
    createQueryCompiler: () => standard.createQueryCompiler(),
    createIntrospector: (own) => standard.createIntrospector(own),
  }
}
