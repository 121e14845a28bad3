/** What a visitor looks for in the gallery; the address holds it all, and whatever it holds is read without complaint. */
import { parseMoney, type Cents } from '#app/features/money/money.ts'
import { fold } from '#app/platform/fold.ts'
import { readPageNumber } from '#app/platform/page-number.ts'

/** What is shown: a category, one's favourites, or everything. */
export type GalleryView = { categoryId: string } | 'favourites' | 'everything'

const SORTS = ['newest', 'price-up', 'price-down', 'name'] as const
export type Sort = (typeof SORTS)[number]

/** What an address may ask of the gallery's pieces, the number of the page aside. */
export const SEARCH_PARAMS = ['q', 'from', 'to', 'color', 'sale', 'available', 'sort'] as const

export type GallerySearch = {
  /** as typed */
  text: string
  /** as typed */
  from: string
  to: string
  colorIds: string[]
  isOnSale: boolean
  isAvailable: boolean
  /** null: what suits the view best */
  sort: Sort | null
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

/** The words that must all be found, folded. */
export const searchWords = ({ text }: Pick<GallerySearch, 'text'>): string[] =>
  [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '').slice(0, MOST_WORDS)

/** Somebody who exchanges the two prices still means what lies between them; what is no price is no limit. */
export function priceRange({ from, to }: Pick<GallerySearch, 'from' | 'to'>): { min: Cents | null; max: Cents | null } {
  const [min, max] = [parseMoney(from), parseMoney(to)]
  return min !== null && max !== null && min > max ? { min: max, max: min } : { min, max }
}

export const isUnreadablePrice = (typed: string): boolean => typed.trim() !== '' && parseMoney(typed) === null

/** The search as parameters, the page aside; empty when nothing is looked for. */
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

/** The address of a view with a search; parts of the search may be exchanged. */
export function galleryAddress(view: GalleryView, search: GallerySearch | null, changed: Partial<GallerySearch> = {}): string {
  const path = typeof view === 'object' ? `/gallery/${encodeURIComponent(view.categoryId)}` : '/gallery/'
  const params = search ? searchParams({ ...search, ...changed }) : new URLSearchParams()
  if ((changed.page ?? 1) > 1) params.append('page', String(changed.page))
  const query = [view === 'favourites' ? 'favorites' : '', params.toString()].filter((part) => part !== '').join('&')
  return query === '' ? path : `${path}?${query}`
}

/** The numbers that stand between Previous and Next: first, last and those around the current one; null is a gap. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const shown = Array.from({ length: last }, (_, at) => at + 1).filter((n) => n === 1 || n === last || Math.abs(n - page) <= 1)
  return shown.flatMap((n, at) => (at > 0 && n - (shown[at - 1] ?? 0) > 1 ? [null, n] : [n]))
}
