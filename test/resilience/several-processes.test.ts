/** Tests three shop processes that share only a PostgreSQL database and the storage of images. */
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { freePort, openBalancer } from '#test/fixtures/network.ts'
import {
  keepBusy,
  openMember,
  openPerson,
  type Member,
  type Person,
} from '#test/fixtures/many-processes.ts'
import { OWNER } from '#test/fixtures/processes.ts'
import { openPostgresServer } from '#test/fixtures/postgres-server.ts'
import { openStorage } from '#test/fixtures/storage.ts'
import { sized } from '#test/fixtures/size.ts'
import { applyTable, uploadTable } from '#test/fixtures/csv.ts'

const ORIGIN = 'http://localhost:3999'
const patient = { timeout: sized(600_000, 3_600_000) }
const ends: (() => Promise<void>)[] = []
const onCleanup = (end: () => Promise<void>) => void ends.push(end)

let server: Awaited<ReturnType<typeof openPostgresServer>>
let database: pg.Pool
let storage: Awaited<ReturnType<typeof openStorage>>
const members: Member[] = []
const owner = openPerson(ORIGIN, 1)
let people = 1

const open = (port: number) =>
  openMember(server.url, ORIGIN, port, onCleanup, { STORAGE_URL: storage.url, DRAIN_SECONDS: '1' })
const at = (member: number) => members[member % members.length]!.address
const rows = async <Row>(query: string) => (await database.query(query)).rows as Row[]

async function customer(): Promise<Person> {
  const one = openPerson(ORIGIN, ++people)
  const form = { intent: 'register', email: `c${people}@mail.test`, password: 'a-good-password' }
  expect((await one.post(at(people), '/login/', form)).status).toBe(302)
  return one
}

beforeAll(async () => {
  server = await openPostgresServer(onCleanup)
  storage = await openStorage(onCleanup)
  database = new pg.Pool({ connectionString: server.url, max: 2 })
  database.on('error', () => {})
  const ports = [await freePort(), await freePort(), await freePort()]
  members.push(...(await Promise.all(ports.map(open))))
  await database.query(`insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
    values ('moon', 'Moon bag', 'bags', 90000, 'Soft', '', '', '', 0, 0)`)
  expect((await owner.post(at(0), '/login/', { intent: 'login', ...OWNER })).status).toBe(302)
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail') for (const { output } of members) console.log(output())
})

afterAll(async () => {
  await database.end()
  for (const end of ends.toReversed()) await end()
})

test(
  'three processes that start at the same time on an empty database create one shop [S-260]',
  patient,
  async () => {
    expect(
      members.filter(({ output }) => output().includes('Database brought up to date')),
    ).toHaveLength(1)
    expect(await rows('select count(*)::int as count from "user"')).toEqual([{ count: 1 }])
  },
)

test(
  'when a process stores a message or ends a session, browsers connected to other processes are notified [S-260]',
  patient,
  async () => {
    const ann = await customer()
    const tabs = {
      ann: await ann.listen(at(1)),
      other: await ann.listen(at(2)),
      owner: await owner.listen(at(2)),
    }
    const visitor = await openPerson(ORIGIN, 99).listen(at(1))

    await ann.post(at(0), '/messages', {
      intent: 'send',
      message: 'Heard everywhere',
      messageId: newId15(),
    })
    await expect
      .poll(() => tabs.ann.changedTopics.some((topic) => topic.startsWith('order:')))
      .toBe(true)
    await expect.poll(() => tabs.owner.changedTopics).toContain('orders')
    expect(await ann.page(at(1), '/about/?messages=')).toContain('Heard everywhere')
    expect(visitor.changedTopics).toEqual([])

    await ann.post(at(1), '/logout', {})
    expect(await Promise.all([tabs.ann.closed, tabs.other.closed])).toEqual([4001, 4001])
    expect(await ann.page(at(0), '/account/')).not.toContain('Heard everywhere')
  },
)

