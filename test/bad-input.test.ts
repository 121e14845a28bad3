/** What no page of the shop would send, sent to every address and every action of the route table: a 4xx or the way home, never a 500. */
import { expect, test, vi } from 'vitest'
import { openTestShop, ORIGIN, type TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'
import { dataOf, fill, walkedRoutes } from './routes.ts'
import { isFull } from './size.ts'

// Each walk sends some hundred requests.
vi.setConfig({ testTimeout: 60_000 })

const takingForms = walkedRoutes.filter(({ hasAction }) => hasAction)

/** Answers tell nothing of the inside: no stack, no SQL, no path of this machine. */
const inside =
  /\bat [\w.<>]+ \(|\.(ts|js|mjs):\d+:\d+|node_modules|SQLITE|select .* from |insert into|constraint|TypeError|\/root\/|\/home\/|\/tmp\//i

/** Tests render as development does, which names its modules by their paths. */
const withoutModules = (html: string) => html.replace(/\/(@fs|@id|node_modules)\/[^"\\]*/g, '')

async function expectCalm(response: Response, what: string) {
  const text = withoutModules(await response.text())
  expect(response.status, `${what}: ${response.status}`).toBeLessThan(500)
  expect(text, what).not.toMatch(inside)
}

const people = (shop: TestShop): (() => Promise<Person>)[] => [async () => shop.visitor(), () => shop.guest(), () => shop.owner()]

/** What comes as far as a database is all there is to see on the second one. */
const isOnPostgres = process.env.TEST_DATABASE === 'postgres'
/** The page and the data it consists of; a quick run on the second database takes them by turns, since both ask it the same. */
const byTurns = (both: [page: string, data: string], number: number): string[] => (isOnPostgres && !isFull ? [both[number % 2]!] : both)

/** All rows but those of signing in. */
async function rowsOf(shop: TestShop) {
  const tables = [
    'orders',
    'orderItems',
    'messages',
    'readMarks',
    'favourites',
    'sales',
    'testimonies',
    'items',
    'categories',
    'colors',
    'outbox',
  ] as const
  return Promise.all(tables.map(async (table) => [table, await shop.db.selectFrom(table).selectAll().execute()]))
}

const noErrors = (shop: TestShop) => expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])

const oddIds = [
  'unknown',
  '%20',
  '%00',
  'a%00b',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '%E0%A4%A',
  '%FF%FE',
  '%F0%9F%A7%B6',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '1e999',
  "'%20or%201=1--",
  '%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  'x'.repeat(10_000),
]

test('an odd id is no error anywhere: pages, data and files', async () => {
  const shop = await openTestShop()
  const withIds = walkedRoutes.filter(({ path }) => /[:*]/.test(path))
  expect(withIds.length).toBeGreaterThan(4)
  for (const come of people(shop)) {
    const someone = await come()
    for (const [row, { path, id }] of withIds.entries())
      for (const [column, odd] of oddIds.entries()) {
        const address = fill(path, odd)
        for (const one of byTurns([address, `${dataOf(address)}?_routes=${encodeURIComponent(id)}`], row + column))
          await expectCalm(await someone.get(one), `GET ${one.slice(0, 80)}`)
      }
  }
  noErrors(shop)
})

test('odd queries are no error on any page', async () => {
  const shop = await openTestShop()
  const queries = [
    '?month=x&week=y&page=-1&category=%FF',
    '?month=2026-99&week=99&year=999999999&page=1e99',
    '?month=__proto__&category=constructor&q=%25%25',
    '?q=%00',
    `?q=${'x'.repeat(9000)}`,
    '?q=a&q=b&q[]=c&__proto__[x]=1',
    '?%E0%A4%A',
    '?_routes=nonsense',
    '?index',
  ]
  for (const someone of [shop.visitor(), await shop.owner()])
    for (const [row, { path }] of walkedRoutes.entries())
      for (const [column, query] of queries.entries())
        for (const address of byTurns([fill(path, 'x'), dataOf(fill(path, 'x'))], row + column))
          await expectCalm(await someone.get(address + query), `GET ${address}${query.slice(0, 50)}`)
  noErrors(shop)
})

/** As a document and as the router sends it; in a quick run each by turns. */
const addressesOf = (path: string, number: number): string[] => {
  const both = [fill(path, 'x'), dataOf(fill(path, 'x'))]
  return isFull ? both : [both[number % 2]!]
}

const boundary = 'multipart/form-data; boundary=x'
const encoded = 'application/x-www-form-urlencoded'
const badBodies: [what: string, body: string | Uint8Array<ArrayBuffer>, type: string | null][] = [
  ['nothing', '', encoded],
  ['nothing at all', '', null],
  ['no type', 'text=hello', null],
  ['JSON', '{"text":"hello"}', 'application/json'],
  ['broken JSON', '{', 'application/json'],
  ['plain text', 'text=hello', 'text/plain'],
  ['XML', '<a/>', 'application/xml'],
  ['a senseless type', 'x', 'nonsense'],
  ['bytes that are no UTF-8', new Uint8Array([...new TextEncoder().encode('intent=send&text='), 0xff, 0xfe, 0xc3, 0x28]), encoded],
  ['escapes that are no UTF-8', 'intent=send&text=%FF%FE%C3%28&email=%ff@x.test&password=%ff', encoded],
  ['zero bytes', 'intent=send&text=%00&id=%00&name=a%00b&email=a%00@x.test&password=%00%00%00%00%00%00%00%00', encoded],
  ['a zero byte in a name', '%00=x&intent=send', encoded],
  ['half an escape', 'intent=%E0%A4%A&text=%', encoded],
  ['multipart without a boundary', 'x', 'multipart/form-data'],
  ['multipart that never ends', '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello', boundary],
  ['multipart of nothing', '--x--\r\n', boundary],
  ['multipart without names', '--x\r\n\r\nhello\r\n--x--\r\n', boundary],
  [
    'a file where a text belongs',
    '--x\r\nContent-Disposition: form-data; name="text"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
    boundary,
  ],
]

// What never comes as far as a database.
test.for(isOnPostgres ? [] : takingForms)('a body that is no form is no error and writes nothing: $id', async ({ path }) => {
  const shop = await openTestShop()
  const before = await rowsOf(shop)
  for (const come of people(shop)) {
    const someone = await come()
    for (const [number, [what, body, type]] of badBodies.entries()) {
      const headers: Record<string, string> = { origin: ORIGIN, ...(type && { 'content-type': type }) }
      for (const address of addressesOf(path, number))
        await expectCalm(await someone.send(address, { method: 'POST', body, headers }), `POST ${address} ${what}`)
    }
  }
  expect(await rowsOf(shop)).toEqual(before)
  noErrors(shop)
})

const forged: [what: string, fields: string][] = [
  ['forged', 'sender=owner&role=admin&price=0&priceCents=0&isSold=1&isClosed=0&userId=owner&createdAt=0&seq=1'],
  ['prototype', '__proto__=x&constructor=x&__proto__[isAdmin]=1&toString=x&hasOwnProperty=x&intent=__proto__'],
  ['doubled', 'intent=send&intent=delete&id=a&id=b&text=a&text=b&confirm=Yes&confirm=No&back=/a&back=/b'],
  ['unknown intent', 'intent=nonsense&confirm=Yes'],
  ['a way back to elsewhere', 'back=https://evil.test/&intent=nonsense'],
  ['a way back with line ends', 'back=/%0d%0aSet-Cookie:x=y&intent=nonsense'],
  ['numbers that are none', 'position=NaN&price=Infinity&value=-1&count=1e999&page=x&month=x'],
  ['very long', `intent=send&text=${'x'.repeat(500_000)}&email=${'x'.repeat(5000)}@x.test&name=${'x'.repeat(5000)}&id=${'x'.repeat(5000)}`],
]
/** Refused before any query. */
const endless: typeof forged = [
  ['too long', `text=${'x'.repeat(5_000_000)}`],
  ['very many', Array.from({ length: 5000 }, (_, at) => `field${at}=x`).join('&')],
]

const sent = isOnPostgres && !isFull ? forged : [...forged, ...endless]

test.for(takingForms)('forged, doubled and endless fields are no error: $id', async ({ path }) => {
  const shop = await openTestShop()
  for (const come of people(shop)) {
    const someone = await come()
    for (const [number, [what, fields]] of sent.entries()) {
      const headers = { origin: ORIGIN, 'content-type': encoded }
      for (const address of addressesOf(path, number)) {
        const response = await someone.send(address, { method: 'POST', body: fields, headers })
        const location = response.headers.get('location') ?? '/'
        expect(new URL(location, ORIGIN).origin, what).toBe(ORIGIN)
        await expectCalm(response, `POST ${address} ${what}`)
      }
    }
  }
  noErrors(shop)
})

test('garbage in cookies is no error, and nobody becomes somebody by it', async () => {
  const shop = await openTestShop()
  const customer = await shop.customer()
  const [name, value] = [...customer.cookies].find(([cookie]) => cookie.includes('session_token'))!
  const half = value.slice(0, value.length / 2)
  const cookies = [
    `${name}=`,
    `${name}=garbage`,
    `${name}=${half}`,
    `${name}=${value}x`,
    `${name}=${value.replace(/^./, (first) => (first === 'Z' ? 'Y' : 'Z'))}`,
    `${name}=%E0%A4%A`,
    `${name}=${'x'.repeat(6000)}`,
    `${name}=%00`,
    `${name}=a; ${name}=b`,
    `session_token=; shop.session_data=e30; shop.session_token`,
    'flash=garbage',
    'flash=%E0%A4%A',
    'flash=%7B%22a%22%3A1%7D',
    'flash=%5B%5B%5D%2C%7B%7D%2Cnull%5D',
    'theme=garbage',
    'theme=__proto__; theme=light',
    ';;;===',
  ]
  for (const cookie of cookies)
    for (const address of ['/', '/login/', '/manage/', '/_root.data']) {
      const response = await shop.visitor().send(address, { headers: { cookie } })
      await expectCalm(response.clone() as Response, `${address} ${cookie.slice(0, 60)}`)
      if (address === '/') expect(await response.text()).not.toContain('ann@mail.test')
      if (address === '/manage/') expect(response.headers.get('location')).toBe('/')
    }
  noErrors(shop)
})

test('a session that has expired is none', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const past = new Date(Date.now() - 1000)
  await shop.db
    .updateTable('session')
    .set({ expiresAt: shop.dialect === 'sqlite' ? past.toISOString() : past })
    .execute()
  expect((await owner.get('/manage/')).headers.get('location')).toBe('/')
  expect((await owner.get('/login/')).status).toBe(200)
})

test('ERR-01 when a read fails, the page says so, keeps the way home, and tells nothing of the inside', async () => {
  const shop = await openTestShop()
  await shop.db.schema.alterTable('settings').renameTo('settingsAway').execute()
  const response = await shop.visitor().get('/about/')
  const html = withoutModules(await response.text())

  expect(response.status).toBe(500)
  expect(html).toContain('could not fetch data')
  expect(html).toContain('href="/"')
  expect(html).not.toMatch(inside)
  expect(shop.logged.some(({ level }) => level === 'error')).toBe(true)
})
