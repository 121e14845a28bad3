/** Imports a Firestore export in one transaction. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { listUntouchedCategories } from '#app/features/categories/edit-categories.server.ts'
import { linkSoldItems } from '#app/features/orders/requests.server.ts'
import { ADMIN_ID, isAdminId } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { adminCandidates, planAccounts, type ImportedAccount, type Candidate } from './accounts.ts'
import { collections, importedTables, readDocument } from './documents.ts'
import type { Documents, ImportContext, AddFinding, Rows } from './documents.ts'
import { importImages } from './images.server.ts'
import { readers } from './read-documents.ts'
import { readAccounts, readExport, UnreadableExportError } from './read-export.server.ts'
import type { ImportReport } from './report.server.ts'

export type ImportOptions = {
  path: string
  files: string | null
  /** The path of the file that `firebase auth:export` has written; null if there is no such file. */
  accounts: string | null
  /** The owner's uids in the hosted shop; null if the command names no uid. */
  adminIds: string[] | null
  isDry: boolean
}
export type ImportOutcome =
  /** Result of a finished import or dry run. After a dry run without --admin-id, `candidates` lists the people who may be the owner. */
  | { ok: true; isSame: false; candidates: Candidate[] }
  /** Result if the same export was imported before. The import has changed nothing. */
  | { ok: true; isSame: true; at: number }
  | { ok: false; refusal: 'not-empty' }
  | { ok: false; refusal: 'who-is-the-owner' | 'not-the-owner'; candidates: Candidate[] }

export async function importShop(
  app: AppServices,
  options: ImportOptions,
  report: ImportReport,
  say: (line: string) => void,
): Promise<ImportOutcome> {
  const { adminIds, isDry, path } = options
  const { documents, digest } = await readExport(path, report.add)
  addLooseConversations(documents, report)
  const exported = options.accounts === null ? [] : await readAccounts(options.accounts, app.now())
  if (options.files !== null && !(await stat(options.files).catch(() => null))?.isDirectory())
    throw new UnreadableExportError(
      `The folder ${options.files} does not exist. --files is a copy of the storage bucket.`,
    )

  const before = await app.db
    .selectFrom('imports')
    .select('at')
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (before) return { ok: true, isSame: true, at: before.at }
  const untouched = await listUntouchedCategories(app.db)
  if (!(await isEmpty(app.db, untouched))) return { ok: false, refusal: 'not-empty' }
  const writers = adminCandidates(documents)
  // With a mistyped uid, the shop would treat the owner's own messages as messages of another person.
  const isMistyped =
    adminIds !== null && adminIds.length > 0 && !writers.some(({ uid }) => adminIds.includes(uid))
  if (writers.length > 0 && isMistyped)
    return { ok: false, refusal: 'not-the-owner', candidates: writers }
  const candidates = adminIds === null ? writers : []
  if (candidates.length > 0 && !isDry) return { ok: false, refusal: 'who-is-the-owner', candidates }

  const { email } = await app.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', ADMIN_ID)
    .executeTakeFirstOrThrow()
  const pictures: StoredImage[] = []
  try {
    const images = await importImages(app, documents, pictures, {
      files: options.files,
      isDry,
      report: report.add,
      say,
    })
    const setting = {
      exported,
      adminIds: adminIds ?? [],
      ownerEmail: email.toLowerCase(),
      images,
      now: app.now(),
    }
    const { rows, sameAs } = readAll(documents, report, setting)
    if (isDry) return { ok: true, isSame: false, candidates }
    await app.db.transaction().execute(async (tx) => {
      for (const picture of pictures) await app.images.keep(tx, picture)
      for (const id of untouched) await tx.deleteFrom('categories').where('id', '=', id).execute()
      await insertAll(tx, rows)
      await nameCategories(tx)
      await linkSoldItems(tx)
      // Moves the sales only after `linkSoldItems`, which finds a sale by the uid of its conversation.
      for (const [id, buyerId] of sameAs)
        await tx.updateTable('sales').set({ buyerId }).where('buyerId', '=', id).execute()
      const [at, source, summary] = [app.now(), basename(path), report.summary().join('\n')]
      const row = {
        id: newId15(),
        at,
        digest,
        source,
        findings: report.issues(),
        summary,
        report: report.lines().join('\n'),
      }
      await tx.insertInto('imports').values(row).execute()
      await recordAuditEvent(tx, {
        at,
        actor: ADMIN_ID,
        act: 'import-shop',
        subject: '',
        name: source,
        detail: report.counts,
      })
    })
  } catch (error) {
    for (const picture of pictures) await app.images.discard(picture).catch(() => {})
    throw error
  }
  return { ok: true, isSame: false, candidates }
}

