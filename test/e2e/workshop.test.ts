// The owner at her item form and her discounts, in a real browser: what only widths, clicks and the clock can show.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openTicket } from './open-ticket.ts'
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

const CUSTOMER = { email: 'clara@example.com', password: 'knots-and-love' }
const START = Date.parse('2026-03-04T12:00:00Z')

/** A page of the workshop in which script runs and time passes only when the test says so. */
async function openWorkshop(path: string, width = 1280): Promise<Page> {
  const page = await openBrowser(browser, shop.url, { viewport: { width, height: 800 } })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.clock.install({ time: START })
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
  await page.clock.pauseAt(START + 3_600_000)
  return page
}

/** Shown for 2000 ms from now on, not one more and not one less. */
async function lasts2000(page: Page, text: string) {
  const shown = page.getByText(text, { exact: true })
  await shown.waitFor()
  // A toast that comes up under the pointer is held by it.
  await page.mouse.move(0, 0)
  await page.clock.runFor(1999)
  expect(await shown.isVisible()).toBe(true)
  await page.clock.runFor(1)
  await shown.waitFor({ state: 'detached' })
}

test('MERCH-07 at 768 px "Select Item" opens and closes the list, at 769 px the list is simply there', async () => {
  const page = await openWorkshop('/manage/item/', 768)
  const select = page.getByRole('button', { name: 'Select Item' })
  const list = page.getByRole('button', { name: 'Add New Item' })
  expect([await select.isVisible(), await list.isVisible()]).toEqual([true, false])

  await select.click()
  await list.waitFor()
  expect(await select.getAttribute('aria-expanded')).toBe('true')
  await select.click()
  await list.waitFor({ state: 'hidden' })

  await page.setViewportSize({ width: 769, height: 800 })
  await list.waitFor()
  expect(await select.isVisible()).toBe(false)
})

test('MERCH-10 TOAST-03 "Add New Item" empties the form and says "Form Reset!" for 2000 ms', async () => {
  const page = await openWorkshop('/manage/item/three-diamonds-wall-hanging')
  const name = page.getByRole('textbox', { name: 'Name' })
  expect(await name.inputValue()).not.toBe('')
  await name.fill('Half a thought')

  await page.getByRole('button', { name: 'Add New Item' }).click()
  // The press is painted before another page is asked for.
  await page.clock.runFor(100)
  // 018: what was typed is not thrown away unasked.
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await lasts2000(page, 'Form Reset!')
  await page.getByRole('heading', { name: 'New Item', exact: true }).waitFor()
  expect(await name.inputValue()).toBe('')
  expect(await page.getByAltText(/^Preview of image/).count()).toBe(0)
})

test('MERCH-29 MERCH-30 MERCH-32 what the image picker reports clears after 2000 ms, counted from the last report', async () => {
  const page = await openWorkshop('/manage/item/')
  const add = page.getByRole('button', { name: 'Add Image' })
  await add.click()
  await lasts2000(page, 'please select a file')

  await add.click()
  await page.getByText('please select a file').waitFor()
  await page.clock.runFor(1500)
  await page.getByLabel('Choose images').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
  await add.click()
  await lasts2000(page, 'please select an image')
})

test('DISC-26 DISC-27 DISC-31 Search finds by what the fields say; Reset empties them and the selection, and shows every item', async () => {
  const page = await openWorkshop('/manage/discount/')
  const found = page.getByRole('region', { name: 'Items Discount' }).getByRole('listitem')
  const name = page.getByRole('searchbox', { name: 'Name' })
  const all = await found.count()
  await name.fill('coaster')
  await page.getByLabel('Comparison').selectOption('<=')
  expect(await found.count()).toBe(all)

  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/name=coaster/)
  await expect.poll(() => found.count()).toBeLessThan(all)
  expect(await found.count()).toBeGreaterThan(0)
  for (const text of await found.allInnerTexts()) expect(text).toMatch(/coaster/i)
  await page.getByLabel('Select All').check()
  await page.getByText(/^[1-9]\d* of \d+ selected$/).waitFor()

  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText(`0 of ${all} selected`).waitFor()
  expect(await found.count()).toBe(all)
  expect([await name.inputValue(), await page.getByLabel('Comparison').inputValue()]).toEqual(['', '>='])
})

