import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { arrangeTexts } from '#item-editor/texts.ts'
import { findViolations } from '#test/fixtures/axe.ts'
import { OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, openStopped, overflow, soon, toast } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (path: string, width = 1280) =>
  here.open(path, { as: OWNER, viewport: { width, height: 800 } })
const openStoppedAsOwner = (path: string) => openStopped(here, path, { as: OWNER })

/** Expects that this toast is shown for exactly 2000 ms from now on. */
async function lasts2000(page: Page, text: string, shown = page.getByText(text, { exact: true })) {
  await shown.waitFor()
  // Moves the pointer away, because a toast stays open while it is under the pointer.
  await page.mouse.move(0, 0)
  await page.clock.runFor(1999)
  expect(await shown.isVisible()).toBe(true)
  await page.clock.runFor(1)
  await shown.waitFor({ state: 'detached' })
}

test(
  '"Select Item" shows and hides the item list at 768 px; at 769 px the item list is always visible [MERCH-07]',
  { tags: ['core'] },
  async () => {
    const page = await open('/manage/item/', 768)
    const select = page.getByRole('button', { name: 'Select Item' })
    const list = page.getByRole('button', { name: 'Add New Item' })
    expect(await select.isVisible()).toBe(true)
    expect(await list.isVisible()).toBe(false)

    await select.click()
    await list.waitFor()
    expect(await select.getAttribute('aria-expanded')).toBe('true')
    await select.click()
    await list.waitFor({ state: 'hidden' })

    await page.setViewportSize({ width: 769, height: 800 })
    await list.waitFor()
    expect(await select.isVisible()).toBe(false)
  },
)

test(
  '"Add New Item" empties the form and shows "Form Reset!" for 2000 ms [MERCH-10, TOAST-03]',
  { tags: ['core'] },
  async () => {
    const page = await openStoppedAsOwner('/manage/item/three-diamonds-wall-hanging')
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Half a thought')
    await page.getByRole('button', { name: 'Add New Item' }).click()
    // Gives the browser time to paint the pressed button. Only then does the page request the next
    // page.
    await page.clock.runFor(100)
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Leave' })
      .click()
    await lasts2000(page, 'Form Reset!')
    await page.getByRole('heading', { name: 'New Item', exact: true }).waitFor()
    expect(await name.inputValue()).toBe('')
    expect(await page.getByAltText(/^Preview of image/).count()).toBe(0)
  },
)

