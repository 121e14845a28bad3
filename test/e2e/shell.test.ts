// The owner's way through her sections, in a real browser: what only a finger, the keyboard and the width can show.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { axe } from './axe.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

async function openShell(path: string, { width = 360, height = 740, javaScriptEnabled = true } = {}): Promise<Page> {
  const page = await openBrowser(browser, shop.url, { viewport: { width, height }, javaScriptEnabled })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto(path)
  if (javaScriptEnabled) await page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
  return page
}

test('ADMIN-SHELL-02 ADMIN-SHELL-03 at 360 px the folded list shows all sections at once, leads on, folds itself, and goes back', async () => {
  const page = await openShell('/manage/')
  const folded = page.locator('details', { has: page.locator('nav[aria-label="Manage Website"]') })
  const summary = folded.locator('summary')
  const links = folded.getByRole('link')
  expect(await summary.innerText()).toBe('Manage Website')
  expect(await links.count()).toBe(0)

  await summary.click()
  for (const name of ['Categories', 'Colors', 'Merchandise', 'Messages', 'Sales', 'Discounts'])
    await folded.getByRole('link', { name, exact: true }).waitFor()
  for (const link of await links.all()) {
    const box = (await link.boundingBox())!
    expect(box.height).toBeGreaterThanOrEqual(44)
    expect(box.y + box.height, 'all of them without scrolling').toBeLessThanOrEqual(740)
    expect(box.x + box.width).toBeLessThanOrEqual(360)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect((await axe(page).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  await folded.getByRole('link', { name: 'Messages', exact: true }).click()
  await page.waitForURL('**/manage/messages/')
  await expect.poll(() => summary.innerText()).toBe('Messages')
  expect(await links.count()).toBe(0)

  await summary.click()
  await folded.getByRole('link', { name: 'Messages', exact: true }).click()
  await links.first().waitFor({ state: 'hidden' })
  await summary.click()
  await links.first().waitFor()
  await page.goBack()
  await page.waitForURL('**/manage/')
  await expect.poll(() => summary.innerText()).toBe('Manage Website')
  expect(await links.count()).toBe(0)
})

test('ADMIN-SHELL-02 the list opens by keyboard; Escape folds it and leaves the keyboard at its name', async () => {
  const page = await openShell('/manage/sales/')
  const summary = page.locator('summary', { hasText: 'Sales' })
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Messages')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Messages', exact: true }).count()).toBe(0)
  expect(await focused()).toBe('Sales')
})

test('ADMIN-SHELL-02 without script the list opens and leads on as well', async () => {
  const page = await openShell('/manage/sales/', { javaScriptEnabled: false })
  await page.locator('summary', { hasText: 'Sales' }).click()
  await page.getByRole('link', { name: 'Colors', exact: true }).click()
  await page.locator('summary', { hasText: 'Colors' }).waitFor()
})

test('ADMIN-SHELL-01 on a wide screen the list stands beside the section, marks it, and stays while she scrolls', async () => {
  const page = await openShell('/manage/item/', { width: 1280, height: 800 })
  const side = page.getByRole('navigation', { name: 'Manage Website' })
  const merchandise = side.getByRole('link', { name: 'Merchandise', exact: true })
  expect(await merchandise.getAttribute('aria-current')).toBe('page')
  expect(await side.locator('[aria-current]').count()).toBe(1)
  // The last of them is in sight without scrolling the list.
  const settings = (await side.getByRole('link', { name: 'Settings', exact: true }).boundingBox())!
  expect(settings.y + settings.height).toBeLessThanOrEqual(800)
  const { y } = (await merchandise.boundingBox())!
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  expect(Math.abs((await merchandise.boundingBox())!.y - y)).toBeLessThan(40)
})

test('NAV-04 S-090 the greeting leads her to the conversation that waits, and its number is gone once she marks it as read', async () => {
  const page = await openShell('/manage/', { width: 1280, height: 800 })
  const badge = page.getByRole('navigation', { name: 'Manage Website' }).getByText(/^\d+ unread$/)
  await badge.waitFor()
  await page.getByRole('region', { name: 'Unread conversations' }).getByRole('link').first().click()
  await page.waitForURL('**/manage/messages/*')
  await page.getByRole('button', { name: 'mark as read', exact: true }).click()
  await badge.waitFor({ state: 'detached' })
  await page.goto('/manage/')
  await page.getByRole('heading', { name: 'Open requests' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Unread conversations' }).count()).toBe(0)
})
