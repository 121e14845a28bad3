/** No page of the workshop, in either theme and at either width, holds a barrier that axe knows of. */
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { barriersHere, barriersOn, linkOn, pagesAt, PATIENCE, SIZES, shopForAxe } from './barriers.ts'
import { OWNER } from './open-served-shop.ts'
import { signIn } from './people.ts'

const shop = shopForAxe()

const ownersPages = [
  '/account/',
  '/account/second-factor/',
  '/manage/',
  '/manage/category/',
  '/manage/colors/',
  '/manage/item/',
  '/manage/item/?open=1~bags',
  '/manage/item/?q=wall',
  '/manage/item/unknown',
  '/manage/messages/',
  '/manage/messages/?show=unread&q=nobody-like-it',
  '/manage/replies/',
  '/manage/sales/',
  '/manage/reports/',
  '/manage/reports/sales/',
  '/manage/testimonials/',
  '/manage/discount/',
  '/manage/mail/',
  '/manage/tables/',
  '/manage/history/',
  '/manage/settings/',
  '/manage/customer-data/?email=clara@example.com',
  '/manage/backups/',
  '/manage/status/',
]
const ownersPagesOnDesk = ['/manage/', '/manage/item/?q=wall', '/manage/messages/', '/manage/sales/', '/manage/reports/', '/manage/tables/']

/** What the item form says and asks: a draft that came back, two tabs, leaving. */
async function barriersOfItemForm(page: Page, path: string): Promise<string[]> {
  const barriers: string[] = []
  await page.goto(path)
  const other = await page.context().newPage()
  await other.goto(path)
  await page.getByLabel('Name *').fill('A name of mine')
  await other.getByLabel('Price *').fill(String(20 + Math.round(Math.random() * 900)))
  await other.getByRole('button', { name: 'Update Item' }).click()
  await page.getByText('This item was changed elsewhere meanwhile.').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, changed elsewhere')))
  await page.getByRole('button', { name: 'Update Item' }).click()
  await page.getByRole('button', { name: 'Keep mine' }).waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, two states')))
  await page.reload()
  await page.getByText('Your unsaved changes are back').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, a draft')))
  await page.getByRole('link', { name: 'Knots & Love' }).click()
  await page.getByRole('dialog').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, leaving')))
  await page.getByRole('button', { name: 'Leave' }).click()
  await other.close()
  return barriers
}

test.concurrent.for(SIZES)('no barriers for the owner: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await shop.openPage(size)
  await signIn(page, OWNER)
  const item = await linkOn(page, '/manage/item/?open=1~garlands', /href="(\/manage\/item\/[^"?/]+)[?]/)
  const conversation = await linkOn(page, '/manage/messages/', /href="(\/manage\/messages\/[^"?/]+\/?)"/)
  const barriers: string[] = []
  const papers = await linkOn(page, '/manage/sales/', /href="(\/manage\/sales\/?\?[^"]*receipt=[^"]+)"/)
  for (const path of [
    ...pagesAt(size, ownersPages, ownersPagesOnDesk),
    ...item,
    ...conversation,
    ...conversation.map((path) => `${path}?view=order`),
    ...papers.map((path) => path.replaceAll('&amp;', '&')),
  ])
    barriers.push(...(await barriersOn(page, path)))
  // The address of the last one: what its papers look like, which scroll by themselves on a desk.
  for (const paper of await page.getByRole('dialog').getByRole('checkbox').all()) await paper.check()
  barriers.push(...(await barriersHere(page, 'papers, all of them')))
  expect(barriers).toEqual([])
  await context.close()
})

test.concurrent('no barriers in what the item form says: both themes', { timeout: PATIENCE }, async ({ expect }) => {
  const { context, page } = await shop.openPage(SIZES[0]!)
  await signIn(page, OWNER)
  const [form = ''] = await linkOn(page, '/manage/item/?open=1~coasters', /href="(\/manage\/item\/\w[^"]*)"/)
  expect(await barriersOfItemForm(page, form.replaceAll('&amp;', '&'))).toEqual([])
  await context.close()
})

test.concurrent(
  'no barriers where a backup lies, is looked at, taken along or deleted: both themes',
  { timeout: PATIENCE },
  async ({ expect }) => {
    const { context, page } = await shop.openPage(SIZES[0]!)
    await signIn(page, OWNER)
    await page.goto('/manage/backups/')
    await page.getByRole('button', { name: 'Back up now' }).click()
    const check = page.getByRole('button', { name: /^Check the backup/ }).first()
    await check.focus({ timeout: PATIENCE })
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').getByRole('status').waitFor({ timeout: PATIENCE })
    expect(await check.evaluate((button) => button === document.activeElement)).toBe(true)
    const barriers = await barriersHere(page, 'a backup, looked at')
    for (const act of ['Download', 'Delete']) {
      await page
        .getByRole('button', { name: new RegExp(`^${act} the backup`) })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
      barriers.push(...(await barriersHere(page, `a backup, ${act}`)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(barriers).toEqual([])
    await page
      .getByRole('button', { name: /^Delete the backup/ })
      .first()
      .press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Last backup')
    await context.close()
  },
)