/** Default categories do not count as content. [S-163] */
async function isEmpty(db: Db, untouched: readonly string[]): Promise<boolean> {
  const categories = await db.selectFrom('categories').select('id').execute()
  if (categories.length > untouched.length) return false
  for (const table of ['items', 'colors', 'orders', 'sales', 'testimonies'] as const)
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false
  return (
    (await db
      .selectFrom('user')
      .select('id')
      .where('id', '!=', ADMIN_ID)
      .limit(1)
      .executeTakeFirst()) === undefined
  )
}

type ReadOptions = {
  exported: ImportedAccount[]
  adminIds: string[]
  ownerEmail: string
  images: Map<string, string>
  now: number
}

function readAll(
  documents: Documents,
  report: ImportReport,
  { exported, adminIds, ownerEmail, images, now }: ReadOptions,
) {
  const uid = (id: string) => (adminIds.includes(id) ? ADMIN_ID : id)
  const { accounts, sameAs } = planAccounts(documents, {
    ownerEmail,
    exported,
    uid,
    now,
    report: report.add,
  })
  const context: ImportContext = {
    rows: Object.fromEntries(importedTables.map((table) => [table, []])) as unknown as Rows,
    documents,
    images,
    uid,
    hasAccount: (id) => accounts.has(id) || isAdminId(id),
    accountOf: (id) => sameAs.get(id) ?? id,
    now,
  }
  report.counts.accounts = { found: accounts.size, taken: accounts.size }
  for (const { createdAt, ...account } of accounts.values())
    context.rows.user.push({
      ...account,
      isAnonymous: false,
      createdAt: new Date(createdAt),
      updatedAt: new Date(createdAt),
    })
  for (const collection of collections) {
    const count = { found: documents[collection].size, taken: 0 }
    report.counts[collection] = count
    for (const [place, [id, fields]] of [...documents[collection]].entries()) {
      const note: AddFinding = (field, what, done) =>
        report.add({ where: `${collection}/${id}`, field, what, done })
      const reader = readDocument(id, fields, note)
      if (readers[collection]({ id, reader, note, context, place })) {
        reader.end()
        count.taken += 1
      } else documents[collection].delete(id)
    }
  }
  return { rows: context.rows, sameAs }
}

/** Adds a conversation for each user of the contact form whose messages are in no conversation of the export. [DATA-004 to DATA-010] */
function addLooseConversations({ users, orders }: Documents, report: ImportReport): void {
  for (const [id, fields] of users) {
    const isLoose =
      fields.fromContactPage === true &&
      Array.isArray(fields.messages) &&
      fields.messages.length > 0
    if (!isLoose || orders.has(id)) continue
    report.add({
      where: `users/${id}`,
      field: 'messages',
      what: 'no conversation holds them',
      done: 'a conversation was made of them',
    })
    orders.set(id, fields)
  }
}

/** One statement inserts this many rows, because both databases limit a statement to about 30,000 values. */
const BATCH = 500

async function insertAll(tx: Tx, rows: Rows): Promise<void> {
  for (const table of importedTables)
    for (let from = 0; from < rows[table].length; from += BATCH) {
      const part = rows[table].slice(from, from + BATCH) as Rows['items']
      const insert = tx.insertInto(table as 'items').values(part)
      // Two users that were merged into one account may have the same favorite. The import inserts such a favorite only once.
      await (
        table === 'favorites' ? insert.onConflict((same) => same.doNothing()) : insert
      ).execute()
    }
}

/** Sales that name no category get the category of their item. */
async function nameCategories(tx: Tx): Promise<void> {
  await sql`update "sales" set
      "categoryId" = (select "categoryId" from "items" where "items"."id" = "sales"."itemId"),
      "categoryTitle" = coalesce((select "title" from "items" join "categories" on "categories"."id" = "items"."categoryId"
        where "items"."id" = "sales"."itemId"), '')
    where "categoryId" = '' and "itemId" in (select "id" from "items")`.execute(tx)
}