test(
  'after a process was notified of a price change, it serves no cached page with an older price [S-260]',
  patient,
  async () => {
    const visitor = openPerson(ORIGIN, 98)
    /**
     * Returns the lowest price on the page, which is the current price. The page also shows the
     * original price and the discount.
     */
    const priceAt = async (member: number) => {
      const page = await visitor.page(at(member), '/item/moon/')
      return Math.min(
        ...[...page.matchAll(/\$(\d+)\.00/g)]
          .map(([, dollars]) => Number(dollars))
          .filter((dollars) => dollars > 500),
      )
    }
    const openTabs = () =>
      Promise.all([0, 1, 2].map((member) => openPerson(ORIGIN, 90 + member).listen(at(member))))
    const tabs = await openTabs()
    const seen: number[][] = [[], [], []]
    let isOver = false
    const looking = seen.map(async (prices, member) => {
      while (!isOver) prices.push(await priceAt(member))
    })
    for (let round = 1; round <= sized(12, 300); round++) {
      const form = {
        intent: 'items-apply',
        type: 'amount',
        value: String(round),
        item: 'moon',
        confirm: 'Yes',
      }
      for (const tab of tabs) tab.changedTopics.length = 0
      expect((await owner.post(at(round), '/manage/discount/', form)).status).toBeLessThan(400)
      expect(await priceAt(round), 'where it was changed').toBe(900 - round)
      for (const [member, { changedTopics }] of tabs.entries()) {
        await expect.poll(() => changedTopics, { interval: 2 }).toContain('catalog')
        expect(await priceAt(member), 'after the change notification').toBe(900 - round)
      }
    }
    isOver = true
    await Promise.all(looking)
    for (const prices of seen) expect(prices).toEqual(prices.toSorted((a, b) => b - a))
    await expect
      .poll(async () => new Set((await openTabs()).map(({ version }) => version)).size)
      .toBe(1)
  },
)

test(
  'a second process can show the import preview of a first process, and a third process applies it once [S-260]',
  patient,
  async () => {
    const clientOf = (member: number) => ({
      get: (path: string) => owner.get(at(member), path),
      page: (path: string) => owner.page(at(member), path),
      post: (path: string, form: Record<string, string> | FormData) =>
        owner.post(at(member), path, form),
    })
    await database.query(`with added as (insert into images (id, path, width, height, widths, placeholder, "createdAt", state)
      values ('face', 'imported/face.webp', 9, 9, '[]', '', 0, 'finished') returning id)
    insert into "itemImages" (id, "itemId", "imageId", position, "isAvailable") select id, 'moon', id, 0, 1 from added`)
    const { check, address } = await uploadTable(clientOf(0), 'id,name\nmoon,Night bag\nnone,x')
    expect(await clientOf(1).page(address)).toContain('Night bag')
    await Promise.all([2, 1].map((member) => applyTable(clientOf(member), check)))
    expect((await applyTable(clientOf(0), check)).status).toBe(409)
    expect(await rows(`select name from items where id = 'moon'`)).toEqual([{ name: 'Night bag' }])
    expect(await rows(`select act from audit where act = 'import-items'`)).toHaveLength(1)
  },
)

test(
  'a picture that was uploaded to one process is resized once, and all processes serve the picture [S-260]',
  patient,
  async () => {
    const sent = await Promise.all(
      ['#2f7f7f', '#7f9a72', '#1d7070'].map(async (background, member) => {
        const form = new FormData()
        form.set('categoryId', 'bags')
        const image = sharp({ create: { width: 900, height: 600, channels: 3, background } })
        form.set(
          'file',
          new File([new Uint8Array(await image.png().toBuffer())], 'bag.png', {
            type: 'image/png',
          }),
        )
        return (await owner.post(at(member), '/manage/item-picture', form)).json() as Promise<{
          state: string
        }>
      }),
    )
    expect(sent.map(({ state }) => state)).toEqual(['uploaded', 'uploaded', 'uploaded'])
    const made = () => rows(`select state, attempts from images where path like 'items/%'`)
    await expect
      .poll(made, { interval: 50, timeout: 60_000 })
      .toEqual(sent.map(() => ({ state: 'finished', attempts: 1 })))
    const puts = () =>
      storage.state.requests.flatMap(
        (line) => /^PUT \/pictures\/shop\/(items\/[^?]+)/.exec(line)?.slice(1) ?? [],
      )
    const written = puts()
    expect(written.length).toBeGreaterThan(2 * sent.length)
    expect(written.toSorted()).toEqual([...new Set(written)].toSorted())
    // Repeats the check with many waiting images, and notifies all processes at the same time.
    await database.query(`with again as (update images set state = 'waiting', attempts = 0, "nextAttemptAt" = 0 where path like 'items/%')
    update items set width = '20 cm'`)
    await expect
      .poll(made, { interval: 50, timeout: 60_000 })
      .toEqual(sent.map(() => ({ state: 'finished', attempts: 1 })))
    const again = puts().slice(written.length)
    expect(again.length).toBeGreaterThan(sent.length)
    expect(again.toSorted()).toEqual([...new Set(again)].toSorted())
    for (const path of written) {
      const seen = await Promise.all(
        members.map(({ address }) => openPerson(ORIGIN, 88).get(address, `/pictures/${path}`)),
      )
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(
        new Set(
          await Promise.all(
            seen.map(async (one) => Buffer.from(await one.arrayBuffer()).toString('base64')),
          ),
        ).size,
      ).toBe(1)
    }
  },
)

