import { expect, test } from 'vitest'
import { addCategory } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

test('the shop removes control characters and bidirectional overrides from titles [S-133]', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  const owner = await shop.owner()
  await owner.act('/manage/category/', {
    intent: 'save',
    id: 'walls',
    title: 'Wa\u0007\u001b\u009b\u202e\u2067lls',
    color: '#b5764f',
  })
  expect(await shop.db.selectFrom('categories').select('title').execute()).toEqual([
    { title: 'Walls' },
  ])
})
