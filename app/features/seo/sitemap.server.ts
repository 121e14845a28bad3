import { sortedItemImages } from '#catalog/catalog.server.ts'
import { isCategoryShown, isShownInGallery } from '#catalog/shown-items.server.ts'
import { imageUrl } from '#images/image-upload.ts'
import { readSettings } from '#settings/settings.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Db } from '#db/schema.ts'
import { categoryPath, itemPath } from './urls.ts'

/** Omits pages with a noindex tag, because crawlers must read a page to obey its tag. */
const CLOSED_PATHS = [
  '/manage',
  '/account',
  '/logout',
  '/link-guest',
  '/theme',
  '/favourite',
  '/messages',
  '/order-request',
]

/** Without PUBLIC_URL, the URLs contain the host of the request, which a client can invent. */
export const cacheControl = ({ publicUrl }: Pick<AppServices, 'publicUrl'>, seconds: number) =>
  publicUrl === null ? 'private, no-store' : `public, max-age=${seconds}`

export const robotsText = (origin: string) =>
  [
    'User-agent: *',
    ...CLOSED_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')

const MAX_URLS = 50_000

export async function renderSitemap(
  app: Pick<AppServices, 'db' | 'live'>,
  origin: string,
  part: string | null,
  maxUrls = MAX_URLS,
) {
  const pages = await cached(app, ['catalog', 'settings'], 'sitemap', () => listPages(app.db))
  const partCount = Math.ceil(pages.length / maxUrls)
  const escapedUrl = (path: string) => escapeXml(origin + path)
  if (part === null && partCount > 1) {
    const parts = Array.from(
      { length: partCount },
      (_, index) => `<sitemap><loc>${escapedUrl(`/sitemap.xml?part=${index + 1}`)}</loc></sitemap>`,
    )
    return xml('sitemapindex', parts)
  }
  if (!/^[1-9]\d{0,4}$/.test(part ?? '1')) return null
  const number = Number(part ?? '1')
  if (number > partCount) return null
  const partPages = pages.slice((number - 1) * maxUrls, number * maxUrls)
  const urls = partPages.map(({ path, changedAt, images }) => {
    const lastmod =
      changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`
    const imageTags = images.map(
      (image) => `<image:image><image:loc>${escapedUrl(image)}</image:loc></image:image>`,
    )
    return `<url><loc>${escapedUrl(path)}</loc>${lastmod}${imageTags.join('')}</url>`
  })
  return xml('urlset', urls, ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"')
}

const xml = (tag: string, entries: string[], attribute = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><${tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${attribute}>${entries.join('')}</${tag}>`

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const MAX_IMAGES = 1000

async function listPages(db: Db) {
  const showsSold = (await readSettings(db)).soldPieces === 'shown'
  const [categories, items, images] = await Promise.all([
    db
      .selectFrom('categories')
      .leftJoin('images', 'images.id', 'categories.imageId')
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
    sortedItemImages(db).select(['itemId', 'path']).execute(),
  ])
  const imagesOf = Map.groupBy(images, ({ itemId }) => itemId)
  const itemsOf = Map.groupBy(items, ({ categoryId }) => categoryId)
  return [
    page('/', items),
    page('/gallery/', items),
    ...['/about/', '/contact/', '/testimonials/'].map((path) => page(path)),
    ...categories.map((category) =>
      page(categoryPath(category.id), [category, ...(itemsOf.get(category.id) ?? [])], [category]),
    ),
    ...items.map((item) => page(itemPath(item.id), [item], imagesOf.get(item.id))),
  ]
}

const page = (
  path: string,
  contents: { createdAt: number }[] = [],
  images: { path: string | null }[] = [],
) => ({
  path,
  changedAt: contents.reduce<number | null>(
    (latest, { createdAt }) => Math.max(latest ?? createdAt, createdAt),
    null,
  ),
  images: images
    .slice(0, MAX_IMAGES)
    .flatMap(({ path }) => (path === null ? [] : [imageUrl(path)])),
})
