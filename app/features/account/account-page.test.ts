import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'

test('S-012 the account page is there for customers and the owner, with its entry in the menu', async () => {
  const shop = await openTestShop()
  for (const somebody of [await shop.customer(), await shop.owner()]) {
    expect(await somebody.page('/about/')).toMatch(/<a [^>]*href="\/account\/"[^>]*>.*?Account<\/a>/)
    const response = await somebody.get('/account/')
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await response.text()).toMatch(/<h1[^>]*>Account<\/h1>/)
  }
})

test('S-012 visitors and guests are sent to the login, which leads a guest home, and see nothing of it', async () => {
  const shop = await openTestShop()
  for (const stranger of [shop.visitor(), await shop.guest()]) {
    expect(await stranger.page('/about/')).not.toContain('href="/account/"')
    for (const path of ['/account/', '/account.data', '/account.data?_routes=routes%2Faccount%2Faccount']) {
      const response = await stranger.get(path)
      expect([302, 202]).toContain(response.status)
      expect(response.headers.get('location') ?? (await response.text())).toContain('/login')
    }
  }
})
