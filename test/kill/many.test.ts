/** Three processes on one PostgreSQL (043) that have nothing else in common but the storage of pictures (016): what one does, all know; one may die, and all may be replaced. */
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { openBalancer } from '../balancer.ts'
import { freePort } from '../free-port.ts'
import { keepBusy, openMember, openPerson, OWNER, type Member, type Person } from '../many-processes.ts'
import { openPostgresServer } from '../open-postgres.ts'
import { openStorage } from '../open-storage.ts'
import { sized } from '../size.ts'
import { applyTable, uploadTable } from '../upload-table.ts'

const ORIGIN = 'http://localhost:3999'
const patient = { timeout: sized(600_000, 3_600_000) }
const ends: (() => Promise<void>)[] = []
const atTheEnd = (end: () => Promise<void>) => void ends.push(end)

let server: Awaited<ReturnType<typeof openPostgresServer>>
let database: pg.Pool
let storage: Awaited<ReturnType<typeof openStorage>>
const members: Member[] = []
const owner = openPerson(ORIGIN, 1)
let people = 1

const open = (port: number) => openMember(server.url, ORIGIN, port, atTheEnd, { FILES_URL: storage.url, DRAIN_SECONDS: '1' })
const at = (member: number) => members[member % members.length]!.address
const rows = async <Row>(query: string) => (await database.query(query)).rows as Row[]

async function customer(): Promise<Person> {
  const one = openPerson(ORIGIN, ++people)
  const form = { intent: 'register', email: `c${people}@mail.test`, password: 'a-good-password' }
  expect((await one.post(at(people), '/login/', form)).status).toBe(302)
  return one
}

