// What only a browser shows of the contact tabs and of the About page, which turns by itself.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop({ demo: true })])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: shop.url, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}

test('CONTACT-01 CONTACT-02 the tabs go by arrow keys, keep what was typed, and the QR code opens and closes', async () => {
  const page = await open('/contact/')
  await page.getByLabel('Name').fill('Dora')
  await page.getByRole('tab', { name: 'Mail' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/tab=instagram/)
  await page.getByRole('tab', { name: 'Instagram', selected: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/tab=facebook/)
  const code = page.getByRole('img', { name: 'QR code of our Facebook page' })
  const toggle = page.getByRole('tabpanel', { name: 'Facebook' }).locator('summary')
  expect(await code.isVisible()).toBe(false)
  await toggle.click()
  expect(await code.isVisible()).toBe(true)
  await toggle.click()
  expect(await code.isVisible()).toBe(false)
  await page.getByRole('tab', { name: 'Mail' }).click()
  expect(await page.getByLabel('Name').inputValue()).toBe('Dora')
})

const current = (page: Page) => page.locator('[aria-roledescription=slide]:not([inert])').getAttribute('aria-label')
const shows = (page: Page, label: string) => page.getByRole('group', { name: label }).waitFor()

/** On a stopped clock, long after the page has settled; the jump there may have turned it once. */
async function openStopped(path: string, options: BrowserContextOptions = {}) {
  const page = await open('about:blank', options)
  const errors: string[] = []
  page.on('console', (message) => {
    // The jump of the clock makes the live channel begin anew.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('/live')) errors.push(message.text())
  })
  page.on('pageerror', (error) => void errors.push(error.message))
  await page.clock.install()
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  return Object.assign(page, { errors })
}

test('ABOUT-04 ABOUT-05 S-028 the slides advance every 10 s, wrap after the fifth, hold when paused, and the dots jump', async () => {
  const page = await openStopped('/about/')
  await page.getByRole('link', { name: 'Slide 4' }).click()
  await page.mouse.move(1, 1)
  await shows(page, '4 of 5')
  await page.clock.runFor(9999)
  expect(await current(page)).toBe('4 of 5')
  await page.clock.runFor(1)
  await shows(page, '5 of 5')
  expect(await page.getByRole('link', { name: 'Slide 5' }).getAttribute('aria-current')).toBe('true')
  await page.clock.runFor(10_000)
  await shows(page, '1 of 5')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.mouse.move(1, 1)
  await page.clock.runFor(60_000)
  expect(await current(page)).toBe('1 of 5')
  await page.getByRole('button', { name: 'Play' }).click()
  await page.mouse.move(1, 1)
  await page.clock.runFor(10_000)
  await shows(page, '2 of 5')
  expect(page.errors).toEqual([])
})

test('ABOUT-04 nothing turns under the pointer, under the focus, in a hidden tab, or for people who want no motion', async () => {
  const page = await openStopped('/about/')
  const staysFor = async (time: number) => {
    await page.clock.runFor(time)
    expect(await current(page)).toBe('1 of 5')
  }
  await page.getByRole('link', { name: 'Slide 1' }).click()
  await page.getByRole('group', { name: '1 of 5' }).hover()
  await staysFor(30_000)
  await page.mouse.move(1, 1)
  await page.getByRole('link', { name: 'Slide 1' }).focus()
  await page.keyboard.press('Tab')
  await staysFor(30_000)
  await page.getByRole('link', { name: 'Write to me' }).focus()
  const hide = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await hide(true)
  await staysFor(30_000)
  await hide(false)
  await page.clock.runFor(10_000)
  await shows(page, '2 of 5')

  const calm = await openStopped('/about/', { reducedMotion: 'reduce' })
  await calm.clock.runFor(60_000)
  expect(await current(calm)).toBe('1 of 5')
  expect(await calm.getByRole('button', { name: 'Play' }).count()).toBe(1)
})

test('ABOUT-05 the story goes by keys and by a link to one of its slides; without script it is read from top to bottom', async () => {
  const page = await open('/about/#slide-3')
  await shows(page, '3 of 5')
  await page.locator('[aria-live][tabindex="0"]').focus()
  await page.keyboard.press('ArrowRight')
  await shows(page, '4 of 5')
  await page.keyboard.press('Home')
  await shows(page, '1 of 5')

  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    const still = await open('/about/', { javaScriptEnabled: false, viewport })
    const tops = await Promise.all((await still.getByRole('group').all()).map(async (slide) => (await slide.boundingBox())!.y))
    expect(tops).toHaveLength(5)
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
    expect(new Set(tops).size).toBe(5)
    expect(await still.getByText('tie it with leftover cord').isVisible()).toBe(true)
  }
})
