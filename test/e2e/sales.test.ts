import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '#services/database.server.ts'
import type { Db } from '#db/schema.ts'
import { OWNER, shopAndBrowser } from '#test/fixtures/browser.ts'
import { addSale } from '#test/fixtures/orders.ts'
import { readPdf, scanPage } from '#test/fixtures/pdf.ts'
import { hasFocus, readCode } from '#test/pages/shop.ts'

const here = shopAndBrowser()
let db: Db
let closeDatabase: () => Promise<void>

beforeAll(async () => {
  const database = openSqliteDatabase(here.shop.dataDir)
  db = database.db
  closeDatabase = database.close
  const createdAt = Date.now()
  await addSale(db, { receiptTag: 'ann-1', salePriceCents: 3000, createdAt })
  await addSale(db, {
    receiptTag: 'ann-1',
    itemName: 'Coaster',
    itemPriceCents: 800,
    salePriceCents: 800,
    createdAt,
  })
  await addSale(db, {
    receiptTag: 'ben-1',
    buyerName: 'Ben Other',
    itemName: 'Key chain',
    createdAt,
  })
  await addSale(db, {
    receiptTag: 'cleo-1',
    buyerName: 'Cleo Lost',
    itemName: 'Garland',
    createdAt,
  })
})
afterAll(() => closeDatabase())

/**
 * Opens the Sales page with a fake print(). The fake print() records the text that the browser
 * would have printed.
 */
const openSales = (path = '/manage/sales/') =>
  here.open(path, {
    as: OWNER,
    before: (page) =>
      page.addInitScript(() => {
        const printed: string[] = []
        Object.assign(window, {
          printed,
          print: () => void printed.push(document.body.textContent),
        })
      }),
  })

const printed = (page: Page) =>
  page.evaluate(() => (window as unknown as { printed: string[] }).printed.length)
const hasPrinted = (page: Page, times: number) =>
  page.waitForFunction(
    (wanted) => (window as unknown as { printed: string[] }).printed.length === wanted,
    times,
  )

async function openReceipt(page: Page, name: RegExp): Promise<Locator> {
  await page.getByRole('link', { name }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

async function onPaper(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' })
  const text = await page.evaluate(() => document.body.innerText)
  await page.emulateMedia({ media: null })
  return text
}

const pagesOf = async (page: Page, format: 'A4' | 'Letter') =>
  (await readPdf(await page.pdf({ format }))).pages.length

test('the print overlay keeps the focus, closes with "Close", Escape or Back, and shows the typed text when it opens again [SALES-27, SALES-28, SALES-35, OWN-31]', async () => {
  const page = await openSales()
  const card = page.getByRole('link', { name: /Ann Buyer/ })
  const list = page.url()

  let dialog = await openReceipt(page, /Ann Buyer/)
  expect(new URL(page.url()).searchParams.get('receipt')).toBe('ann-1')
  expect(await dialog.innerText()).toContain('Ann Buyer')
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      ),
    ).toBe(true)
  }
  await dialog.getByLabel('Name on the invoice').fill('Ann B.')
  await dialog.getByRole('link', { name: 'Close' }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toBe(list)
  await expect.poll(() => hasFocus(card)).toBe(true)

  await page.keyboard.press('Enter')
  dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Name on the invoice').inputValue()).toBe('Ann B.')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(card)).toBe(true)

  await openReceipt(page, /Ben Other/)
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toBe(list)
})

test('"Print" does nothing while no document is selected or the shipping fee is not a number [SALES-33, SALES-36, SALES-37, S-111, S-191]', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Ann Buyer/)
  const print = dialog.getByRole('button', { name: 'Print' })

  expect(await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').inputValue()).toBe('')
  expect(await print.isDisabled()).toBe(true)
  await dialog.getByText('Please select a document to print.').waitFor()
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').press('Enter')
  expect(await printed(page)).toBe(0)

  await dialog.getByRole('checkbox', { name: 'Invoice' }).check()
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('abc')
  await print.click()
  await dialog.getByText('Please enter the shipping fee as a number, such as 12.50.').waitFor()
  expect(await printed(page)).toBe(0)
  await dialog.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('')
  await print.dblclick()
  await hasPrinted(page, 1)
  await dialog.getByText('This invoice keeps its number').waitFor()
})

