/** SQLite's one connection, in turns. Another program that holds the file (a command, a backup, a shell) is waited for without holding up the process. */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { CompiledQuery, SqliteDriver, type DatabaseConnection, type SqliteDialectConfig, type TransactionSettings } from 'kysely'

/** Milliseconds: how long a write waits for the other program, and between two looks. */
const PATIENCE = 5000
const PAUSE = 25

/** SQLITE_BUSY: nothing of the statement has been done. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5

/**
 * While a write waits, reads take their turns: the write-ahead log lets them. A transaction that may write takes the file's lock at its very
 * beginning; it would otherwise fail in the middle when the other program has written meanwhile.
 */
export class PatientSqliteDriver extends SqliteDriver {
  readonly #file: DatabaseSync
  readonly #patience: number
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #polite: DatabaseConnection | undefined

  constructor(config: SqliteDialectConfig, file: DatabaseSync, patience = PATIENCE) {
    super(config)
    this.#file = file
    this.#patience = patience
  }

  #take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((done) => this.#waiting.push(done))
    this.#isTaken = true
  }

  #pass() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#take()
    if (this.#polite) return this.#polite
    const inner = await super.acquireConnection()
    this.#polite = {
      executeQuery: (query) => this.#whenFree(() => inner.executeQuery(query)),
      streamQuery: (query, size) => inner.streamQuery(query, size),
    }
    return this.#polite
  }

  override async releaseConnection() {
    this.#pass()
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
        if (!isBusy(error) || this.#file.isTransaction || performance.now() - begun > this.#patience) throw error
        this.#pass()
        await after(PAUSE)
        await this.#take()
      }
  }
}
