/** Moves a shop in: reads an export, stores its pictures, and writes every row in one transaction, all or nothing (053). */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { listUntouchedCategories } from '#app/features/categories/edit-categories.server.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { isId15, newId15 } from '#app/platform/ids.ts'
import type { Db, Tx } from '#db/schema.ts'
import { adminCandidates, planAccounts, readAuthExport, type Account, type Candidate } from './accounts.ts'
import { readCategory, readColor, readItem, readShowcase } from './catalog.ts'
import type { Documents, Note } from './documents.ts'
import { readDocument } from './field-reader.ts'
import { discardImages, importImages, type ImageSource } from './images.server.ts'
import { importedTables, noRows, type ImportContext, type Rows, type Step } from './import-context.ts'
import { readOrder, readSale, readTestimonial, readUser } from './people.ts'
import { readExport, UnreadableExport } from './read-export.server.ts'
import type { Report } from './report.server.ts'

export type ImportOptions = {
  path: string
  files: string | null
  fetch: ImageSource['fetch']
  /** what `firebase auth:export` wrote */
  accounts: string | null
  /** uids of the owner in the hosted shop; null: not said */
  adminIds: string[] | null
  isMerge: boolean
  isDry: boolean
}
export type Imported =
  /** `candidates`: who may be the owner, when a dry run was not told */
  | { ok: true; isSame: false; candidates: Candidate[] }
  /** this very export was imported at that time; nothing was changed */
  | { ok: true; isSame: true; at: number }
  | { ok: false; refusal: 'not-empty' }
  | { ok: false; refusal: 'who-is-the-owner' | 'not-the-owner'; candidates: Candidate[] }

export async function importShop(shop: Shop, options: ImportOptions, report: Report, say: (line: string) => void): Promise<Imported> {
  const { adminIds, isMerge, isDry, path } = options
  const { documents, digest } = await readExport(path, report.add)
  const exported = options.accounts === null ? [] : await readAccounts(options.accounts, shop.now())
  if (options.files !== null && !(await stat(options.files).catch(() => null))?.isDirectory())
    throw new UnreadableExport(`There is no folder ${options.files}. --files is the copy of the storage bucket.`)

  const before = await shop.db.selectFrom('imports').select('at').where('digest', '=', digest).executeTakeFirst()
  if (before && !isMerge) return { ok: true, isSame: true, at: before.at }
  const untouched = isMerge ? [] : await listUntouchedCategories(shop.db)
  if (!isMerge && !(await isEmpty(shop.db, untouched))) return { ok: false, refusal: 'not-empty' }
  const writers = adminCandidates(documents)
  // A uid that is mistyped would make the owner a stranger in her own shop.
  const isMistyped = adminIds !== null && adminIds.length > 0 && !writers.some(({ uid }) => adminIds.includes(uid))
  if (writers.length > 0 && isMistyped) return { ok: false, refusal: 'not-the-owner', candidates: writers }
  const candidates = adminIds === null ? writers : []
  if (candidates.length > 0 && !isDry) return { ok: false, refusal: 'who-is-the-owner', candidates }

  const images = await importImages(shop, documents, options, { isDry, report: report.add, say })
  const rowsFor = (db: Db | Tx) =>
    readAll(db, documents, report, { exported, adminIds: adminIds ?? [], untouched, images: images.ids, now: shop.now() })
  if (isDry) {
    await rowsFor(shop.db)
    return { ok: true, isSame: false, candidates }
  }
  try {
    await shop.db.transaction().execute(async (tx) => {
      for (const image of images.prepared) await shop.pictures.keep(tx, image)
      for (const id of untouched) await tx.deleteFrom('categories').where('id', '=', id).execute()
      await insertAll(tx, await rowsFor(tx))
      await nameCategories(tx)
      const [at, source, summary] = [shop.now(), basename(path), report.summary().join('\n')]
      const row = { id: newId15(), at, digest, source, findings: report.issues(), summary, report: report.lines().join('\n') }
      await tx.insertInto('imports').values(row).execute()
      await recordAct(tx, { at, actor: ADMIN_ID, act: 'import-shop', subject: '', name: source, detail: report.counts() })
    })
  } catch (error) {
    await discardImages(shop, images.prepared)
    throw error
  }
  return { ok: true, isSame: false, candidates }
}

/** A slip here would cost the customers' accounts, and the moved shop shows it too late. */
async function readAccounts(path: string, now: number): Promise<Account[]> {
  const json = await readFile(path, 'utf8').catch(() => {
    throw new UnreadableExport(`There is no file ${path}. --accounts is what "firebase auth:export" wrote.`)
  })
  const accounts = readAuthExport(json, now)
  if (!accounts) throw new UnreadableExport(`${path} is not what "firebase auth:export accounts.json" writes.`)
  return accounts
}

/** No item, sale or customer; the categories that every shop begins with do not count (S-163). */
async function isEmpty(db: Db, untouched: readonly string[]): Promise<boolean> {
  if ((await idsOf(db, 'categories')).size > untouched.length) return false
  const tables = ['items', 'colors', 'orders', 'sales', 'testimonies'] as const
  for (const table of tables) if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false
  return (await db.selectFrom('user').select('id').where('id', '!=', ADMIN_ID).limit(1).executeTakeFirst()) === undefined
}

type WithId = 'categories' | 'colors' | 'items' | 'itemPictures' | 'showcase' | 'orders' | 'sales' | 'testimonies'
const idsOf = async (db: Db | Tx, table: WithId) => new Set((await db.selectFrom(table).select('id').execute()).map((row) => row.id))

