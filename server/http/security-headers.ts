const pagePolicy = (nonce: string) =>
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

const defaultPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export function setSecurityHeaders(
  headers: Headers,
  { nonce, isSecure }: { nonce: string | null; isSecure: boolean },
) {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=(), payment=()')
  if (!headers.has('Cross-Origin-Opener-Policy')) {
    headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  }
  if (!headers.has('Cross-Origin-Resource-Policy')) {
    headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  }
  if (isSecure) headers.set('Strict-Transport-Security', 'max-age=31536000')
  if (nonce === null || headers.has('Content-Security-Policy')) return
  const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false
  headers.set('Content-Security-Policy', isPage ? pagePolicy(nonce) : defaultPolicy)
}

export function withSecurityHeaders(response: Response, publicUrl: string | null) {
  setSecurityHeaders(response.headers, {
    nonce: '',
    isSecure: publicUrl?.startsWith('https:') ?? false,
  })
  return response
}
