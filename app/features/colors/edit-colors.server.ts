import type { AppServices } from '#services/context.ts'
import type { Db } from '#db/schema.ts'
import { newId15 } from '#lib/text/ids.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { refuse } from '#lib/refusal.ts'
import { changeImages, changeWithImage } from '#images/edit-images.server.ts'
import { isChosenFile } from '#images/image-upload.ts'
import { colorName } from '#catalog/catalog.ts'
import {
  storedColorName,
  validateColorName,
  type ColorFlag,
  type ColorUses,
} from './color-fields.ts'

const FAILURE = 'a color could not be written'
const MAX_NAMED_USES = 5

export async function addColor(
  app: AppServices,
  actor: string,
  typed: string,
  file: FormDataEntryValue | null,
) {
  const error = validateColorName(typed)
  if (error) return refuse('invalid-name', { error })
  const name = storedColorName(typed)
  const id = newId15()
  const upload = { folder: 'colors' as const, file }
  return changeImages(app, { failure: FAILURE, upload }, async (tx, now, image) => {
    await tx
      .insertInto('colors')
      .values({
        id,
        name,
        imageId: image!.id,
        isAvailable: true,
        isLowOnStock: false,
        createdAt: now,
        firstCreatedAt: now,
      })
      .execute()
    return {
      audit: { actor, act: 'add-color', subject: id, detail: { name } },
      topics: ['catalog'],
    }
  })
}

export const setColorFlag = (
  app: AppServices,
  actor: string,
  id: string,
  flag: ColorFlag,
  isSet: boolean,
) =>
  changeWithImage(app, FAILURE, { table: 'colors', id }, async (tx) => {
    const detail = { [flag]: isSet }
    const { name } = await tx
      .updateTable('colors')
      .set(detail)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirstOrThrow()
    return { audit: { actor, act: 'mark-color', subject: id, name, detail } }
  })

/** Items with this color stay and lose the color. [COLOR-12] */
export const deleteColor = (app: AppServices, actor: string, id: string) =>
  changeImages(app, { failure: FAILURE }, async (tx) => {
    const color = await tx
      .deleteFrom('colors')
      .where('id', '=', id)
      .returning(['name', 'imageId'])
      .executeTakeFirst()
    if (!color) return refuse('not-found')
    return {
      audit: { actor, act: 'delete-color', subject: id, detail: { name: color.name } },
      topics: ['catalog'],
      unused: [color.imageId],
    }
  })

/** Maps the ids of used colors to their uses. [S-100] */
export async function readColorUses(app: Pick<AppServices, 'db' | 'live'>) {
  const read = async () => {
    const counts = await app.db
      .selectFrom('itemImageColors')
      .innerJoin('itemImages', 'itemImages.id', 'itemImageColors.itemImageId')
      .select(['colorId', (eb) => eb.fn.count<number>('itemImages.itemId').distinct().as('count')])
      .groupBy('colorId')
      .execute()
    // An object would not do, because an imported color may have an id such as "constructor".
    const uses = new Map<string, ColorUses>()
    for (const { colorId, count } of counts) {
      uses.set(colorId, { count: Number(count), first: await firstUses(app.db, colorId) })
    }
    return uses
  }
  return cached(app, ['catalog'], 'color uses', read)
}

function firstUses(db: Db, colorId: string) {
  const itemIds = db
    .selectFrom('itemImages')
    .innerJoin('itemImageColors', 'itemImageColors.itemImageId', 'itemImages.id')
    .where('itemImageColors.colorId', '=', colorId)
    .select('itemImages.itemId')
  return db
    .selectFrom('items')
    .select(['id', 'name'])
    .where('id', 'in', itemIds)
    .orderBy('searchName')
    .orderBy('id')
    .limit(MAX_NAMED_USES)
    .execute()
}

type TypedColor = { name: string; was: string; file: FormDataEntryValue | null }

export async function changeColor(
  app: AppServices,
  actor: string,
  id: string,
  { name: typed, was, file }: TypedColor,
) {
  const error = validateColorName(typed)
  if (error) return refuse('invalid-name', { error })
  const upload = isChosenFile(file) ? { folder: 'colors' as const, file } : null
  const name = storedColorName(typed)
  return changeWithImage(app, FAILURE, { table: 'colors', id, upload }, async (tx, image) => {
    const before = await tx
      .selectFrom('colors')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // Another browser window may have changed a name that this form did not edit.
    const after = name === was ? before : { name }
    await tx.updateTable('colors').set(after).where('id', '=', id).execute()
    const detail = {
      ...after,
      before: { name: colorName(before) },
      after: { name: colorName(after) },
      ...(image && { path: image.path }),
    }
    return { audit: { actor, act: 'change-color', subject: id, detail } }
  })
}
