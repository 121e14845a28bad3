import { SEARCH_PARAMS } from '#app/features/catalog/gallery-search.ts'

export const itemPath = (id: string): string => `/item/${encodeURIComponent(id)}`
export const categoryPath = (id: string): string => `/gallery/${encodeURIComponent(id)}`

/** A selection of the gallery's pieces is no page for search engines; whatever else hangs on an address says nothing about the page. */
export const isSelection = (params: URLSearchParams): boolean => [...SEARCH_PARAMS, 'favorites'].some((name) => params.has(name))

export function partsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}
