import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { foundResult, refused, savedResult, type ActionResult, type Saved } from '#app/ui/answer.ts'
import type { Db } from '#db/schema.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { keep } from '#app/platform/kept.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import {
  changeWithPicture,
  deletePictureFiles,
  preparePicked,
  usingPictures,
  removePictureRows,
} from '#app/features/images/edit-pictures.server.ts'
import { refusePicked, shortPickTexts } from '#app/features/images/picture-upload.ts'
import { colorName } from '#app/features/catalog/catalog.ts'
import { type ColorMark, type ColorUse, type ColorUses, NAMED, isColorMark, refuseColorName, storedColorName } from './color-fields.ts'

export async function handleColorAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult> {
  const [intent, id, mark] = [textOf(form, 'intent'), textOf(form, 'id'), textOf(form, 'mark')]
  const typed = { name: textOf(form, 'name'), was: textOf(form, 'was'), file: form.get('file') }
  if (intent === 'add') return savedResult(await addColor(shop, actor, typed.name, typed.file))
  if (intent === 'change') return savedResult(await changeColor(shop, actor, id, typed))
  if (intent === 'mark' && isColorMark(mark)) return foundResult(await markColor(shop, actor, id, mark, form.has('on')))
  if (intent === 'delete' && textOf(form, 'confirm') === 'Yes') return foundResult(await deleteColor(shop, actor, id))
  return refused(400)
}

async function addColor(shop: Shop, actor: string, typed: string, file: FormDataEntryValue | null): Promise<Saved> {
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
  return { ok: true }
}

async function markColor(shop: Shop, actor: string, id: string, mark: ColorMark, isSet: boolean): Promise<boolean> {
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

/** S-100: the pieces that a color is used in, by the color's id: how many, and the first by name. From memory (040). */
export async function readColorUses(shop: Pick<Shop, 'db' | 'live'>): Promise<Map<string, ColorUses>> {
  const read = async () => {
    const counts = await shop.db
      .selectFrom('itemPictureColors')
      .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
      .select(['colorId', (eb) => eb.fn.count<number>('itemPictures.itemId').distinct().as('count')])
      .groupBy('colorId')
      .execute()
    return Promise.all(
      counts.map(async ({ colorId, count }) => [colorId, { count: Number(count), first: await firstUses(shop.db, colorId) }] as const),
    )
  }
  // No plain object: ids that moved in with another shop may be called anything, "constructor" too.
  return new Map(await keep(shop, ['catalogue'], 'color uses', read))
}

function firstUses(db: Db, colorId: string): Promise<ColorUse[]> {
  const wearing = db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .where('itemPictureColors.colorId', '=', colorId)
    .select('itemPictures.itemId')
  return db.selectFrom('items').select(['id', 'name']).where('id', 'in', wearing).orderBy('searchName').orderBy('id').limit(NAMED).execute()
}

type Typed = { name: string; was: string; file: FormDataEntryValue | null }

async function changeColor(shop: Shop, actor: string, id: string, { name: typed, was, file }: Typed): Promise<Saved> {
  const [name, refusal] = [storedColorName(typed), refuseColorName(typed)]
  if (refusal) return { ok: false, field: 'name', error: refusal }
  const prepared = refusePicked(file) === 'no-file' ? null : await preparePicked(shop, 'colors', file)
  if (prepared?.ok === false) return { ok: false, field: 'file', error: shortPickTexts[prepared.refusal] }
  const picture = prepared?.picture ?? null
  const isThere = await changeWithPicture(shop, 'colors', id, picture, async (tx) => {
    const before = await tx.selectFrom('colors').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    // A name that this form has not touched stays as another window has left it.
    const after = name === was ? before : { name }
    await tx.updateTable('colors').set(after).where('id', '=', id).execute()
    const shown = { before: { name: colorName(before) }, after: { name: colorName(after) } }
    const detail = { ...after, ...shown, ...(picture && { path: picture.path }) }
    await recordAct(tx, { at: shop.now(), actor, act: 'change-color', subject: id, detail })
  })
  return isThere ? { ok: true } : { ok: false, field: null }
}
