/** Applies a previewed import in one transaction. Skips items that have changed since the preview. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Insertable, Selectable } from 'kysely'
import type { Tables, Tx } from '#db/schema.ts'
import {
  itemFormColumns,
  itemValueColumns,
  type ItemValues,
} from '#app/features/catalog/catalog.ts'
import { keepOrderOfItems, lockBulkChanges } from '#app/features/catalog/item-order.server.ts'
import { isUnused, lockPictures } from '#app/features/images/edit-images.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { areEqual, MAX_ROWS } from './item-columns.ts'
import { importTexts } from './texts.ts'
import {
  eachRows,
  findPreview,
  type ImportResult,
  type ChangedRow,
  type ImportPreview,
} from './import-preview-store.server.ts'

type NotApplied = { text: string; status: 404 | 409 | 500 }

const MAX_LISTED = 50
const MAX_NAMED_ITEMS = 500

/** Returns null if the import was applied. Otherwise returns the reason why the import was not applied. */
export async function applyImport(
  app: AppServices,
  actor: string,
  id: string,
): Promise<NotApplied | null> {
  const found = await findPreview(app, id)
  if (!found) return { text: importTexts.gone, status: 404 }
  if (found.plan.counts.changed + found.plan.counts.added === 0)
    return { text: importTexts.nothingToApply, status: 409 }
  try {
    const applied = await inTransaction(app.db, (tx) =>
      writeChanges(tx, app.now(), actor, found.plan),
    )
    if (!applied) return { text: importTexts.again, status: 409 }
    if (applied.updated + applied.added > 0) app.live.changed('catalog')
    return null
  } catch (error) {
    app.log.error('a CSV import could not be written', error)
    return { text: importTexts.applyFailed, status: 500 }
  }
}

/** Returns null if this import has already been applied. */
async function writeChanges(
  tx: Tx,
  at: number,
  actor: string,
  { id, fileName, counts }: ImportPreview,
): Promise<ImportResult | null> {
  // If two browser tabs apply the same import at the same time, the second transaction waits at this statement and then returns null.
  const claimed = await tx
    .insertInto('importPreviews')
    .values({ checkId: id, part: 'applied', page: 0, content: '' })
    .onConflict((same) => same.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) return null
  await lockBulkChanges(tx)
  if (counts.changed > 1) await keepOrderOfItems(tx)
  const applied: ImportResult = { updated: 0, added: 0, leftOut: 0, left: [] }
  const ids: string[] = []
  const categories = new Set(
    (await tx.selectFrom('categories').select('id').execute()).map((row) => row.id),
  )
  let lines = 0
  for await (const part of eachRows(tx, id, 'changes')) {
    lines += part.length
    const items = await lockItems(
      tx,
      part.map((line) => line.id),
    )
    const changed: Insertable<Tables['items']>[] = []
    for (const line of part.filter(({ kind }) => kind !== 'note')) {
      const item = items.get(line.id)
      const reason =
        reasonAgainst(line, item, categories) ?? (line.before ? null : await addItem(tx, at, line))
      if (reason === null) {
        applied[line.before ? 'updated' : 'added'] += 1
        ids.push(line.id)
        // The new revision prevents an open item form from overwriting the imported values. A changed discount needs no new revision, because item forms contain no discount.
        const revision =
          item && item.revision + (areEqual(line.after, item, itemFormColumns) ? 0 : 1)
        if (item)
          changed.push({
            ...line.after,
            id: line.id,
            state: item.state,
            createdAt: at,
            firstCreatedAt: at,
            revision,
          })
      } else {
        applied.leftOut += 1
        if (applied.left.length < MAX_LISTED)
          applied.left.push({ row: line.row, name: line.name, text: reason })
      }
    }
    if (changed.length > 0) await updateItems(tx, changed)
    await nextTurn()
  }
  if (lines !== counts.changed + counts.added + counts.noted)
    throw new Error('lines of the check of a table are gone')
  const ofPlan = tx
    .updateTable('importPreviews')
    .where('checkId', '=', id)
    .where('part', '=', 'applied')
  await ofPlan.set({ content: JSON.stringify(applied) }).execute()
  if (ids.length > 0) {
    const { updated, added, leftOut } = applied
    const detail = { updated, added, leftOut, ids: ids.slice(0, MAX_NAMED_ITEMS) }
    await recordAuditEvent(tx, {
      at,
      actor,
      act: 'import-items',
      subject: '',
      name: fileName,
      detail,
    })
  }
  return applied
}

type CurrentItem = ItemValues & Pick<Selectable<Tables['items']>, 'revision' | 'state'>

/** Locks existing items until the transaction ends. */
async function lockItems(tx: Tx, ids: readonly string[]): Promise<Map<string, CurrentItem>> {
  const lock = tx.updateTable('items').set(({ ref }) => ({ revision: ref('revision') }))
  const rows = await lock
    .where('id', 'in', ids)
    .returning(['id', 'revision', 'state', ...itemValueColumns])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function reasonAgainst(
  line: ChangedRow,
  item: CurrentItem | undefined,
  categories: ReadonlySet<string>,
): string | null {
  if (line.before && !item) return importTexts.goneMeanwhile
  if (line.before && item && !areEqual(item, line.before)) return importTexts.changedMeanwhile
  // Only a draft needs no price and no description, and the owner may have published it after the preview.
  if (
    item &&
    item.state !== 'draft' &&
    (line.after.priceCents === 0 || line.after.description === '')
  )
    return importTexts.changedMeanwhile
  return categories.has(line.after.categoryId) ? null : importTexts.categoryGone
}

/** Updates all rows in one statement. The caller must have locked these rows. The statement does not write `state`, but the database checks it together with the price. */
async function updateItems(tx: Tx, rows: Insertable<Tables['items']>[]): Promise<void> {
  const columns = [...itemValueColumns, 'createdAt', 'revision'] as const
  await tx
    .insertInto('items')
    .values(rows)
    .onConflict((same) =>
      same
        .column('id')
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .execute()
}

/** Adds a new item, as a draft if the item has no images. Returns an error text if an image was deleted or is used by another record. */
async function addItem(
  tx: Tx,
  at: number,
  { id, row, after, pictureIds }: ChangedRow,
): Promise<string | null> {
  const isDraft = pictureIds.length === 0
  await lockPictures(tx, pictureIds)
  const used = tx.selectFrom('pictures').select('id').where('id', 'in', pictureIds).where(isUnused)
  const free = isDraft ? [] : await used.execute()
  if (free.length !== pictureIds.length) return importTexts.picturesGone
  await tx
    .insertInto('items')
    .values({
      id,
      ...after,
      state: isDraft ? 'draft' : 'listed',
      tieRank: row - MAX_ROWS,
      createdAt: at,
      firstCreatedAt: at,
    })
    .execute()
  const pictures = pictureIds.map((pictureId, position) => ({
    id: newId15(),
    itemId: id,
    pictureId,
    position,
    isAvailable: 1 as const,
  }))
  if (!isDraft) await tx.insertInto('itemPictures').values(pictures).execute()
  return null
}
