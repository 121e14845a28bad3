/** Titles and descriptions of the pages that are about the shop as a whole. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { clip, describe } from './describe.ts'

type PlainPage = {
  /** before the shop's name; none: the page is the shop itself */
  title: string | null
  description: (shop: string) => string
  /** of no use to somebody who searches */
  isHidden: boolean
  /** tells where and how the business can be reached */
  isBusiness: boolean
}

/** By the first part of their address. */
export const plainPages: Record<string, PlainPage | undefined> = {
  '': {
    title: null,
    description: (shop) => `${shop}: wall hangings, plant hangers, key chains and more, knotted by hand in the colors that you choose.`,
    isHidden: false,
    isBusiness: true,
  },
  about: {
    title: 'About',
    description: (shop) =>
      `The workshop behind ${shop}: how each piece of macrame is planned, knotted and finished by hand, told in pictures.`,
    isHidden: false,
    isBusiness: false,
  },
  contact: {
    title: 'Contact',
    description: (shop) =>
      `Write to ${shop} about a piece, a color or a wish of your own: by the form, by mail, by phone, on Facebook or Instagram.`,
    isHidden: false,
    isBusiness: true,
  },
  testimonials: {
    title: 'Testimonials',
    description: (shop) => `What people say who live with a piece by ${shop}: in their own words, with the pieces that they chose.`,
    isHidden: false,
    isBusiness: false,
  },
  login: {
    title: 'Login',
    description: (shop) => `Sign in to ${shop} to keep favorites, to ask for pieces and to talk them over with the maker.`,
    isHidden: true,
    isBusiness: false,
  },
  writetestimonials: {
    title: 'Your testimony',
    description: (shop) => `Tell others about the piece that you have from ${shop}: a few words of yours are all it takes.`,
    isHidden: true,
    isBusiness: false,
  },
}

export function wordsOf(page: PlainPage, { name }: Pick<ShopSettings, 'name'>) {
  const description = describe(page.description(clip(name, 40)))
  if (page.title === null) return { title: `${name} — handmade macrame`, cardTitle: name, description }
  return { title: `${page.title} — ${name}`, cardTitle: page.title, description }
}
