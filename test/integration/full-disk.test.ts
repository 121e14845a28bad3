import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createDiskStorage } from '#app/lib/storage/storage.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { listOrphanedImages } from '#app/features/images/edit-images.server.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { onSqlite } from '#test/fixtures/database.ts'
import { storedPaths } from '#test/fixtures/images.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'

/** SQLite's own limit of pages causes the error of a full disk, SQLITE_FULL, inside a running transaction. */
async function fillDisk(shop: TestShop) {
  // Gives back the pages that migrations have left free.
  await sql`vacuum`.execute(shop.db)
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(shop.db)
  await sql.raw(`pragma max_page_count = ${pages.rows[0]!.page_count}`).execute(shop.db)
  return async () => void (await sql.raw('pragma max_page_count = 1000000').execute(shop.db))
}

const rowsOf = (shop: TestShop) =>
  Promise.all((['orders', 'orderItems', 'messages'] as const).map((table) => shop.db.selectFrom(table).selectAll().execute()))

onSqlite(
  'on a full disk, refuses an order request and a message without storing parts of them, and accepts both when there is space',
  async () => {
    const shop = await openTestShop()
    await addItem(shop.db, 'hanger', await addCategory(shop.db, 'wall'))
    const ann = await shop.customer()
    const before = await rowsOf(shop)
    const long = 'Knots and love. '.repeat(600)
    const request = { itemId: 'hanger', message: long, messageId: newId15() }
    const message = { intent: 'send', message: long, messageId: newId15() }
    const makeRoom = await fillDisk(shop)

    const asked = await ann.act('/order-request', request)
    const sent = await ann.act('/messages', message)

    expect([asked.status, sent.status]).toEqual([503, 503])
    expect(asked.text).toContain('An Error Occured while Sending Order Request')
    expect(asked.text + sent.text).not.toMatch(/SQLITE|full|disk|stack/i)
    expect(String(shop.logged.map(({ error }) => error))).toContain('database or disk is full')
    expect(await rowsOf(shop)).toEqual(before)
    for (const page of ['/', '/gallery/', '/item/hanger/']) expect((await ann.get(page)).status, page).toBe(200)

    await makeRoom()
    expect((await ann.act('/order-request', request)).status).toBe(200)
    expect((await ann.act('/messages', message)).status).toBe(200)
    const [, items, messages] = await rowsOf(shop)
    expect([items!.length, messages!.length]).toEqual([1, 2])
  },
)

/** Writes a file to a disk of 256 kB where root may mount one, so that half of it finds room; elsewhere to /dev/full. */
async function writeToFullDisk(): Promise<void> {
  const folder = await newFolder()
  const bytes = randomBytes(400_000)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status !== 0) return writeFile('/dev/full', bytes)
  const files = createDiskStorage(join(folder, 'files'))
  try {
    await files.put('items/half.jpg', bytes)
  } finally {
    expect((await files.list()).length).toBe(0)
    spawnSync('umount', ['-l', folder])
  }
}

test('wherever the disk fills up, an image keeps all its files or only its original, and gets the others when there is space', async () => {
  const shop = await openTestShop()
  const { put } = shop.storage
  let room = 0
  shop.storage.put = (path, bytes) => (room-- > 0 ? put(path, bytes) : writeToFullDisk())
  const jpeg = await sharp({ create: { width: 500, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  await expect(shop.images.prepare('colors', jpeg)).rejects.toThrow('ENOSPC')
  expect(await storedPaths(shop)).toEqual([])
  room = 1
  const taken = await shop.images.prepare('colors', jpeg)
  if (!taken.ok) throw new Error(taken.refusal)
  await shop.images.keep(shop.db, taken.picture)
  // Four widths in two formats.
  for (let enough = 0; enough <= 8; enough++) {
    room = enough
    await shop.images.finish()
    expect(await storedPaths(shop), `room for ${enough}`).toHaveLength(enough < 8 ? 1 : 9)
    expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
    await shop.db.updateTable('pictures').set({ attempts: 0, nextAttemptAt: 0 }).execute()
  }
  expect((await shop.db.selectFrom('pictures').select('state').executeTakeFirstOrThrow()).state).toBe('finished')
})
