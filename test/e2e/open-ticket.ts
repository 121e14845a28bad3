/** A ticket of the demo shop whose testimony is not yet written: one of the written ones, made open again. */
import { DatabaseSync } from 'node:sqlite'

export function openTicket(dataDir: string): { id: string; writerEmail: string } {
  const writerEmail = 'henry@example.com'
  const db = new DatabaseSync(`${dataDir}/shop.db`, { timeout: 20_000 })
  db.prepare(`update testimonies set "isAvailable" = 1, testimony = '' where "writerEmail" = ?`).run(writerEmail)
  const { id } = db.prepare(`select id from testimonies where "writerEmail" = ?`).get(writerEmail) as { id: string }
  db.close()
  return { id, writerEmail }
}
