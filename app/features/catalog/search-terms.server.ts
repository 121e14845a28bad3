import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, Tables } from '#db/schema.ts'
import type { AppServices } from '#services/context.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { readSettings } from '#settings/settings.server.ts'
import { colorName } from './catalog.ts'

export type SearchTerm = { words: string[][]; synonyms: string[] }

type ItemExpressions = ExpressionBuilder<Tables, 'items'>
type Named = { id: string; name: string }
type ItemTexts = ReturnType<typeof joinTexts>

export type SearchVocabulary = Awaited<ReturnType<typeof readVocabulary>>

/** SQLite limits the ids in a query. If more items match, the database compares the texts. */
const MAX_IDS = 500
/** If the texts together are longer, they would evict other cache entries. */
const MAX_CHARACTERS = 4_000_000

export const getVocabularyCached = (app: Pick<AppServices, 'db' | 'live'>) =>
  cached(app, ['catalog', 'settings'], 'search vocabulary', () => readVocabulary(app.db))

async function readVocabulary(db: Db) {
  const { length } = await db
    .selectFrom('items')
    .select(sql<number>`sum(length("searchText"))`.as('length'))
    .executeTakeFirstOrThrow()
  const texts =
    Number(length) <= MAX_CHARACTERS
      ? joinTexts(await db.selectFrom('items').select(['id', 'searchText']).execute())
      : null
  const items = await db.selectFrom('items').select('searchName').distinct().execute()
  const categoryRows = await db.selectFrom('categories').select(['id', 'title as name']).execute()
  const colorRows = await db.selectFrom('colors').select(['id', 'name']).execute()
  const { synonyms } = await readSettings(db)
  const categories = categoryRows.map(normalized)
  const colors = colorRows.map(normalized)
  const names = namesFrom([
    ...items.map(({ searchName }) => searchName),
    ...[...categories, ...colors].map(({ name }) => name),
  ])
  return { categories, colors, texts, names, synonyms: parseSynonyms(synonyms) }
}

const normalized = ({ id, name }: Named) => ({ id, name: normalizeForSearch(colorName({ name })) })

function joinTexts(rows: { id: string; searchText: string }[]) {
  let end = -1
  const ends = rows.map(({ searchText }) => (end += 1 + searchText.length))
  return {
    ids: rows.map(({ id }) => id),
    ends,
    text: rows.map(({ searchText }) => searchText).join('\0'),
  }
}

function findIds({ ids, ends, text }: ItemTexts, forms: string[]) {
  const foundIds = new Set<string>()
  for (const form of forms) {
    let item = 0
    let position = text.indexOf(form)
    while (position !== -1) {
      while (ends[item]! < position) item++
      foundIds.add(ids[item]!)
      if (foundIds.size > MAX_IDS) return null
      position = text.indexOf(form, ends[item])
    }
  }
  return [...foundIds]
}

export const itemsWithColors = (eb: ItemExpressions, colorIds: string[]) =>
  eb
    .selectFrom('itemImageColors')
    .innerJoin('itemImages', 'itemImages.id', 'itemImageColors.itemImageId')
    .where('itemImageColors.colorId', 'in', colorIds)
    .select('itemImages.itemId')

export const matchesTerm = (
  eb: ItemExpressions,
  { words, synonyms }: SearchTerm,
  vocabulary: SearchVocabulary,
): Expression<SqlBool> =>
  eb.or([
    eb.and(words.map((forms) => containsOne(eb, forms, vocabulary))),
    containsOne(eb, synonyms, vocabulary),
  ])

function containsOne(
  eb: ItemExpressions,
  forms: string[],
  { categories, colors, texts }: SearchVocabulary,
) {
  const idsOf = (named: Named[]) =>
    named.filter(({ name }) => forms.some((form) => name.includes(form))).map(({ id }) => id)
  const itemIds = texts && findIds(texts, forms)
  const categoryIds = idsOf(categories)
  const colorIds = idsOf(colors)
  const ways: Expression<SqlBool>[] = itemIds
    ? []
    : forms.map((form) => contains('searchText', form))
  if (itemIds && itemIds.length > 0) ways.push(eb('items.id', 'in', itemIds))
  if (categoryIds.length > 0) ways.push(eb('items.categoryId', 'in', categoryIds))
  if (colorIds.length > 0) ways.push(eb('items.id', 'in', itemsWithColors(eb, colorIds)))
  return eb.or(ways)
}

