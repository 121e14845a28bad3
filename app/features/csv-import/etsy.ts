/** Reads the CSV file in which a seller downloads her listings from Etsy. The import adds each listing as a new draft. [S-297] */
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import type { ItemCells } from './item-columns.ts'
import { etsyTexts } from './texts.ts'

export type EtsyListing = { currency: string; tags: string; hasPictures: boolean }

const keyOf = (title: string) => title.trim().toUpperCase().replaceAll(' ', '_')

export function isEtsyHeader(titles: readonly string[]): boolean {
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
/** Decodes the HTML entities that Etsy writes for some characters. */
const plain = (text: string) =>
  text.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity] ?? entity).trim()
const words = (list: string) =>
  plain(list)
    .replaceAll('_', ' ')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
    .join(', ')

export function readEtsyListing(
  titles: readonly string[],
  record: readonly string[],
): { cells: ItemCells; etsy: EtsyListing } {
  const cellOf = new Map(titles.map((title, at) => [keyOf(title), record[at] ?? '']))
  const cell = (key: string) => cellOf.get(key) ?? ''
  const materials = words(cell('MATERIALS'))
  const description = plain(cell('DESCRIPTION'))
  return {
    cells: {
      name: plain(cell('TITLE')),
      description:
        materials === '' ? description : `${description}\n\n${etsyTexts.materials(materials)}`,
      price: cell('PRICE').trim(),
    },
    etsy: {
      currency: cell('CURRENCY_CODE').trim().toUpperCase(),
      tags: words(cell('TAGS')),
      hasPictures: [...cellOf].some(
        ([key, value]) => /^IMAGE_?\d+$/.test(key) && value.trim() !== '',
      ),
    },
  }
}

/** Removes the plural s, so that plural and singular are the same word. */
const stem = (word: string) => word.replace(/s$/, '')
const stemsOf = (text: string) =>
  normalizeForSearch(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stem)

/** Returns the category whose title's words are all in the text, or null. Of several such categories, returns the one whose title has the most words. */
export function findNamedCategory(
  text: string,
  categories: readonly { id: string; title: string }[],
): string | null {
  const textStems = new Set(stemsOf(text))
  const named = categories
    .map(({ id, title }) => ({ id, stems: stemsOf(title) }))
    .filter(({ stems }) => stems.length > 0 && stems.every((one) => textStems.has(one)))
  return named.toSorted((a, b) => b.stems.length - a.stems.length)[0]?.id ?? null
}
