import { encode } from 'uqr'
import sharp from 'sharp'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { Db } from '#db/schema.ts'
import { addSale, placeOrder } from '#test/a-sale.ts'
import { launchChromium } from '#test/chromium.ts'
import { axe, axeInLight } from './axe.ts'
import { readPdf, scanPage } from '#test/printed.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'

const ZONE = 'America/New_York'
let shop: ServedShop
let db: Db
let browser: Browser
let closeDatabase: () => Promise<void>

beforeAll(async () => {
  shop = await openServedShop({ env: { SHOP_TIME_ZONE: ZONE } })
  const database = openSqliteDatabase(shop.dataDir)
  db = database.db
  closeDatabase = database.close
  const createdAt = Date.now()
  await addSale(db, { receiptTag: 'ann-1', salePriceCents: 3000, createdAt })
  await addSale(db, { receiptTag: 'ann-1', itemName: 'Coaster', itemPriceCents: 800, salePriceCents: 800, createdAt })
  await addSale(db, { receiptTag: 'ben-1', buyerName: 'Ben Other', itemName: 'Key chain', createdAt })
  await addSale(db, { receiptTag: 'cleo-1', buyerName: 'Cleo Lost', itemName: 'Garland', createdAt })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await closeDatabase?.()
  await shop?.stop()
})

/** The Sales screen as the owner sees it. What print() would have put on paper is counted, and its visible words kept. */
async function openSales({ width = 1280, height = 800, path = '/manage/sales/' } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, baseURL: shop.url })
  onTestFinished(() => context.close())
  await context.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url } })
  await context.addInitScript(() => {
    const printed: string[] = []
    Object.assign(window, { printed, print: () => void printed.push(document.body.textContent) })
  })
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}

const printed = (page: Page) => page.evaluate(() => (window as unknown as { printed: string[] }).printed.length)
const hasPrinted = (page: Page, times: number) =>
  page.waitForFunction((wanted) => (window as unknown as { printed: string[] }).printed.length === wanted, times)

async function openReceipt(page: Page, name: RegExp): Promise<Locator> {
  await page.getByRole('link', { name }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** What is to be seen when the page is printed. */
async function onPaper(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' })
  const text = await page.evaluate(() => document.body.innerText)
  await page.emulateMedia({ media: null })
  return text
}

const pagesOf = async (page: Page, format: 'A4' | 'Letter') => (await readPdf(await page.pdf({ format }))).pages.length

test('SALES-27 SALES-28 SALES-35 the overlay opens with its receipt, keeps the focus, and closes by button, Escape and Back', async () => {
  const page = await openSales()
  const card = page.getByRole('link', { name: /Ann Buyer/ })
  const list = page.url()

  let dialog = await openReceipt(page, /Ann Buyer/)
  expect(new URL(page.url()).searchParams.get('receipt')).toBe('ann-1')
  expect(await dialog.innerText()).toContain('Ann Buyer')
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest('dialog'))).toBe(true)
  }
  await dialog.getByRole('link', { name: 'Close' }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toBe(list)
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true)

  await openReceipt(page, /Ben Other/)
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toBe(list)
})

test('SALES-33 SALES-36 SALES-37 S-111 S-191 nothing is ticked at first, and Print does nothing until something is, nor while the fee is no number', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Ann Buyer/)
  const print = dialog.getByRole('button', { name: 'Print' })

  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0)
  expect(await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').inputValue()).toBe('')
  expect(await print.isDisabled()).toBe(true)
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').press('Enter')
  expect(await printed(page)).toBe(0)

  await dialog.getByRole('checkbox', { name: 'Invoice' }).check()
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('abc')
  await print.click()
  await dialog.getByText('Please enter the shipping fee as a number.').waitFor()
  expect(await printed(page)).toBe(0)
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('')
  await print.dblclick()
  await hasPrinted(page, 1)
  await dialog.getByText('This invoice keeps its number').waitFor()
})

