import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { listAllRows, onSqlite, type AllRows } from '#test/fixtures/database.ts'
import {
  archiveOf,
  bringBack,
  newDataFolder,
  partsOf,
  rowsIn,
  stage,
} from '#test/fixtures/backups.ts'
import { addCategory, addItem, insert } from '#test/fixtures/catalog.ts'
import { readFolder } from '#test/fixtures/data-folders.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { fillRichShop } from '#test/fixtures/full-shop.ts'
import { readBackups } from './backups.server.ts'
import { UnusableBackupError } from './read-backup.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { discardStagedRestore, finishRestore } from './restore-backup.server.ts'

async function writeSecrets({ backup }: TestShop['shop']) {
  await mkdir(backup.secrets, { recursive: true })
  for (const name of ['session', 'codes', 'forms', 'mailbox']) {
    await writeFile(join(backup.secrets, name), `the key of ${name}`, { mode: 0o600 })
  }
}

/**
 * Returns the rows that must stay the same. A restore deletes only the rows about backups, and adds
 * an audit event.
 */
const comparable = (rows: AllRows): AllRows => ({
  ...rows,
  backups: [],
  audit: rows.audit!.filter(({ act }) => act !== 'restore-backup'),
})

onSqlite('restores every row, picture and secret into an empty data folder [S-264]', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  await saveSettings(shop.db, { timeZone: 'America/New_York' }, shop.now())
  await writeSecrets(shop.shop)
  const path = await archiveOf(shop)
  const rows = await listAllRows(shop.db)
  for (const table of ['messages', 'sales', 'session', 'account', 'images', 'requests']) {
    expect(rows[table]!.length, table).toBeGreaterThan(0)
  }
  const files = await readFolder(join(shop.folder, 'files'))
  expect(Object.keys(files).length).toBeGreaterThan(5)

  const dataDir = await newDataFolder()
  await bringBack(path, dataDir)

  const after = await rowsIn(dataDir)
  expect(after.audit!.find((one) => one.act === 'restore-backup')).toMatchObject({
    at: 5,
    name: 'March 04, 2026, 7:00 AM',
  })
  expect(comparable(after)).toEqual(comparable(rows))
  expect(await readFolder(join(dataDir, 'files'))).toEqual(files)
  expect((await stat(join(dataDir, 'shop.db'))).mode & 0o777).toBe(0o600)
  for (const name of ['session', 'codes', 'forms', 'mailbox']) {
    expect(await readFile(join(dataDir, 'secrets', name), 'utf8')).toBe(`the key of ${name}`)
    expect((await stat(join(dataDir, 'secrets', name))).mode & 0o777).toBe(0o600)
  }
})

