import { utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { filesOf, stemOfVariant, type ImageFiles } from '#lib/images/resize.server.ts'
import { corners } from '#test/fixtures/images.ts'
import { freePort } from '#test/fixtures/network.ts'
import { newDataDir, openProcess, settings, using } from '#test/fixtures/processes.ts'
import { randomFrom, sized } from '#test/fixtures/size.ts'
import * as writers from '#test/fixtures/writers.ts'

const KILLS = Number(process.env.KILLS ?? sized(4, 200))
/**
 * After this many kills, the test makes all files two days old, because a starting shop deletes
 * only files that no row has named for a day.
 */
const DAY_EVERY = sized(4, 6)
const SEED = Number(process.env.KILL_SEED ?? 20_262)
const patient = { timeout: sized(600_000, 10_800_000) }

const readFrom = <T>(dataDir: string, work: (read: writers.Read) => T) =>
  using(join(dataDir, 'shop.db'), (db) =>
    work(
      <Row>(query: string, ...values: (string | number)[]) =>
        db.prepare(query).all(...values) as Row[],
    ),
  )

async function filesIn(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Returns the files that no row names, except the files of images that are being resized. */
async function orphansIn(dataDir: string): Promise<string[]> {
  const files = await filesIn(dataDir)
  const rows = readFrom(dataDir, (read) =>
    read<ImageFiles & { state: string }>('select path, widths, state from images'),
  )
  const named = new Set(rows.flatMap(filesOf))
  const inWork = new Set(
    rows.filter(({ state }) => state === 'waiting').map(({ path }) => stemOfVariant(path)),
  )
  return files.filter((file) => !named.has(file) && !inWork.has(stemOfVariant(file)))
}

function expectSoundDatabase(read: writers.Read) {
  expect(read('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(read('pragma foreign_key_check')).toEqual([])
  // Each sale belongs to one sold order item, and the messages of a conversation are numbered
  // without gaps or duplicates.
  const sold = read('select "buyerId" || "itemId" as id from sales order by 1')
  expect(
    read('select "orderId" || "itemId" as id from "orderItems" where "isSold" = 1 order by 1'),
  ).toEqual(sold)
  expect(
    read(
      'select "orderId" from messages group by "orderId" having max(seq) <> count(*) or count(distinct seq) <> count(*)',
    ),
  ).toEqual([])
}

/**
 * Lets all writers write until the test calls `stop`. The promise `enough` resolves when `isEnough`
 * returns true.
 */
function writeWith(all: writers.Writer[], isEnough: (acknowledged: string[]) => boolean) {
  let isOver = false
  const acknowledged: string[] = []
  const enough = Promise.withResolvers<void>()
  const writing = all.map(async (writer) => {
    while (!isOver) {
      const outcome = await writer.write()
      if (outcome === 'acknowledged') acknowledged.push(writer.kind)
      // The writer had nothing to write, or the shop refused the write. The writer tries again a
      // little later.
      else await pause(10)
      if (isEnough(acknowledged)) enough.resolve()
    }
  })
  async function stop() {
    isOver = true
    await Promise.all(writing)
    return acknowledged
  }
  return { enough: enough.promise, stop }
}

test(
  `after ${KILLS} kills under load, each confirmed write is stored once, and each stored file has a row in the database [FILES-10, S-262]`,
  patient,
  async () => {
    const [dataDir, port] = [await newDataDir(), await freePort()]
    const env = { ...settings(dataDir), PORT: String(port) }
    const random = randomFrom(SEED)
    console.log(`kills: seed ${SEED} (KILL_SEED=${SEED})`)
    let shop = openProcess(env)
    await shop.opened()
    using(join(dataDir, 'shop.db'), (db) => writers.seedForWriters((query) => db.exec(query)))
    const photo = new Uint8Array(await corners(500, 400).jpeg().toBuffer())

    let addresses = 0
    const open = (address = `203.0.113.${(addresses += 1)}`) =>
      writers.openClient(`http://localhost:${port}`, address)
    const owner = open()
    expect(await owner.enter('login', env.OWNER_EMAIL)).toBe('acknowledged')
    const customers: writers.Customer[] = []
    for (const email of ['c0', 'c1', 'c2', 'c3', 'c4'].map((name) => `${name}@mail.test`)) {
      const client = open()
      expect(await client.enter('register', email)).toBe('acknowledged')
      const [row] = readFrom(dataDir, (read) =>
        read<{ id: string }>('select id from "user" where email = ?', email),
      )
      customers.push({ client, uid: row!.id })
    }
    const requested: { uid: string; itemId: string }[] = []
    const stored: string[] = []
    const sixteen = [
      ...customers.map(writers.messages),
      ...customers.slice(0, 3).map((customer) => writers.requests(customer, requested)),
      ...customers.slice(0, 3).map(writers.favorites),
      ...[
        writers.sales(owner, requested),
        writers.uploads(owner, photo, stored),
        writers.imagesInMessages(customers[3]!, photo),
      ],
      ...[writers.testimonies(open), writers.accounts(open)],
    ]
    expect(sixteen).toHaveLength(16)

    const all: string[] = []
    for (let round = 1; round <= KILLS; round += 1) {
      const least = 10 + Math.floor(random() * 40)
      // In some rounds, the test kills the shop only after an image is stored. An image takes
      // longest, so an earlier kill would always interrupt the image.
      const awaited = [null, 'upload', null, 'message with a picture'][(round - 1) % 4]
      const work = writeWith(
        sixteen,
        (kinds) => kinds.length >= least && (!awaited || kinds.includes(awaited)),
      )
      await work.enough
      // Kills the shop at a random moment, while requests are pending.
      await pause(random() * 40)
      await shop.stop('SIGKILL')
      all.push(...(await work.stop()))

      const files = await filesIn(dataDir)
      expect(files, 'acknowledged pictures').toEqual(expect.arrayContaining(stored.splice(0)))
      const rows = readFrom(dataDir, (read) =>
        read<ImageFiles>('select path, widths, state from images'),
      )
      expect(files, 'files of rows').toEqual(expect.arrayContaining(rows.flatMap(filesOf)))
      using(join(dataDir, 'shop.db'), (db) =>
        db.exec(`update images set "nextAttemptAt" = 0, attempts = 0 where state = 'waiting'`),
      )
      const isNextDay = round % DAY_EVERY === 0
      if (isNextDay) {
        for (const file of files) {
          utimesSync(join(dataDir, 'files', file), 0, Date.now() / 1000 - 2 * 86_400)
        }
      }
      shop = openProcess(env)
      await shop.opened()
      readFrom(dataDir, (read) => {
        expectSoundDatabase(read)
        expect(sixteen.flatMap((writer) => writer.faults(read))).toEqual([])
      })
      if (isNextDay) {
        await expect.poll(() => orphansIn(dataDir), { interval: 200, timeout: 60_000 }).toEqual([])
      }
    }

    expect(new Set(all)).toEqual(new Set(sixteen.map(({ kind }) => kind)))
    const unfinished = () =>
      readFrom(dataDir, (read) => read(`select path from images where state <> 'finished'`))
    await expect.poll(unfinished, { interval: 300, timeout: 120_000 }).toEqual([])
    await shop.stop()
    expect((await filesIn(dataDir)).filter((file) => file.endsWith('.part'))).toEqual([])
    console.log(`kills: ${KILLS}, acknowledged ${all.length}`)
  },
)
