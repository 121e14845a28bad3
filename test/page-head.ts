/** The head of a page as those read it who are no browsers: search engines, sites on which an address is shared. */

const decoded = (text: string) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')

const attribute = (tag: string, name: string) => decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

export function readHead(html: string) {
  const head = html.slice(0, html.indexOf('</head>'))
  const tags = head.match(/<(?:meta|link)\b[^>]*>/g) ?? []
  const metas = tags
    .filter((tag) => tag.startsWith('<meta'))
    .map((tag) => [attribute(tag, 'name') || attribute(tag, 'property'), attribute(tag, 'content')] as const)
  return {
    html: head,
    tags,
    title: decoded(/<title>([^<]*)<\/title>/.exec(head)?.[1] ?? ''),
    /** by name or property; each must stand there once */
    meta(name: string): string {
      const found = metas.filter(([key]) => key === name)
      if (found.length > 1) throw new Error(`${name} stands there ${found.length} times`)
      return found[0]?.[1] ?? ''
    },
    link: (rel: string): string => tags.filter((tag) => attribute(tag, 'rel') === rel).map((tag) => attribute(tag, 'href'))[0] ?? '',
    /** the documents of schema.org, by their type */
    data: Object.fromEntries(
      [...head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) => {
        const document = JSON.parse(json!) as Record<string, unknown>
        return [String(document['@type']), document]
      }),
    ) as Record<string, Record<string, unknown> | undefined>,
  }
}
