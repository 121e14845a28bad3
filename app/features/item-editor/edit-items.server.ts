import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { change } from '#services/change.server.ts'
import type { ItemState } from '#catalog/catalog.ts'
import { itemTextColumns, itemValueColumns } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { findItem } from '#catalog/catalog.server.ts'
import type { AppServices } from '#services/context.ts'
import { newId15 } from '#lib/text/ids.ts'
import { isRefusal, refuse } from '#lib/refusal.ts'
import { itemFolder } from '#services/image-paths.ts'
import type { StoredImage } from '#services/image-store.server.ts'
import {
  deleteImageFiles,
  isUnused,
  lockImages,
  removeImageRows,
  tryPrepareUpload,
} from '#images/edit-images.server.ts'
import { validateFile, imageIdOfKey, imageUrl, uploadKey } from '#images/image-upload.ts'
import {
  areSameImages,
  parseKind,
  stateAfterSave,
  differingFields,
  toImageFormValues,
  validateItem,
  toFormValues,
  MAX_LINE_LENGTH,
  type EditedItem,
  type ImageFormValues,
  type ItemFormValues,
} from './item-form.ts'
import { itemActionTexts, itemTexts } from './texts.ts'

type ItemToSave = {
  id: string | null
  typed: ItemFormValues
  images: ImageFormValues[]
  files: File[]
  /** The revision that the form was loaded with; null if unknown. */
  revision: number | null
  /** The requested state; only forms of new items and drafts have buttons for it. */
  state?: string | null
  /** The newer revision that the owner agreed to overwrite. */
  keep?: number | null
}
type Save = Omit<ItemToSave, 'id' | 'state'> & {
  id: string
  stored: EditedItem | null
  state: ItemState
}

const nextRevision = sql<number>`"revision" + 1`

export async function saveItem(app: AppServices, actor: string, item: ItemToSave) {
  const { id, typed, files } = item
  const stored = id === null ? null : await findEditedItem(app.db, id)
  if (id !== null && !stored) return refuse('gone')
  const save: Save = {
    ...item,
    id: id ?? newId15(),
    stored,
    // A new item must not take over the images of a deleted item.
    images: stored ? item.images : item.images.filter(({ key }) => imageIdOfKey(key) !== null),
    state: stateAfterSave(stored?.state ?? null, item.state ?? null),
  }
  const refusal = await findRefusal(app.db, save)
  if (refusal) return refusal
  const prepared = await prepareImages(app, typed.categoryId, files)
  return prepared.ok ? writeSave(app, actor, save, prepared.images) : prepared
}

async function findRefusal(db: Db, save: Save) {
  const { stored, typed, images, files, state } = save
  if (stored && (await isOutdated(db, stored, save))) return refuse('conflict', { stored })
  const invalid = validateItem(typed, images.length + files.length, state)
  if (invalid) return refuse('invalid', invalid)
  const reason = files.map(validateFile).find((fileRefusal) => fileRefusal !== null)
  if (reason) return refuse('file', { reason })
  const category = db.selectFrom('categories').select('id').where('id', '=', typed.categoryId)
  return (await category.executeTakeFirst()) ? null : refuse('no-category')
}

/** Returns true if the form would overwrite, without consent, a change made since it was loaded. */
async function isOutdated(
  db: Db,
  stored: EditedItem,
  { typed, images, files, revision, keep }: Save,
) {
  if (revision === null || [revision, keep].includes(stored.revision)) return false
  // After a repeated submission, the uploads already belong to the item.
  const rows = await listImageRows(db, stored.id)
  const keyOfImage = new Map(rows.map((row) => [row.imageId, row.id]))
  const submittedImages = images.map((image) => ({
    ...image,
    key: keyOfImage.get(imageIdOfKey(image.key) ?? '') ?? image.key,
  }))
  return (
    files.length > 0 ||
    differingFields(typed, toFormValues(stored)).length > 0 ||
    !areSameImages(submittedImages, toImageFormValues(stored))
  )
}

const listImageRows = (db: Db, itemId: string) =>
  db.selectFrom('itemImages').selectAll().where('itemId', '=', itemId).execute()

async function prepareImages(app: AppServices, categoryId: string, files: readonly File[]) {
  const images: StoredImage[] = []
  for (const file of files) {
    const failure = 'an item image could not be stored'
    const upload = await tryPrepareUpload(app, failure, itemFolder(categoryId), file)
    if (upload.ok) {
      images.push(upload.image)
      continue
    }
    await deleteImageFiles(app, images)
    return upload.refusal === 'failed'
      ? refuse('upload-failed')
      : refuse('file', { reason: upload.refusal })
  }
  return { ok: true as const, images }
}

