import type { MetaDescriptor } from 'react-router'

/** Social networks and messengers show an image of this size in a link preview without cropping it. */
export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

type HeadPicture = { url: string; alt: string }

export type PageMeta = {
  title: string
  /** the title without the shop's name, because a link preview shows the shop's name on another line */
  cardTitle: string
  description: string
  /** the URL of the page, with only those parameters that change the content */
  canonical: string
  /** true if the page has the meta tag robots with the value noindex */
  isHidden: boolean
  type: 'website' | 'product'
  picture: HeadPicture
  more: { property: string; content: string }[]
  data: object[]
}

type Data = Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json']

/** Removes the tags that only crawlers read. Pages of logged-in users do not need these tags, because crawlers never log in. */
export const withoutCrawlerTags = (tags: MetaDescriptor[] | null): MetaDescriptor[] | null =>
  tags && tags.filter((tag) => 'title' in tag || 'tagName' in tag)

/** Returns the tags of a page. React Router escapes the JSON-LD, so that no text of the owner can end the script element. */
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
