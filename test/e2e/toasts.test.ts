// What only a browser shows of the toasts: their time, their clicks, their place before a dialog.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop()])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

async function open(path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: shop.url })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}

test('TOAST-01 TOAST-02 a toast of an open dialog lies before it, can be pressed, and goes on when the dialog closes', async () => {
  const page = await open('/login/')
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL(`${shop.url}/`)
  await page.goto('/contact/', { waitUntil: 'networkidle' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const dialog = page.getByRole('dialog')
  const toast = (within: { getByRole: Page['getByRole'] }) => within.getByRole('button', { name: 'Please provide a name' })
  const openBoth = async () => {
    await page.getByRole('button', { name: 'Submit' }).click()
    await toast(page).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
  }

  await openBoth()
  await toast(dialog).click()
  await toast(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await openBoth()
  await toast(dialog).hover()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await toast(page).click()
  await toast(page).waitFor({ state: 'detached' })
})

test('TOAST-01 TOAST-02 CONTACT-13 a toast stays 2000 ms, and goes when it is clicked', async () => {
  const page = await open('/contact/')
  const toast = page.getByRole('status').getByRole('button', { name: 'Please provide a name' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const submit = page.getByRole('button', { name: 'Submit' })
  await submit.click()
  await toast.waitFor()
  await page.mouse.move(1, 1)
  await page.clock.runFor(1999)
  expect(await toast.count()).toBe(1)
  await page.clock.runFor(1)
  await toast.waitFor({ state: 'detached' })

  await submit.click()
  await toast.click()
  await toast.waitFor({ state: 'detached' })
})
