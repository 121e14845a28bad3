import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { hold, overflow, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const open = (path: string, options: BrowserContextOptions = {}) =>
  here.open(path, { reducedMotion: 'reduce', ...options })
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search pieces' })
const filter = (page: Page) => page.locator('form[role=search] summary')
const names = (page: Page) => page.locator('article h2').allTextContents()
const query = (page: Page) => new URL(page.url()).search
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id)

test('while a visitor types, the search finds items, keeps every character and the focus, and adds one history entry', async () => {
  const page = await open('/gallery/')
  const count = page.locator('header [aria-live=polite]')
  const before = await count.textContent()
  await field(page).pressSequentially('tote', { delay: 20 })
  await soon(() => query(page)).toBe('?q=tote')
  await soon(() => count.textContent()).toMatch(/^\d pieces?$/)
  expect(await field(page).inputValue()).toBe('tote')
  expect(await focused(page)).toBe('q')

  // The visitor continues typing while the response to the first characters is delayed.
  const letGo = await hold(page, /gallery\.data|gallery\/_\.data/)
  await Promise.all([page.waitForRequest(/q=tote\+z/), field(page).pressSequentially(' z')])
  await field(page).pressSequentially('ebra')
  letGo()
  await soon(() => query(page)).toBe('?q=tote+zebra')
  await page.getByText('No items match.').waitFor()
  expect(await field(page).inputValue()).toBe('tote zebra')
  expect(await focused(page)).toBe('q')

  await page.goBack()
  await soon(() => query(page)).toBe('')
  await soon(() => field(page).inputValue()).toBe('')
  await soon(() => count.textContent()).toBe(before)
})

test('if a second search starts before React has rendered the first search, both searches share one history entry', async () => {
  const page = await open('/gallery/')
  // Starts the second search right after the browser's URL has changed.
  await field(page).evaluate((input: HTMLInputElement) => {
    const push = history.pushState.bind(history)
    history.pushState = (...entry) => {
      push(...entry)
      input.value = 'wall hang'
      queueMicrotask(() => input.form!.requestSubmit())
    }
  })
  await field(page).pressSequentially('wall')
  await soon(() => query(page)).toBe('?q=wall+hang')
  await page.goBack()
  await soon(() => query(page)).toBe('')
})

test('filters of the gallery apply immediately, and a visitor can remove one filter or all filters', async () => {
  const page = await open('/gallery/')
  await filter(page).click()
  await page.getByLabel('Sage Green').check()
  await soon(() => query(page)).toMatch(/^\?color=[^&]+$/)
  await page.getByLabel('To', { exact: true }).fill('40')
  await soon(() => query(page)).toMatch(/^\?to=40&color=/)
  await page.getByLabel('Sort by').selectOption('Price: low to high')
  await page.getByRole('link', { name: 'Remove Up to $40.00' }).waitFor()
  await soon(() => query(page)).toMatch(/sort=price-up/)
  // The URL changes before React renders the new links, so the test waits for the link that keeps
  // the chosen order.
  await page.locator('a[aria-label="Remove Sage Green"][href*="sort=price-up"]').press('Enter')
  await soon(() => page.getByLabel('Sage Green').isChecked()).toBe(false)
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('40')
  await soon(() => focused(page)).toBe('pieces')

  await page.getByRole('link', { name: 'Clear all', exact: true }).click()
  await soon(() => query(page)).toBe('')
  await soon(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('')
  expect(await page.getByLabel('Sort by').inputValue()).toBe('')

  await page.getByLabel('From', { exact: true }).fill('30')
  await page.getByRole('link', { name: 'Remove From $30.00' }).waitFor()
  expect(await focused(page)).toBe('from')
})

test('Back from an item restores the filters, the page and the scroll position', async () => {
  const page = await open('/gallery/?from=1&sort=name', { viewport: PHONE })
  const first = await names(page)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await soon(() => names(page)).not.toEqual(first)
  await soon(() =>
    page.evaluate(() => Math.round(document.querySelector('#pieces')!.getBoundingClientRect().top)),
  ).toBeLessThan(120)
  expect(await focused(page)).toBe('pieces')
  const shown = await names(page)
  const article = page.locator('article').nth(12)
  await article.scrollIntoViewIfNeeded()
  await page.waitForFunction(() => {
    const [before, now] = [(window as { seen?: number }).seen, scrollY]
    ;(window as { seen?: number }).seen = now
    return before === now
  })
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(300)
  await article.getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: shown[12] }).waitFor()

  await page.goBack()
  await soon(() => names(page)).toEqual(shown)
  expect(query(page)).toBe('?from=1&sort=name&page=2')
  await page.getByRole('link', { name: 'Remove From $1.00' }).waitFor()
  await soon(() => page.evaluate(() => scrollY)).toBe(place)
})

test(
  'on a phone, the filters of the gallery open on demand, so that the items start in the top 320 pixels [GALLERY-03, OWN-104]',
  { tags: ['core'] },
  async () => {
    for (const [path, most] of [
      ['/gallery/', 320],
      ['/gallery/bags', 320],
      ['/gallery/?q=wall&sale=on&from=1&to=2000', 380],
    ] as const) {
      const page = await open(path, { viewport: PHONE })
      const card = (await page.locator('article').first().boundingBox())!
      expect(card.y <= most, path).toBe(true)
      const [ofFilter, ofOrder] = [
        (await filter(page).boundingBox())!,
        (await page.getByLabel('Sort by').boundingBox())!,
      ]
      expect(Math.abs(ofFilter.y - ofOrder.y)).toBeLessThan(4)
      await filter(page).click()
      await page.getByText('Show only').waitFor()
      expect(await overflow(page)).toBe(0)
      const show = page.getByRole('button', { name: /^Show \d+ pieces?$/ })
      const { y, height } = (await show.boundingBox())!
      expect(y + height).toBeLessThanOrEqual(PHONE.height)
      expect(y).toBeGreaterThan(PHONE.height - 100)
      await show.click()
      await page.getByText('Show only').waitFor({ state: 'hidden' })
    }
  },
)

test(
  'on a phone a search scrolls to the first results, also without JavaScript [OWN-105]',
  { tags: ['core'] },
  async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open('/gallery/', { viewport: PHONE, javaScriptEnabled })
      await field(page).fill('hanger')
      await field(page).press('Enter')
      await soon(() => query(page)).toMatch(/q=hanger/)
      await soon(async () => (await page.locator('article').first().boundingBox())!.y).toBeLessThan(
        260,
      )
      if (javaScriptEnabled) expect(await focused(page)).toBe('pieces')
    }
  },
)

test('the gallery truncates a long category name after two lines, on a phone and in the side list of a wide screen [GALLERY-01]', async () => {
  const page = await open('/gallery/', { viewport: PHONE })
  const grow = () =>
    page.locator('details nav li:nth-child(3) a').evaluate((link) => {
      link.querySelector('span')!.textContent =
        'Something knotted very long '.repeat(3) + 'andwithoutanyspacestobreakatwhatsoever'
      return link.getBoundingClientRect().height
    })
  expect(await grow()).toBeLessThan(110)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await grow()).toBeLessThan(60)
})

test.each([true, false])(
  'the page shows the icons of the sprite file (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const page = await open('/gallery/', { javaScriptEnabled })
    // An icon that the browser did not load, or that the Content-Security-Policy blocked, has no
    // size.
    const icon = page.locator('footer use')
    await soon(() =>
      icon.evaluate((element) => (element as SVGUseElement).getBBox().width),
    ).toBeGreaterThan(10)
  },
)
