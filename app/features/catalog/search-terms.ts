import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'

/** Contains the normalized words that a search uses: words and word pairs of the names of items, categories and colors, and groups of synonyms. */
export type Vocabulary = {
  /** Maps each key to the texts that have it. The key of a text is its singular without spaces. For example, 'key chains' has the key 'keychain'. */
  names: Map<string, string[]>
  synonyms: string[][]
}

/** An item matches the term if the item contains one form of each word, or one of the synonyms. */
export type SearchTerm = { words: string[][]; synonyms: string[] }

const MIN_LENGTH_FOR_TYPOS = 4
const MAX_SYNONYM_WORDS = 3
/** The forms of a word are limited, because each form adds a condition to the query, and SQLite refuses expressions with more than 1,000 parts. */
const MAX_FORMS = 50

/** Converts 'coasters' to 'coaster', 'berries' to 'berry', 'boxes' to 'box' and 'roses' to 'rose'. The words 'glass' and 'gas' do not change. */
export function singular(word: string): string {
  if (word.length <= 3) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|zz|tz|x|[cs]h)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** Returns the keys of a text, also those of singulars that only some plurals have, such as 'scrunchie' for 'scrunchies', 'leaf' for 'leaves' and 'bus' for 'buses'. */
function keysOf(text: string): string[] {
  const word = text.replace(/[^\p{L}\p{N}]/gu, '')
  const rare = [
    word.replace(/ies$/, 'ie'),
    word.replace(/ves$/, 'f'),
    word.replace(/ves$/, 'fe'),
    word.replace(/([sz])es$/, '$1'),
  ]
  return [word, ...rare].map(keyOf)
}

const keyOf = (text: string): string => singular(text.replace(/[^\p{L}\p{N}]/gu, ''))

/** Returns all words of the names and all pairs of neighboring words, so that the search 'keychain' finds 'key chain'. */
export function namesFrom(texts: string[]): Vocabulary['names'] {
  const found = new Set<string>()
  for (const text of texts) {
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    words.forEach((word, at) => {
      const next = words[at + 1]
      found.add(word[0])
      if (next) found.add(text.slice(word.index, next.index + next[0].length))
    })
  }
  return Map.groupBy(found, keyOf)
}

/** Reads the owner's synonyms. Each line is a group, and commas separate the words of a group. */
export const parseSynonyms = (typed: string): string[][] =>
  typed
    .split('\n')
    .map((line) =>
      line.split(',').flatMap((word) => normalizeForSearch(word).trim().replace(/\s+/g, ' ') || []),
    )
    .filter((group) => group.length > 0)

/** Returns true if the words are equal, or if they differ by one character or by two exchanged neighboring characters. */
export function isWithinOneTypo(one: string, other: string): boolean {
  if (one === other) return true
  if (
    Math.min(one.length, other.length) < MIN_LENGTH_FOR_TYPOS ||
    Math.abs(one.length - other.length) > 1
  )
    return false
  let at = 0
  while (one[at] === other[at]) at++
  const rest = (text: string, from: number) => text.slice(at + from)
  if (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1)
  )
    return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, 2) === rest(other, 2)
}

/** Adds the singular, the plural, other spellings and the synonyms of each word. With `toleratesTypos`, it also adds words of names that differ from a typed word by one typo. [OWN-90 to OWN-92] */
export function expandSearch(
  words: string[],
  { names, synonyms }: Vocabulary,
  { toleratesTypos = false } = {},
): SearchTerm[] {
  const isSame = toleratesTypos ? isWithinOneTypo : (one: string, other: string) => one === other
  const formsOf = (word: string) => {
    const similar = toleratesTypos
      ? [...names.keys()].filter((name) => isWithinOneTypo(name, keyOf(word)))
      : []
    const keys = new Set([...similar, ...keysOf(word)])
    const named = [...keys].flatMap((name) => names.get(name) ?? [])
    return [...new Set([word, ...named].flatMap((form) => [form, singular(form)]))].slice(
      0,
      MAX_FORMS,
    )
  }
  const synonymsOf = (part: string[]) => {
    const keys = keysOf(part.join(''))
    return keys[0] === ''
      ? []
      : synonyms
          .filter((group) => group.some((text) => keys.some((key) => isSame(keyOf(text), key))))
          .flat()
          .slice(0, MAX_FORMS)
  }
  const terms: SearchTerm[] = []
  for (let at = 0; at < words.length;) {
    const parts = Array.from({ length: MAX_SYNONYM_WORDS }, (_, count) =>
      words.slice(at, at + MAX_SYNONYM_WORDS - count),
    )
    const part = parts.find((some) => some.length === 1 || synonymsOf(some).length > 0) ?? []
    const alike = synonymsOf(part).flatMap((text) => [text, singular(text)])
    terms.push({ words: part.map(formsOf), synonyms: [...new Set(alike)] })
    at += part.length
  }
  return terms
}
