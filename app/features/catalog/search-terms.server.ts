import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { colorName } from './catalog.ts'
import { namesFrom, parseSynonyms, type SearchTerm, type Vocabulary } from './search-terms.ts'

type ItemExpressions = ExpressionBuilder<Tables, 'items'>
type Named = { id: string; name: string }

/** `joined` contains the texts of all items, separated by zero bytes. `ends[i]` is the position in `joined` where the text of the item `ids[i]` ends. Searching one string is several times as fast as searching many. */
type ItemTexts = { ids: string[]; ends: number[]; joined: string }

/** The search compares the texts of items and the names of categories and colors in memory, because the database takes longer. `texts` is null if all texts together are longer than MAX_CHARACTERS. [COLOR-04] */
export type SearchVocabulary = Vocabulary & {
  categories: Named[]
  colors: Named[]
  texts: ItemTexts | null
}

/** If a word is in more items than this, the database compares the texts, because SQLite limits the number of ids in a query. */
const MAX_IDS = 500
/** Longer texts would evict other entries from the cache. */
const MAX_CHARACTERS = 4_000_000

async function readVocabulary(db: Db | Tx): Promise<SearchVocabulary> {
  const { length } = await db
    .selectFrom('items')
    .select(sql<number>`sum(length("searchText"))`.as('length'))
    .executeTakeFirstOrThrow()
  const texts =
    Number(length) <= MAX_CHARACTERS
      ? joinTexts(await db.selectFrom('items').select(['id', 'searchText']).execute())
      : null
  const items = await db.selectFrom('items').select('searchName').distinct().execute()
  const categories = await db.selectFrom('categories').select(['id', 'title as name']).execute()
  const colors = await db.selectFrom('colors').select(['id', 'name']).execute()
  const { synonyms } = await readSettings(db)
  const normalized = (named: Named[]) =>
    named.map(({ id, name }) => ({ id, name: normalizeForSearch(colorName({ name })) }))
  const named = { categories: normalized(categories), colors: normalized(colors) }
  const names = [
    ...items.map(({ searchName }) => searchName),
    ...[...named.categories, ...named.colors].map(({ name }) => name),
  ]
  return { ...named, texts, names: namesFrom(names), synonyms: parseSynonyms(synonyms) }
}

function joinTexts(rows: { id: string; searchText: string }[]): ItemTexts {
  let end = -1
  const ends = rows.map(({ searchText }) => (end += 1 + searchText.length))
  return {
    ids: rows.map(({ id }) => id),
    ends,
    joined: rows.map(({ searchText }) => searchText).join('\0'),
  }
}

/** Returns the ids of items whose text contains one of these forms of a word, or null if there are more than MAX_IDS. After each match, the search continues behind the text of the item. */
function findIds({ ids, ends, joined }: ItemTexts, forms: string[]): string[] | null {
  const found = new Set<string>()
  for (const form of forms) {
    let item = 0
    for (let at = joined.indexOf(form); at !== -1; at = joined.indexOf(form, ends[item])) {
      while (ends[item]! < at) item++
      found.add(ids[item]!)
      if (found.size > MAX_IDS) return null
    }
  }
  return [...found]
}

export const getVocabularyCached = (
  app: Pick<AppServices, 'db' | 'live'>,
): Promise<SearchVocabulary> =>
  cached(app, ['catalog', 'settings'], 'search vocabulary', () => readVocabulary(app.db))

/** Selects the ids of items that have an image in one of these colors. The query starts from `itemPictureColors`, because an index finds the rows of a color quickly. */
export const itemsWithColors = (build: ItemExpressions, colorIds: string[]) =>
  build
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .where('itemPictureColors.colorId', 'in', colorIds)
    .select('itemPictures.itemId')

const contains = (text: RawBuilder<unknown>, word: string) =>
  sql<SqlBool>`instr(${text}, ${word}) > 0`

/** Builds a condition that is true if the text, the category or a color of an item contains one of these forms of a word. */
function containsOne(
  build: ItemExpressions,
  forms: string[],
  { categories, colors, texts }: SearchVocabulary,
): Expression<SqlBool> {
  const holding = (named: Named[]) =>
    named.flatMap(({ id, name }) => (forms.some((form) => name.includes(form)) ? [id] : []))
  const [categoryIds, colorIds] = [holding(categories), holding(colors)]
  const found = texts && findIds(texts, forms)
  const ways: Expression<SqlBool>[] = []
  if (!found) ways.push(...forms.map((form) => contains(sql`"items"."searchText"`, form)))
  else if (found.length > 0) ways.push(build('items.id', 'in', found))
  if (categoryIds.length > 0) ways.push(build('items.categoryId', 'in', categoryIds))
  if (colorIds.length > 0) ways.push(build('items.id', 'in', itemsWithColors(build, colorIds)))
  return build.or(ways)
}

export const matchesTerm = (
  build: ItemExpressions,
  { words, synonyms }: SearchTerm,
  vocabulary: SearchVocabulary,
): Expression<SqlBool> =>
  build.or([
    build.and(words.map((forms) => containsOne(build, forms, vocabulary))),
    containsOne(build, synonyms, vocabulary),
  ])

export function isInName(
  build: ItemExpressions,
  { words, synonyms }: SearchTerm,
): Expression<SqlBool> {
  const nameContainsOne = (forms: string[]) =>
    build.or(forms.map((form) => contains(sql`"items"."searchName"`, form)))
  return build.or([build.and(words.map(nameContainsOne)), nameContainsOne(synonyms)])
}
