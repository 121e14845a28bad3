/** The uploads that an item form names, as they are when it is saved. */
import type { Db } from '#db/tables.ts'
import { pictureIdOfKey } from '#app/features/uploads/picture-upload.ts'
import { isUnused } from '#app/features/uploads/used-pictures.server.ts'
import type { TypedImage } from './item-input.ts'

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