test('a backup contains all rows as they were at one moment, even if the shop writes during the backup [S-264]', async () => {
  const dataDir = await newDataFolder()
  const { db, dialect, copyDatabase, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  const wide = Array.from({ length: 500 }, (_, at) => ({
    key: `k${at}`,
    value: 'x'.repeat(4000),
    updatedAt: 1,
  }))
  for (const part of ['a', 'b', 'c', 'd', 'e']) {
    await insert(db, 'settings', ...wide.map((row) => ({ ...row, key: part + row.key })))
  }
  let isCopied = false
  let writes = 0
  const write = async () => {
    while (!isCopied) {
      writes += 1
      const value = String(writes)
      await db.transaction().execute(async (tx) => {
        for (const key of ['first', 'last']) {
          await tx
            .insertInto('keyValues')
            .values({ key, value })
            .onConflict((same) => same.column('key').doUpdateSet({ value }))
            .execute()
        }
      })
      // SQLite copies the part of the database file with this row last.
      await db
        .updateTable('settings')
        .set({ value: value.repeat(1000) })
        .where('key', '=', 'ek499')
        .execute()
      // The writes above block the process. The backup can continue only during this pause.
      await nextTurn()
    }
  }
  const writing = write()
  await expect.poll(() => writes).toBeGreaterThan(3)
  const to = join(dataDir, 'copy.db')
  const before = writes
  await copyDatabase!(to)
  const during = writes - before
  isCopied = true
  await writing
  await close()
  expect(during).toBeGreaterThan(0)
  const copy = new DatabaseSync(to)
  const marks = copy
    .prepare('select "value" from "keyValues" where "key" in (?, ?)')
    .all('first', 'last')
  expect(new Set(marks.map(({ value }) => value)).size).toBe(1)
  expect(copy.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' })
  copy.close()
})

test('a backup contains an image that is uploaded during the backup, and the manifest lists images without a file [S-264]', async () => {
  const shop = await openTestShop()
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  const [lost] = await shop.db.selectFrom('images').select('path').execute()
  await shop.storage.put('items/first.webp', Buffer.from('first'))
  let looks = 0
  const files = {
    ...shop.storage,
    async list() {
      // The backup lists the files a third time to find images that were uploaded during the
      // backup.
      if (++looks === 3) await shop.storage.put('items/late.webp', Buffer.from('late'))
      return shop.storage.list()
    },
  }
  const parts = await partsOf(await archiveOf({ ...shop.shop, storage: files }))
  expect(parts.get('files/items/late.webp')?.toString()).toBe('late')
  const manifest = JSON.parse(parts.get('manifest.json')!.toString()) as { missing: string[] }
  expect(manifest.missing).toEqual([lost!.path])
})

test('a backup is an ordinary zip file with a SQLite database, and only the shop’s system user can read the file [S-265]', async () => {
  const shop = await openTestShop()
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  await shop.storage.put('items/moon-0.webp', Buffer.from('moon'))
  const path = await archiveOf(shop.shop)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(shop.shop.backup.folder)).mode & 0o777).toBe(0o700)
  expect(Object.keys(await readFolder(shop.shop.backup.folder))).toEqual([
    path.slice(shop.shop.backup.folder.length + 1),
  ])
  const parts = await partsOf(path)
  const { checksums } = JSON.parse(parts.get('manifest.json')!.toString()) as {
    checksums: Record<string, string>
  }
  expect(Object.keys(checksums)).toEqual(
    [...parts.keys()].filter((name) => name !== 'manifest.json'),
  )
  for (const [name, sum] of Object.entries(checksums)) {
    expect(createHash('sha256').update(parts.get(name)!).digest('hex'), name).toBe(sum)
  }
  expect(parts.get('files/items/moon-0.webp')!.toString()).toBe('moon')
  const database = parts.get('shop.db')
  expect(database !== undefined).toBe(shop.dialect === 'sqlite')
  expect(parts.get('README.txt')!.toString()).toContain(
    database ? 'a SQLite database' : 'pg_dump saves it',
  )
  if (database) {
    const copy = join(shop.folder, 'copy.db')
    await writeFile(copy, database)
    const opened = new DatabaseSync(copy)
    expect(opened.prepare('select id from items').all()).toEqual([{ id: 'moon' }])
    opened.close()
  }
  expect((await readBackups(shop.shop)).archives).toMatchObject([
    { reason: 'by-hand', size: (await stat(path)).size },
  ])
})

test('a restore on PostgreSQL restores pictures and secrets, and refuses a backup of a shop that used SQLite [S-268]', async () => {
  const shop = await openTestShop()
  await shop.storage.put('items/moon.webp', Buffer.from('moon'))
  await writeSecrets(shop.shop)
  const path = await archiveOf({
    ...shop.shop,
    backup: { ...shop.shop.backup, copyDatabase: null },
  })
  const dataDir = await newDataFolder()
  await expect(stage(path, dataDir, true)).rejects.toThrow(
    /contains no database, because its shop ran on PostgreSQL/,
  )
  await stage(path, dataDir, false)
  await finishRestore(dataDir)
  expect(await readFolder(join(dataDir, 'files'))).toEqual({ 'items/moon.webp': 'moon' })
  expect(await readFile(join(dataDir, 'secrets', 'session'), 'utf8')).toBe('the key of session')
  if (shop.dialect === 'sqlite') {
    await expect(
      stage(await archiveOf({ ...shop.shop, now: () => 7 }), dataDir, false),
    ).rejects.toThrow(UnusableBackupError)
  }
})

