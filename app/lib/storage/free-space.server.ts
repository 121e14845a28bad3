import { statfs } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'

export async function diskSpace(folder: string) {
  const disk = await statfs(folder).catch(() => null)
  return disk && disk.blocks > 0
    ? { free: disk.bavail * disk.bsize, all: disk.blocks * disk.bsize }
    : null
}

export async function databaseSize<Tables>(db: Kysely<Tables>, dialect: 'sqlite' | 'postgres') {
  const size =
    dialect === 'sqlite'
      ? sql`page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql`pg_database_size(current_database()) as bytes`
  const query = sql<{ bytes: number }>`select ${size}`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return rows[0] ? Number(rows[0].bytes) : null
}
