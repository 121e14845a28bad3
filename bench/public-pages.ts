/** The pages that everybody may open, with an item, a category and an open ticket that the demo shop really has. */

export type PublicPage = {
  path: string
  /** hidden from search engines on purpose, so the audit about search engines does not apply */
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
    ...['/', '/gallery/', category, item, '/about/', '/contact/', '/testimonials/'].map((path) => ({ path, isHidden: false })),
    { path: `/writetestimonials/${ticketId}/`, isHidden: true },
    { path: '/login/', isHidden: true },
  ]
}

/** A ticket's URL is a random text; the page is the same for each. */
export const shownPath = (path: string): string => path.replace(/^(\/writetestimonials\/).*/, '$1{ticket}/')
