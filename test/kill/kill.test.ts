/** The built shop is killed at random moments under sixteen writing clients: what it acknowledged is there, once, and nothing else for long. */
import type { DatabaseSync } from 'node:sqlite'
import { utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, stemOfVariant, type FilesOfPicture } from '#app/platform/resize.server.ts'
import { corners } from '../drawn-pictures.ts'
import { freePort } from '../free-port.ts'
import { openBeside } from '../open-beside.ts'
import { newDataDir, openProcess } from '../open-process.ts'
import { randomFrom } from '../seeded-numbers.ts'
import { sized } from '../size.ts'
import * as writers from '../writers.ts'
import { openClient } from '../writing-client.ts'

const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
const KILLS = Number(process.env.KILLS ?? sized(4, 200))
/** The sweep at a start takes away what a day has not found a use for; here a day passes so often. */
const DAY_EVERY = sized(4, 6)
const SEED = Number(process.env.KILL_SEED ?? 20_262)

function withDatabase<T>(dataDir: string, work: (db: DatabaseSync) => T): T {
  const db = openBeside(join(dataDir, 'shop.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const readerOf =
  (db: DatabaseSync): writers.Read =>
  <Row>(query: string, ...values: (string | number)[]) =>
    db.prepare(query).all(...values) as Row[]

async function filesIn(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Files that no row names, but for widths that are being made. */
async function orphansIn(dataDir: string): Promise<string[]> {
  const files = await filesIn(dataDir)
  const rows = withDatabase(dataDir, (db) => readerOf(db)<FilesOfPicture & { state: string }>('select path, widths, state from pictures'))
  const named = new Set(rows.flatMap(filesOf))
  const inWork = new Set(rows.filter(({ state }) => state === 'waiting').map(({ path }) => stemOfVariant(path)))
  return files.filter((file) => !named.has(file) && !inWork.has(stemOfVariant(file)))
}

test(
  `FILES-10 S-262 ${KILLS} kills under 16 writing clients: what was acknowledged is there exactly once, and no file without a row stays`,
  {
    timeout: sized(600_000, 10_800_000),
  },
  async () => {
    const [dataDir, port] = [await newDataDir(), await freePort()]
    const origin = `http://localhost:${port}`
    const env = { DATA_DIR: dataDir, PORT: String(port), OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password }
    const random = randomFrom(SEED)
    console.log(`kills: seed ${SEED} (KILL_SEED=${SEED})`)
    let shop = openProcess(env)
    await shop.opened
    withDatabase(dataDir, (db) => writers.seedForWriters((query) => db.exec(query)))
    const photo = new Uint8Array(await corners(500, 400).jpeg().toBuffer())

    let addresses = 0
    const open = (address = `203.0.113.${(addresses += 1)}`) => openClient(origin, address)
    const owner = open()
    expect((await owner.enter('login', OWNER)).told).toBe('kept')
    const customers = Array.from({ length: 5 }, () => open())
    for (const [at, customer] of customers.entries())
      expect((await customer.enter('register', { email: `c${at}@mail.test`, password: 'a-good-password' })).told).toBe('kept')
    const uids = withDatabase(dataDir, (db) =>
      readerOf(db)<{ id: string }>(`select id from "user" where email like 'c_@mail.test' order by email`).map(({ id }) => id),
    )
    const [c0, c1, c2, c3, c4] = customers as [typeof owner, typeof owner, typeof owner, typeof owner, typeof owner]
    const [u0, u1, u2, , u4] = uids as [string, string, string, string, string]
    const asked: { uid: string; itemId: string }[] = []
    const stored: string[] = []
    const sixteen: writers.Writer[] = [
      ...customers.slice(0, 4).map((customer) => writers.messages(customer)),
      ...[writers.requests(c0, u0, asked), writers.requests(c1, u1, asked), writers.requests(c2, u2, asked)],
      ...[writers.favourites(c0, u0), writers.favourites(c1, u1)],
      ...[writers.sales(owner, asked), writers.discounts(owner), writers.testimonies(open())],
      ...[writers.uploads(owner, photo, stored), writers.picturesInMessages(c3, photo)],
      ...[writers.names(c4, u4), writers.accounts(open)],
    ]
    expect(sixteen).toHaveLength(16)

    const kept = new Map<string, number>()
    let unheard = 0
    let mostOrphans = 0
    for (let round = 0; round < KILLS; round += 1) {
      let isOver = false
      let heard = 0
      const enough = 10 + Math.floor(random() * 40)
      // Pictures take longer than all else: if none were waited for, the kill would always come before the first.
      const slow = [null, 'upload', null, 'message with a picture'][round % 4] ?? null
      let isSlowKept = slow === null
      const isEnough = Promise.withResolvers<void>()
      const bursts = sixteen.map(async (writer) => {
        while (!isOver) {
          const told = await writer.write()
          if (told === 'kept') {
            kept.set(writer.kind, (kept.get(writer.kind) ?? 0) + 1)
            heard += 1
            isSlowKept ||= writer.kind === slow
            if (heard >= enough && isSlowKept) isEnough.resolve()
          }
          if (told === 'unheard') unheard += 1
          // Nothing to do, or too much at once: a little later.
          if (told !== 'kept') await new Promise((done) => setTimeout(done, 10))
        }
      })
      await isEnough.promise
      // And then at any moment of what is under way.
      await new Promise((done) => setTimeout(done, random() * 40))
      isOver = true
      shop.kill('SIGKILL')
      await shop.ended
      await Promise.all(bursts)

      const files = new Set(await filesIn(dataDir))
      withDatabase(dataDir, (db) => {
        const read = readerOf(db)
        for (const path of stored.splice(0)) expect(files, 'an acknowledged picture').toContain(path)
        // A row never comes before its files.
        for (const picture of read<FilesOfPicture>('select path, widths, state from pictures'))
          for (const file of filesOf(picture)) expect(files).toContain(file)
        // The pause of a try that was cut off passes.
        db.exec(`update pictures set "nextAttemptAt" = 0, attempts = 0 where state = 'waiting'`)
      })
      const isNextDay = (round + 1) % DAY_EVERY === 0
      if (isNextDay) {
        mostOrphans = Math.max(mostOrphans, (await orphansIn(dataDir)).length)
        for (const file of files) utimesSync(join(dataDir, 'files', file), 0, Date.now() / 1000 - 2 * 86_400)
      }
      shop = openProcess(env)
      await shop.opened
      withDatabase(dataDir, (db) => {
        const read = readerOf(db)
        expect(read('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
        expect(read('pragma foreign_key_check')).toEqual([])
        expect(sixteen.flatMap((writer) => writer.faults(read))).toEqual([])
        // A sale and its mark come together; no message is skipped or stands twice in its order.
        const sold = read<{ id: string }>('select "buyerId" || "itemId" as id from sales order by 1')
        expect(read('select "orderId" || "itemId" as id from "orderItems" where "isSold" = 1 order by 1')).toEqual(sold)
        expect(
          read('select "orderId" from messages group by "orderId" having max(seq) <> count(*) or count(distinct seq) <> count(*)'),
        ).toEqual([])
      })
      if (isNextDay) await expect.poll(() => orphansIn(dataDir), { interval: 200, timeout: 60_000 }).toEqual([])
      if ((round + 1) % 20 === 0) console.log(`kills: ${round + 1} survived`)
    }

    expect([...kept.keys()].sort()).toEqual([...new Set(sixteen.map(({ kind }) => kind))].sort())
    const unfinished = () => withDatabase(dataDir, (db) => readerOf(db)(`select path from pictures where state <> 'finished'`))
    await expect.poll(unfinished, { interval: 300, timeout: 120_000 }).toEqual([])
    shop.kill('SIGTERM')
    await shop.ended
    expect((await filesIn(dataDir)).filter((file) => file.endsWith('.part'))).toEqual([])
    const sum = [...kept.values()].reduce((all, count) => all + count, 0)
    console.log(
      `kills: ${KILLS}, acknowledged ${sum} (${JSON.stringify(Object.fromEntries(kept))}), unheard ${unheard}, orphans swept at once at most ${mostOrphans}`,
    )
  },
)
