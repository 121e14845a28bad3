/** Writing the items: pictures first, then one transaction (MERCH-33 to MERCH-37). */
import type { Tx } from '#db/tables.ts'
import { parseMoney } from '#app/features/money/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { StoredPicture } from '#app/platform/pictures.server.ts'
import { deletePictureFiles, preparePicked, removePictureRows, sweepUploads } from '#app/features/uploads/edit-pictures.server.ts'
import { itemCheckTexts, itemTexts, refuseItem, saveFailed, type ItemField, type TypedImage, type TypedItem } from './item-input.ts'
import { itemPickTexts, refusePicked } from '#app/features/uploads/picked-picture.ts'
import { pictureIdOfKey, pictureUrl } from '#app/features/uploads/picture-upload.ts'

export type ItemSaved =
  | { ok: true; id: string; text: string }
  | { ok: false; field: ItemField | null; error: string; status: 404 | 422 | 500 }

export type ItemToSave = {
  /** null: a new one */
  id: string | null
  typed: TypedItem
  images: TypedImage[]
  /** files that came with the form itself */
  files: File[]
}

/** An item that another tab deleted meanwhile. */
class Gone extends Error {}

export async function saveItem(shop: Shop, actor: string, { id, typed, images, files }: ItemToSave): Promise<ItemSaved> {
  const refused = refuseItem(typed, images.length + files.length)
  if (refused) return { ok: false, ...refused, status: 422 }
  for (const file of files) {
    const refusal = refusePicked(file)
    if (refusal) return { ok: false, field: 'images', error: itemPickTexts[refusal], status: 422 }
  }
  const category = await shop.db.selectFrom('categories').select('id').where('id', '=', typed.categoryId).executeTakeFirst()
  if (!category) return { ok: false, field: 'categoryId', error: itemCheckTexts.categoryId, status: 422 }

  const prepared: StoredPicture[] = []
  for (const file of files) {
    const done = await preparePicked(shop, `items/${category.id}`, file).catch((error: unknown) => {
      shop.log.error('an item picture could not be stored', error)
      return null
    })
    if (done?.ok) {
      prepared.push(done.picture)
      continue
    }
    await deletePictureFiles(shop, prepared)
    if (done) return { ok: false, field: 'images', error: itemPickTexts[done.refusal], status: 422 }
    return { ok: false, field: null, error: itemTexts.uploadFailed, status: 500 }
  }

  const itemId = id ?? newId15()
  try {
    const removed = await shop.db.transaction().execute(async (tx) => {
      for (const picture of prepared) await shop.pictures.keep(tx, picture)
      const all = [...images, ...prepared.map((picture) => ({ key: `upload-${picture.id}`, colors: [], isAvailable: true }))]
      await writeItem(tx, shop.now(), itemId, id === null, typed)
      const gone = await writeImages(tx, itemId, all)
      await recordAct(tx, { at: shop.now(), actor, act: id === null ? 'add-item' : 'update-item', subject: itemId, detail: { ...typed } })
      return gone
    })
    shop.live.changed('catalogue')
    await deletePictureFiles(shop, removed)
    await sweepUploads(shop).catch((error: unknown) => shop.log.error('forgotten uploads could not be swept', error))
    return { ok: true, id: itemId, text: id === null ? itemTexts.added : itemTexts.updated }
  } catch (error) {
    if (!(error instanceof Gone)) shop.log.error('an item could not be saved', error)
    await deletePictureFiles(shop, prepared)
    const urls = [...prepared.map((picture) => picture.path), ...(await pathsOfUploads(shop, images))].map(pictureUrl)
    return {
      ok: false,
      field: null,
      error: urls.length > 0 ? saveFailed(urls) : itemTexts.failed,
      status: error instanceof Gone ? 404 : 500,
    }
  }
}

async function writeItem(tx: Tx, at: number, id: string, isNew: boolean, typed: TypedItem): Promise<void> {
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
  if (isNew) {
    await tx
      .insertInto('items')
      .values({ id, ...values, discountType: null, discountValue: null, firstCreatedAt: at })
      .execute()
    return
  }
  const row = await tx.updateTable('items').set(values).where('id', '=', id).returning('id').executeTakeFirst()
  if (!row) throw new Gone()
}

/** Makes the item's images those of the list, in its order; gives back whose files must go. */
async function writeImages(tx: Tx, itemId: string, images: readonly TypedImage[]) {
  const stored = await tx.selectFrom('itemPictures').select(['id', 'pictureId']).where('itemId', '=', itemId).execute()
  const colorIds = new Set((await tx.selectFrom('colors').select('id').execute()).map((row) => row.id))
  const kept = new Set<string>()
  for (const [position, image] of images.entries()) {
    const isAvailable = image.isAvailable ? 1 : 0
    const pictureId = pictureIdOfKey(image.key)
    const known = stored.find((row) => row.id === image.key)
    // An image that another tab has just removed stays removed.
    if (!known && pictureId === null) continue
    const id = known?.id ?? newId15()
    if (known) await tx.updateTable('itemPictures').set({ position, isAvailable }).where('id', '=', id).execute()
    else if (pictureId !== null) await hangUpload(tx, { id, itemId, pictureId, position, isAvailable })
    kept.add(id)
    await tx.deleteFrom('itemPictureColors').where('itemPictureId', '=', id).execute()
    // A colour that was deleted meanwhile is simply left out.
    const colors = [...new Set(image.colors)].filter((colorId) => colorIds.has(colorId))
    if (colors.length > 0)
      await tx
        .insertInto('itemPictureColors')
        .values(colors.map((colorId) => ({ itemPictureId: id, colorId })))
        .execute()
  }
  if (kept.size === 0) throw new Error('no image is left')
  const dropped = stored.filter((row) => !kept.has(row.id))
  return removePictureRows(
    tx,
    dropped.map((row) => row.pictureId),
  )
}

/** Only a picture that was uploaded for items and hangs nowhere yet may become an item's. */
async function hangUpload(tx: Tx, row: { id: string; itemId: string; pictureId: string; position: number; isAvailable: 0 | 1 }) {
  const free = await tx
    .selectFrom('pictures')
    .select('id')
    .where('id', '=', row.pictureId)
    .where('path', 'like', 'items/%')
    .where('id', 'not in', tx.selectFrom('itemPictures').select('pictureId'))
    .executeTakeFirst()
  if (!free) throw new Error('there is no such upload')
  await tx.insertInto('itemPictures').values(row).execute()
}

/** MERCH-44: uploads of this editor that the failed save leaves behind. */
async function pathsOfUploads(shop: Shop, images: readonly TypedImage[]): Promise<string[]> {
  const ids = images.map((image) => pictureIdOfKey(image.key)).filter((id) => id !== null)
  if (ids.length === 0) return []
  const rows = await shop.db.selectFrom('pictures').select('path').where('id', 'in', ids).where('path', 'like', 'items/%').execute()
  return rows.map((row) => row.path)
}

/** MERCH-37, S-101: names and prices stay wherever they were copied to. Throws when the database fails. */
export async function deleteItem(shop: Shop, actor: string, id: string): Promise<boolean> {
  const gone = await shop.db.transaction().execute(async (tx) => {
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
