/** What tests of backups share: an archive of a shop, taken apart and put together otherwise, and a second database to bring it back into. */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { onTestFinished } from 'vitest'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { migrate } from '#db/migrate.ts'
import { makeBackup, type BackupShop } from '#app/features/backups/make-backup.server.ts'
import { openArchive } from '#app/features/backups/read-archive.server.ts'
import { restoreArchive } from '#app/features/backups/restore.server.ts'
import { verifyArchive } from '#app/features/backups/verify-archive.server.ts'
import { openPostgres, openSqliteDatabase, type Database } from '#app/platform/db.server.ts'
import { diskFiles } from '#app/platform/files.server.ts'
import { newFolder } from './moving-shops.ts'
import { createDatabase, dropDatabase } from './postgres-databases.ts'

export const archiveOf = async (shop: BackupShop): Promise<string> => (await makeBackup(shop, 'by-hand')).path

/** In a file of its own, or in PostgreSQL; with this version's tables. */
export async function openOther(kind: 'sqlite' | 'postgres'): Promise<Database & { dataDir: string; files: ReturnType<typeof diskFiles> }> {
  const dataDir = join(await newFolder(), 'data')
  await mkdir(dataDir)
  const name = `other_${randomBytes(6).toString('hex')}`
  const database = kind === 'sqlite' ? openSqliteDatabase(dataDir) : openPostgres(await createDatabase(name))
  onTestFinished(async () => {
    await database.close()
    if (kind === 'postgres') await dropDatabase(name)
  })
  await migrate(database.db, database.dialect)
  return { ...database, dataDir, files: diskFiles(join(dataDir, 'files')) }
}

/** Both, where there are both. */
export const kinds = (process.env.TEST_DATABASE === 'postgres' ? ['sqlite', 'postgres'] : ['sqlite']) as ('sqlite' | 'postgres')[]

/** Checks and restores as the command does. */
export async function bringBack(path: string, target: Awaited<ReturnType<typeof openOther>>) {
  const archive = await openArchive(path)
  try {
    await verifyArchive(archive)
    return await restoreArchive({ ...target, now: () => 5, timeZone: 'UTC' }, archive)
  } finally {
    archive.close()
  }
}

/** By name, in the order of the archive. */
export async function partsOf(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true })
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return parts
}

export type Part = [name: string, bytes: Buffer, options?: { mode?: number; compress?: boolean }]

export async function writeParts(path: string, parts: Iterable<Part>): Promise<string> {
  const zip = new ZipFile()
  for (const [name, bytes, options] of parts) zip.addBuffer(bytes, name, options ?? {})
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

/** The same bytes with one text in the place of another of the same length, wherever it stands. */
export async function overwrite(path: string, from: string, to: string): Promise<void> {
  const bytes = await readFile(path)
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + to.length)) bytes.write(to, at)
  await writeFile(path, bytes)
}
