import { firstCharacter } from '#lib/text/first-character.ts'
import { type Cents, formatMoney } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { priceTexts } from '#pricing/texts.ts'
import type { Currency } from '#lib/text/currency.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { storableText } from '#lib/text/storable-text.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { colorName, withoutPlaceholder, type Category } from './catalog.ts'
import {
  galleryFilterTexts as filterTexts,
  galleryTexts as texts,
  sortTexts,
} from './gallery-texts.ts'

export type GalleryView = { categoryId: string } | 'favorites' | 'everything'

const SORTS = Object.keys(sortTexts) as (keyof typeof sortTexts)[]

export const SEARCH_PARAMS = ['q', 'from', 'to', 'color', 'sale', 'available', 'sort'] as const

const MAX_SEARCH_LENGTH = 200
const MAX_PRICE_LENGTH = 20
const MAX_COLORS = 50
const MAX_WORDS = 12
const IGNORED_WORDS = new Set(['macrame', 'handmade'])

/** `Array.from` does not split an emoji. */
const truncate = (text: string | null, length: number) =>
  Array.from(storableText(text ?? ''))
    .slice(0, length)
    .join('')

export type GallerySearch = ReturnType<typeof parseGallerySearch>

export function parseGallerySearch(params: URLSearchParams) {
  return {
    text: truncate(params.get('q'), MAX_SEARCH_LENGTH),
    from: truncate(params.get('from'), MAX_PRICE_LENGTH),
    to: truncate(params.get('to'), MAX_PRICE_LENGTH),
    colorIds: [...new Set(params.getAll('color'))].slice(0, MAX_COLORS),
    isOnSale: params.has('sale'),
    isAvailable: params.has('available'),
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? null,
    page: parsePageNumber(params),
  }
}

export function searchWords({ text }: Pick<GallerySearch, 'text'>) {
  const words = new Set(normalizeForSearch(text).split(/\s+/))
  return [...words].filter((word) => word !== '' && !IGNORED_WORDS.has(word)).slice(0, MAX_WORDS)
}

export function priceRange({ from, to }: Pick<GallerySearch, 'from' | 'to'>) {
  const min = parseMoney(from)
  const max = parseMoney(to)
  return min !== null && max !== null && min > max ? { min: max, max: min } : { min, max }
}

function searchParams(search: GallerySearch) {
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
) {
  const path =
    typeof view === 'object' ? `/gallery/${encodeURIComponent(view.categoryId)}` : '/gallery/'
  const params = search ? searchParams({ ...search, ...changed }) : new URLSearchParams()
  if ((changed.page ?? 1) > 1) params.append('page', String(changed.page))
  const query = [view === 'favorites' ? 'favorites' : '', params.toString()]
    .filter((part) => part !== '')
    .join('&')
  return query === '' ? path : `${path}?${query}`
}

type LinkOptions = {
  view: GalleryView
  search: GallerySearch
  categories: Category[]
  hasFavorites: boolean
  colors: { id: string; name: string }[]
  page: number
  lastPage: number
  isArranged: boolean
  currency: Currency
}
export type GalleryLinks = ReturnType<typeof galleryLinks>

export function galleryLinks(options: LinkOptions) {
  const { view, search, page } = options
  const isPlain = searchParams(search).size === 0
  const sorts = sortOptions(options)
  const filters = filterChips(options)
  const text = search.text.trim()
  const textChips = text
    ? [{ label: `“${text}”`, href: galleryUrl(view, search, { text: '' }) }]
    : []
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
    views: viewLinks(options),
    text: search.text,
    prices: [price('from', filterTexts.priceFrom), price('to', filterTexts.priceTo)],
    isOnSale: search.isOnSale,
    isAvailable: search.isAvailable,
    colorIds: search.colorIds,
    sort: sorts.find(({ value }) => value === search.sort)?.value ?? '',
    sorts,
    chips: [...textChips, ...filters],
    filterCount: filters.length,
    page,
    steps: pageLinks(options),
    empty: emptyState(options, isPlain),
  }
}

function sortOptions(options: LinkOptions) {
  const sorts = Object.entries(sortTexts).map(([value, label]) => ({ value, label }))
  const label = defaultSortText(options)
  if (label) return [{ value: '', label }, ...sorts]
  return sorts.map((sort) => (sort.value === 'newest' ? { ...sort, value: '' } : sort))
}

function defaultSortText({ view, search, isArranged }: LinkOptions) {
  if (searchWords(search).length > 0) return filterTexts.bestMatch
  if (view === 'favorites') return filterTexts.newestFavoriteFirst
  return isArranged ? filterTexts.featured : null
}

function filterChips({ view, search, colors, currency }: LinkOptions) {
  const chip = (label: string, changed: Partial<GallerySearch>) => ({
    label,
    href: galleryUrl(view, search, changed),
  })
  const price = priceText(search, currency)
  return [
    ...(price === null ? [] : [chip(price, { from: '', to: '' })]),
    ...colors
      .filter(({ id }) => search.colorIds.includes(id))
      .map((color) =>
        chip(colorName(color), { colorIds: search.colorIds.filter((id) => id !== color.id) }),
      ),
    ...(search.isOnSale ? [chip(filterTexts.onSale, { isOnSale: false })] : []),
    ...(search.isAvailable ? [chip(filterTexts.available, { isAvailable: false })] : []),
  ]
}

function priceText(search: GallerySearch, currency: Currency) {
  const { min, max } = priceRange(search)
  const format = (cents: Cents) => formatMoney(cents, currency)
  if (min === null) return max === null ? null : filterTexts.upToPrice(format(max))
  return max === null ? filterTexts.fromPrice(format(min)) : `${format(min)} – ${format(max)}`
}

function viewLinks({ view, search, categories, hasFavorites }: LinkOptions) {
  const link = (to: GalleryView, title: string, category: Partial<Category> = {}) => ({
    title,
    initial: to === 'everything' ? texts.all : firstCharacter(title),
    href: galleryUrl(to, search),
    isChosen: JSON.stringify(to) === JSON.stringify(view),
    color: category.color,
    image: withoutPlaceholder(category.image ?? null),
  })
  return [
    link('everything', texts.allItems),
    ...(hasFavorites ? [link('favorites', texts.favorites)] : []),
    ...categories.map((category) => link({ categoryId: category.id }, category.title, category)),
  ]
}

type PageLink = { label: string; href: string | null; rel?: 'prev' | 'next'; name?: string }

function pageLinks({ view, search, page, lastPage }: LinkOptions): PageLink[] {
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

export function pageNumbers(page: number, last: number): (number | null)[] {
  const numbers = Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === last || Math.abs(number - page) <= 1,
  )
  return numbers.flatMap((number, index) =>
    number - (numbers[index - 1] ?? 0) > 1 ? [null, number] : [number],
  )
}

function emptyState({ view, search, categories }: LinkOptions, isPlain: boolean) {
  const everywhere = (label: string) =>
    view === 'everything' ? [] : [{ label, href: galleryUrl('everything', search) }]
  if (isPlain) {
    return {
      text: view === 'favorites' ? texts.noFavorites : texts.noItems,
      ways: everywhere(texts.seeAllItems),
      categories: [],
    }
  }
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
}
