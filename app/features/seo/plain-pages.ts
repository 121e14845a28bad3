import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { pageMetaTexts } from './texts.ts'

export const MIN_DESCRIPTION_LENGTH = 50
export const MAX_DESCRIPTION_LENGTH = 160

const tidy = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** Shortens a text to at most `most` characters. The function cuts between two words if possible, and never inside a character. */
export function clip(text: string, most: number): string {
  const clean = tidy(text)
  if (clean.length <= most) return clean
  let cut = clean.slice(0, most - 1)
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1)
  const lastWord = cut.lastIndexOf(' ')
  return `${(lastWord > most * 0.6 ? cut.slice(0, lastWord) : cut).replace(/[\s,.;:–—-]+$/, '')}…`
}

/** Joins the given sentences to a page description. When the text has its minimum length, sentences that would exceed the maximum length are left out. */
export function metaDescription(...sentences: string[]): string {
  let text = ''
  for (const sentence of sentences.map(tidy)) {
    const longer = `${text} ${sentence}`.trim()
    if (text.length < MIN_DESCRIPTION_LENGTH || longer.length <= MAX_DESCRIPTION_LENGTH)
      text = longer
  }
  return clip(text, MAX_DESCRIPTION_LENGTH)
}

type PlainPage = {
  /** the part of the title before the shop's name, or null for the home page, which has a title of its own */
  title: string | null
  description: (shop: string) => string
  isHidden?: boolean
  isBusiness?: boolean
}

const { home, about, contact, testimonials, login, writeTestimony } = pageMetaTexts

/** The key of a page is the first segment of its path. */
export const plainPages: Record<string, PlainPage | undefined> = {
  '': { ...home, title: null, isBusiness: true },
  about,
  contact: { ...contact, isBusiness: true },
  testimonials,
  login: { ...login, isHidden: true },
  writetestimonials: { ...writeTestimony, isHidden: true },
}

export function describePlainPage(page: PlainPage, { name }: Pick<ShopSettings, 'name'>) {
  const description = metaDescription(page.description(clip(name, 40)))
  if (page.title === null) return { title: home.title(name), cardTitle: name, description }
  return { title: `${page.title} — ${name}`, cardTitle: page.title, description }
}