test('DISC-33 DISC-35 the choice of columns is hidden at 768 px; at 769 px it sets how many stand in a row', async () => {
  const page = await openWorkshop('/manage/discount/', 768)
  const choice = page.getByRole('navigation', { name: 'Columns' })
  const inFirstRow = () =>
    page
      .getByRole('region', { name: 'Items Discount' })
      .getByRole('listitem')
      .evaluateAll((items) => {
        const tops = items.map((item) => Math.round(item.getBoundingClientRect().top))
        return tops.filter((top) => top === tops[0]).length
      })
  expect(await choice.isVisible()).toBe(false)
  expect(await inFirstRow()).toBe(2)

  await page.setViewportSize({ width: 769, height: 800 })
  await choice.waitFor()
  for (const columns of [4, 3, 1]) {
    await choice.getByRole('link', { name: columns === 1 ? '1 column' : `${columns} columns` }).click()
    await expect.poll(inFirstRow).toBe(columns)
  }
})

test('TOAST-04 DISC-46 DISC-50 what the discounts answer, refusal and success, lasts 2000 ms', async () => {
  const page = await openWorkshop('/manage/discount/?name=coaster')
  const panel = page.getByRole('group', { name: 'Discount of the selected items' })
  await panel.getByLabel('Value').fill('1')
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  await lasts2000(page, 'Please select some items to put on sale')

  await page.getByRole('region', { name: 'Items Discount' }).getByRole('listitem').getByRole('checkbox').first().check()
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await lasts2000(page, 'Successfully put Items on Sale')
})

test('DATA-104 DATA-107 DATA-109 DATA-112 DATA-114 what the owner changes shows by itself in the pages that visitors have open', async () => {
  const visitor = await openBrowser(browser, shop.url)
  const owner = await openBrowser(browser, shop.url)
  onTestFinished(() => Promise.all([visitor.context().close(), owner.context().close()]).then(() => {}))
  const [gallery, item] = [await visitor.context().newPage(), await visitor.context().newPage()]
  await Promise.all([visitor.goto('/'), gallery.goto('/gallery/coasters'), item.goto('/item/sunflower-coaster')])
  const post = (path: string, form: Record<string, string>) =>
    owner.request.post(path, { form, headers: { origin: shop.url }, maxRedirects: 0 })
  await post('/login/', { intent: 'login', ...OWNER })
  await item.getByText('Mustard: Low on stock').waitFor({ state: 'attached' })

  await post('/manage/category/', { intent: 'save', id: 'coasters', title: 'Cup Rounds', color: '#b5764f' })
  await visitor.getByRole('link', { name: 'Cup Rounds', exact: true }).waitFor()
  await gallery.getByRole('heading', { level: 1, name: 'Cup Rounds' }).waitFor()

  await post('/manage/colors/', { intent: 'mark', id: 'mustard', mark: 'isAvailable' })
  await item.getByText('Mustard: Not available').waitFor({ state: 'attached' })

  const sale = { intent: 'items-apply', item: 'sunflower-coaster', type: 'percent', value: '37', confirm: 'Yes' }
  const before = await gallery.locator('article', { hasText: 'Sunflower' }).innerText()
  await post('/manage/discount/', sale)
  await item.getByText('Original price:').first().waitFor()
  await expect.poll(() => gallery.locator('article', { hasText: 'Sunflower' }).innerText()).not.toBe(before)
})

