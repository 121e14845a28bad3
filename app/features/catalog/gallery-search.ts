import { parseMoney, type Cents, formatMoney } from '#app/features/pricing/money.ts'
import { fold } from '#app/platform/fold.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { colorName, withoutPlaceholder, type Category } from './catalog.ts'

export type GalleryView = { categoryId: string } | 'favourites' | 'everything'

const sortNames = {
  newest: 'Newest first',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
  name: 'Name: A to Z',
}
const SORTS = Object.keys(sortNames) as (keyof typeof sortNames)[]

export const SEARCH_PARAMS = ['q', 'from', 'to', 'color', 'sale', 'available', 'sort'] as const

export type GallerySearch = {
  text: string
  from: string
  to: string
  colorIds: string[]
  isOnSale: boolean
  isAvailable: boolean
  /** null: what suits the view best */
  sort: keyof typeof sortNames | null
  page: number
}

const LONGEST_SEARCH = 200
const LONGEST_PRICE = 20
const MOST_COLORS = 50
const MOST_WORDS = 12

/** No database text holds a zero byte; cut by whole characters. */
const short = (text: string | null, length: number): string =>
  Array.from((text ?? '').replaceAll('\0', ''))
    .slice(0, length)
    .join('')

export function readGallerySearch(params: URLSearchParams): GallerySearch {
  return {
    text: short(params.get('q'), LONGEST_SEARCH),
    from: short(params.get('from'), LONGEST_PRICE),
    to: short(params.get('to'), LONGEST_PRICE),
    colorIds: [...new Set(params.getAll('color'))].slice(0, MOST_COLORS),
    isOnSale: params.has('sale'),
    isAvailable: params.has('available'),
    sort: SORTS.find((known) => known === params.get('sort')) ?? null,
    page: readPageNumber(params),
  }
}

export const searchWords = ({ text }: Pick<GallerySearch, 'text'>): string[] =>
  [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '').slice(0, MOST_WORDS)

/** Somebody who exchanges the two prices still means what lies between them; what is no price is no limit. */
export function priceRange({ from, to }: Pick<GallerySearch, 'from' | 'to'>): { min: Cents | null; max: Cents | null } {
  const [min, max] = [parseMoney(from), parseMoney(to)]
  return min !== null && max !== null && min > max ? { min: max, max: min } : { min, max }
}

export function searchParams(search: GallerySearch): URLSearchParams {
  const params = new URLSearchParams()
  const add = (name: (typeof SEARCH_PARAMS)[number], value: string) => value !== '' && params.append(name, value)
  add('q', search.text.trim())
  add('from', search.from.trim())
  add('to', search.to.trim())
  for (const id of search.colorIds) add('color', id)
  if (search.isOnSale) add('sale', 'on')
  if (search.isAvailable) add('available', 'on')
  add('sort', search.sort ?? '')
  return params
}

export function galleryAddress(view: GalleryView, search: GallerySearch | null, changed: Partial<GallerySearch> = {}): string {
  const path = typeof view === 'object' ? `/gallery/${encodeURIComponent(view.categoryId)}` : '/gallery/'
  const params = search ? searchParams({ ...search, ...changed }) : new URLSearchParams()
  if ((changed.page ?? 1) > 1) params.append('page', String(changed.page))
  const query = [view === 'favourites' ? 'favorites' : '', params.toString()].filter((part) => part !== '').join('&')
  return query === '' ? path : `${path}?${query}`
}

export function pageNumbers(page: number, last: number): (number | null)[] {
  const shown = Array.from({ length: last }, (_, at) => at + 1).filter((n) => n === 1 || n === last || Math.abs(n - page) <= 1)
  return shown.flatMap((n, at) => (at > 0 && n - (shown[at - 1] ?? 0) > 1 ? [null, n] : [n]))
}

type FilterColor = { id: string; name: string }

function sortOptions(view: GalleryView, search: GallerySearch): { value: string; label: string }[] {
  const all = Object.entries(sortNames).map(([value, label]) => ({ value, label }))
  if (searchWords(search).length > 0) return [{ value: '', label: 'Best match' }, ...all]
  if (view === 'favourites') return [{ value: '', label: 'Last favorite first' }, ...all]
  return all.map((option) => (option.value === 'newest' ? { ...option, value: '' } : option))
}

