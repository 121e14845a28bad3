/** The triggers that keep what 029-growth.ts counts, in the words of each database. */
import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'
import type { Dialect } from './dialect.ts'

/** The owner reads every conversation, and whoever it is with her own: her uid is its id. */
const OWNER = `'owner'`
const DAY = 86_400_000

/** What a line of sales comes to; `row` is new or old. */
const sums = (row: string) => ({
  revenue: `${row}."salePriceCents"`,
  discounts: `case when ${row}."itemPriceCents" > ${row}."salePriceCents" then ${row}."itemPriceCents" - ${row}."salePriceCents" else 0 end`,
  reduced: `case when ${row}."itemPriceCents" > ${row}."salePriceCents" then 1 else 0 end`,
})
/** By what sales belong together; the reports ask by the same words (report-columns.server.ts). */
export const keyOf = (row: string | null) => {
  const of = (column: string) => (row === null ? `"${column}"` : `${row}."${column}"`)
  return {
    category: of('categoryId'),
    item: `coalesce(nullif(${of('itemId')}, ''), ${of('itemName')})`,
    buyer: `coalesce(nullif(${of('buyerId')}, ''), nullif(${of('buyerEmail')}, ''), ${of('buyerName')})`,
  }
}
/** Days and years of UTC: the reports take what lies between those and the shop's own from the sales themselves. */
const dayAt = (at: string) => `(${at} - ((${at} % ${DAY}) + ${DAY}) % ${DAY}) / ${DAY}`
const dayOf = (row: string) => dayAt(`${row}."createdAt"`)
const yearOf = (row: string, dialect: Dialect) =>
  dialect === 'postgres'
    ? `cast(extract(year from to_timestamp(${row}."createdAt" / 1000.0) at time zone 'UTC') as integer)`
    : `coalesce(cast(strftime('%Y', ${row}."createdAt" / 1000, 'unixepoch') as integer), 10000)`

/** How many receipts a year has: its lines share a tag, or stand alone. */
const receiptOf = (row: string) => `coalesce(nullif(${row}."receiptTag", ''), ${row}."id")`
const countedBy = (row: string) => ({ ...keyOf(row), receipt: receiptOf(row) })

const SUMS = ['sales', 'revenue', 'discounts', 'reduced'] as const

/** One line more in the sums, or one less; sums of nothing go, and with them whose they were. */
function countSale(row: 'new' | 'old', sign: 1 | -1, dialect: Dialect): string {
  const { revenue, discounts, reduced } = sums(row)
  const values = [`${sign}`, ...[revenue, discounts, reduced].map((value) => `${sign} * (${value})`)].join(', ')
  const raise = (table: string) => SUMS.map((name) => `"${name}" = "${table}"."${name}" + excluded."${name}"`).join(', ')
  const columns = SUMS.map((name) => `"${name}"`).join(', ')
  const byDay = `insert into "salesDays" ("day", ${columns}) values (${dayOf(row)}, ${values})
    on conflict ("day") do update set ${raise('salesDays')};`
  const year = yearOf(row, dialect)
  const byKey = Object.entries(countedBy(row)).map(
    ([kind, key]) => `insert into "salesYears" ("kind", "year", "key", ${columns}) values ('${kind}', ${year}, ${key}, ${values})
        on conflict ("kind", "year", "key") do update set ${raise('salesYears')};
        delete from "salesYears" where "kind" = '${kind}' and "year" = ${year} and "key" = ${key} and "sales" = 0;`,
  )
  return `${byDay}\n${byKey.join('\n')}`
}

const wanted = (row: 'new' | 'old', sign: 1 | -1) => `insert into "wantedItems" ("itemId", "wanted") values (${row}."itemId", ${sign})
  on conflict ("itemId") do update set "wanted" = "wantedItems"."wanted" + excluded."wanted";`

const readerOf = (order: string) => `(select ${OWNER} as "reader" union all select ${order} as "reader") as "r"`
/** Newer than a mark, and of somebody else (CHAT-09). */
const rest = (order: string, reader: string, seq: string) =>
  `(select count(*) from "messages" where "orderId" = ${order} and "seq" > ${seq} and "sender" <> ${reader})`

