import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, hasFocus, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const openCategories = (viewport = DESK) => here.open('/manage/category/', { as: OWNER, viewport })
const shown = (page: Page) =>
  page
    .getByRole('list', { name: 'Order of categories' })
    .getByRole('heading', { level: 2 })
    .allTextContents()
const handle = (page: Page, name: string) =>
  page.getByRole('button', { name: `Move ${name}`, exact: true })
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
/**
 * Presses the mouse button at `from` and moves the pointer to `to` in small steps, because a person
 * also moves the mouse in small steps.
 */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 16 })
}
const withMoved = (order: string[], from: number, to: number) =>
  order.toSpliced(from, 1).toSpliced(to, 0, order[from]!)

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
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    })
  const [second, first] = [await middle(page, before[1]!), await middle(page, before[0]!)]

  await finger('touchStart', second.x, second.y)
  for (let step = 1; step <= 12; step++) {
    await finger('touchMove', second.x, second.y + ((first.y - 10 - second.y) * step) / 12)
  }
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
  await soon(() => announcement.textContent()).toContain(
    `${name} picked up, position 1 of ${count}.`,
  )
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
  await soon(() => announcement.textContent()).toBe(
    `${name} dropped at position ${count - 1} of ${count}.`,
  )
  await soon(() => stored(page)).toEqual(after)
  expect(await shown(page)).toEqual(after)
  await soon(() => focused(page)).toBe(`Move ${name}`)
  expect(
    await handle(page, name).evaluate(
      (button) => button.getBoundingClientRect().bottom <= innerHeight,
    ),
  ).toBe(true)
})
