const closed = [
  '/manage',
  '/account',
  '/logout',
  '/link-guest',
  '/theme',
  '/favourite',
  '/messages',
  '/order-request',
]

/** robots.txt allows crawlers to open public pages with the noindex tag, because crawlers must read the tag to obey it. */
export const robotsText = (origin: string): string =>
  [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
