// The owner adds a piece on her phone, and something is in the way: the line, an old form, a file that is no picture, a long name.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import {
  add,
  card,
  choose,
  chooseCategory,
  fillIn,
  kept,
  keptFile,
  openAsVisitor,
  openNewItem,
  sentBytes,
  soon,
  uploaded,
  UPLOADS,
} from './new-item-steps.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { signInOnScreen } from './people.ts'
import { photoFiles } from './photos.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const openForm = () => openNewItem(browser, shop)
const asVisitor = (name: string) => openAsVisitor(browser, shop, name)

test('S-140 014 a save without a connection sends nothing twice: the next one goes out with the images that are there', async () => {
  const page = await openForm()
  await fillIn(page, 'From the ferry')
  await chooseCategory(page)
  await choose(page, await photoFiles([{ hue: 'blue', width: 300, height: 300 }]))
  await uploaded(page).waitFor()
  await page.context().setOffline(true)
  await add(page)
  await page.getByText('Not sent: no connection.').waitFor()
  await page.context().setOffline(false)

  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  expect(await sentBytes(page)).toHaveLength(1)
  await soon(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New Item')
})

test('018 a form that lay open until its uploads were swept sends them once more, and saves by itself', async () => {
  const page = await openForm()
  await fillIn(page, 'Begun last week')
  await chooseCategory(page)
  const stored = page.waitForResponse(UPLOADS)
  await choose(
    page,
    await photoFiles([
      { hue: 'honey', width: 300, height: 300 },
      { hue: 'green', width: 300, height: 300 },
    ]),
  )
  const { url } = (await (await stored).json()) as { url: string }
  await uploaded(page).nth(1).waitFor()
  await page.request.post('/manage/item-picture', { form: { intent: 'delete', url }, headers: { origin: shop.url } })

  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  expect(await sentBytes(page)).toHaveLength(3)
  expect((await asVisitor('Begun last week')).hues).toEqual(['honey', 'green'])
})

test('MERCH-22 a picture that the shop refused keeps the item from being saved, and has the focus then', async () => {
  const page = await openForm()
  await fillIn(page, 'Not a picture')
  await chooseCategory(page)
  await page.getByLabel('Choose images').setInputFiles({ name: 'words.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('words') })
  await card(page, 1).getByText('please select an image').waitFor()
  await add(page)
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove image 1')
})

test('MERCH-07 at 360 px a long name leaves Delete whole, and what is told of uploads does not move the button that saves', async () => {
  const page = await openForm()
  await page.route(UPLOADS, () => {})
  const button = page.getByRole('button', { name: 'Add Item' })
  const before = (await button.boundingBox())!
  await chooseCategory(page)
  await choose(page, await photoFiles([{ hue: 'red', width: 300, height: 300 }]))
  await page.getByText('Uploading image 1 of 1…').waitFor()
  expect((await button.boundingBox())!.y).toBe(before.y)
  await page.unroute(UPLOADS)

  await fillIn(page, 'Knot'.repeat(50))
  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.getByLabel('Search items').fill('KnotKnot')
  await page.getByRole('link', { name: 'KnotKnot' }).click()
  const [del, heading] = [page.getByRole('button', { name: /^Delete/ }), page.locator('#item-form')]
  await del.waitFor()
  expect((await del.boundingBox())!.height).toBeLessThan(60)
  expect((await heading.boundingBox())!.height).toBeLessThan(110)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('018 who was logged out meanwhile is told so by her upload, and finds everything again after logging in', async () => {
  const page = await openForm()
  await fillIn(page, 'Begun yesterday')
  await chooseCategory(page)
  await page.context().clearCookies()
  await choose(page, await photoFiles([{ hue: 'red', width: 300, height: 300 }]))
  await card(page, 1).getByText('You are logged out. Log in again').waitFor()
  await kept(page, 'Begun yesterday')
  await keptFile(page)
  await signInOnScreen(page, OWNER)
  await page.goto('/manage/item/')
  await page.getByText('Your unsaved changes are back').waitFor()
  await uploaded(page).waitFor()
  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  expect((await asVisitor('Begun yesterday')).hues).toEqual(['red'])
})

test('MERCH-33 018 while the item itself goes out no image can be added that would not go along', async () => {
  const page = await openForm()
  await fillIn(page, 'In a hurry')
  await chooseCategory(page)
  await choose(page, await photoFiles([{ hue: 'blue', width: 300, height: 300 }]))
  await uploaded(page).waitFor()
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(
    (url) => url.pathname.startsWith('/manage/item') && !url.pathname.includes('picture'),
    async (route) => {
      if (route.request().method() === 'POST') await held
      await route.fallback()
    },
  )
  await add(page)
  await page.getByRole('button', { name: 'Saving…' }).waitFor()
  expect(await page.locator('main fieldset').evaluate((element) => element.closest('[inert]') !== null)).toBe(true)
  release()
  await page.getByText('Item Successfully Added!').waitFor()
  await soon(() => page.locator('main fieldset').evaluate((element) => element.closest('[inert]'))).toBe(null)
})
