/** Sends input that no page of the shop sends to every URL and action. No response may be a 5xx. */
import { expect, test, vi } from 'vitest'
import { dataOf, fill, walkedRoutes } from '#test/fixtures/access.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { errorsOf, expectNoFault, listed } from '#test/fixtures/fuzz.ts'
import { isFull } from '#test/fixtures/size.ts'
import { openTestShop, ORIGIN, type Person, type TestShop } from '#test/fixtures/test-shop.ts'

// The timeout is long, because each test sends thousands of requests.
vi.setConfig({ testTimeout: 600_000 })

const people = async (shop: TestShop): Promise<Person[]> => [
  shop.visitor(),
  await shop.guest(),
  await shop.owner(),
]

const oddIds = [
  ...listed`unknown %20 %00 a%00b ..%2f..%2fetc%2fpasswd %2e%2e %E0%A4%A %FF%FE %F0%9F%A7%B6 __proto__ constructor null -1 1e999`,
  ...listed`'%20or%201=1-- %22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E`,
  'x'.repeat(10_000),
]

const oddQueries = listed`
  ?month=x&week=y&page=-1&category=%FF ?month=2026-99&week=99&year=999999999&page=1e99 ?month=__proto__&category=constructor&q=%25%25
  ?q=%00 ?q=a&q=b&q[]=c&__proto__[x]=1 ?%E0%A4%A ?_routes=nonsense ?index`

let turn = 0
/** In a quick run, a third of the inputs: another third at each turn. */
function partOf<T>(inputs: T[]): T[] {
  turn++
  return isFull ? inputs : inputs.filter((_, index) => (index + turn) % 3 === 0)
}

test('no URL responds with a server error to an unusual query or id', async () => {
  const shop = await openTestShop()
  for (const client of await people(shop)) {
    for (const { path, id } of walkedRoutes) {
      const odd = /[:*]/.test(path) ? oddIds.map((text) => fill(path, text)) : []
      const queries = [...oddQueries, `?q=${'x'.repeat(9000)}`]
      const addresses = [
        ...odd.flatMap((address) => [
          address,
          `${dataOf(address)}?_routes=${encodeURIComponent(id)}`,
        ]),
        ...[fill(path, 'x'), dataOf(fill(path, 'x'))].flatMap((address) =>
          queries.map((query) => address + query),
        ),
      ]
      for (const address of partOf(addresses)) {
        await expectNoFault(await client.get(address), `GET ${address.slice(0, 80)}`)
      }
    }
  }
  expect(errorsOf(shop)).toEqual([])
})

const boundary = 'multipart/form-data; boundary=x'
const encoded = 'application/x-www-form-urlencoded'
const partOfFile =
  '--x\r\nContent-Disposition: form-data; name="text"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
type Sent = [what: string, body: string | Uint8Array<ArrayBuffer>, type: string | null]
const badBodies: Sent[] = [
  ['nothing', '', encoded],
  ['nothing at all', '', null],
  ['no type', 'text=hello', null],
  ['JSON', '{"text":"hello"}', 'application/json'],
  ['broken JSON', '{', 'application/json'],
  ['plain text', 'text=hello', 'text/plain'],
  ['XML', '<a/>', 'application/xml'],
  ['an unknown type', 'x', 'nonsense'],
  [
    'bytes that are no UTF-8',
    new Uint8Array([...new TextEncoder().encode('intent=send&text='), 0xff, 0xfe, 0xc3, 0x28]),
    encoded,
  ],
  [
    'escapes that are no UTF-8',
    'intent=send&text=%FF%FE%C3%28&email=%ff@x.test&password=%ff',
    encoded,
  ],
  [
    'zero bytes',
    'intent=send&text=%00&id=%00&name=a%00b&email=a%00@x.test&password=%00%00%00%00%00%00%00%00',
    encoded,
  ],
  ['a zero byte in a name', '%00=x&intent=send', encoded],
  ['half an escape', 'intent=%E0%A4%A&text=%', encoded],
  ['multipart without a boundary', 'x', 'multipart/form-data'],
  [
    'multipart that never ends',
    '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello',
    boundary,
  ],
  ['multipart of nothing', '--x--\r\n', boundary],
  ['multipart without names', '--x\r\n\r\nhello\r\n--x--\r\n', boundary],
  ['a file where a text belongs', partOfFile, boundary],
]

