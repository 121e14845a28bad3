/** Kysely's dialect for Node's own SQLite, which needs no native module, with a driver that waits for other programs. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type TransactionSettings,
} from 'kysely'
import { fold } from '#app/platform/fold.ts'
import { notingDriver } from '#app/platform/outage.server.ts'

/** Bound values: node:sqlite refuses booleans, Dates and undefined. */
function bind(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return (value ?? null) as SQLInputValue
}

/** Preparing takes twice the time of running on the pages that visitors see; the texts of lists and searches vary, so the oldest goes. */
const MOST_STATEMENTS = 500

function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  function prepare(sql: string) {
    const statement = db.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(bind)),
      run: (values: readonly unknown[]) => statement.run(...values.map(bind)),
      // Somebody else may send the same text before this reader has come to the end.
      iterate: (values: readonly unknown[]) => db.prepare(sql).iterate(...values.map(bind)),
    }
  }
  return {
    close: () => db.close(),
    prepare(sql) {
      // A full disk makes SQLite undo the transaction by itself; a second rollback would fail and hide the cause.
      if (sql === 'rollback' && !db.isTransaction) return prepare('select 1')
      const statement = statements.get(sql) ?? prepare(sql)
      statements.delete(sql)
      statements.set(sql, statement)
      if (statements.size > MOST_STATEMENTS) statements.delete(statements.keys().next().value!)
      return statement
    },
  }
}

/** For so long the whole process may stand still, since most of what others do to the file takes less. */
const BUSY_TIMEOUT_MS = 20

/** An acknowledged write survives a power cut. `isAlone` fails while any other process has the file open, and keeps others out. */
export function openSqlite(path: string, isAlone = false): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: isAlone ? 500 : 5000, enableForeignKeyConstraints: true })
  if (isAlone) db.exec('PRAGMA locking_mode = EXCLUSIVE;')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  // From here on the driver waits, and the process does not.
  if (!isAlone) db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};`)
  db.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
  return db
}

export const openSqliteToRead = (path: string): DatabaseSync => new DatabaseSync(path, { readOnly: true, timeout: 5000 })

/** How long a write waits for another program, and between two tries. */
const PATIENCE_MS = 5000
const PAUSE_MS = 25

/** SQLITE_BUSY: nothing of the statement has been done. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5

/** Lends out the one connection: while a write waits for another program, others read. A writing transaction takes the lock at its beginning. */
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

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings = {}) {
    const isForReading = settings.isolationLevel !== undefined || settings.accessMode === 'read only'
    await connection.executeQuery(CompiledQuery.raw(isForReading ? 'begin' : 'begin immediate'))
  }

  async #whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (!isBusy(error) || this.#file.isTransaction || performance.now() - begun > this.#patienceMs) throw error
        this.#release()
        await after(PAUSE_MS)
        await this.#take()
      }
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite can undo a half-done change of tables; Kysely does not rely on it by itself, a start that is killed halfway must. */
  override get supportsTransactionalDdl() {
    return true
  }
  /** There is one, but the driver lends it out itself: Kysely's own lock would keep it while a write waits. */
  override get supportsMultipleConnections() {
    return true
  }
}

export function sqliteDialect(db: DatabaseSync, patienceMs = PATIENCE_MS): Dialect {
  const config = { database: toKyselyDatabase(db) }
  const standard = new SqliteDialect(config)
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => notingDriver(new BusyRetrySqliteDriver(config, db, patienceMs)),
    createQueryCompiler: () => standard.createQueryCompiler(),
    createIntrospector: (own) => standard.createIntrospector(own),
  }
}