/** Marks move by a page or to the end: whichever side of the mark is shorter is counted. */
const markMoved = (before: string) => `insert into "unreadCounts" ("orderId", "reader", "unread")
  values (new."orderId", new."reader", 0) on conflict ("orderId", "reader") do nothing;
  update "unreadCounts" set "unread" = case when new."seq" >= ${before} and new."seq" - ${before} <= 200
    then "unread" - (select count(*) from "messages" where "orderId" = new."orderId" and "seq" > ${before} and "seq" <= new."seq"
      and "sender" <> new."reader")
    else ${rest('new."orderId"', 'new."reader"', 'new."seq"')} end
  where "orderId" = new."orderId" and "reader" = new."reader";`

const countRequest = (row: 'new' | 'old', sign: 1 | -1) => `insert into "requestDays" ("day", "requests", "sold")
  values (${dayAt(`${row}."at"`)}, ${sign}, case when ${row}."saleId" is null then 0 else ${sign} end)
  on conflict ("day") do update set "requests" = "requestDays"."requests" + excluded."requests", "sold" = "requestDays"."sold" + excluded."sold";`

const keepName = `insert into "actNames" ("words") values (new."words") on conflict ("words") do nothing;`
const dropName = `delete from "actNames" where "words" = old."words" and not exists (select 1 from "audit" where "words" = old."words");`

type Trigger = { name: string; on: string; when: string; body: (dialect: Dialect) => string }
const COUNTED = [
  ...['buyerId', 'buyerEmail', 'buyerName', 'itemId', 'itemName', 'categoryId', 'receiptTag'],
  ...['itemPriceCents', 'salePriceCents', 'createdAt'],
]
const triggers: Trigger[] = [
  {
    ...{ name: 'unread_of_message', on: 'messages', when: 'insert' },
    body: () => `insert into "unreadCounts" ("orderId", "reader", "unread")
      select new."orderId", "r"."reader", 1 from ${readerOf('new."orderId"')} where "r"."reader" <> new."sender"
        and new."seq" > coalesce((select "seq" from "readMarks" where "orderId" = new."orderId" and "reader" = "r"."reader"), 0)
      on conflict ("orderId", "reader") do update set "unread" = "unreadCounts"."unread" + 1;`,
  },
  {
    // A first mark: until now everything was unread.
    ...{ name: 'unread_of_mark', on: 'readMarks', when: 'insert', body: () => markMoved('0') },
  },
  { ...{ name: 'unread_of_moved_mark', on: 'readMarks', when: 'update of "seq"', body: () => markMoved('old."seq"') } },
  { name: 'wanted_by_request', on: 'orderItems', when: 'insert', body: () => wanted('new', 1) },
  { name: 'wanted_no_more', on: 'orderItems', when: 'delete', body: () => wanted('old', -1) },
  { name: 'sums_of_sale', on: 'sales', when: 'insert', body: (dialect) => countSale('new', 1, dialect) + wanted('new', 1) },
  { name: 'sums_without_sale', on: 'sales', when: 'delete', body: (dialect) => countSale('old', -1, dialect) + wanted('old', -1) },
  {
    // Whose it is changes when she goes, or was a guest; its category when it is named later. Photographs and titles count nowhere.
    ...{ name: 'sums_of_changed_sale', on: 'sales', when: `update of ${COUNTED.map((name) => `"${name}"`).join(', ')}` },
    body: (dialect) => countSale('old', -1, dialect) + wanted('old', -1) + countSale('new', 1, dialect) + wanted('new', 1),
  },
  { name: 'sums_of_request', on: 'requests', when: 'insert', body: () => countRequest('new', 1) },
  { name: 'sums_without_request', on: 'requests', when: 'delete', body: () => countRequest('old', -1) },
  {
    name: 'sums_of_sold_request',
    on: 'requests',
    when: 'update of "saleId"',
    body: () => countRequest('old', -1) + countRequest('new', 1),
  },
  // Names of people leave with them: what no act is called by any more goes.
  { name: 'name_of_act', on: 'audit', when: 'insert', body: () => keepName },
  { name: 'name_of_changed_act', on: 'audit', when: 'update of "words"', body: () => dropName + keepName },
  { name: 'name_of_no_act', on: 'audit', when: 'delete', body: () => dropName },
  ...['insert', 'update of "name", "description"'].map((when, at) => ({
    ...{ name: ['words_of_item', 'words_of_changed_item'][at]!, on: 'items', when },
    body: () => `insert into "itemWords" ("itemId", "name", "words")
      values (new."id", fold(new."name"), ${itemWords('new')})
      on conflict ("itemId") do update set "name" = excluded."name", "words" = excluded."words";`,
  })),
  ...['insert', 'update of "userName", "userEmail", "receiptTag"'].map((when, at) => ({
    ...{ name: ['words_of_order', 'words_of_changed_order'][at]!, on: 'orders', when },
    body: () => `insert into "orderWords" ("orderId", "words") values (new."id", ${orderWords('new')})
      on conflict ("orderId") do update set "words" = excluded."words";`,
  })),
]
/** A search's word holds no white space: it lies in one of the texts or in another. */
const itemWords = (row: string) => `fold(${row}."name" || ' ' || ${row}."description")`
const orderWords = (row: string) => `fold(${row}."userName" || ' ' || ${row}."userEmail" || ' ' || coalesce(${row}."receiptTag", ''))`

