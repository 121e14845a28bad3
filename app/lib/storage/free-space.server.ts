import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Dialect } from '#db/schema.ts'

/** Returns the free and the total space of a disk in bytes, or null if the operating system does not report them. */
export async function diskSpace(folder: string): Promise<{ free: number; all: number } | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0
    ? { free: found.bavail * found.bsize, all: found.blocks * found.bsize }
    : null
}

/** Returns the size of the database in bytes, or null if the server does not report the size, as some managed servers do. */
export async function databaseSize(db: Db, dialect: Dialect): Promise<number | null> {
  const query =
    dialect === 'sqlite'
      ? sql<{
          bytes: number
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return rows[0] ? Number(rows[0].bytes) : null
}