/**
 * Sends every body to every action, as a document request and as a data request. A quick run sends
 * a third of the bodies, each in only one of these ways.
 * The logout comes last, because it ends the session that the other actions need.
 */
async function sendToAll(shop: TestShop, clients: Person[], all: Sent[]) {
  const paths = walkedRoutes.filter(({ hasAction }) => hasAction).map(({ path }) => path)
  const isLogout = (path: string) => Number(path === '/logout')
  for (const path of paths.toSorted((a, b) => isLogout(a) - isLogout(b))) {
    for (const client of clients) {
      for (const [number, [what, body, type]] of partOf([...all.entries()])) {
        const headers: Record<string, string> = {
          origin: ORIGIN,
          ...(type && { 'content-type': type }),
        }
        const both = [fill(path, 'x'), dataOf(fill(path, 'x'))]
        for (const address of isFull ? both : [both[number % 2]!]) {
          const response = await client.send(address, { method: 'POST', body, headers })
          expect(new URL(response.headers.get('location') ?? '/', ORIGIN).origin, what).toBe(ORIGIN)
          await expectNoFault(response, `POST ${address} ${what}`)
        }
      }
    }
  }
  expect(errorsOf(shop)).toEqual([])
}

test('every action refuses a body that is not a form, and writes nothing', async () => {
  const shop = await openTestShop()
  const clients = await people(shop)
  const rows = async () => {
    const { user: _, session: __, audit: ___, ...others } = await listAllRows(shop.db)
    return others
  }
  const before = await rows()
  await sendToAll(shop, clients, badBodies)
  expect(await rows()).toEqual(before)
})

const forged: [what: string, fields: string][] = [
  [
    'forged',
    'sender=owner&role=admin&price=0&priceCents=0&isSold=1&isClosed=0&userId=owner&createdAt=0&seq=1',
  ],
  [
    'prototype',
    '__proto__=x&constructor=x&__proto__[isOwner]=1&toString=x&hasOwnProperty=x&intent=__proto__',
  ],
  [
    'doubled',
    'intent=send&intent=delete&id=a&id=b&text=a&text=b&confirm=Yes&confirm=No&back=/a&back=/b',
  ],
  ['unknown intent', 'intent=nonsense&confirm=Yes'],
  ['a return URL of another site', 'back=https://evil.test/&intent=nonsense'],
  ['a return URL with line breaks', 'back=/%0d%0aSet-Cookie:x=y&intent=nonsense'],
  ['numbers that are none', 'position=NaN&price=Infinity&value=-1&count=1e999&page=x&month=x'],
  [
    'very long',
    `intent=send&text=${'x'.repeat(500_000)}&email=${'x'.repeat(5000)}@x.test&name=${'x'.repeat(5000)}&id=${'x'.repeat(5000)}`,
  ],
  ['too long', `text=${'x'.repeat(5_000_000)}`],
  ['very many', Array.from({ length: 5000 }, (_, at) => `field${at}=x`).join('&')],
]

test('no action responds with a server error to forged, repeated or very long fields', async () => {
  const shop = await openTestShop()
  const sent = forged.map(([what, fields]): Sent => [what, fields, encoded])
  await sendToAll(shop, await people(shop), sent)
})

test('the shop ignores invalid cookies', async () => {
  const shop = await openTestShop()
  const others = listed`flash=garbage flash=%E0%A4%A flash=%7B%22a%22%3A1%7D flash=%5B%5B%5D%2C%7B%7D%2Cnull%5D theme=garbage ;;;===`
  const several = [
    'session_token=; shop.session_data=e30; shop.session_token',
    'theme=__proto__; theme=light',
  ]
  for (const cookie of [...others, ...several]) {
    for (const address of ['/', '/login/', '/manage/', '/_root.data']) {
      const response = await shop.visitor().send(address, { headers: { cookie } })
      await expectNoFault(response.clone() as Response, `${address} ${cookie.slice(0, 60)}`)
      if (address === '/manage/') expect(response.headers.get('location')).toBe('/')
    }
  }
  expect(errorsOf(shop)).toEqual([])
})
