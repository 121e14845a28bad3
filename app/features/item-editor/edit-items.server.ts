/** Writing the items: pictures first, then one transaction (MERCH-33 to MERCH-37). */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { parseMoney } from '#app/features/pricing/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { findItem } from '#app/features/catalog/catalog.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { itemFolder } from '#app/platform/picture-types.ts'
import type { StoredPicture } from '#app/platform/pictures.server.ts'
import { deletePictureFiles, preparePicked, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import {
  areSameImages,
  differingFields,
  imagesOf,
  itemCheckTexts,
  itemTexts,
  refuseItem,
  saveFailed,
  typedOf,
  type EditedItem,
  type ItemField,
  type TypedImage,
  type TypedItem,
} from './item-input.ts'
import { lockColors, lookAtUploads, NoImage, NoUpload, pathsOfUploads, writeImages } from './write-images.server.ts'
import { itemPickTexts, refusePicked, pictureIdOfKey, pictureUrl } from '#app/features/images/picture-upload.ts'

export type ItemSaved =
  | { ok: true; id: string; text: string }
  | { ok: false; field: ItemField | null; error: string; status: 404 | 409 | 422 | 500; conflict?: EditedItem; lost?: string[] }

export type ItemToSave = {
  /** null: a new one */
  id: string | null
  typed: TypedItem
  images: TypedImage[]
  /** files that came with the form itself */
  files: File[]
  /** that the form was loaded with; null: the form names none */
  revision: number | null
  /** what the owner has seen of a newer one and wants to overwrite all the same */
  keep?: number | null
}

/** Another tab deleted the item meanwhile, or changed it. */
class Gone extends Error {}
class Changed extends Error {}
const refused = (field: ItemField | null, error: string, status: 404 | 409 | 422 | 500) => ({ ok: false, field, error, status }) as const
const conflict = (stored: EditedItem) => ({ ...refused(null, itemTexts.conflict, 409), conflict: stored })

export async function saveItem(shop: Shop, actor: string, asked: ItemToSave): Promise<ItemSaved> {
  const { id, typed, files } = asked
  const stored = id === null ? null : await findEditedItem(shop.db, id)
  if (id !== null && !stored) return refused(null, itemTexts.gone, 404)
  // What is saved as a new item cannot take along the pictures of one that is gone.
  const images = stored ? asked.images : asked.images.filter(({ key }) => pictureIdOfKey(key) !== null)
  if (stored && (await isOutdated(shop.db, stored, asked))) return conflict(stored)
  const refusal = refuseItem(typed, images.length + files.length)
  if (refusal) return refused(refusal.field, refusal.error, 422)
  for (const file of files) {
    const refusal = refusePicked(file)
    if (refusal) return refused('images', itemPickTexts[refusal], 422)
  }
  const category = await shop.db.selectFrom('categories').select('id').where('id', '=', typed.categoryId).executeTakeFirst()
  if (!category) return refused('categoryId', itemCheckTexts.categoryId, 422)

  const lost = await answerLost(shop.db, asked, images)
  if (lost) return lost

  const prepared: StoredPicture[] = []
  for (const file of files) {
    const done = await preparePicked(shop, itemFolder(category.id), file).catch((error: unknown) => {
      shop.log.error('an item picture could not be stored', error)
      return null
    })
    if (done?.ok) {
      prepared.push(done.picture)
      continue
    }
    await deletePictureFiles(shop, prepared)
    if (done) return refused('images', itemPickTexts[done.refusal], 422)
    return refused(null, itemTexts.uploadFailed, 500)
  }

  const itemId = id ?? newId15()
  try {
    const removed = await transact(shop.db, async (tx) => {
      const known = await lockColors(tx, images)
      for (const picture of prepared) await shop.pictures.keep(tx, picture)
      const all = [...images, ...prepared.map((picture) => ({ key: `upload-${picture.id}`, colors: [], isAvailable: true }))]
      await writeItem(tx, shop.now(), itemId, stored, typed)
      const gone = await writeImages(tx, itemId, all, known)
      await recordAct(tx, { at: shop.now(), actor, act: id === null ? 'add-item' : 'update-item', subject: itemId, detail: { ...typed } })
      return gone
    })
    shop.live.changed('catalogue')
    await deletePictureFiles(shop, removed)
    return { ok: true, id: itemId, text: id === null ? itemTexts.added : itemTexts.updated }
  } catch (error) {
    await deletePictureFiles(shop, prepared)
    if (error instanceof Gone) return refused(null, itemTexts.gone, 404)
    if (error instanceof NoUpload) return (await answerLost(shop.db, asked, images)) ?? refused('images', itemTexts.uploadsLost, 409)
    if (error instanceof NoImage) return refused('images', itemCheckTexts.images, 422)
    const now = error instanceof Changed ? await findEditedItem(shop.db, itemId) : null
    if (now) return conflict(now)
    shop.log.error('an item could not be saved', error)
    const urls = [...prepared.map((picture) => picture.path), ...(await pathsOfUploads(shop.db, images))].map(pictureUrl)
    return refused(null, urls.length > 0 ? saveFailed(urls) : itemTexts.failed, 500)
  }
}

/** null: every upload is there, and free. */
async function answerLost(db: Db, { id, typed }: ItemToSave, images: readonly TypedImage[]): Promise<ItemSaved | null> {
  const uploads = await lookAtUploads(db, images, id)
  if (uploads.lost.length === 0) return null
  const added = id === null && uploads.itemId !== null ? await findEditedItem(db, uploads.itemId) : null
  // A new item that comes a second time, since its answer got lost, is not added twice.
  if (added && differingFields(typed, typedOf(added)).length === 0) return { ok: true, id: added.id, text: itemTexts.added }
  return { ...refused('images', itemTexts.uploadsLost, 409), lost: uploads.lost }
}

/** 018: something else is stored than what the form was loaded with, and it is neither the same as the form nor to be overwritten knowingly. */
async function isOutdated(db: Db, stored: EditedItem, { typed, images, files, revision, keep }: ItemToSave): Promise<boolean> {
  if (revision === null || [revision, keep].includes(stored.revision)) return false
  // A form that comes a second time, since its answer got lost, finds its own uploads.
  const rows = await db.selectFrom('itemPictures').select(['id', 'pictureId']).where('itemId', '=', stored.id).execute()
  const own = new Map(rows.map((row) => [row.pictureId, row.id]))
  const sent = images.map((image) => ({ ...image, key: own.get(pictureIdOfKey(image.key) ?? '') ?? image.key }))
  return files.length > 0 || differingFields(typed, typedOf(stored)).length > 0 || !areSameImages(sent, imagesOf(stored))
}

/** Only over the state that was looked at. */
async function writeItem(tx: Tx, at: number, id: string, stored: EditedItem | null, typed: TypedItem): Promise<void> {
  const values = {
    name: typed.name.trim(),
    categoryId: typed.categoryId,
    priceCents: parseMoney(typed.price) ?? 0,
    description: typed.description.trim(),
    width: typed.width.trim(),
    soleType: typed.soleType.trim(),
    size: typed.size.trim(),
    createdAt: at,
  }
  if (!stored) {
    await tx
      .insertInto('items')
      .values({ id, ...values, discountType: null, discountValue: null, firstCreatedAt: at })
      .execute()
    return
  }
  const raised = { ...values, revision: sql<number>`"revision" + 1` }
  const row = await tx
    .updateTable('items')
    .set(raised)
    .where('id', '=', id)
    .where('revision', '=', stored.revision)
    .returning('id')
    .executeTakeFirst()
  if (row) return
  throw (await tx.selectFrom('items').select('id').where('id', '=', id).executeTakeFirst()) ? new Changed() : new Gone()
}

/** MERCH-37, S-101: names and prices stay wherever they were copied to. Throws when the database fails. */
export async function deleteItem(shop: Shop, actor: string, id: string): Promise<boolean> {
  const gone = await transact(shop.db, async (tx) => {
    // First to the row: who saves it at the same moment has added its pictures before, or finds it gone.
    await raiseRevisions(tx, [id])
    const pictures = await tx.selectFrom('itemPictures').select('pictureId').where('itemId', '=', id).execute()
    const row = await tx.deleteFrom('items').where('id', '=', id).returning('name').executeTakeFirst()
    if (!row) return null
    await recordAct(tx, { at: shop.now(), actor, act: 'delete-item', subject: id, detail: { name: row.name } })
    return removePictureRows(
      tx,
      pictures.map((picture) => picture.pictureId),
    )
  })
  if (!gone) return false
  shop.live.changed('catalogue')
  await deletePictureFiles(shop, gone)
  return true
}

const PART = 500

/**
 * For whoever else writes what the item form shows (name, category, price, texts, images), such as a table that is read in: in the same
 * transaction. A discount is not in the form and does not call it.
 */
export async function raiseRevisions(tx: Tx, itemIds: readonly string[]): Promise<void> {
  for (let start = 0; start < itemIds.length; start += PART)
    await tx
      .updateTable('items')
      .set({ revision: sql<number>`"revision" + 1` })
      .where('id', 'in', itemIds.slice(start, start + PART))
      .execute()
}

/** The revision first: what changes between the two readings is told at saving. */
export async function findEditedItem(db: Db | Tx, id: string): Promise<EditedItem | null> {
  const row = await db.selectFrom('items').select('revision').where('id', '=', id).executeTakeFirst()
  const item = row && (await findItem(db, id))
  return item ? { ...item, revision: row.revision } : null
}
