import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { ensureCategories, listUntouchedCategories } from './edit-categories.server.ts'

const titlesIn = async ({ db }: Awaited<ReturnType<typeof openTestShop>>) =>
  (await db.selectFrom('categories').select('title').orderBy('position').execute()).map((row) => row.title)

test('S-163 an empty shop begins with categories, so that a first item can be saved; one that has some keeps its own', async () => {
  const shop = await openTestShop()
  await Promise.all([ensureCategories(shop), ensureCategories(shop)])
  expect(await titlesIn(shop)).toEqual(['Wall Hangings', 'Plant Hangers', 'Bags', 'Key Chains', 'Coasters', 'More'])
  expect(await (await shop.owner()).page('/manage/item/')).toMatch(/<option value="bags">Bags/)

  const other = await openTestShop()
  await addCategory(other.db, 'hats', { title: 'Hats' })
  await ensureCategories(other)
  expect(await titlesIn(other)).toEqual(['Hats'])
})

test('S-163 a category that was renamed, or that holds a piece, is no longer one nobody has touched', async () => {
  const shop = await openTestShop()
  await ensureCategories(shop)
  expect(await listUntouchedCategories(shop.db)).toHaveLength(6)

  shop.clock.now = NOON + 60_000
  await (await shop.owner()).post('/manage/category/', { intent: 'save', id: 'more', title: 'Rugs', color: '#aabbcc' })
  await addItem(shop.db, 'tote', 'bags')
  expect((await listUntouchedCategories(shop.db)).toSorted()).toEqual(['coasters', 'key-chains', 'plant-hangers', 'wall-hangings'])
})
