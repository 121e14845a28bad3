import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAllRows, type AllRows } from '#test/all-rows.ts'
import { archiveOf, bringBack, kinds, openOther, partsOf } from '#test/archives.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { fillRichShop } from '#test/rich-shop.ts'
import { readFolder } from '#test/moving-shops.ts'
import { readBackups } from './backups.server.ts'
import { withoutTriggers } from './shape.server.ts'
import { LEFT_OUT, listTables } from './tables.server.ts'

/** The two databases keep flags and dates in their own ways; everything else is compared as it stands. */
const plainly = (all: AllRows): AllRows =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([table]) => !(table in LEFT_OUT))
      .map(([table, rows]) => [
        table,
        rows
          .map((row) =>
            Object.fromEntries(
              Object.entries(row).map(([name, value]) => [
                name,
                value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value,
              ]),
            ),
          )
          .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      ]),
  )

/** A piece with its picture, and a conversation: enough where it does not matter what there is. */
async function fillSimply(shop: TestShop) {
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  for (const { path } of await shop.db.selectFrom('pictures').select('path').execute()) await shop.files.put(path, Buffer.from(path))
  const ann = await shop.customer()
  await ann.post('/messages', { intent: 'send', message: 'Is it free?', messageId: 'AMessageOfAnn00' })
}

async function writeSecrets({ shop }: TestShop) {
  await mkdir(shop.backup.secrets, { recursive: true })
  for (const name of ['session', 'codes', 'forms']) await writeFile(join(shop.backup.secrets, name), `the key of ${name}`, { mode: 0o600 })
}

test('S-264 an archive brought back onto an empty machine: every row, every picture and every key is as it was', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  await writeSecrets(shop)
  const path = await archiveOf(shop)
  const rows = plainly(await listAllRows(shop.db))
  const files = await readFolder(join(shop.folder, 'files'))
  expect(Object.keys(files).length).toBeGreaterThan(5)
  for (const table of ['messages', 'sales', 'session', 'account', 'pictures', 'requests'])
    expect(rows[table]!.length, table).toBeGreaterThan(0)

  for (const kind of kinds) {
    const other = await openOther(kind)
    await bringBack(path, other)
    const after = plainly(await listAllRows(other.db))
    const act = after.audit!.find((one) => one.act === 'restore-backup')
    expect(act).toMatchObject({ at: 5, name: 'March 04, 2026, 12:00 PM' })
    // The name of this act stands among the names of acts as well (042).
    const actNames = after.actNames!.filter(({ words }) => words !== String(act!.name).toLowerCase())
    expect({ ...after, actNames, audit: after.audit!.filter((one) => one !== act) }).toEqual(rows)
    expect(await readFolder(join(other.dataDir, 'files'))).toEqual(files)
    for (const name of ['session', 'codes', 'forms']) {
      expect(await readFile(join(other.dataDir, 'secrets', name), 'utf8')).toBe(`the key of ${name}`)
      expect((await stat(join(other.dataDir, 'secrets', name))).mode & 0o777).toBe(0o600)
    }
    // What the database counts by itself goes on behind what came.
    const { seq } = await other.db
      .insertInto('audit')
      .values({ at: 6, actor: 'x', act: 'y', subject: '', detail: '{}' })
      .returning('seq')
      .executeTakeFirstOrThrow()
    expect(seq).toBe(Math.max(...after.audit!.map((one) => one.seq as number)) + 1)
  }
})

test('S-264 what is restored takes the place of everything that was there: rows, pictures of the same name, others', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  const path = await archiveOf(shop)
  const files = await readFolder(join(shop.folder, 'files'))
  const [first] = (await shop.files.list()).map((file) => file.path)
  for (const kind of kinds) {
    const other = await openOther(kind)
    await bringBack(path, other)
    await other.db.updateTable('items').set({ name: 'Changed since' }).execute()
    await other.db.deleteFrom('messages').execute()
    await other.db.insertInto('settings').values({ key: 'later', value: '1', updatedAt: 1 }).execute()
    await other.files.put(first!, Buffer.from('other bytes'))
    await other.files.put('items/later.webp', Buffer.from('later'))

    await bringBack(path, other)

    const [before, after] = [plainly(await listAllRows(shop.db)), plainly(await listAllRows(other.db))]
    expect({ ...after, audit: [], actNames: [] }).toEqual({ ...before, audit: [], actNames: [] })
    expect(await readFolder(join(other.dataDir, 'files'))).toEqual(files)
  }
})

test('045 every table of the database is in the archive, or is named with a reason: a new one cannot be forgotten', async () => {
  const shop = await openTestShop()
  const catalogue =
    shop.dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
  const there = (await catalogue.execute(shop.db)).rows.map(({ name }) => name).filter((name) => !name.startsWith('kysely_'))
  const parts = await partsOf(await archiveOf(shop))
  const kept = [...parts.keys()].flatMap((name) => /^tables\/(.*)\.jsonl$/.exec(name)?.[1] ?? [])
  expect([...kept, ...Object.keys(LEFT_OUT)].toSorted()).toEqual(there.toSorted())
  // Without a key rows have no order, and two databases could not be compared.
  for (const { name, key } of await listTables(shop.db, shop.dialect)) expect(key, name).not.toEqual([])
})

