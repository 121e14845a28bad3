import type { ItemCard, stockHint } from '#app/features/catalog/catalog.ts'
import { readGallerySearch } from '#app/features/catalog/gallery-search.ts'
import { readPageNumber } from '#app/platform/page-number.ts'

export const PART_SIZE = 50

export type ListView = {
  text: string
  page: number
  /** the page that a category shows; 0: folded, though the item in the form is one of it */
  folds: ReadonlyMap<string, number>
}

export type ListRow = Pick<ItemCard, 'id' | 'name' | 'picture' | 'priceCents' | 'discount'> & {
  hint: ReturnType<typeof stockHint>
  /** its category's title, where items of several stand together */
  category: string | null
}
export type ListPart = { items: ListRow[]; count: number; page: number; lastPage: number }
export type ListCategory = { id: string; title: string; count: number; /** null: folded */ part: ListPart | null }
export type ItemList = { view: ListView; categories: ListCategory[]; /** null: nothing is looked for */ found: ListPart | null }

const MOST_OPEN = 30

/** Whatever the address holds is read without complaint: `?q=moon&page=2&open=1~walls&open=0~bags` */
export function readListView(params: URLSearchParams): ListView {
  const folds = new Map<string, number>()
  for (const open of params.getAll('open')) {
    const [, page, categoryId] = /^(\d{1,6})~([^\0]{1,100})$/.exec(open) ?? []
    if (page !== undefined && categoryId !== undefined) folds.set(categoryId, Number(page))
  }
  return { text: readGallerySearch(params).text, page: readPageNumber(params), folds: new Map([...folds].slice(-MOST_OPEN)) }
}

export const withFold = (view: ListView, categoryId: string, page: number): ListView => ({
  ...view,
  folds: new Map([...view.folds, [categoryId, page]]),
})

export function listQuery({ text, page, folds }: ListView): string {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (page > 1) params.set('page', String(page))
  for (const [categoryId, shown] of folds) params.append('open', `${shown}~${categoryId}`)
  return params.size === 0 ? '' : `?${params.toString()}`
}

export const foundText = (count: number, text: string) =>
  count === 0 ? `Nothing found for “${text}”` : count === 1 ? '1 item found' : `${count} items found`
