// The owner puts many pieces on sale from her phone and takes it back, while somebody looks on; by touch, and by keyboard alone.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { axe } from './axe.ts'
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

const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
const sidewards = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })

async function openOwner(path: string) {
  const page = await openBrowser(browser, shop.url, { viewport: PHONE })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto(path)
  await awake(page)
  return page
}
const panelOf = (page: Page) => page.getByRole('group', { name: 'Discount of the selected items' })
const struck = (card: Locator) => card.locator('s').allInnerTexts()

async function expectNoBarrier(page: Page) {
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

test('DISC-20 DISC-36 DISC-42 DISC-47 DISC-50 S-160 on a phone: search, all of them on sale, a visitor sees it at once, undo, and all is as before', async () => {
  const visitor = await openBrowser(browser, shop.url)
  onTestFinished(() => visitor.context().close())
  await visitor.goto('/gallery/coasters')
  await awake(visitor)
  const cards = visitor.locator('article')
  const before = await cards.allInnerTexts()
  const owner = await openOwner('/manage/discount/')

  await owner.getByRole('searchbox', { name: 'Name' }).fill('coaster')
  await owner.getByRole('button', { name: 'Search', exact: true }).click()
  await owner.waitForURL(/name=coaster/)
  await owner.getByLabel('Select All').check()
  const chosen = Number(/^(\d+) of/.exec(await owner.getByText(/^[1-9]\d* of \d+ selected$/).innerText())![1])
  const panel = panelOf(owner)
  // What is said about the press leaves the button free.
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  const toast = owner.getByRole('button', { name: 'Cannot put item on sale with amount' })
  const below = await toast.evaluate((said) => said.getBoundingClientRect().bottom)
  expect(below).toBeLessThan((await panel.getByRole('button', { name: 'Apply', exact: true }).boundingBox())!.y)
  await panel.getByLabel('Discount type').selectOption('Percent')
  await panel.getByLabel('Value').fill('30')
  expect(await sidewards(owner)).toBe(0)
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  const question = owner.getByRole('dialog', { name: `Put ${chosen} item(s) on sale with 30% discount.` })
  await question.getByRole('button', { name: 'No', exact: true }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await cards.allInnerTexts()).toEqual(before)

  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  await question.waitFor()
  await expectNoBarrier(owner)
  await question.getByRole('button', { name: 'Yes' }).click()
  await owner.getByText('Successfully put Items on Sale', { exact: true }).waitFor()
  await soon(async () => (await struck(cards)).length).toBe(before.length)
  await visitor.getByText('30% OFF').first().waitFor()

  await owner.reload()
  await awake(owner)
  await panel.getByText(`${chosen} items on sale with 30%.`).waitFor()
  expect(await sidewards(owner)).toBe(0)
  await expectNoBarrier(owner)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('The former discounts are back.').waitFor()
  // What was written last stands first (S-130), so only the order is another one.
  await soon(async () => (await cards.allInnerTexts()).sort()).toEqual(before.toSorted())
  expect(owner.errors.filter((text) => !/409|422/.test(text))).toEqual([])
})

test('DISC-47 S-160 by keyboard alone: the question holds the focus and gives it back, and Undo comes right before the fields', async () => {
  const owner = await openOwner('/manage/discount/?name=coaster')
  const focused = () =>
    owner.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('name') || '')
  const panel = panelOf(owner)
  await owner.getByRole('listitem').getByRole('checkbox').first().focus()
  await owner.keyboard.press('Space')
  await panel.getByLabel('Value').focus()
  await owner.keyboard.type('900')
  // Enter in the field is the first button, Apply.
  await owner.keyboard.press('Enter')
  const question = owner.getByRole('dialog', { name: 'Put 1 item(s) on sale with $900 discount.' })
  await question.getByText(/^1 of them would cost \$0\.00: /).waitFor()
  await owner.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  // The page reads again what it asked about.
  await panel.getByRole('button', { name: 'Apply', exact: true, disabled: false }).focus()
  await owner.keyboard.press('Enter')
  await question.waitFor()
  await soon(focused).toBe('Yes')
  await owner.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Undo' }).waitFor()
  await soon(focused).toBe('Apply')

  for (let steps = 0; (await focused()) !== 'Undo' && steps < 6; steps++) await owner.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Undo')
  await owner.keyboard.press('Enter')
  await panel.getByText('The former discounts are back.').waitFor()
  await soon(() => owner.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Last change')
})

test('DISC-14 DISC-15 S-160 a color goes on sale and its change is undone; a dismissed offer stays away, and waits in the history', async () => {
  const owner = await openOwner('/manage/discount/')
  const colors = owner.getByRole('region', { name: 'Colors Discount' })
  await colors.getByLabel('Color', { exact: true }).selectOption('Mustard')
  await colors.getByLabel('Value').fill('15')
  await colors.getByRole('button', { name: 'Go', exact: true }).click()
  await colors.getByText('Mustard on sale with 15%.').waitFor()
  await colors.getByRole('button', { name: 'Dismiss' }).click()
  await colors.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await owner.reload()
  await awake(owner)
  expect(await colors.getByRole('button', { name: 'Undo' }).count()).toBe(0)

  await owner.goto('/manage/history/')
  await awake(owner)
  expect(await sidewards(owner)).toBe(0)
  await expectNoBarrier(owner)
  await owner.getByRole('button', { name: 'Undo: Put the color Mustard on sale with 15%' }).click()
  await owner.getByText('Undid: Mustard on sale with 15%').waitFor()
  expect(await owner.getByRole('button', { name: /^Undo: Put the color Mustard/ }).count()).toBe(0)
  await owner.getByRole('combobox', { name: 'Kind' }).selectOption('Discounts')
  await owner.getByRole('searchbox', { name: 'Name' }).fill('MUSTARD')
  await owner.getByRole('button', { name: 'Search' }).click()
  await owner.waitForURL(/kind=discounts/)
  await owner.getByText('Put the color Mustard on sale with 15%').waitFor()
})

test('DISC-42 S-160 without script the page asks, a Yes changes and Undo puts back', async () => {
  const page = await openBrowser(browser, shop.url, { viewport: PHONE, javaScriptEnabled: false })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto('/manage/discount/?name=coaster')
  await page.getByLabel('Select All').check()
  const panel = panelOf(page)
  await panel.getByLabel('Value').fill('1')
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  const question = page.getByRole('dialog', { name: /^Put \d+ item\(s\) on sale with \$1 discount\.$/ })
  await question.getByRole('button', { name: 'Yes' }).click()
  await page.getByText(/^\d+ items on sale with \$1\.$/).waitFor()
  expect(page.url()).toContain('name=coaster')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('noscript p').filter({ hasText: 'The former discounts are back.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})
