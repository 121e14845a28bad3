import { pageMetaTexts } from './texts.ts'

export const MIN_DESCRIPTION_LENGTH = 50
export const MAX_DESCRIPTION_LENGTH = 160

const tidy = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

export function clip(text: string, maxLength: number) {
  const clean = tidy(text)
  if (clean.length <= maxLength) return clean
  let start = clean.slice(0, maxLength - 1)
  if (/[\ud800-\udbff]$/.test(start)) start = start.slice(0, -1)
  const lastWord = start.lastIndexOf(' ')
  if (lastWord > maxLength * 0.6) start = start.slice(0, lastWord)
  return `${start.replace(/[\s,.;:–—-]+$/, '')}…`
}

export function metaDescription(...sentences: string[]) {
  let text = ''
  for (const sentence of sentences.map(tidy)) {
    const longer = `${text} ${sentence}`.trim()
    if (text.length < MIN_DESCRIPTION_LENGTH || longer.length <= MAX_DESCRIPTION_LENGTH) {
      text = longer
    }
  }
  return clip(text, MAX_DESCRIPTION_LENGTH)
}

type PlainPage = {
  /** The title without the name of the shop. Null for Home, which has a title of its own. */
  title: string | null
  description: (shop: string) => string
  isHidden?: boolean
  isBusiness?: boolean
}

const { home, about, contact, testimonials, login, writeTestimony } = pageMetaTexts

export const plainPages: Record<string, PlainPage | undefined> = {
  '': { ...home, title: null, isBusiness: true },
  about,
  contact: { ...contact, isBusiness: true },
  testimonials,
  login: { ...login, isHidden: true },
  writetestimonials: { ...writeTestimony, isHidden: true },
}

export function describePlainPage(page: PlainPage, { name }: { name: string }) {
  const description = metaDescription(page.description(clip(name, 40)))
  if (page.title === null) return { title: home.title(name), cardTitle: name, description }
  return { title: `${page.title} — ${name}`, cardTitle: page.title, description }
}
