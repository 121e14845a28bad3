import type { MetaDescriptor } from 'react-router'

/** 1200 by 630: what the large cards of all known sites show uncut. */
export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

type HeadPicture = { url: string; alt: string }

export type PageHead = {
  title: string
  /** of the shared card; the shop's name stands elsewhere on it */
  cardTitle: string
  description: string
  /** the one address of the page, without what people and programs hang on it */
  canonical: string
  /** search engines keep out; what the page links to may be followed */
  isHidden: boolean
  type: 'website' | 'product'
  picture: HeadPicture
  more: { property: string; content: string }[]
  data: object[]
}

type Data = Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json']

/** Of these tags only those that a browser uses itself: the others are for search engines and link previews, which never sign in. */
export const withoutCrawlerTags = (tags: MetaDescriptor[] | null): MetaDescriptor[] | null =>
  tags && tags.filter((tag) => 'title' in tag || 'tagName' in tag)

/** The head as the router's <Meta> draws it; it also escapes the data, so that no name can end its script. */
export function headTags(head: PageHead, siteName: string): MetaDescriptor[] {
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
