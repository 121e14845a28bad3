import type { MetaDescriptor } from 'react-router'

/** The large link previews of social networks and messengers show 1200 × 630 pixels without cropping. */
export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

type HeadPicture = { url: string; alt: string }

export type PageMeta = {
  title: string
  /** without the shop's name, which the preview shows elsewhere */
  cardTitle: string
  description: string
  /** the page's URL without parameters that do not change its content */
  canonical: string
  /** the page has the noindex tag */
  isHidden: boolean
  type: 'website' | 'product'
  picture: HeadPicture
  more: { property: string; content: string }[]
  data: object[]
}

type Data = Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json']

/** Removes tags for search engines and link previews, which never sign in. */
export const withoutCrawlerTags = (tags: MetaDescriptor[] | null): MetaDescriptor[] | null =>
  tags && tags.filter((tag) => 'title' in tag || 'tagName' in tag)

/** React Router escapes the JSON-LD, so that no name can end its script element. */
export function metaTags(head: PageMeta, siteName: string): MetaDescriptor[] {
  const { title, cardTitle, description, canonical, picture } = head
  const card = [
    ['og:type', head.type],
    ['og:site_name', siteName],
    ['og:locale', 'en_US'],
    ['og:title', cardTitle],
    ['og:description', description],
    ['og:url', canonical],
    ['og:image', picture.url],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', String(SHARE_WIDTH)],
    ['og:image:height', String(SHARE_HEIGHT)],
    ['og:image:alt', picture.alt],
  ].map(([property, content]) => ({ property, content }))
  const twitter = [
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', cardTitle],
    ['twitter:description', description],
    ['twitter:image', picture.url],
    ['twitter:image:alt', picture.alt],
  ].map(([name, content]) => ({ name, content }))
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: canonical },
    ...(head.isHidden ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ...card,
    ...head.more,
    ...twitter,
    ...head.data.map((data) => ({ 'script:ld+json': data as Data })),
  ]
}
