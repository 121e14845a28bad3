import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { diskFiles } from '#app/platform/files.server.ts'
import { listAllRows, type AllRows } from '#test/all-rows.ts'
import { archiveOf, bringBack, newDataFolder, onSqlite, partsOf, rowsIn, stage } from '#test/archives.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { readFolder } from '#test/moving-shops.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { fillRichShop } from '#test/rich-shop.ts'
import { readBackups } from './backups.server.ts'
import { UnusableBackupError } from './read-backup.server.ts'
import { finishRestore } from './restore-backup.server.ts'

async function writeSecrets({ backup }: TestShop['shop']) {
  await mkdir(backup.secrets, { recursive: true })
  for (const name of ['session', 'codes', 'forms']) await writeFile(join(backup.secrets, name), `the key of ${name}`, { mode: 0o600 })
}

/** Without the notes of one machine, and without the act of the restore itself, whose name stands among the names of acts as well. */
const comparable = (rows: AllRows): AllRows => ({
  ...rows,
  ...{ backups: [], actNames: [] },
  audit: rows.audit!.filter(({ act }) => act !== 'restore-backup'),
})

onSqlite('S-264 a backup restored onto an empty machine: every row, every picture and every key is as it was', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  await writeSecrets(shop.shop)
  const path = await archiveOf(shop)
  const rows = await listAllRows(shop.db)
  for (const table of ['messages', 'sales', 'session', 'account', 'pictures', 'requests'])
    expect(rows[table]!.length, table).toBeGreaterThan(0)
  const files = await readFolder(join(shop.folder, 'files'))
  expect(Object.keys(files).length).toBeGreaterThan(5)

  const dataDir = await newDataFolder()
  await bringBack(path, dataDir)

  const after = await rowsIn(dataDir)
  expect(after.audit!.find((one) => one.act === 'restore-backup')).toMatchObject({ at: 5, name: 'March 04, 2026, 12:00 PM' })
  expect(comparable(after)).toEqual(comparable(rows))
  expect(await readFolder(join(dataDir, 'files'))).toEqual(files)
  expect((await stat(join(dataDir, 'shop.db'))).mode & 0o777).toBe(0o600)
  for (const name of ['session', 'codes', 'forms']) {
    expect(await readFile(join(dataDir, 'secrets', name), 'utf8')).toBe(`the key of ${name}`)
    expect((await stat(join(dataDir, 'secrets', name))).mode & 0o777).toBe(0o600)
  }
})

onSqlite('S-264 what is restored takes the place of everything that was there: rows, pictures of the same name, others', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  const path = await archiveOf(shop)
  const files = await readFolder(join(shop.folder, 'files'))
  const [first] = (await shop.files.list()).map((file) => file.path)
  const dataDir = await newDataFolder()
  await bringBack(path, dataDir)
  const { db, close } = openSqliteDatabase(dataDir)
  await db.updateTable('items').set({ name: 'Changed since' }).execute()
  await db.deleteFrom('messages').execute()
  await db.insertInto('settings').values({ key: 'later', value: '1', updatedAt: 1 }).execute()
  await close()
  const here = diskFiles(join(dataDir, 'files'))
  await here.put(first!, Buffer.from('other bytes'))
  await here.put('items/later.webp', Buffer.from('later'))

  await bringBack(path, dataDir)

  expect(comparable(await rowsIn(dataDir))).toEqual(comparable(await listAllRows(shop.db)))
  expect(await readFolder(join(dataDir, 'files'))).toEqual(files)
})