export async function makeTriggers(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const { name, on, when, body } of triggers) {
    const [made, does] = [`create trigger "${name}" after ${when} on "${on}" for each row`, body(dialect)]
    if (dialect === 'sqlite') {
      await sql.raw(`${made} begin ${does} end`).execute(db)
      continue
    }
    await sql.raw(`create function "${name}"() returns trigger language plpgsql as $$ begin ${does} return null; end $$`).execute(db)
    await sql.raw(`${made} execute function "${name}"()`).execute(db)
  }
}

/** All of it counted anew from what it is counted from. */
export async function fillKept(db: QueryExecutorProvider, dialect: Dialect): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  for (const table of ['unreadCounts', 'wantedItems', 'salesDays', 'salesYears', 'requestDays', 'actNames', 'itemWords', 'orderWords'])
    await run(`delete from "${table}"`)
  await run(`insert into "unreadCounts" ("orderId", "reader", "unread")
    select "messages"."orderId", "r"."reader", count(*) from "messages"
      join (select "id", ${OWNER} as "reader" from "orders" union all select "id", "id" as "reader" from "orders") as "r"
        on "r"."id" = "messages"."orderId"
      left join "readMarks" on "readMarks"."orderId" = "messages"."orderId" and "readMarks"."reader" = "r"."reader"
    where "messages"."sender" <> "r"."reader" and "messages"."seq" > coalesce("readMarks"."seq", 0)
    group by "messages"."orderId", "r"."reader"`)
  await run(`insert into "wantedItems" ("itemId", "wanted") select "itemId", count(*)
    from (select "itemId" from "orderItems" union all select "itemId" from "sales") as "all" group by "itemId"`)
  const { revenue, discounts, reduced } = sums('sales')
  const of = `count(*), sum(${revenue}), sum(${discounts}), sum(${reduced})`
  await run(
    `insert into "salesDays" ("day", "sales", "revenue", "discounts", "reduced") select ${dayOf('sales')} as "d", ${of} from "sales" group by "d"`,
  )
  for (const [kind, key] of Object.entries(countedBy('sales')))
    await run(`insert into "salesYears" ("kind", "year", "key", "sales", "revenue", "discounts", "reduced")
      select '${kind}', ${yearOf('sales', dialect)} as "y", ${key} as "k", ${of} from "sales" group by "y", "k"`)
  await run(`insert into "requestDays" ("day", "requests", "sold")
    select ${dayAt('"at"')} as "d", count(*), count("saleId") from "requests" group by "d"`)
  await run(`insert into "actNames" ("words") select distinct "words" from "audit"`)
  await run(`insert into "itemWords" ("itemId", "name", "words") select "id", fold("name"), ${itemWords('items')} from "items"`)
  await run(`insert into "orderWords" ("orderId", "words") select "id", ${orderWords('orders')} from "orders"`)
}
