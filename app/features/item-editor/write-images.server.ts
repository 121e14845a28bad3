/** The uploads that an item form names, and writing an item's images inside the transaction that saves it (MERCH-33 to MERCH-36). */
import type { Db, Tx } from '#db/schema.ts'
import { newId15 } from '#app/platform/ids.ts'
import { pictureIdOfKey } from '#app/features/images/picture-upload.ts'
import { isUnused, lockPictures, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import type { TypedImage } from './item-input.ts'

/** Another tab took away all the images that were to stay. */
export class NoImage extends Error {}
/** An upload that was deleted, swept away after a day, or saved with another item meanwhile. */
export class NoUpload extends Error {}

/** Makes the item's images those of the list, in its order; gives back whose files must go. */
export async function writeImages(tx: Tx, itemId: string, images: readonly TypedImage[], colorIds: ReadonlySet<string>) {
  const stored = await tx.selectFrom('itemPictures').select(['id', 'pictureId']).where('itemId', '=', itemId).execute()
  await lockPictures(
    tx,
    images.map(({ key }) => pictureIdOfKey(key)),
  )
  const kept = new Set<string>()
  for (const [position, image] of images.entries()) {
    const isAvailable = image.isAvailable ? 1 : 0
    const pictureId = pictureIdOfKey(image.key)
    const known = stored.find((row) => row.id === image.key || row.pictureId === pictureId)
    // An image that another tab has just removed stays removed, and none hangs twice.
    if ((!known && pictureId === null) || (known && kept.has(known.id))) continue
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
  if (kept.size === 0) throw new NoImage()
  const dropped = stored.filter((row) => !kept.has(row.id))
  for (const { id } of dropped) await tx.deleteFrom('itemPictures').where('id', '=', id).execute()
  return removePictureRows(
    tx,
    dropped.map((row) => row.pictureId),
  )
}

/** Those of the chosen colours that there are; until the transaction ends nobody deletes them. In one order, as with pictures. */
export async function lockColors(tx: Tx, images: readonly TypedImage[]): Promise<ReadonlySet<string>> {
  const chosen = new Set(images.flatMap(({ colors }) => colors))
  const there = new Set<string>()
  for (const { id } of await tx.selectFrom('colors').select('id').orderBy('id').execute()) {
    if (!chosen.has(id)) continue
    const held = tx.updateTable('colors').set(({ ref }) => ({ name: ref('name') }))
    if (await held.where('id', '=', id).returning('id').executeTakeFirst()) there.add(id)
  }
  return there
}

/** Only a picture that was uploaded for items and hangs nowhere yet may become an item's. */
async function hangUpload(tx: Tx, row: { id: string; itemId: string; pictureId: string; position: number; isAvailable: 0 | 1 }) {
  const free = await tx
    .selectFrom('pictures')
    .select('id')
    .where('id', '=', row.pictureId)
    .where('path', 'like', 'items/%')
    .where(isUnused)
    .executeTakeFirst()
  if (!free) throw new NoUpload()
  await tx.insertInto('itemPictures').values(row).execute()
}

/**
 * `lost`: keys of uploads that are swept, deleted, or hang at another item already: a form that was open for more than a day (018), or a
 * draft that two tabs had. `itemId`: the one item at which all that are sent hang, if there is one.
 */
export async function lookAtUploads(
  db: Db,
  images: readonly TypedImage[],
  id: string | null,
): Promise<{ lost: string[]; itemId: string | null }> {
  const keys = images.map(({ key }) => key).filter((key) => pictureIdOfKey(key) !== null)
  if (keys.length === 0) return { lost: [], itemId: null }
  const rows = await db
    .selectFrom('pictures')
    .leftJoin('itemPictures', 'itemPictures.pictureId', 'pictures.id')
    .select(['pictures.id', 'itemPictures.itemId'])
    .where('pictures.id', 'in', keys.map(pictureIdOfKey) as string[])
    .where('path', 'like', 'items/%')
    .execute()
  const hangs = new Map(rows.map((row) => [row.id, row.itemId]))
  const itemOf = (key: string) => hangs.get(pictureIdOfKey(key)!)
  const first = itemOf(keys[0]!) ?? null
  return {
    lost: keys.filter((key) => itemOf(key) === undefined || ![null, id].includes(itemOf(key)!)),
    itemId: keys.every((key) => itemOf(key) === first) ? first : null,
  }
}

/** MERCH-44: uploads of this editor that the failed save leaves behind. */
export async function pathsOfUploads(db: Db, images: readonly TypedImage[]): Promise<string[]> {
  const ids = images.map((image) => pictureIdOfKey(image.key)).filter((id) => id !== null)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('pictures')
    .select('path')
    .where('id', 'in', ids)
    .where('path', 'like', 'items/%')
    .where(isUnused)
    .execute()
  return rows.map((row) => row.path)
}
