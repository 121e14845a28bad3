// Searching and filtering the gallery in a real browser: with script and without, on a desk and on a phone, there and back.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    baseURL: shop.url,
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  await page.goto(path)
  if (options.javaScriptEnabled !== false) await awake(page)
  return page
}
/** Script has taken over the page. */
const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
/** The machine may be busy; what is waited for comes by itself. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search pieces' })
const filter = (page: Page) => page.locator('form[role=search] summary')
const names = (page: Page) => page.locator('article h2').allTextContents()
const query = (page: Page) => new URL(page.url()).search
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id)

test('GALLERY-02 typing finds pieces without losing a letter or the focus, says how many, and is one step back', async () => {
  const page = await open('/gallery/')
  const count = page.locator('header [aria-live=polite]')
  const before = await count.textContent()
  await field(page).pressSequentially('tote', { delay: 20 })
  await soon(() => query(page)).toBe('?q=tote')
  await soon(() => count.textContent()).toMatch(/^\d pieces?$/)
  expect(await field(page).inputValue()).toBe('tote')
  expect(await focused(page)).toBe('q')

  // While the answer to the first letters is held back, she types on.
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(/gallery\.data|gallery\/_\.data/, async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await field(page).pressSequentially(' z')
  await page.waitForRequest(/q=tote\+z/)
  await field(page).pressSequentially('ebra')
  release()
  await soon(() => query(page)).toBe('?q=tote+zebra')
  await page.getByText('Nothing here matches.').waitFor()
  expect(await field(page).inputValue()).toBe('tote zebra')
  expect(await focused(page)).toBe('q')

  await page.goBack()
  await soon(() => query(page)).toBe('')
  await soon(() => field(page).inputValue()).toBe('')
  await soon(() => count.textContent()).toBe(before)
  await page.context().close()
})

test('filters apply at once, stand as chips, and can be taken away by themselves or all at once', async () => {
  const page = await open('/gallery/')
  await filter(page).click()
  await page.getByLabel('Sage Green').check()
  await soon(() => query(page)).toMatch(/^\?color=[^&]+$/)
  await page.getByLabel('To', { exact: true }).fill('40')
  await soon(() => query(page)).toMatch(/^\?to=40&color=/)
  await page.getByLabel('Sort by').selectOption('Price: low to high')
  await page.getByRole('link', { name: 'Remove Up to $40.00' }).waitFor()
  await soon(() => query(page)).toMatch(/sort=price-up/)
  const prices = async () => (await page.locator('article').allTextContents()).map((text) => Number(text.match(/\$([\d.]+)(?!.*\$)/s)?.[1]))
  await soon(async () => {
    const found = await prices()
    return found.length > 1 && found.every((price, at) => price <= 40 && price >= (found[at - 1] ?? 0))
  }).toBe(true)

  await page.getByRole('link', { name: 'Remove Sage Green' }).press('Enter')
  await soon(() => page.getByLabel('Sage Green').isChecked()).toBe(false)
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('40')
  await soon(() => focused(page)).toBe('pieces')

  await page.getByRole('link', { name: 'Clear all', exact: true }).click()
  await soon(() => query(page)).toBe('')
  await soon(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('')
  expect(await page.getByLabel('Sort by').inputValue()).toBe('')

  await page.getByLabel('From', { exact: true }).fill('cheap')
  await page.getByText('A price looks like 25 or 12.50').waitFor()
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('cheap')
  await page.getByLabel('From', { exact: true }).fill('30')
  await page.getByRole('link', { name: 'Remove From $30.00' }).waitFor()
  expect(await focused(page)).toBe('from')
  await page.context().close()
})

test.for([
  ['a desk', {}],
  ['a phone', PHONE],
  ['a desk with motion', { reducedMotion: 'no-preference' as const }],
] as const)('on %s Back from an item returns to the same filters, page and place', async ([, options]) => {
  const page = await open('/gallery/?from=1&sort=name', options)
  const first = await names(page)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await soon(() => names(page)).not.toEqual(first)
  await soon(() => page.evaluate(() => Math.round(document.querySelector('#pieces')!.getBoundingClientRect().top))).toBeLessThan(120)
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
  await page.context().close()
})

test('without script the form asks for the same addresses, and the pages are links', async () => {
  const page = await open('/gallery/', { javaScriptEnabled: false, ...PHONE })
  await field(page).fill('wall')
  await filter(page).click()
  await page.getByLabel('On sale').check()
  await page.getByLabel('Sort by').selectOption('Price: high to low')
  await page.getByRole('button', { name: /^Show \d+ pieces$/ }).click()
  await page.getByRole('link', { name: 'Remove On sale' }).waitFor()
  expect(await field(page).inputValue()).toBe('wall')
  expect((await names(page)).length).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Remove “wall”' }).click()
  await page.waitForURL(/\/gallery\/\?sale=on&sort=price-down$/)

  await page.goto('/gallery/')
  const first = await names(page)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(/page=2/)
  expect((await names(page)).some((name) => first.includes(name))).toBe(false)
  await page.context().close()
})

test('GALLERY-03 on a phone the first pieces show on the first screen, the filters cover nothing until asked for, and nothing scrolls sideways', async () => {
  for (const path of ['/gallery/', '/gallery/bags', '/gallery/?q=wall&sale=on&from=1&to=2000']) {
    const page = await open(path, PHONE)
    const card = (await page.locator('article').first().boundingBox())!
    expect([path, card.y < 560]).toEqual([path, true])
    await filter(page).click()
    await page.getByText('Show only').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.getByRole('button', { name: /^Show \d+ pieces?$/ }).click()
    await page.getByText('Show only').waitFor({ state: 'hidden' })
    await page.context().close()
  }
})

test('GALLERY-01 a very long category name is cut after two lines, in the strip of a phone and in the list at the side', async () => {
  const page = await open('/gallery/', PHONE)
  const grow = () =>
    page.locator('details nav li:nth-child(3) a').evaluate((link) => {
      link.querySelector('span')!.textContent = 'Something knotted very long '.repeat(3) + 'andwithoutanyspacestobreakatwhatsoever'
      return link.getBoundingClientRect().height
    })
  expect(await grow()).toBeLessThan(110)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await grow()).toBeLessThan(60)
  await page.context().close()
})

test('draws the icons from the sprite, with script and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open('/gallery/', { javaScriptEnabled })
    const use = page.locator('footer use')
    // A drawing that the browser did not get, or that the security policy refused, has no size.
    await soon(() => use.evaluate((element) => (element as SVGUseElement).getBBox().width)).toBeGreaterThan(10)
    await page.context().close()
  }
})
