/** Makes Node's own SQLite look like what Kysely's SqliteDialect expects; no native module is needed. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase } from 'kysely'
import { fold } from './fold.ts'

/** Bound values: node:sqlite refuses booleans, Dates and undefined. */
function bind(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (value === undefined) return null
  return value as SQLInputValue
}

const asKyselyWants = (db: DatabaseSync): SqliteDatabase => ({
  close: () => db.close(),
  prepare(sql: string) {
    // A full disk makes SQLite undo the transaction by itself; a second undoing would fail and hide the cause.
    const isUndone = sql === 'rollback' && !db.isTransaction
    const statement = db.prepare(isUndone ? 'select 1' : sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(bind)),
      run: (values: readonly unknown[]) => statement.run(...values.map(bind)),
      iterate: (values: readonly unknown[]) => statement.iterate(...values.map(bind)),
    }
  },
})

/**
 * Opens a file (or ':memory:'); an acknowledged write survives a power cut (synchronous FULL). Queries may call `fold`.
 * `isAlone`: fails when any other process has the file open, even an idle one, and keeps others out as long as it is open itself.
 */
export function openSqlite(path: string, isAlone = false): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: isAlone ? 500 : 5000, enableForeignKeyConstraints: true })
  if (isAlone) db.exec('PRAGMA locking_mode = EXCLUSIVE;')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  db.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
  return db
}

/** SQLite can undo a half-done change of tables; Kysely does not rely on it by itself, a start that is killed halfway must. */
class WholeMigrations extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}
class NodeSqliteDialect extends SqliteDialect {
  override createAdapter() {
    return new WholeMigrations()
  }
}

export const sqliteDialect = (db: DatabaseSync) => new NodeSqliteDialect({ database: asKyselyWants(db) })
