/** Every query that a page or an act asks, with its plan: none of them walks through a table that grows (042). */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { growShop, type Size } from './growth/grow.ts'
import { visits, type Visit } from './growth/visits.ts'
import { NOON, openTestShop, type TestShop } from './open-test-shop.ts'
import { recordQueries, type Recorded } from './recorded-queries.ts'
import { walkedRoutes } from './routes.ts'

const isSqlite = process.env.TEST_DATABASE !== 'postgres'
/** SQLite plans without knowing how much there is; on PostgreSQL it is enough to tell a page from a table. */
const SIZE: Size = {
  ...(isSqlite
    ? { items: 150, conversations: 150, messagesEach: 5, sales: 200, acts: 200, letters: 150, testimonies: 150, longest: 120 }
    : { items: 1200, conversations: 1200, messagesEach: 5, sales: 2400, acts: 2400, letters: 1200, testimonies: 1200, longest: 2000 }),
  ...{ unreadEvery: 10, openEvery: 10, days: 720 },
}
/** A page of 50 messages, of 40 lines of an order, and what hangs on them. */
const MOST_ROWS = 1000

/** What goes through more than a page, and why it may: none of it is more than some milliseconds with ten thousand (docs/scaling.md). */
const allowed: [reason: string, RegExp][] = [
  ['a count from the smallest index', /^select (?:"categoryId", )?count\(\*\) as "(?:count|all|total)" from "(?:items|orders)"/],
  ['the marks of testimonies are counted from an index of their own', /^select count\(\*\) as "count", "isAvailable"/],
  ['letters that have left are counted from an index, and go after a month', /^select count\(\*\) as "sent" from "outbox"/],
  ['how many pieces wear a colour', /^select "colorId", count\(distinct "itemPictures"."itemId"\)/],
  ['a word may stand anywhere in a text: folded texts are gone through once', /instr\("(?:items|o)"."search|instr\(replace\("words"/],
  ['a page deep in a list passes the ids before it in an index', / from "(?:items|testimonies)" .*limit \S+ offset \S+$/],
  ['colours that pieces of one category wear', /^select "colors"."id", "colors"."name", "pictures"."placeholder"/],
  ['the sum of a month of sales, from an index', /^select sum\("s"."salePriceCents"\)/],
  ['the sums of a year’s sales (051)', /^select .*count\((?:\*|distinct .*)\) .* from "sales" where "sales"."createdAt" >= /],
  ['the requests of a month, from an index', /^select count\(\*\) as "requests"/],
  ['the last message of each conversation is compared with the reader’s mark', /"o"."lastSeq" > coalesce/],
  ['the unread messages of one conversation, from an index', /^select count\(\*\) as "count" from "messages" where "orderId"/],
  ['how often each piece was asked for and sold, cached until that changes', /^select .* as "wanted" inner join "items"/],
]

/** Pages and acts that read or write no table that grows, or that are walked by a test of their own; whoever adds a route decides. */
const notVisited: [reason: string, ...ids: string[]][] = [
  [
    'one person’s own rows, found by her id, her address or a code',
    ...[
      'confirm-email',
      'form-delete',
      'form-devices',
      'form-email',
      'login-code',
      'form-data',
      'form-password',
      'form-photo',
      'provider',
      'reset-password',
    ].map((name) => `routes/account/${name} (act)`),
    ...['second-factor', 'form-verification', 'link-guest', 'login', 'logout'].map((name) => `routes/account/${name} (act)`),
    ...['confirm-email', 'link-guest', 'login-code', 'provider-back', 'form-data'].map((name) => `routes/account/${name}`),
    ...['customer-data (act)', 'customer-file', 'customer-file (act)'].map((name) => `routes/manage/${name}`),
  ],
  [
    'only a way home for who has come without a form',
    ...[
      'form-delete',
      'form-devices',
      'form-email',
      'favourite',
      'logout',
      'messages',
      'form-name',
      'order-request',
      'form-password',
      'form-photo',
      'provider',
    ].map((name) => `routes/account/${name}`),
    ...['theme', 'form-verification'].map((name) => `routes/account/${name}`),
    ...['backup-file', 'item-picture'].map((name) => `routes/manage/${name}`),
  ],
  [
    'a picture by its name, or one that is sent',
    ...['chat-picture', 'chat-picture (act)', 'picture'].map((name) => `routes/machine/${name}`),
  ],
  ['a picture that is sent', 'routes/manage/item-picture (act)'],
  ['nothing that grows', 'routes/account/theme (act)', 'routes/machine/manifest', 'routes/machine/robots', 'routes/manage/settings (act)'],
  [
    'the whole shop, or a file of any size, by its nature',
    ...['backup-file (act)', 'backups (act)', 'check-csv', 'documents', 'documents (act)', 'tables (act)'].map(
      (name) => `routes/manage/${name}`,
    ),
  ],
]
const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replace(/\/:\w+\?/g, '(/[^/]+)?')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*$/, '.*')
      .replaceAll('.csv', '\\.csv')}/?$`,
  )

test('S-257 every page and act that there is, is asked here, or stands on the list of those that are not', () => {
  const asked = visits.map(({ path, form }) => ({
    path: (typeof path === 'string' ? path : path(1)).replace(/\?.*/, ''),
    isForm: form !== undefined,
  }))
  const missing = walkedRoutes.flatMap(({ id, path, hasAction }) => {
    const pattern = patternOf(path)
    const met = asked.filter((visit) => pattern.test(visit.path))
    return [...(met.some(({ isForm }) => !isForm) ? [] : [id]), ...(hasAction && !met.some(({ isForm }) => isForm) ? [`${id} (act)`] : [])]
  })
  expect(missing.toSorted()).toEqual(notVisited.flatMap(([, ...ids]) => ids).toSorted())
})

type Asked = Recorded & { by: string }

async function askEverything(): Promise<{ shop: TestShop; asked: Asked[] }> {
  let take: () => Recorded[] = () => []
  const shop = await openTestShop({
    through: (db) => {
      const recorded = recordQueries(db)
      take = recorded.take
      return recorded.db
    },
  })
  const customer = await shop.customer()
  const people = { visitor: shop.visitor(), customer, owner: await shop.owner() }
  await growShop(shop.db, SIZE, { customer: customer.id, now: NOON })
  const stamp = await shop.formTime.stamp(NOON - 60_000)
  const named = (text: string) => text.replaceAll('{me}', customer.id).replaceAll('{stamp}', stamp)
  const ask = ({ who, path, form }: Visit) => {
    const address = named(typeof path === 'string' ? path : path(1))
    if (!form) return people[who].get(address)
    return people[who].post(address, Object.fromEntries(Object.entries(form(1)).map(([field, text]) => [field, named(text)])))
  }
  const asked = new Map<string, Asked>()
  for (const visit of visits.filter(({ whole }) => !whole)) {
    take()
    const answer = await ask(visit)
    await answer.arrayBuffer()
    expect(
      shop.logged.filter(({ level }) => level === 'error').map(({ message, error }) => `${visit.name}: ${message} ${String(error)}`),
    ).toEqual([])
    expect([visit.name, answer.status < 400 || visit.name === 'No such piece', answer.status]).toEqual([visit.name, true, answer.status])
    for (const query of take()) {
      // The same question with other values has the same plan on SQLite; on PostgreSQL one of each page is looked at.
      const key = shop.dialect === 'sqlite' ? query.sql : `${visit.name} ${query.sql}`
      if (!asked.has(key)) asked.set(key, { ...query, by: `${visit.who}: ${visit.name}` })
    }
  }
  return { shop, asked: [...asked.values()] }
}

const growing = new Set(
  [
    'user',
    'session',
    'account',
    'verification',
    'addressProofs',
    'pictures',
    'items',
    'itemPictures',
    'itemPictureColors',
    'favourites',
  ].concat(
    ['orders', 'orderItems', 'messages', 'chatUploads', 'messagePictures', 'readMarks', 'reminders', 'invoices', 'sales', 'requests'],
    ['testimonies', 'testimonyItems', 'outbox', 'audit', 'formerDiscounts'],
  ),
)

const explained = (prefix: string, { sql: text, parameters: given }: Recorded, mark: RegExp) => {
  const parts = text.split(mark)
  // A query that is written once for many values stands there without any of them (040).
  const parameters = given.map((one) => (typeof one === 'string' && one.includes('\0') ? 'owner' : one))
  return sql.join(
    [sql.raw(`${prefix} ${parts[0]}`), ...parts.slice(1).flatMap((part, at) => [sql`${parameters[at]}`, sql.raw(part)])],
    sql``,
  )
}

/** What SQLite would walk through from end to end: tables, or indexes, of those that grow. */
async function walked(db: Db, query: Asked): Promise<string[]> {
  const plan = (await sql<{ detail: string }>`${explained('explain query plan', query, /\?/)}`.execute(db)).rows
  const hasLimit = / limit \?/.test(query.sql)
  const sorts = plan.some(({ detail }) => /USE TEMP B-TREE FOR (ORDER|GROUP) BY/.test(detail))
  return plan.flatMap(({ detail }) => {
    const [, name, how = ''] = /^SCAN (\w+)(.*)$/.exec(detail) ?? []
    if (name === undefined) return []
    const table = new RegExp(`"(\\w+)" as "${name}"`).exec(query.sql)?.[1] ?? name
    if (!growing.has(table)) return []
    // Along an index until the page is full.
    return hasLimit && !sorts && (how.includes('USING') || !query.sql.includes(' where ')) ? [] : [`${detail} (${table})`]
  })
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
/** How many rows of tables PostgreSQL really took into its hands. */
function rowsIn(node: Node): number {
  const own = node['Relation Name'] || node['Node Type'] === 'Bitmap Index Scan'
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const read = own ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsIn(inner), read)
}

async function read(db: Db, query: Asked): Promise<number> {
  class Undone extends Error {}
  let rows = 0
  await db
    .transaction()
    .execute(async (tx) => {
      // What a small table tempts it to, a large one does not.
      for (const way of ['seqscan', 'hashjoin', 'mergejoin']) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx)
      const { rows: found } = await sql<{
        'QUERY PLAN': [{ Plan: Node }]
      }>`${explained('explain (analyze, format json)', query, /\$\d+/)}`.execute(tx)
      rows = rowsIn(found[0]!['QUERY PLAN'][0].Plan)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return rows
}

test('S-257 no page and no act walks through a table that grows', async () => {
  const { shop, asked } = await askEverything()
  const found: string[] = []
  for (const query of asked) {
    if (!/^\s*(select|update|delete|with)\b/i.test(query.sql) || allowed.some(([, text]) => text.test(query.sql.replaceAll('\n', ' '))))
      continue
    try {
      if (shop.dialect === 'sqlite') {
        const scans = await walked(shop.db, query)
        if (scans.length > 0) found.push(`${query.by}\n   ${scans.join('; ')}\n   ${query.sql}`)
      } else {
        const rows = await read(shop.db, query)
        if (rows > MOST_ROWS) found.push(`${query.by}\n   ${rows} rows\n   ${query.sql}`)
      }
    } catch (error) {
      found.push(`${query.by}\n   ${String(error)}\n  ${query.sql}`)
    }
  }
  expect(found.join('\n\n')).toBe('')
})
