// The owner's item form as she works on her phone: nothing that she typed is lost, and nothing of another tab is overwritten unseen.
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { kept, keptFile, nothingKept } from './new-item-steps.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})
/** The machine may be busy; what is waited for comes by itself. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })

async function open(path: string, options: Parameters<typeof openBrowser>[2] = { viewport: PHONE }) {
  const page = await openBrowser(browser, shop.url, options)
  await signIn(page, OWNER)
  await page.goto(path)
  return page
}
const name = (page: Page) => page.getByLabel('Name *')
const price = (page: Page) => page.getByLabel('Price *')
const save = (page: Page) => page.getByRole('button', { name: 'Update Item' }).click()
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).first()
const back = (page: Page) => page.getByText('Your unsaved changes are back')
const prompt = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
/** An item of the demo shop for each journey. */
async function itemOf(page: Page, category: string, at = 0): Promise<string> {
  await page.goto(`/manage/item/?open=1~${category}`)
  return (await page.locator('#item-list ul a').nth(at).getAttribute('href'))!
}
const pick = async (page: Page, file: string) => {
  const buffer = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer()
  await page.setInputFiles('#item-files', { name: file, mimeType: 'image/jpeg', buffer })
  const add = page.getByRole('button', { name: 'Add Image' })
  if (await add.isVisible()) await add.click()
}

test('018 whoever leaves with unsaved changes is asked; staying keeps them, leaving brings them back later', async () => {
  const page = await open('/manage/')
  await page.goto(await itemOf(page, 'coasters'))
  await name(page).fill('Half a thought')
  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.locator('#item-list ul a').nth(1).click()
  await prompt(page).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay')
  await page.keyboard.press('Escape')
  await soon(() => prompt(page).count()).toBe(0)
  expect(await name(page).inputValue()).toBe('Half a thought')

  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.locator('#item-list ul a').nth(1).click()
  await prompt(page).getByText('They are back when you open this form again.').waitFor()
  await prompt(page).getByRole('button', { name: 'Leave' }).click()
  await soon(() => name(page).inputValue()).not.toBe('Half a thought')
  expect(await back(page).count()).toBe(0)
  await page.goBack()
  await back(page).waitFor()
  expect(await name(page).inputValue()).toBe('Half a thought')

  await page.getByRole('button', { name: 'Discard' }).click()
  await soon(() => name(page).inputValue()).not.toBe('Half a thought')
  await page.goForward()
  await soon(() => page.locator('h2').first().textContent()).not.toBe('')
  expect(await prompt(page).count()).toBe(0)
  await page.goBack()
  await page.reload()
  expect(await back(page).count()).toBe(0)
  expect(page.errors).toEqual([])
})

test('018 Back with unsaved changes asks as well, and leaving by it keeps them', async () => {
  const page = await open('/manage/')
  await page.goto(await itemOf(page, 'bags'))
  const before = await name(page).inputValue()
  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.locator('#item-list ul a').nth(1).click()
  await soon(() => name(page).inputValue()).not.toBe(before)
  await name(page).fill('Written in between')
  await page.goBack()
  await prompt(page).getByText('They are back when you open this form again.').waitFor()
  await prompt(page).getByRole('button', { name: 'Leave' }).click()
  await soon(() => name(page).inputValue()).not.toBe('Written in between')
  await page.goForward()
  await back(page).waitFor()
  expect(await name(page).inputValue()).toBe('Written in between')
})

test('MERCH-09 MERCH-10 018 Add New Item asks before it throws away a new item that was begun', async () => {
  const page = await open('/manage/item/')
  await name(page).fill('Nearly a moon')
  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.getByRole('button', { name: 'Add New Item' }).click()
  await prompt(page).getByText('Your changes will be lost.').waitFor()
  await prompt(page).getByRole('button', { name: 'Stay' }).click()
  expect(await toast(page, 'Form Reset!').count()).toBe(0)
  expect(await name(page).inputValue()).toBe('Nearly a moon')

  await page.getByRole('button', { name: 'Select Item' }).click()
  await page.getByRole('button', { name: 'Add New Item' }).click()
  await prompt(page).getByRole('button', { name: 'Leave' }).click()
  await toast(page, 'Form Reset!').waitFor()
  expect(await name(page).inputValue()).toBe('')
  await page.reload()
  expect(await name(page).inputValue()).toBe('')
  expect(await back(page).count()).toBe(0)
})

test('018 a tab that crashed loses neither texts nor the files that were chosen, and once saved nothing comes back', async () => {
  const page = await open('/manage/item/')
  await name(page).fill('Crash-proof coaster')
  await page.getByLabel('Description *').fill('Typed on a train.')
  await pick(page, 'first.jpg')
  await page.getByRole('img', { name: 'Preview of image 1' }).waitFor()
  await kept(page, 'Typed on a train.')
  await keptFile(page)
  const context = page.context()
  const crashed = page.waitForEvent('crash')
  await page.goto('chrome://crash').catch(() => {})
  await crashed

  const next = await context.newPage()
  await next.goto('/manage/item/')
  await back(next).waitFor()
  expect(await name(next).inputValue()).toBe('Crash-proof coaster')
  await next.getByRole('img', { name: 'Preview of image 1' }).waitFor()
  await next.getByLabel('Category *').selectOption({ label: 'Coasters' })
  await price(next).fill('12,50')
  await next.getByRole('button', { name: 'Add Item' }).click()
  await toast(next, 'Item Successfully Added!').waitFor()
  await soon(() => name(next).inputValue()).toBe('')
  await next.reload()
  expect(await back(next).count()).toBe(0)
  await next.goto('/manage/item/?q=crash-proof')
  expect(await next.locator('#item-list ul a').textContent()).toContain('$12.50')
})

