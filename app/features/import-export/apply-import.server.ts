import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Insertable, Selectable } from 'kysely'
import type { Tables, Tx } from '#db/schema.ts'
import type { ItemValues } from '#catalog/catalog.ts'
import { itemFormColumns, itemValueColumns } from '#catalog/item-fields.ts'
import { keepOrderOfItems, lockBulkChanges } from '#catalog/item-order.server.ts'
import { isUnused, lockImages } from '#images/edit-images.server.ts'
import { refusalTable, refusedBy } from '#lib/http/form-actions.server.ts'
import { refuse } from '#lib/refusal.ts'
import { newId15 } from '#lib/text/ids.ts'
import { change } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import type { ChangedRow } from './diff-rows.server.ts'
import {
  eachRows,
  findPreview,
  type ImportPreview,
  type ImportResult,
} from './import-preview.server.ts'
import { areEqual, MAX_ROWS } from './item-columns.ts'
import { importTexts } from './texts.ts'

const MAX_LISTED = 50
const MAX_NAMED_ITEMS = 500

const refusals = refusalTable(
  {
    'not-found': importTexts.gone,
    nothing: importTexts.nothingToApply,
    again: importTexts.again,
    failed: importTexts.applyFailed,
  },
  (error) => ({ error, toasts: [error] }),
)

/** Skips items that have changed since the preview, and writes the others in one transaction. */
export async function applyImport(app: AppServices, actor: string, id: string) {
  const preview = await findPreview(app, id)
  if (!preview) return refusedBy(refusals, refuse('not-found'))
  const { counts, fileName } = preview.plan
  if (counts.changed + counts.added === 0) return refusedBy(refusals, refuse('nothing'))
  const failure = 'a CSV import could not be written'
  const result = await change(app, { failure }, async (tx, now) => {
    // A second tab that applies the same import waits here.
    const claim = await tx
      .insertInto('importPreviews')
      .values({ checkId: id, part: 'applied', page: 0, content: '' })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (claim.numInsertedOrUpdatedRows === 0n) return refuse('again')
    const { ids, ...applied } = await writeRows(tx, now, preview.plan)
    await tx
      .updateTable('importPreviews')
      .where('checkId', '=', id)
      .where('part', '=', 'applied')
      .set({ content: JSON.stringify(applied) })
      .execute()
    if (ids.length === 0) return {}
    const { updated, added, leftOut } = applied
    const detail = { updated, added, leftOut, ids: ids.slice(0, MAX_NAMED_ITEMS) }
    return {
      audit: { actor, act: 'import-items', subject: '', name: fileName, detail },
      topics: ['catalog'],
    }
  })
  return result.ok ? { id } : refusedBy(refusals, result)
}

async function writeRows(tx: Tx, now: number, { id, counts }: ImportPreview) {
  await lockBulkChanges(tx)
  if (counts.changed > 1) await keepOrderOfItems(tx)
  const result: ImportResult & { ids: string[] } = {
    updated: 0,
    added: 0,
    leftOut: 0,
    left: [],
    ids: [],
  }
  const categories = await tx.selectFrom('categories').select('id').execute()
  const categoryIds = new Set(categories.map((category) => category.id))
  let rowCount = 0
  for await (const rows of eachRows(tx, id, 'changes')) {
    rowCount += rows.length
    const items = await lockItems(
      tx,
      rows.map((row) => row.id),
    )
    const updatedItems: Insertable<Tables['items']>[] = []
    for (const row of rows.filter(({ kind }) => kind !== 'note')) {
      const item = items.get(row.id)
      const reason =
        reasonAgainst(row, item, categoryIds) ?? (row.before ? null : await addItem(tx, now, row))
      if (reason !== null) {
        result.leftOut += 1
        if (result.left.length < MAX_LISTED) {
          result.left.push({ row: row.row, name: row.name, text: reason })
        }
        continue
      }
      result[row.before ? 'updated' : 'added'] += 1
      result.ids.push(row.id)
      if (item) updatedItems.push(updatedItem(row, item, now))
    }
    if (updatedItems.length > 0) await updateItems(tx, updatedItems)
    await nextTurn()
  }
  if (rowCount !== counts.changed + counts.added + counts.noted) {
    throw new Error('lines of the check of a table are gone')
  }
  return result
}

type CurrentItem = ItemValues & Pick<Selectable<Tables['items']>, 'revision' | 'state'>

async function lockItems(tx: Tx, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('items')
    .select(['id', 'revision', 'state', ...itemValueColumns])
    .where('id', 'in', ids)
    .forNoKeyUpdate()
    .execute()
  return new Map<string, CurrentItem>(rows.map((row) => [row.id, row]))
}

function reasonAgainst(
  { before, after }: ChangedRow,
  item: CurrentItem | undefined,
  categoryIds: ReadonlySet<string>,
) {
  if (before && !item) return importTexts.goneMeanwhile
  if (before && item && !areEqual(item, before)) return importTexts.changedMeanwhile
  // The owner may have listed the draft meanwhile, and only drafts need no price and description.
  const isIncomplete = after.priceCents === 0 || after.description === ''
  if (item && item.state !== 'draft' && isIncomplete) return importTexts.changedMeanwhile
  return categoryIds.has(after.categoryId) ? null : importTexts.categoryGone
}

/**
 * The new revision keeps an open item form from overwriting these values. The form does not contain
 * the discount.
 */
const updatedItem = ({ id, after }: ChangedRow, item: CurrentItem, now: number) => ({
  ...after,
  id,
  state: item.state,
  createdAt: now,
  firstCreatedAt: now,
  revision: item.revision + (areEqual(after, item, itemFormColumns) ? 0 : 1),
})

/**
 * This upsert only updates, because the caller has locked all rows. The insert needs a `state`
 * for a constraint; the update does not change it.
 */
async function updateItems(tx: Tx, rows: Insertable<Tables['items']>[]) {
  const columns = [...itemValueColumns, 'createdAt', 'revision'] as const
  await tx
    .insertInto('items')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .execute()
}

async function addItem(tx: Tx, now: number, { id, row, after, imageIds }: ChangedRow) {
  const isDraft = imageIds.length === 0
  await lockImages(tx, imageIds)
  const unused = tx.selectFrom('images').select('id').where('id', 'in', imageIds).where(isUnused)
  const images = isDraft ? [] : await unused.execute()
  if (images.length !== imageIds.length) return importTexts.imagesGone
  await tx
    .insertInto('items')
    .values({
      id,
      ...after,
      state: isDraft ? 'draft' : 'listed',
      tieRank: row - MAX_ROWS,
      createdAt: now,
      firstCreatedAt: now,
    })
    .execute()
  const itemImages = imageIds.map((imageId, position) => ({
    id: newId15(),
    itemId: id,
    imageId,
    position,
    isAvailable: true,
  }))
  if (!isDraft) await tx.insertInto('itemImages').values(itemImages).execute()
  return null
}
