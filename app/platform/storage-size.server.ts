import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Dialect } from '#db/schema.ts'

/** Bytes on the disk of a folder; null where the system does not say. */
export async function readRoom(folder: string): Promise<{ free: number; all: number } | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0 ? { free: found.bavail * found.bsize, all: found.blocks * found.bsize } : null
}

/** Bytes; null: some managed servers keep it to themselves. */
export async function sizeOfDatabase(db: Db, dialect: Dialect): Promise<number | null> {
  const asked =
    dialect === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const { rows } = await asked.execute(db).catch(() => ({ rows: [] }))
  return rows[0] ? Number(rows[0].bytes) : null
}
