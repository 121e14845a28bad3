import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { collectViolations } from '#test/fixtures/axe.ts'
import { OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { openBeside } from '#test/fixtures/processes.ts'
import { hold, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (path: string) => here.open(path, { as: OWNER, viewport: PHONE })
const category = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const color = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })

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
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, body: '' })
      : route.continue(),
  )
  const failed = () => first.waitForResponse((response) => response.status() === 500)
  await typing.fill('Sacks')
  await Promise.all([failed(), first.keyboard.press('Enter')])
  // The response with status 500 has no body, so the message does not say whether the shop saved
  // the title.
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
  expect(posts).toEqual([])
  expect(await text.inputValue()).toBe('green')

  await row.getByLabel('Pick the theme color of Garlands').fill('#123456')
  await row.getByText('Saved', { exact: true }).waitFor()
  expect(posts.length).toBe(1)
  expect(await text.inputValue()).toBe('#123456')
  expect(await row.getByText('Please choose a color').count()).toBe(0)
})

const messages = async (page: Page) =>
  (await page.locator('[role=alert], [role=status]').allTextContents())
    .map((text) => text.trim())
    .filter((text) => text !== '')

function failToSave() {
  const db = openBeside(here.shop.database)
  db.exec(
    "create trigger fail before insert on audit begin select raise(abort, 'the disk is full'); end",
  )
  onTestFinished(() => {
    db.exec('drop trigger fail')
    db.close()
  })
}
const failedAnswer = (page: Page) => page.waitForResponse((response) => response.status() === 500)

test('the name field is read-only while a color is being added, then empty and focused [COLOR-11, S-471]', async () => {
  const owner = await open('/manage/colors/')
  await owner.getByRole('heading', { name: 'Add color' }).click()
  const name = owner.locator('#color-name')
  await name.fill('Plum')
  await owner.setInputFiles('form[aria-labelledby=add-color] [type=file]', 'public/icon-192.png')
  const letGo = await hold(owner, '**/manage/colors**', 'POST')
  await name.press('Enter')
  await soon(() =>
    name.evaluate((field) => field.matches('[readonly]') && document.activeElement === field),
  ).toBe(true)
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
  await picker.setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(10_485_761),
  })
  await row.getByText('too big', { exact: true }).waitFor()
  expect(await row.getByText('select', { exact: false }).count()).toBe(0)
  const sent: string[] = []
  owner.on(
    'request',
    (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname),
  )
  await row.getByRole('button', { name: 'Change image of Garlands' }).click()
  await row.getByText('too big', { exact: true }).waitFor()

  await owner.goto('/manage/colors/')
  await owner.getByRole('button', { name: 'Edit Rust' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Edit the color Rust' })
  await dialog.getByLabel('Name').fill('Rusty red')
  await dialog
    .getByLabel('Another image')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
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
