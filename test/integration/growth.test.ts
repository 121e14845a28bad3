import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { growShop, type Size } from '#bench/growth-data.ts'
import { visits, type Visit } from '#bench/page-visits.ts'
import { NOON, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { recordQueries, type Recorded } from '#test/fixtures/database.ts'
import { walkedRoutes } from '#test/fixtures/access.ts'
import { saveSettings } from '#settings/settings.server.ts'

/**
 * On PostgreSQL, the tables are larger, because the test counts the rows that each query reads. On
 * SQLite, the test reads only the query plans.
 */
const times = process.env.TEST_DATABASE === 'postgres' ? 8 : 1
const SIZE: Size = {
  ...{
    items: 150 * times,
    conversations: 150 * times,
    messagesEach: 5,
    sales: 300 * times,
    acts: 300 * times,
    emails: 150 * times,
  },
  ...{ testimonies: 150 * times, longest: 250 * times, openEvery: 10, days: 720 },
}
/**
 * A query may read at most this many rows. A page needs the rows of up to 50 messages and 40 order
 * items, with their related rows.
 */
const MOST_ROWS = 1000

/**
 * These queries may read more rows than a page shows, because they take only a few milliseconds
 * with ten thousand rows (docs/scaling.md).
 */
const allowed: [reason: string, RegExp][] = [
  [
    'a count from the smallest index',
    /^select (?:"categoryId", )?count\(\*\) as "(?:count|all|total)" from "(?:items|orders)"/,
  ],
  [
    'the states of testimonies are counted from a separate index',
    /^select count\(\*\) as "count", "isAvailable"/,
  ],
  [
    'sent emails are deleted after a month',
    /^select count\(\*\) as "all", count\("lastError"\) as "written" from "outbox"/,
  ],
  [
    'the words of all names are cached until the catalog changes',
    /^select distinct "searchName" from "items"/,
  ],
  [
    'the texts of all items are cached until the catalog changes',
    /^select (?:"id", "searchText"|sum\(length\("searchText"\)\) as "length") from "items"$/,
  ],
  [
    'the owner arranges up to 150 items on one page',
    /^select "itemImages"."itemId", "images"."path".* in \((?:\S+, ){149}/,
  ],
  [
    'the newest available items, cached until the catalog changes',
    /order by "items"."firstCreatedAt" desc, "items"."tieRank", "items"."id" limit/,
  ],
  [
    'a move checks in an index whether each listed item has its own position',
    /^select "position" from "items" .* group by "position"/,
  ],
  [
    'the first change of the order gives each listed item a position',
    /^update "items" set "position" = "ranked"/,
  ],
  [
    'reordering reads the places of all pieces that are not handed over',
    /^select "offerId", "line", "position" from "queueEntries"/,
  ],
  ['each exists stops at the first row', /^select exists \(select "id" from "categories"/],
  [
    'the number of pieces that have a color',
    /^select "colorId", count\(distinct "itemImages"."itemId"\)/,
  ],
  [
    'a search for a word anywhere in a text reads all normalized texts once',
    /instr\("(?:items|o|asked)"."search|instr\("words"/,
  ],
  [
    'a later page of a list skips the earlier ids in an index',
    / from "(?:items|testimonies)" .*limit \S+ offset \S+$/,
  ],
  [
    'the colors of the items of a category',
    /^select "colors"."id", "colors"."name", "images"."placeholder"/,
  ],
  ['the sum of a month of sales, from an index', /^select sum\("s"."salePriceCents"\)/],
  [
    'the sums of a year’s sales (051)',
    /^select .*count\((?:\*|distinct .*)\) .* from "sales" where "sales"."createdAt" >= /,
  ],
  ['the requests of a month, from an index', /^select count\(\*\) as "requests"/],
  [
    'the last message of each conversation is compared with the read receipt',
    /"o"."lastSeq" > coalesce/,
  ],
  [
    'the unread messages of a conversation, from an index',
    /^select count\(\*\) as "count" from "messages" where "orderId"/,
  ],
  [
    'how often each piece was asked for and sold, cached until that changes',
    /^select .* as "ordered" inner join "items"/,
  ],
]

const routes = (folder: string, names: string, kind = '') =>
  names.split(' ').map((name) => `routes/${folder}/${name}${kind}`)
/**
 * The test does not request these pages and actions, because they use no growing table or another
 * test measures them.
 */
const notVisited = [
  // These routes read the rows of a user by id, email address or code.
  ...routes(
    'account',
    'confirm-email form-data form-delete form-devices form-email form-password form-photo form-unlink form-verification',
    ' (act)',
  ),
  ...routes(
    'account',
    'link-guest login login-code logout oauth-start offer reset-password two-factor',
    ' (act)',
  ),
  ...routes('account', 'confirm-email form-data link-guest login-code oauth-callback'),
  ...[
    'routes/manage/customer-data (act)',
    'routes/manage/download-customer-data',
    'routes/manage/download-customer-data (act)',
  ],
  // These routes only redirect when they are opened without a form.
  ...routes(
    'account',
    'favorite form-delete form-devices form-email form-name form-password form-photo form-unlink form-verification',
  ),
  ...routes('account', 'logout messages offer order-request oauth-start theme'),
  ...routes(
    'manage',
    'download-backup market-manifest market-sales market-service-worker upload-item-image',
  ),
  ...[
    'routes/resources/message-image',
    'routes/resources/message-image (act)',
    'routes/resources/image',
    'routes/manage/upload-item-image (act)',
  ],
  ...routes('manage', 'dashboard home about home-preview about-preview logo', ' (act)'),
  'routes/manage/logo',
  ...[
    'routes/account/theme (act)',
    'routes/resources/manifest',
    'routes/resources/robots',
    'routes/manage/settings (act)',
  ],
  // These routes read all data of the shop, or a file of any size.
  ...[
    'routes/manage/import-report-csv',
    'routes/manage/download-documents',
    ...routes('manage', 'download-backup backups download-documents import-export', ' (act)'),
  ],
]
function patternOf(path: string) {
  const withParameters = path
    .replace(/\/$/, '')
    .replace(/\/:\w+\?/g, '(/[^/]+)?')
    .replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${withParameters.replace(/\*$/, '.*').replaceAll('.csv', '\\.csv')}/?$`)
}

test('the query-plan test visits every page and action of the shop, except for a list of exceptions [S-257]', () => {
  const asked = visits.map(({ path, form }) => ({
    path: (typeof path === 'string' ? path : path(1)).replace(/\?.*/, ''),
    isForm: form !== undefined,
  }))
  const missing = walkedRoutes.flatMap(({ id, path, hasAction }) => {
    const pattern = patternOf(path)
    const met = asked.filter((visit) => pattern.test(visit.path))
    return [
      ...(met.some(({ isForm }) => !isForm) ? [] : [id]),
      ...(hasAction && !met.some(({ isForm }) => isForm) ? [`${id} (act)`] : []),
    ]
  })
  expect(missing.toSorted()).toEqual(notVisited.toSorted())
})

type Asked = Recorded & { by: string }

async function askEverything(): Promise<{ shop: TestShop; asked: Asked[] }> {
  const seen: Recorded[] = []
  const shop = await openTestShop({ wrapDb: (db) => recordQueries(db, seen) })
  const customer = await shop.customer()
  const people = { visitor: shop.visitor(), customer, owner: await shop.owner() }
  await growShop(shop.db, SIZE, { customer: customer.id, now: NOON })
  // Without a way to be paid, the dashboard and the reports would not read the open amounts.
  await saveSettings(shop.db, { payPal: 'marisol' }, NOON)
  const stamp = await shop.formTimestamp.stamp(NOON - 60_000)
  const named = (text: string) =>
    text
      .replaceAll('{me}', customer.id)
      .replaceAll('{stamp}', stamp)
      .replaceAll('{day}', '2026-03-05')
  const ask = ({ who, path, form }: Visit) => {
    const address = named(typeof path === 'string' ? path : path(1))
    if (!form) return people[who].get(address)
    return people[who].post(
      address,
      Object.fromEntries(Object.entries(form(1)).map(([field, text]) => [field, named(text)])),
    )
  }
  const asked = new Map<string, Asked>()
  for (const visit of visits.filter(({ readsWholeTables }) => !readsWholeTables)) {
    seen.length = 0
    const answer = await ask(visit)
    await answer.arrayBuffer()
    expect(
      shop.logged
        .filter(({ level }) => level === 'error')
        .map(({ message, error }) => `${visit.name}: ${message} ${String(error)}`),
    ).toEqual([])
    expect(
      answer.status < 400 || visit.name === 'Unknown item',
      `${visit.name} ${answer.status}`,
    ).toBe(true)
    for (const query of seen.splice(0)) {
      // On SQLite, the plan of a query does not depend on its values, so one plan for each query is
      // enough. On PostgreSQL, each page needs its own plan.
      const key = shop.dialect === 'sqlite' ? query.sql : `${visit.name} ${query.sql}`
      if (!asked.has(key)) asked.set(key, { ...query, by: `${visit.who}: ${visit.name}` })
    }
  }
  return { shop, asked: [...asked.values()] }
}

const growing = new Set([
  ...[
    'user',
    'session',
    'account',
    'verification',
    'verificationTokens',
    'images',
    'items',
    'itemImages',
    'itemImageColors',
  ],
  ...[
    'favorites',
    'orders',
    'orderItems',
    'messages',
    'chatUploads',
    'messageImages',
    'readReceipts',
    'reminders',
    'invoices',
  ],
  ...['sales', 'requests', 'testimonies', 'testimonyItems', 'outbox', 'audit', 'previousDiscounts'],
  ...['offers', 'offerLines', 'holds', 'queueEntries', 'payments', 'parcels', 'credits'],
])

const explained = (prefix: string, { sql: text, parameters: given }: Recorded, mark: RegExp) => {
  const parts = text.split(mark)
  // A value with a zero byte is the placeholder of a query that is compiled once for many values.
  const parameters = given.map((one) =>
    typeof one === 'string' && one.includes('\0') ? 'owner' : one,
  )
  return sql.join(
    [
      sql.raw(`${prefix} ${parts[0]}`),
      ...parts.slice(1).flatMap((part, at) => [sql`${parameters[at]}`, sql.raw(part)]),
    ],
    sql``,
  )
}

/**
 * Returns the steps of the query plan in which SQLite would scan a whole growing table, or a whole
 * index of such a table.
 */
async function walked(db: Db, query: Asked): Promise<string[]> {
  const plan = (
    await sql<{ detail: string }>`${explained('explain query plan', query, /\?/)}`.execute(db)
  ).rows
  const hasLimit = / limit \?/.test(query.sql)
  const sorts = plan.some(({ detail }) => /USE TEMP B-TREE FOR (ORDER|GROUP) BY/.test(detail))
  return plan.flatMap(({ detail }) => {
    // Almost all sales have no value in this column, so an index search for a missing value reads
    // the whole table.
    const [, alias] = /^SEARCH (\w+) .*\(cancels=\?\)/.exec(detail) ?? []
    if (
      alias !== undefined &&
      new RegExp(`(?:"${alias}"\\.|[^.])"cancels" is null`).test(query.sql)
    ) {
      return [detail]
    }
    const [, name, how = ''] = /^SCAN (\w+)(.*)$/.exec(detail) ?? []
    if (name === undefined) return []
    const table = new RegExp(`"(\\w+)" as "${name}"`).exec(query.sql)?.[1] ?? name
    if (!growing.has(table)) return []
    // A query may scan an index if the query has a limit, which stops the scan when the page is
    // full.
    return hasLimit && !sorts && (how.includes('USING') || !query.sql.includes(' where '))
      ? []
      : [`${detail} (${table})`]
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
/** Returns the number of rows that PostgreSQL read from tables and indexes. */
function rowsIn(node: Node): number {
  const own = node['Relation Name'] || node['Node Type'] === 'Bitmap Index Scan'
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const read = own ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsIn(inner), read)
}

async function read(db: Db, query: Asked): Promise<number> {
  class Undone extends Error {}
  let rows = 0
  await db
    .transaction()
    .execute(async (tx) => {
      // Disables plans that PostgreSQL chooses only because the tables are small.
      for (const way of ['seqscan', 'hashjoin', 'mergejoin']) {
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx)
      }
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

test('no query of a page or an action scans a whole growing table [S-257]', async () => {
  const { shop, asked } = await askEverything()
  const found: string[] = []
  for (const query of asked) {
    if (
      !/^\s*(select|update|delete|with)\b/i.test(query.sql) ||
      allowed.some(([, text]) => text.test(query.sql.replaceAll('\n', ' ')))
    ) {
      continue
    }
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