async function writeSave(
  app: AppServices,
  actor: string,
  save: Save,
  prepared: readonly StoredImage[],
) {
  const result = await change(app, { failure: 'an item could not be saved' }, async (tx, now) => {
    const colorIds = await lockColors(tx, save.images)
    for (const image of prepared) await app.images.keep(tx, image)
    const refusal = await writeItem(tx, now, save)
    if (refusal) return refusal
    const newImages = prepared.map(({ id }) => ({
      key: uploadKey(id),
      colors: [],
      isAvailable: true,
    }))
    const removedImages = await writeImages(tx, save, [...save.images, ...newImages], colorIds)
    if (isRefusal(removedImages)) return removedImages
    return {
      audit: { actor, act: saveAct(save), subject: save.id, detail: { ...save.typed } },
      topics: ['catalog'],
      value: removedImages,
    }
  })
  if (result.ok) {
    await deleteImageFiles(app, result.value)
    return { ok: true as const, text: savedText(save) }
  }
  const undeleted = (await deleteImageFiles(app, prepared)) ? [] : prepared
  if (result.refusal === 'added-before') return { ok: true as const, text: itemTexts.added }
  if (result.refusal !== 'failed') return result
  const unusedImages = [...undeleted, ...(await listFreeUploads(app.db, save.images))]
  return refuse('failed', { urls: unusedImages.map(({ path }) => imageUrl(path)) })
}

function saveAct({ stored, state }: Save) {
  if (stored === null) return 'add-item'
  return stored.state === state ? 'update-item' : 'publish-item'
}

function savedText({ stored, state }: Save) {
  if (stored === null) return state === 'draft' ? itemTexts.draftAdded : itemTexts.added
  return stored.state === state ? itemTexts.updated : itemTexts.published
}

async function lockColors(tx: Tx, images: readonly ImageFormValues[]) {
  const existingIds = new Set<string>()
  for (const id of [...new Set(images.flatMap(({ colors }) => colors))].sort()) {
    const color = tx.selectFrom('colors').select('id').where('id', '=', id).forNoKeyUpdate()
    if (await color.executeTakeFirst()) existingIds.add(id)
  }
  return existingIds
}

async function writeItem(tx: Tx, now: number, { id, stored, typed, state }: Save) {
  const values = {
    ...recordOf(itemTextColumns, (column) => typed[column].trim()),
    categoryId: typed.categoryId,
    priceCents: parseMoney(typed.price) ?? 0,
    kind: parseKind(typed.kind) ?? '',
    createdAt: now,
    tieRank: 0,
  }
  if (!stored) {
    await tx
      .insertInto('items')
      .values({ id, ...values, state, firstCreatedAt: now })
      .execute()
    return null
  }
  // To visitors, a draft that is listed now is a new item.
  const published = state === stored.state ? {} : { state, firstCreatedAt: now }
  const { numUpdatedRows } = await tx
    .updateTable('items')
    .set({ ...values, ...published, revision: nextRevision })
    .where('id', '=', id)
    .where('revision', '=', stored.revision)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return null
  const newest = await findEditedItem(tx, id)
  return newest ? refuse('conflict', { stored: newest }) : refuse('gone')
}

async function listFreeUploads(db: Db, images: readonly ImageFormValues[]) {
  const ids = images.flatMap(({ key }) => imageIdOfKey(key) ?? [])
  if (ids.length === 0) return []
  return db
    .selectFrom('images')
    .select(['id', 'path'])
    .where('id', 'in', ids)
    .where('path', 'like', 'items/%')
    .where(isUnused)
    .execute()
}

async function writeImages(
  tx: Tx,
  save: Save,
  images: readonly ImageFormValues[],
  colorIds: ReadonlySet<string>,
) {
  const itemId = save.id
  const imageRows = await listImageRows(tx, itemId)
  await lockImages(
    tx,
    images.map(({ key }) => imageIdOfKey(key)),
  )
  const free = new Set((await listFreeUploads(tx, images)).map(({ id }) => id))
  const lost: string[] = []
  const savedIds = new Set<string>()
  for (const [position, { key, isAvailable, colors }] of images.entries()) {
    const imageId = imageIdOfKey(key)
    const row = imageRows.find((image) => image.id === key || image.imageId === imageId)
    // The form may contain duplicates, and images that another tab has removed.
    if ((!row && imageId === null) || (row && savedIds.has(row.id))) continue
    const id = row?.id ?? newId15()
    if (row) {
      await tx
        .updateTable('itemImages')
        .set({ position, isAvailable })
        .where('id', '=', id)
        .execute()
    } else if (imageId !== null && free.delete(imageId)) {
      await tx
        .insertInto('itemImages')
        .values({ id, itemId, imageId, position, isAvailable })
        .execute()
    } else {
      lost.push(key)
      continue
    }
    savedIds.add(id)
    await tx.deleteFrom('itemImageColors').where('itemImageId', '=', id).execute()
    await insertColors(
      tx,
      id,
      [...new Set(colors)].filter((colorId) => colorIds.has(colorId)),
    )
  }
  if (lost.length > 0) return refuseLostUploads(tx, save, images.length, lost)
  if (savedIds.size === 0 && save.state !== 'draft') return refuse('no-image')
  const removedRows = imageRows.filter((row) => !savedIds.has(row.id))
  for (const { id } of removedRows) await tx.deleteFrom('itemImages').where('id', '=', id).execute()
  return removeImageRows(
    tx,
    removedRows.map(({ imageId }) => imageId),
  )
}