test('S-264 all rows are of one moment, and the shop goes on writing meanwhile', async () => {
  const dataDir = await newDataFolder()
  const { db, dialect, copyDatabase, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  const wide = Array.from({ length: 500 }, (_, at) => ({ key: `k${at}`, value: 'x'.repeat(4000), updatedAt: 1 }))
  for (let part = 0; part < 5; part += 1)
    await db
      .insertInto('settings')
      .values(wide.map((row) => ({ ...row, key: `${part}${row.key}` })))
      .execute()
  let [isCopied, writes] = [false, 0]
  const write = async () => {
    while (!isCopied) {
      writes += 1
      const value = String(writes)
      await db.transaction().execute(async (tx) => {
        for (const key of ['first', 'last'])
          await tx
            .insertInto('marks')
            .values({ key, value })
            .onConflict((same) => same.column('key').doUpdateSet({ value }))
            .execute()
      })
      // Pages that the copy has still before it.
      await db
        .updateTable('settings')
        .set({ value: value.repeat(1000) })
        .where('key', '=', '4k499')
        .execute()
      // SQLite answers at once: without this nobody else would get a turn.
      await nextTurn()
    }
  }
  const writing = write()
  await expect.poll(() => writes).toBeGreaterThan(3)
  const [to, before] = [join(dataDir, 'copy.db'), writes]
  await copyDatabase!(to)
  const during = writes - before
  isCopied = true
  await writing
  await close()
  expect(during).toBeGreaterThan(0)
  const copy = new DatabaseSync(to)
  const marks = copy.prepare('select "value" from "marks" where "key" in (?, ?)').all('first', 'last')
  expect(new Set(marks.map(({ value }) => value)).size).toBe(1)
  expect(copy.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' })
  copy.close()
})

test('S-264 a picture that comes while the backup is made is in it, and one that the shop has lost is named', async () => {
  const shop = await openTestShop()
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  const [lost] = await shop.db.selectFrom('pictures').select('path').execute()
  await shop.files.put('items/first.webp', Buffer.from('first'))
  let looks = 0
  const files = {
    ...shop.files,
    async list() {
      // How much space is needed, most pictures, and those that came meanwhile.
      if (++looks === 3) await shop.files.put('items/meanwhile.webp', Buffer.from('meanwhile'))
      return shop.files.list()
    },
  }
  const parts = await partsOf(await archiveOf({ ...shop.shop, files }))
  expect(parts.get('files/items/meanwhile.webp')?.toString()).toBe('meanwhile')
  const manifest = JSON.parse(parts.get('manifest.json')!.toString()) as { missing: string[] }
  expect(manifest.missing).toEqual([lost!.path])
})

test('S-265 the backup is for the shop’s user alone, and plain: any tool for zip files and SQLite reads it', async () => {
  const shop = await openTestShop()
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  await shop.files.put('items/moon-0.webp', Buffer.from('moon'))
  const path = await archiveOf(shop.shop)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(shop.shop.backup.folder)).mode & 0o777).toBe(0o700)
  expect((await readFolder(shop.shop.backup.folder))[path.slice(shop.shop.backup.folder.length + 1)]).toBeDefined()
  expect(Object.keys(await readFolder(shop.shop.backup.folder))).toHaveLength(1)
  const parts = await partsOf(path)
  const { checksums } = JSON.parse(parts.get('manifest.json')!.toString()) as { checksums: Record<string, string> }
  expect(Object.keys(checksums)).toEqual([...parts.keys()].filter((name) => name !== 'manifest.json'))
  for (const [name, sum] of Object.entries(checksums)) expect(createHash('sha256').update(parts.get(name)!).digest('hex'), name).toBe(sum)
  expect(parts.get('files/items/moon-0.webp')!.toString()).toBe('moon')
  const database = parts.get('shop.db')
  expect(database !== undefined).toBe(shop.dialect === 'sqlite')
  expect(parts.get('README.txt')!.toString()).toContain(database ? 'a SQLite database' : 'pg_dump saves it')
  if (database) {
    const copy = join(shop.folder, 'copy.db')
    await writeFile(copy, database)
    const opened = new DatabaseSync(copy)
    expect(opened.prepare('select id from items').all()).toEqual([{ id: 'moon' }])
    opened.close()
  }
  expect((await readBackups(shop.shop)).archives).toMatchObject([{ reason: 'by-hand', size: (await stat(path)).size }])
})

test('S-268 pictures and keys come back to a shop on PostgreSQL; a backup of the other database is refused', async () => {
  const shop = await openTestShop()
  await shop.files.put('items/moon.webp', Buffer.from('moon'))
  await writeSecrets(shop.shop)
  const path = await archiveOf({ ...shop.shop, backup: { ...shop.shop.backup, copyDatabase: null } })
  const dataDir = await newDataFolder()
  await expect(stage(path, dataDir, true)).rejects.toThrow(/holds no database, since its shop ran on PostgreSQL/)
  await stage(path, dataDir, false)
  await finishRestore(dataDir)
  expect(await readFolder(join(dataDir, 'files'))).toEqual({ 'items/moon.webp': 'moon' })
  expect(await readFile(join(dataDir, 'secrets', 'session'), 'utf8')).toBe('the key of session')
  if (shop.dialect === 'sqlite')
    await expect(stage(await archiveOf({ ...shop.shop, now: () => 7 }), dataDir, false)).rejects.toThrow(UnusableBackupError)
})
