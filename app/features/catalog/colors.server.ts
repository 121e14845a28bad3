/** Reading the colours. */
import type { Db, Tx } from '#db/tables.ts'
import { readDiscount } from '#app/features/money/money.ts'
import { HOME_COLORS, type Color } from './catalog.ts'
import { pictureColumns, readJoinedPicture } from './picture-rows.server.ts'

export const colorColumns = [
  'colors.id',
  'colors.name',
  'colors.isAvailable',
  'colors.isLowOnStock',
  'colors.discountType',
  'colors.discountValue',
  ...pictureColumns,
] as const

const selectColors = (db: Db | Tx) => db.selectFrom('colors').leftJoin('pictures', 'pictures.id', 'colors.pictureId').select(colorColumns)

type Row = Awaited<ReturnType<ReturnType<typeof selectColors>['execute']>>[number]

export const readColor = (row: Row): Color => ({
  id: row.id,
  name: row.name,
  picture: readJoinedPicture(row),
  isAvailable: row.isAvailable === 1,
  isLowOnStock: row.isLowOnStock === 1,
  discount: readDiscount(row),
})

/** All colours by name, for lists to choose from and the owner's grid. */
export async function listColors(db: Db | Tx): Promise<Color[]> {
  return (await selectColors(db).orderBy('colors.name').orderBy('colors.id').execute()).map(readColor)
}

/** DATA-105, DATA-106, HOME-13: the available ones first, at most 12; `isAll` lifts the limit (S-025). */
export async function listHomeColors(db: Db | Tx, { isAll = false } = {}): Promise<Color[]> {
  const query = selectColors(db).orderBy('colors.isAvailable', 'desc').orderBy('colors.firstCreatedAt').orderBy('colors.id')
  return (await (isAll ? query : query.limit(HOME_COLORS)).execute()).map(readColor)
}
