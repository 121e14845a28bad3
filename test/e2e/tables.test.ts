// The owner and her spreadsheet, on a phone: items out, one price changed, the table back in.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { axe } from './axe.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

async function openTables({ javaScriptEnabled = true } = {}) {
  const page = await openBrowser(browser, shop.url, { viewport: PHONE, javaScriptEnabled })
  onTestFinished(() => page.context().close())
  await signIn(page, OWNER)
  await page.goto('/manage/tables/')
  return page
}

async function download(page: Page, name: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  return readFile(await (await coming).path(), 'utf8')
}

async function upload(page: Page, body: string | Buffer, name = 'items.csv') {
  await page.getByLabel('Table (CSV)').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(body) })
  await page.getByRole('button', { name: 'Check the file' }).click()
}

const barriers = async (page: Page) => {
  const { violations } = await axe(page).analyze()
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`), ...(isWide ? ['scrolls sideways'] : [])]
}

test('items are downloaded, a price is changed, the check is read and applied, and a visitor sees the new price', async () => {
  const page = await openTables()
  const csv = await download(page, 'Download items')
  const [, id, name, price] = /\r\n([^,]+),([^,]+),Wall Hangings,(\d+\.\d\d),/.exec(csv)!
  await upload(page, `${csv.replace(`,${price},`, ',777.00,')},Without a picture,Bags,12,Nice.,,,,,,\r\n`)

  const heading = page.getByRole('heading', { name: 'What would change' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((node) => node === document.activeElement)).toBe(true)
  const row = page.getByRole('listitem').filter({ hasText: name! }).filter({ hasText: 'Changed' })
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toContain(`$${price} → $777.00`)
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Refused (1)' }).click()
  await page.getByText('Please Add Atleast 1 Image for the Item').waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await download(page, 'Download this list')).toContain('Please Add Atleast 1 Image for the Item')

  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 item updated.').waitFor()
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0)
  expect(await barriers(page)).toEqual([])
  const visitor = await openBrowser(browser, shop.url, { viewport: PHONE })
  onTestFinished(() => visitor.context().close())
  await visitor.goto(`/item/${id}/`)
  await visitor.getByText('$777.00').first().waitFor()
  expect(page.errors).toEqual([])
})

test('nonsense is refused beside the field, and the next file is taken', async () => {
  const page = await openTables()
  await upload(page, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'photo.csv')
  const error = page.locator('#table-file-error')
  await expect.poll(() => error.textContent()).toBe('This is not a table but some other kind of file')
  expect(await barriers(page)).toEqual([])

  await upload(page, 'id,prise\nx,1')
  await expect.poll(() => error.textContent()).toContain('There is no column “prise”.')
  await upload(page, await download(page, 'Download with semicolons'))
  await page.getByText('There is nothing to change.').waitFor()
  await expect.poll(() => error.textContent()).toBe('')
})

test('without script the same forms lead to the same pages', async () => {
  const page = await openTables({ javaScriptEnabled: false })
  const csv = await download(page, 'Download items')
  await upload(page, csv.replace(/,Bags,(\d+\.\d\d),/, ',Bags,555.00,'))
  await page.getByRole('heading', { name: 'What would change' }).waitFor()
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 item updated.').waitFor()
  await upload(page, '')
  await page.getByText('This file is empty').waitFor()
})
