import {
  cardColumns,
  imageColumns,
  listCategories,
  listHomeColors,
  readCards,
  toJoinedImageView,
} from '#catalog/catalog.server.ts'
import {
  isAvailable,
  isCategoryShown,
  isListed,
  lastAddedFirst,
  lastChangedFirst,
} from '#catalog/shown-items.server.ts'
import { readScenes, sectionScenes, wallpaperScenes } from '#images/scenes.server.ts'
import { aboutPageTexts, readSlideImages, toAbout } from '#about/about.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { readPageTexts } from '#settings/page-texts.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Db } from '#db/schema.ts'
import { homePageTexts, toHomeView } from './home-declarations.server.ts'
import { evenDeg, mixCategories } from './showcase.ts'

export async function listShowcase(db: Db) {
  const all = await listCircles(db)
  const circles = all.filter(({ isShown }) => isShown)
  if (circles.length === all.length) return circles
  return circles.map((circle, index) => ({ ...circle, deg: evenDeg(index, circles.length) }))
}

export type CircleView = Awaited<ReturnType<typeof listCircles>>[number]

export async function listCircles(db: Db) {
  const rows = await db
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    .leftJoin('images', (join) =>
      join.on('images.id', '=', ({ fn }) => fn.coalesce('showcase.imageId', 'categories.imageId')),
    )
    .select(['showcase.id', 'showcase.title', 'categoryId', 'deg', ...imageColumns])
    .select(['categories.title as categoryTitle', isCategoryShown.as('isShown')])
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  if (rows.length === 0) return listDefaultCircles(db)
  return rows.map(({ id, title, categoryId, deg, categoryTitle, isShown, ...image }) => ({
    id,
    title,
    categoryId,
    deg,
    categoryTitle,
    image: toJoinedImageView(image),
    isShown: Boolean(isShown),
  }))
}

async function listDefaultCircles(db: Db) {
  const categories = (await listCategories(db)).filter(({ image }) => image)
  return categories.map(({ id, title, image, isShown }, index) => ({
    id: `showcase-${id}`,
    title: '',
    categoryId: id,
    deg: evenDeg(index, categories.length),
    categoryTitle: title,
    image,
    isShown,
  }))
}

/** Chooses last images of items, which usually show a room, from two categories. [S-022] */
export async function listPromoImages(db: Db) {
  const newest = await db
    .selectFrom('items')
    .select('id')
    .where(isListed)
    .orderBy(lastChangedFirst)
    .limit(100)
    .execute()
  if (newest.length === 0) return []
  const ids = newest.map(({ id }) => id)
  const rows = await db
    .selectFrom('itemImages')
    .innerJoin('items', 'items.id', 'itemImages.itemId')
    .innerJoin('images', 'images.id', 'itemImages.imageId')
    .select(['items.categoryId', ...imageColumns])
    .where('itemImages.itemId', 'in', ids)
    .orderBy('itemImages.position', 'desc')
    .orderBy(lastChangedFirst)
    .limit(40)
    .execute()
  const imageOfCategory = new Map(
    rows.toReversed().map((row) => [row.categoryId, toJoinedImageView(row)!]),
  )
  return [...imageOfCategory.values()].toReversed().slice(0, 2)
}

async function listNewPieces(db: Db) {
  const newest = await db
    .selectFrom('items')
    .select(cardColumns)
    .where(isListed)
    .where(isAvailable)
    .orderBy(lastAddedFirst)
    .limit(40)
    .execute()
  const pieces = await readCards(db, mixCategories(newest, 4))
  return pieces.map(({ id, name, priceCents, discount, image }) => ({
    id,
    name,
    priceCents,
    discount,
    image,
  }))
}

async function readWallpapers(db: Db) {
  const [dark, light] = await readScenes(db, [wallpaperScenes.dark, wallpaperScenes.light])
  return { dark: dark?.image ?? null, light: light?.image ?? null }
}

/** Shows the owner's image, or else an item's image, or else one of the About page. [S-022] */
export async function listSectionScenes(db: Db) {
  const [images, [first, second, ...slides]] = await Promise.all([
    listPromoImages(db),
    readScenes(db, [...sectionScenes, 'slide-1', 'slide-4']),
  ])
  const defaults = [...images, ...slides.flatMap(({ image }) => image ?? [])]
  return [first!, second!].map((view, index) => ({
    ...view,
    image: view.image ?? defaults[index] ?? null,
  }))
}

/** Returns null if the owner has not filled in her name. */
async function readMaker(db: Db) {
  const { ownerName, city } = await readSettings(db)
  if (ownerName === '') return null
  const [slide] = toAbout(await readPageTexts(db, aboutPageTexts), await readSlideImages(db)).slides
  const { message, alt, image } = slide!
  return { name: ownerName, city, text: message, alt, image }
}

export type Home = Awaited<ReturnType<typeof readHome>>

export const readHome = (app: Pick<AppServices, 'db' | 'live'>, isAll: boolean) =>
  cached(app, ['catalog', 'settings'], `home ${isAll}`, async () => {
    const { db } = app
    const [showcase, colors, newPieces, sections, wallpapers, maker, texts] = await Promise.all([
      listShowcase(db),
      listHomeColors(db, { isAll }),
      listNewPieces(db),
      listSectionScenes(db),
      readWallpapers(db),
      readMaker(db),
      readPageTexts(db, homePageTexts),
    ])
    const promoImages = sections.map(({ image }) => image)
    return { showcase, colors, newPieces, promoImages, wallpapers, maker, texts: toHomeView(texts) }
  })