/**
 * Prepares a backup of three images, and a data folder that has one of these images, a changed
 * copy of another image, and an image that is not in the backup.
 */
async function twoShops() {
  const shop = await openTestShop()
  for (const name of ['new', 'same', 'other']) {
    await shop.storage.put(`items/${name}.webp`, Buffer.from(name))
  }
  await mkdir(shop.backup.secrets)
  await writeFile(join(shop.backup.secrets, 'session'), 'the key of the archive')
  await shop.db.insertInto('keyValues').values({ key: 'which', value: 'archive' }).execute()
  const dataDir = await newDataFolder()
  const here = openSqliteDatabase(dataDir)
  await migrate(here.db, here.dialect)
  await here.db.insertInto('keyValues').values({ key: 'which', value: 'here' }).execute()
  await here.close()
  for (const folder of ['files/items', 'secrets']) {
    await mkdir(join(dataDir, folder), { recursive: true })
  }
  for (const [name, text] of [
    ['files/items/same.webp', 'same'],
    ['files/items/other.webp', 'as it is here'],
    ['files/items/own.webp', 'own'],
    ['secrets/session', 'the key of here'],
  ]) {
    await writeFile(join(dataDir, name!), text!)
  }
  const state = async () => ({
    ...(await readFolder(join(dataDir, 'files'))),
    ...(await readFolder(join(dataDir, 'secrets'))),
    which: (await rowsIn(dataDir)).keyValues!.find(({ key }) => key === 'which')?.value,
  })
  const wanted = {
    'items/new.webp': 'new',
    'items/other.webp': 'other',
    'items/same.webp': 'same',
    session: 'the key of the archive',
    which: 'archive',
  }
  return { path: await archiveOf(shop), dataDir, state, wanted }
}

onSqlite(
  'a restore killed before its commit point changes nothing, and the next start deletes the unpacked files [S-268]',
  async () => {
    const { path, dataDir, state } = await twoShops()
    const before = await state()
    await stage(path, dataDir)
    // Renames the folder back, as if the restore had been killed just before its commit point.
    await rename(join(dataDir, 'restored'), join(dataDir, 'restoring'))
    expect(await finishRestore(dataDir)).toBe(false)
    await discardStagedRestore(dataDir)
    expect(await state()).toEqual(before)
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false)
  },
)

onSqlite(
  'the next start finishes a restore that was killed at any step after its commit point [S-268]',
  async () => {
    for (const done of [[], ['files'], ['files', 'secrets'], ['files', 'secrets', 'shop.db']]) {
      const { path, dataDir, state, wanted } = await twoShops()
      await stage(path, dataDir)
      for (const name of done) {
        await rm(join(dataDir, name), { recursive: true })
        await rename(join(dataDir, 'restored', name), join(dataDir, name))
      }
      expect(await finishRestore(dataDir)).toBe(true)
      expect(await state()).toEqual(wanted)
      expect(existsSync(join(dataDir, 'restored'))).toBe(false)
      expect(await finishRestore(dataDir)).toBe(false)
    }
  },
)

onSqlite(
  'a restore does not apply the old database’s write-ahead log to the restored database [S-268]',
  async () => {
    const { path, dataDir, state, wanted } = await twoShops()
    await stage(path, dataDir)
    for (const side of ['-wal', '-shm']) {
      await writeFile(join(dataDir, `shop.db${side}`), 'of the old database')
    }
    await finishRestore(dataDir)
    expect(await state()).toEqual(wanted)
  },
)
