import type { MetaDescriptor } from 'react-router'
import { findVisibleItem, getCategoriesCached } from '#catalog/catalog.server.ts'
import { countPages, galleryTitle } from '#catalog/gallery.server.ts'
import { SEARCH_PARAMS } from '#catalog/gallery-search.ts'
import { isItemOnHold } from '#catalog/item-holds.server.ts'
import { decimalAmount, discountedPrice } from '#pricing/money.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { decodePercent } from '#lib/text/decode-percent.ts'
import type { AppServices } from '#services/context.ts'
import {
  categorySubject,
  itemSubject,
  ogImageUrl,
  shopSubject,
  type OgImageSubject,
} from './og-image.server.ts'
import { describePlainPage, metaDescription, plainPages } from './plain-pages.ts'
import { SHARE_HEIGHT, SHARE_WIDTH } from './render-og-image.server.ts'
import { breadcrumbs, buildProduct, localBusiness, webSite } from './structured-data.server.ts'
import { galleryPageTexts, itemMetaTexts, shareImageTexts } from './texts.ts'
import { categoryPath, itemPath } from './urls.ts'

type MetaServices = Pick<AppServices, 'db' | 'live' | 'now'>
type PageRequest = { origin: string; settings: ShopSettings; url: URL }
type MetaRequest = MetaServices & PageRequest

type PageMeta = {
  title: string
  cardTitle?: string
  description: string
  path: string
  isHidden?: boolean
  type?: 'website' | 'product'
  more?: { property: string; content: string }[]
  data?: object[]
}

const MAX_CACHED_URL_LENGTH = 200

export function getPageMetaCached(
  app: MetaServices,
  request: PageRequest,
): Promise<MetaDescriptor[] | null> {
  const { origin, url } = request
  const read = () => buildMeta({ ...app, ...request })
  const address = origin + url.pathname + url.search
  return address.length > MAX_CACHED_URL_LENGTH
    ? read()
    : cached(app, ['catalog', 'settings'], `head ${address}`, read)
}

export const withoutCrawlerTags = (tags: MetaDescriptor[] | null) =>
  tags && tags.filter((tag) => 'title' in tag || 'tagName' in tag)

async function buildMeta(request: MetaRequest) {
  const { url, settings } = request
  const [first = '', id, ...rest] = pathSegments(url.pathname)
  if (rest.length > 0) return null
  if (first === 'gallery') return galleryMeta(request, id)
  if (first === 'item' && id !== undefined) return itemMeta(request, id)
  const isTicket = first === 'writetestimonials' && id !== undefined
  const page = isTicket || id === undefined ? plainPages[first] : undefined
  if (!page) return null
  const { isHidden, isBusiness } = page
  const path = plainPath(first, id)
  return shopMeta(request, { ...describePlainPage(page, settings), path, isHidden }, isBusiness)
}

function plainPath(first: string, id: string | undefined) {
  if (id !== undefined) return `/${first}/${encodeURIComponent(id)}`
  return first === '' ? '/' : `/${first}/`
}

function pathSegments(pathname: string) {
  const segments = pathname.split('/').filter(Boolean).map(decodePercent)
  return segments.every((segment) => segment !== null) ? segments : []
}

async function shopMeta(request: MetaRequest, page: PageMeta, isBusiness = false) {
  const { origin, settings, db } = request
  const subject = await shopSubject(db, settings.name)
  const data = [
    ...(isBusiness ? [localBusiness(origin, settings, ogImageUrl(origin, subject))] : []),
    ...(page.path === '/' ? [webSite(origin, settings.name)] : []),
  ]
  return metaTags(request, { data, ...page }, subject, shareImageTexts.shopAlt(settings.name))
}

