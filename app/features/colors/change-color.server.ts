/** Correcting a colour's name and its picture (decision 019). A failure throws; the route logs it and shows nothing (COLOR-18). */
import { colorName } from '#app/features/catalog/catalog.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { StoredPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { deletePictureFiles, preparePicked, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { refusePicked, shortPickTexts } from '#app/features/uploads/picked-picture.ts'
import { refuseColorName, storedColorName } from './color-fields.ts'
import type { ColorChanged } from './edit-colors.server.ts'

/** `was` is the stored name that the form began with; `file` may be left out, then the picture stays. */
type Typed = { name: string; was: string; file: FormDataEntryValue | null }

export async function changeColor(shop: Shop, actor: string, id: string, typed: Typed): Promise<ColorChanged> {
  const refusal = refuseColorName(typed.name)
  if (refusal) return { ok: false, field: 'name', error: refusal }
  const pictures: StoredPicture[] = []
  if (refusePicked(typed.file) !== 'no-file') {
    const prepared = await preparePicked(shop, 'colors', typed.file)
    if (!prepared.ok) return { ok: false, field: 'file', error: shortPickTexts[prepared.refusal] }
    pictures.push(prepared.picture)
  }
  const replaced = await usingPictures(shop, pictures, () => write(shop, actor, id, typed, pictures[0]))
  if (!replaced) {
    await deletePictureFiles(shop, pictures)
    return { ok: false, field: null }
  }
  shop.live.changed('catalogue')
  await deletePictureFiles(shop, replaced)
  return { ok: true }
}

/** Gives back whose files must go after the commit; null: there is no such colour (any more). */
function write(shop: Shop, actor: string, id: string, typed: Typed, picture: StoredPicture | undefined) {
  const [name, at] = [storedColorName(typed.name), shop.now()]
  return transact(shop.db, async (tx) => {
    // Writing the row first locks it: of two new pictures at once each replaces the other, not the same one.
    const row = await tx
      .updateTable('colors')
      .set({ createdAt: at })
      .where('id', '=', id)
      .returning(['name', 'pictureId'])
      .executeTakeFirst()
    if (!row) return null
    const before = { name: row.name }
    // A name that this form has not touched stays as another window has left it.
    const after = name === typed.was ? before : { name }
    await tx.updateTable('colors').set(after).where('id', '=', id).execute()
    await recordAct(tx, {
      at,
      actor,
      act: 'change-color',
      subject: id,
      detail: { ...after, before: shownName(before), after: shownName(after), ...(picture && { path: picture.path }) },
    })
    if (!picture) return []
    await shop.pictures.keep(tx, picture)
    await tx.updateTable('colors').set({ pictureId: picture.id }).where('id', '=', id).execute()
    return removePictureRows(tx, [row.pictureId])
  })
}

/** COLOR-04: so the history shows it. */
const shownName = (color: { name: string }) => ({ name: colorName(color) })
