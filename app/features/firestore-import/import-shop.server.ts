import { canonicalEmail } from '#lib/text/email-address.server.ts'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { inBatches } from '#catalog/catalog.server.ts'
import { listUntouchedCategories } from '#categories/edit-categories.server.ts'
import { linkSoldItems } from '#conversation/requests.server.ts'
import { refuse } from '#lib/refusal.ts'
import { newId15 } from '#lib/text/ids.ts'
import { OWNER_ID, isOwnerId } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import type { StoredImage } from '#services/image-store.server.ts'
import { type ImportedAccount, adminCandidates, planAccounts } from './accounts.ts'
import {
  type Documents,
  type ImportContext,
  type Rows,
  FieldReader,
  collections,
  importedTables,
  listOf,
} from './documents.ts'
import { importImages } from './images.server.ts'
import { readers } from './read-documents.ts'
import { readAccounts, readExport, UnreadableExportError } from './read-export.server.ts'
import type { ImportReport } from './report.server.ts'

export type ImportOptions = {
  path: string
  files: string | null
  accounts: string | null
  adminIds: string[] | null
  isDry: boolean
}
export type ImportOutcome = Awaited<ReturnType<typeof importShop>>

export async function importShop(
  app: AppServices,
  options: ImportOptions,
  report: ImportReport,
  say: (line: string) => void,
) {
  const { adminIds, isDry, path } = options
  const { documents, digest } = await readExport(path, report.add)
  addLooseConversations(documents, report)
  const exported = options.accounts === null ? [] : await readAccounts(options.accounts, app.now())
  if (options.files !== null && !(await stat(options.files).catch(() => null))?.isDirectory()) {
    throw new UnreadableExportError(
      `The folder ${options.files} does not exist. --files is a copy of the storage bucket.`,
    )
  }

  const before = await app.db
    .selectFrom('imports')
    .select('at')
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (before) return { ok: true as const, isSame: true as const, at: before.at }
  const untouched = await listUntouchedCategories(app.db)
  if (!(await isEmpty(app.db, untouched))) return refuse('not-empty')
  const writers = adminCandidates(documents)
  // After a typing error in the uid, the owner's own messages would belong to another person.
  const isMistyped =
    adminIds !== null && adminIds.length > 0 && !writers.some(({ uid }) => adminIds.includes(uid))
  if (writers.length > 0 && isMistyped) {
    return refuse('not-the-owner', { candidates: writers })
  }
  const candidates = adminIds === null ? writers : []
  if (candidates.length > 0 && !isDry) return refuse('who-is-the-owner', { candidates })
  const outcome = { ok: true as const, isSame: false as const, candidates }

  const { email } = await app.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', OWNER_ID)
    .executeTakeFirstOrThrow()
  const storedImages: StoredImage[] = []
  try {
    const images = await importImages(app, documents, storedImages, {
      files: options.files,
      isDry,
      report: report.add,
      say,
    })
    const { rows, sameAs } = readAll(documents, report, {
      exported,
      adminIds: adminIds ?? [],
      ownerEmail: canonicalEmail(email),
      images,
      now: app.now(),
    })
    if (isDry) return outcome
    await app.db.transaction().execute(async (tx) => {
      for (const image of storedImages) await app.images.keep(tx, image)
      for (const id of untouched) await tx.deleteFrom('categories').where('id', '=', id).execute()
      await insertAll(tx, rows)
      await nameCategories(tx)
      await linkSoldItems(tx)
      // This runs last, because `linkSoldItems` finds a sale by the uid of its conversation.
      for (const [id, buyerId] of sameAs) {
        await tx.updateTable('sales').set({ buyerId }).where('buyerId', '=', id).execute()
      }
      await recordImport(tx, report, { at: app.now(), digest, source: basename(path) })
    })
  } catch (error) {
    for (const image of storedImages) await app.images.discard(image).catch(() => {})
    throw error
  }
  return outcome
}

async function recordImport(
  tx: Tx,
  report: ImportReport,
  { at, digest, source }: { at: number; digest: string; source: string },
) {
  await tx
    .insertInto('imports')
    .values({
      id: newId15(),
      at,
      digest,
      source,
      findings: report.issues(),
      summary: report.summary().join('\n'),
      report: report.lines().join('\n'),
    })
    .execute()
  await recordAuditEvent(tx, {
    at,
    actor: OWNER_ID,
    act: 'import-shop',
    subject: '',
    name: source,
    detail: report.counts,
  })
}

async function isEmpty(db: Db, untouched: string[]) {
  const categories = await db.selectFrom('categories').select('id').execute()
  if (categories.length > untouched.length) return false
  for (const table of ['items', 'colors', 'orders', 'sales', 'testimonies'] as const) {
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false
  }
  const customer = await db
    .selectFrom('user')
    .select('id')
    .where('id', '!=', OWNER_ID)
    .limit(1)
    .executeTakeFirst()
  return customer === undefined
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
  const uid = (id: string) => (adminIds.includes(id) ? OWNER_ID : id)
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
    hasAccount: (id) => accounts.has(id) || isOwnerId(id),
    accountOf: (id) => sameAs.get(id) ?? id,
    now,
  }
  report.counts.accounts = { found: accounts.size, taken: accounts.size }
  for (const { createdAt, ...account } of accounts.values()) {
    context.rows.user.push({
      ...account,
      isAnonymous: false,
      createdAt: new Date(createdAt),
      updatedAt: new Date(createdAt),
    })
  }
  for (const collection of collections) {
    const count = { found: documents[collection].size, taken: 0 }
    report.counts[collection] = count
    for (const [place, [id, fields]] of [...documents[collection]].entries()) {
      const reader = new FieldReader(fields, (field, what, done) =>
        report.add({ where: `${collection}/${id}`, field, what, done }),
      )
      const fieldId = reader.raw('id')
      if (fieldId !== undefined && fieldId !== id) {
        reader.noteInvalid('id', fieldId, "not the document's id", 'the document’s id counts')
      }
      if (readers[collection]({ id, reader, context, place })) {
        reader.end()
        count.taken += 1
      } else documents[collection].delete(id)
    }
  }
  return { rows: context.rows, sameAs }
}

function addLooseConversations({ users, orders }: Documents, report: ImportReport) {
  for (const [id, fields] of users) {
    const isLoose = fields.fromContactPage === true && listOf(fields.messages).length > 0
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

async function insertAll(tx: Tx, rows: Rows) {
  for (const table of importedTables) {
    // Both databases limit a statement to about 30,000 values.
    for (const part of inBatches(rows[table] as Rows['items'])) {
      const insert = tx.insertInto(table as 'items').values(part)
      // Two users with one account may have the same favorite.
      await (
        table === 'favorites' ? insert.onConflict((conflict) => conflict.doNothing()) : insert
      ).execute()
    }
  }
}

async function nameCategories(tx: Tx) {
  await sql`update "sales" set
      "categoryId" = (select "categoryId" from "items" where "items"."id" = "sales"."itemId"),
      "categoryTitle" = coalesce((select "title" from "items" join "categories" on "categories"."id" = "items"."categoryId"
        where "items"."id" = "sales"."itemId"), '')
    where "categoryId" = '' and "itemId" in (select "id" from "items")`.execute(tx)
}
