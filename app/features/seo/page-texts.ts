import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

export const SHORTEST = 50
export const LONGEST = 160

const tidy = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** Cut after a word where one ends near the limit; never within a letter. */
export function clip(text: string, most: number): string {
  const clean = tidy(text)
  if (clean.length <= most) return clean
  let cut = clean.slice(0, most - 1)
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1)
  const lastWord = cut.lastIndexOf(' ')
  return `${(lastWord > most * 0.6 ? cut.slice(0, lastWord) : cut).replace(/[\s,.;:–—-]+$/, '')}…`
}

/** The first sentence, and of the others as many as there is room for; one that is needed to say enough is cut. */
export function describe(...sentences: string[]): string {
  let text = ''
  for (const sentence of sentences.map(tidy)) {
    const longer = `${text} ${sentence}`.trim()
    if (text.length < SHORTEST || longer.length <= LONGEST) text = longer
  }
  return clip(text, LONGEST)
}

type PlainPage = {
  /** before the shop's name; none: the page is the shop itself */
  title: string | null
  description: (shop: string) => string
  isHidden?: boolean
  isBusiness?: boolean
}

export const plainPages: Record<string, PlainPage | undefined> = {
  '': {
    title: null,
    description: (shop) => `${shop}: wall hangings, plant hangers, key chains and more, knotted by hand in the colors that you choose.`,
    isBusiness: true,
  },
  about: {
    title: 'About',
    description: (shop) =>
      `The workshop behind ${shop}: how each piece of macrame is planned, knotted and finished by hand, told in pictures.`,
  },
  contact: {
    title: 'Contact',
    description: (shop) =>
      `Write to ${shop} about a piece, a color or a wish of your own: by the form, by mail, by phone, on Facebook or Instagram.`,
    isBusiness: true,
  },
  testimonials: {
    title: 'Testimonials',
    description: (shop) => `What people say who live with a piece by ${shop}: in their own words, with the pieces that they chose.`,
  },
  login: {
    title: 'Login',
    description: (shop) => `Sign in to ${shop} to keep favorites, to ask for pieces and to talk them over with the maker.`,
    isHidden: true,
  },
  writetestimonials: {
    title: 'Your testimony',
    description: (shop) => `Tell others about the piece that you have from ${shop}: a few words of yours are all it takes.`,
    isHidden: true,
  },
}

export function wordsOf(page: PlainPage, { name }: Pick<ShopSettings, 'name'>) {
  const description = describe(page.description(clip(name, 40)))
  if (page.title === null) return { title: `${name} — handmade macrame`, cardTitle: name, description }
  return { title: `${page.title} — ${name}`, cardTitle: page.title, description }
}