function priceName(search: GallerySearch): string | null {
  const { min, max } = priceRange(search)
  if (min === null) return max === null ? null : `Up to ${formatMoney(max)}`
  return max === null ? `From ${formatMoney(min)}` : `${formatMoney(min)} – ${formatMoney(max)}`
}

function chips(view: GalleryView, search: GallerySearch, colors: FilterColor[]): { label: string; href: string }[] {
  const without = (label: string, changed: Partial<GallerySearch>) => ({ label, href: galleryAddress(view, search, changed) })
  const price = priceName(search)
  return [
    ...(searchWords(search).length > 0 ? [without(`“${search.text.trim()}”`, { text: '' })] : []),
    ...(price === null ? [] : [without(price, { from: '', to: '' })]),
    ...colors
      .filter(({ id }) => search.colorIds.includes(id))
      .map((color) => without(colorName(color), { colorIds: search.colorIds.filter((id) => id !== color.id) })),
    ...(search.isOnSale ? [without('On sale', { isOnSale: false })] : []),
    ...(search.isAvailable ? [without('Available', { isAvailable: false })] : []),
  ]
}

function views({ view, search, categories, hasFavourites }: About) {
  const entry = (to: GalleryView, title: string, category: Partial<Category> = {}) => ({
    title,
    href: galleryAddress(to, search),
    isChosen: JSON.stringify(to) === JSON.stringify(view),
    color: category.color,
    picture: withoutPlaceholder(category.picture ?? null),
  })
  return [
    entry('everything', 'All items'),
    ...(hasFavourites ? [entry('favourites', 'Favorites')] : []),
    ...categories.map((category) => entry({ categoryId: category.id }, category.title, category)),
  ]
}

type Step = { label: string; href: string | null; rel?: 'prev' | 'next'; name?: string }

function steps({ view, search, page, lastPage }: About): Step[] {
  if (lastPage === 1) return []
  const href = (number: number) => `${galleryAddress(view, search, { page: number })}#pieces`
  const numbers = pageNumbers(page, lastPage).map((number) =>
    number === null ? { label: '…', href: null } : { label: String(number), href: href(number), name: `Page ${number}` },
  )
  return [
    ...(page > 1 ? [{ label: 'Previous', href: href(page - 1), rel: 'prev' as const }] : []),
    ...numbers,
    ...(page < lastPage ? [{ label: 'Next', href: href(page + 1), rel: 'next' as const }] : []),
  ]
}

function emptiness(view: GalleryView, search: GallerySearch, isPlain: boolean) {
  const everywhere = (label: string) => (view === 'everything' ? [] : [{ label, href: galleryAddress('everything', search) }])
  if (!isPlain)
    return {
      text: 'Nothing here matches. Perhaps with another word, or with fewer filters?',
      ways: [{ label: 'Clear all filters', href: galleryAddress(view, null) }, ...everywhere('Look in all items')],
    }
  const text =
    view === 'favourites'
      ? 'No favorites yet. Press the heart on a piece that you like, and it will wait for you here.'
      : 'There are no items here yet.'
  return { text, ways: everywhere('See all items') }
}

type About = {
  view: GalleryView
  search: GallerySearch
  categories: Category[]
  hasFavourites: boolean
  colors: FilterColor[]
  page: number
  lastPage: number
}
export type GalleryLinks = ReturnType<typeof galleryLinks>

export function galleryLinks(about: About) {
  const { view, search, colors, page } = about
  const isPlain = searchParams(search).size === 0
  const sorts = sortOptions(view, search)
  const price = (name: 'from' | 'to', label: string) => ({
    name,
    label,
    typed: search[name],
    problem: search[name].trim() !== '' && parseMoney(search[name]) === null ? 'A price looks like 25 or 12.50' : null,
  })
  return {
    plain: galleryAddress(view, null),
    isPlain,
    isCategory: typeof view === 'object',
    views: views(about),
    text: search.text,
    prices: [price('from', 'From'), price('to', 'To')],
    isOnSale: search.isOnSale,
    isAvailable: search.isAvailable,
    colorIds: search.colorIds,
    sort: sorts.find(({ value }) => value === search.sort)?.value ?? '',
    sorts,
    chips: chips(view, search, colors),
    filterCount: chips(view, { ...search, text: '' }, colors).length,
    page,
    steps: steps(about),
    empty: emptiness(view, search, isPlain),
  }
}
