// One style sheet, loaded once: what a page looks like does not depend on what has been fetched in advance.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { OWNER } from './open-served-shop.ts'
import { DESK, openBrowser, signIn } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

const around = shopAndBrowser({ demo: true })
const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }

const pages = {
  visitor: ['/', '/gallery/', '/item/sunflower-coaster', '/about/', '/contact/', '/testimonials/', '/login/', '/reset-password/'],
  customer: ['/', '/gallery/', '/gallery/?favorites', '/item/sunflower-coaster', '/about/?messages=', '/account/'],
  owner: [
    ...['', 'category/', 'colors/', 'item/', 'messages/', 'replies/', 'sales/', 'reports/', 'testimonials/'].map(
      (path) => `/manage/${path}`,
    ),
    ...['discount/', 'mail/', 'history/', 'settings/', 'status/', 'backups/', 'customer-data/', 'tables/'].map((path) => `/manage/${path}`),
  ],
}

/** What decides how an element looks, of each element of the page that a pointer does not change. */
const looks = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *:not(script, noscript, link, [type=hidden], [role=status], [role=status] *)')].map(
      (element) => {
        const { display, color, backgroundColor, borderRadius, font, padding, margin, position } = getComputedStyle(element)
        const name = `${element.localName}.${element.className}`
        return [name, display, color, backgroundColor, borderRadius, font, padding, margin, position].join(' | ')
      },
    ),
  )

/** Rests on each link, as somebody who looks around: the router fetches the pages behind them. */
async function hoverLinks(page: Page) {
  for (const link of await page
    .locator('a[href^="/"]:visible')
    .all()
    .then((all) => all.slice(0, 12))) {
    await link.hover({ force: true, timeout: 2000 }).catch(() => {})
    await page.waitForTimeout(120)
  }
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle')
}

for (const [who, paths] of Object.entries(pages))
  test(`MERCH-07 every page of the ${who} looks the same before and after the pages behind its links have been fetched`, async () => {
    const { shop, browser } = around
    const page = await openBrowser(browser, shop.url, { viewport: DESK })
    onTestFinished(() => page.context().close())
    await page.emulateMedia({ reducedMotion: 'reduce' })
    if (who !== 'visitor') await signIn(page, who === 'owner' ? OWNER : CLARA)
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.mouse.move(0, 0)
      const before = await looks(page)
      expect(before.length, path).toBeGreaterThan(20)
      await hoverLinks(page)
      expect(await looks(page), path).toEqual(before)
      const sheets = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href).filter(Boolean))
      expect(sheets.length, path).toBe(1)
    }
  })
