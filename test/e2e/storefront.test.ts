// What a visitor and a customer see of the shop window, in a real browser.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suffixWords } from '#app/features/home/showcase.ts'
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

async function open(
  path: string,
  { width = 1280, height = 800, ...options }: BrowserContextOptions & { width?: number; height?: number } = {},
) {
  const context = await browser.newContext({ viewport: { width, height }, baseURL: shop.url, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await page.goto(path)
  return page
}
/** The machine may be busy; what is waited for comes by itself. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
/** Script has taken over the page. */
const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
async function enterAsGuest(page: Page) {
  const back = page.url()
  await page.goto('/login/')
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL(`${shop.url}/`)
  await page.goto(back)
  await awake(page)
}
const sidewards = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const heart = (page: Page, name: string) => page.getByRole('button', { name: `Favorite: ${name}` }).first()

test('HOME-05 HOME-06 HOME-07 the word changes every 5 seconds through sixteen words, and pauses on demand, on hover, on focus and in a hidden tab', async () => {
  const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.clock.install({ time: '2026-03-04T12:00:00Z' })
  await page.goto('/')
  const word = page.getByTestId('suffix')
  const stop = page.getByRole('button', { name: 'Pause the changing words' })
  const go = page.getByRole('button', { name: 'Let the words change' })
  await stop.click()
  await page.clock.pauseAt('2026-03-04T13:00:00Z')
  const first = suffixWords.indexOf((await word.textContent()) as (typeof suffixWords)[number])
  await page.clock.runFor(20_000)
  expect(await word.textContent()).toBe(suffixWords[first])

  await go.click()
  await stop.waitFor()
  for (let turn = 1; turn <= 16; turn++) {
    await page.clock.runFor(4999)
    expect(await word.textContent()).toBe(suffixWords[(first + turn - 1) % 16])
    await page.clock.runFor(1)
    expect(await word.textContent()).toBe(suffixWords[(first + turn) % 16])
  }

  await word.hover()
  await page.clock.runFor(20_000)
  expect(await word.textContent()).toBe(suffixWords[first])

  await page.getByRole('link', { name: 'Look through the gallery' }).focus()
  await page.mouse.move(5, 790)
  await page.clock.runFor(20_000)
  expect(await word.textContent()).toBe(suffixWords[first])

  await page.getByRole('link', { name: 'Look through the gallery' }).blur()
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }))
  await page.clock.runFor(20_000)
  expect(await word.textContent()).toBe(suffixWords[first])
  await context.close()
})

test('HOME-05 the word stands still for those who want less motion', async () => {
  const context = await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto('/')
  await awake(page)
  await page.clock.runFor(30_000)

  expect(await page.getByTestId('suffix').textContent()).toBe(suffixWords[0])
  expect(await page.getByRole('button', { name: 'Pause the changing words' }).count()).toBe(0)
  await context.close()
})

test('HOME-02 HOME-03 HOME-04 a click on a circle turns it to the front and puts it in the centre, which leads to its gallery', async () => {
  const page = await open('/')
  await awake(page)
  const circle = page.getByRole('link', { name: 'Bags', exact: true })
  await circle.click()

  const top = async (name: string) => (await page.getByRole('link', { name, exact: true }).boundingBox())!.y
  await soon(async () => (await top('Bags')) < (await top('Wall Hangings'))).toBe(true)
  expect(await circle.getAttribute('aria-current')).toBe('true')
  await page.getByRole('link', { name: 'See Bags in the gallery' }).click()
  await page.waitForURL(`${shop.url}/gallery/bags`)
  await page.context().close()
})

test('HOME-13 HOME-14 S-025 View All shows every colour in place, and a second press twelve again', async () => {
  const page = await open('/')
  const colors = page.locator('#colors li')
  expect(await colors.count()).toBe(12)

  await page.getByRole('button', { name: 'View All' }).click()
  await soon(() => colors.count()).toBe(18)
  await page.getByRole('button', { name: 'View All' }).click()
  await soon(() => colors.count()).toBe(12)
  await page.context().close()
})

test('HOME-17 Back to Top scrolls to the top', async () => {
  const page = await open('/', { width: 360, height: 740 })
  const back = page.getByRole('link', { name: 'Back to Top' })
  await back.scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500)

  await back.click()
  await page.waitForFunction(() => scrollY === 0)
  await page.context().close()
})

test('GALLERY-01 GALLERY-03 GALLERY-04 GALLERY-05 at 768 px the categories are a panel, at 769 px a list at the side', async () => {
  const page = await open('/gallery/', { width: 768 })
  await awake(page)
  const panel = page.locator('details', { hasText: 'Categories' })
  const inPanel = panel.getByRole('link', { name: 'Coasters' })
  expect(await inPanel.isVisible()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Categories' }).isVisible()).toBe(false)

  await inPanel.click()
  await page.waitForURL(`${shop.url}/gallery/coasters`)
  await page.getByRole('heading', { level: 1, name: 'Coasters' }).waitFor()
  expect(await inPanel.isVisible()).toBe(false)
  await panel.locator('summary').click()
  expect(await inPanel.isVisible()).toBe(true)

  await panel.locator('summary').click()
  await page.setViewportSize({ width: 769, height: 800 })
  expect(await panel.locator('summary').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { name: 'Categories' }).isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Earrings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Earrings' }).waitFor()
  await page.context().close()
})

test('GALLERY-11 FAV-02 FAV-03 the heart fills at once, goes back with a message when it fails, and follows in another tab', async () => {
  const page = await open('/gallery/garlands')
  await enterAsGuest(page)
  const name = (await page.locator('article h2').first().textContent())!
  const other = await page.context().newPage()
  await other.goto('/gallery/garlands')
  await awake(other)

  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/favourite.data*', async (route) => {
    await held
    await route.continue()
  })
  await heart(page, name).click()
  await soon(() => heart(page, name).getAttribute('aria-pressed')).toBe('true')
  expect(await heart(other, name).getAttribute('aria-pressed')).toBe('false')
  release()
  await soon(() => heart(other, name).getAttribute('aria-pressed')).toBe('true')

  await page.unroute('**/favourite.data*')
  await page.context().setOffline(true)
  await heart(page, name).click()
  await page.getByText('Your favorite could not be saved. Please try again.').waitFor()
  expect(await heart(page, name).getAttribute('aria-pressed')).toBe('true')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Garlands')

  await page.context().setOffline(false)
  await page.goto('/gallery/?favorites')
  await awake(page)
  await heart(page, name).click()
  await page.getByText('No favorites yet.').waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.context().close()
})

test('ROLES-01 ROLES-02 the shop window works without script, and nothing scrolls sideways on a small phone', async () => {
  const page = await open('/', { javaScriptEnabled: false, width: 320, height: 640 })
  await page.getByRole('link', { name: 'Coasters', exact: true }).click()
  await page.getByRole('link', { name: 'See Coasters in the gallery' }).waitFor()
  await page.getByRole('button', { name: 'View All' }).click()
  await page.locator('#colors li').nth(17).waitFor()
  expect(await page.locator('#colors li').count()).toBe(18)
  await page.goto('/item/three-diamonds-wall-hanging')
  await page.getByRole('link', { name: 'Picture 3 of 4' }).click()
  await page.locator('figcaption', { hasText: 'Shown in Sage Green' }).waitFor()
  await page.context().close()

  for (const path of ['/', '/gallery/', '/gallery/bags', '/item/sunflower-coaster']) {
    const phone = await open(path, { width: 320, height: 640 })
    expect([path, await sidewards(phone)]).toEqual([path, 0])
    await phone.context().close()
  }
})
