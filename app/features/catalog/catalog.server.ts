import { LRUCache } from 'lru-cache'
import type { Db, PictureTable, Tx, ItemTable } from '#db/schema.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { pictureUrl } from '#app/features/images/picture-upload.ts'
import { type Category, type Color, HOME_COLORS, cardView, type Item, type ItemCard } from './catalog.ts'
import type { Shop } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'

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

/** Most pictures have the same widths. They share one array, which the data of a page then holds once. */
const knownWidths = new LRUCache<string, number[]>({ max: 100 })

function widthsOf(stored: string): number[] {
  const widths = knownWidths.get(stored) ?? (JSON.parse(stored) as number[])
  knownWidths.set(stored, widths)
  return widths
}

export const readPictureView = (row: Shown): PictureView => ({
  url: pictureUrl(row.path),
  width: row.width,
  height: row.height,
  widths: widthsOf(row.widths),
  placeholder: row.placeholder,
})

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

const colorColumns = [
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

export async function listColors(db: Db | Tx): Promise<Color[]> {
  return (await selectColors(db).orderBy('colors.name').orderBy('colors.id').execute()).map(readColor)
}

/** DATA-105, DATA-106, HOME-13: the available ones first, at most 12; `isAll` lifts the limit (S-025). */
export async function listHomeColors(db: Db | Tx, { isAll = false } = {}): Promise<Color[]> {
  const query = selectColors(db).orderBy('colors.isAvailable', 'desc').orderBy('colors.firstCreatedAt').orderBy('colors.id')
  return (await (isAll ? query : query.limit(HOME_COLORS)).execute()).map(readColor)
}

/** S-056: lists of ids go to the database in parts of this size. */
const PART = 500

export const inParts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / PART) }, (_, at) => list.slice(at * PART, (at + 1) * PART))

export const cardColumns = [
  'items.id',
  'items.name',
  'items.categoryId',
  'items.priceCents',
  'items.discountType',
  'items.discountValue',
] as const
type CardRow = Pick<ItemTable, 'id' | 'name' | 'categoryId' | 'priceCents' | 'discountType' | 'discountValue'>

/** FAV-05: the newest favourite first; an item that is gone is simply not among them (S-057). */
export async function listFavouriteItems(db: Db | Tx, userId: string): Promise<ItemCard[]> {
  const query = db.selectFrom('favourites').innerJoin('items', 'items.id', 'favourites.itemId').where('favourites.userId', '=', userId)
  return readCards(db, await query.select(cardColumns).orderBy('favourites.createdAt', 'desc').orderBy('items.id').execute())
}

