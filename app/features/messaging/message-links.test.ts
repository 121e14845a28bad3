import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '#test/fixtures/cpu-time.ts'
import { findLinks, MAX_LINKS } from './message-links.server.ts'

const found = (text: string) =>
  findLinks(text).map(({ from, to, href }) => [text.slice(from, to), href])

test('a link does not include the period after a URL [S-165]', () => {
  expect(found('See https://example.com/a?b=1&c=(2)#d, or www.example.de.')).toEqual([
    ['https://example.com/a?b=1&c=(2)#d', 'https://example.com/a?b=1&c=(2)#d'],
    ['www.example.de', 'https://www.example.de/'],
  ])
  expect(found('etsy.com/shop/knots “https://example.com/ä” 🧶 http://a.org')).toEqual([
    ['etsy.com/shop/knots', 'https://etsy.com/shop/knots'],
    ['https://example.com/ä', 'https://example.com/%C3%A4'],
    ['http://a.org', 'http://a.org/'],
  ])
  expect(found('(shop.com/a_(b)?c=d), www.shop.de:8080! etsy.com🧶 ä.com/https://a.com')).toEqual([
    ['shop.com/a_(b)?c=d', 'https://shop.com/a_(b)?c=d'],
    ['www.shop.de:8080', 'https://www.shop.de:8080/'],
    ['etsy.com', 'https://etsy.com/'],
    ['ä.com/https://a.com', 'https://xn--4ca.com/https://a.com'],
  ])
  expect(found('Here: https://example.com: it is')).toEqual([
    ['https://example.com', 'https://example.com/'],
  ])
  expect(found('Write to ann@mail.test')).toEqual([['ann@mail.test', 'mailto:ann@mail.test']])
})

test.for([
  'javascript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x file:///etc/passwd ftp://example.com //example.com blob:https',
  'https://bank.com@evil.com/',
  'https://user:word@evil.com/',
  'http://bank.com\\@evil.com',
  'https://example.com/\u202Egnp.exe',
  'https://exam\u200Bple.com/',
  'http://exa%6dple.com',
  'http://',
  'thanks.it was so nice.Me too, about 3.com',
  '-etsy.com x_etsy.com /etsy.com a.com-b www.80 etsy.com\\@evil.de',
])('the text %s does not become a link [S-165]', (text) => {
  expect(findLinks(text)).toEqual([])
})

test('each link in a message begins with http, https or mailto [S-165]', () => {
  const odd = `javascript: data: https:// mailto: a@b.com " ' < > \u0000 www. .com @ / \\ é`.split(
    ' ',
  )
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: 1 + next(12) }, () => odd[next(odd.length)]).join('')
    for (const [at, { from, to, href }] of findLinks(text).entries()) {
      expect(from).toBeGreaterThanOrEqual(findLinks(text)[at - 1]?.to ?? 0)
      expect(href).toMatch(/^(https?:\/\/|mailto:)/)
      expect(text.slice(from, to)).not.toMatch(/[\s<>]/)
    }
  }
})

test('a message of ten thousand characters contains at most twenty links, so that it cannot slow down the page of the conversation [S-165]', () => {
  expect(findLinks('a.com '.repeat(1600))).toHaveLength(MAX_LINKS)
  expect(findLinks('http://a.com '.repeat(700))).toHaveLength(MAX_LINKS)
})

test('the shop finds the links of a text that looks like host names without blocking other users [S-417]', async () => {
  const textOf = (hosts: number) => `${`${'|a'.repeat(31)}a.`.repeat(hosts)} etsy.com`
  expect(findLinks(textOf(6000))).toHaveLength(1)
  expect(await growthOf((hosts) => findLinks(textOf(hosts)), 1500)).toBeLessThan(ABOUT_LINEAR)
})
