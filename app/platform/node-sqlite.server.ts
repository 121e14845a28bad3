/** Makes Node's own SQLite look like what Kysely's SqliteDialect expects; no native module is needed. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase } from 'kysely'
import { LRUCache } from 'lru-cache'
import { fold } from './fold.ts'
import { notingDriver } from './outage.server.ts'
import { PatientSqliteDriver } from './patient-sqlite.server.ts'

/** Bound values: node:sqlite refuses booleans, Dates and undefined. */
function bind(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (value === undefined) return null
  return value as SQLInputValue
}

/** The texts of a process are a few hundred; those that hold lists of any length must not grow without end. */
const KEPT_STATEMENTS = 500
/** What leaves the tables as they are. After anything else no statement is used again. */
const leavesTables = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i

/** 040: a statement is prepared once and used by whoever asks the same. A streamed one has its own, since it lives on between other queries. */
function asKyselyWants(db: DatabaseSync): SqliteDatabase {
  const kept = new LRUCache<string, ReturnType<SqliteDatabase['prepare']>>({ max: KEPT_STATEMENTS })
  function prepare(sql: string) {
    const statement = db.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(bind)),
      run: (values: readonly unknown[]) => statement.run(...values.map(bind)),
      iterate: (values: readonly unknown[]) => db.prepare(sql).iterate(...values.map(bind)),
    }
  }
  return {
    close: () => db.close(),
    prepare(sql) {
      // A full disk makes SQLite undo the transaction by itself; a second undoing would fail and hide the cause.
      if (sql === 'rollback' && !db.isTransaction) return prepare('select 1')
      if (!leavesTables.test(sql)) {
        kept.clear()
        return prepare(sql)
      }
      const known = kept.get(sql)
      if (known) return known
      const statement = prepare(sql)
      kept.set(sql, statement)
      return statement
    },
  }
}

/** Milliseconds for which the whole process may stand still, since most of what others do to the file takes less. */
const HELD = 20

/**
 * Opens a file (or ':memory:'); an acknowledged write survives a power cut (synchronous FULL). Queries may call `fold`.
 * `isAlone`: fails when any other process has the file open, even an idle one, and keeps others out as long as it is open itself.
 */
export function openSqlite(path: string, isAlone = false): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: isAlone ? 500 : 5000, enableForeignKeyConstraints: true })
  if (isAlone) db.exec('PRAGMA locking_mode = EXCLUSIVE;')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  // From here on the driver waits, and the process does not.
  if (!isAlone) db.exec(`PRAGMA busy_timeout = ${HELD};`)
  db.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
  return db
}

/** A second look at a file that somebody has open; it cannot write. */
export const openSqliteToRead = (path: string): DatabaseSync => new DatabaseSync(path, { readOnly: true, timeout: 5000 })

/** SQLite can undo a half-done change of tables; Kysely does not rely on it by itself, a start that is killed halfway must. */
class WholeMigrations extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
  /** There is one, but the driver gives the turns itself: it must pass its own on while it waits. */
  override get supportsMultipleConnections() {
    return true
  }
}
class NodeSqliteDialect extends SqliteDialect {
  readonly #file: DatabaseSync
  readonly #patience: number | undefined
  constructor(file: DatabaseSync, patience: number | undefined) {
    super({ database: asKyselyWants(file) })
    this.#file = file
    this.#patience = patience
  }
  override createAdapter() {
    return new WholeMigrations()
  }
  override createDriver() {
    return notingDriver(new PatientSqliteDriver({ database: asKyselyWants(this.#file) }, this.#file, this.#patience))
  }
}

/** `patience`: milliseconds that a write waits for another program. */
export const sqliteDialect = (db: DatabaseSync, patience?: number) => new NodeSqliteDialect(db, patience)
