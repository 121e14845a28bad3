import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { DESK, OWNER, shopAndBrowser, signInOnScreen } from '#test/fixtures/browser.ts'
import {
  add,
  card,
  cards,
  choose,
  chooseCategory,
  fillIn,
  type Hue,
  draftContains,
  draftHasStoredFile,
  openAsVisitor,
  openNewItem,
  photo,
  photoFiles,
  sentBytes,
  uploaded,
  UPLOADS,
} from '#test/pages/new-item.ts'
import { focused, hold, overflow, soon, transferOf } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const MB = 1_000_000
const openForm = (viewport?: typeof DESK) => openNewItem(here, viewport)
const asVisitor = (name: string) => openAsVisitor(here, name)
const smallPhotos = (...hues: Hue[]) =>
  photoFiles(hues.map((hue) => ({ hue, width: 300, height: 300 })))

test('large photos are resized and uploaded while the owner fills in the item form, and have the chosen sequence and colors [MERCH-18, MERCH-19, MERCH-33, MERCH-38]', async () => {
  const page = await openForm()
  const paths = await photoFiles([
    { hue: 'red', orientation: 6 },
    { hue: 'green', width: 800, height: 800 },
    { hue: 'blue', orientation: 3 },
    { hue: 'honey', width: 900, height: 1200 },
  ])
  const chosen = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  expect(chosen[0]! > 3 * MB).toBe(true)
  expect(chosen[2]! > 3 * MB).toBe(true)

  await choose(page, paths)
  await page.getByText('Waiting for a category').nth(3).waitFor()
  expect(await sentBytes(page)).toEqual([])
  await fillIn(page, 'Ring of four cords')
  await chooseCategory(page)
  await uploaded(page).nth(3).waitFor()
  const sent = await sentBytes(page)
  expect(sent).toEqual(expect.arrayContaining([chosen[1], chosen[3]]))
  expect(sent.reduce((sum, size) => sum + size)).toBeLessThan(
    chosen.reduce((sum, size) => sum + size) / 3,
  )

  const handle = page.getByRole('button', { name: 'Move image 4', exact: true })
  await handle.focus()
  await page.keyboard.press('Space')
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Space']) await page.keyboard.press(key)
  await page.getByText('image 4 dropped at position 1 of 4.').waitFor({ state: 'attached' })
  // dnd-kit announces the drop before the form contains the new sequence of images and before the
  // cards stop moving.
  await soon(() => focused(page)).toBe('Move image 1')
  await soon(() => page.locator('[data-dnd-dragging], [data-dnd-dropping]').count()).toBe(0)
  await page.getByRole('button', { name: 'Move image 2 back', exact: true }).click()
  await page.getByText('Image 2 is now image 3 of 4.').waitFor({ state: 'attached' })

  await card(page, 1).getByText('Colors (0)').click()
  await card(page, 1).getByLabel('Mustard').check()
  await card(page, 2).getByText('Colors (0)').click()
  await card(page, 2).getByRole('button', { name: 'Same as the image before' }).click()
  await card(page, 2).getByLabel('Search the colors of image 2').fill('sage')
  await card(page, 2).getByLabel('Sage Green').check()
  await card(page, 2).getByText('Colors (2)').waitFor()
  expect(await overflow(page)).toBe(0)

  await add(page)
  const { visitor, files, hues } = await asVisitor('Ring of four cords')
  expect(hues).toEqual(['honey', 'green', 'red', 'blue'] satisfies Hue[])
  const turned = await sharp(files[2]).metadata()
  expect(turned.height).toBeGreaterThan(turned.width)
  await visitor
    .getByRole('region', { name: 'Colors Used' })
    .getByText('Mustard')
    .first()
    .waitFor({ state: 'attached' })
  await visitor.getByText('Sage Green').first().waitFor({ state: 'attached' })
  expect(page.errors).toEqual([])
})

