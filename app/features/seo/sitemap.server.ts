import { pictureUrl } from '#app/features/images/image-upload.ts'
import { isCategoryShown, isShownInGallery } from '#app/features/catalog/shown-items.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { AppServices } from '#app/services/context.ts'
import type { Db } from '#db/schema.ts'
import { categoryPath, itemPath } from './urls.ts'

/** The sitemap protocol allows at most this many URLs in a file. */
const MAX_URLS = 50_000
const MAX_IMAGES = 1000

/** `changedAt` is in UTC milliseconds, or null if unknown. `pictures` contains the paths of image URLs. */
type PublicPage = { path: string; changedAt: number | null; pictures: string[] }

async function listPages(db: Db): Promise<PublicPage[]> {
  const showsSold = (await readSettings(db)).soldPieces === 'shown'
  const [categories, items, pictures] = await Promise.all([
    db
      .selectFrom('categories')
      .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
      .select(['categories.id', 'categories.createdAt', 'path'])
      .where(isCategoryShown)
      .orderBy('position')
      .orderBy('categories.id')
      .execute(),
    db
      .selectFrom('items')
      .select(['id', 'categoryId', 'createdAt'])
      .where(isShownInGallery(showsSold))
      .orderBy('firstCreatedAt')
      .orderBy('id')
      .execute(),
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
  const page = (path: string, changes: number[] = [], stored: string[] = []): PublicPage => ({
    path,
    changedAt: changes.length > 0 ? changes.reduce((a, b) => Math.max(a, b)) : null,
    pictures: stored.slice(0, MAX_IMAGES).map(pictureUrl),
  })
  const changed = items.map(({ createdAt }) => createdAt)
  return [
    page('/', changed),
    page('/gallery/', changed),
    ...['/about/', '/contact/', '/testimonials/'].map((path) => page(path)),
    ...categories.map(({ id, createdAt, path }) =>
      page(
        categoryPath(id),
        [createdAt, ...(ofCategory.get(id) ?? []).map((item) => item.createdAt)],
        path === null ? [] : [path],
      ),
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

type SitemapDeps = Pick<AppServices, 'db' | 'live'>

/** Renders the sitemap, or the file with the number `part`. With more than `most` URLs, the sitemap lists only the URLs of its files, such as `?part=1`. Returns null if the file does not exist. */
export async function renderSitemap(
  app: SitemapDeps,
  origin: string,
  part: string | null,
  most = MAX_URLS,
): Promise<string | null> {
  const pages = await cached(app, ['catalog', 'settings'], 'sitemap', () => listPages(app.db))
  const parts = Math.ceil(pages.length / most)
  const loc = (path: string, tag = 'loc') => `<${tag}>${escapeXml(origin + path)}</${tag}>`
  if (part === null && parts > 1) {
    const list = Array.from(
      { length: parts },
      (_, at) => `<sitemap>${loc(`/sitemap.xml?part=${at + 1}`)}</sitemap>`,
    )
    return xml('sitemapindex', list)
  }
  const number = part === null ? 1 : /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0
  if (number < 1 || number > parts) return null
  const urls = pages
    .slice((number - 1) * most, number * most)
    .map(({ path, changedAt, pictures }) => {
      const lastmod =
        changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`
      const images = pictures.map(
        (picture) => `<image:image>${loc(picture, 'image:loc')}</image:image>`,
      )
      return `<url>${loc(path)}${lastmod}${images.join('')}</url>`
    })
  return xml('urlset', urls, ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"')
}

const xml = (tag: string, entries: string[], more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><${tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${more}>${entries.join('')}</${tag}>`

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