async function galleryMeta(request: MetaRequest, id: string | undefined) {
  const { origin, settings, url } = request
  const categories = await getCategoriesCached(request)
  const category = categories.find((candidate) => candidate.id === id && !candidate.isHidden)
  const number = await existingPageNumber(request, id)
  const isFiltered = [...SEARCH_PARAMS, 'favorites'].some((name) => url.searchParams.has(name))
  const isHidden = isFiltered || (id !== undefined && !category?.isShown)
  const wholeGallery = url.searchParams.has('favorites') ? 'favorites' : 'everything'
  const view = id === undefined ? wholeGallery : { categoryId: id }
  const name = galleryTitle(view, categories) ?? galleryPageTexts.gallery
  const path = id === undefined ? '/gallery/' : categoryPath(id)
  const cardTitle = number > 1 ? name + galleryPageTexts.page(number) : name
  const page = {
    title: `${cardTitle} — ${settings.name}`,
    cardTitle,
    description: category
      ? metaDescription(
          galleryPageTexts.category(name, settings.name),
          galleryPageTexts.madeToOrder,
        )
      : metaDescription(galleryPageTexts.everything(settings.name)),
    path: number > 1 ? `${path}?page=${number}` : path,
    isHidden,
    data: isHidden ? [] : [breadcrumbs(origin, category ? [{ name, path }] : [])],
  }
  if (!category) return shopMeta(request, page)
  const alt = shareImageTexts.categoryAlt(name, settings.name)
  return metaTags(request, page, categorySubject(category, settings.name), alt)
}

async function existingPageNumber(
  { db, url, settings }: MetaRequest,
  categoryId: string | undefined,
) {
  const number = parsePageNumber(url.searchParams)
  if (number === 1) return 1
  const showsSold = settings.soldPieces === 'shown'
  return Math.min(number, await countPages(db, { categoryId, showsSold }))
}

async function itemMeta(request: MetaRequest, id: string) {
  const { origin, settings, db, now } = request
  const item = await findVisibleItem(db, id)
  const path = itemPath(id)
  if (!item) {
    return shopMeta(request, {
      title: `${itemMetaTexts.notFound} — ${settings.name}`,
      description: metaDescription(itemMetaTexts.gone(settings.name), itemMetaTexts.seeGallery),
      path,
      isHidden: true,
    })
  }
  const isOnHold = await isItemOnHold(db, id, now())
  const subject = itemSubject(item, settings, isOnHold)
  const price = discountedPrice(item.priceCents, item.discount)
  const category = { name: item.categoryTitle, path: categoryPath(item.categoryId) }
  const steps = [...(item.categoryTitle ? [category] : []), { name: item.name, path }]
  const page: PageMeta = {
    title: `${item.name} — ${settings.name}`,
    cardTitle: item.name,
    description: metaDescription(
      item.description,
      itemMetaTexts.madeBy(item.name, settings.name),
      itemMetaTexts.ask,
    ),
    path,
    type: 'product',
    more: [
      { property: 'product:price:amount', content: decimalAmount(price) },
      { property: 'product:price:currency', content: settings.currencyCode },
    ],
    data: [buildProduct(item, origin, settings, isOnHold), breadcrumbs(origin, steps)],
  }
  const { words } = subject
  const alt = shareImageTexts.itemAlt(item.name, words.price?.now ?? words.line, settings.name)
  return metaTags(request, page, subject, alt)
}

type Data = Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json']

/** React Router escapes the JSON-LD, so a text of the owner cannot end the script element. */
function metaTags(
  { origin, settings }: MetaRequest,
  page: PageMeta,
  subject: OgImageSubject,
  imageAlt: string,
) {
  const { title, cardTitle = title, description, type = 'website', more = [], data = [] } = page
  const canonical = origin + page.path
  const image = ogImageUrl(origin, subject)
  const openGraph = {
    type,
    site_name: settings.name,
    locale: 'en_US',
    title: cardTitle,
    description,
    url: canonical,
    image,
    'image:type': 'image/jpeg',
    'image:width': String(SHARE_WIDTH),
    'image:height': String(SHARE_HEIGHT),
    'image:alt': imageAlt,
  }
  const twitter = {
    card: 'summary_large_image',
    title: cardTitle,
    description,
    image,
    'image:alt': imageAlt,
  }
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: canonical },
    ...(page.isHidden ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ...Object.entries(openGraph).map(([key, content]) => ({ property: `og:${key}`, content })),
    ...more,
    ...Object.entries(twitter).map(([key, content]) => ({ name: `twitter:${key}`, content })),
    ...data.map((entry) => ({ 'script:ld+json': entry as Data })),
  ]
}
