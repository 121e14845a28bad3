import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'

test('NAV-09 NAV-10 the sections of messages and sales answer the owner', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  for (const path of ['/manage/messages/', '/manage/sales/']) {
    expect((await owner.get(path)).status).toBe(200)
    expect((await shop.visitor().get(path)).headers.get('location')).toBe('/')
  }
})
