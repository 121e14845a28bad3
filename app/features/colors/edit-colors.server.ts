/** Writing the colours (COLOR-07 to COLOR-14). A failure throws; the route logs it and shows nothing (COLOR-18). */
import type { Db, Tx } from '#db/tables.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { preparePicked, deletePictureFiles, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { shortPickTexts } from '#app/features/uploads/picked-picture.ts'
import { refuseColorName, storedColorName, type ColorMark, type ColorUse } from './color-fields.ts'

export type ColorRefused = { ok: false; field: 'name' | 'file'; error: string }
export type ColorAdded = { ok: true; id: string } | ColorRefused
export type ColorChanged = { ok: true } | ColorRefused | { ok: false; field: null }

export async function addColor(shop: Shop, actor: string, typed: string, file: FormDataEntryValue | null): Promise<ColorAdded> {
  const [name, refusal] = [storedColorName(typed), refuseColorName(typed)]
  if (refusal) return { ok: false, field: 'name', error: refusal }
  const prepared = await preparePicked(shop, 'colors', file)
  if (!prepared.ok) return { ok: false, field: 'file', error: shortPickTexts[prepared.refusal] }
  const { picture } = prepared
  const [id, at] = [newId15(), shop.now()]
  await usingPictures(shop, [picture], () =>
    shop.db.transaction().execute(async (tx) => {
      await shop.pictures.keep(tx, picture)
      const marks = { isAvailable: 1, isLowOnStock: 0, discountType: null, discountValue: null } as const
      await tx
        .insertInto('colors')
        .values({ id, name, pictureId: picture.id, ...marks, createdAt: at, firstCreatedAt: at })
        .execute()
      await recordAct(tx, { at, actor, act: 'add-color', subject: id, detail: { name } })
    }),
  )
  shop.live.changed('catalogue')
  return { ok: true, id }
}

/** false: there is no such colour (any more). */
export async function markColor(shop: Shop, actor: string, id: string, mark: ColorMark, isSet: boolean): Promise<boolean> {
  const at = shop.now()
  const isThere = await shop.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('colors')
      .set({ [mark]: isSet ? 1 : 0, createdAt: at })
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (row) await recordAct(tx, { at, actor, act: 'mark-color', subject: id, name: row.name, detail: { [mark]: isSet } })
    return row !== undefined
  })
  if (isThere) shop.live.changed('catalogue')
  return isThere
}

/** COLOR-12, S-100: items that have it simply no longer do. */
export async function deleteColor(shop: Shop, actor: string, id: string): Promise<boolean> {
  const gone = await shop.db.transaction().execute(async (tx) => {
    const row = await tx.deleteFrom('colors').where('id', '=', id).returning(['name', 'pictureId']).executeTakeFirst()
    if (!row) return null
    await recordAct(tx, { at: shop.now(), actor, act: 'delete-color', subject: id, detail: { name: row.name } })
    return removePictureRows(tx, [row.pictureId])
  })
  if (!gone) return false
  shop.live.changed('catalogue')
  await deletePictureFiles(shop, gone)
  return true
}

/** The pieces that a colour is used in, by the colour's id (S-100). */
export async function listColorUses(db: Db | Tx): Promise<Map<string, ColorUse[]>> {
  const rows = await db
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .innerJoin('items', 'items.id', 'itemPictures.itemId')
    .select(['itemPictureColors.colorId', 'items.id', 'items.name'])
    .distinct()
    .orderBy('items.name')
    .orderBy('items.id')
    .execute()
  // No plain object: ids that moved in with another shop may be called anything, "constructor" too.
  const uses = new Map<string, ColorUse[]>()
  for (const { colorId, ...use } of rows) {
    const of = uses.get(colorId) ?? []
    of.push(use)
    uses.set(colorId, of)
  }
  return uses
}