test('a testimony ticket is created once, and shows its link and a QR code of the link with 300 by 300 pixels [SALES-54, SALES-56, SALES-57, SALES-60, TESTI-26]', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Ann Buyer/)
  await dialog.getByRole('checkbox', { name: 'Thank you card' }).check()
  expect(await dialog.getByRole('article', { name: 'Thank you card' }).innerText()).toContain(
    'Dear Ann Buyer,',
  )
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await dialog.getByRole('button', { name: 'Print' }).dblclick()

  await page.getByText('Created Testimony Ticket').waitFor()
  await hasPrinted(page, 1)

  const [ticket, ...more] = await db
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', 'ann-1')
    .execute()
  expect(more).toEqual([])
  const link = `${here.shop.url}/writetestimonials/${ticket!.id}`
  const paper = dialog.getByRole('article', { name: 'Testimony Ticket' })
  expect(await paper.innerText()).toMatch(/\$5 OFF\s+your next purchase for writing a testimony/)
  expect(await paper.getByRole('link').getAttribute('href')).toBe(link)
  expect(await paper.getByRole('link').innerText()).toBe(link)
  expect(
    await page.evaluate(() => (window as unknown as { printed: string[] }).printed[0]),
  ).toContain(link)

  const code = paper.getByRole('img', { name: 'QR code to the testimony page' })
  const box = (await code.boundingBox())!
  expect(box.width).toBe(300)
  expect(box.height).toBe(300)
  expect(await readCode(code)).toBe(link)
})

test('each selected document is printed on its own page, in A4 and in Letter, and nothing else is printed; a numbered invoice has no editable fields [SALES-55, SALES-57, SALES-59, S-195, S-403]', async () => {
  const page = await openSales('/manage/sales/?receipt=ben-1')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Invoice' }).check()
  let paper = await onPaper(page)
  expect(paper).toMatch(/INVOICE[\s\S]*Made by hand/)
  expect(paper).not.toMatch(/Dear Ben|Shipping fee|Sales|Ann Buyer|Cleo/)
  expect(await pagesOf(page, 'A4')).toBe(1)
  expect(await pagesOf(page, 'Letter')).toBe(1)
  const isFramed = () =>
    dialog
      .getByLabel('Name on the invoice')
      .evaluate((field) => getComputedStyle(field).borderTopColor !== 'rgba(0, 0, 0, 0)')
  expect(await isFramed()).toBe(true)

  await dialog.getByRole('checkbox', { name: 'Thank you card' }).check()
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await dialog.getByRole('button', { name: 'Print' }).click()
  await hasPrinted(page, 1)
  expect(await isFramed()).toBe(false)
  paper = await onPaper(page)
  expect(paper).toMatch(/INVOICE[\s\S]*Dear Ben Other[\s\S]*\$5 OFF/)
  expect(paper).not.toMatch(/Shipping fee|Created Testimony Ticket|Ann Buyer/)
  const [{ id } = { id: '' }] = await db
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', 'ben-1')
    .execute()
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = await page.pdf({ format })
    const { pages, sizes } = await readPdf(pdf)
    expect(sizes).toEqual([format, format, format])
    expect(
      pages.map((words) => /INVOICE.*000\d|DearBenOther|\$5OFF/.exec(words)?.[0].slice(0, 7)),
    ).toEqual(['INVOICE', 'DearBen', '$5OFF'])
    expect(await scanPage(pdf, 3)).toMatchObject({
      text: `${here.shop.url}/writetestimonials/${id}`,
    })
  }

  await dialog.getByRole('checkbox', { name: 'Invoice' }).uncheck()
  expect(await onPaper(page)).not.toContain('INVOICE')
  expect(await pagesOf(page, 'A4')).toBe(2)
})

test('if a testimony ticket cannot be created, the print overlay shows an error and prints nothing [SALES-61]', async () => {
  const page = await openSales()
  const dialog = await openReceipt(page, /Cleo Lost/)
  await dialog.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await db.deleteFrom('sales').where('receiptTag', '=', 'cleo-1').execute()

  await dialog.getByRole('button', { name: 'Print' }).click()

  await page.getByText('Erro Creating Testimony Ticket').waitFor()
  expect(await printed(page)).toBe(0)
})