test('after "Add New Item", a category that the owner opens does not touch the form [S-475]', async () => {
  const page = await open('/manage/item/three-diamonds-wall-hanging')
  await page.getByRole('button', { name: 'Add New Item' }).click()
  await page.getByRole('heading', { name: 'New Item', exact: true }).waitFor()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Half a thought')
  await page.locator('#item-list summary', { hasText: 'Coasters' }).click()
  await page.locator('#item-list').getByRole('link', { name: 'Sunflower Coaster' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await name.inputValue()).toBe('Half a thought')
})

test(
  'the image picker shows each message for 2000 ms [MERCH-29, MERCH-30, MERCH-32]',
  { tags: ['core'] },
  async () => {
    const page = await openStoppedAsOwner('/manage/item/')
    const add = page.getByRole('button', { name: 'Add Image' })
    await add.click()
    await lasts2000(page, 'please select a file')

    await add.click()
    await page.getByText('please select a file').waitFor()
    await page.clock.runFor(1500)
    await page
      .getByLabel('Choose images')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
    await add.click()
    await lasts2000(page, 'please select an image')
  },
)

test('on the Discounts page, "Search" finds items, and "Reset" empties the search fields and the selection [DISC-26, DISC-27, DISC-31]', async () => {
  const page = await open('/manage/discount/')
  const found = page.getByRole('region', { name: 'Items Discount' }).getByRole('listitem')
  const name = page.getByRole('searchbox', { name: 'Name' })
  const comparison = page.getByLabel('Comparison')
  const all = await found.count()
  await name.fill('coaster')
  await comparison.selectOption('<=')
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
  expect(await name.inputValue()).toBe('')
  expect(await comparison.inputValue()).toBe('>=')
})

test(
  'on screens of at least 769 px, the owner chooses how many items of the Discounts page are in a row [DISC-33, DISC-35]',
  { tags: ['core'] },
  async () => {
    const page = await open('/manage/discount/', 768)
    const choice = page.getByRole('navigation', { name: 'Columns' })
    const items = page.getByRole('region', { name: 'Items Discount' }).getByRole('listitem')
    const inFirstRow = () =>
      items.evaluateAll((all) => {
        const tops = all.map((item) => Math.round(item.getBoundingClientRect().top))
        return tops.filter((top) => top === tops[0]).length
      })
    expect(await choice.isVisible()).toBe(false)
    expect(await inFirstRow()).toBe(2)

    await page.setViewportSize({ width: 769, height: 800 })
    await choice.waitFor()
    for (const columns of [4, 3, 1]) {
      await choice
        .getByRole('link', { name: columns === 1 ? '1 column' : `${columns} columns` })
        .click()
      await expect.poll(inFirstRow).toBe(columns)
    }
  },
)

test(
  'the Discounts page shows each message for 2000 ms, and the error about a missing selection until an item is selected [TOAST-04, DISC-46, DISC-50, S-126]',
  { tags: ['core'] },
  async () => {
    const page = await openStoppedAsOwner('/manage/discount/?name=coaster')
    const panel = page.getByRole('group', { name: 'Discount of the selected items' })
    const apply = panel.getByRole('button', { name: 'Apply', exact: true })
    await panel.getByLabel('Value').fill('1')
    await apply.click()
    const missing = 'Please select some items to put on sale'
    await lasts2000(page, missing, toast(page, missing))
    const error = panel.getByRole('alert').getByText(missing)
    expect(await error.isVisible()).toBe(true)

    await page
      .getByRole('region', { name: 'Items Discount' })
      .getByRole('listitem')
      .getByRole('checkbox')
      .first()
      .check()
    await error.waitFor({ state: 'detached' })
    await apply.click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await lasts2000(page, 'Successfully put Items on Sale')
  },
)

const panelOf = (page: Page) => page.getByRole('group', { name: 'Discount of the selected items' })
const struck = (card: Locator) => card.locator('s').allInnerTexts()

test('the owner puts all found items on sale, a visitor sees the sale immediately, and "Undo" restores the prices [DISC-20, DISC-36, DISC-42, DISC-47, DISC-50, S-160]', async () => {
  const visitor = await here.open('/gallery/coasters')
  const cards = visitor.locator('article')
  const before = await cards.allInnerTexts()
  const owner = await here.open('/manage/discount/', { as: OWNER, viewport: PHONE })

  await owner.getByRole('searchbox', { name: 'Name' }).fill('coaster')
  await owner.getByRole('button', { name: 'Search', exact: true }).click()
  await owner.waitForURL(/name=coaster/)
  await owner.getByLabel('Select All').check()
  const chosen = Number(
    /^(\d+) of/.exec(await owner.getByText(/^[1-9]\d* of \d+ selected$/).innerText())![1],
  )
  const panel = panelOf(owner)
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  const toast = owner.getByRole('button', { name: 'Cannot put item on sale with 0 amount' })
  const below = await toast.evaluate((said) => said.getBoundingClientRect().bottom)
  expect(below).toBeLessThan((await panel.getByLabel('Value').boundingBox())!.y)
  await panel.getByLabel('Discount type').selectOption('Percent')
  await panel.getByLabel('Value').fill('30')
  expect(await overflow(owner)).toBe(0)
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  const question = owner.getByRole('dialog', {
    name: `Put ${chosen} item(s) on sale with 30% discount.`,
  })
  await question.getByRole('button', { name: 'No', exact: true }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await cards.allInnerTexts()).toEqual(before)

  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  await question.waitFor()
  expect(await findViolations(owner, 'the question')).toEqual([])
  await question.getByRole('button', { name: 'Yes' }).click()
  await owner.getByText('Successfully put Items on Sale', { exact: true }).waitFor()
  await soon(async () => (await struck(cards)).length).toBe(before.length)
  await visitor.getByText('30% OFF').first().waitFor()

  await owner.reload()
  await panel.getByText(`${chosen} items on sale with 30%.`).waitFor()
  // Scrolls to the end, so that the panel at the lower edge does not cover half of a check box.
  await owner.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect(await findViolations(owner, 'the offer to undo')).toEqual([])
  await panel.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('The previous discounts are restored.').waitFor()
  // The list begins with the item that was changed last, so the cards may now have a different
  // sequence (S-130).
  await soon(async () => (await cards.allInnerTexts()).sort()).toEqual(before.toSorted())
  expect(owner.errors.filter((text) => !/409|422/.test(text))).toEqual([])
})

test('on a phone, the panel for discounts does not cover a checkbox that gets the focus', async () => {
  const owner = await here.open('/manage/discount/', {
    as: OWNER,
    viewport: { width: 360, height: 640 },
  })
  const edge = (element: Locator) => element.boundingBox().then((box) => box!)
  await owner.getByLabel('Select all').focus()
  for (let steps = 0; steps < 8; steps++) {
    await owner.keyboard.press('Tab')
    const { y, height } = await edge(owner.locator('input:focus'))
    expect(y + height).toBeLessThan((await edge(panelOf(owner))).y)
  }
})

test('the discount dialog gets the focus and returns the focus to "Apply", and "Undo" precedes "Apply" in the tab order [DISC-47, S-160]', async () => {
  const owner = await here.open('/manage/discount/?name=coaster', { as: OWNER, viewport: PHONE })
  const panel = panelOf(owner)
  await owner.getByRole('listitem').getByRole('checkbox').first().focus()
  await owner.keyboard.press('Space')
  await panel.getByLabel('Value').focus()
  await owner.keyboard.type('900')
  // Enter in a field presses the first button of the form. This button is "Apply".
  await owner.keyboard.press('Enter')
  const question = owner.getByRole('dialog', { name: 'Put 1 item(s) on sale with $900 discount.' })
  await question.getByText(/^1 of them would cost \$0\.00: /).waitFor()
  await owner.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await panel.getByRole('button', { name: 'Apply', exact: true, disabled: false }).focus()
  await owner.keyboard.press('Enter')
  await question.waitFor()
  await soon(() => focused(owner)).toBe('Yes')
  await owner.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Undo' }).waitFor()
  await soon(() => focused(owner)).toBe('Apply')

  for (let steps = 0; (await focused(owner)) !== 'Undo' && steps < 6; steps++) {
    await owner.keyboard.press('Shift+Tab')
  }
  expect(await focused(owner)).toBe('Undo')
  await owner.keyboard.press('Enter')
  await panel.getByText('The previous discounts are restored.').waitFor()
  await soon(() => focused(owner)).toBe('Last change')
})

test('on the Discounts page, the buttons stay in line with a field that has an error [S-433]', async () => {
  const page = await open('/manage/discount/?price=cheap')
  await page.getByLabel('Color', { exact: true }).selectOption({ index: 1 })
  for (const name of ['Search', 'Go', 'Apply']) {
    const button = page.getByRole('button', { name, exact: true })
    if (name !== 'Search') await button.click()
    const invalid = page
      .locator('form, [role=group]')
      .filter({ has: button })
      .locator('[aria-invalid=true]')
    await invalid.waitFor()
    const middleOf = async (shown: Locator) =>
      shown.boundingBox().then((box) => box!.y + box!.height / 2)
    await expect
      .poll(async () => Math.abs((await middleOf(button)) - (await middleOf(invalid))))
      .toBeLessThan(3)
  }
})

test('an invalid place of a piece stays in its field with an error, after Enter and after the owner leaves the field [OWN-54, S-432]', async () => {
  const page = await open('/manage/arrange/', 360)
  const place = (at: number) => page.getByRole('textbox', { name: /^Place of/ }).nth(at)
  const piece = await place(1).getAttribute('aria-label')
  await place(1).fill('1.5')
  await place(2).fill('0')
  await place(2).press('Enter')
  expect(await page.getByRole('alert').allInnerTexts()).toEqual(
    Array(2).fill(arrangeTexts.placeHint),
  )
  expect(await place(1).inputValue()).toBe('1.5')
  expect(await place(2).inputValue()).toBe('0')
  expect(await overflow(page)).toBe(0)
  await place(2).press('Escape')
  await place(1).fill('1')
  await place(1).press('Tab')
  await expect.poll(() => place(0).getAttribute('aria-label')).toBe(piece)
  expect(await page.getByRole('alert').count()).toBe(0)
})