async function openLivePages(path: string, asCustomer = false) {
  const [page, other] = [await openBrowser(browser, shop.url), await openBrowser(browser, shop.url)]
  onTestFinished(() => Promise.all([page.context().close(), other.context().close()]).then(() => {}))
  const sender = (context: Page) => (to: string, form: Record<string, string>) =>
    context.request.post(to, { form, headers: { origin: shop.url }, maxRedirects: 0 })
  const [here, elsewhere] = [sender(page), sender(other)]
  if (asCustomer) await here('/login/', { intent: 'login', ...CUSTOMER })
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
  return { page, elsewhere }
}

test('an open gallery follows a change of any of its items [DATA-108]', async () => {
  const { page, elsewhere } = await openLivePages('/gallery/')
  const card = page.locator('article', { hasText: 'Morning Light Plant Hanger' })
  expect(await card.innerText()).not.toContain('41% OFF')
  await elsewhere('/login/', { intent: 'login', ...OWNER })
  await elsewhere('/manage/discount/', {
    intent: 'items-apply',
    item: 'morning-light-plant-hanger',
    type: 'percent',
    value: '41',
    confirm: 'Yes',
  })
  await card.getByText('41% OFF').waitFor()
})

test('the open page of testimonials follows when the owner hides one [DATA-110]', async () => {
  const { page, elsewhere } = await openLivePages('/testimonials/')
  const shown = inDatabase<{ id: string; writerName: string }>('select id, "writerName" from testimonies where "showOnPage" = 1 limit 1')
  const names = () => page.locator('main').innerText()
  expect(await names()).toContain(shown.writerName)
  await elsewhere('/login/', { intent: 'login', ...OWNER })
  await elsewhere('/manage/testimonials/', { intent: 'hide', id: shown.id })
  await expect.poll(names).not.toContain(shown.writerName)
})

test('an open ticket follows when its testimony is written elsewhere [DATA-111]', async () => {
  const ticket = openTicket(shop.dataDir)
  const { page, elsewhere } = await openLivePages(`/writetestimonials/${ticket.id}/`)
  const email = page.getByLabel('Email')
  await email.waitFor()
  await elsewhere(`/writetestimonials/${ticket.id}`, { intent: 'write', email: ticket.writerEmail, testimony: 'It hangs in our kitchen.' })
  await email.waitFor({ state: 'detached' })
})

test('the open list of conversations follows a new message [DATA-102]', async () => {
  const { page, elsewhere } = await openLivePages('/')
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto('/manage/messages/')
  await elsewhere('/login/', { intent: 'login', ...CUSTOMER })
  await elsewhere('/messages/', { intent: 'send', message: 'Is the blue cord back?' })
  await page.locator('main').getByText('Is the blue cord back?').first().waitFor()
})

test('an open conversation follows a reply of the owner [DATA-103]', async () => {
  const { page, elsewhere } = await openLivePages('/?messages=', true)
  const { id } = inDatabase<{ id: string }>(`select id from user where email = '${CUSTOMER.email}'`)
  await elsewhere('/login/', { intent: 'login', ...OWNER })
  await elsewhere(`/manage/messages/${id}`, { intent: 'send', message: 'It came this morning.' })
  await page.getByText('It came this morning.').first().waitFor()
})

test('an open page follows a favorite of the same customer from another device [DATA-115]', async () => {
  const { page, elsewhere } = await openLivePages('/item/sunflower-coaster', true)
  const heart = page.getByRole('button', { name: 'Favorite: Sunflower Coaster' }).first()
  const isPressed = (await heart.getAttribute('aria-pressed')) === 'true'
  await elsewhere('/login/', { intent: 'login', ...CUSTOMER })
  await elsewhere('/favourite', { itemId: 'sunflower-coaster', wanted: isPressed ? 'no' : 'yes' })
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe(String(!isPressed))
})

function inDatabase<Row>(query: string): Row {
  const db = new DatabaseSync(join(shop.dataDir, 'shop.db'), { readOnly: true, timeout: 5000 })
  try {
    return db.prepare(query).get() as Row
  } finally {
    db.close()
  }
}
