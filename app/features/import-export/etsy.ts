import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import type { ItemCells } from './item-columns.ts'
import { etsyTexts } from './texts.ts'

export type EtsyListing = { currency: string; tags: string; hasImages: boolean }

/** Etsy's columns before the images, and their titles in the languages of its shops. */
const etsyColumns = {
  title: 'title titel titre titolo titulo tytul',
  description:
    'description beschreibung descrizione descripcion beschrijving omschrijving opis descricao',
  price: 'price preis prix prezzo precio prijs cena preco',
  currency:
    'currency_code wahrungscode wahrung code_devise code_de_devise codice_valuta codigo_de_moneda valutacode kod_waluty codigo_da_moeda',
  quantity: '',
  tags: '',
  materials: '',
}
type EtsyColumn = keyof typeof etsyColumns
const columnNames = Object.keys(etsyColumns) as EtsyColumn[]

const keyOf = (title: string) =>
  normalizeForSearch(title.trim()).replaceAll(' ', '_').replaceAll('ł', 'l')

const isTitleOf = (column: EtsyColumn, title: string) =>
  etsyColumns[column].split(' ').includes(keyOf(title))

/** The sequence of the columns is the same in each language. */
export const isEtsyHeader = (titles: readonly string[]) =>
  (['title', 'description', 'price', 'currency'] as const).every((column, index) =>
    isTitleOf(column, titles[index] ?? ''),
  )

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
  const cell = (column: EtsyColumn) => record[columnNames.indexOf(column)] ?? ''
  const materials = words(cell('materials'))
  const description = plain(cell('description'))
  const cells: ItemCells = {
    name: plain(cell('title')),
    description:
      materials === '' ? description : `${description}\n\n${etsyTexts.materials(materials)}`,
    price: cell('price').trim(),
  }
  const etsy: EtsyListing = {
    currency: cell('currency').trim().toUpperCase(),
    tags: words(cell('tags')),
    hasImages: imageColumns(titles).some((index) => record[index]?.trim()),
  }
  return { cells, etsy }
}

/** The columns of the images are numbered in each language, such as IMAGE1 or BILD1. */
const imageColumns = (titles: readonly string[]) =>
  titles.flatMap((title, index) =>
    index >= columnNames.length && /^\p{L}+_?\d+$/u.test(keyOf(title)) ? [index] : [],
  )

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
