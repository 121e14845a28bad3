import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, OWNER, PHONE, shopAndBrowser, signIn } from '#test/fixtures/browser.ts'
import { draftContains, draftHasStoredFile, hasNoDraft, photo } from '#test/pages/new-item.ts'
import { focused, hasFocus, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (path: string, viewport = PHONE) => here.open(path, { as: OWNER, viewport })
const name = (page: Page) => page.getByLabel('Name *')
const price = (page: Page) => page.getByLabel('Price *')
const save = (page: Page) => page.getByRole('button', { name: 'Update Item' }).click()
const toast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).first()
const back = (page: Page) => page.getByText('Your unsaved changes are back')
const prompt = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const listed = (page: Page) => page.locator('#item-list ul a')
async function chooseAnother(page: Page) {
  await page.getByRole('button', { name: 'Select Item' }).click()
  await listed(page).nth(1).click()
}
/**
 * Returns the path of the form of one item in a category of the demo shop. `at` is the index of the
 * item, and each test uses a different item.
 */
async function itemOf(page: Page, category: string, at = 0): Promise<string> {
  await page.goto(`/manage/item/?open=1~${category}`)
  return (await listed(page).nth(at).getAttribute('href'))!
}
const pick = async (page: Page, file: string) => {
  await page.setInputFiles('#item-files', {
    name: file,
    mimeType: 'image/jpeg',
    buffer: await photo({ hue: 'red', width: 60, height: 60 }),
  })
  const add = page.getByRole('button', { name: 'Add Image' })
  if (await add.isVisible()) await add.click()
}

