/**
 * Fills the tables of a shop with any number of rows, for the benchmark and for the tests that
 * compare a large shop with a small shop.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export type Size = {
  items: number
  /** the number of conversations, each with its own account */
  conversations: number
  messagesEach: number
  sales: number
  /** the number of entries in the owner's audit log */
  acts: number
  emails: number
  testimonies: number
  /**
   * with a value of 10, every tenth conversation is open and contains unread messages and requested
   * items
   */
  openEvery: number
  /** the number of days over which the sales are spread */
  days: number
  /** the number of messages in the conversation of the measured customer, all of them unread */
  longest: number
}

export const FEW: Size = {
  items: 100,
  conversations: 100,
  messagesEach: 100,
  sales: 100,
  acts: 100,
  emails: 100,
  testimonies: 100,
  openEvery: 2,
  days: 60,
  longest: 100,
}
/** Pages must stay fast in a shop of this size (docs/scaling.md). */
export const MANY: Size = {
  items: 10_000,
  conversations: 10_000,
  messagesEach: 100,
  sales: 100_000,
  acts: 100_000,
  emails: 20_000,
  testimonies: 10_000,
  openEvery: 10,
  days: 720,
  longest: 50_000,
}

export const [CATEGORIES, COLORS] = [12, 20]
const DAY = 86_400_000

/**
 * Fills a shop. `customer` is the uid of an existing account, which gets the longest conversation.
 * The id of a new row is a letter and a number, such as i1, i2 and i3 for items.
 */
export async function growShop(
  db: Db,
  size: Size,
  known: { customer: string; now: number },
): Promise<void> {
  const isSqlite = await speaksSqlite(db)
  await db.transaction().execute((tx) => fillTables(tx, size, known))
  // PostgreSQL needs statistics for fast queries, and would otherwise update its statistics only
  // after some minutes.
  if (!isSqlite) await sql`vacuum analyze`.execute(db)
}