/** S-060: the items most ordered and sold, at most `limit`; empty while nothing was. */
async function listMostOrdered(db: Db | Tx, limit = 8): Promise<ItemCard[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom((all) => all.selectFrom('orderItems').select('itemId').unionAll(all.selectFrom('sales').select('itemId')).as('each'))
        .select(['itemId', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('itemId')
        .as('wanted'),
    )
    .innerJoin('items', 'items.id', 'wanted.itemId')
    .select(cardColumns)
    .orderBy('wanted.count', 'desc')
    .orderBy('items.id')
    .limit(limit)
    .execute()
  return readCards(db, rows)
}

/** S-060: the samples that stand in the strip until somebody has ordered: one item of each category. */
export async function listSamples(db: Db | Tx, limit = 8): Promise<ItemCard[]> {
  // From each category to the first of its index.
  const first = db.selectFrom('categories').select((category) =>
    category
      .selectFrom('items as other')
      .whereRef('other.categoryId', '=', 'categories.id')
      .select((c) => c.fn.min('other.id').as('id'))
      .as('id'),
  )
  const rows = await db.selectFrom('items').select(cardColumns).where('items.id', 'in', first).orderBy('items.id').limit(limit).execute()
  return readCards(db, rows)
}

/** 040: the strip from memory; what is ordered and sold changes it as the catalogue does. */
export const readMostOrdered = (shop: Pick<Shop, 'db' | 'live'>) =>
  keep(shop, ['catalogue', 'orders', 'sales'], 'most ordered', async () => {
    const ordered = await listMostOrdered(shop.db)
    const areSamples = ordered.length === 0
    return { mostOrdered: (areSamples ? await listSamples(shop.db) : ordered).map((item) => cardView(item)), areSamples }
  })

const noItem = new Error('no such item')

/** 040: from memory; ids that nobody has given are not looked at again, nor kept. */
export async function findItemKept(shop: Pick<Shop, 'db' | 'live'>, id: string): Promise<Item | null> {
  const read = async () => {
    const item = await findItem(shop.db, id)
    if (!item) throw noItem
    return item
  }
  return keep(shop, ['catalogue'], `item ${id}`, read).catch((error: unknown) => {
    if (error !== noItem) throw error
    return null
  })
}

/** DATA-114: null when there is no such item (S-058). */
export async function findItem(db: Db | Tx, id: string): Promise<Item | null> {
  const row = await db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', id)
    .select([...cardColumns, 'items.description', 'items.width', 'items.soleType', 'items.size', 'categories.title as categoryTitle'])
    .executeTakeFirst()
  if (!row) return null
  const pictures = await db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .where('itemPictures.itemId', '=', id)
    .select(['itemPictures.id as itemPictureId', 'itemPictures.isAvailable', 'path', 'width', 'height', 'widths', 'placeholder'])
    .orderBy('itemPictures.position')
    .orderBy('itemPictures.id')
    .execute()
  const colors = await readColorsOf(db, [id])
  const { discountType, discountValue, ...shown } = row
  return {
    ...shown,
    discount: readDiscount({ discountType, discountValue }),
    colors: distinct(colors),
    pictures: pictures.map((picture) => ({
      id: picture.itemPictureId,
      picture: readPictureView(picture),
      isAvailable: picture.isAvailable === 1,
      colorIds: colors.filter((color) => color.itemPictureId === picture.itemPictureId).map((color) => color.color.id),
    })),
  }
}

/** Adds the first picture and the colours: two queries for each part of the list, however long it is. */
export async function readCards(db: Db | Tx, rows: CardRow[]): Promise<ItemCard[]> {
  const cards: ItemCard[] = []
  for (const part of inParts(rows)) {
    const ids = part.map((row) => row.id)
    const pictures = new Map((await readFirstPictures(db, ids)).map((row) => [row.itemId, readJoinedPicture(row)]))
    const colors = Map.groupBy(await readColorsOf(db, ids), (color) => color.itemId)
    for (const { id, name, categoryId, priceCents, ...off } of part)
      cards.push({
        id,
        name,
        categoryId,
        priceCents,
        discount: readDiscount(off),
        picture: pictures.get(id) ?? null,
        colors: distinct(colors.get(id) ?? []),
      })
  }
  return cards
}

const readFirstPictures = (db: Db | Tx, itemIds: string[]) =>
  db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .where('itemPictures.itemId', 'in', itemIds)
    .where('itemPictures.position', '=', (c) =>
      c
        .selectFrom('itemPictures as other')
        .whereRef('other.itemId', '=', 'itemPictures.itemId')
        .select((o) => o.fn.min('other.position').as('first')),
    )
    .select(['itemPictures.itemId', ...pictureColumns])
    .execute()

async function readColorsOf(db: Db | Tx, itemIds: string[]) {
  const rows = await db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .where('itemPictures.itemId', 'in', itemIds)
    .select(['itemPictures.itemId', 'itemPictures.id as itemPictureId', ...colorColumns])
    .orderBy('itemPictures.position')
    .orderBy('colors.name')
    .execute()
  // One object for each colour, however many items wear it: the page's data then carries it once.
  const colors = new Map(rows.map((row) => [row.id, readColor(row)]))
  return rows.flatMap(({ itemId, itemPictureId, id }) => {
    const color = colors.get(id)
    return color ? [{ itemId, itemPictureId, color }] : []
  })
}

const distinct = (rows: { color: Color }[]): Color[] => [...new Map(rows.map(({ color }) => [color.id, color])).values()]
