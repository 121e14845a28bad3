// The owner changes categories and colours with her thumb, and visitors see it in the pages they have open.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { axe, axeInLight } from './axe.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
const PIECE = '/item/sunflower-coaster'

async function open(path: string, { asOwner = false } = {}) {
  const page = await openBrowser(browser, shop.url, { viewport: PHONE })
  onTestFinished(() => page.context().close())
  if (asOwner) await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto(path)
  return page
}
/** Everything of one of the owner's entries. */
const category = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const color = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const bannerTint = (page: Page) =>
  page.locator('header[style*="--tint"]').evaluate((banner) => (banner as HTMLElement).style.getPropertyValue('--tint'))
/** Where the categories stand in the gallery's list, folded or not. */
const galleryOrder = (page: Page) => page.locator('nav[aria-label="Categories"]').first().locator('a').allTextContents()

test('CATEGORY-02 CATEGORY-03 CATEGORY-07 COLOR-07 COLOR-08 COLOR-11 COLOR-12 S-100 recolour: title, theme colour and order of a category, a colour low, one gone, one new, one deleted; open pages show it', async () => {
  const [owner, gallery, piece, home] = await Promise.all([
    open('/manage/category/', { asOwner: true }),
    open('/gallery/coasters'),
    open(PIECE),
    open('/'),
  ])
  const reloads: string[] = []
  for (const page of [gallery, piece, home]) page.on('load', () => void reloads.push(page.url()))

  await owner.getByLabel('Edit Coasters').click()
  const row = category(owner, 'Coasters')
  await row.getByLabel('Title').fill('Cup Rounds')
  await row.getByLabel('Theme color', { exact: true }).fill('#2e8b57')
  await owner.getByRole('heading', { level: 1 }).click()
  await gallery.getByRole('heading', { level: 1, name: 'Cup Rounds' }).waitFor()
  await soon(() => bannerTint(gallery)).toBe('#2e8b57')
  await category(owner, 'Cup Rounds').getByText('Saved', { exact: true }).waitFor()
  expect(await sideways(owner)).toBe(0)

  await owner.getByRole('button', { name: 'Move up: Cup Rounds' }).click()
  await soon(async () => (await galleryOrder(gallery)).join()).toContain('Cup Rounds,Key Chains')
  expect(await owner.evaluate(() => scrollY)).toBeLessThan(600)

  await owner.goto('/manage/colors/')
  await owner.getByRole('checkbox', { name: 'low stock (Natural Cream)' }).check()
  await piece.getByText('Natural Cream: Low on stock').waitFor({ state: 'attached' })
  await owner.getByRole('checkbox', { name: 'available (Mustard)' }).uncheck()
  await piece.getByText('Mustard: Not available').waitFor({ state: 'attached' })

  await owner.getByText('Add Color').first().click()
  const photo = join(shop.dataDir, 'photo.jpg')
  await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#2e8b57' } })
    .jpeg()
    .toFile(photo)
  await owner.getByRole('textbox', { name: 'Name', exact: true }).and(owner.locator(':visible')).fill('Sea  green')
  await owner.getByLabel('Image', { exact: true }).setInputFiles(photo)
  await owner.getByRole('button', { name: 'Add Color', exact: true }).click()
  await owner.getByText('Sea green is added').waitFor()
  await color(owner, 'Sea green').waitFor()
  await home.getByRole('button', { name: 'View All' }).click()
  await home.getByText('Sea green', { exact: true }).first().waitFor({ state: 'attached' })

  // Whoever gives up finds the stored name the next time, and no refusal of the earlier try.
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
  await owner.getByRole('button', { name: 'Delete Natural Cream' }).click()
  const question = owner.getByRole('dialog', { name: 'Delete the color Natural Cream?' })
  await question.getByText(/^Used by \d+ pieces\./).waitFor()
  expect(await question.getByRole('link').count()).toBe(5)
  await question.getByRole('button', { name: 'No', exact: true }).click()
  expect(await piece.getByText('Natural Cream').count()).toBeGreaterThan(0)
  await owner.getByRole('button', { name: 'Delete Natural Cream' }).click()
  await question.getByRole('button', { name: 'Yes', exact: true }).click()
  await soon(() => piece.getByText('Natural Cream').count()).toBe(0)
  await owner.getByText('No color is like that.').waitFor()

  expect(await sideways(owner)).toBe(0)
  expect(reloads).toEqual([])
  expect([...owner.errors.filter((text) => !/422/.test(text)), ...gallery.errors, ...piece.errors, ...home.errors]).toEqual([])
})

test('CATEGORY-07 typed text stays while another window saves and while the shop cannot write; once left, what is stored is put back', async () => {
  const [first, second] = [await open('/manage/category/', { asOwner: true }), await open('/manage/category/', { asOwner: true })]
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
  expect(await typing.inputValue()).toBe('Sacks')
  await Promise.all([failed(), first.getByRole('heading', { level: 1 }).click()])
  await soon(() => typing.inputValue()).toBe('Bags for life')
  expect(await first.getByRole('heading', { level: 1 }).textContent()).toBe('Categories')
})

