import type { MetaDescriptor } from 'react-router'
import type { Category, Item } from '#app/features/catalog/catalog.ts'
import { getCategoriesCached } from '#app/features/catalog/catalog.server.ts'
import { findVisibleItem } from '#app/features/catalog/find-item.server.ts'
import { isItemOnHold } from '#app/features/catalog/holds.server.ts'
import { countPages, galleryTitle } from '#app/features/catalog/gallery.server.ts'
import { decimalAmount, discountedPrice } from '#app/features/pricing/money.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'
import { categoryPath, isFilteredGallery, itemPath, pathSegments } from './urls.ts'
import { metaTags, type PageMeta } from './meta-tags.ts'
import { breadcrumbs, localBusiness, buildProduct, webSite } from './structured-data.server.ts'
import {
  categorySubject,
  itemSubject,
  ogImageUrl,
  shopSubject,
  type OgImageSubject,
} from './og-image.server.ts'
import { describePlainPage, metaDescription, plainPages } from './plain-pages.ts'
import { galleryPageTexts, itemMetaTexts, shareImageTexts } from './texts.ts'

type MetaRequest = Pick<AppServices, 'db' | 'live' | 'now'> & {
  origin: string
  settings: ShopSettings
  url: URL
}
type MetaDraft = Pick<PageMeta, 'title' | 'description'> & { path: string } & Partial<
    Pick<PageMeta, 'cardTitle' | 'isHidden' | 'type' | 'more' | 'data'>
  >

const MAX_CACHED_URL_LENGTH = 200

/** Returns the tags of a public page, or null for any other page. The tags are cached, unless the URL is unusually long. */
export function getPageMetaCached(
  { db, live, now }: Pick<AppServices, 'db' | 'live' | 'now'>,
  request: Omit<MetaRequest, 'db' | 'live' | 'now'>,
): Promise<MetaDescriptor[] | null> {
  const { origin, settings, url } = request
  const read = async () => {
    const head = await buildMeta({ db, live, now, ...request }, pathSegments(url.pathname) ?? [])
    return head && metaTags(head, settings.name)
  }
  const address = origin + url.pathname + url.search
  return address.length > MAX_CACHED_URL_LENGTH
    ? read()
    : cached({ db, live }, ['catalog', 'settings'], `head ${address}`, read)
}

async function buildMeta(
  request: MetaRequest,
  [first, id, ...rest]: string[],
): Promise<PageMeta | null> {
  if (rest.length > 0) return null
  if (first === 'item' && id !== undefined)
    return itemHead(request, id, await findVisibleItem(request.db, id))
  if (first === 'gallery') return galleryHead(request, id, await getCategoriesCached(request))
  const isTicket = first === 'writetestimonials' && id !== undefined
  const page = isTicket || id === undefined ? plainPages[first ?? ''] : undefined
  if (!page) return null
  const path = isTicket
    ? `/writetestimonials/${encodeURIComponent(id)}`
    : first === undefined
      ? '/'
      : `/${first}/`
  return shopPage(
    request,
    { ...describePlainPage(page, request.settings), path, isHidden: page.isHidden === true },
    page.isBusiness ? 'business' : 'page',
  )
}

async function shopPage(
  request: MetaRequest,
  draft: MetaDraft,
  kind: 'business' | 'page',
): Promise<PageMeta> {
  const { origin, settings, db } = request
  const subject = await shopSubject(db, settings.name)
  const business =
    kind === 'business' ? [localBusiness(origin, settings, ogImageUrl(origin, subject))] : []
  const site = draft.path === '/' ? [webSite(origin, settings.name)] : []
  return completeMeta(
    request,
    { data: [...business, ...site], ...draft },
    subject,
    shareImageTexts.shopAlt(settings.name),
  )
}

const completeMeta = (
  { origin }: MetaRequest,
  { path, ...draft }: MetaDraft,
  subject: OgImageSubject,
  alt: string,
): PageMeta => ({
  cardTitle: draft.title,
  isHidden: false,
  type: 'website',
  more: [],
  data: [],
  ...draft,
  canonical: `${origin}${path}`,
  picture: { url: ogImageUrl(origin, subject), alt },
})

