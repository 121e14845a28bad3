/** Which items the owner looks for; the address holds it all (S-119 to S-122). */
import { parseMoney, type Cents, type Discount } from '#app/features/money/money.ts'

export const COMPARISONS = ['>=', '==', '<='] as const
export type Comparison = (typeof COMPARISONS)[number]
export const COLUMNS = [1, 2, 3, 4] as const
export type Columns = (typeof COLUMNS)[number]

export type ItemSearch = {
  isOnSale: boolean
  name: string
  comparison: Comparison
  /** as typed */
  price: string
  categoryId: string
  columns: Columns
}

/** DISC-22, DISC-34: ">=" and 2 columns unless told otherwise. */
export function readItemSearch(params: URLSearchParams): ItemSearch {
  return {
    isOnSale: params.get('sale') === 'on',
    name: params.get('name') ?? '',
    comparison: COMPARISONS.find((known) => known === params.get('compare')) ?? '>=',
    price: params.get('price') ?? '',
    categoryId: params.get('category') ?? '',
    columns: COLUMNS.find((known) => String(known) === params.get('columns')) ?? 2,
  }
}

type Searched = { name: string; categoryId: string; priceCents: Cents; discount: Discount | null }

const compare: Record<Comparison, (price: Cents, wanted: Cents) => boolean> = {
  '>=': (price, wanted) => price >= wanted,
  '==': (price, wanted) => price === wanted,
  '<=': (price, wanted) => price <= wanted,
}

/** DISC-28 to DISC-31, S-119, S-120: an item passes all filters that apply; a price of 0, blank or unreadable is no filter. */
export function matchesSearch(item: Searched, search: ItemSearch): boolean {
  const wanted = parseMoney(search.price) ?? 0
  return (
    (!search.isOnSale || item.discount !== null) &&
    item.name.toLowerCase().includes(search.name.trim().toLowerCase()) &&
    (wanted === 0 || compare[search.comparison](item.priceCents, wanted)) &&
    (search.categoryId === '' || item.categoryId === search.categoryId)
  )
}
