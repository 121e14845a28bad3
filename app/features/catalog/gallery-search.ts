import { firstCharacter } from '#app/lib/text/first-character.ts'
import { parseMoney, type Cents, formatMoney } from '#app/features/pricing/money.ts'
import { priceTexts } from '#app/features/pricing/texts.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'
import { colorName, withoutPlaceholder, type Category } from './catalog.ts'
import {
  galleryFilterTexts as filterTexts,
  galleryTexts as texts,
  sortTexts,
} from './gallery-texts.ts'

export type GalleryView = { categoryId: string } | 'favorites' | 'everything'

const SORTS = Object.keys(sortTexts) as (keyof typeof sortTexts)[]

export const SEARCH_PARAMS = ['q', 'from', 'to', 'color', 'sale', 'available', 'sort'] as const

export type GallerySearch = {
  text: string
  from: string
  to: string
  colorIds: string[]
  isOnSale: boolean
  isAvailable: boolean
  /** Is null if the gallery uses the default sort order of the view. */
  sort: keyof typeof sortTexts | null
  page: number
}

const MAX_SEARCH_LENGTH = 200
const MAX_PRICE_LENGTH = 20
const MAX_COLORS = 50
const MAX_WORDS = 12
/** Every piece is handmade macrame, but few texts say so. A search ignores these words. [S-419] */
const IGNORED_WORDS = new Set(['macrame', 'handmade'])

/** Cuts the text after `length` characters, where an emoji is one character. Removes zero bytes, which PostgreSQL refuses. */
const truncate = (text: string | null, length: number): string =>
  Array.from((text ?? '').replaceAll('\0', ''))
    .slice(0, length)
    .join('')

export function parseGallerySearch(params: URLSearchParams): GallerySearch {
  return {
    text: truncate(params.get('q'), MAX_SEARCH_LENGTH),
    from: truncate(params.get('from'), MAX_PRICE_LENGTH),
    to: truncate(params.get('to'), MAX_PRICE_LENGTH),
    colorIds: [...new Set(params.getAll('color'))].slice(0, MAX_COLORS),
    isOnSale: params.has('sale'),
    isAvailable: params.has('available'),
    sort: SORTS.find((known) => known === params.get('sort')) ?? null,
    page: parsePageNumber(params),
  }
}

export function searchWords({ text }: Pick<GallerySearch, 'text'>): string[] {
  const words = new Set(normalizeForSearch(text).split(/\s+/))
  return [...words].filter((word) => word !== '' && !IGNORED_WORDS.has(word)).slice(0, MAX_WORDS)
}

/** Returns the lowest and the highest price to search for. Prices in the wrong order are swapped. An invalid price sets no limit. */
export function priceRange({ from, to }: Pick<GallerySearch, 'from' | 'to'>): {
  min: Cents | null
  max: Cents | null
} {
  const [min, max] = [parseMoney(from), parseMoney(to)]
  return min !== null && max !== null && min > max ? { min: max, max: min } : { min, max }
}

export function searchParams(search: GallerySearch): URLSearchParams {
  const params = new URLSearchParams()
  const add = (name: (typeof SEARCH_PARAMS)[number], value: string) =>
    value !== '' && params.append(name, value)
  add('q', search.text.trim())
  add('from', search.from.trim())
  add('to', search.to.trim())
  for (const id of search.colorIds) add('color', id)
  if (search.isOnSale) add('sale', 'on')
  if (search.isAvailable) add('available', 'on')
  add('sort', search.sort ?? '')
  return params
}

export function galleryUrl(
  view: GalleryView,
  search: GallerySearch | null,
  changed: Partial<GallerySearch> = {},
): string {
  const path =
    typeof view === 'object' ? `/gallery/${encodeURIComponent(view.categoryId)}` : '/gallery/'
  const params = search ? searchParams({ ...search, ...changed }) : new URLSearchParams()
  if ((changed.page ?? 1) > 1) params.append('page', String(changed.page))
  const query = [view === 'favorites' ? 'favorites' : '', params.toString()]
    .filter((part) => part !== '')
    .join('&')
  return query === '' ? path : `${path}?${query}`
}

export function pageNumbers(page: number, last: number): (number | null)[] {
  const shown = Array.from({ length: last }, (_, at) => at + 1).filter(
    (n) => n === 1 || n === last || Math.abs(n - page) <= 1,
  )
  return shown.flatMap((n, at) => (at > 0 && n - (shown[at - 1] ?? 0) > 1 ? [null, n] : [n]))
}

type Link = { label: string; href: string }
type FilterColor = { id: string; name: string }

function sortOptions({
  view,
  search,
  isArranged,
}: Pick<LinkOptions, 'view' | 'search' | 'isArranged'>): { value: string; label: string }[] {
  const all = Object.entries(sortTexts).map(([value, label]) => ({ value, label }))
  if (searchWords(search).length > 0) return [{ value: '', label: filterTexts.bestMatch }, ...all]
  if (view === 'favorites') return [{ value: '', label: filterTexts.newestFavoriteFirst }, ...all]
  if (isArranged) return [{ value: '', label: filterTexts.featured }, ...all]
  return all.map((option) => (option.value === 'newest' ? { ...option, value: '' } : option))
}

