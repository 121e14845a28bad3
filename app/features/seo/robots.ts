const closed = ['/manage', '/account', '/logout', '/link-guest', '/theme', '/favourite', '/messages', '/order-request']

/** Crawlers must be able to read the noindex tag of a page, so such pages are not listed as disallowed. */
export const robotsText = (origin: string): string =>
  ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
