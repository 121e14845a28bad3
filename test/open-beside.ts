/** The SQLite file of an open shop, as another program has it open. */
import { DatabaseSync } from 'node:sqlite'
import { fold } from '#app/platform/fold.ts'

/** Its triggers call `fold`. */
export function openBeside(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 20_000 })
  db.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
  return db
}