type Setting = { exported: Account[]; adminIds: string[]; untouched: readonly string[]; images: Map<string, string>; now: number }

/** Reads every document against what the shop has already. */
async function readAll(
  db: Db | Tx,
  documents: Documents,
  report: Report,
  { exported, adminIds, untouched, images, now }: Setting,
): Promise<Rows> {
  const uid = (id: string) => (adminIds.includes(id) ? ADMIN_ID : id)
  const users = await db.selectFrom('user').select(['id', 'email']).execute()
  const userIds = new Set(users.map((user) => user.id))
  const known = new Map(users.map((user) => [user.email.toLowerCase(), user.id]))
  const plan = planAccounts(documents, { known, exported, uid, now, report: report.add })
  const favorites = await db.selectFrom('favourites').select(['userId', 'itemId']).execute()
  const favoriteKeys = new Set(favorites.map((row) => JSON.stringify([row.userId, row.itemId])))
  const existing = {
    category: new Set([...(await idsOf(db, 'categories'))].filter((id) => !untouched.includes(id))),
    colors: await idsOf(db, 'colors'),
    items: await idsOf(db, 'items'),
    showcase: await idsOf(db, 'showcase'),
    users: new Set<string>(),
    orders: await idsOf(db, 'orders'),
    sales: await idsOf(db, 'sales'),
    testimony: await idsOf(db, 'testimonies'),
  }
  const placeIds = await idsOf(db, 'itemPictures')
  const itemIds = new Set(existing.items)
  const context: ImportContext = {
    rows: noRows(),
    has: (collection, id) => existing[collection].has(id) || documents[collection].has(id),
    categories: existing.category.size + documents.category.size,
    image: (url) => images.get(url) ?? null,
    imagePlaceId(wanted) {
      const id = (isId15(wanted) || /^[\w-]{1,80}$/.test(wanted)) && !placeIds.has(wanted) ? wanted : newId15()
      placeIds.add(id)
      return id
    },
    uid,
    hasAccount: (id) => plan.accounts.has(id) || userIds.has(id),
    accountOf: (id) => plan.sameAs.get(id) ?? id,
    hasItem: (id) => itemIds.has(id),
    hasFavorite(userId, itemId) {
      const key = JSON.stringify([userId, itemId])
      const isThere = favoriteKeys.has(key)
      // The same one may come from two accounts.
      favoriteKeys.add(key)
      return isThere
    },
    now,
  }
  report.count('accounts', { found: plan.accounts.size, taken: plan.accounts.size })
  for (const { createdAt, ...account } of plan.accounts.values())
    context.rows.user.push({ ...account, isAnonymous: false, createdAt: new Date(createdAt), updatedAt: new Date(createdAt) })
  const steps: Step[] = [
    { collection: 'category', read: readCategory },
    { collection: 'colors', read: readColor },
    { collection: 'items', read: readItem },
    { collection: 'showcase', read: readShowcase },
    { collection: 'users', read: readUser },
    { collection: 'orders', read: readOrder, idHere: uid },
    { collection: 'sales', read: readSale },
    { collection: 'testimony', read: readTestimonial },
  ]
  for (const { collection, read, idHere } of steps) {
    let place = existing[collection].size
    report.count(collection, { found: documents[collection].size })
    for (const [id, fields] of documents[collection]) {
      const note: Note = (field, what, done) => report.add({ where: `${collection}/${id}`, field, what, done })
      const isThere = existing[collection].has(idHere?.(id) ?? id)
      const reader = readDocument(id, fields, isThere ? () => {} : note)
      const isTaken = !isThere && read({ id, reader, note, report: report.add, context, place: place++ })
      if (isTaken) reader.end()
      report.count(collection, { there: isThere ? 1 : 0, taken: isTaken ? 1 : 0 })
    }
    if (collection === 'items') for (const row of context.rows.items) itemIds.add(row.id)
  }
  readLooseConversations(documents, existing.orders, context, report)
  return context.rows
}

/** Users from the contact page whose messages are in no conversation (DATA-004 to DATA-010): what they wrote is not lost. */
function readLooseConversations(documents: Documents, existing: ReadonlySet<string>, context: ImportContext, report: Report): void {
  for (const [id, fields] of documents.users) {
    const isLoose = fields.fromContactPage === true && Array.isArray(fields.messages) && fields.messages.length > 0
    if (!isLoose || documents.orders.has(id) || existing.has(context.uid(id))) continue
    const note: Note = (field, what, done) => report.add({ where: `users/${id}`, field, what, done })
    note('messages', 'no conversation holds them', 'a conversation was made of them')
    readOrder({ id, reader: readDocument(id, fields, note), note, report: report.add, context, place: 0 })
  }
}

/** Rows in one statement; neither database takes more than 30,000 values. */
const BATCH = 500

async function insertAll(tx: Tx, rows: Rows): Promise<void> {
  for (const table of importedTables)
    for (let from = 0; from < rows[table].length; from += BATCH)
      await tx
        .insertInto(table as 'items')
        .values(rows[table].slice(from, from + BATCH) as Rows['items'])
        .execute()
}

/** Sales that came without a category get that of their item, where the item is still there. */
async function nameCategories(tx: Tx): Promise<void> {
  await sql`update "sales" set
      "categoryId" = (select "categoryId" from "items" where "items"."id" = "sales"."itemId"),
      "categoryTitle" = coalesce((select "title" from "items" join "categories" on "categories"."id" = "items"."categoryId"
        where "items"."id" = "sales"."itemId"), '')
    where "categoryId" = '' and "itemId" in (select "id" from "items")`.execute(tx)
}
