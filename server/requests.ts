/** What a request must be before it reaches a route. */

/** Pictures of up to 10 MB and their form; everything else is far smaller. */
const MAX_BODY_BYTES = 12 * 1024 * 1024

const changesSomething = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD'

/** The origin under which the browser sees the shop: PUBLIC_URL, else the address that it asked (S-115). */
export const originOf = (request: Request, publicUrl: string | null): string => publicUrl ?? new URL(request.url).origin

/** A state-changing request that another site made the browser send. */
export function isForeign(request: Request, publicUrl: string | null): boolean {
  if (!changesSomething(request)) return false
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== originOf(request, publicUrl)
  const site = request.headers.get('sec-fetch-site')
  return site !== 'same-origin'
}

export const tooLarge = (request: Request): boolean =>
  changesSomething(request) && Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES

/** Behind a TLS proxy the request arrives as http: give it the address that the browser used. */
export function withPublicOrigin(request: Request, publicUrl: string | null): Request {
  const url = new URL(request.url)
  if (publicUrl === null || url.origin === publicUrl) return request
  return new Request(new URL(url.pathname + url.search, publicUrl), request)
}

/** THEME-02, S-027: dark on a first visit, then what the device remembers. */
export const readTheme = (request: Request): 'dark' | 'light' =>
  /(?:^|;\s*)theme=light(?:;|$)/.test(request.headers.get('cookie') ?? '') ? 'light' : 'dark'
