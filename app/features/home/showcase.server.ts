import type { Db, Tx } from '#db/schema.ts'
import {
  cardColumns,
  listCategories,
  listHomeColors,
  pictureColumns,
  readCards,
  toJoinedImageView,
} from '#app/features/catalog/catalog.server.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { SceneView } from '#app/features/images/scene-form.tsx'
import { readScenes, sectionScenes, wallpaperScenes } from '#app/features/images/scenes.server.ts'
import { toHomeView } from './home-texts.ts'
import { readHomeTexts } from './home-texts.server.ts'
import {
  evenDeg,
  mixCategories,
  type CircleView,
  type NewPiece,
  type ShowcaseView,
} from './showcase.ts'
import {
  isAvailable,
  isCategoryShown,
  isListed,
  lastAddedFirst,
  lastChangedFirst,
} from '#app/features/catalog/shown-items.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'

const showcaseColumns = [
  'showcase.id',
  'showcase.title',
  'showcase.categoryId',
  'showcase.deg',
  'categories.title as categoryTitle',
  ...pictureColumns,
] as const

/** Lists the circles that visitors see. Hidden and empty categories have no circle. [S-020, OWN-07, OWN-51] */
export async function listShowcase(db: Db | Tx): Promise<ShowcaseView[]> {
  const all = await listCircles(db)
  const shown = all.filter(({ isShown }) => isShown)
  return shown.length === all.length
    ? shown
    : shown.map((circle, at) => ({ ...circle, deg: evenDeg(at, shown.length) }))
}

/** Lists the circles that the owner edits. Until she changes the ring, the ring consists of the categories that have a picture. */
export async function listCircles(db: Db | Tx): Promise<CircleView[]> {
  const rows = await db
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    // A record without an image shows the image of its category.
    .leftJoin('pictures', (join) =>
      join.on('pictures.id', '=', (c) =>
        c.fn.coalesce('showcase.pictureId', 'categories.pictureId'),
      ),
    )
    .select(showcaseColumns)
    .select(isCategoryShown.as('isShown'))
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  if (rows.length === 0) return listDefaultCircles(db)
  return rows.map(({ id, title, categoryId, deg, categoryTitle, isShown, ...joined }) => ({
    id,
    title,
    categoryId,
    deg,
    categoryTitle,
    picture: toJoinedImageView(joined),
    isShown: Boolean(isShown),
  }))
}

async function listDefaultCircles(db: Db | Tx) {
  const categories = (await listCategories(db)).filter(({ picture }) => picture)
  return categories.map(({ id, title, picture, isShown }, at) => ({
    id: `showcase-${id}`,
    title: '',
    categoryId: id,
    deg: evenDeg(at, categories.length),
    categoryTitle: title,
    picture,
    isShown,
  }))
}

/** Returns two images, which show items of different categories. Prefers the last image of an item, because it usually shows the item in a room. [S-022] */
export async function listPromoPictures(db: Db | Tx): Promise<PictureView[]> {
  const newest = await db
    .selectFrom('items')
    .select('id')
    .where(isListed)
    .orderBy(lastChangedFirst)
    .limit(100)
    .execute()
  if (newest.length === 0) return []
  const rows = await db
    .selectFrom('itemPictures')
    .innerJoin('items', 'items.id', 'itemPictures.itemId')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .select(['items.categoryId', ...pictureColumns])
    .where(
      'itemPictures.itemId',
      'in',
      newest.map(({ id }) => id),
    )
    .orderBy('itemPictures.position', 'desc')
    .orderBy(lastChangedFirst)
    .limit(40)
    .execute()
  const byCategory = new Map(
    rows.toReversed().map((row) => [row.categoryId, toJoinedImageView(row)]),
  )
  return [...byCategory.values()]
    .toReversed()
    .filter((picture) => picture !== null)
    .slice(0, 2)
}

/** Lists a few items that the owner added recently, if possible of different categories. A later change of an item does not move the item in this list. [S-130, OWN-57] */
async function listNewPieces(db: Db | Tx): Promise<NewPiece[]> {
  const available = db.selectFrom('items').select(cardColumns).where(isListed).where(isAvailable)
  const newest = await available.orderBy(lastAddedFirst).limit(40).execute()
  const pieces = await readCards(db, mixCategories(newest, 4))
  return pieces.map(({ id, name, priceCents, discount, picture }) => ({
    id,
    name,
    priceCents,
    discount,
    picture,
  }))
}

async function findWallpapers(db: Db | Tx): Promise<Record<'dark' | 'light', PictureView | null>> {
  const [dark, light] = await readScenes(db, [wallpaperScenes.dark, wallpaperScenes.light])
  return { dark: dark?.picture ?? null, light: light?.picture ?? null }
}

/** Returns the pictures of the two promotional sections. If the owner has chosen no picture for a section, the section shows a picture of an item, or else a picture of the About page. [S-022] */
export async function listSectionScenes(db: Db | Tx): Promise<SceneView[]> {
  const [pictures, [first, second, ...scenes]] = await Promise.all([
    listPromoPictures(db),
    readScenes(db, [...sectionScenes, 'slide-1', 'slide-4']),
  ])
  const defaults = [...pictures, ...scenes.map(({ picture }) => picture)].filter(
    (picture) => picture !== null,
  )
  return [first!, second!].map((view, at) => ({
    ...view,
    picture: view.picture ?? defaults[at] ?? null,
  }))
}

/** Reads the data of the home page. If `isAll` is true, the data contain every color, and otherwise only the first colors. [HOME-13, DATA-104, S-025] */
export const readHome = (app: Pick<AppServices, 'db' | 'live'>, isAll: boolean) =>
  cached(app, ['catalog', 'settings'], `home ${isAll}`, async () => {
    const { db } = app
    const [showcase, colors, newPieces, sections, wallpapers, texts] = await Promise.all([
      listShowcase(db),
      listHomeColors(db, { isAll }),
      listNewPieces(db),
      listSectionScenes(db),
      findWallpapers(db),
      readHomeTexts(db),
    ])
    const promoPictures = sections.map(({ picture }) => picture)
    return { showcase, colors, newPieces, promoPictures, wallpapers, texts: toHomeView(texts) }
  })
