import type { ItemCard, ItemState, stockHint } from '#app/features/catalog/catalog.ts'
import { parseGallerySearch } from '#app/features/catalog/gallery-search.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'

export const ITEMS_PAGE_SIZE = 50

export type ListView = {
  text: string
  page: number
  /** The page that is shown of each open category; 0 for a category that the owner has closed. */
  folds: ReadonlyMap<string, number>
}

export type ListRow = Pick<ItemCard, 'id' | 'name' | 'picture' | 'priceCents' | 'discount'> & {
  state: ItemState
  hint: ReturnType<typeof stockHint>
  /** The title of the item's category in search results; null outside search results. */
  category: string | null
}
export type ListPage = { items: ListRow[]; count: number; page: number; lastPage: number }
export type ListCategory = {
  id: string
  title: string
  count: number
  /** null if the category is closed */ part: ListPage | null
}
export type ItemList = {
  view: ListView
  categories: ListCategory[]
  /** null without a search */ found: ListPage | null
}

const MAX_OPEN = 30

/** Reads the view from a URL such as `?q=moon&page=2&open=1~walls&open=0~bags`. Ignores invalid values. */
export function parseListView(params: URLSearchParams): ListView {
  const folds = new Map<string, number>()
  for (const open of params.getAll('open')) {
    const [, page, categoryId] = /^(\d{1,6})~([^\0]{1,100})$/.exec(open) ?? []
    if (page !== undefined && categoryId !== undefined) folds.set(categoryId, Number(page))
  }
  return {
    text: parseGallerySearch(params).text,
    page: parsePageNumber(params),
    folds: new Map([...folds].slice(-MAX_OPEN)),
  }
}

export const withCategoryPage = (view: ListView, categoryId: string, page: number): ListView => ({
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
