import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { fold } from './fold.ts'

test('texts are folded of capitals, accents and wide letters', () => {
  expect(fold('Crème BRÛLÉE Ångström ﬁn ＡＢＣ')).toBe('creme brulee angstrom fin abc')
  expect(fold('100%_\\ 🧶')).toBe('100%_\\ 🧶')
})

test('the database folds as JavaScript does', async () => {
  const { db } = await openTestShop()
  const folded = async (text: string) => (await sql<{ folded: string }>`select fold(${text}) as folded`.execute(db)).rows[0]?.folded
  const latin = fc.array(fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code))).map((letters) => letters.join(''))
  const combined = fc.array(fc.constantFrom('e\u0301', 'E\u0301', 'ﬁ', 'Ａ', '🧶', '%', "'", 'Ñ', ' ')).map((letters) => letters.join(''))
  await fc.assert(
    fc.asyncProperty(fc.oneof(latin, combined), async (text) => {
      expect(await folded(text)).toBe(fold(text))
    }),
  )
})
