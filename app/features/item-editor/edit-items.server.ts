import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { parseMoney } from '#app/features/pricing/money.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { itemTextColumns, type ItemState } from '#app/features/catalog/catalog.ts'
import { findItem } from '#app/features/catalog/find-item.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { itemFolder } from '#app/services/image-paths.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'
import {
  deletePictureFiles,
  isUnused,
  lockPictures,
  prepareUpload,
  removePictureRows,
} from '#app/features/images/edit-images.server.ts'
import {
  validateFile,
  pictureIdOfKey,
  pictureUrl,
  uploadKey,
} from '#app/features/images/image-upload.ts'
import { itemFileErrorTexts } from '#app/features/images/texts.ts'
import {
  areSameImages,
  parseKind,
  stateAfterSave,
  differingFields,
  toImageFormValues,
  validateItem,
  toFormValues,
  type EditedItem,
  type ItemField,
  type ImageFormValues,
  type ItemFormValues,
} from './item-form.ts'
import { itemErrorTexts, itemTexts } from './texts.ts'

type SaveRefusal = {
  ok: false
  error: string
  status: 404 | 409 | 422 | 500
  field?: ItemField
  conflict?: EditedItem
  lost?: string[]
}
type SaveResult = { ok: true; id: string; text: string } | SaveRefusal

type ItemToSave = {
  id: string | null
  typed: ItemFormValues
  images: ImageFormValues[]
  files: File[]
  /** The revision with which the form was loaded; null if this revision is unknown. */
  revision: number | null
  /** The state that the pressed button requests. Only the forms of new items and drafts have such buttons. */
  state?: string | null
  /** The newer revision that the owner has agreed to overwrite; missing if she has agreed to no revision. */
  keep?: number | null
}

/** This error rolls back the transaction of a save. */
class SaveAborted extends Error {
  readonly saved: SaveResult
  constructor(saved: SaveResult) {
    super(saved.ok ? saved.text : saved.error)
    this.saved = saved
  }
}
const refused = (
  status: SaveRefusal['status'],
  error: string,
  more: Partial<SaveRefusal> = {},
): SaveRefusal => ({
  ok: false,
  status,
  error,
  ...more,
})
const noImage = refused(422, itemErrorTexts.images, { field: 'images' })
const gone = refused(404, itemTexts.gone)
const conflict = (stored: EditedItem) => refused(409, itemTexts.conflict, { conflict: stored })

/** Prepares the uploaded images first, and then saves the item and its images in one transaction. [MERCH-33 to MERCH-36] */
export async function saveItem(
  app: AppServices,
  actor: string,
  item: ItemToSave,
): Promise<SaveResult> {
  const { id, typed, files } = item
  const stored = id === null ? null : await findEditedItem(app.db, id)
  if (id !== null && !stored) return gone
  // A new item must not take over images of a deleted item.
  const images = stored
    ? item.images
    : item.images.filter(({ key }) => pictureIdOfKey(key) !== null)
  if (stored && (await isOutdated(app.db, stored, item))) return conflict(stored)
  const state = stateAfterSave(stored?.state ?? null, item.state ?? null)
  const refusal = validateItem(typed, images.length + files.length, state)
  if (refusal) return refused(422, refusal.error, { field: refusal.field })
  const unfit = files.map(validateFile).find((found) => found !== null)
  if (unfit) return refused(422, itemFileErrorTexts[unfit], { field: 'images' })
  const category = await app.db
    .selectFrom('categories')
    .select('id')
    .where('id', '=', typed.categoryId)
    .executeTakeFirst()
  if (!category) return refused(422, itemErrorTexts.categoryId, { field: 'categoryId' })

  const prepared: StoredImage[] = []
  for (const file of files) {
    const done = await prepareUpload(app, itemFolder(category.id), file).catch((error: unknown) => {
      app.log.error('an item image could not be stored', error)
      return null
    })
    if (done?.ok) {
      prepared.push(done.picture)
      continue
    }
    await deletePictureFiles(app, prepared)
    return done
      ? refused(422, itemFileErrorTexts[done.refusal], { field: 'images' })
      : refused(500, itemTexts.uploadFailed)
  }

  const itemId = id ?? newId15()
  const at = app.now()
  try {
    const removed = await inTransaction(app.db, async (tx) => {
      const colorIds = await lockColors(tx, images)
      for (const picture of prepared) await app.images.keep(tx, picture)
      const all = [
        ...images,
        ...prepared.map((picture) => ({
          key: uploadKey(picture.id),
          colors: [],
          isAvailable: true,
        })),
      ]
      await writeItem(tx, at, itemId, stored, typed, state)
      const dropped = await writeImages(
        tx,
        itemId,
        stored === null ? typed : null,
        all,
        colorIds,
        state,
      )
      const act =
        stored === null ? 'add-item' : stored.state === state ? 'update-item' : 'publish-item'
      await recordAuditEvent(tx, { at, actor, act, subject: itemId, detail: { ...typed } })
      return dropped
    })
    app.live.changed('catalog')
    await deletePictureFiles(app, removed)
    return { ok: true, id: itemId, text: savedText(stored, state) }
  } catch (error) {
    const undeleted = (await deletePictureFiles(app, prepared)) === 'deleted' ? [] : prepared
    if (error instanceof SaveAborted) return error.saved
    app.log.error('an item could not be saved', error)
    // The error message names the image files that the failed save leaves, because no item uses these files. [MERCH-44]
    const urls = [...undeleted, ...(await freeUploads(app.db, images))].map(({ path }) =>
      pictureUrl(path),
    )
    return refused(500, urls.length > 0 ? itemTexts.filesLeft(urls) : itemTexts.failed)
  }
}