beforeAll(async () => {
  server = await openPostgresServer(atTheEnd)
  storage = await openStorage(atTheEnd)
  database = new pg.Pool({ connectionString: server.url, max: 2 })
  database.on('error', () => {})
  const ports = [await freePort(), await freePort(), await freePort()]
  // At the same moment, on an empty database.
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
  'S-260 processes that start at once on an empty database make one shop; what is said or ended through one, the others know',
  patient,
  async () => {
    expect(members.filter(({ output }) => output().includes('Database brought up to date'))).toHaveLength(1)
    expect(await rows('select count(*)::int as count from "user"')).toEqual([{ count: 1 }])
    const ann = await customer()
    const tabs = { ann: await ann.listen(at(1)), other: await ann.listen(at(2)), owner: await owner.listen(at(2)) }
    const visitor = await openPerson(ORIGIN, 99).listen(at(1))

    await ann.post(at(0), '/messages', { intent: 'send', message: 'Heard everywhere', messageId: newId15() })
    await expect.poll(() => tabs.ann.heard.some((topic) => topic.startsWith('order:'))).toBe(true)
    await expect.poll(() => tabs.owner.heard).toContain('orders')
    expect(await ann.page(at(1), '/about/?messages=')).toContain('Heard everywhere')
    expect(visitor.heard).toEqual([])

    await ann.post(at(1), '/logout', {})
    expect(await Promise.all([tabs.ann.closed, tabs.other.closed])).toEqual([4001, 4001])
    expect(await ann.page(at(0), '/account/')).not.toContain('Heard everywhere')
  },
)

test('S-260 a price is never older than what a process has heard, and never goes back, while pages are kept ready', patient, async () => {
  const visitor = openPerson(ORIGIN, 98)
  /** The one that counts; beside it stand what it cost before and what is taken off. */
  const priceAt = async (member: number) => {
    const page = await visitor.page(at(member), '/item/moon/')
    return Math.min(...[...page.matchAll(/\$(\d+)\.00/g)].map(([, dollars]) => Number(dollars)).filter((dollars) => dollars > 500))
  }
  const tabs = await Promise.all([0, 1, 2].map((member) => openPerson(ORIGIN, 90 + member).listen(at(member))))
  const seen: number[][] = [[], [], []]
  let isOver = false
  const looking = [0, 1, 2].map(async (member) => {
    while (!isOver) seen[member]!.push(await priceAt(member))
  })
  for (let round = 1; round <= sized(12, 300); round++) {
    const form = { intent: 'items-apply', type: 'amount', value: String(round), item: 'moon', confirm: 'Yes' }
    for (const tab of tabs) tab.heard.length = 0
    expect((await owner.post(at(round), '/manage/discount/', form)).status).toBeLessThan(400)
    expect(await priceAt(round), 'where it was changed').toBe(900 - round)
    await Promise.all(
      tabs.map(async (tab, member) => {
        await expect.poll(() => tab.heard, { interval: 2 }).toContain('catalogue')
        expect(await priceAt(member), 'where it was heard of').toBe(900 - round)
      }),
    )
  }
  isOver = true
  await Promise.all(looking)
  for (const prices of seen) expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  // A browser that comes to another process need not load its page anew; own changes count by themselves for a second.
  const versions = async () => {
    const greetings = await Promise.all([0, 1, 2].map((member) => openPerson(ORIGIN, 90 + member).listen(at(member))))
    for (const one of greetings) one.close()
    return new Set(greetings.map(({ version }) => version)).size
  }
  await expect.poll(versions).toBe(1)
  for (const one of tabs) one.close()
})

test(
  'S-260 a table that is checked by one process is shown by the next, reported by it, and written by the third, once',
  patient,
  async () => {
    const through = (member: number) => ({
      get: (path: string) => owner.get(at(member), path),
      page: (path: string) => owner.page(at(member), path),
      post: (path: string, form: Record<string, string> | FormData) => owner.post(at(member), path, form),
    })
    await database.query(`with added as (insert into pictures (id, path, width, height, widths, placeholder, "createdAt", state)
      values ('face', 'items/bags/face.webp', 9, 9, '[]', '', 0, 'finished') returning id)
    insert into "itemPictures" (id, "itemId", "pictureId", position, "isAvailable") select id, 'moon', id, 0, 1 from added`)
    const { check, address, page } = await uploadTable(through(0), 'id,name\nmoon,Night bag\nnone,x')
    expect(page).toContain('name Moon bag → Night bag')
    expect(await through(1).page(address)).toContain('Night bag')
    expect(await through(1).page(`/manage/check.csv?check=${check}`)).toContain('There is no item with this id')
    const writing = await Promise.all([2, 1].map((member) => applyTable(through(member), check)))
    expect(writing.filter(({ status }) => status >= 500)).toEqual([])
    expect((await applyTable(through(0), check)).status).toBe(409)
    expect(await through(1).page(address)).toMatch(/1(<!-- -->)? item updated/)
    expect(await rows(`select name from items where id = 'moon'`)).toEqual([{ name: 'Night bag' }])
    expect(await rows(`select act from audit where act = 'import-items'`)).toHaveLength(1)
    // Not even by its address, for anybody else.
    expect((await openPerson(ORIGIN, 89).get(at(1), address)).headers.get('location')).toBe('/')
  },
)

test('S-260 a picture that is uploaded through one process is shown by the others, and its widths are made once', patient, async () => {
  const sent = await Promise.all(
    ['#2f7f7f', '#7f9a72', '#1d7070'].map(async (background, member) => {
      const form = new FormData()
      form.set('categoryId', 'bags')
      const picture = sharp({ create: { width: 900, height: 600, channels: 3, background } })
      form.set('file', new File([new Uint8Array(await picture.png().toBuffer())], 'bag.png', { type: 'image/png' }))
      return (await owner.post(at(member), '/manage/item-picture', form)).json() as Promise<{ state: string; url: string }>
    }),
  )
  expect(sent.map(({ state }) => state)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  const made = () => rows<{ state: string; attempts: number }>(`select state, attempts from pictures where id <> 'face'`)
  await expect.poll(made, { interval: 50, timeout: 60_000 }).toEqual(sent.map(() => ({ state: 'finished', attempts: 1 })))
  const written = () => storage.state.requests.flatMap((line) => /^PUT \/pictures\/shop\/(items\/[^?]+)/.exec(line)?.slice(1) ?? [])
  const puts = written()
  expect(puts.length).toBeGreaterThan(2 * sent.length)
  expect(puts.toSorted(), 'none of them twice').toEqual([...new Set(puts)].toSorted())
  // Once more, and now all of them hear of it at the same moment.
  await database.query(`with again as (update pictures set state = 'waiting', attempts = 0, "nextAttemptAt" = 0 where id <> 'face')
    update items set width = '20 cm'`)
  await expect.poll(made, { interval: 50, timeout: 60_000 }).toEqual(sent.map(() => ({ state: 'finished', attempts: 1 })))
  const again = written().slice(puts.length)
  expect(again.length).toBeGreaterThan(sent.length)
  expect(again.toSorted(), 'none of them twice').toEqual([...new Set(again)].toSorted())
  for (const path of puts) {
    const seen = await Promise.all(members.map(({ address }) => openPerson(ORIGIN, 88).get(address, `/pictures/${path}`)))
    expect(seen.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
      members.map(() => [200, 'public, max-age=31536000, immutable']),
    )
    const bytes = await Promise.all(seen.map(async (one) => Buffer.from(await one.arrayBuffer())))
    expect(bytes.every((one) => one.equals(bytes[0]!))).toBe(true)
  }
})

const missing = async (acknowledged: string[]) => {
  const kept = new Map<string, number>()
  for (const { id } of await rows<{ id: string }>('select id from messages')) kept.set(id, (kept.get(id) ?? 0) + 1)
  return acknowledged.filter((id) => kept.get(id) !== 1)
}

test('S-260 all processes are replaced one after the other under load, and no request fails', patient, async () => {
  const balancer = await openBalancer(members.map(({ port }) => port))
  const busy = keepBusy(ORIGIN, balancer.address, await Promise.all([customer(), customer(), customer()]))
  await expect.poll(() => busy.acknowledged.length).toBeGreaterThan(5)
  for (let round = 0; round < sized(1, 3); round++)
    for (const [number, member] of members.entries()) {
      const tab = await openPerson(ORIGIN, 96).listen(member.address)
      member.kill('SIGTERM')
      expect(await tab.closed).toBe(1001)
      expect(await member.ended).toEqual({ code: 0, signal: null })
      members[number] = await open(member.port)
    }
  const seen = busy.acknowledged.length
  await expect.poll(() => busy.acknowledged.length).toBeGreaterThan(seen + 5)
  await busy.stop()
  balancer.close()
  console.log(`replaced under load: ${busy.acknowledged.length} messages, ${busy.looks()} pages, ${balancer.failures.length} failures`)
  expect([...busy.refused, ...balancer.failures]).toEqual([])
  expect(await missing(busy.acknowledged)).toEqual([])
})

test(
  'S-260 one process is killed under load: the others go on, what was acknowledged is there once, and only what it was answering fails',
  patient,
  async () => {
    const balancer = await openBalancer(members.map(({ port }) => port))
    const busy = keepBusy(ORIGIN, balancer.address, await Promise.all([customer(), customer(), customer()]))
    let underWay = 0
    for (let round = 0; round < sized(1, 6); round++) {
      const before = busy.acknowledged.length
      await expect.poll(() => busy.acknowledged.length).toBeGreaterThan(before + 5)
      const [victim] = members
      victim!.kill('SIGKILL')
      await victim!.ended
      underWay += 14
      const then = busy.acknowledged.length
      await expect.poll(() => busy.acknowledged.length).toBeGreaterThan(then + 5)
      members[0] = await open(victim!.port)
    }
    await busy.stop()
    balancer.close()
    console.log(
      `killed under load: ${busy.acknowledged.length} messages, ${busy.looks()} pages, ${busy.refused.length} under way were lost`,
    )
    // Seven people, of whom each had one request there, and perhaps sent another over a connection whose end the proxy had not seen.
    expect(busy.refused.length).toBeLessThanOrEqual(underWay)
    expect(await missing(busy.acknowledged)).toEqual([])
  },
)

test(
  'S-260 PostgreSQL is started anew under them: they hear each other again by themselves, and whoever may have missed something asks again',
  patient,
  async () => {
    const ann = await customer()
    const tab = await openPerson(ORIGIN, 95).listen(at(1))
    await ann.post(at(0), '/messages', { intent: 'send', message: 'Before', messageId: newId15() })
    for (let round = 0; round < sized(1, 5); round++) {
      tab.heard.length = 0
      await server.restart()
      await expect.poll(() => tab.heard, { interval: 20 }).toContain('catalogue')
      const messageId = newId15()
      const send = () => ann.post(at(0), '/messages.data', { intent: 'send', message: 'After', messageId }).then(({ status }) => status)
      await expect.poll(send, { interval: 50 }).toBe(200)
      expect(await missing([messageId])).toEqual([])
      const hers = await ann.listen(at(2))
      const again = newId15()
      await expect
        .poll(async () => (await ann.post(at(1), '/messages.data', { intent: 'send', message: 'Again', messageId: again })).status)
        .toBe(200)
      // By its own topic, or by all of them where that process has just begun to hear again.
      await expect.poll(() => hers.heard.length).toBeGreaterThan(0)
      hers.close()
    }
    tab.close()
  },
)

test('S-260 a process with other secrets, whose cookies nobody would believe, does not open', patient, async () => {
  const other = openMember(server.url, ORIGIN, await freePort(), atTheEnd, { SHOP_SECRET: 'another-secret-which-nobody-else-knows' })
  await expect(other).rejects.toThrow('The shop cannot start: Another process of this shop is open and has other secrets')
})
