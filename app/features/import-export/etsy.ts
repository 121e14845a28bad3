import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import type { ItemCells } from './item-columns.ts'
import { etsyTexts } from './texts.ts'

export type EtsyListing = { currency: string; tags: string; hasImages: boolean }

const keyOf = (title: string) => title.trim().toUpperCase().replaceAll(' ', '_')

export function isEtsyHeader(titles: readonly string[]) {
  const keys = new Set(titles.map(keyOf))
  return ['TITLE', 'DESCRIPTION', 'PRICE', 'CURRENCY_CODE'].every((key) => keys.has(key))
}

const entities: Record<string, string> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
const plain = (text: string) =>
  text.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity] ?? entity).trim()
const words = (list: string) =>
  plain(list)
    .replaceAll('_', ' ')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
    .join(', ')

export function parseEtsyListing(titles: readonly string[], record: readonly string[]) {
  const cellOf = new Map(titles.map((title, index) => [keyOf(title), record[index] ?? '']))
  const cell = (key: string) => cellOf.get(key) ?? ''
  const materials = words(cell('MATERIALS'))
  const description = plain(cell('DESCRIPTION'))
  const cells: ItemCells = {
    name: plain(cell('TITLE')),
    description:
      materials === '' ? description : `${description}\n\n${etsyTexts.materials(materials)}`,
    price: cell('PRICE').trim(),
  }
  const etsy: EtsyListing = {
    currency: cell('CURRENCY_CODE').trim().toUpperCase(),
    tags: words(cell('TAGS')),
    hasImages: [...cellOf].some(([key, value]) => /^IMAGE_?\d+$/.test(key) && value.trim() !== ''),
  }
  return { cells, etsy }
}

const stem = (word: string) => word.replace(/s$/, '')
const stemsOf = (text: string) =>
  normalizeForSearch(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stem)

/** Finds the category whose title has the most words, all of which are in the text. */
export function findNamedCategory(
  text: string,
  categories: readonly { id: string; title: string }[],
) {
  const textStems = new Set(stemsOf(text))
  const namedCategories = categories
    .map(({ id, title }) => ({ id, stems: stemsOf(title) }))
    .filter(({ stems }) => stems.length > 0 && stems.every((stem) => textStems.has(stem)))
  return (
    namedCategories.toSorted((left, right) => right.stems.length - left.stems.length)[0]?.id ?? null
  )
}
