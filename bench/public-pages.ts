/** Lists the public pages, with an item, a category and an unused ticket of the demo shop. */

export type PublicPage = {
  path: string
  /** true if the page has the noindex tag; Lighthouse's SEO audit then does not apply */
  isHidden: boolean
}

export async function publicPages(origin: string, ticketId: string): Promise<PublicPage[]> {
  const gallery = await (await fetch(`${origin}/gallery/`)).text()
  const linked = (pattern: RegExp) => {
    const path = pattern.exec(gallery)?.[1]
    if (!path) throw new Error(`The gallery has no link like ${pattern}`)
    return path
  }
  const category = linked(/href="(\/gallery\/[^"/?]+\/?)"/)
  const item = linked(/href="(\/item\/[^"/?]+\/?)"/)
  return [
    ...['/', '/gallery/', category, item, '/about/', '/contact/', '/testimonials/'].map((path) => ({
      path,
      isHidden: false,
    })),
    { path: `/writetestimonials/${ticketId}/`, isHidden: true },
    { path: '/login/', isHidden: true },
  ]
}

/** Returns the path as the results show it. The random id of a ticket is replaced by {ticket}. */
export const shownPath = (path: string): string =>
  path.replace(/^(\/writetestimonials\/).*/, '$1{ticket}/')
