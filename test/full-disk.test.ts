/** A disk without room: the shop says what the specification says, leaves nothing half-written, and goes on when there is room again. */
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { diskFiles, type Files } from '#app/platform/files.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import { storedPaths } from './drawn-pictures.ts'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

/** SQLite's own limit brings about the very error of a full disk, SQLITE_FULL, from inside a running transaction. */
async function fillDisk(shop: TestShop) {
  // Pages that migrations have left free would still be room.
  await sql`vacuum`.execute(shop.db)
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(shop.db)
  await sql.raw(`pragma max_page_count = ${pages.rows[0]!.page_count}`).execute(shop.db)
  return async () => void (await sql.raw('pragma max_page_count = 1000000').execute(shop.db))
}

const rowsOf = (shop: TestShop) =>
  Promise.all((['orders', 'orderItems', 'messages'] as const).map((table) => shop.db.selectFrom(table).selectAll().execute()))

// PostgreSQL refuses with an error of its own, on the same way; only SQLite lets a test bring it about.
const onSqlite = process.env.TEST_DATABASE === 'postgres' ? () => {} : test

onSqlite(
  'a request and a message that find no room are told so, nothing half of them stays, and both go through once there is room',
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

/** Files on a disk of 256 kB where the test may mount one (root); elsewhere every write goes to /dev/full, which has room for nothing. */
async function openSmallDisk(): Promise<{ files: Files; names: () => Promise<string[]>; makeRoom: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status === 0
  onTestFinished(async () => {
    if (isMounted) spawnSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  })
  const files = diskFiles(join(folder, 'files'))
  let isFull = !isMounted
  const put = (path: string, bytes: Uint8Array) => (isFull ? writeFile('/dev/full', bytes) : files.put(path, bytes))
  return {
    files: { ...files, put },
    names: async () => (await readdir(join(folder, 'files'), { recursive: true }).catch(() => [])).filter((name) => /\.\w+$/.test(name)),
    makeRoom() {
      if (isMounted) spawnSync('mount', ['-o', 'remount,size=64m', folder])
      isFull = false
    },
  }
}

test('a picture that finds no room leaves no file behind, not even half of one, and is taken once there is room', async () => {
  const { files, names, makeRoom } = await openSmallDisk()
  const { db, live, log } = await openTestShop()
  const pictures = openPictures({ db, files, live, log, now: () => 0 })
  // Noise does not become smaller by packing: far more than the disk holds.
  const noise = randomBytes(900 * 700 * 3)
  const png = new Uint8Array(
    await sharp(noise, { raw: { width: 900, height: 700, channels: 3 } })
      .png()
      .toBuffer(),
  )

  await expect(pictures.prepare('people', png)).rejects.toThrow('ENOSPC')
  expect(await names()).toEqual([])

  makeRoom()
  const taken = await pictures.prepare('people', png)
  expect(taken.ok).toBe(true)
  expect(await names()).toHaveLength(1)
})

test('a disk that fills up at any of the files of a picture keeps all of them or the original alone, and the work is done once there is room', async () => {
  const shop = await openTestShop()
  const { put } = shop.files
  let room = 0
  // Half of the file reaches the disk, as when the last block of it finds no room.
  const openFull = async () => {
    const { files } = await openSmallDisk()
    return files.put(`items/${newId15()}.jpg`, randomBytes(400_000))
  }
  shop.files.put = (path, bytes) => (room-- > 0 ? put(path, bytes) : openFull())
  const jpeg = await sharp({ create: { width: 500, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  await expect(shop.pictures.prepare('colors', jpeg)).rejects.toThrow('ENOSPC')
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
  room = 1
  const taken = await shop.pictures.prepare('colors', jpeg)
  if (!taken.ok) throw new Error(taken.refusal)
  await shop.pictures.keep(shop.db, taken.picture)
  // Four widths in two formats.
  for (let enough = 0; enough <= 8; enough++) {
    room = enough
    await shop.pictures.finish()
    expect(await storedPaths(shop), `room for ${enough}`).toHaveLength(enough < 8 ? 1 : 9)
    expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
    await shop.db.updateTable('pictures').set({ attempts: 0, nextAttemptAt: 0 }).execute()
  }
  expect((await shop.db.selectFrom('pictures').select('state').executeTakeFirstOrThrow()).state).toBe('finished')
})
