const closed = ['/manage', '/account', '/logout', '/link-guest', '/theme', '/favourite', '/messages', '/order-request']

/** Public pages with the noindex tag are not disallowed, because crawlers must be able to read the tag. */
export const robotsText = (origin: string): string =>
  ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
