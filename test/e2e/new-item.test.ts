// The owner adds a piece on her phone: photos chosen, sent in the background, put in order, given colours; and what may go wrong on the way.
import { stat } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import {
  add,
  card,
  cards,
  choose,
  chooseCategory,
  fillIn,
  openAsVisitor,
  openNewItem,
  sentBytes,
  soon,
  uploaded,
  UPLOADS,
} from './new-item-steps.ts'
import { sized } from '../size.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE } from './people.ts'
import { photo, photoFiles, type Hue } from './photos.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const MB = 1_000_000
const openForm = (viewport = PHONE) => openNewItem(browser, shop, viewport)
const asVisitor = (name: string) => openAsVisitor(browser, shop, name)

test('MERCH-18 MERCH-19 MERCH-33 MERCH-38 at 360 px: four photos of a phone go out small while the form is filled in, and hang in the order they were given', async () => {
  const page = await openForm()
  const paths = await photoFiles([
    { hue: 'red', orientation: 6 },
    { hue: 'green', width: 800, height: 800 },
    { hue: 'blue', orientation: 3 },
    { hue: 'honey', width: 900, height: 1200 },
  ])
  const chosen = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  expect([chosen[0]! > 3 * MB, chosen[2]! > 3 * MB]).toEqual([true, true])

  await choose(page, paths)
  await page.getByText('Waits for a category').nth(3).waitFor()
  expect(await sentBytes(page)).toEqual([])
  await fillIn(page, 'Ring of four cords')
  await chooseCategory(page)
  await uploaded(page).nth(3).waitFor()
  const sent = await sentBytes(page)
  // The small ones go out as they are.
  expect(sent).toEqual(expect.arrayContaining([chosen[1], chosen[3]]))
  expect(sent.reduce((sum, size) => sum + size)).toBeLessThan(chosen.reduce((sum, size) => sum + size) / 3)

  const handle = page.getByRole('button', { name: 'Move image 4', exact: true })
  await handle.focus()
  await page.keyboard.press('Space')
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Space']) await page.keyboard.press(key)
  await page.getByText('image 4 put down at position 1 of 4.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Move image 2 back', exact: true }).click()
  await page.getByText('Image 2 is now image 3 of 4.').waitFor({ state: 'attached' })

  await card(page, 1).getByText('Colors (0)').click()
  await card(page, 1).getByLabel('Mustard').check()
  await card(page, 2).getByText('Colors (0)').click()
  await card(page, 2).getByRole('button', { name: 'Same as the image before' }).click()
  await card(page, 2).getByLabel('Search the colors of image 2').fill('sage')
  await card(page, 2).getByLabel('Sage Green').check()
  await card(page, 2).getByText('Colors (2)').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  const { visitor, files, hues } = await asVisitor('Ring of four cords')
  expect(hues).toEqual(['honey', 'green', 'red', 'blue'] satisfies Hue[])
  const turned = await sharp(files[2]).metadata()
  expect(turned.height).toBeGreaterThan(turned.width)
  await visitor.getByRole('region', { name: 'Colors Used' }).getByText('Mustard').first().waitFor({ state: 'attached' })
  await visitor.getByText('Sage Green').first().waitFor({ state: 'attached' })
  expect(page.errors).toEqual([])
})

