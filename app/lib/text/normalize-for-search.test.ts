import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { normalizeForSearch } from './normalize-for-search.ts'

test('converts a text for the search to lower case, and removes accents and full-width forms', () => {
  expect(normalizeForSearch('Crème BRÛLÉE Ångström ﬁn ＡＢＣ')).toBe(
    'creme brulee angstrom fin abc',
  )
  expect(normalizeForSearch('100%_\\ 🧶')).toBe('100%_\\ 🧶')
})

test('the database normalizes a text for the search in the same way as JavaScript', async () => {
  const { db } = await openTestShop()
  const folded = async (text: string) =>
    (await sql<{ folded: string }>`select fold(${text}) as folded`.execute(db)).rows[0]?.folded
  const latin = fc
    .array(fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)))
    .map((characters) => characters.join(''))
  const combined = fc
    .array(fc.constantFrom('e\u0301', 'E\u0301', 'ﬁ', 'Ａ', '🧶', '%', "'", 'Ñ', ' '))
    .map((characters) => characters.join(''))
  await fc.assert(
    fc.asyncProperty(fc.oneof(latin, combined), async (text) => {
      expect(await folded(text)).toBe(normalizeForSearch(text))
    }),
  )
})