function savedText(stored: EditedItem | null, state: ItemState): string {
  if (stored === null) return state === 'draft' ? itemTexts.draftAdded : itemTexts.added
  return stored.state === state ? itemTexts.updated : itemTexts.published
}

/** Returns true if the item was changed after the form was loaded, and the form would overwrite this change without the owner's consent. */
async function isOutdated(
  db: Db,
  stored: EditedItem,
  { typed, images, files, revision, keep }: ItemToSave,
): Promise<boolean> {
  if (revision === null || [revision, keep].includes(stored.revision)) return false
  // If the browser sends the same form again, its uploads already belong to the item.
  const rows = await db
    .selectFrom('itemPictures')
    .select(['id', 'pictureId'])
    .where('itemId', '=', stored.id)
    .execute()
  const own = new Map(rows.map((row) => [row.pictureId, row.id]))
  const sent = images.map((image) => ({
    ...image,
    key: own.get(pictureIdOfKey(image.key) ?? '') ?? image.key,
  }))
  return (
    files.length > 0 ||
    differingFields(typed, toFormValues(stored)).length > 0 ||
    !areSameImages(sent, toImageFormValues(stored))
  )
}

async function writeItem(
  tx: Tx,
  at: number,
  id: string,
  stored: EditedItem | null,
  typed: ItemFormValues,
  state: ItemState,
): Promise<void> {
  const texts = Object.fromEntries(
    itemTextColumns.map((column) => [column, typed[column].trim()]),
  ) as Pick<ItemFormValues, (typeof itemTextColumns)[number]>
  const values = {
    ...texts,
    categoryId: typed.categoryId,
    priceCents: parseMoney(typed.price) ?? 0,
    kind: parseKind(typed.kind) ?? '',
    createdAt: at,
    tieRank: 0,
  }
  if (!stored) {
    const undiscounted = { discountType: null, discountValue: null }
    await tx
      .insertInto('items')
      .values({ id, ...values, ...undiscounted, state, firstCreatedAt: at })
      .execute()
    return
  }
  // A draft counts as a new item from the time when the owner publishes it.
  const published = state === stored.state ? {} : { state, firstCreatedAt: at }
  const { numUpdatedRows } = await tx
    .updateTable('items')
    .set({ ...values, ...published, revision: nextRevision })
    .where('id', '=', id)
    .where('revision', '=', stored.revision)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const now = await findEditedItem(tx, id)
  throw new SaveAborted(now ? conflict(now) : gone)
}

/** Each change of a value that the item form contains increases the revision. Discounts are not part of this form. */
const nextRevision = sql<number>`"revision" + 1`

async function freeUploads(
  db: Db | Tx,
  images: readonly ImageFormValues[],
): Promise<{ id: string; path: string }[]> {
  const ids = images.flatMap(({ key }) => pictureIdOfKey(key) ?? [])
  if (ids.length === 0) return []
  const sent = db.selectFrom('pictures').select(['id', 'path']).where('id', 'in', ids)
  return sent.where('path', 'like', 'items/%').where(isUnused).execute()
}

