/** Which items the owner looks for; the address holds it all (S-119 to S-122). */

export const COMPARISONS = ['>=', '==', '<='] as const
export type Comparison = (typeof COMPARISONS)[number]
export const COLUMNS = [1, 2, 3, 4] as const
export type Columns = (typeof COLUMNS)[number]

/** So many cards come at first, and with each "Show more". */
export const PART_SIZE = 60
const MOST_PARTS = 1000

export type ItemSearch = {
  isOnSale: boolean
  name: string
  comparison: Comparison
  /** as typed */
  price: string
  categoryId: string
  columns: Columns
  /** how many parts of the results are shown */
  parts: number
}

/** DISC-22, DISC-34: ">=" and 2 columns unless told otherwise. */
export function readItemSearch(params: URLSearchParams): ItemSearch {
  const parts = params.get('parts') ?? ''
  // What no keyboard types, a database may refuse.
  const text = (name: string) => (params.get(name) ?? '').replaceAll('\u0000', '').toWellFormed()
  return {
    isOnSale: params.get('sale') === 'on',
    name: text('name'),
    comparison: COMPARISONS.find((known) => known === params.get('compare')) ?? '>=',
    price: text('price'),
    categoryId: text('category'),
    columns: COLUMNS.find((known) => String(known) === params.get('columns')) ?? 2,
    parts: /^\d{1,6}$/.test(parts) ? Math.min(Math.max(1, Number(parts)), MOST_PARTS) : 1,
  }
}

/** What is looked for: how it is shown plays no part in it. */
export const termsOf = ({ isOnSale, name, comparison, price, categoryId }: ItemSearch): string =>
  JSON.stringify([isOnSale, name, comparison, price, categoryId])
