/** Each page's one address, written as the shop's own links write it. */

export const itemPath = (id: string): string => `/item/${encodeURIComponent(id)}`
export const categoryPath = (id: string): string => `/gallery/${encodeURIComponent(id)}`

/** What makes another selection of the gallery's pieces; whatever else hangs on an address says nothing about the page. */
const selecting = ['q', 'from', 'to', 'color', 'sale', 'available', 'sort', 'favorites']
export const isSelection = (params: URLSearchParams): boolean => selecting.some((name) => params.has(name))

/** From the second page on the number belongs to the address. */
export function pageNumber(params: URLSearchParams): number {
  const typed = params.get('page') ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(1, Number(typed)) : 1
}

/** The parts of an address below the shop, decoded and without empty ones; null where they cannot be read. */
export function partsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}
