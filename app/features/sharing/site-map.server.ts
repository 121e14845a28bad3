/** The map of all public pages with their pictures, as search engines read it. */
import { Readable } from 'node:stream'
import type { SitemapItemLoose } from 'sitemap'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import type { Db } from '#db/tables.ts'
import { categoryPath, itemPath } from './addresses.ts'

/** As many as one file may hold (sitemaps.org). */
export const MOST_ADDRESSES = 50_000
/** As many as one address may have. */
const MOST_PICTURES = 1000

/** Every page that is to be found, the shop's own first; `lastmod` where the time of the last change is known. */
async function listPages(db: Db): Promise<SitemapItemLoose[]> {
  const [categories, items, pictures] = await Promise.all([
    db
      .selectFrom('categories')
      .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
      .select(['categories.id', 'categories.createdAt', 'path'])
      .orderBy('position')
      .orderBy('categories.id')
      .execute(),
    db.selectFrom('items').select(['id', 'categoryId', 'createdAt']).orderBy('firstCreatedAt').orderBy('id').execute(),
    db
      .selectFrom('itemPictures')
      .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
      .select(['itemId', 'path'])
      .orderBy('position')
      .orderBy('itemPictures.id')
      .execute(),
  ])
  const ofItem = Map.groupBy(pictures, ({ itemId }) => itemId)
  const ofCategory = Map.groupBy(items, ({ categoryId }) => categoryId)
  const page = (url: string, changes: number[] = [], paths: string[] = []): SitemapItemLoose => ({
    url,
    ...(changes.length > 0 && { lastmod: new Date(changes.reduce((a, b) => Math.max(a, b))).toISOString() }),
    img: paths.slice(0, MOST_PICTURES).map((path) => ({ url: pictureUrl(path) })),
  })
  const changed = items.map(({ createdAt }) => createdAt)
  return [
    page('/', changed),
    page('/gallery/', changed),
    ...['/about/', '/contact/', '/testimonials/'].map((path) => page(path)),
    ...categories.map(({ id, createdAt, path }) =>
      page(categoryPath(id), [createdAt, ...(ofCategory.get(id) ?? []).map((item) => item.createdAt)], path === null ? [] : [path]),
    ),
    ...items.map(({ id, createdAt }) =>
      page(
        itemPath(id),
        [createdAt],
        (ofItem.get(id) ?? []).map(({ path }) => path),
      ),
    ),
  ]
}

/**
 * The whole map, or, above `most` addresses, the list of its parts, which stand at `?part=1` and so on. null: there is no such part.
 */
export async function drawSiteMap(db: Db, origin: string, part: string | null, most = MOST_ADDRESSES): Promise<Buffer | null> {
  // Seldom asked for: the shop starts, and rests, without it.
  const { ErrorLevel, SitemapIndexStream, SitemapStream, streamToPromise } = await import('sitemap')
  const pages = await listPages(db)
  const parts = Math.ceil(pages.length / most)
  if (part === null && parts > 1) {
    const index = new SitemapIndexStream({ level: ErrorLevel.THROW })
    return streamToPromise(
      Readable.from(Array.from({ length: parts }, (_, at) => ({ url: `${origin}/sitemap.xml?part=${at + 1}` }))).pipe(index),
    )
  }
  const number = part === null ? 1 : /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0
  if (number < 1 || number > parts) return null
  const map = new SitemapStream({
    hostname: origin,
    level: ErrorLevel.THROW,
    xmlns: { news: false, video: false, xhtml: false, image: true },
  })
  return streamToPromise(Readable.from(pages.slice((number - 1) * most, number * most)).pipe(map))
}
