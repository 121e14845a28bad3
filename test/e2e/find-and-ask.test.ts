// The whole way of a customer, from the home page to the owner, on a phone.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE, signIn, signInOnScreen } from './people.ts'

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

/** Script has taken over the page. */
const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
async function open(path: string, viewport = DESK) {
  const page = await openBrowser(browser, shop.url, { viewport })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(path)
  await awake(page)
  return page
}

test('find, zoom, favourite, ask: from the home page to the owner (ITEM-18 ITEM-21 ITEM-25 ITEM-26 ITEM-29 ITEM-33 FAV-02)', async () => {
  const page = await open('/', PHONE)
  await page.getByRole('link', { name: 'Look through the gallery' }).first().click()
  await page.waitForURL(`${shop.url}/gallery/`)
  await page.getByRole('main').getByRole('link', { name: 'Garlands', exact: true }).filter({ visible: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Garlands' }).waitFor()
  await page.getByRole('link', { name: 'Parade Tassel Garland' }).click()
  await page.getByRole('heading', { level: 1, name: 'Parade Tassel Garland' }).waitFor()
  const item = page.url()

  await page.locator('figure li a').first().tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Picture 1, full size' }).tap()
  await dialog.getByRole('button', { name: 'Close' }).tap()
  expect(await page.getByRole('button', { name: /^Favorite/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Please Login to Order' }).click()

  await signInOnScreen(page, CLARA)
  await page.goto(item)
  await awake(page)
  const heart = page.getByRole('button', { name: 'Favorite: Parade Tassel Garland' })
  const favourites = page.getByRole('region', { name: 'Your Favorite Items' })
  if ((await heart.getAttribute('aria-pressed')) === 'true') await heart.tap()
  await favourites.getByRole('link', { name: 'Parade Tassel Garland' }).waitFor({ state: 'detached' })
  await heart.tap()
  await expect.poll(() => heart.getAttribute('aria-pressed'), { timeout: 30_000 }).toBe('true')
  await favourites.getByRole('link', { name: 'Parade Tassel Garland' }).waitFor()

  await page.getByRole('textbox', { name: 'Message' }).fill('For a window of two metres? Mail me at clara@example.com')
  await page.getByRole('button', { name: 'Submit' }).tap()
  await page.getByText('Order Request Sent!').waitFor()

  const owner = await openBrowser(browser, shop.url)
  await signIn(owner, OWNER)
  await owner.goto('/manage/messages/')
  await owner.getByRole('link', { name: /Clara Whitfield/ }).click()
  await owner.getByRole('log').getByText('For a window of two metres? Mail me at clara@example.com').waitFor()
  await owner.getByRole('group', { name: 'Show' }).getByRole('link', { name: 'Order' }).click()
  await owner.getByText('Parade Tassel Garland').first().waitFor()
  expect([...page.errors, ...owner.errors]).toEqual([])
  await owner.context().close()
  await page.context().close()
})
