/** Reading the categories, the colors and the pictures of the catalog. */
import type { Db, PictureTable, Tx } from '#db/schema.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { pictureUrl } from '#app/features/images/picture-upload.ts'
import { type Category, type Color, HOME_COLORS } from './catalog.ts'

type Shown = Pick<PictureTable, 'path' | 'width' | 'height' | 'widths' | 'placeholder'>
type Joined = {
  path: string | null
  pictureWidth: number | null
  pictureHeight: number | null
  widths: string | null
  placeholder: string | null
}

/** The columns of a joined picture; an item has a width of its own, so the picture's goes by another name. */
export const pictureColumns = [
  'pictures.path',
  'pictures.width as pictureWidth',
  'pictures.height as pictureHeight',
  'pictures.widths',
  'pictures.placeholder',
] as const

export const readPictureView = (row: Shown): PictureView => ({
  url: pictureUrl(row.path),
  width: row.width,
  height: row.height,
  widths: JSON.parse(row.widths) as number[],
  placeholder: row.placeholder,
})

/** A row selected with `pictureColumns`; null when nothing was joined. */
export function readJoinedPicture(row: Joined): PictureView | null {
  if (row.path === null) return null
  return readPictureView({
    path: row.path,
    width: row.pictureWidth ?? 0,
    height: row.pictureHeight ?? 0,
    widths: row.widths ?? '[]',
    placeholder: row.placeholder ?? '',
  })
}

/** All categories in the owner's order (DATA-110). */
export async function listCategories(db: Db | Tx): Promise<Category[]> {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
    .select(['categories.id', 'categories.title', 'categories.color', ...pictureColumns])
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map((row) => ({ id: row.id, title: row.title, color: row.color, picture: readJoinedPicture(row) }))
}

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