/** Saves the images of an item. Returns the image files that must be deleted. `added` contains the values of an item that is being added. */
async function writeImages(
  tx: Tx,
  itemId: string,
  added: ItemFormValues | null,
  images: readonly ImageFormValues[],
  colorIds: ReadonlySet<string>,
  state: ItemState,
) {
  const stored = await tx
    .selectFrom('itemPictures')
    .select(['id', 'pictureId'])
    .where('itemId', '=', itemId)
    .execute()
  await lockPictures(
    tx,
    images.map(({ key }) => pictureIdOfKey(key)),
  )
  const free = new Set((await freeUploads(tx, images)).map(({ id }) => id))
  const lost: string[] = []
  const savedIds = new Set<string>()
  for (const [position, { key, ...image }] of images.entries()) {
    const isAvailable = image.isAvailable ? 1 : 0
    const pictureId = pictureIdOfKey(key)
    const known = stored.find((row) => row.id === key || row.pictureId === pictureId)
    // Skips duplicates and images that were removed in another browser tab.
    if ((!known && pictureId === null) || (known && savedIds.has(known.id))) continue
    const id = known?.id ?? newId15()
    if (known)
      await tx
        .updateTable('itemPictures')
        .set({ position, isAvailable })
        .where('id', '=', id)
        .execute()
    else if (pictureId !== null && free.delete(pictureId))
      await tx
        .insertInto('itemPictures')
        .values({ id, itemId, pictureId, position, isAvailable })
        .execute()
    else {
      lost.push(key)
      continue
    }
    savedIds.add(id)
    await tx.deleteFrom('itemPictureColors').where('itemPictureId', '=', id).execute()
    // Skips colors that the owner has deleted since the form was loaded.
    const worn = [...new Set(image.colors)].filter((colorId) => colorIds.has(colorId))
    const rows = worn.map((colorId) => ({ itemPictureId: id, colorId }))
    if (rows.length > 0) await tx.insertInto('itemPictureColors').values(rows).execute()
  }
  if (lost.length > 0)
    throw new SaveAborted(await lostUploadsResult(tx, added, images.length, lost))
  if (savedIds.size === 0 && state !== 'draft') throw new SaveAborted(noImage)
  const dropped = stored.filter((row) => !savedIds.has(row.id))
  for (const { id } of dropped) await tx.deleteFrom('itemPictures').where('id', '=', id).execute()
  return removePictureRows(
    tx,
    dropped.map((row) => row.pictureId),
  )
}

/** Returns the answer for a form with lost uploads. `lost` contains the keys of uploads that have expired after a day or that belong to another item. */
async function lostUploadsResult(
  tx: Tx,
  added: ItemFormValues | null,
  sent: number,
  lost: string[],
): Promise<SaveResult> {
  const ids = lost.flatMap((key) => pictureIdOfKey(key) ?? [])
  const rows = await tx
    .selectFrom('itemPictures')
    .select('itemId')
    .where('pictureId', 'in', ids)
    .execute()
  const [itemId, ...others] = new Set(rows.map((row) => row.itemId))
  // If all images of a new item already belong to one item, the browser has sent the form twice. The earlier copy of the form has added this item.
  const existingItem =
    added && itemId && others.length === 0 && rows.length === sent
      ? await findEditedItem(tx, itemId)
      : null
  if (added && existingItem && differingFields(added, toFormValues(existingItem)).length === 0)
    return { ok: true, id: existingItem.id, text: itemTexts.added }
  return refused(409, itemTexts.uploadsLost, { field: 'images', lost })
}

/** Locks the selected colors in a fixed order to avoid deadlocks. */
async function lockColors(
  tx: Tx,
  images: readonly ImageFormValues[],
): Promise<ReadonlySet<string>> {
  const existingIds = new Set<string>()
  for (const id of [...new Set(images.flatMap(({ colors }) => colors))].sort()) {
    const held = tx.updateTable('colors').set(({ ref }) => ({ name: ref('name') }))
    if (await held.where('id', '=', id).returning('id').executeTakeFirst()) existingIds.add(id)
  }
  return existingIds
}

/** Deletes an item. Orders and sales keep their copies of the item's name and price. Throws if the database fails. [MERCH-37, S-101] */
export async function deleteItem(app: AppServices, actor: string, id: string): Promise<boolean> {
  const gone = await inTransaction(app.db, async (tx) => {
    // Locks the row of the item. So a concurrent save has either added its images before this deletion or finds no item.
    await tx.updateTable('items').set({ revision: nextRevision }).where('id', '=', id).execute()
    const pictures = await tx
      .selectFrom('itemPictures')
      .select('pictureId')
      .where('itemId', '=', id)
      .execute()
    const row = await tx
      .deleteFrom('items')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!row) return null
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'delete-item',
      subject: id,
      detail: { name: row.name },
    })
    return removePictureRows(
      tx,
      pictures.map((picture) => picture.pictureId),
    )
  })
  if (!gone) return false
  app.live.changed('catalog')
  await deletePictureFiles(app, gone)
  return true
}

/** Reads the revision of an item before its other values, so that a later save detects a change between these two reads. */
export async function findEditedItem(db: Db | Tx, id: string): Promise<EditedItem | null> {
  const row = await db
    .selectFrom('items')
    .select('revision')
    .where('id', '=', id)
    .executeTakeFirst()
  const item = row && (await findItem(db, id))
  return item ? { ...item, revision: row.revision } : null
}
