/** Inputs that nobody would think of, made of what the shop knows: its own words, names of fields and ids, between numbers, dates and bytes that are none. */
import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import type { Person } from './person.ts'
import type { Role, RoleShop } from './role-shop.ts'

/** Answers tell nothing of the inside: no stack, no SQL, no path of this machine. */
const inside =
  /\bat [\w.<>]+ \(|\.(ts|js|mjs):\d+:\d+|node_modules|SQLITE|select (["\\*(]|&quot;)[^<>]* from |insert into|constraint|TypeError|\/root\/|\/home\/|\/tmp\//i
/** Tests render as development does, which names its modules by their paths. */
const withoutModules = (html: string) => html.replace(/\/(@fs|@id|node_modules)\/[^"\\]*/g, '')

/** Seconds of the processor that one input may cost; a busy machine makes none longer. */
const MOST_WORK = 1

/** Every short text that stands in the shop's own code: intents, names of fields, kinds. */
const words = [
  ...new Set(
    globSync('app/{features,routes}/**/*.{ts,tsx}')
      .filter((path) => !path.includes('.test.'))
      .flatMap((path) => readFileSync(path, 'utf8').match(/(?<=')[a-zA-Z][\w-]{1,24}(?=')/g) ?? []),
  ),
]
  // What is sent comes back in forms: it would be taken for a word of the inside.
  .filter((word) => !inside.test(word))
  .sort()

const oddTexts = [
  ...['', ' ', '0', '-1', '-0', '1e999', 'NaN', 'Infinity', '0x10', '1.5', '9007199254740993', '99999999999999999999', '٣', '1,000'],
  ...['null', 'undefined', 'true', '__proto__', 'constructor', 'toString', '[]', '{}', '[object Object]', '%', '%00', '%E0%A4%A', '\u0000'],
  ...['2026-02-30', '2026-99', '-000001-01', '9999-12-31', '0000', 'last', '../..', '..%2f', '/', '//evil.test', 'https://evil.test/'],
  ...[
    "' or 1=1--",
    '"; drop table items; --',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '\r\nSet-Cookie: a=b',
    '🪢'.repeat(50),
    '\u202e',
    'é́',
  ],
  ...['x'.repeat(300), 'x'.repeat(20_000), 'a@b', 'bea@mail.test', 'owner@shop.test', '\ufeff', '\ud83e'],
]

export type Fuzz = { ids: string[]; fields: string[] }

export const textOf = ({ ids }: Fuzz): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.integer().map(String) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  )

const nameOf = ({ fields }: Fuzz): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...fields) },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  )

const pairsOf = (fuzz: Fuzz) => fc.array(fc.tuple(nameOf(fuzz), textOf(fuzz)), { maxLength: 8 })

export const queryOf = (fuzz: Fuzz): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: pairsOf(fuzz).map((pairs) => `?${new URLSearchParams(pairs)}`) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map((text) => `?${text.replace(/[#\s]/g, '+')}`) },
  )

export const segmentOf = (fuzz: Fuzz): fc.Arbitrary<string> =>
  textOf(fuzz).map((text) => encodeURIComponent(text.toWellFormed().slice(0, 500)) || '-')

type Body = { body: string | FormData | Uint8Array<ArrayBuffer>; type?: string }

export const bodyOf = (fuzz: Fuzz): fc.Arbitrary<Body> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: pairsOf(fuzz).map((pairs) => ({ body: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' })),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(pairsOf(fuzz), fc.array(fc.tuple(nameOf(fuzz), bytes, textOf(fuzz)), { maxLength: 2 })).map(asMultipart),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(bytes, fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''))
        .map(([body, type]) => ({ body, type })),
    },
  )

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => new Uint8Array(array))

function asMultipart([pairs, files]: [[string, string][], [string, Uint8Array<ArrayBuffer>, string][]]): Body {
  const body = new FormData()
  for (const [name, text] of pairs) body.append(name, text)
  for (const [name, content, called] of files) body.append(name, new File([content], called.slice(0, 80), { type: 'image/png' }))
  return { body }
}

/** Names of the fields of every form that these people see, and the values that stand in them. */
export async function harvest(people: readonly Person[], paths: readonly string[]): Promise<{ fields: string[]; values: string[] }> {
  const [fields, values] = [new Set<string>(), new Set<string>()]
  for (const person of people)
    for (const path of paths) {
      const html = await person.page(path)
      for (const [, name] of html.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g)) fields.add(name!)
      for (const [, value] of html.matchAll(/<(?:input|option|button)[^>]* value="([^"]{1,60})"/g)) values.add(value!)
    }
  return { fields: [...fields].sort(), values: [...values].sort() }
}

/** Judges one answer: no error of the shop's, no word of the inside, no work without end. */
export async function expectCalm(ask: () => Promise<Response>, what: string): Promise<void> {
  const before = process.cpuUsage()
  const response = await ask()
  const text = withoutModules(await response.text())
  const { user, system } = process.cpuUsage(before)
  expect(response.status, what).toBeLessThan(500)
  expect(inside.exec(text)?.[0], what).toBeUndefined()
  expect((user + system) / 1e6, `${what}: seconds of work`).toBeLessThan(MOST_WORK)
}

export const who = (roles: readonly Role[]) => fc.constantFrom(...roles)

/** What must be so whatever was sent: by the rows, not by what the shop says of them. */
export async function expectWhole({ shop }: RoleShop): Promise<void> {
  const { db } = shop
  const owner = await db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).execute()
  expect(owner).toHaveLength(1)
  // Places in a conversation without a gap.
  const messages = await db.selectFrom('messages').select(['orderId', 'seq']).orderBy('orderId').orderBy('seq').execute()
  for (const [orderId, rows] of Map.groupBy(messages, (message) => message.orderId))
    expect(
      rows.map(({ seq }) => seq),
      orderId,
    ).toEqual(rows.map((_, at) => at + 1))
  for (const { priceCents } of await db.selectFrom('items').select('priceCents').execute())
    expect(Number.isSafeInteger(priceCents) && priceCents >= 0, `a price of ${priceCents}`).toBe(true)
  // What is sold stands among the sales, at a price.
  const sales = await db.selectFrom('sales').select(['buyerId', 'itemId', 'salePriceCents']).execute()
  for (const { salePriceCents } of sales) expect(Number.isSafeInteger(salePriceCents) && salePriceCents >= 0).toBe(true)
  const isSold = new Set(sales.map(({ buyerId, itemId }) => `${buyerId} ${itemId}`))
  for (const { orderId, itemId } of await db.selectFrom('orderItems').where('isSold', '=', 1).select(['orderId', 'itemId']).execute())
    expect(isSold.has(`${orderId} ${itemId}`)).toBe(true)
  if (shop.dialect === 'sqlite') expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
}
