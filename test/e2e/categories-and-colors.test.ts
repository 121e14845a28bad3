import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { collectViolations } from '#test/fixtures/axe.ts'
import { DESK, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { openBeside } from '#test/fixtures/processes.ts'
import { focused, hasFocus, hold, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (path: string) => here.open(path, { as: OWNER, viewport: PHONE })
const category = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const color = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })

test('the color dialog is empty when the owner opens it after "Cancel", and a deleted color disappears from open pages [COLOR-12, S-100]', async () => {
  const piece = await here.open('/item/sunflower-coaster', { viewport: PHONE })
  const owner = await open('/manage/colors/')
  const edit = owner.getByRole('dialog', { name: 'Edit the color Navy' })
  await owner.getByRole('button', { name: 'Edit Navy' }).click()
  await edit.getByLabel('Name').fill(' ')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('Please enter a name').waitFor()
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await owner.getByRole('button', { name: 'Edit Navy' }).click()
  expect(await edit.getByLabel('Name').inputValue()).toBe('Navy')
  expect(await edit.getByText('Please enter a name').count()).toBe(0)
  await edit.getByRole('button', { name: 'Cancel' }).click()

  await owner.getByRole('searchbox', { name: 'Find a color' }).fill('natural')
  await soon(() => owner.getByRole('button', { name: /^Delete / }).count()).toBe(1)
  const question = owner.getByRole('dialog', { name: 'Delete the color Natural Cream?' })
  const answer = async (choice: 'Yes' | 'No') => {
    await owner.getByRole('button', { name: 'Delete Natural Cream' }).click()
    await question.getByText(/^Used by \d+ pieces\./).waitFor()
    await question.getByRole('button', { name: choice, exact: true }).click()
  }
  await answer('No')
  expect(await piece.getByText('Natural Cream').count()).toBeGreaterThan(0)
  await answer('Yes')
  await soon(() => piece.getByText('Natural Cream').count()).toBe(0)
  await owner.getByText('No colors match.').waitFor()
  expect([...owner.errors.filter((text) => !/422/.test(text)), ...piece.errors]).toEqual([])
})

test('the title field of a category keeps typed text when another window saves, and shows the stored title after a failed save [CATEGORY-07]', async () => {
  const first = await open('/manage/category/')
  const second = await open('/manage/category/')
  for (const page of [first, second]) await page.getByLabel('Edit Bags').click()
  const typing = first.locator('#title-bags')
  await typing.fill('Bags for')

  await second.locator('#title-bags').fill('Carriers')
  await second.keyboard.press('Enter')
  await first.getByText('Another window has just saved “Carriers”.').waitFor()
  expect(await typing.inputValue()).toBe('Bags for')
  await typing.press('End')
  await first.keyboard.type(' life')
  await first.keyboard.press('Enter')
  await first.getByText('Saved over “Carriers”, which another window had just saved').waitFor()
  await category(second, 'Bags for life').waitFor()
  expect(await second.locator('#title-bags').inputValue()).toBe('Bags for life')

  await first.route('**/manage/category**', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  const failed = () => first.waitForResponse((response) => response.status() === 500)
  await typing.fill('Sacks')
  await Promise.all([failed(), first.keyboard.press('Enter')])
  // The response with status 500 has no body, so the message does not say whether the shop saved the title.
  await first.getByText('That did not work. Please try again.').waitFor()
  expect(await typing.inputValue()).toBe('Sacks')
  await Promise.all([failed(), first.getByRole('heading', { level: 1 }).click()])
  await soon(() => typing.inputValue()).toBe('Bags for life')
  expect(await first.getByRole('heading', { level: 1 }).textContent()).toBe('Categories')
})

test('the color field of a category refuses a text that is not a color, and saves a picked color immediately [CATEGORY-03, CATEGORY-07]', async () => {
  const owner = await open('/manage/category/')
  await owner.getByLabel('Edit Garlands').click()
  const row = category(owner, 'Garlands')
  const text = row.getByLabel('Theme color', { exact: true })
  const posts: string[] = []
  owner.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())))

  await text.fill('green')
  await owner.getByRole('heading', { level: 1 }).click()
  await row.getByText('Please choose a color such as #c98a5e').waitFor()
  expect([posts, await text.inputValue()]).toEqual([[], 'green'])

  await row.getByLabel('Pick the theme color of Garlands').fill('#123456')
  await row.getByText('Saved', { exact: true }).waitFor()
  expect([posts.length, await text.inputValue()]).toEqual([1, '#123456'])
  expect(await row.getByText('Please choose a color').count()).toBe(0)
})

const messages = async (page: Page) =>
  (await page.locator('[role=alert], [role=status]').allTextContents()).map((text) => text.trim()).filter((text) => text !== '')

