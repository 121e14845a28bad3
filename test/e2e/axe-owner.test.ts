import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { collectViolations, linkOn, pagesAt, PATIENCE, SIZES } from '#test/fixtures/axe.ts'
import { OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, hasFocus } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (viewport: typeof PHONE) =>
  here.open('/manage/', { as: OWNER, viewport, reducedMotion: 'reduce' })

const ownersPages = [
  '/account/',
  '/account/second-factor/',
  '/manage/',
  '/manage/home/',
  '/manage/about/',
  '/manage/home/preview/',
  '/manage/category/',
  '/manage/colors/',
  '/manage/item/',
  '/manage/item/?open=1~bags',
  '/manage/item/?q=wall',
  '/manage/item/unknown',
  '/manage/arrange/',
  '/manage/messages/',
  '/manage/messages/?show=unread&q=no-such-name',
  '/manage/queue/',
  '/manage/replies/',
  '/manage/sales/',
  '/manage/sales/add/',
  '/manage/market/',
  '/manage/reports/',
  '/manage/reports/sales/',
  '/manage/testimonials/',
  '/manage/discount/',
  '/manage/mail/',
  '/manage/import-export/',
  '/manage/history/',
  '/manage/settings/',
  '/manage/customer-data/?email=clara@example.com',
  '/manage/backups/',
  '/manage/status/',
]
const ownersPagesOnDesk = [
  '/manage/',
  '/manage/item/?q=wall',
  '/manage/messages/',
  '/manage/sales/',
  '/manage/reports/',
  '/manage/import-export/',
]

test.each(SIZES)(
  'the pages of the owner have no accessibility violations at $width px',
  { timeout: PATIENCE },
  async (size) => {
    const page = await open(size)
    const violations = collectViolations(page)
    const item = await linkOn(
      page,
      '/manage/item/?open=1~garlands',
      /href="(\/manage\/item\/[^"?/]+)[?]/,
    )
    const conversation = await linkOn(
      page,
      '/manage/messages/',
      /href="(\/manage\/messages\/[^"?/]+\/?)"/,
    )
    const receipt = await linkOn(
      page,
      '/manage/sales/',
      /href="(\/manage\/sales\/?\?[^"]*receipt=[^"]+)"/,
    )
    for (const path of [
      ...pagesAt(size, ownersPages, ownersPagesOnDesk),
      item,
      conversation,
      `${conversation}?view=order`,
      receipt,
    ]) {
      await violations.on(path)
    }
    // The loop above opened the page of a receipt last, and the browser still shows this page. On a
    // desktop, the print documents scroll separately from the page.
    for (const paper of await page.getByRole('dialog').getByRole('checkbox').all()) {
      await paper.check()
    }
    await violations.here('all papers')
    expect(violations.found).toEqual([])
  },
)

test(
  'the item form has no accessibility violations while it shows a conflict, a draft or a dialog',
  { timeout: PATIENCE },
  async () => {
    const page = await open(PHONE)
    const violations = collectViolations(page)
    const path = await linkOn(
      page,
      '/manage/item/?open=1~coasters',
      /href="(\/manage\/item\/\w[^"]*)"/,
    )
    await page.goto(path)
    const other = await page.context().newPage()
    await other.goto(path)
    await page.getByLabel('Name *').fill('A name of mine')
    await other.getByLabel('Price *').fill('321')
    await other.getByRole('button', { name: 'Update Item' }).click()
    await page.getByText('This item was changed somewhere else.').waitFor()
    await violations.here('the item form, changed elsewhere')
    await page.getByRole('button', { name: 'Update Item' }).click()
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await violations.here('the item form, two versions')
    await page.reload()
    await page.getByText('Your unsaved changes are back').waitFor()
    await violations.here('the item form, a draft')
    await page.getByRole('link', { name: 'Knots & Love' }).click()
    await page.getByRole('dialog').waitFor()
    await violations.here('the item form, leaving')
    expect(violations.found).toEqual([])
  },
)

test(
  'the page of the CSV import has no accessibility violations and moves the focus to the preview',
  { timeout: PATIENCE },
  async () => {
    const page = await open(PHONE)
    const violations = collectViolations(page)
    await page.goto('/manage/import-export/')
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download items', exact: true }).click()
    const csv = await readFile(await (await coming).path(), 'utf8')
    const buffer = Buffer.from(
      `${csv.replace(/,Wall Hangings,[\d.]+,/, ',Wall Hangings,777.00,')},Without a price,Bags,abc,Nice.,,,,,,,\r\n`,
    )
    await page
      .getByLabel('Table (CSV)')
      .setInputFiles({ name: 'items.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect.poll(() => focused(page)).toBe('What would change')
    await violations.here('what would change')
    await page.getByRole('link', { name: 'Refused (1)' }).click()
    await page.getByText('Please Enter a Valid Price').waitFor()
    await violations.here('what is refused')
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('1 item updated.').waitFor()
    await violations.here('what was applied')
    expect(violations.found).toEqual([])
  },
)

test(
  'the Backups page has no accessibility violations and focuses a heading once a backup is deleted',
  { timeout: PATIENCE },
  async () => {
    const page = await open(PHONE)
    const violations = collectViolations(page)
    const act = (name: string) =>
      page.getByRole('button', { name: new RegExp(`^${name} the backup`) }).first()
    await page.goto('/manage/backups/')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await act('Check').focus({ timeout: PATIENCE })
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').getByRole('status').waitFor({ timeout: PATIENCE })
    expect(await hasFocus(act('Check'))).toBe(true)
    await violations.here('a backup, checked')
    for (const name of ['Download', 'Delete']) {
      await act(name).click()
      await page.getByRole('dialog').waitFor()
      await violations.here(`a backup, ${name}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(violations.found).toEqual([])
    await act('Delete').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).press('Enter')
    await expect.poll(() => focused(page)).toBe('Last backup')
  },
)
