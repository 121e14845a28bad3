/** A Kysely dialect for node:sqlite that waits while another program locks the database. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type TransactionSettings,
} from 'kysely'
import { createSemaphore } from '../jobs/semaphore.ts'
import { normalizeForSearch } from '../text/normalize-for-search.ts'
import { driverWithOutageDetection } from '../telemetry/outages.server.ts'

function bind(value: unknown) {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return (value ?? null) as SQLInputValue
}

const MAX_PREPARED_STATEMENTS = 500

function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const statements = new LRUCache<string, ReturnType<SqliteDatabase['prepare']>>({
    max: MAX_PREPARED_STATEMENTS,
  })
  function prepare(sql: string) {
    const statement = db.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(bind)),
      run: (values: readonly unknown[]) => statement.run(...values.map(bind)),
      // Prepares the query again, because the same query may start before this one is read to its
      // end.
      iterate: (values: readonly unknown[]) => db.prepare(sql).iterate(...values.map(bind)),
    }
  }
  return {
    close: () => db.close(),
    prepare(sql) {
      // On a full disk, SQLite rolls back by itself; a second rollback would hide the cause.
      if (sql === 'rollback' && !db.isTransaction) return prepare('select 1')
      const statement = statements.get(sql) ?? prepare(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}

const BUSY_TIMEOUT_MS = 20

export function openSqlite(path: string, isAlone = false) {
  const db = new DatabaseSync(path, {
    timeout: isAlone ? 500 : 5000,
    enableForeignKeyConstraints: true,
  })
  if (isAlone) db.exec('PRAGMA locking_mode = EXCLUSIVE;')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  if (!isAlone) db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};`)
  db.function('fold', { deterministic: true }, (text) =>
    text === null ? null : normalizeForSearch(String(text)),
  )
  return db
}

export const openSqliteToRead = (path: string) =>
  new DatabaseSync(path, { readOnly: true, timeout: 5000 })

const BUSY_RETRY_MS = 5000
const PAUSE_MS = 25

/** If SQLite is locked (SQLITE_BUSY), it has executed nothing, so the statement may be repeated. */
const isBusy = (error: unknown) =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === 5

/** Lets reads use the only connection while a write waits for the lock of another program. */
class BusyRetrySqliteDriver extends SqliteDriver {
  readonly #file: DatabaseSync
  readonly #patienceMs: number
  readonly #turns = createSemaphore(1)
  #connection: DatabaseConnection | undefined

  constructor(config: SqliteDialectConfig, file: DatabaseSync, patienceMs: number) {
    super(config)
    this.#file = file
    this.#patienceMs = patienceMs
  }

  override async acquireConnection() {
    await this.#turns.take()
    if (this.#connection) return this.#connection
    const inner = await super.acquireConnection()
    this.#connection = {
      executeQuery: (query) => this.#whenFree(() => inner.executeQuery(query)),
      streamQuery: (query, size) => inner.streamQuery(query, size),
    }
    return this.#connection
  }

  override async releaseConnection() {
    this.#turns.release()
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings = {},
  ) {
    const isForReading =
      settings.isolationLevel !== undefined || settings.accessMode === 'read only'
    await connection.executeQuery(CompiledQuery.raw(isForReading ? 'begin' : 'begin immediate'))
  }

  async #whenFree<Result>(work: () => Promise<Result>) {
    const begun = performance.now()
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const isLate = performance.now() - begun > this.#patienceMs
        if (!isBusy(error) || this.#file.isTransaction || isLate) throw error
        this.#turns.release()
        await after(PAUSE_MS)
        await this.#turns.take()
      }
    }
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite rolls back a migration that was killed. */
  override get supportsTransactionalDdl() {
    return true
  }
  /** Kysely's own lock would block reads while a write waits. */
  override get supportsMultipleConnections() {
    return true
  }
}

class QueryCompilerWithoutLocks extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode) {
    if (node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node)
  }
}

export function sqliteDialect(file: DatabaseSync, patienceMs = BUSY_RETRY_MS): Dialect {
  const config = { database: toKyselyDatabase(file) }
  const standard = new SqliteDialect(config)
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () =>
      driverWithOutageDetection(new BusyRetrySqliteDriver(config, file, patienceMs)),
    createQueryCompiler: () => new QueryCompilerWithoutLocks(),
    createIntrospector: (db) => standard.createIntrospector(db),
  }
}