function priceName(search: GallerySearch, currency: Currency): string | null {
  const { min, max } = priceRange(search)
  const shown = (cents: Cents) => formatMoney(cents, currency)
  if (min === null) return max === null ? null : filterTexts.upToPrice(shown(max))
  return max === null ? filterTexts.fromPrice(shown(min)) : `${shown(min)} – ${shown(max)}`
}

function chips({
  view,
  search,
  colors,
  currency,
}: Pick<LinkOptions, 'view' | 'search' | 'colors' | 'currency'>): Link[] {
  const without = (label: string, changed: Partial<GallerySearch>) => ({
    label,
    href: galleryUrl(view, search, changed),
  })
  const price = priceName(search, currency)
  return [
    ...(search.text.trim() !== '' ? [without(`“${search.text.trim()}”`, { text: '' })] : []),
    ...(price === null ? [] : [without(price, { from: '', to: '' })]),
    ...colors
      .filter(({ id }) => search.colorIds.includes(id))
      .map((color) =>
        without(colorName(color), { colorIds: search.colorIds.filter((id) => id !== color.id) }),
      ),
    ...(search.isOnSale ? [without(filterTexts.onSale, { isOnSale: false })] : []),
    ...(search.isAvailable ? [without(filterTexts.available, { isAvailable: false })] : []),
  ]
}

function views({ view, search, categories, hasFavorites }: LinkOptions) {
  const entry = (to: GalleryView, title: string, category: Partial<Category> = {}) => ({
    title,
    initial: to === 'everything' ? texts.all : firstCharacter(title),
    href: galleryUrl(to, search),
    isChosen: JSON.stringify(to) === JSON.stringify(view),
    color: category.color,
    picture: withoutPlaceholder(category.picture ?? null),
  })
  return [
    entry('everything', texts.allItems),
    ...(hasFavorites ? [entry('favorites', texts.favorites)] : []),
    ...categories.map((category) => entry({ categoryId: category.id }, category.title, category)),
  ]
}

type Step = { label: string; href: string | null; rel?: 'prev' | 'next'; name?: string }

function steps({ view, search, page, lastPage }: LinkOptions): Step[] {
  if (lastPage === 1) return []
  const href = (number: number) => galleryUrl(view, search, { page: number })
  const numbers = pageNumbers(page, lastPage).map((number) =>
    number === null
      ? { label: '…', href: null }
      : { label: String(number), href: href(number), name: texts.page(number) },
  )
  return [
    ...(page > 1 ? [{ label: texts.previous, href: href(page - 1), rel: 'prev' as const }] : []),
    ...numbers,
    ...(page < lastPage ? [{ label: texts.next, href: href(page + 1), rel: 'next' as const }] : []),
  ]
}

function emptyState({ view, search, categories }: LinkOptions, isPlain: boolean) {
  const everywhere = (label: string) =>
    view === 'everything' ? [] : [{ label, href: galleryUrl('everything', search) }]
  if (!isPlain)
    return {
      text: texts.noMatches,
      ways: [
        { label: texts.clearAllFilters, href: galleryUrl(view, null) },
        ...everywhere(texts.searchAllItems),
      ],
      categories: categories.map(({ id, title }) => ({
        title,
        href: galleryUrl({ categoryId: id }, null),
      })),
    }
  return {
    categories: [],
    text: view === 'favorites' ? texts.noFavorites : texts.noItems,
    ways: everywhere(texts.seeAllItems),
  }
}

type LinkOptions = {
  view: GalleryView
  search: GallerySearch
  categories: Category[]
  hasFavorites: boolean
  colors: FilterColor[]
  page: number
  lastPage: number
  isArranged?: boolean
  currency: Currency
}
export type GalleryLinks = ReturnType<typeof galleryLinks>

export function galleryLinks(about: LinkOptions) {
  const { view, search, page } = about
  const isPlain = searchParams(search).size === 0
  const sorts = sortOptions(about)
  const price = (name: 'from' | 'to', label: string) => ({
    name,
    label,
    typed: search[name],
    problem:
      search[name].trim() !== '' && parseMoney(search[name]) === null ? priceTexts.invalid : null,
  })
  return {
    plain: galleryUrl(view, null),
    isPlain,
    isCategory: typeof view === 'object',
    views: views(about),
    text: search.text,
    prices: [price('from', filterTexts.priceFrom), price('to', filterTexts.priceTo)],
    isOnSale: search.isOnSale,
    isAvailable: search.isAvailable,
    colorIds: search.colorIds,
    sort: sorts.find(({ value }) => value === search.sort)?.value ?? '',
    sorts,
    chips: chips(about),
    filterCount: chips({ ...about, search: { ...search, text: '' } }).length,
    page,
    steps: steps(about),
    empty: emptyState(about, isPlain),
  }
}
