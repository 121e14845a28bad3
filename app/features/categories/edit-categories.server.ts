/** Writing the categories (CATEGORY-07, CATEGORY-08). A failure throws; the route logs it and shows nothing (CATEGORY-12). */
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { deletePictureFiles, preparePicked, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { shortPickTexts } from '#app/features/uploads/picked-picture.ts'
import { NO_COLOR, readThemeColor, refuseTitle } from './category-fields.ts'

export type CategorySaved =
  | { ok: true; toasts: string[] }
  | { ok: false; field: 'title' | 'color' | 'file'; error: string }
  | { ok: false; field: null }

/** A field as it was typed, and as it stood there before; `was` null: unknown. */
export type Typed = { value: string; was: string | null }

export const replacedText = (title: string) => `Saved over “${title}”, which another window had just saved`

/** CATEGORY-07: a field that was not changed stays as it is stored, whoever changed it meanwhile. */
export async function saveCategory(shop: Shop, actor: string, id: string, typed: { title: Typed; color: Typed }): Promise<CategorySaved> {
  const [title, color, at] = [typed.title.value.trim(), readThemeColor(typed.color.value), shop.now()]
  const refusal = refuseTitle(title)
  if (refusal) return { ok: false, field: 'title', error: refusal }
  if (!color) return { ok: false, field: 'color', error: NO_COLOR }
  const before = await transact(shop.db, async (tx) => {
    // Writing the row first locks it: what is read then is what is written over.
    const row = await tx
      .updateTable('categories')
      .set({ createdAt: at })
      .where('id', '=', id)
      .returning(['title', 'color'])
      .executeTakeFirst()
    if (!row) return null
    const written = { ...(title !== typed.title.was && { title }), ...(color !== typed.color.was && { color }) }
    if (Object.keys(written).length > 0) await tx.updateTable('categories').set(written).where('id', '=', id).execute()
    await recordAct(tx, {
      at,
      actor,
      act: 'save-category',
      subject: id,
      detail: { ...row, ...written, before: row, after: { ...row, ...written } },
    })
    return row
  })
  if (!before) return { ok: false, field: null }
  shop.live.changed('catalogue')
  const { was } = typed.title
  const isOver = was !== null && title !== was && before.title !== was && before.title !== title
  return { ok: true, toasts: isOver ? [replacedText(before.title)] : [] }
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
    transact(shop.db, async (tx) => {
      // Writing the row first locks it, so that of two changes at once each replaces the other's picture, not the same one.
      const row = await tx
        .updateTable('categories')
        .set({ createdAt: at })
        .where('id', '=', id)
        .returning(['title', 'pictureId'])
        .executeTakeFirst()
      if (!row) return null
      await shop.pictures.keep(tx, picture)
      await tx.updateTable('categories').set({ pictureId: picture.id }).where('id', '=', id).execute()
      const changed = { at, actor, act: 'change-category-picture', subject: id, name: row.title } as const
      await recordAct(tx, { ...changed, detail: { path: picture.path } })
      return removePictureRows(tx, [row.pictureId])
    }),
  )
  if (!replaced) {
    await deletePictureFiles(shop, [picture])
    return { ok: false, field: null }
  }
  shop.live.changed('catalogue')
  await deletePictureFiles(shop, replaced)
  return { ok: true, toasts: [] }
}
