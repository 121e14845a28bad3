import type { MetaDescriptor } from 'react-router'
import type { Category, Item } from '#app/features/catalog/catalog.ts'
import { listCategories, findItem } from '#app/features/catalog/catalog.server.ts'
import { countPages, titleOf } from '#app/features/catalog/gallery.server.ts'
import { CURRENCY, decimalAmount, discountedPrice } from '#app/features/pricing/money.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { Shop } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import type { Db } from '#db/schema.ts'
import { categoryPath, isSelection, itemPath, partsOf } from './addresses.ts'
import { headTags, type PageHead } from './page-head.ts'
import { breadcrumbs, localBusiness, productOf, webSite } from './structured-data.server.ts'
import { categorySubject, itemSubject, shareUrl, shopSubject, type ShareSubject } from './share-picture.server.ts'
import { describe, plainPages, wordsOf } from './page-texts.ts'

type Asked = { db: Db; origin: string; settings: ShopSettings; url: URL }
type Draft = Pick<PageHead, 'title' | 'description'> & { path: string } & Partial<
    Pick<PageHead, 'cardTitle' | 'isHidden' | 'type' | 'more' | 'data'>
  >

/** Longer addresses are nobody's link. */
const LONGEST_KEPT = 200

/** 040: from memory, where the address is one that pages lead to. null: the page is none of the public ones and has a title of its own. */
export function readHeadKept({ db, live }: Pick<Shop, 'db' | 'live'>, asked: Omit<Asked, 'db'>): Promise<MetaDescriptor[] | null> {
  const { origin, settings, url } = asked
  const read = async () => {
    const head = await headOf({ db, ...asked }, partsOf(url.pathname) ?? [])
    return head && headTags(head, settings.name)
  }
  const address = origin + url.pathname + url.search
  return address.length > LONGEST_KEPT ? read() : keep({ db, live }, ['catalogue', 'settings'], `head ${address}`, read)
}

async function headOf(asked: Asked, [first, id, ...rest]: string[]): Promise<PageHead | null> {
  if (rest.length > 0) return null
  if (first === 'item' && id !== undefined) return itemHead(asked, id, await findItem(asked.db, id))
  if (first === 'gallery') return galleryHead(asked, id, await listCategories(asked.db))
  const isTicket = first === 'writetestimonials' && id !== undefined
  const page = isTicket || id === undefined ? plainPages[first ?? ''] : undefined
  if (!page) return null
  const path = isTicket ? `/writetestimonials/${encodeURIComponent(id)}` : first === undefined ? '/' : `/${first}/`
  return shopPage(
    asked,
    { ...wordsOf(page, asked.settings), path, isHidden: page.isHidden === true },
    page.isBusiness ? 'business' : 'page',
  )
}

async function shopPage(asked: Asked, draft: Draft, kind: 'business' | 'page'): Promise<PageHead> {
  const { origin, settings, db } = asked
  const subject = await shopSubject(db, settings.name)
  const business = kind === 'business' ? [localBusiness(origin, settings, shareUrl(origin, subject))] : []
  const site = draft.path === '/' ? [webSite(origin, settings.name)] : []
  return finished(asked, { data: [...business, ...site], ...draft }, subject, `${settings.name}: macrame, knotted by hand`)
}

const finished = ({ origin }: Asked, { path, ...draft }: Draft, subject: ShareSubject, alt: string): PageHead => ({
  cardTitle: draft.title,
  isHidden: false,
  type: 'website',
  more: [],
  data: [],
  ...draft,
  canonical: `${origin}${path}`,
  picture: { url: shareUrl(origin, subject), alt },
})

/** S-053: an unknown category has no title, and nothing that could be found. What somebody selects is no page for search engines. */
async function galleryHead(asked: Asked, id: string | undefined, categories: Category[]): Promise<PageHead> {
  const { origin, settings, url } = asked
  const category = categories.find((one) => one.id === id)
  const number = await shownPage(asked, id)
  const isHidden = isSelection(url.searchParams) || (id !== undefined && !category)
  const ofPage = number > 1 ? { title: `, page ${number}`, query: `?page=${number}` } : { title: '', query: '' }
  const whole = url.searchParams.has('favorites') ? 'favourites' : 'everything'
  const name = titleOf(id === undefined ? whole : { categoryId: id }, categories) ?? 'Gallery'
  const plain = id === undefined ? '/gallery/' : categoryPath(id)
  const steps = [{ name: 'Gallery', path: '/gallery/' }, ...(category ? [{ name, path: plain }] : [])]
  const draft: Draft = {
    title: `${name}${ofPage.title} — ${settings.name}`,
    cardTitle: `${name}${ofPage.title}`,
    description: category
      ? describe(`${name}, knotted by hand by ${settings.name}: see every piece with its colors and price.`, 'Macrame made to order.')
      : describe(`Every handmade macrame piece of ${settings.name}: wall hangings, plant hangers, key chains, coasters and more.`),
    path: `${plain}${ofPage.query}`,
    isHidden,
    data: isHidden ? [] : [breadcrumbs(origin, steps)],
  }
  if (!category) return shopPage(asked, draft, 'page')
  return finished(asked, draft, categorySubject(category, settings.name), `${name} by ${settings.name}`)
}

/** A number beyond the end shows the last page, and is called by its number. */
async function shownPage({ db, url }: Asked, categoryId: string | undefined): Promise<number> {
  const asked = readPageNumber(url.searchParams)
  return asked === 1 ? 1 : Math.min(asked, await countPages(db, categoryId))
}

async function itemHead(asked: Asked, id: string, item: Item | null): Promise<PageHead> {
  const { origin, settings } = asked
  if (!item) {
    const description = describe(`This piece is not in the shop of ${settings.name} any more.`, 'See everything that is, in the gallery.')
    return shopPage(asked, { title: `Not found — ${settings.name}`, description, path: itemPath(id), isHidden: true }, 'page')
  }
  const subject = itemSubject(item, settings.name)
  const price = discountedPrice(item.priceCents, item.discount)
  const steps = [
    { name: 'Gallery', path: '/gallery/' },
    { name: item.categoryTitle, path: categoryPath(item.categoryId) },
    { name: item.name, path: itemPath(item.id) },
  ]
  const draft: Draft = {
    title: `${item.name} — ${settings.name}`,
    cardTitle: item.name,
    description: describe(item.description, `${item.name}, made by hand by ${settings.name}.`, 'Ask for it in the colors that you choose.'),
    path: itemPath(item.id),
    type: 'product',
    more: [
      { property: 'product:price:amount', content: decimalAmount(price) },
      { property: 'product:price:currency', content: CURRENCY },
    ],
    data: [productOf(item, origin, settings), breadcrumbs(origin, steps)],
  }
  return finished(asked, draft, subject, `${item.name}, ${subject.words.price?.now}, by ${settings.name}`)
}
