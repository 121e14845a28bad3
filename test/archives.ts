/** What tests of backups share: a backup of a shop, taken apart and put together otherwise, and a data folder to restore it into. */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'vitest'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { createBackup, type BackupSource } from '#app/features/backups/create-backup.server.ts'
import { openBackup, verifyBackup } from '#app/features/backups/read-backup.server.ts'
import { finishRestore, restoreBackup } from '#app/features/backups/restore-backup.server.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { listAllRows } from './all-rows.ts'
import { newFolder } from './moving-shops.ts'

/** Backups hold a database on SQLite only. */
export const onSqlite = process.env.TEST_DATABASE === 'postgres' ? () => {} : test

export const archiveOf = async (shop: BackupSource): Promise<string> => (await createBackup(shop, 'by-hand')).path

/** An empty data folder. */
export async function newDataFolder(): Promise<string> {
  const dataDir = join(await newFolder(), 'data')
  await mkdir(dataDir)
  return dataDir
}

/** Checks and stages as the command does; `finishRestore` comes after it. */
export async function stage(path: string, dataDir: string, isSqlite = process.env.TEST_DATABASE !== 'postgres'): Promise<void> {
  const backup = await openBackup(path)
  try {
    await verifyBackup(backup)
    await restoreBackup({ dataDir, bucket: null, isSqlite, now: () => 5, timeZone: 'UTC' }, backup)
  } finally {
    backup.close()
  }
}

export async function bringBack(path: string, dataDir: string): Promise<void> {
  await stage(path, dataDir)
  await finishRestore(dataDir)
}

export async function rowsIn(dataDir: string) {
  const { db, close } = openSqliteDatabase(dataDir)
  return listAllRows(db).finally(close)
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

/** The bytes of a SQLite file after somebody has written into it. */
export async function changedDatabase(bytes: Buffer, change: (db: DatabaseSync) => void): Promise<Buffer> {
  const path = join(await newFolder(), 'changed.db')
  await writeFile(path, bytes)
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  db.function('fold', { deterministic: true }, (text) => text)
  change(db)
  db.close()
  return readFile(path)
}

/** The same bytes with one text in the place of another of the same length, wherever it stands. */
export async function overwrite(path: string, from: string, to: string): Promise<void> {
  const bytes = await readFile(path)
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + to.length)) bytes.write(to, at)
  await writeFile(path, bytes)
}
