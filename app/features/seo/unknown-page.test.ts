import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { unknownPageText } from './texts.ts'

test('an unknown URL redirects to the home page, which shows a toast about the unknown page once [OWN-86]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()

  const sent = await visitor.send('/nowhere', { headers: { 'sec-fetch-dest': 'document' } })

  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/'])
  expect(await visitor.page('/')).toContain(unknownPageText)
  expect(await visitor.page('/')).not.toContain(unknownPageText)
})

test('a request for an unknown image, script or style sheet does not cause a toast [OWN-86]', async () => {
  const shop = await openTestShop()
  for (const target of ['image', 'script', 'style']) {
    const sent = await shop
      .visitor()
      .send('/favicon.ico', { headers: { 'sec-fetch-dest': target } })
    expect([target, sent.status, sent.headers.get('set-cookie')]).toEqual([target, 302, null])
  }
})