test('the item form asks before the owner leaves, and keeps her unsaved changes whether she stays or returns later', async () => {
  const page = await open('/manage/')
  await page.goto(await itemOf(page, 'coasters'))
  await name(page).fill('Half a thought')
  await chooseAnother(page)
  await prompt(page).waitFor()
  expect(await focused(page)).toBe('Stay')
  await page.keyboard.press('Escape')
  await soon(() => prompt(page).count()).toBe(0)
  expect(await name(page).inputValue()).toBe('Half a thought')

  await chooseAnother(page)
  await prompt(page)
    .getByText('Your changes are stored in this browser and return when you open this form again.')
    .waitFor()
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

test('after Back, the item form asks about unsaved changes, and stores a draft if the owner leaves', async () => {
  const page = await open('/manage/')
  await page.goto(await itemOf(page, 'bags'))
  const before = await name(page).inputValue()
  await chooseAnother(page)
  await soon(() => name(page).inputValue()).not.toBe(before)
  await name(page).fill('Written in between')
  await page.goBack()
  await prompt(page)
    .getByText('Your changes are stored in this browser and return when you open this form again.')
    .waitFor()
  await prompt(page).getByRole('button', { name: 'Leave' }).click()
  await soon(() => name(page).inputValue()).not.toBe('Written in between')
  await page.goForward()
  await back(page).waitFor()
  expect(await name(page).inputValue()).toBe('Written in between')
})

test('the item form restores unsaved texts and files after a crash of the browser tab, and deletes the draft after saving', async () => {
  const page = await open('/manage/item/')
  await name(page).fill('Unsaved coaster')
  await page.getByLabel('Description *').fill('Typed on a train.')
  await pick(page, 'first.jpg')
  await page.getByRole('img', { name: 'Preview of image 1' }).waitFor()
  await draftContains(page, 'Typed on a train.')
  await draftHasStoredFile(page)
  const context = page.context()
  const crashed = page.waitForEvent('crash')
  await page.goto('chrome://crash').catch(() => {})
  await crashed

  const next = await context.newPage()
  await next.goto('/manage/item/')
  await back(next).waitFor()
  expect(await name(next).inputValue()).toBe('Unsaved coaster')
  await next.getByRole('img', { name: 'Preview of image 1' }).waitFor()
  await next.getByLabel('Category *').selectOption({ label: 'Coasters' })
  await price(next).fill('12,50')
  await Promise.all([
    toast(next, 'Item Successfully Added!').waitFor(),
    next.getByRole('button', { name: 'Add Item' }).click(),
  ])
  await soon(() => name(next).inputValue()).toBe('')
  await next.reload()
  expect(await back(next).count()).toBe(0)
  await next.goto('/manage/item/?q=unsaved')
  expect(await listed(next).textContent()).toContain('$12.50')
})

test('when another browser tab has changed an item, the owner keeps either her values or the stored values', async () => {
  const first = await open('/manage/')
  const path = await itemOf(first, 'bags')
  await first.goto(path)
  const second = await first.context().newPage()
  await second.goto(path)

  await price(second).fill('31')
  await price(first).fill('30')
  await save(first)
  await toast(first, 'Item Successfully Updated!').waitFor()
  // After a live update, the second browser tab shows a message about the edit conflict, but the
  // focus does not move.
  await second.getByText('This item was changed somewhere else.').waitFor()
  expect(await price(second).inputValue()).toBe('31')
  await save(second)
  const choice = second.getByRole('region', { name: 'This item was changed in the meantime' })
  await choice.waitFor()
  expect(await choice.locator('dl').innerText()).toMatch(
    /Price\s+Yours: \$31\.00\s+Stored: \$30\.00/,
  )
  await soon(() => focused(second)).toBe('This item was changed in the meantime')
  await Promise.all([
    toast(second, 'Item Successfully Updated!').waitFor(),
    choice.getByRole('button', { name: 'Keep mine' }).click(),
  ])
  await soon(() => price(second).inputValue()).toBe('31.00')
  await soon(() => choice.count()).toBe(0)

  // The first tab has no unsaved changes, so it shows the new price.
  await soon(() => price(first).inputValue()).toBe('31.00')
  await name(first).fill('Mine')
  await name(second).fill('Theirs')
  await save(second)
  await first.getByText('This item was changed somewhere else.').waitFor()
  await save(first)
  await first.getByRole('link', { name: 'Use the stored one' }).click()
  await soon(() => name(first).inputValue()).toBe('Theirs')
  await hasNoDraft(first)
  await first.reload()
  expect(await name(first).inputValue()).toBe('Theirs')
  expect(await back(first).count()).toBe(0)
})

test('the owner’s typed values stay when another browser tab deletes the item, and can be saved as a new item', async () => {
  const first = await open('/manage/')
  const path = await itemOf(first, 'coasters', 2)
  await first.goto(path)
  await name(first).fill('Second life')
  await draftContains(first, 'Second life')
  const second = await first.context().newPage()
  await second.goto(path)
  await back(second).waitFor()
  await second.getByRole('button', { name: /^Delete/ }).click()
  await soon(() => focused(second)).toBe('No')
  await Promise.all([
    toast(second, 'Deleted Item Successfully!').waitFor(),
    second.getByRole('button', { name: 'Yes' }).click(),
  ])
  await soon(() => new URL(second.url()).pathname).toMatch(/^\/manage\/item\/?$/)
  expect(await prompt(second).count()).toBe(0)

  await first
    .getByRole('alert')
    .getByText('This item and its images were deleted in the meantime')
    .waitFor()
  expect(await name(first).inputValue()).toBe('Second life')
  await pick(first, 'new.jpg')
  await Promise.all([
    toast(first, 'Item Successfully Added!').waitFor(),
    first.getByRole('button', { name: 'Save as a New Item' }).click(),
  ])
  await first.goto('/manage/item/?q=second+life')
  expect(await listed(first).count()).toBe(1)
})

test('when the owner answers "No" to the question before deleting an item, the item stays and a toast appears [MERCH-41]', async () => {
  const page = await open('/manage/')
  const path = await itemOf(page, 'coasters', 3)
  await page.goto(path)
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await toast(page, 'Cancelled Deleting Item').waitFor()
  await page.reload()
  expect(await name(page).inputValue()).not.toBe('')
})

test('by keyboard alone, the owner finds and opens an item, corrects the invalid field that gets the focus, and saves [MERCH-22, S-455]', async () => {
  const page = await open('/manage/item/', DESK)
  const search = page.getByRole('searchbox', { name: 'Search items' })
  await search.focus()
  await page.keyboard.type('garland')
  await page.getByRole('heading', { name: /items? found$/ }).waitFor()
  await page.goBack()
  await soon(() => search.inputValue()).toBe('')
  await page.keyboard.type('tote')
  await page.getByRole('heading', { name: /items? found$/ }).waitFor()
  const found = listed(page).first()
  const chosen = await found.locator('span span').first().textContent()
  while (!(await hasFocus(found))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: chosen!, level: 2 }).waitFor()
  expect(await search.inputValue()).toBe('tote')
  expect(await page.locator('#item-list [aria-current=page]').textContent()).toContain(chosen!)

  await price(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1.234')
  await Promise.all([
    toast(page, 'Please Enter a Valid Price').waitFor(),
    page.keyboard.press('Enter'),
  ])
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('item-price')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(' $12.5 ')
  await Promise.all([
    toast(page, 'Item Successfully Updated!').waitFor(),
    page.keyboard.press('Enter'),
  ])
  await soon(() => price(page).inputValue()).toBe('12.50')
})

test('the item list keeps its categories open on the next item, and "Save" is always visible on a phone [MERCH-02, MERCH-07]', async () => {
  const page = await open('/manage/item/')
  const toggle = page.getByRole('button', { name: 'Select Item' })
  await toggle.click()
  for (const title of ['Bags', 'Coasters']) {
    await page.locator('summary', { hasText: title }).click()
  }
  await soon(() => page.locator('#item-list details[open] ul').count()).toBe(2)
  await listed(page).nth(2).click()
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
  // Checks that the bar with the Save button does not cover a focused field.
  for (const label of ['Width', 'Sole type', 'Size']) {
    await page.getByLabel(label).focus()
    const [field, bar] = [
      (await page.getByLabel(label).boundingBox())!,
      (await button.boundingBox())!,
    ]
    expect(field.y + field.height).toBeLessThan(bar.y)
  }
})

test('when the owner publishes a draft that another browser tab has changed, "Keep mine" publishes it [OWN-46]', async () => {
  const first = await open('/manage/')
  await first.goto(await itemOf(first, 'bags'))
  await first.getByRole('button', { name: 'Duplicate' }).click()
  await first.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  const second = await first.context().newPage()
  await second.goto(first.url())
  await price(second).fill('31')
  await price(first).fill('30')
  await first.getByRole('button', { name: 'Save Draft' }).click()
  await second.getByText('This item was changed somewhere else.').waitFor()
  await second.getByRole('button', { name: 'Publish', exact: true }).click()
  // The wait begins before the click, because the toast disappears after a while.
  const published = toast(second, 'Published! Visitors can see it now.').waitFor()
  await Promise.all([published, second.getByRole('button', { name: 'Keep mine' }).click()])
  await soon(() => second.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
})

test('after the owner logs out, the browser contains no draft of an item', async () => {
  const page = await open('/manage/item/')
  await name(page).fill('A secret piece')
  await draftContains(page, 'A secret piece')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/manage'))
  await hasNoDraft(page)
  await signIn(page, OWNER)
  await page.goto('/manage/item/')
  expect(await name(page).inputValue()).toBe('')
})