/**
 * Starts a load balancer in front of the three processes. Three customers send messages and
 * visitors request pages through this load balancer.
 */
async function openLoad() {
  const balancer = await openBalancer(members.map(({ port }) => port))
  const busy = keepBusy(
    ORIGIN,
    balancer.address,
    await Promise.all([customer(), customer(), customer()]),
  )
  async function someMore() {
    const before = busy.acknowledged.length
    await expect.poll(() => busy.acknowledged.length).toBeGreaterThan(before + 5)
  }
  async function stop() {
    await busy.stop()
    console.log(
      `under load: ${busy.acknowledged.length} messages, ${busy.looks()} pages, ${busy.refused.length} failed`,
    )
  }
  return { ...busy, failures: balancer.failures, someMore, stop }
}

const missing = async (acknowledged: string[]) => {
  const stored = Map.groupBy(await rows<{ id: string }>('select id from messages'), ({ id }) => id)
  return acknowledged.filter((id) => stored.get(id)?.length !== 1)
}

test(
  'no request fails while all processes are replaced under load, one after the other [S-260]',
  patient,
  async () => {
    const load = await openLoad()
    await load.someMore()
    for (let round = 0; round < sized(1, 3); round++) {
      for (const [number, member] of members.entries()) {
        const tab = await openPerson(ORIGIN, 96).listen(member.address)
        expect(await Promise.all([member.stop(), tab.closed])).toEqual([
          { code: 0, signal: null },
          1001,
        ])
        members[number] = await open(member.port)
      }
    }
    await load.someMore()
    await load.stop()
    expect([...load.refused, ...load.failures]).toEqual([])
    expect(await missing(load.acknowledged)).toEqual([])
  },
)

test(
  'when a process is killed under load, each acknowledged message is stored once [S-260]',
  patient,
  async () => {
    const load = await openLoad()
    const kills = sized(1, 6)
    for (let round = 0; round < kills; round++) {
      await load.someMore()
      const [victim] = members
      await victim!.stop('SIGKILL')
      await load.someMore()
      members[0] = await open(victim!.port)
    }
    await load.stop()
    // At each kill, each of seven clients may lose its pending request, and one more request before
    // the balancer notices that the process has ended.
    expect(load.refused.length).toBeLessThanOrEqual(14 * kills)
    expect(await missing(load.acknowledged)).toEqual([])
  },
)

test(
  'after a restart of PostgreSQL, processes and browsers are notified of changes again [S-260]',
  patient,
  async () => {
    const ann = await customer()
    const tab = await openPerson(ORIGIN, 95).listen(at(1))
    const send = (member: number, messageId: string) => async () =>
      (
        await ann.post(at(member), '/messages.data', {
          intent: 'send',
          message: 'After the restart',
          messageId,
        })
      ).status
    for (let round = 0; round < sized(1, 5); round++) {
      tab.changedTopics.length = 0
      await server.restart()
      await expect.poll(() => tab.changedTopics, { interval: 20 }).toContain('catalog')
      const ids = [newId15(), newId15()]
      await expect.poll(send(0, ids[0]!), { interval: 50 }).toBe(200)
      const hers = await ann.listen(at(2))
      await expect.poll(send(1, ids[1]!)).toBe(200)
      // The customer's browser is notified of her own topic, or of all topics if the shop process
      // has just connected to PostgreSQL again.
      await expect.poll(() => hers.changedTopics.length).toBeGreaterThan(0)
      expect(await missing(ids)).toEqual([])
    }
  },
)

test(
  'a process refuses to start if its secrets differ from the secrets of the running processes [S-260]',
  patient,
  async () => {
    const other = openMember(server.url, ORIGIN, await freePort(), onCleanup, {
      APP_SECRET: 'another-secret-which-no-one-else-knows',
    })
    await expect(other).rejects.toThrow(
      'The shop cannot start: Another process of this shop is open and has other secrets',
    )
  },
)
