import { parseGallerySearch } from '#catalog/gallery-search.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'

export const ITEMS_PAGE_SIZE = 50

const MAX_OPEN = 30

export type ListView = ReturnType<typeof parseListView>

/** Parses a URL such as `?q=moon&page=2&open=1~walls&open=0~bags`. */
export function parseListView(params: URLSearchParams) {
  const folds = new Map<string, number>()
  for (const open of params.getAll('open')) {
    const [, page, categoryId] = /^(\d{1,6})~([^\0]{1,100})$/.exec(open) ?? []
    if (page !== undefined && categoryId !== undefined) folds.set(categoryId, Number(page))
  }
  return {
    text: parseGallerySearch(params).text,
    page: parsePageNumber(params),
    /** The open page by category; 0 if the owner has closed the category. */
    folds: new Map([...folds].slice(-MAX_OPEN)),
  }
}

export const withCategoryPage = (view: ListView, categoryId: string, page: number) => ({
  ...view,
  folds: new Map([...view.folds, [categoryId, page]]),
})

export function listQuery({ text, page, folds }: ListView) {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (page > 1) params.set('page', String(page))
  for (const [categoryId, openPage] of folds) params.append('open', `${openPage}~${categoryId}`)
  return params.size === 0 ? '' : `?${params}`
}
