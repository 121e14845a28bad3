/** Moves a shop in: reads an export, brings its pictures, and writes every row in one transaction, all or nothing. */
import { listUntouchedCategories } from '#app/features/categories/first-categories.server.ts'
import { basename } from 'node:path'
import { readFile, stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { nameCategories } from '#db/migrations/016-requests.ts'
import type { Db, Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { adminCandidates, planAccounts, readAuthExport, type Candidate, type Plan } from './accounts-plan.ts'
import { picturesBeside, readExport, UnreadableExport } from './export-file.server.ts'
import { putInto } from './import-rows.server.ts'
import { moveCatalogue } from './move-catalogue.server.ts'
import { moveInvoices } from './move-invoices.server.ts'
import { movePeople } from './move-people.server.ts'
import { discardAll, messagePictureKey, movePictures, type PictureSource } from './moved-pictures.server.ts'
import { moveReplies } from './moved-replies.server.ts'
import { moveSettings } from './moved-settings.server.ts'
import type { Report } from './report.server.ts'
import { openSpool, type Spool } from './spool.server.ts'

export type ImportOptions = {
  path: string
  files: string | null
  fetch: PictureSource['fetch']
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
  const spool = await openSpool()
  try {
    await readExport(options.path, { add: spool.add, find: report.find })
    if (options.accounts !== null) for (const { id, fields } of await readAccounts(options.accounts)) spool.add('accounts', id, fields)
    if (options.files !== null && !(await isFolder(options.files)))
      throw new UnreadableExport(`There is no folder ${options.files}. --files is the copy of the storage bucket.`)
    return await importSpool(shop, spool, options, report, say)
  } finally {
    await spool.remove()
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** A slip here would cost the customers' accounts, and the moved shop shows it too late. */
async function readAccounts(path: string) {
  const json = await readFile(path, 'utf8').catch(() => {
    throw new UnreadableExport(`There is no file ${path}. --accounts is what "firebase auth:export" wrote.`)
  })
  const accounts = readAuthExport(json)
  if (!accounts) throw new UnreadableExport(`${path} is not what "firebase auth:export accounts.json" writes.`)
  return accounts
}

async function importSpool(
  shop: Shop,
  spool: Spool,
  options: ImportOptions,
  report: Report,
  say: (line: string) => void,
): Promise<Imported> {
  const before = await shop.db.selectFrom('imports').select('at').where('digest', '=', spool.digest()).executeTakeFirst()
  if (before && !options.isMerge) return { ok: true, isSame: true, at: before.at }
  const untouched = options.isMerge ? [] : await listUntouchedCategories(shop.db)
  if (!options.isMerge && !(await isEmpty(shop.db, untouched))) return { ok: false, refusal: 'not-empty' }
  const uid = (id: string) => (options.adminIds?.includes(id) ? ADMIN_ID : id)
  const writers = spool.has('shop', 'export') ? [] : adminCandidates(spool, (id) => id)
  // A uid that is mistyped would make the owner a stranger in her own shop.
  const isMistyped =
    options.adminIds !== null && options.adminIds.length > 0 && !writers.some(({ uid: id }) => options.adminIds?.includes(id))
  if (writers.length > 0 && isMistyped) return { ok: false, refusal: 'not-the-owner', candidates: writers }
  const candidates = options.adminIds === null ? writers : []
  if (candidates.length > 0 && !options.isDry) return { ok: false, refusal: 'who-is-the-owner', candidates }

  const { isDry } = options
  const files = options.files ?? (await picturesBeside(options.path))
  const pictures = await movePictures(shop, spool, { files, fetch: options.fetch }, { isDry, find: report.find, say })
  try {
    if (isDry) await writeAll(shop, null, spool, options, report, pictures.ids, uid, untouched)
    else
      await shop.db.transaction().execute(async (tx) => {
        for (const picture of pictures.prepared) await shop.pictures.keep(tx, picture)
        for (const id of untouched) await tx.deleteFrom('categories').where('id', '=', id).execute()
        await writeAll(shop, tx, spool, options, report, pictures.ids, uid, untouched)
        const [at, source, summary] = [shop.now(), basename(options.path), report.summary().join('\n')]
        const row = {
          id: newId15(),
          at,
          digest: spool.digest(),
          source,
          findings: report.findings(),
          summary,
          report: report.lines().join('\n'),
        }
        await tx.insertInto('imports').values(row).execute()
        await recordAct(tx, { at, actor: ADMIN_ID, act: 'import-shop', subject: '', name: source, detail: report.counts() })
      })
  } catch (error) {
    await discardAll(shop, pictures.prepared)
    throw error
  }
  return { ok: true, isSame: false, candidates }
}

/** As the demo shop counts it, and no customer beside the owner; the categories that every shop begins with do not count (S-163). */
export async function isEmpty(db: Db, untouched: readonly string[] = []): Promise<boolean> {
  if ((await idsOf(db, 'categories')).size > untouched.length) return false
  const tables = ['items', 'colors', 'orders', 'sales', 'testimonies'] as const
  for (const table of tables) if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false
  return (await db.selectFrom('user').select('id').where('id', '!=', ADMIN_ID).limit(1).executeTakeFirst()) === undefined
}

const idsOf = async (
  db: Db | Tx,
  table: 'categories' | 'colors' | 'items' | 'itemPictures' | 'showcase' | 'orders' | 'sales' | 'requests' | 'testimonies' | 'savedReplies',
) => new Set((await db.selectFrom(table).select('id').execute()).map((row) => row.id))

async function writeAll(
  shop: Shop,
  tx: Tx | null,
  spool: Spool,
  { isMerge }: ImportOptions,
  report: Report,
  pictureIds: ReadonlyMap<string, string>,
  uid: (id: string) => string,
  untouched: readonly string[],
): Promise<void> {
  const db = tx ?? shop.db
  const [now, put] = [shop.now(), putInto(tx)]
  // Two imports at once into PostgreSQL: the second waits, and then finds the shop not empty (its ids collide, and nothing is written).
  const users = await db.selectFrom('user').select(['id', 'email']).execute()
  const plan = planAccounts(spool, {
    known: new Map(users.map((user) => [user.email.toLowerCase(), user.id])),
    uid,
    isOwnExport: spool.has('shop', 'export'),
    now,
    find: report.find,
  })
  const catalogue = {
    categories: new Set([...(await idsOf(db, 'categories'))].filter((id) => !untouched.includes(id))),
    colors: await idsOf(db, 'colors'),
    items: await idsOf(db, 'items'),
    itemPictures: await idsOf(db, 'itemPictures'),
    showcase: await idsOf(db, 'showcase'),
  }
  const favourites = new Set(
    (await db.selectFrom('favourites').select(['userId', 'itemId']).execute()).map((row) => JSON.stringify([row.userId, row.itemId])),
  )
  const tags = await db.selectFrom('testimonies').select('receiptTag').where('receiptTag', 'is not', null).execute()
  const itemIds = await moveCatalogue({ spool, report, put, there: catalogue, pictureIds, now })
  await movePeople({
    spool,
    report,
    put,
    plan,
    accounts: new Set(users.map((user) => user.id)),
    there: {
      orders: await idsOf(db, 'orders'),
      sales: await idsOf(db, 'sales'),
      requests: await idsOf(db, 'requests'),
      testimonies: await idsOf(db, 'testimonies'),
    },
    favourites: (userId, itemId) => favourites.has(JSON.stringify([userId, itemId])),
    tags: new Set(tags.map((row) => row.receiptTag!)),
    itemIds,
    uid,
    picture: (url) => pictureIds.get(messagePictureKey(url)) ?? null,
    now,
  })
  await moveReplies(spool, report, put, await idsOf(db, 'savedReplies'), now)
  const numbered = await db.selectFrom('invoices').select(['number', 'receiptKey']).execute()
  await moveInvoices({ spool, report, put, there: numbered, now })
  if (tx) await nameCategories(tx)
  if (!isMerge) {
    await moveSettings(tx, spool, report)
    await moveOwner(tx, plan)
  }
}

/** Her name and picture come along; how she signs in is a matter of this shop's settings. */
async function moveOwner(tx: Tx | null, { owner }: Plan): Promise<void> {
  if (tx && owner)
    await tx
      .updateTable('user')
      .set({ name: owner.name, image: owner.image, updatedAt: sql`"updatedAt"` })
      .where('id', '=', ADMIN_ID)
      .execute()
}