function failToSave() {
  const db = openBeside(here.shop.database)
  db.exec("create trigger fail before insert on audit begin select raise(abort, 'the disk is full'); end")
  onTestFinished(() => {
    db.exec('drop trigger fail')
    db.close()
  })
}
const failedAnswer = (page: Page) => page.waitForResponse((response) => response.status() === 500)

test('while the shop adds a color, its fields cannot be edited, and are empty and usable afterwards [COLOR-11, S-471]', async () => {
  const owner = await open('/manage/colors/')
  await owner.getByRole('heading', { name: 'Add color' }).click()
  const name = owner.locator('#color-name')
  await name.fill('Plum')
  await owner.setInputFiles('form[aria-labelledby=add-color] [type=file]', 'public/icon-192.png')
  const letGo = await hold(owner, '**/manage/colors**', 'POST')
  await name.press('Enter')
  await soon(() => name.evaluate((field) => field.matches('[inert]') && document.activeElement?.tagName)).toBe('BUTTON')
  letGo()
  await soon(() => name.inputValue()).toBe('')
  await soon(() => name.evaluate((field) => document.activeElement === field)).toBe(true)
})

test('the checkbox of a color changes immediately, and changes back without a message if saving fails [COLOR-07, COLOR-08, COLOR-18, S-104]', async () => {
  const owner = await open('/manage/colors/')
  failToSave()
  const letGo = await hold(owner, '**/manage/colors**', 'POST')
  const low = owner.getByRole('checkbox', { name: 'low stock (Teal)' })
  await low.click()
  expect(await low.isChecked()).toBe(true)
  const failed = failedAnswer(owner)
  letGo()
  await failed
  await soon(() => low.isChecked()).toBe(false)
  expect(await messages(owner)).toEqual([])
})

