import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { parseMoney } from '#app/features/pricing/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { itemTextColumns } from '#app/features/catalog/catalog.ts'
import { findItem } from '#app/features/catalog/catalog.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { itemFolder } from '#app/platform/picture-types.ts'
import type { StoredPicture } from '#app/platform/pictures.server.ts'
import { deletePictureFiles, isUnused, lockPictures, preparePicked, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import { itemPickTexts, refusePicked, pictureIdOfKey, pictureUrl, uploadKey } from '#app/features/images/picture-upload.ts'
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

type Refused = { ok: false; error: string; status: 404 | 409 | 422 | 500; field?: ItemField; conflict?: EditedItem; lost?: string[] }
type ItemSaved = { ok: true; id: string; text: string } | Refused

type ItemToSave = {
  id: string | null
  typed: TypedItem
  images: TypedImage[]
  files: File[]
  /** that the form was loaded with; null: the form names none */
  revision: number | null
  /** what the owner has seen of a newer one and wants to overwrite all the same */
  keep?: number | null
}

/** Ends the transaction that saves an item; nothing of it stays. */
class Answered extends Error {
  readonly saved: ItemSaved
  constructor(saved: ItemSaved) {
    super(saved.ok ? saved.text : saved.error)
    this.saved = saved
  }
}
const refused = (status: Refused['status'], error: string, more: Partial<Refused> = {}): Refused => ({ ok: false, status, error, ...more })
const noImage = refused(422, itemCheckTexts.images, { field: 'images' })
const gone = refused(404, itemTexts.gone)
const conflict = (stored: EditedItem) => refused(409, itemTexts.conflict, { conflict: stored })

/** MERCH-33 to MERCH-36: pictures first, then one transaction. */
export async function saveItem(shop: Shop, actor: string, asked: ItemToSave): Promise<ItemSaved> {
  const { id, typed, files } = asked
  const stored = id === null ? null : await findEditedItem(shop.db, id)
  if (id !== null && !stored) return gone
  // What is saved as a new item cannot take along the pictures of one that is gone.
  const images = stored ? asked.images : asked.images.filter(({ key }) => pictureIdOfKey(key) !== null)
  if (stored && (await isOutdated(shop.db, stored, asked))) return conflict(stored)
  const refusal = refuseItem(typed, images.length + files.length)
  if (refusal) return refused(422, refusal.error, { field: refusal.field })
  const unfit = files.map(refusePicked).find((found) => found !== null)
  if (unfit) return refused(422, itemPickTexts[unfit], { field: 'images' })
  const category = await shop.db.selectFrom('categories').select('id').where('id', '=', typed.categoryId).executeTakeFirst()
  if (!category) return refused(422, itemCheckTexts.categoryId, { field: 'categoryId' })

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
    return done ? refused(422, itemPickTexts[done.refusal], { field: 'images' }) : refused(500, itemTexts.uploadFailed)
  }

  const itemId = id ?? newId15()
  const at = shop.now()
  try {
    const removed = await transact(shop.db, async (tx) => {
      const colorIds = await lockColors(tx, images)
      for (const picture of prepared) await shop.pictures.keep(tx, picture)
      const all = [...images, ...prepared.map((picture) => ({ key: uploadKey(picture.id), colors: [], isAvailable: true }))]
      await writeItem(tx, at, itemId, stored, typed)
      const dropped = await writeImages(tx, itemId, stored === null ? typed : null, all, colorIds)
      await recordAct(tx, { at, actor, act: id === null ? 'add-item' : 'update-item', subject: itemId, detail: { ...typed } })
      return dropped
    })
    shop.live.changed('catalogue')
    await deletePictureFiles(shop, removed)
    return { ok: true, id: itemId, text: id === null ? itemTexts.added : itemTexts.updated }
  } catch (error) {
    await deletePictureFiles(shop, prepared)
    if (error instanceof Answered) return error.saved
    shop.log.error('an item could not be saved', error)
    // MERCH-44: what the failed save leaves behind.
    const urls = [...prepared, ...(await freeUploads(shop.db, images))].map(({ path }) => pictureUrl(path))
    return refused(500, urls.length > 0 ? saveFailed(urls) : itemTexts.failed)
  }
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

async function writeItem(tx: Tx, at: number, id: string, stored: EditedItem | null, typed: TypedItem): Promise<void> {
  const texts = Object.fromEntries(itemTextColumns.map((column) => [column, typed[column].trim()])) as Pick<
    TypedItem,
    (typeof itemTextColumns)[number]
  >
  const values = { ...texts, categoryId: typed.categoryId, priceCents: parseMoney(typed.price) ?? 0, createdAt: at }
  if (!stored) {
    const undiscounted = { discountType: null, discountValue: null }
    await tx
      .insertInto('items')
      .values({ id, ...values, ...undiscounted, firstCreatedAt: at })
      .execute()
    return
  }
  const { numUpdatedRows } = await tx
    .updateTable('items')
    .set({ ...values, revision: raised })
    .where('id', '=', id)
    .where('revision', '=', stored.revision)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const now = await findEditedItem(tx, id)
  throw new Answered(now ? conflict(now) : gone)
}

/** Whoever writes what the form shows raises it, tables too; a discount, which is not in the form, does not (018). */
const raised = sql<number>`"revision" + 1`

async function freeUploads(db: Db | Tx, images: readonly TypedImage[]): Promise<{ id: string; path: string }[]> {
  const ids = images.flatMap(({ key }) => pictureIdOfKey(key) ?? [])
  if (ids.length === 0) return []
  const sent = db.selectFrom('pictures').select(['id', 'path']).where('id', 'in', ids)
  return sent.where('path', 'like', 'items/%').where(isUnused).execute()
}

/** Makes the item's images those of the list, in its order; gives back whose files must go. `added`: what a new item holds. */
async function writeImages(tx: Tx, itemId: string, added: TypedItem | null, images: readonly TypedImage[], colorIds: ReadonlySet<string>) {
  const stored = await tx.selectFrom('itemPictures').select(['id', 'pictureId']).where('itemId', '=', itemId).execute()
  await lockPictures(
    tx,
    images.map(({ key }) => pictureIdOfKey(key)),
  )
  const free = new Set((await freeUploads(tx, images)).map(({ id }) => id))
  const lost: string[] = []
  const kept = new Set<string>()
  for (const [position, { key, ...image }] of images.entries()) {
    const isAvailable = image.isAvailable ? 1 : 0
    const pictureId = pictureIdOfKey(key)
    const known = stored.find((row) => row.id === key || row.pictureId === pictureId)
    // An image that another tab has just removed stays removed, and none hangs twice.
    if ((!known && pictureId === null) || (known && kept.has(known.id))) continue
    const id = known?.id ?? newId15()
    if (known) await tx.updateTable('itemPictures').set({ position, isAvailable }).where('id', '=', id).execute()
    else if (pictureId !== null && free.delete(pictureId))
      await tx.insertInto('itemPictures').values({ id, itemId, pictureId, position, isAvailable }).execute()
    else {
      lost.push(key)
      continue
    }
    kept.add(id)
    await tx.deleteFrom('itemPictureColors').where('itemPictureId', '=', id).execute()
    // A color that was deleted meanwhile is simply left out.
    const worn = [...new Set(image.colors)].filter((colorId) => colorIds.has(colorId))
    const rows = worn.map((colorId) => ({ itemPictureId: id, colorId }))
    if (rows.length > 0) await tx.insertInto('itemPictureColors').values(rows).execute()
  }
  if (lost.length > 0) throw new Answered(await answerLost(tx, added, images.length, lost))
  if (kept.size === 0) throw new Answered(noImage)
  const dropped = stored.filter((row) => !kept.has(row.id))
  for (const { id } of dropped) await tx.deleteFrom('itemPictures').where('id', '=', id).execute()
  return removePictureRows(
    tx,
    dropped.map((row) => row.pictureId),
  )
}

/** `lost`: uploads that are swept or deleted (the form was open for more than a day, 018), or hang at another item. */
async function answerLost(tx: Tx, added: TypedItem | null, sent: number, lost: string[]): Promise<ItemSaved> {
  const ids = lost.flatMap((key) => pictureIdOfKey(key) ?? [])
  const rows = await tx.selectFrom('itemPictures').select('itemId').where('pictureId', 'in', ids).execute()
  const [itemId, ...others] = new Set(rows.map((row) => row.itemId))
  // A new item that comes a second time with all its images, since its answer got lost, is not added twice.
  const there = added && itemId && others.length === 0 && rows.length === sent ? await findEditedItem(tx, itemId) : null
  if (added && there && differingFields(added, typedOf(there)).length === 0) return { ok: true, id: there.id, text: itemTexts.added }
  return refused(409, itemTexts.uploadsLost, { field: 'images', lost })
}

/** Those of the chosen colors that there are; until the transaction ends nobody deletes them. In one order, as with pictures. */
async function lockColors(tx: Tx, images: readonly TypedImage[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  for (const id of [...new Set(images.flatMap(({ colors }) => colors))].sort()) {
    const held = tx.updateTable('colors').set(({ ref }) => ({ name: ref('name') }))
    if (await held.where('id', '=', id).returning('id').executeTakeFirst()) there.add(id)
  }
  return there
}

/** MERCH-37, S-101: names and prices stay wherever they were copied to. Throws when the database fails. */
export async function deleteItem(shop: Shop, actor: string, id: string): Promise<boolean> {
  const gone = await transact(shop.db, async (tx) => {
    // First to the row: who saves it at the same moment has added its pictures before, or finds it gone.
    await tx.updateTable('items').set({ revision: raised }).where('id', '=', id).execute()
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

/** The revision first: what changes between the two readings is told at saving. */
export async function findEditedItem(db: Db | Tx, id: string): Promise<EditedItem | null> {
  const row = await db.selectFrom('items').select('revision').where('id', '=', id).executeTakeFirst()
  const item = row && (await findItem(db, id))
  return item ? { ...item, revision: row.revision } : null
}