const contains = (column: 'searchText' | 'searchName', word: string) =>
  sql<SqlBool>`instr(${sql.ref(`items.${column}`)}, ${word}) > 0`

export function isInName(eb: ItemExpressions, { words, synonyms }: SearchTerm) {
  const nameContainsOne = (forms: string[]) =>
    eb.or(forms.map((form) => contains('searchName', form)))
  return eb.or([eb.and(words.map(nameContainsOne)), nameContainsOne(synonyms)])
}

const MIN_LENGTH_FOR_TYPOS = 4
const MAX_SYNONYM_WORDS = 3
/** Several words with more forms could exceed the 1,000 parts of an expression in SQLite. */
const MAX_FORMS = 50

export function singular(word: string) {
  if (word.length <= 3) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|zz|tz|x|[cs]h)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
const keyOf = (text: string) => singular(lettersOf(text))

function keysOf(text: string) {
  const word = lettersOf(text)
  const rare = [
    word.replace(/ies$/, 'ie'),
    word.replace(/ves$/, 'f'),
    word.replace(/ves$/, 'fe'),
    word.replace(/([sz])es$/, '$1'),
  ]
  return [word, ...rare].map(keyOf)
}

/** Maps a singular without spaces to words of names: 'keychain' to ['key chains']. */
export function namesFrom(texts: string[]) {
  const names = new Set<string>()
  for (const text of texts) {
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    words.forEach((word, index) => {
      const next = words[index + 1]
      names.add(word[0])
      if (next) names.add(text.slice(word.index, next.index + next[0].length))
    })
  }
  return Map.groupBy(names, keyOf)
}

const parseSynonyms = (typed: string) =>
  typed
    .split('\n')
    .map((line) =>
      line.split(',').flatMap((word) => normalizeForSearch(word).trim().replace(/\s+/g, ' ') || []),
    )
    .filter((group) => group.length > 0)

export function isWithinOneTypo(left: string, right: string) {
  if (left === right) return true
  if (
    Math.min(left.length, right.length) < MIN_LENGTH_FOR_TYPOS ||
    Math.abs(left.length - right.length) > 1
  ) {
    return false
  }
  let index = 0
  while (left[index] === right[index]) index++
  const hasSameRest = (skippedLeft: number, skippedRight: number) =>
    left.slice(index + skippedLeft) === right.slice(index + skippedRight)
  const areExchanged = left[index] === right[index + 1] && left[index + 1] === right[index]
  return (
    hasSameRest(1, 1) ||
    hasSameRest(1, 0) ||
    hasSameRest(0, 1) ||
    (areExchanged && hasSameRest(2, 2))
  )
}

/** With `toleratesTypos`, the terms include words of names that differ by one typo. [OWN-90] */
export function expandSearch(
  words: string[],
  { names, synonyms }: Pick<SearchVocabulary, 'names' | 'synonyms'>,
  { toleratesTypos = false } = {},
) {
  const isSame = toleratesTypos ? isWithinOneTypo : Object.is
  const formsOf = (word: string) => {
    const similarKeys = toleratesTypos
      ? [...names.keys()].filter((name) => isWithinOneTypo(name, keyOf(word)))
      : []
    const keys = new Set([...similarKeys, ...keysOf(word)])
    const forms = [word, ...[...keys].flatMap((key) => names.get(key) ?? [])]
    return [...new Set(forms.flatMap((form) => [form, singular(form)]))].slice(0, MAX_FORMS)
  }
  const synonymsOf = (part: string[]) => {
    const keys = keysOf(part.join(''))
    if (keys[0] === '') return []
    return synonyms
      .filter((group) => group.some((text) => keys.some((key) => isSame(keyOf(text), key))))
      .flat()
      .slice(0, MAX_FORMS)
  }
  const terms: SearchTerm[] = []
  let rest = words
  while (rest.length > 0) {
    let length = MAX_SYNONYM_WORDS
    while (length > 1 && synonymsOf(rest.slice(0, length)).length === 0) length--
    const part = rest.slice(0, length)
    const alike = synonymsOf(part).flatMap((text) => [text, singular(text)])
    terms.push({ words: part.map(formsOf), synonyms: [...new Set(alike)] })
    rest = rest.slice(length)
  }
  return terms
}