const upTo = (count: number) =>
  sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n) as n`

async function fillTables(
  db: Db,
  size: Size,
  { customer, now }: { customer: string; now: number },
): Promise<void> {
  const run = (query: RawBuilder<unknown>) => query.execute(db)
  const ago = (step: number) => sql`${sql.lit(now)} - cast(n.i as bigint) * ${sql.lit(step)}`
  const at = sql.lit(now)
  const step = Math.floor((size.days * DAY) / size.sales)
  const each = sql.lit(size.messagesEach)
  const people = sql.lit(size.conversations)
  await run(sql`insert into images (id, path, width, height, widths, placeholder, "createdAt", state)
    select 'p' || n.i, 'items/p' || n.i || '.webp', 1400, 1400, '[240,480,960,1400]', 'data:,', ${at}, 'finished' from ${upTo(size.items)}`)
  await run(sql`insert into categories (id, title, color, "imageId", position, "createdAt", "firstCreatedAt")
    select 'c' || n.i, 'Category ' || n.i, '#c98a5e', 'p' || n.i, n.i, ${at}, 1 from ${upTo(CATEGORIES)}`)
  await run(sql`insert into colors (id, name, "imageId", "isAvailable", "isLowOnStock", "createdAt", "firstCreatedAt")
    select 'k' || n.i, 'Color_' || n.i, 'p' || n.i, case when n.i % 7 = 0 then 0 else 1 end, case when n.i % 5 = 0 then 1 else 0 end, ${at}, 1
    from ${upTo(COLORS)}`)
  await run(sql`insert into showcase (id, title, "imageId", "categoryId", deg, position)
    select 'w' || n.i, 'Shown ' || n.i, 'p' || n.i, 'c' || n.i, 0, n.i from ${upTo(6)}`)
  await run(sql`insert into items (id, name, "categoryId", "priceCents", description, "discountType", "discountValue", "createdAt", "firstCreatedAt")
    select 'i' || n.i, case when n.i = 57 then 'Owl ' when n.i % 10 = 0 then 'Moon ' else 'Sun ' end || 'wall hanging #' || n.i || '.', 'c' || (n.i % ${sql.lit(CATEGORIES)} + 1),
      2500 + n.i % 100 * 50, 'Knotted by hand of cotton, as long as an arm; hangs on a stick of driftwood. Number ' || n.i,
      case when n.i % 4 = 0 then 'percent' end, case when n.i % 4 = 0 then 10 end, ${ago(60_000)}, 1 from ${upTo(size.items)}`)
  await run(sql`insert into "itemImages" (id, "itemId", "imageId", position, "isAvailable")
    select 'q' || n.i, 'i' || n.i, 'p' || n.i, 0, case when n.i % 9 = 0 then 0 else 1 end from ${upTo(size.items)}`)
  await run(sql`insert into "itemImageColors" ("itemImageId", "colorId")
    select 'q' || n.i, 'k' || (n.i % ${sql.lit(COLORS)} + 1) from ${upTo(size.items)}`)
  await run(sql`insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", "isAnonymous")
    select 'u' || n.i, 'Person ' || n.i, 'p' || n.i || '@mail.test', true, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', false
    from ${upTo(size.conversations)}`)
  await run(sql`insert into session (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
    select 'z' || n.i, '2099-01-01T00:00:00.000Z', 'z' || n.i, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'u' || n.i
    from ${upTo(size.conversations)}`)
  await run(sql`insert into favorites ("userId", "itemId", "createdAt")
    select 'u' || n.i, 'i' || ((n.i * 7 + k.i) % ${sql.lit(size.items)} + 1), ${ago(1000)} from ${upTo(size.conversations)},
      (select 1 as i union all select 2 union all select 3) as k`)
  const open = sql`n.i % ${sql.lit(size.openEvery)} = 0`
  await run(sql`insert into orders (id, "userId", "userName", "userEmail", "userPhotoURL", "receiptTag", "isClosed", "lastSeq", "lastMessageAt", "createdAt", "firstCreatedAt")
    select 'u' || n.i, 'u' || n.i, 'Person ' || n.i || case when n.i % 9 = 0 then ' Müller' else '' end, 'p' || n.i || '@mail.test', '',
      'T' || n.i, case when ${open} then 0 else 1 end, ${each}, ${ago(3000)}, ${ago(3000)}, 1 from ${upTo(size.conversations)}`)
  await run(sql`insert into messages ("orderId", seq, id, message, sender, "createdAt")
    select orders.id, n.i, 'm' || n.i, 'A piece for the wall above the table, if you please. ' || n.i,
      case when n.i % 2 = 1 then orders.id else 'owner' end, orders."createdAt" - (${each} - n.i) * 1000 from orders, ${upTo(size.messagesEach)}`)
  await run(sql`insert into "orderItems" ("orderId", "itemId", name, "priceCents", "isSold", position)
    select orders.id, 'i' || (n.i * 31 % ${sql.lit(size.items)} + 1), 'Moon wall hanging ' || n.i, 2500, orders."isClosed", n.i from orders, ${upTo(2)}`)
  await run(sql`insert into "readReceipts" ("orderId", reader, seq)
    select 'u' || n.i, 'owner', case when ${open} then ${each} / 2 else ${each} end from ${upTo(size.conversations)}`)
  await run(
    sql`insert into "readReceipts" ("orderId", reader, seq) select 'u' || n.i, 'u' || n.i, ${each} from ${upTo(size.conversations)}`,
  )
  const sold = sql`(n.i * 31 % ${sql.lit(size.items)} + 1)`
  const buyer = sql`(n.i % ${people} + 1)`
  await run(sql`insert into sales (id, "buyerId", "buyerName", "buyerEmail", "buyerPhotoURL", "itemId", "itemName", "itemPriceCents", "salePriceCents", "receiptTag", "createdAt", "categoryId", "categoryTitle")
    select 's' || n.i, 'u' || ${buyer}, 'Person ' || ${buyer}, 'p' || ${buyer} || '@mail.test', '', 'i' || ${sold}, 'Moon wall hanging ' || ${sold}, 5000,
      3000 + n.i % 2001, 'R' || (n.i / 2), ${ago(step)}, 'c' || (${sold} % ${sql.lit(CATEGORIES)} + 1), 'Category ' || (${sold} % ${sql.lit(CATEGORIES)} + 1)
    from ${upTo(size.sales)}`)
  await run(sql`insert into requests (id, "orderId", "itemId", "categoryId", "categoryTitle", at, "saleId")
    select 'r' || substr(id, 2), "buyerId", "itemId", "categoryId", "categoryTitle", "createdAt", id from sales`)
  // Sales can be undone only while their receipt has no numbered invoice.
  await run(
    sql`insert into invoices (number, "receiptKey", "shippingCents", "createdAt") select n.i, 'R' || n.i, 500, ${ago(step)} from ${upTo(Math.floor(size.sales / 2))} where n.i not between 40 and 46`,
  )
  await run(sql`insert into testimonies (id, "receiptTag", "writerId", "writerName", "writerEmail", "writerPhotoURL", testimony, "isAvailable", "isValidated", "showOnPage", "createdAt")
    select 't' || n.i, 'R' || n.i, 'u' || n.i, 'Person ' || n.i, 'p' || n.i || '@mail.test', '', case when n.i % 10 = 0 then '' else 'So soft, and just as it was shown. ' || n.i end,
      case when n.i % 10 = 0 then 1 else 0 end, case when n.i % 3 = 0 then 0 else 1 end, case when n.i <= 90 and n.i % 3 = 1 and n.i % 10 <> 0 then 1 else 0 end, ${ago(60_000)} from ${upTo(size.testimonies)}`)
  await run(sql`insert into "testimonyItems" ("testimonyId", position, "itemId", name)
    select 't' || n.i, 0, 'i' || (n.i % ${sql.lit(size.items)} + 1), 'Moon wall hanging' from ${upTo(size.testimonies)}`)
  // Ten emails could not be delivered. All other emails were sent.
  await run(sql`insert into outbox (id, kind, "toAddress", subject, text, "createdAt", attempts, "nextAttemptAt", "sentAt", "failedAt", "lastError")
    select 'l' || n.i, 'contact', 'p' || n.i || '@mail.test', 'Hello', 'An email', ${ago(1000)}, 1, ${at} + 9000000000,
      case when n.i > 10 then ${at} end, case when n.i <= 10 then ${at} end, case when n.i <= 10 then 'refused' end from ${upTo(size.emails)}`)
  await run(sql`insert into audit (at, actor, act, subject, detail, name, words)
    select ${at} - cast(${sql.lit(size.acts)} - n.i as bigint) * 60000, 'owner', case when n.i % 50 = 1 then 'hide-testimony' else 'update-item' end,
      'i' || (n.i % ${sql.lit(size.items)} + 1), '{}', 'Sun wall hanging #' || (n.i % ${sql.lit(size.items)} + 1) || '.', 'sun wall hanging #' || (n.i % ${sql.lit(size.items)} + 1) || '.' from ${upTo(size.acts)}`)
  await run(sql`insert into "verificationTokens" (id, kind, "codeHash", "userId", email, "createdAt", "expiresAt")
    select 'a' || n.i, 'verification', 'a' || n.i, 'u' || n.i, 'p' || n.i || '@mail.test', ${at}, ${at} + 900000 from ${upTo(size.conversations)}`)
  await addLongConversation(db, size, customer, now)
}

/**
 * Adds 30 favorites for `customer`, and a conversation with `longest` unread messages and 40
 * requested items.
 */
async function addLongConversation(
  db: Db,
  { longest, items }: Size,
  customer: string,
  now: number,
): Promise<void> {
  await sql`insert into orders (id, "userId", "userName", "userEmail", "userPhotoURL", "lastSeq", "lastMessageAt", "createdAt", "firstCreatedAt")
    values (${customer}, ${customer}, 'Ann Long', 'ann@mail.test', '', ${sql.lit(longest)}, ${sql.lit(now)}, ${sql.lit(now)}, 1)`.execute(
    db,
  )
  await sql`insert into messages ("orderId", seq, id, message, sender, "createdAt")
    select ${customer}, n.i, 'm' || n.i, 'It hangs above the table now. ' || n.i, 'owner', ${sql.lit(now)} from ${upTo(longest)}`.execute(
    db,
  )
  await sql`insert into "readReceipts" ("orderId", reader, seq) values (${customer}, 'owner', ${sql.lit(longest)})`.execute(
    db,
  )
  await sql`insert into "orderItems" ("orderId", "itemId", name, "priceCents", "isSold", position)
    select ${customer}, 'i' || n.i, 'Sun wall hanging ' || n.i, 2500, 0, n.i from ${upTo(40)}`.execute(
    db,
  )
  await sql`insert into favorites ("userId", "itemId", "createdAt")
    select ${customer}, 'i' || (n.i * 3 % ${sql.lit(items)} + 1), n.i from ${upTo(30)}`.execute(db)
}

const speaksSqlite = (db: Db) =>
  sql`select sqlite_version()`.execute(db).then(
    () => true,
    () => false,
  )
