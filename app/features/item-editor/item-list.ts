/** The list beside the item form: what of it is open stands in the address, so that it works without script and outlives each step. */
import type { Cents, Discount } from '#app/features/pricing/money.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import type { PictureView } from '#app/ui/picture.tsx'

/** How many items of a category, or of a search, the list shows at once. */
export const PART_SIZE = 50

export type Fold = { categoryId: string; /** 0: folded, though the item in the form is one of it */ page: number }

export type ListView = {
  /** what is looked for, as typed */
  text: string
  /** of what was found */
  page: number
  folds: Fold[]
}

export type ListRow = {
  id: string
  name: string
  picture: PictureView | null
  priceCents: Cents
  discount: Discount | null
  hint: 'Not available' | 'Low on stock' | null
  /** its category's title, where items of several stand together */
  category: string | null
}
export type ListPart = { items: ListRow[]; count: number; page: number; lastPage: number }
export type ListCategory = { id: string; title: string; count: number; /** null: folded */ part: ListPart | null }
export type ItemList = { view: ListView; categories: ListCategory[]; /** null: nothing is looked for */ found: ListPart | null }

const LONGEST_SEARCH = 200
const MOST_OPEN = 30

/** Whatever the address holds is read without complaint: `?q=moon&page=2&open=1~walls&open=0~bags` */
export function readListView(params: URLSearchParams): ListView {
  const folds = new Map<string, Fold>()
  for (const open of params.getAll('open')) {
    const [, page, categoryId] = /^(\d{1,6})~([^\0]{1,100})$/.exec(open) ?? []
    if (page !== undefined && categoryId !== undefined) folds.set(categoryId, { categoryId, page: Number(page) })
  }
  const text = Array.from((params.get('q') ?? '').replaceAll('\0', ''))
    .slice(0, LONGEST_SEARCH)
    .join('')
  return { text, page: readPageNumber(params), folds: [...folds.values()].slice(-MOST_OPEN) }
}

/** The list with a category shown from a page on, or folded (0). */
export const withFold = (view: ListView, categoryId: string, page: number): ListView => ({
  ...view,
  folds: [...view.folds.filter((fold) => fold.categoryId !== categoryId), { categoryId, page }],
})

/** '' or '?…' */
export function listQuery({ text, page, folds }: ListView): string {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (page > 1) params.set('page', String(page))
  for (const fold of folds) params.append('open', `${fold.page}~${fold.categoryId}`)
  return params.size === 0 ? '' : `?${params.toString()}`
}

export const foundText = (count: number, text: string) =>
  count === 0 ? `Nothing found for “${text}”` : count === 1 ? '1 item found' : `${count} items found`
