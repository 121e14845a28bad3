/** What only a real browser shows of signing in and of the live channel. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { awayTexts } from '#app/ui/away-texts.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { signIn } from './people.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  browser = await launchChromium()
  shop = await openServedShop()
})
afterAll(async () => {
  await browser.close()
  await shop.stop()
})

test('LOGIN-28 LOGIN-29 a try to sign in is pending until the answer comes, then ends in success or in an error', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${shop.url}/login/`, { waitUntil: 'networkidle' })
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  await page.route(/\/login.*\.data/, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await page.getByLabel('Email').fill('nobody@mail.test')
  await page.getByLabel('Password').fill('a-good-password')
  await page.locator('button[value=login]').click()

  const form = page.locator('main form').first()
  await page.locator('main form[aria-busy=true]').waitFor()
  expect(await form.locator('button[value=login]').isDisabled()).toBe(true)
  letGo()
  await page.getByText('User not Found').waitFor()
  expect(await form.getAttribute('aria-busy')).toBe('false')

  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password').fill(OWNER.password)
  await page.locator('button[value=login]').click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
})

test('signing out in one tab signs the other one out too, without a touch, even after a restart of the shop', async () => {
  const context = await browser.newContext()
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(`${shop.url}/login/`, { waitUntil: 'networkidle' })
  await first.getByLabel('Email').fill(OWNER.email)
  await first.getByLabel('Password').fill(OWNER.password)
  await first.locator('button[value=login]').click()
  await first.waitForURL((url) => !url.pathname.startsWith('/login'))
  await second.goto(`${shop.url}/about/`, { waitUntil: 'networkidle' })
  expect(await second.locator('a[href^="/login"]').count()).toBe(0)

  await shop.kill()
  await shop.start()
  expect(
    await first.evaluate(() => fetch('/logout', { method: 'POST', body: new URLSearchParams({ back: '/' }) }).then(({ ok }) => ok)),
  ).toBe(true)

  await second.locator('a[href^="/login"]').first().waitFor({ state: 'attached' })
})

test('S-242 LOGIN-29 what a form was answered stays when the page’s data is loaded anew beneath it, and when the next try is not sent', async () => {
  const owner = await (await browser.newContext({ baseURL: shop.url })).newPage()
  await signIn(owner, OWNER)
  await owner.goto('/manage/settings/')
  const page = await (await browser.newContext({ baseURL: shop.url })).newPage()
  /** Every open page hears of it. */
  const rename = async (name: string) => {
    await owner.getByLabel('Shop name').fill(name)
    await owner.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('banner').getByText(name).waitFor()
  }
  await page.goto('/login/', { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill('nobody@mail.test')
  await page.getByLabel('Password').fill('a-good-password')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  const refused = page.getByRole('alert').getByText('User not Found')
  await refused.waitFor()
  await rename('Knots & Lace')
  expect(await refused.isVisible()).toBe(true)

  await page.route(/\/login.*\.data/, (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page.getByText(awayTexts.notSent).waitFor()
  expect(await refused.isVisible()).toBe(true)
  expect(await page.getByLabel('Password').inputValue()).toBe('a-good-password')

  await page.goto('/reset-password/?code=', { waitUntil: 'networkidle' })
  await page.getByLabel('Code').fill('wrong')
  await page.getByLabel('New password').fill('a-good-password')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByRole('alert').getByText('Code is Invalid').waitFor()
  await rename('Knots & Love')
  expect(await page.getByRole('alert').getByText('Code is Invalid').isVisible()).toBe(true)
  expect(await page.getByLabel('New password').inputValue()).toBe('a-good-password')
  // Whoever goes on and comes back begins clean.
  await page.getByRole('link', { name: 'Send me a code' }).click()
  await page.getByRole('button', { name: 'Send Code' }).waitFor()
  await page.goBack()
  await page.getByLabel('New password').waitFor()
  expect(await page.getByRole('alert').allTextContents()).not.toContain('Code is Invalid')
})
