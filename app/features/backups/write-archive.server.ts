/** Writes the whole shop into one archive while it is open: all rows of one moment, and the pictures that these know (045). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsOf } from '#db/migrate.ts'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Tx } from '#db/tables.ts'
import type { Snapshot } from '#app/platform/db.server.ts'
import { isStoredPath, type Files } from '#app/platform/files.server.ts'
import { fileEntry, MANIFEST, README, readmeText, SECRETS, tableEntry, type Reason } from './archive.ts'
import { openArchiveWriter, type ArchiveWriter } from './archive-writer.server.ts'
import type { Manifest } from './manifest-input.ts'
import { readLines } from './rows.server.ts'
import { listTables } from './tables.server.ts'

export type Source = {
  snapshot: Snapshot
  dialect: Dialect
  files: Files
  /** folder of the shop's keys */
  secrets: string
  now: () => number
  /** gives up when it is aborted */
  signal?: AbortSignal
}
/** bytes: of the pictures */
export type Contents = { rows: number; files: number; bytes: number; missing: string[] }

type Kept = { paths: Set<string>; bytes: number }

/** Throws what went wrong; what stands at `path` then is no archive, and goes. */
export async function writeArchive(source: Source, path: string, reason: Reason): Promise<Contents> {
  const at = source.now()
  const madeAt = new Date(at).toISOString()
  const writer = await openArchiveWriter(path, at, source.signal)
  try {
    await writer.add(README, [readmeText(madeAt)])
    const kept: Kept = { paths: new Set(), bytes: 0 }
    // Most pictures first, without holding the database; then those that came meanwhile, which its moment knows as well.
    await addFiles(source.files, writer, kept)
    const { tables, migrations, missing } = await source.snapshot(async (tx) => {
      const executed = await migrationsOf(tx)
      await addFiles(source.files, writer, kept)
      return { migrations: executed, missing: await listMissing(tx, kept.paths), tables: await addTables(tx, source.dialect, writer) }
    })
    for (const name of SECRETS) await addSecret(writer, join(source.secrets, name), name)
    const files = { count: kept.paths.size, bytes: kept.bytes, missing }
    const manifest: Manifest = { format: 1, madeAt, reason, database: source.dialect, migrations, tables, files }
    await writer.add(MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
    await writer.end()
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    return { rows, files: files.count, bytes: files.bytes, missing }
  } catch (error) {
    writer.abandon()
    throw error
  }
}

async function addFiles(files: Files, writer: ArchiveWriter, kept: Kept): Promise<void> {
  for (const { path } of await files.list()) {
    if (!isStoredPath(path) || kept.paths.has(path)) continue
    const bytes = await files.read(path)
    // Deleted since it was listed.
    if (!bytes) continue
    await writer.add(fileEntry(path), [bytes], true)
    kept.paths.add(path)
    kept.bytes += bytes.length
  }
}

/** Lost before, or deleted in the moment between: the restored shop shows the same gap. */
async function listMissing(tx: Tx, paths: Set<string>): Promise<string[]> {
  const rows = await tx.selectFrom('pictures').select('path').orderBy('path').execute()
  return rows.flatMap(({ path }) => (paths.has(path) ? [] : [path]))
}

async function addTables(tx: Tx, dialect: Dialect, writer: ArchiveWriter): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = {}
  for (const table of await listTables(tx, dialect)) {
    let rows = 0
    await writer.add(
      tableEntry(table.name),
      readLines(tx, dialect, table, (more) => (rows += more)),
    )
    tables[table.name] = { rows, columns: Object.keys(table.columns) }
  }
  return tables
}

async function addSecret(writer: ArchiveWriter, path: string, name: string): Promise<void> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (bytes) await writer.add(`secrets/${name}`, [bytes])
}