test('a failed upload shows an error beside its image, and succeeds when the owner tries again [FILES-07, FILES-08, FILES-10, MERCH-43]', async () => {
  const page = await openForm()
  await chooseCategory(page)
  let failures = 0
  await page.route(UPLOADS, (route) =>
    failures++ === 0 ? route.fulfill({ status: 500, body: 'broken' }) : route.fallback(),
  )
  await choose(page, await smallPhotos('red', 'blue'))

  await card(page, 1).getByText('An Error Occured while Uploading Image...').waitFor()
  await page.getByRole('status').getByText('An Error Occured while Uploading Image...').waitFor()
  await card(page, 2).getByText('Uploaded', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Retry upload of image 1' }).click()
  await soon(() => uploaded(page).count()).toBe(2)
})

test('uploads wait while the browser is offline, and continue when it is online again [S-140]', async () => {
  const page = await openForm()
  await page.context().setOffline(true)
  await chooseCategory(page)
  await choose(page, await smallPhotos('honey'))
  await card(page, 1).getByText('Waiting for the connection').waitFor()
  await page.context().setOffline(false)
  await soon(() => uploaded(page).count()).toBe(1)
})

test('if the shop has deleted an uploaded image of the open form, the image is uploaded again when the owner saves', async () => {
  const page = await openForm()
  await fillIn(page, 'Begun last week')
  await chooseCategory(page)
  const stored = page.waitForResponse(UPLOADS)
  await choose(page, await smallPhotos('honey', 'green'))
  const { url } = (await (await stored).json()) as { url: string }
  await uploaded(page).nth(1).waitFor()
  await page.request.post('/manage/item-picture', {
    form: { intent: 'delete', url },
    headers: { origin: here.shop.url },
  })

  await add(page)
  expect(await sentBytes(page)).toHaveLength(3)
  expect((await asVisitor('Begun last week')).hues).toEqual(['honey', 'green'])
})

test('an item cannot be saved while its form contains a refused image, which gets the focus [MERCH-22]', async () => {
  const page = await openForm()
  await fillIn(page, 'Not a picture')
  await chooseCategory(page)
  const missing = page.getByText('Please Add Atleast 1 Image for the Item').last()
  await page.getByRole('button', { name: 'Add Item' }).click()
  await missing.waitFor()
  await page
    .getByLabel('Choose images')
    .setInputFiles({ name: 'words.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('words') })
  await card(page, 1).getByText('please select an image').waitFor()
  await soon(() => missing.count()).toBe(0)
  await page.getByRole('button', { name: 'Add Item' }).click()
  await soon(() => focused(page)).toBe('Remove image 1')
})

test('an upload after the session has ended shows an error, and the item form still has all values after the login', async () => {
  const page = await openForm()
  await fillIn(page, 'Begun yesterday')
  await chooseCategory(page)
  await page.context().clearCookies()
  await choose(page, await smallPhotos('red'))
  await card(page, 1).getByText('You are logged out. Log in again').waitFor()
  await draftContains(page, 'Begun yesterday')
  await draftHasStoredFile(page)
  await signInOnScreen(page, OWNER)
  await page.goto('/manage/item/')
  await page.getByText('Your unsaved changes are back').waitFor()
  await uploaded(page).waitFor()
  await add(page)
  expect((await asVisitor('Begun yesterday')).hues).toEqual(['red'])
})

test('the owner can add no image while the item is being saved [MERCH-33]', async () => {
  const page = await openForm()
  await fillIn(page, 'In a hurry')
  await chooseCategory(page)
  await choose(page, await smallPhotos('blue'))
  await uploaded(page).waitFor()
  const letGo = await hold(page, /\/manage\/item(?!-picture)/, 'POST')
  await page.getByRole('button', { name: 'Add Item' }).click()
  await page.getByRole('button', { name: 'Saving…' }).waitFor()
  expect(
    await page.locator('main fieldset').evaluate((element) => element.closest('[inert]') !== null),
  ).toBe(true)
  letGo()
  await page.getByText('Item Successfully Added!').waitFor()
  await soon(() =>
    page.locator('main fieldset').evaluate((element) => element.closest('[inert]')),
  ).toBe(null)
})

test('on a phone a long name does not cover "Delete", and the progress of an upload does not move "Save" [MERCH-07]', async () => {
  const page = await openForm()
  await page.route(UPLOADS, () => {})
  const button = page.getByRole('button', { name: 'Add Item' })
  const before = (await button.boundingBox())!
  await chooseCategory(page)
  await choose(page, await smallPhotos('red'))
  await page.getByText('Uploading image 1 of 1…').waitFor()
  expect((await button.boundingBox())!.y).toBe(before.y)
  await page.unroute(UPLOADS)

  await fillIn(page, 'Knot'.repeat(50))
  await add(page)
  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.getByLabel('Search items').fill('KnotKnot')
  await page.getByRole('link', { name: 'KnotKnot' }).click()
  const [del, heading] = [page.getByRole('button', { name: /^Delete/ }), page.locator('#item-form')]
  await del.waitFor()
  expect((await del.boundingBox())!.height).toBeLessThan(60)
  expect((await heading.boundingBox())!.height).toBeLessThan(110)
  expect(await overflow(page)).toBe(0)
})

const small = async (hue: Hue) => ({
  name: `${hue}.jpg`,
  type: 'image/jpeg',
  bytes: await photo({ hue, width: 300, height: 300 }),
})

test('the item form adds dropped and pasted images, refuses unsuitable files, and ignores files dropped beside the field [S-092, MERCH-30]', async () => {
  const page = await openForm(DESK)
  await page.getByLabel('Name *').fill('Half a thought')
  const dataTransfer = await transferOf(page, [
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

  // If the page did not handle the drop, the browser would open the file and leave the page.
  const isHandled = await page.evaluate((transfer) => {
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
    return !document.querySelector('h1')!.dispatchEvent(drop)
  }, dataTransfer)
  expect(isHandled).toBe(true)
  expect(await cards(page).count()).toBe(2)

  const clipboard = await transferOf(page, [await small('green')])
  await page.evaluate((clipboardData) => {
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, clipboard)
  await soon(() => cards(page).count()).toBe(3)
  expect(await page.getByLabel('Name *').inputValue()).toBe('Half a thought')
})

test('when the owner cancels an upload, its request is aborted, and the image is uploaded when she saves the item', async () => {
  const page = await openForm()
  await fillIn(page, 'Slow line')
  await chooseCategory(page)
  await page.route(UPLOADS, () => {})
  await choose(page, await smallPhotos('green'))
  const aborted = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/manage/item-picture'),
  )
  await page.getByRole('button', { name: 'Cancel upload of image 1' }).click()
  await card(page, 1).getByText('Stopped. It is uploaded when you save.').waitFor()
  await aborted
  await page.unroute(UPLOADS)

  await add(page)
  expect((await asVisitor('Slow line')).hues).toEqual(['green'])
})
