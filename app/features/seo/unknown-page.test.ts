import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { unknownPageText } from './texts.ts'

test('an unknown URL redirects to the home page, which shows a toast about the unknown page once [OWN-86]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()

  const response = await visitor.send('/nowhere', { headers: { 'sec-fetch-dest': 'document' } })

  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('/')
  expect(await visitor.page('/')).toContain(unknownPageText)
  expect(await visitor.page('/')).not.toContain(unknownPageText)
})

test('a request for an unknown image, script or style sheet does not cause a toast [OWN-86]', async () => {
  const shop = await openTestShop()
  for (const target of ['image', 'script', 'style']) {
    const headers = { 'sec-fetch-dest': target }
    const response = await shop.visitor().send('/favicon.ico', { headers })
    expect(response.status, target).toBe(302)
    expect(response.headers.get('set-cookie'), target).toBeNull()
  }
})