async function insertColors(tx: Tx, itemImageId: string, colorIds: readonly string[]) {
  const rows = colorIds.map((colorId) => ({ itemImageId, colorId }))
  if (rows.length > 0) await tx.insertInto('itemImageColors').values(rows).execute()
}

async function refuseLostUploads(
  tx: Tx,
  { stored, typed }: Save,
  submittedCount: number,
  lost: string[],
) {
  const rows = await tx
    .selectFrom('itemImages')
    .select('itemId')
    .where(
      'imageId',
      'in',
      lost.flatMap((key) => imageIdOfKey(key) ?? []),
    )
    .execute()
  const [itemId, ...otherIds] = new Set(rows.map((row) => row.itemId))
  // If an item already has all images of the new item, the browser has sent the form twice.
  const existingItem =
    !stored && itemId && otherIds.length === 0 && rows.length === submittedCount
      ? await findEditedItem(tx, itemId)
      : null
  const isSame = existingItem && differingFields(typed, toFormValues(existingItem)).length === 0
  return isSame ? refuse('added-before') : refuse('uploads-lost', { lost })
}

/**
 * Orders and sales keep copies of the item's name and price, so an open order can still be sold.
 * [MERCH-37]
 */
export async function deleteItem(app: AppServices, actor: string, id: string) {
  const result = await change(app, { failure: 'an item could not be deleted' }, async (tx) => {
    // The update locks the item: a concurrent save has added its images, or finds no item.
    await tx.updateTable('items').set({ revision: nextRevision }).where('id', '=', id).execute()
    const images = await listImageRows(tx, id)
    const item = await tx
      .deleteFrom('items')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!item) return refuse('not-found')
    return {
      audit: { actor, act: 'delete-item', subject: id, detail: { name: item.name } },
      topics: ['catalog'],
      value: await removeImageRows(
        tx,
        images.map(({ imageId }) => imageId),
      ),
    }
  })
  if (result.ok) await deleteImageFiles(app, result.value)
  return result
}

/** Retires an item or lists it again. Only the item form can list a draft. [S-294] */
export const setForSale = (app: AppServices, actor: string, id: string, isForSale: boolean) =>
  change(app, { failure: 'the state of an item could not be changed' }, async (tx) => {
    const state: 'listed' | 'retired' = isForSale ? 'listed' : 'retired'
    // A hold from before the sale must not return.
    if (isForSale) {
      const soldItems = tx.selectFrom('items').select('id').where('state', '=', 'sold')
      await tx
        .deleteFrom('holds')
        .where('itemId', '=', id)
        .where('itemId', 'in', soldItems)
        .execute()
    }
    const item = await tx
      .updateTable('items')
      .set({ state })
      .where('id', '=', id)
      .where('state', 'in', isForSale ? ['retired', 'sold'] : ['listed'])
      .returning('name')
      .executeTakeFirst()
    if (item) {
      const act = isForSale ? 'sell-item-again' : 'retire-item'
      return {
        audit: { actor, act, subject: id, name: item.name },
        topics: ['catalog'],
        value: state,
      }
    }
    const unchangedItem = tx.selectFrom('items').select('id').where('id', '=', id)
    return (await unchangedItem.executeTakeFirst()) ? { value: state } : refuse('not-found')
  })

export const duplicateItem = (app: AppServices, actor: string, id: string) =>
  change(app, { failure: 'an item could not be duplicated' }, async (tx, now) => {
    const copyId = newId15()
    const item = await tx
      .selectFrom('items')
      .select(itemValueColumns)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!item) return refuse('not-found')
    const images = await listImageRows(tx, id)
    await lockImages(
      tx,
      images.map(({ imageId }) => imageId),
    )
    const name = itemActionTexts.copy(
      item.name.slice(0, MAX_LINE_LENGTH - itemActionTexts.copy('').length),
    )
    await tx
      .insertInto('items')
      .values({ ...item, id: copyId, name, state: 'draft', createdAt: now, firstCreatedAt: now })
      .execute()
    for (const image of images) {
      const imageRow = tx.selectFrom('images').select('id').where('id', '=', image.imageId)
      if (!(await imageRow.executeTakeFirst())) continue
      const itemImageId = newId15()
      await tx
        .insertInto('itemImages')
        .values({ ...image, id: itemImageId, itemId: copyId })
        .execute()
      const colors = await tx
        .selectFrom('itemImageColors')
        .select('colorId')
        .where('itemImageId', '=', image.id)
        .execute()
      await insertColors(
        tx,
        itemImageId,
        colors.map(({ colorId }) => colorId),
      )
    }
    return {
      audit: { actor, act: 'duplicate-item', subject: copyId, name },
      topics: ['catalog'],
      value: copyId,
    }
  })

/** The revision is read first, so that a save detects a change between the two reads. */
export async function findEditedItem(db: Db, id: string) {
  const row = await db
    .selectFrom('items')
    .select('revision')
    .where('id', '=', id)
    .executeTakeFirst()
  const item = row && (await findItem(db, id))
  return item ? { ...item, revision: row.revision } : null
}
