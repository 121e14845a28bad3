// Checks that React Router prefetches no second style sheet. A second style sheet would change the look of the current page.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CLARA, DESK, isHydrated, OWNER, shopAndBrowser } from '#test/fixtures/browser.ts'

const here = shopAndBrowser({ demo: true })

const sections = [
  ...[
    '',
    'category/',
    'colors/',
    'item/',
    'messages/',
    'replies/',
    'sales/',
    'reports/',
    'testimonials/',
  ],
  ...[
    'discount/',
    'mail/',
    'history/',
    'settings/',
    'status/',
    'backups/',
    'customer-data/',
    'tables/',
  ],
]
const people = [
  {
    who: 'a visitor',
    as: undefined,
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
  { who: 'the owner', as: OWNER, paths: sections.map((path) => `/manage/${path}`) },
]

/** Milliseconds for which the pointer rests on a link. React Router prefetches the page of the link after 100 ms. */
const REST_MS = 120

async function hoverLinks(page: Page) {
  for (const link of (await page.locator('a[href^="/"]:visible').all()).slice(0, 12)) {
    await link.hover({ force: true, timeout: 2000 }).catch(() => {})
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), REST_MS)
  }
  await page.mouse.move(0, 0)
}

test.each(people)(
  'the pages of $who have one style sheet, even after the pointer was over their links',
  async ({ as, paths }) => {
    const page = await here.open(paths[0]!, {
      viewport: DESK,
      reducedMotion: 'reduce',
      ...(as && { as }),
    })
    for (const path of paths) {
      await page.goto(path)
      await isHydrated(page)
      await hoverLinks(page)
      expect(
        await page.evaluate(() => [...document.styleSheets].filter(({ href }) => href).length),
        path,
      ).toBe(1)
    }
  },
)