test('S-264 all rows are of one moment, and the shop goes on writing meanwhile', async () => {
  const shop = await openTestShop()
  await fillSimply(shop)
  const open = await openOther(kinds.at(-1)!)
  await bringBack(await archiveOf(shop), open)
  const [gone] = await open.db.selectFrom('pictures').select('path').orderBy('path').execute()
  let looks = 0
  const files = {
    ...open.files,
    async list() {
      looks += 1
      // How much room is needed, most pictures, and from within the moment those that came meanwhile.
      if (looks === 2) await open.db.updateTable('items').set({ description: 'Before' }).execute()
      const found = await open.files.list()
      if (looks === 3) {
        await open.db.updateTable('items').set({ description: 'After' }).execute()
        await open.db.deleteFrom('messages').execute()
      }
      return found
    },
    // Deleted in the moment between: told, and no reason to fail.
    read: async (path: string) => (path === gone!.path ? null : open.files.read(path)),
  }
  const path = await archiveOf({ ...shop, db: open.db, files, backup: { ...shop.backup, snapshot: open.snapshot, dialect: open.dialect } })
  const parts = await partsOf(path)
  const lines = (table: string) =>
    parts
      .get(`tables/${table}.jsonl`)!
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(new Set(lines('items').map((row) => row.description))).toEqual(new Set(['Before']))
  expect(lines('messages').length).toBe((await shop.db.selectFrom('messages').select('id').execute()).length)
  expect(await open.db.selectFrom('messages').select('id').execute()).toEqual([])
  const manifest = JSON.parse(parts.get('manifest.json')!.toString()) as { files: { missing: string[] } }
  expect(manifest.files.missing).toEqual([gone!.path])
})

test('S-265 the archive is for the shop’s user alone, and plain: any tool for zip files and checksums reads it', async () => {
  const shop = await openTestShop()
  await fillSimply(shop)
  const path = await archiveOf(shop)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(shop.backup.folder)).mode & 0o777).toBe(0o700)
  const parts = await partsOf(path)
  expect(parts.get('README.txt')!.toString()).toContain('sha256sum -c SHA256SUMS')
  const items = parts
    .get('tables/items.jsonl')!
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; priceCents: number })
  expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted())
  for (const [name, bytes] of parts)
    if (name.startsWith('files/')) expect(bytes).toEqual(Buffer.from((await shop.files.read(name.slice(6)))!))
  expect((await readBackups(shop.shop)).archives).toMatchObject([{ reason: 'by-hand', size: (await stat(path)).size }])
})

test('045 what a trigger once made of a row comes back as a row, and is not made a second time', async () => {
  const shop = await openTestShop()
  await fillSimply(shop)
  const path = await archiveOf(shop)
  for (const kind of kinds) {
    const other = await openOther(kind)
    const archived = (await partsOf(path)).get('tables/settings.jsonl')!.toString()
    if (kind === 'sqlite')
      await sql`create trigger counted after insert on items begin insert into settings values ('counted', '1', 0); end`.execute(other.db)
    else {
      await sql`create function counted() returns trigger language plpgsql as
        $$ begin insert into settings values ('counted', '1', 0); return new; end $$`.execute(other.db)
      await sql`create trigger counted after insert on items for each row execute function counted()`.execute(other.db)
    }
    await other.db
      .insertInto('categories')
      .values({ id: 'w', title: 'W', color: '', pictureId: null, position: 0, createdAt: 0, firstCreatedAt: 0 })
      .execute()
    const add = (id: string) =>
      ({
        id,
        name: id,
        categoryId: 'w',
        priceCents: 1,
        description: '',
        width: '',
        soleType: '',
        size: '',
        createdAt: 0,
        firstCreatedAt: 0,
      }) as never
    await other.db.transaction().execute(async (tx) => {
      const tables = await listTables(tx, other.dialect)
      await withoutTriggers(tx, other.dialect, tables, () => tx.insertInto('items').values(add('quiet')).execute())
    })
    expect(await other.db.selectFrom('settings').select('key').execute()).toEqual([])
    await other.db.insertInto('items').values(add('loud')).execute()
    expect(await other.db.selectFrom('settings').select('key').execute()).toEqual([{ key: 'counted' }])
    expect(archived).not.toContain('counted')
    // A restore takes triggers away that are not of this version; another program's function it would refuse to.
    if (kind === 'postgres') await sql`drop function counted cascade`.execute(other.db)
    await bringBack(path, other)
    await other.db
      .insertInto('items')
      .values({ ...(add('later') as object), categoryId: 'walls' } as never)
      .execute()
    expect((await other.db.selectFrom('settings').select('key').execute()).map(({ key }) => key)).not.toContain('counted')
  }
})