/** A gallery page has the noindex tag if it is filtered, or if its category is unknown, empty or hidden. [S-053, S-296] */
async function galleryHead(
  request: MetaRequest,
  id: string | undefined,
  categories: Category[],
): Promise<PageMeta> {
  const { origin, settings, url } = request
  const category = categories.find((one) => one.id === id && !one.isHidden)
  const number = await shownPageNumber(request, id)
  const isHidden = isFilteredGallery(url.searchParams) || (id !== undefined && !category?.isShown)
  const ofPage =
    number > 1
      ? { title: galleryPageTexts.page(number), query: `?page=${number}` }
      : { title: '', query: '' }
  const title = url.searchParams.has('favorites') ? 'favorites' : 'everything'
  const name =
    galleryTitle(id === undefined ? title : { categoryId: id }, categories) ??
    galleryPageTexts.gallery
  const plain = id === undefined ? '/gallery/' : categoryPath(id)
  const steps = [
    { name: galleryPageTexts.gallery, path: '/gallery/' },
    ...(category ? [{ name, path: plain }] : []),
  ]
  const draft: MetaDraft = {
    title: `${name}${ofPage.title} — ${settings.name}`,
    cardTitle: `${name}${ofPage.title}`,
    description: category
      ? metaDescription(
          galleryPageTexts.category(name, settings.name),
          galleryPageTexts.madeToOrder,
        )
      : metaDescription(galleryPageTexts.everything(settings.name)),
    path: `${plain}${ofPage.query}`,
    isHidden,
    data: isHidden ? [] : [breadcrumbs(origin, steps)],
  }
  if (!category) return shopPage(request, draft, 'page')
  return completeMeta(
    request,
    draft,
    categorySubject(category, settings.name),
    shareImageTexts.categoryAlt(name, settings.name),
  )
}

/** Returns the number of the gallery page that the shop shows. If the number in the URL is too high, the shop shows the last page. */
async function shownPageNumber(
  { db, url, settings }: MetaRequest,
  categoryId: string | undefined,
): Promise<number> {
  const page = parsePageNumber(url.searchParams)
  return page === 1
    ? 1
    : Math.min(
        page,
        await countPages(db, { categoryId, showsSold: settings.soldPieces === 'shown' }),
      )
}

async function itemHead(request: MetaRequest, id: string, item: Item | null): Promise<PageMeta> {
  const { origin, settings, db, now } = request
  if (!item) {
    const description = metaDescription(itemMetaTexts.gone(settings.name), itemMetaTexts.seeGallery)
    return shopPage(
      request,
      {
        title: `${itemMetaTexts.notFound} — ${settings.name}`,
        description,
        path: itemPath(id),
        isHidden: true,
      },
      'page',
    )
  }
  const isHeld = await isItemOnHold(db, id, now())
  const subject = itemSubject(item, settings, isHeld)
  const price = discountedPrice(item.priceCents, item.discount)
  const steps = [
    { name: galleryPageTexts.gallery, path: '/gallery/' },
    ...(item.categoryTitle
      ? [{ name: item.categoryTitle, path: categoryPath(item.categoryId) }]
      : []),
    { name: item.name, path: itemPath(item.id) },
  ]
  const draft: MetaDraft = {
    title: `${item.name} — ${settings.name}`,
    cardTitle: item.name,
    description: metaDescription(
      item.description,
      itemMetaTexts.madeBy(item.name, settings.name),
      itemMetaTexts.ask,
    ),
    path: itemPath(item.id),
    type: 'product',
    more: [
      { property: 'product:price:amount', content: decimalAmount(price) },
      { property: 'product:price:currency', content: settings.currencyCode },
    ],
    data: [buildProduct(item, origin, settings, isHeld), breadcrumbs(origin, steps)],
  }
  return completeMeta(
    request,
    draft,
    subject,
    shareImageTexts.itemAlt(
      item.name,
      subject.words.price?.now ?? subject.words.line,
      settings.name,
    ),
  )
}