test('SALES-38 SALES-39 SALES-40 SALES-41 SALES-42 SALES-43 SALES-44 SALES-45 SALES-46 SALES-47 SALES-48 SALES-49 SALES-50 SALES-51 SALES-59 CONST-02 the invoice', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Ann Buyer/)
  await dialog.getByRole('checkbox', { name: 'Invoice' }).check()
  const invoice = dialog.getByRole('article', { name: 'Invoice' })
  const rows = async () =>
    (await invoice.getByRole('row').allInnerTexts())
      .map((row) => row.replace(/\s+/g, ' ').trim())
      .map((row) => row.replace(/^ITEM.*/, 'head'))
  const shipping = dialog.getByLabel('Shipping fee')

  const text = await invoice.innerText()
  for (const part of ['Knots & Love', 'Your City', 'INVOICE', formatDate(Date.now(), ZONE), 'Ann Buyer', 'ann@mail.test'])
    expect(text).toContain(part)
  expect(text).toMatch(/PAYMENT TOTAL\s+\$38\.00/)
  expect(await rows()).toEqual(
    expect.arrayContaining(['head', 'Plant hanger $35.00 $30.00', 'Coaster $8.00 $8.00', 'Shipping FREE', 'Total $38.00']),
  )

  await shipping.fill('-5')
  expect(await rows()).toEqual(expect.arrayContaining(['Shipping FREE', 'Total $38.00']))
  await shipping.fill('7.5')
  expect(await rows()).toEqual(expect.arrayContaining(['Shipping $7.50', 'Total $45.50']))
  expect(await invoice.innerText()).toMatch(/PAYMENT TOTAL\s+\$45\.50/)
  await shipping.fill('1000000')
  expect(await rows()).toEqual(expect.arrayContaining(['Shipping $1,000,000.00', 'Total $1,000,038.00']))
  await shipping.fill('0')
  expect(await rows()).toEqual(expect.arrayContaining(['Shipping FREE', 'Total $38.00']))
})

test('SALES-52 SALES-53 SALES-54 SALES-55 SALES-56 SALES-57 SALES-58 SALES-60 TESTI-26 the letter, and the ticket with a link and a code of 300 by 300 that reads as it', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Ann Buyer/)
  await dialog.getByRole('checkbox', { name: 'Thank you card' }).check()
  expect(await dialog.getByRole('article', { name: 'Thank you card' }).innerText()).toContain('Dear Ann Buyer,')
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await dialog.getByRole('button', { name: 'Print' }).dblclick()

  await page.getByText('Created Testimony Ticket').waitFor()
  await hasPrinted(page, 1)

  const [ticket, ...more] = await db.selectFrom('testimonies').select('id').where('receiptTag', '=', 'ann-1').execute()
  expect(more).toEqual([])
  const link = `${shop.url}/writetestimonials/${ticket!.id}`
  const paper = dialog.getByRole('article', { name: 'Testimony Ticket' })
  expect(await paper.innerText()).toMatch(/\$5 OFF\s+your next purchase for writing a testimony/)
  expect(await paper.getByRole('link').getAttribute('href')).toBe(link)
  expect(await paper.getByRole('link').innerText()).toBe(link)
  expect(await page.evaluate(() => (window as unknown as { printed: string[] }).printed[0])).toContain(link)

  const code = paper.getByRole('img', { name: 'QR code to the testimony page' })
  const box = (await code.boundingBox())!
  expect([box.width, box.height]).toEqual([300, 300])
  expect(await modulesSeenIn(await code.screenshot({ scale: 'css' }), link)).toEqual(modulesOf(link))
})

/** true: dark */
const modulesOf = (link: string): boolean[] => encode(link, { ecc: 'M', border: 0 }).data.flat()

/** The picture looked at in the middle of each module. */
async function modulesSeenIn(png: Buffer, link: string): Promise<boolean[]> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
  const { size } = encode(link, { ecc: 'M', border: 0 })
  const at = (module: number) => Math.floor(((module + 4.5) * info.width) / (size + 8))
  return Array.from({ length: size * size }, (_, n) => data[(at(Math.floor(n / size)) * info.width + at(n % size)) * info.channels]! < 128)
}

