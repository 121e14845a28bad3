/** Writing the colours (COLOR-07 to COLOR-14). A failure throws; the route logs it and shows nothing (COLOR-18). */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/tables.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { keep } from '#app/platform/kept.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { preparePicked, deletePictureFiles, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { shortPickTexts } from '#app/features/uploads/picked-picture.ts'
import { refuseColorName, storedColorName, type ColorMark, NAMED, type ColorUse, type ColorUses } from './color-fields.ts'

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
    transact(shop.db, async (tx) => {
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
  const isThere = await transact(shop.db, async (tx) => {
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
  const gone = await transact(shop.db, async (tx) => {
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

/** Of rare colours all pieces are sorted; of others the names are followed until there are enough. */
const RARE = 100

/** S-100, 040: from memory, until something of the catalogue changes. */
export const listColorUsesKept = async (shop: Pick<Shop, 'db' | 'live'>): Promise<Map<string, ColorUses>> =>
  new Map(await keep(shop, ['catalogue'], 'color uses', async () => [...(await listColorUses(shop.db))]))

/** The pieces that a colour is used in, by the colour's id: how many, and the first by name (S-100). */
export async function listColorUses(db: Db | Tx): Promise<Map<string, ColorUses>> {
  const counts = await db
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .select(['itemPictureColors.colorId', (eb) => eb.fn.count<number>('itemPictures.itemId').distinct().as('count')])
    .groupBy('itemPictureColors.colorId')
    .execute()
  // No plain object: ids that moved in with another shop may be called anything, "constructor" too.
  const uses = new Map<string, ColorUses>()
  for (const { colorId, count } of counts) uses.set(colorId, { count: Number(count), first: await firstUses(db, colorId, Number(count)) })
  return uses
}

function firstUses(db: Db | Tx, colorId: string, count: number): Promise<ColorUse[]> {
  const named = db.selectFrom('itemWords').innerJoin('items', 'items.id', 'itemWords.itemId').select(['items.id', 'items.name'])
  const wearing = db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .where('itemPictureColors.colorId', '=', colorId)
    .select('itemPictures.itemId')
  return named
    .where((eb) =>
      count <= RARE
        ? eb('itemWords.itemId', 'in', wearing)
        : eb.exists(wearing.where('itemPictures.itemId', '=', sql.ref<string>('itemWords.itemId'))),
    )
    .orderBy('itemWords.name')
    .orderBy('itemWords.itemId')
    .limit(NAMED)
    .execute()
}