test('018 the second of two tabs is told what differs; she keeps hers, or takes what is stored', async () => {
  const first = await open('/manage/')
  const path = await itemOf(first, 'bags')
  await first.goto(path)
  const second = await first.context().newPage()
  await second.goto(path)

  await price(second).fill('31')
  await price(first).fill('30')
  await save(first)
  await toast(first, 'Item Successfully Updated!').waitFor()
  // Told by the live channel, quietly.
  await second.getByText('This item was changed elsewhere meanwhile.').waitFor()
  expect(await price(second).inputValue()).toBe('31')
  await save(second)
  const choice = second.getByRole('region', { name: 'This item was changed meanwhile' })
  await choice.waitFor()
  expect(await choice.locator('dl').innerText()).toMatch(/Price\s+Yours: \$31\.00\s+Stored: \$30\.00/)
  await soon(() => second.evaluate(() => document.activeElement?.textContent)).toBe('This item was changed meanwhile')
  await choice.getByRole('button', { name: 'Keep mine' }).click()
  await toast(second, 'Item Successfully Updated!').waitFor()
  await soon(() => price(second).inputValue()).toBe('31.00')
  await soon(() => choice.count()).toBe(0)

  // Untouched, the first one simply shows it.
  await soon(() => price(first).inputValue()).toBe('31.00')
  await name(first).fill('Mine')
  await name(second).fill('Theirs')
  await save(second)
  await first.getByText('This item was changed elsewhere meanwhile.').waitFor()
  await save(first)
  await first.getByRole('link', { name: 'Take the stored one' }).click()
  await soon(() => name(first).inputValue()).toBe('Theirs')
  await nothingKept(first)
  await first.reload()
  expect(await name(first).inputValue()).toBe('Theirs')
  expect(await back(first).count()).toBe(0)
})

test('018 an item deleted in another tab: what is typed stays and becomes a new item', async () => {
  const first = await open('/manage/')
  const path = await itemOf(first, 'coasters', 2)
  await first.goto(path)
  await name(first).fill('Second life')
  await kept(first, 'Second life')
  const second = await first.context().newPage()
  await second.goto(path)
  await back(second).waitFor()
  await second.getByRole('button', { name: /^Delete/ }).click()
  await second.getByRole('button', { name: 'Yes' }).click()
  await toast(second, 'Deleted Item Successfully!').waitFor()
  await soon(() => new URL(second.url()).pathname).toMatch(/^\/manage\/item\/?$/)
  expect(await prompt(second).count()).toBe(0)

  await first.getByRole('alert').getByText('This item was deleted meanwhile').waitFor()
  expect(await name(first).inputValue()).toBe('Second life')
  await pick(first, 'new.jpg')
  await first.getByRole('button', { name: 'Save as a New Item' }).click()
  await toast(first, 'Item Successfully Added!').waitFor()
  await first.goto('/manage/item/?q=second+life')
  expect(await first.locator('#item-list ul a').count()).toBe(1)
})

test('MERCH-22 018 by keyboard alone: search while typing, choose, a refusal takes the focus to its field, and Save answers', async () => {
  const page = await open('/manage/item/', { viewport: { width: 1280, height: 800 } })
  await page.getByRole('searchbox', { name: 'Search items' }).focus()
  await page.keyboard.type('tote')
  await page.getByRole('heading', { name: /items? found$/ }).waitFor()
  const found = page.locator('#item-list ul a').first()
  const chosen = await found.locator('span span').first().textContent()
  while (!(await found.evaluate((link) => link === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: chosen!, level: 2 }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Search items' }).inputValue()).toBe('tote')
  expect(await page.locator('#item-list [aria-current=page]').textContent()).toContain(chosen!)

  await price(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1.234,56')
  await page.keyboard.press('Enter')
  await toast(page, 'Please Enter a Valid Price').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('item-price')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(' $12.5 ')
  await page.keyboard.press('Enter')
  await toast(page, 'Item Successfully Updated!').waitFor()
  await soon(() => price(page).inputValue()).toBe('12.50')
})

test('MERCH-02 MERCH-07 018 what is open stays open from item to item, and Save is always in reach', async () => {
  const page = await open('/manage/item/')
  const toggle = page.getByRole('button', { name: 'Select Item' })
  await toggle.click()
  for (const title of ['Bags', 'Coasters']) await page.locator('summary', { hasText: title }).click()
  await soon(() => page.locator('#item-list details[open] ul').count()).toBe(2)
  await page.locator('#item-list ul a').nth(2).click()
  await page.getByRole('button', { name: 'Update Item' }).waitFor()
  expect(await page.locator('#item-list').isVisible()).toBe(false)
  await toggle.click()
  expect(await page.locator('#item-list details[open] ul').count()).toBe(2)
  await page.locator('summary', { hasText: 'Bags' }).click()
  await soon(() => page.locator('#item-list details[open] ul').count()).toBe(1)
  await toggle.click()

  const button = page.getByRole('button', { name: 'Update Item' })
  for (const y of [0, 300, 600]) {
    await page.evaluate((top) => scrollTo(0, top), y)
    const box = (await button.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(740)
  }
  // What has the focus is not under the bar.
  for (const label of ['Width', 'Sole type', 'Size']) {
    await page.getByLabel(label).focus()
    const [field, bar] = [(await page.getByLabel(label).boundingBox())!, (await button.boundingBox())!]
    expect(field.y + field.height).toBeLessThan(bar.y)
  }
})

test('018 logging out leaves no draft in the browser', async () => {
  const page = await open('/manage/item/')
  await name(page).fill('A secret piece')
  await kept(page, 'A secret piece')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/manage'))
  await nothingKept(page)
  await signIn(page, OWNER)
  await page.goto('/manage/item/')
  expect(await name(page).inputValue()).toBe('')
})
