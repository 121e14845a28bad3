/** The security headers of every answer that the routes give. */

export function guardHeaders(headers: Headers, { nonce, isSecure }: { nonce: string | null; isSecure: boolean }): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=(), payment=()')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (isSecure) headers.set('Strict-Transport-Security', 'max-age=31536000')
  // Without a nonce (development) the tools of development inject scripts of their own.
  if (nonce === null) return
  headers.set(
    'Content-Security-Policy',
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
    ].join('; '),
  )
}