test('the image pickers of categories and colors refuse an unsuitable file, and the owner can save without the file [CATEGORY-09, CATEGORY-10, CATEGORY-11, COLOR-15, COLOR-16, COLOR-17]', async () => {
  const owner = await open('/manage/category/')
  await owner.getByLabel('Edit Garlands').click()
  const row = category(owner, 'Garlands')
  const picker = row.getByLabel('Image', { exact: true })
  await row.getByRole('button', { name: 'Change image of Garlands' }).click()
  await row.getByText('select file', { exact: true }).waitFor()
  await picker.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await row.getByText('select image', { exact: true }).waitFor()
  await picker.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(10_485_761) })
  await row.getByText('too big', { exact: true }).waitFor()
  expect(await row.getByText('select', { exact: false }).count()).toBe(0)
  const sent: string[] = []
  owner.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await row.getByRole('button', { name: 'Change image of Garlands' }).click()
  await row.getByText('too big', { exact: true }).waitFor()

  await owner.goto('/manage/colors/')
  await owner.getByRole('button', { name: 'Edit Rust' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Edit the color Rust' })
  await dialog.getByLabel('Name').fill('Rusty red')
  await dialog.getByLabel('Another image').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await dialog.getByText('select image', { exact: true }).waitFor()
  await dialog.getByLabel('Another image').setInputFiles([])
  // When the error disappears, the buttons move.
  await dialog.getByText('select image', { exact: true }).waitFor({ state: 'hidden' })
  // The new data arrives only after the dialog has closed, and closing must not abort the request.
  await owner.route('**/manage/colors/_.data*', async (route) => {
    if (route.request().method() === 'GET') await dialog.waitFor({ state: 'hidden' })
    await route.continue().catch(() => {})
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await color(owner, 'Rusty red').waitFor()
  expect(await owner.getByRole('dialog').count()).toBe(0)
  expect(sent.filter((path) => path.includes('category'))).toEqual([])
})

test('an edited category and the open color dialogs have no accessibility violations in the dark and the light theme', async () => {
  const owner = await open('/manage/category/')
  const violations = collectViolations(owner)
  await owner.getByLabel('Edit Earrings').click()
  await owner.locator('#title-earrings').fill('')
  await owner.getByRole('button', { name: 'Move Earrings', exact: true }).focus()
  await owner.keyboard.press('Space')
  await violations.here('a category picked up and opened')

  await owner.goto('/manage/colors/')
  await owner.getByText('Add Color').first().click()
  await owner.getByRole('button', { name: 'Add Color', exact: true }).click()
  await owner.getByText('Please enter a name').waitFor()
  await violations.here('the form of colors, refused')
  for (const name of ['Edit Navy', 'Delete Navy']) {
    await owner.getByRole('button', { name }).click()
    await violations.here(name)
    await owner.keyboard.press('Escape')
  }
  expect(violations.found).toEqual([])
})

const openCategories = (viewport = DESK) => here.open('/manage/category/', { as: OWNER, viewport })
const shown = (page: Page) => page.getByRole('list', { name: 'Order of categories' }).getByRole('heading', { level: 2 }).allTextContents()
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
/** Returns the category titles in the sequence that visitors see. */
async function stored(page: Page): Promise<string[]> {
  const html = await (await page.request.get('/gallery/')).text()
  const list = /<nav aria-label="Categories">(.*?)<\/nav>/s.exec(html)![1]!
  const titles = [...list.matchAll(/title="([^"]*)"/g)].map(([, title]) => title!)
  const own = await shown(page)
  return titles.filter((title) => own.includes(title))
}
const middle = async (page: Page, name: string) => {
  const box = (await handle(page, name).boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
/** Presses the mouse button at `from` and moves the pointer to `to` in small steps, because a person also moves the mouse in small steps. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 16 })
}
const withMoved = (order: string[], from: number, to: number) => order.toSpliced(from, 1).toSpliced(to, 0, order[from]!)

test('the owner moves a category with the mouse, visitors see the new sequence, and Escape cancels a drag', async () => {
  const page = await openCategories()
  const before = await shown(page)
  const [first, third] = [await middle(page, before[0]!), await middle(page, before[2]!)]

  await drag(page, first, { x: third.x, y: third.y + 10 })
  await page
    .getByRole('status')
    .filter({ hasText: `${before[0]}, position 3 of ${before.length}.` })
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await page.locator('[data-dnd-dragging]').waitFor({ state: 'detached' })
  expect(await shown(page)).toEqual(before)
  expect(await stored(page)).toEqual(before)

  await drag(page, first, { x: third.x, y: third.y + 10 })
  await page.mouse.up()
  const after = withMoved(before, 0, 2)
  await soon(() => shown(page)).toEqual(after)
  await soon(() => stored(page)).toEqual(after)
  await page.reload()
  expect(await shown(page)).toEqual(after)
  expect(page.errors).toEqual([])
})

test('on a touch screen, dragging the handle moves a category, and dragging elsewhere scrolls the page', async () => {
  const page = await openCategories(PHONE)
  const before = await shown(page)
  const touch = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const [second, first] = [await middle(page, before[1]!), await middle(page, before[0]!)]

  await finger('touchStart', second.x, second.y)
  for (let step = 1; step <= 12; step++) await finger('touchMove', second.x, second.y + ((first.y - 10 - second.y) * step) / 12)
  await finger('touchEnd')
  await soon(() => stored(page)).toEqual(withMoved(before, 1, 0))
  await soon(() => shown(page)).toEqual(withMoved(before, 1, 0))
  expect(await page.evaluate(() => scrollY)).toBe(0)

  const x = second.x + 120
  await finger('touchStart', x, 600)
  for (let step = 1; step <= 12; step++) await finger('touchMove', x, 600 - 30 * step)
  await finger('touchEnd')
  await soon(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  expect(page.errors).toEqual([])
})

test('the list of categories scrolls while the owner drags a category to the edge of a phone’s screen', async () => {
  const page = await openCategories({ width: 360, height: 420 })
  const before = await shown(page)
  const first = await middle(page, before[0]!)
  await drag(page, first, { x: first.x, y: 412 })
  await soon(() => page.evaluate(() => scrollY + innerHeight)).toBeGreaterThan(800)
  await page.mouse.up()

  await soon(async () => (await stored(page)).indexOf(before[0]!)).toBeGreaterThan(3)
})

test('the space bar and the arrow keys move a category, screen readers announce each step, and Escape cancels the move', async () => {
  const page = await openCategories(PHONE)
  const before = await shown(page)
  const [name, count] = [before[0]!, before.length]
  const announcement = page.getByRole('status').filter({ hasText: name }).first()
  await handle(page, name).focus()

  await page.keyboard.press('Space')
  await soon(() => announcement.textContent()).toContain(`${name} picked up, position 1 of ${count}.`)
  const moveDownTo = async (position: number) => {
    await page.keyboard.press('ArrowDown')
    await soon(() => announcement.textContent()).toBe(`${name}, position ${position} of ${count}.`)
  }
  await moveDownTo(2)
  await moveDownTo(3)
  expect(await shown(page)).toEqual(withMoved(before, 0, 2))
  expect(await stored(page)).toEqual(before)
  await page.keyboard.press('Escape')
  await soon(() => shown(page)).toEqual(before)
  await soon(() => announcement.textContent()).toBe(`${name} is back at position 1 of ${count}.`)
  await page.locator('[data-dnd-dragging]').waitFor({ state: 'detached' })
  await soon(() => hasFocus(handle(page, name))).toBe(true)

  await page.keyboard.press('Space')
  await soon(() => announcement.textContent()).toContain(`${name} picked up`)
  for (let position = 2; position < count; position++) await moveDownTo(position)
  await page.keyboard.press('Space')
  const after = withMoved(before, 0, count - 2)
  await soon(() => announcement.textContent()).toBe(`${name} dropped at position ${count - 1} of ${count}.`)
  await soon(() => stored(page)).toEqual(after)
  expect(await shown(page)).toEqual(after)
  await soon(() => focused(page)).toBe(`Move ${name}`)
  expect(await handle(page, name).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
})
