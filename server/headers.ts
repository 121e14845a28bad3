/** The security headers of every answer, whoever gives it: routes, static files, refusals. */

/** `nonce` null: development, whose tools inject scripts of their own. */
type About = { nonce: string | null; isSecure: boolean }

/** DATA-001, S-134: pages speak to the shop's own server and to nobody else. */
const policyOfPages = (nonce: string) =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Pictures, data, files: shown alone they load nothing and run nothing. */
const policyOfRest = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export function guardHeaders(headers: Headers, { nonce, isSecure }: About): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=(), payment=()')
  // The windows of a provider's popup say theirs themselves (032).
  if (!headers.has('Cross-Origin-Opener-Policy')) headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  if (!headers.has('Cross-Origin-Resource-Policy')) headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (isSecure) headers.set('Strict-Transport-Security', 'max-age=31536000')
  if (nonce === null || headers.has('Content-Security-Policy')) return
  const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false
  headers.set('Content-Security-Policy', isPage ? policyOfPages(nonce) : policyOfRest)
}

/** The same for what is answered outside the routes. */
export function guarded(response: Response, publicUrl: string | null): Response {
  guardHeaders(response.headers, { nonce: '', isSecure: publicUrl?.startsWith('https:') ?? false })
  return response
}
