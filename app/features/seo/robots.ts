const closed = ['/manage', '/account', '/logout', '/link-guest', '/theme', '/favourite', '/messages', '/order-request']

/** Pages that are kept out of search results say so themselves, and must be read for it; so they do not stand here. */
export const robotsText = (origin: string): string =>
  ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
