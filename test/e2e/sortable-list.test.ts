// The owner puts her categories in order: by mouse, by finger, by keyboard, and without script.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

async function openCategories({ viewport = DESK, javaScriptEnabled = true } = {}) {
  const page = await openBrowser(browser, shop.url, { viewport, javaScriptEnabled })
  onTestFinished(() => page.context().close())
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto('/manage/category/')
  return page
}
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
const shown = (page: Page) => page.getByRole('list', { name: 'Order of categories' }).getByRole('heading', { level: 2 }).allTextContents()
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
/** What every visitor gets. */
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
const withMoved = (order: string[], from: number, to: number) => order.toSpliced(from, 1).toSpliced(to, 0, order[from]!)

test('decision 019: pulled by the mouse a category takes its new place, for visitors too; Escape lets it be', async () => {
  const page = await openCategories()
  const before = await shown(page)
  const [first, third] = [await middle(page, before[0]!), await middle(page, before[2]!)]

  await page.mouse.move(first.x, first.y)
  await page.mouse.down()
  await page.mouse.move(third.x, third.y + 10, { steps: 12 })
  await page
    .getByRole('status')
    .filter({ hasText: `${before[0]}, position 3 of ${before.length}.` })
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await page.locator('[data-dnd-dragging]').waitFor({ state: 'detached' })
  expect(await shown(page)).toEqual(before)
  expect(await stored(page)).toEqual(before)

  await page.mouse.move(first.x, first.y)
  await page.mouse.down()
  await page.mouse.move(third.x, third.y + 10, { steps: 12 })
  await page.mouse.up()
  const after = withMoved(before, 0, 2)
  await soon(() => shown(page)).toEqual(after)
  await soon(() => stored(page)).toEqual(after)
  await page.reload()
  expect(await shown(page)).toEqual(after)
  expect(page.errors).toEqual([])
})

test('decision 019: a finger pulls the handle, and scrolls the page everywhere else', async () => {
  const page = await openCategories({ viewport: PHONE })
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

test('decision 019: pulled to the edge of a phone the list scrolls along', async () => {
  const page = await openCategories({ viewport: { width: 360, height: 420 } })
  const before = await shown(page)
  const first = await middle(page, before[0]!)
  await page.mouse.move(first.x, first.y)
  await page.mouse.down()
  await page.mouse.move(first.x, 300, { steps: 6 })
  await page.mouse.move(first.x, 412, { steps: 6 })
  await soon(() => page.evaluate(() => scrollY + innerHeight)).toBeGreaterThan(800)
  await page.mouse.up()

  await soon(async () => (await stored(page)).indexOf(before[0]!)).toBeGreaterThan(3)
})

test('decision 019: with the space bar and the arrows, spoken, and Escape puts it back', async () => {
  const page = await openCategories({ viewport: PHONE })
  const before = await shown(page)
  const [name, count] = [before[0]!, before.length]
  const told = page.getByRole('status').filter({ hasText: name }).first()
  await handle(page, name).focus()

  await page.keyboard.press('Space')
  await soon(() => told.textContent()).toContain(`${name} picked up, position 1 of ${count}.`)
  const moveDownTo = async (position: number) => {
    await page.keyboard.press('ArrowDown')
    await soon(() => told.textContent()).toBe(`${name}, position ${position} of ${count}.`)
  }
  await moveDownTo(2)
  await moveDownTo(3)
  expect(await shown(page)).toEqual(withMoved(before, 0, 2))
  expect(await stored(page)).toEqual(before)
  await page.keyboard.press('Escape')
  await soon(() => shown(page)).toEqual(before)
  await soon(() => told.textContent()).toBe(`${name} is back at position 1 of ${count}.`)
  await page.locator('[data-dnd-dragging]').waitFor({ state: 'detached' })

  await page.keyboard.press('Space')
  await soon(() => told.textContent()).toContain(`${name} picked up`)
  for (let position = 2; position < count; position++) await moveDownTo(position)
  await page.keyboard.press('Space')
  const after = withMoved(before, 0, count - 2)
  await soon(() => told.textContent()).toBe(`${name} put down at position ${count - 1} of ${count}.`)
  await soon(() => stored(page)).toEqual(after)
  expect(await shown(page)).toEqual(after)
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(`Move ${name}`)
  expect(await handle(page, name).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
})

test('decision 019: before script and without it there are no handles, and buttons move a category', async () => {
  const page = await openCategories({ viewport: PHONE, javaScriptEnabled: false })
  const before = await shown(page)
  expect(await handle(page, before[1]!).count()).toBe(0)

  await page.getByLabel(`Edit ${before[1]!}`).click()
  await page.getByRole('button', { name: `Move up: ${before[1]}` }).click()
  await soon(() => shown(page)).toEqual(withMoved(before, 1, 0))
  expect(await stored(page)).toEqual(withMoved(before, 1, 0))
})

test('decision 019: in a wrapping grid an entry goes to any place, and the arrows go by columns and rows', async () => {
  const page = await openCategories()
  await page.addStyleTag({ content: 'ol { grid-template-columns: repeat(3, minmax(0, 1fr)) !important }' })
  const before = await shown(page)
  const [from, to] = [await middle(page, before[1]!), await middle(page, before[5]!)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 16 })
  await page.mouse.up()
  const pulled = withMoved(before, 1, 5)
  await soon(() => stored(page)).toEqual(pulled)
  await page.locator('[data-dnd-dragging]').waitFor({ state: 'detached' })

  await handle(page, pulled[5]!).focus()
  for (const key of ['Enter', 'ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await soon(() => stored(page)).toEqual(withMoved(pulled, 5, 1))
  expect(await shown(page)).toEqual(before)
})
