// Taking one's data along and leaving, in a real browser: with other tabs and another device looking on, and without script.
import { expect, test } from 'vitest'
import { unzipped } from '../unzipped.ts'
import { axe } from './axe.ts'
import { barriersHere } from './barriers.ts'
import { OWNER } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn, signInOnScreen } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'
import { readFile } from 'node:fs/promises'

const here = shopAndBrowser()

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const DELETED = 'Your account and everything in it is deleted. Take care!'

test('LOGIN-24 LOGIN-28 LOGIN-29 LOGIN-30 S-222 S-224 Clara takes her data along, is asked for her password, and is gone from every tab and device', async () => {
  const page = await openBrowser(here.browser, here.shop.url)
  await signInOnScreen(page, CLARA, 'Register')
  const tab = await page.context().newPage()
  await tab.goto('/about/')
  const phone = await openBrowser(here.browser, here.shop.url, { viewport: PHONE })
  await signIn(phone, CLARA)
  await phone.goto('/about/')
  const bells = [tab, phone].map((one) =>
    one.getByRole('link', { name: /unread|messages/i }).or(one.getByRole('button', { name: /profile/i })),
  )
  for (const bell of bells) await bell.first().waitFor()

  await page.goto('/account/', { waitUntil: 'networkidle' })
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download my data' }).click()])
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/)
  const files = await unzipped(new Response(new Uint8Array(await readFile(await download.path()))))
  expect(files.get('your-data.html')!.toString()).toContain(CLARA.email)

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' })
  await dialog.getByText('there is nothing in it').waitFor()
  expect((await axe(page).analyze()).violations).toEqual([])
  const password = dialog.getByLabel('Password')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  expect(await password.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
  await password.fill('not-hers')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await dialog.getByText('Invalid Credentials').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await password.waitFor()
  expect([await password.inputValue(), await dialog.getByText('Invalid Credentials').count()]).toEqual(['', 0])
  await password.fill(CLARA.password)
  await password.press('Enter')
  await page.getByText(DELETED).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  // Nobody presses anything there.
  for (const one of [page, tab]) await one.getByRole('link', { name: 'Login' }).first().waitFor()
  for (const bell of bells) await bell.first().waitFor({ state: 'hidden' })
  await page.goBack()
  await page.waitForURL(/\/login\b/)
})

test('LOGIN-24 S-224 without script the account goes as well', async () => {
  const page = await openBrowser(here.browser, here.shop.url, { javaScriptEnabled: false, viewport: PHONE })
  await signInOnScreen(page, { email: 'nora@example.com', password: 'a-good-password' }, 'Register')
  await page.goto('/account/')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' })
  await dialog.getByLabel('Password').fill('a-good-password')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(`${here.shop.url}/`)
  await page.goto('/account/')
  await page.waitForURL(/\/login\b/)
})

test('S-225 the owner takes the data of a customer and deletes the account: both dialogs close, and she is told though her page hears of it first', async () => {
  const customer = await openBrowser(here.browser, here.shop.url, { javaScriptEnabled: false })
  await signInOnScreen(customer, { email: 'olga@example.com', password: 'a-good-password' }, 'Register')
  await customer.context().close()
  const page = await openBrowser(here.browser, here.shop.url)
  await signIn(page, OWNER)
  await page.goto('/manage/customer-data/?email=olga@example.com', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Download their data' }).click()
  const password = page.getByRole('dialog').getByLabel('password')
  await password.fill(OWNER.password)
  const [download] = await Promise.all([page.waitForEvent('download'), password.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^customer-data-/)
  await password.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete this account' }).click()
  await password.waitFor()
  expect(await barriersHere(page, 'the question before an account goes')).toEqual([])
  await password.fill(OWNER.password)
  await password.press('Enter')
  await page.getByText('The account is deleted.').waitFor()
  await page.getByText('No account has this e-mail address.').waitFor()
})
