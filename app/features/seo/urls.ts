import { SEARCH_PARAMS } from '#app/features/catalog/gallery-search.ts'
import { decodePercent } from '#app/lib/text/decode-percent.ts'

export const itemPath = (id: string): string => `/item/${encodeURIComponent(id)}`
export const categoryPath = (id: string): string => `/gallery/${encodeURIComponent(id)}`

/** Returns whether the URL of a gallery page contains a filter. Filtered pages have the noindex tag. */
export const isFilteredGallery = (params: URLSearchParams): boolean =>
  [...SEARCH_PARAMS, 'favorites'].some((name) => params.has(name))

export function pathSegments(pathname: string): string[] | null {
  const segments = pathname.split('/').filter(Boolean).map(decodePercent)
  return segments.every((segment) => segment !== null) ? segments : null
}