test('SALES-55 SALES-57 SALES-59 S-195 each chosen paper is printed on a page of its own, A4 and Letter, and nothing else is', async () => {
  const page = await openSales({ path: '/manage/sales/?receipt=ben-1' })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Invoice' }).check()
  let paper = await onPaper(page)
  expect(paper).toContain('INVOICE')
  expect(paper).not.toMatch(/Dear Ben|Shipping fee|Sales|Ann Buyer|Cleo/)
  expect([await pagesOf(page, 'A4'), await pagesOf(page, 'Letter')]).toEqual([1, 1])

  await dialog.getByRole('checkbox', { name: 'Thank you card' }).check()
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await dialog.getByRole('button', { name: 'Print' }).click()
  await hasPrinted(page, 1)
  paper = await onPaper(page)
  expect(paper).toMatch(/INVOICE[\s\S]*Dear Ben Other[\s\S]*\$5 OFF/)
  expect(paper).not.toMatch(/Shipping fee|Created Testimony Ticket|Ann Buyer/)
  const [{ id } = { id: '' }] = await db.selectFrom('testimonies').select('id').where('receiptTag', '=', 'ben-1').execute()
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = await page.pdf({ format })
    const { pages, sizes } = await readPdf(pdf)
    expect(sizes).toEqual([format, format, format])
    expect(pages.map((words) => /INVOICE.*000\d|DearBenOther|\$5OFF/.exec(words)?.[0].slice(0, 7))).toEqual(['INVOICE', 'DearBen', '$5OFF'])
    expect(await scanPage(pdf, 3)).toMatchObject({ text: `${shop.url}/writetestimonials/${id}` })
  }

  await dialog.getByRole('checkbox', { name: 'Invoice' }).uncheck()
  expect(await onPaper(page)).not.toContain('INVOICE')
  expect(await pagesOf(page, 'A4')).toBe(2)
})

test('SALES-61 a ticket that cannot be made is told and nothing is printed', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Cleo Lost/)
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await db.deleteFrom('sales').where('receiptTag', '=', 'cleo-1').execute()

  await dialog.getByRole('button', { name: 'Print' }).click()

  await page.getByText('Erro Creating Testimony Ticket').waitFor()
  expect(await printed(page)).toBe(0)
})

test('SALES-02 SALES-03 SALES-05 SALES-11 SALES-13 SALES-14 the arrows step months and weeks, and nothing scrolls sideways at 360 px', async () => {
  const page = await openSales({ width: 360, height: 740, path: '/manage/sales/?month=12' })
  const period = page.getByRole('region', { name: 'Period' })
  const year = formatDate(Date.now(), ZONE).slice(-4)
  const step = async (name: string, shown: string) => {
    await page.getByRole('link', { name }).click()
    await period.getByText(shown, { exact: true }).waitFor()
  }
  await step('Next month', `January ${year}`)
  await step('Previous month', `December ${year}`)
  await step('Previous week', '5th')
  await period.getByText(`December 29, ${year} – December 31, ${year}`).waitFor()
  await step('Next week', 'All Weeks')
  await step('Next week', '1st')
  await period.getByText(`December 01, ${year} – December 07, ${year}`).waitFor()
  await step('Previous month', `November ${year}`)
  await period.getByText('All Weeks').waitFor()

  await page.goto('/manage/sales/?receipt=ann-1')
  const dialog = page.getByRole('dialog')
  for (const paper of ['Invoice', 'Thank you card', 'Testimony Ticket']) await dialog.getByRole('checkbox', { name: paper }).check()
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('dialog[open]')!.scrollWidth])
  expect(widths).toEqual([360, 360])
})

test.for(['dark', 'light'] as const)('the list and the overlay with all its papers have no accessibility faults, %s', async (theme) => {
  const page = await openSales({ path: '/manage/sales/' })
  await page.context().addCookies([{ name: 'theme', value: theme, url: shop.url }])
  await page.reload({ waitUntil: 'networkidle' })
  const look = theme === 'light' ? axeInLight : axe
  const faults = async () => (await look(page).analyze()).violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
  expect(await faults()).toEqual([])
  const dialog = await openReceipt(page, /Ann Buyer/)
  for (const paper of ['Invoice', 'Thank you card', 'Testimony Ticket']) await dialog.getByRole('checkbox', { name: paper }).check()
  expect(await faults()).toEqual([])
})

test('DATA-116 a sale completed elsewhere shows up while the screen is open', async () => {
  await placeOrder(db, [{ itemId: 'lantern', name: 'Lantern', priceCents: 4200 }], {
    id: 'dora-uid',
    userName: 'Dora Live',
    receiptTag: 'dora-1',
  })
  const page = await openSales()
  expect(await page.getByText('Dora Live').count()).toBe(0)

  const act = { form: { intent: 'complete', itemId: 'lantern', price: '40' }, headers: { origin: shop.url } }
  expect((await page.context().request.post('/manage/messages/dora-uid/', act)).ok()).toBe(true)

  const card = page.getByRole('link', { name: /Dora Live/ })
  await card.waitFor()
  expect((await card.innerText()).replace(/\s+/g, ' ')).toMatch(/Lantern Original price: \$42\.00 Sold for: \$40\.00/)
})