test('CATEGORY-03 CATEGORY-07 what is no color is told beside the field and not sent, and a picked one is saved when it is chosen', async () => {
  const owner = await open('/manage/category/', { asOwner: true })
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

test('COLOR-07 COLOR-08 S-104 a box shows at once what was asked for, and what is stored when it could not be written', async () => {
  const owner = await open('/manage/colors/', { asOwner: true })
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  await owner.route('**/manage/colors**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await held
    await route.fulfill({ status: 500, body: '' })
  })
  const low = owner.getByRole('checkbox', { name: 'low stock (Teal)' })
  expect(await low.isChecked()).toBe(false)
  await low.click()
  expect(await low.isChecked()).toBe(true)
  letGo()
  await soon(() => low.isChecked()).toBe(false)
  expect(await owner.getByRole('heading', { level: 1 }).textContent()).toBe('Colors')
  // What came was no answer of the shop, so it is not known whether it has saved anything.
  expect(await messages(owner)).toEqual(['That did not work. Please try again.'])
})

const messages = async (page: Page) =>
  (await page.locator('[role=alert], [role=status]').allTextContents()).map((text) => text.trim()).filter((text) => text !== '')

/** Makes the shop fail to save what the owner changes, until the test ends. */
function failToSave() {
  const db = new DatabaseSync(join(shop.dataDir, 'shop.db'), { timeout: 5000 })
  db.exec("create trigger fail before insert on audit begin select raise(abort, 'the disk is full'); end")
  onTestFinished(() => {
    db.exec('drop trigger fail')
    db.close()
  })
}
const failedAnswer = (page: Page) => page.waitForResponse((response) => response.status() === 500)

test('a title that cannot be saved is put back, and the screen shows no message [CATEGORY-12]', async () => {
  const owner = await open('/manage/category/', { asOwner: true })
  await owner.getByLabel('Edit Earrings').click()
  failToSave()
  const title = owner.locator('#title-earrings')
  await title.fill('Sacks')
  await Promise.all([failedAnswer(owner), owner.getByRole('heading', { level: 1 }).click()])
  await soon(() => title.inputValue()).toBe('Earrings')
  expect(await messages(owner)).toEqual([])
  expect(shop.output()).toContain('the disk is full')
})

test('a mark of a color that cannot be saved is put back, and the screen shows no message [COLOR-18]', async () => {
  const owner = await open('/manage/colors/', { asOwner: true })
  failToSave()
  const low = owner.getByRole('checkbox', { name: 'low stock (Teal)' })
  await Promise.all([failedAnswer(owner), low.click()])
  await soon(() => low.isChecked()).toBe(false)
  expect(await messages(owner)).toEqual([])
})

test('CATEGORY-09 CATEGORY-10 CATEGORY-11 COLOR-15 COLOR-16 COLOR-17 the pickers tell it before anything is sent, and a correction in a dialog closes it', async () => {
  const owner = await open('/manage/category/', { asOwner: true })
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

  await owner.goto('/manage/colors/')
  await owner.getByRole('button', { name: 'Edit Rust' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Edit the color Rust' })
  await dialog.getByLabel('Name').fill('Rusty red')
  await dialog.getByLabel('Another image').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await dialog.getByText('select image', { exact: true }).waitFor()
  await dialog.getByLabel('Another image').setInputFiles([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await color(owner, 'Rusty red').waitFor()
  expect(await owner.getByRole('dialog').count()).toBe(0)
})

test('what is opened on the two pages has no barriers, in both themes', async () => {
  const owner = await open('/manage/category/', { asOwner: true })
  const barriers: string[] = []
  const note = async (where: string) => {
    for (const [theme, look] of [
      ['dark', axe],
      ['light', axeInLight],
    ] as const) {
      await owner.evaluate((name) => void (document.documentElement.dataset.theme = name), theme)
      await owner.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null))
      const { violations } = await look(owner).analyze()
      for (const { id, nodes } of violations) barriers.push(...nodes.map((node) => `${where}, ${theme}: ${id} ${node.html}`))
    }
    if ((await sideways(owner)) > 0) barriers.push(`${where} scrolls sideways`)
  }
  await owner.getByLabel('Edit Earrings').click()
  await owner.locator('#title-earrings').fill('')
  await owner.getByRole('button', { name: 'Move Earrings', exact: true }).focus()
  await owner.keyboard.press('Space')
  await note('a category picked up and opened')

  await owner.goto('/manage/colors/')
  await owner.getByText('Add Color').first().click()
  await owner.getByRole('button', { name: 'Add Color', exact: true }).click()
  await owner.getByText('Please enter a name').waitFor()
  await note('the form of colours, refused')
  for (const name of ['Edit Navy', 'Delete Navy']) {
    await owner.getByRole('button', { name }).click()
    await note(name)
    await owner.keyboard.press('Escape')
  }
  expect(barriers).toEqual([])
})