test('FILES-07 FILES-08 FILES-10 MERCH-43 an upload that fails says so beside its picture, and passes when it is tried again', async () => {
  const page = await openForm()
  await chooseCategory(page)
  let failures = 0
  await page.route(UPLOADS, (route) => (failures++ === 0 ? route.fulfill({ status: 500, body: 'broken' }) : route.fallback()))
  await choose(
    page,
    await photoFiles([
      { hue: 'red', width: 300, height: 300 },
      { hue: 'blue', width: 300, height: 300 },
    ]),
  )

  await card(page, 1).getByText('An Error Occured while Uploading Image...').waitFor()
  await page.getByRole('status').getByText('An Error Occured while Uploading Image...').waitFor()
  await card(page, 2).getByText('Uploaded', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Retry upload of image 1' }).click()
  await card(page, 1).getByText('Uploaded', { exact: true }).waitFor()
})

test('an upload that is cancelled ends; saving sends it after all', async () => {
  const page = await openForm()
  await fillIn(page, 'Slow line')
  await chooseCategory(page)
  await page.route(UPLOADS, () => {})
  await choose(page, await photoFiles([{ hue: 'green', width: 300, height: 300 }]))
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/manage/item-picture'))
  await page.getByRole('button', { name: 'Cancel upload of image 1' }).click()
  await card(page, 1).getByText('Stopped. It is sent when you save.').waitFor()
  await ended
  await page.unroute(UPLOADS)

  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  expect((await asVisitor('Slow line')).hues).toEqual(['green'])
})

test('FILES-06 a picture taken out of the form before it is saved leaves the shop again', async () => {
  const page = await openForm()
  await chooseCategory(page)
  const stored = page.waitForResponse(UPLOADS)
  await choose(page, await photoFiles([{ hue: 'green', width: 300, height: 300 }]))
  const { url } = (await (await stored).json()) as { url: string }
  await uploaded(page).waitFor()
  expect((await page.request.get(url)).status()).toBe(200)

  await page.getByRole('button', { name: 'Remove image 1' }).click()
  await soon(async () => (await page.request.get(url)).status()).toBe(404)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add Image')
})

test('S-140 without a connection uploads wait, and go on by themselves', async () => {
  const page = await openForm()
  await page.context().setOffline(true)
  await chooseCategory(page)
  await choose(page, await photoFiles([{ hue: 'honey', width: 300, height: 300 }]))
  await card(page, 1).getByText('Waits for the connection').waitFor()
  await page.context().setOffline(false)
  await card(page, 1).getByText('Uploaded', { exact: true }).waitFor()
})

/** Files in the hands of the mouse or the clipboard. */
const given = async (page: Page, files: { name: string; type: string; bytes: Buffer }[]) =>
  page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer()
      for (const { name, type, data } of list)
        transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.codePointAt(0)!)], name, { type }))
      return transfer
    },
    files.map(({ name, type, bytes }) => ({ name, type, data: bytes.toString('base64') })),
  )
const small = async (hue: Hue) => ({ name: `${hue}.jpg`, type: 'image/jpeg', bytes: await photo({ hue, width: 300, height: 300 }) })

test('S-092 MERCH-30 dropped and pasted pictures are added, the first unfit file is told; a drop that misses does not lose the form', async () => {
  const page = await openForm(DESK)
  await page.getByLabel('Name *').fill('Half a thought')
  const dataTransfer = await given(page, [
    await small('red'),
    { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('words') },
    await small('blue'),
  ])
  const area = page.getByRole('group', { name: 'Images *' })

  await area.dispatchEvent('dragover', { dataTransfer })
  await page.getByText('Drop them here').waitFor()
  await area.dispatchEvent('drop', { dataTransfer })
  await page.getByText('please select an image', { exact: true }).waitFor()
  await page.getByText('please select an image', { exact: true }).waitFor({ state: 'detached' })
  await soon(() => cards(page).count()).toBe(2)

  // Not handled, the browser would open the file in place of the page.
  const isHandled = await page.evaluate((transfer) => {
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
    return !document.querySelector('h1')!.dispatchEvent(drop)
  }, dataTransfer)
  expect([isHandled, await cards(page).count()]).toEqual([true, 2])

  const clipboard = await given(page, [await small('green')])
  await page.evaluate((clipboardData) => {
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, clipboard)
  await soon(() => cards(page).count()).toBe(3)
  expect(await page.getByLabel('Name *').inputValue()).toBe('Half a thought')
})

test('many photos at once keep their order, and the form stays usable', async () => {
  const photos = sized(16, 50)
  const page = await openForm()
  const tiny = await photoFiles((['red', 'green', 'blue', 'honey'] as const).map((hue) => ({ hue, width: 120, height: 120 })))
  await fillIn(page, 'Many photos')
  await chooseCategory(page)
  await choose(
    page,
    Array.from({ length: photos }, (_, at) => tiny[at % 4]!),
  )
  await page.getByLabel('Size').fill('large')
  await soon(() => uploaded(page).count()).toBe(photos)
  await add(page)
  await page.getByText('Item Successfully Added!').waitFor()
  const { hues } = await asVisitor('Many photos')
  expect(hues).toEqual(Array.from({ length: photos }, (_, at) => (['red', 'green', 'blue', 'honey'] as const)[at % 4]))
})

test('without script the file field stands there as it is', async () => {
  const page = await openBrowser(browser, shop.url, { viewport: PHONE, javaScriptEnabled: false })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto('/manage/item/')
  expect(await page.getByRole('button', { name: 'Add Image' }).isVisible()).toBe(false)
  await fillIn(page, 'Without script')
  await chooseCategory(page)
  await choose(
    page,
    await photoFiles([
      { hue: 'blue', width: 300, height: 300 },
      { hue: 'red', width: 300, height: 300 },
    ]),
  )
  await add(page)
  await page.waitForURL(/\/manage\/item/)
  expect((await asVisitor('Without script')).hues).toEqual(['blue', 'red'])
})
