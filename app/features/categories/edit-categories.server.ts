/** Writing the categories (CATEGORY-07, CATEGORY-08). A failure throws; the route logs it and shows nothing (CATEGORY-12). */
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { deletePictureFiles, preparePicked, removePictureRows, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import { shortPickTexts } from '#app/features/uploads/picked-picture.ts'

export type CategorySaved = { ok: true } | { ok: false; field: 'title' | 'color' | 'file'; error: string } | { ok: false; field: null }

const LONGEST_TITLE = 100

export async function saveCategory(shop: Shop, actor: string, id: string, typed: { title: string; color: string }): Promise<CategorySaved> {
  const [title, color, at] = [typed.title.trim(), typed.color.trim().toLowerCase(), shop.now()]
  if (title === '' || title.length > LONGEST_TITLE) return { ok: false, field: 'title', error: 'Please enter a title' }
  if (!/^#[0-9a-f]{6}$/.test(color)) return { ok: false, field: 'color', error: 'Please choose a color' }
  const isThere = await shop.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('categories')
      .set({ title, color, createdAt: at })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (row) await recordAct(tx, { at, actor, act: 'save-category', subject: id, detail: { title, color } })
    return row !== undefined
  })
  if (!isThere) return { ok: false, field: null }
  shop.live.changed('catalogue')
  return { ok: true }
}

export async function changeCategoryPicture(
  shop: Shop,
  actor: string,
  id: string,
  file: FormDataEntryValue | null,
): Promise<CategorySaved> {
  const prepared = await preparePicked(shop, 'category', file)
  if (!prepared.ok) return { ok: false, field: 'file', error: shortPickTexts[prepared.refusal] }
  const { picture } = prepared
  const at = shop.now()
  const replaced = await usingPictures(shop, [picture], () =>
    shop.db.transaction().execute(async (tx) => {
      // Writing the row first locks it, so that of two changes at once each replaces the other's picture, not the same one.
      const row = await tx.updateTable('categories').set({ createdAt: at }).where('id', '=', id).returning('pictureId').executeTakeFirst()
      if (!row) return null
      await shop.pictures.keep(tx, picture)
      await tx.updateTable('categories').set({ pictureId: picture.id }).where('id', '=', id).execute()
      await recordAct(tx, { at, actor, act: 'change-category-picture', subject: id, detail: { path: picture.path } })
      return removePictureRows(tx, [row.pictureId])
    }),
  )
  if (!replaced) {
    await deletePictureFiles(shop, [picture])
    return { ok: false, field: null }
  }
  shop.live.changed('catalogue')
  await deletePictureFiles(shop, replaced)
  return { ok: true }
}
