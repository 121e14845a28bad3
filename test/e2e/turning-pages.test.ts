// What only a browser shows of the pages that turn by themselves, the contact tabs and the write page.
import { DatabaseSync } from 'node:sqlite'
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

test('ABOUT-04 ABOUT-05 S-028 the slides advance every 10 s, wrap after the fifth, hold when paused, and the dots jump', async () => {
  const page = await open('about:blank')
  await page.clock.install()
  await page.goto('/about/', { waitUntil: 'networkidle' })
  const current = () => page.locator('[aria-roledescription=slide]:not([hidden])').getAttribute('aria-label')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('link', { name: 'Slide 4' }).click()
  await page.mouse.move(1, 1)
  expect(await current()).toBe('4 of 5')
  await page.clock.runFor(9900)
  expect(await current()).toBe('4 of 5')
  await page.clock.runFor(200)
  await page.getByRole('article', { name: '5 of 5' }).waitFor()
  await page.clock.runFor(10_000)
  await page.getByRole('article', { name: '1 of 5' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.mouse.move(1, 1)
  await page.clock.runFor(60_000)
  expect(await current()).toBe('1 of 5')
})

test('TESTI-02 TESTI-03 S-042 the testimonies change every 7 s with a fade of 300 ms; a neighbour starts the time anew', async () => {
  const page = await open('about:blank')
  await page.clock.install()
  await page.goto('/testimonials/', { waitUntil: 'networkidle' })
  const name = () => page.locator('article h2').textContent()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('link', { name: /^Next writer/ }).click()
  await page.mouse.move(1, 1)
  const first = await name()
  expect(await page.locator('article').evaluate((card) => getComputedStyle(card).animationDuration)).toBe('0.3s')
  await page.clock.runFor(6900)
  expect(await name()).toBe(first)
  await page.clock.runFor(200)
  await page.waitForFunction((before) => document.querySelector('article h2')?.textContent !== before, first)
  await page.getByRole('link', { name: /^Previous writer/ }).click()
  expect(await name()).toBe(first)
})

/** A ticket of the demo shop, not yet used. */
function openTicket(): { id: string; writerEmail: string } {
  const db = new DatabaseSync(`${shop.dataDir}/shop.db`, { timeout: 5000 })
  db.exec(`update testimonies set "isAvailable" = 1, testimony = '' where "writerEmail" = 'henry@example.com'`)
  const { id } = db.prepare(`select id from testimonies where "writerEmail" = 'henry@example.com'`).get() as { id: string }
  db.close()
  return { id, writerEmail: 'henry@example.com' }
}

test('TESTI-16 TESTI-17 TESTI-18 TESTI-19 TESTI-21 TESTI-22 TESTI-24 S-043 the input locks as soon as the e-mail matches, and the steps open 1 s apart', async () => {
  const ticket = openTicket()
  const page = await open('about:blank', { viewport: { width: 360, height: 740 } })
  await page.clock.install()
  await page.goto(`/writetestimonials/${ticket.id}`, { waitUntil: 'networkidle' })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const email = page.getByLabel('Email')
  const [items, text, submit] = [
    page.getByText('Your items'),
    page.getByLabel('Your testimony'),
    page.getByRole('button', { name: 'Submit' }),
  ]

  await email.fill(ticket.writerEmail.toUpperCase())
  await page.clock.runFor(500)
  await page.getByRole('alert').waitFor()
  expect(await email.isEditable()).toBe(true)

  await email.fill(ticket.writerEmail)
  await page.clock.runFor(500)
  await page.getByText("You're All set!").waitFor()
  expect(await email.isEditable()).toBe(false)
  for (const step of [items, text, submit]) {
    await page.clock.runFor(900)
    expect(await step.count()).toBe(0)
    await page.clock.runFor(150)
    await step.waitFor()
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await text.fill('It holds my fern.')
  await submit.click()
  await page.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()
})
