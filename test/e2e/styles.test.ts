// Visitors and customers load one style sheet, and the owner's pages one more.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CLARA, DESK, isHydrated, OWNER, shopAndBrowser } from '#test/fixtures/browser.ts'

const here = shopAndBrowser({ isShared: true })

const sections = [
  '',
  'category/',
  'colors/',
  'item/',
  'messages/',
  'replies/',
  'sales/',
  'reports/',
  'testimonials/',
  'discount/',
  'mail/',
  'history/',
  'settings/',
  'status/',
  'backups/',
  'customer-data/',
  'import-export/',
]
const people = [
  {
    who: 'a visitor',
    as: undefined,
    styleSheets: ['shop'],
    paths: [
      '/',
      '/gallery/',
      '/item/sunflower-coaster',
      '/about/',
      '/contact/',
      '/testimonials/',
      '/login/',
      '/reset-password/',
    ],
  },
  {
    who: 'a customer',
    as: CLARA,
    styleSheets: ['shop'],
    paths: [
      '/',
      '/gallery/',
      '/gallery/?favorites',
      '/item/sunflower-coaster',
      '/about/?messages=',
      '/account/',
      '/account/orders/',
    ],
  },
  {
    who: 'the owner',
    as: OWNER,
    styleSheets: ['admin', 'shop'],
    paths: sections.map((path) => `/manage/${path}`),
  },
]

/**
 * Milliseconds for which the pointer rests on a link. React Router prefetches the page of the link
 * after 100 ms.
 */
const REST_MS = 120

async function hoverLinks(page: Page) {
  for (const link of (await page.locator('a[href^="/"]:visible').all()).slice(0, 12)) {
    await link.hover({ force: true, timeout: 2000 }).catch(() => {})
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), REST_MS)
  }
  await page.mouse.move(0, 0)
}

/** The names of the style sheets of the page, such as 'shop'. */
const styleSheetsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.styleSheets]
      .flatMap(({ href }) => /\/assets\/(\w+)-[^/]*\.css/.exec(href ?? '')?.[1] ?? [])
      .sort(),
  )

test.each(people)(
  'the pages of $who load the style sheets $styleSheets, even after the pointer was over links',
  async ({ as, paths, styleSheets }) => {
    const page = await here.open(paths[0]!, {
      viewport: DESK,
      reducedMotion: 'reduce',
      ...(as && { as }),
    })
    for (const path of paths) {
      await page.goto(path)
      await isHydrated(page)
      await hoverLinks(page)
      expect(await styleSheetsOf(page), path).toEqual(styleSheets)
    }
  },
)
