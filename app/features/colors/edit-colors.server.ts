import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import {
  foundOutcome,
  refused,
  writeOutcome,
  type ActionOutcome,
  type WriteResult,
} from '#app/ui/action-result.ts'
import type { Db } from '#db/schema.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import {
  changeWithPicture,
  deletePictureFiles,
  prepareUpload,
  withPreparedImages,
  removePictureRows,
} from '#app/features/images/edit-images.server.ts'
import { validateFile } from '#app/features/images/image-upload.ts'
import { shortFileErrorTexts } from '#app/features/images/texts.ts'
import { colorName } from '#app/features/catalog/catalog.ts'
import type { ColorFlag, ColorUse, ColorUses } from './color-fields.ts'
import { MAX_NAMED_USES, isColorFlag, validateColorName, storedColorName } from './color-fields.ts'

export async function handleColorAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, id, mark] = [
    formText(form, 'intent'),
    formText(form, 'id'),
    formText(form, 'mark'),
  ]
  const typed = { name: formText(form, 'name'), was: formText(form, 'was'), file: form.get('file') }
  if (intent === 'add') return writeOutcome(await addColor(app, actor, typed.name, typed.file))
  if (intent === 'change') return writeOutcome(await changeColor(app, actor, id, typed))
  if (intent === 'mark' && isColorFlag(mark))
    return foundOutcome(await setColorFlag(app, actor, id, mark, form.has('on')))
  if (intent === 'delete' && formText(form, 'confirm') === 'Yes')
    return foundOutcome(await deleteColor(app, actor, id))
  return refused(400)
}

async function addColor(
  app: AppServices,
  actor: string,
  typed: string,
  file: FormDataEntryValue | null,
): Promise<WriteResult> {
  const [name, refusal] = [storedColorName(typed), validateColorName(typed)]
  if (refusal) return { ok: false, field: 'name', error: refusal }
  const prepared = await prepareUpload(app, 'colors', file)
  if (!prepared.ok)
    return { ok: false, field: 'file', error: shortFileErrorTexts[prepared.refusal] }
  const { picture } = prepared
  const [id, at] = [newId15(), app.now()]
  await withPreparedImages(app, [picture], () =>
    inTransaction(app.db, async (tx) => {
      await app.images.keep(tx, picture)
      const marks = {
        isAvailable: 1,
        isLowOnStock: 0,
        discountType: null,
        discountValue: null,
      } as const
      await tx
        .insertInto('colors')
        .values({ id, name, pictureId: picture.id, ...marks, createdAt: at, firstCreatedAt: at })
        .execute()
      await recordAuditEvent(tx, { at, actor, act: 'add-color', subject: id, detail: { name } })
    }),
  )
  app.live.changed('catalog')
  return { ok: true }
}

async function setColorFlag(
  app: AppServices,
  actor: string,
  id: string,
  mark: ColorFlag,
  isSet: boolean,
): Promise<boolean> {
  const at = app.now()
  const isThere = await inTransaction(app.db, async (tx) => {
    const row = await tx
      .updateTable('colors')
      .set({ [mark]: isSet ? 1 : 0, createdAt: at })
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (row)
      await recordAuditEvent(tx, {
        at,
        actor,
        act: 'mark-color',
        subject: id,
        name: row.name,
        detail: { [mark]: isSet },
      })
    return row !== undefined
  })
  if (isThere) app.live.changed('catalog')
  return isThere
}

/** Deletes a color. Items in this color stay in the shop and lose the color. [COLOR-12, S-100] */
export async function deleteColor(app: AppServices, actor: string, id: string): Promise<boolean> {
  const gone = await inTransaction(app.db, async (tx) => {
    const row = await tx
      .deleteFrom('colors')
      .where('id', '=', id)
      .returning(['name', 'pictureId'])
      .executeTakeFirst()
    if (!row) return null
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'delete-color',
      subject: id,
      detail: { name: row.name },
    })
    return removePictureRows(tx, [row.pictureId])
  })
  if (!gone) return false
  app.live.changed('catalog')
  await deletePictureFiles(app, gone)
  return true
}

/** Reads for each color how many items use this color, and the names of the first few of these items. [S-100] */
export async function readColorUses(
  app: Pick<AppServices, 'db' | 'live'>,
): Promise<Map<string, ColorUses>> {
  const read = async () => {
    const counts = await app.db
      .selectFrom('itemPictureColors')
      .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
      .select([
        'colorId',
        (eb) => eb.fn.count<number>('itemPictures.itemId').distinct().as('count'),
      ])
      .groupBy('colorId')
      .execute()
    return Promise.all(
      counts.map(
        async ({ colorId, count }) =>
          [colorId, { count: Number(count), first: await firstUses(app.db, colorId) }] as const,
      ),
    )
  }
  // The result is a Map and not an object, because an imported color may have an id such as "constructor".
  return new Map(await cached(app, ['catalog'], 'color uses', read))
}

function firstUses(db: Db, colorId: string): Promise<ColorUse[]> {
  const wearing = db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .where('itemPictureColors.colorId', '=', colorId)
    .select('itemPictures.itemId')
  return db
    .selectFrom('items')
    .select(['id', 'name'])
    .where('id', 'in', wearing)
    .orderBy('searchName')
    .orderBy('id')
    .limit(MAX_NAMED_USES)
    .execute()
}

type Typed = { name: string; was: string; file: FormDataEntryValue | null }

async function changeColor(
  app: AppServices,
  actor: string,
  id: string,
  { name: typed, was, file }: Typed,
): Promise<WriteResult> {
  const [name, refusal] = [storedColorName(typed), validateColorName(typed)]
  if (refusal) return { ok: false, field: 'name', error: refusal }
  const prepared =
    validateFile(file) === 'no-file' ? null : await prepareUpload(app, 'colors', file)
  if (prepared?.ok === false)
    return { ok: false, field: 'file', error: shortFileErrorTexts[prepared.refusal] }
  const picture = prepared?.picture ?? null
  const isThere = await changeWithPicture(app, 'colors', id, picture, async (tx) => {
    const before = await tx
      .selectFrom('colors')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // If the owner did not edit the name, the update keeps the stored name, which another browser window may have changed.
    const after = name === was ? before : { name }
    await tx.updateTable('colors').set(after).where('id', '=', id).execute()
    const shown = { before: { name: colorName(before) }, after: { name: colorName(after) } }
    const detail = { ...after, ...shown, ...(picture && { path: picture.path }) }
    await recordAuditEvent(tx, { at: app.now(), actor, act: 'change-color', subject: id, detail })
  })
  return isThere ? { ok: true } : { ok: false, field: null }
}
