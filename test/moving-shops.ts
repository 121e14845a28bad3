/** What tests of moving share: a second, empty shop on SQLite whatever the first stands on, and the doors of the import. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { importShop, type ImportOptions } from '#app/features/firestore-import/import-shop.server.ts'
import { openReport } from '#app/features/firestore-import/report.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { diskFiles } from '#app/platform/files.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import { migrate } from '#db/migrate.ts'

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moving-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** As much of a shop as moving needs. */
export async function openSecondShop(first: Shop): Promise<Shop & { close: () => Promise<void> }> {
  const { db, dialect, close } = openSqliteDatabase(null)
  await migrate(db, dialect)
  const at = new Date(0)
  const owner = { id: ADMIN_ID, name: 'Owner', email: 'second@shop.test', emailVerified: true, image: null, isAnonymous: false }
  await db
    .insertInto('user')
    .values({ ...owner, createdAt: at, updatedAt: at })
    .execute()
  const files = diskFiles(join(await newFolder(), 'files'))
  return { ...first, db, files, pictures: openPictures({ ...first, db, files }), close }
}

const plain: ImportOptions = { path: '', files: null, accounts: null, adminIds: null, isDry: false }

/** Imports, and gives what was found beside how it ended. */
export async function importInto(shop: Shop, path: string, options: Partial<ImportOptions> = {}) {
  const report = openReport(null)
  const done = await importShop(shop, { ...plain, path, ...options }, report, () => {})
  return { done, report, lines: report.lines(), counts: report.counts }
}

/** Every file of a folder with its bytes, as text, so that two folders are compared at once. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'latin1')])))
}
