/**
 * Sends forms whose return URL leads to a different site. The shop must not redirect to this site.
 */
import { expect, test } from 'vitest'
import { errorsOf, listed } from '#test/fixtures/fuzz.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'

const plain = listed`
  https://evil.test/ //evil.test/ /\evil.test/ \\evil.test/ /.//evil.test/ /..//evil.test/ /a/..//evil.test/ /./\evil.test/
  /%2f%2fevil.test/ /%5cevil.test/ https:evil.test javascript:alert(1) data:text/html,<script>alert(1)</script>
  http://shop.test@evil.test/ //shop.test@evil.test/ https://shop.test.evil.test/ /。/evil。test/ //evil。test/`
const spaced = [
  '/\t/evil.test/',
  '/\n/evil.test/',
  '\t//evil.test/',
  ' //evil.test/',
  'java\tscript:alert(1)',
]
const addresses = [
  ...plain,
  ...spaced,
  '/\r\nLocation: https://evil.test/',
  '/\r\nSet-Cookie: a=b',
  '/ü',
]

/** Returns the origin of the page that a browser opens after this redirect of the login page. */
const originOf = (location: string | null | undefined) =>
  new URL(location ?? '/', `${ORIGIN}/login/`).origin

test('the shop redirects to no other site, whichever field contains the site’s URL [S-017]', async () => {
  const shop = await openTestShop()
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  for (const to of addresses) {
    const query = encodeURIComponent(to)
    const answers = [
      await ann.post('/theme', { theme: 'light', back: to }),
      await ann.post('/account/name', { name: 'Ann', back: to }),
      await shop.visitor().post('/logout', { from: to }),
      await ann.get(`/login/?messages=${query}&from=${query}&next=${query}`),
      await shop.visitor().get(`/login/google/back?state=${query}&error=${query}`),
      await guest.post(`/link-guest/?from=${query}`, { intent: 'leave', from: to }),
    ]
    expect(answers.map(({ headers }) => headers.get('refresh')).join(''), to).toBe('')
    expect(answers.map(({ headers }) => headers.get('set-cookie')).join()).not.toContain('a=b')
    const data = [
      await ann.act('/theme', { theme: 'light', back: to }),
      await shop.visitor().act('/logout', { from: to }),
    ]
    const pages = [
      await guest.page(`/link-guest/?from=${query}`),
      await shop.visitor().page(`/login/?from=${query}&messages=${query}`),
    ]
    const origins = [
      ...answers.map(({ headers }) => originOf(headers.get('location'))),
      ...data.map(({ text }) => originOf(/"redirect","([^"]*)"/.exec(text)?.[1])),
      ...[...pages.join('').matchAll(/(?:href|action)="([^"]*)"/g)].map(([, address]) =>
        originOf(address!.replaceAll('&amp;', '&')),
      ),
    ]
    expect([to, ...new Set(origins)]).toEqual([to, ORIGIN])
  }
  expect(errorsOf(shop)).toEqual([])
})
