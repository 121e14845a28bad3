// What a person meets when the shop or the network goes away while she is at it: nothing is lost, and everything goes on by itself.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE, signIn } from './people.ts'

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const AWAY = 'The shop cannot be reached just now.'
const LATER = 'The page opens when the connection is back.'
const NOT_SENT = 'Not sent: no connection. What you typed is still here.'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop({ demo: true })])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

/** A browser whose page has come to life; `mark` is lost when a whole page is loaded. */
async function open(path: string, viewport = DESK, as?: { email: string; password: string }): Promise<Page> {
  const page = await openBrowser(browser, shop.url, { viewport })
  onTestFinished(() => page.context().close())
  if (as) await signIn(page, as)
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.evaluate(() => void Object.assign(window, { mark: true }))
  return page
}
const isSamePage = (page: Page) => page.evaluate(() => 'mark' in window)
const status = (page: Page, text: string) => page.getByRole('status').getByText(text)
const toast = (page: Page, text: string) => page.getByRole('status').getByRole('button', { name: text })
/** The shop comes back whatever becomes of the test. */
async function goneAway() {
  await shop.kill()
  let isBack = false
  const comeBack = async () => {
    if (!isBack) await shop.start()
    isBack = true
  }
  onTestFinished(comeBack)
  return comeBack
}

test('a contact form sent while the shop is away keeps every word, says so, and can be sent when it is back', async () => {
  const page = await open('/contact/', PHONE)
  const typed = { Name: 'Ruth Weaver', 'Email Address': 'ruth@mail.test', Phone: '5551234567', Message: 'Do you mend plant hangers?' }
  for (const [label, text] of Object.entries(typed)) await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  const comeBack = await goneAway()
  await page.getByRole('button', { name: 'Submit' }).click()

  await toast(page, NOT_SENT).waitFor()
  await status(page, AWAY).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/Contact|touch|hello/i)
  for (const [label, text] of Object.entries(typed))
    expect(await page.getByRole('textbox', { name: label, exact: true }).inputValue()).toBe(text)

  await comeBack()
  await status(page, 'Back online').waitFor()
  await status(page, 'Back online').waitFor({ state: 'detached' })
  for (const [label, text] of Object.entries(typed))
    expect(await page.getByRole('textbox', { name: label, exact: true }).inputValue()).toBe(text)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toBe('')
  expect(await isSamePage(page)).toBe(true)
})

test('a link chosen while the shop is away stays on the page and opens by itself when it is back', async () => {
  const page = await open('/about/')
  const comeBack = await goneAway()
  // The script of the login was never needed before: without the shop it cannot be fetched either.
  await page.getByRole('link', { name: 'Login | Register' }).click()

  await toast(page, LATER).waitFor()
  await status(page, AWAY).waitFor()
  expect(await page.getByRole('link', { name: 'Gallery', exact: true }).isVisible()).toBe(true)
  await comeBack()
  await page.waitForURL('**/login/')
  await page.getByRole('heading', { name: 'Login' }).waitFor()
})

test('a page once brought is opened in place when the shop is back, the last choice counts', async () => {
  const page = await open('/about/')
  for (const name of ['Testimonials', 'Contact', 'About']) {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.waitForURL(`**/${name.toLowerCase()}/`)
  }
  const comeBack = await goneAway()
  await page.getByRole('link', { name: 'Testimonials', exact: true }).first().click()
  await page.getByRole('link', { name: 'Contact', exact: true }).first().click()
  await status(page, AWAY).waitFor()
  await comeBack()
  await page.waitForURL('**/contact/')
  await status(page, 'Back online').waitFor()
  expect(await isSamePage(page)).toBe(true)
})

test('a pause of less than three seconds is not worth a word, a longer one is, and its end too', async () => {
  const page = await openBrowser(browser, shop.url)
  onTestFinished(() => page.context().close())
  await page.clock.install()
  await page.goto('/about/', { waitUntil: 'networkidle' })
  await page.clock.pauseAt(Date.now() + 60_000)
  const isAsking = (asked: { url: () => string }) => asked.url().endsWith('/health')
  const goAway = async () => {
    const asked = page.waitForEvent('requestfailed', isAsking)
    const comeBack = await goneAway()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await asked
    return comeBack
  }

  let comeBack = await goAway()
  await comeBack()
  const found = page.waitForResponse(isAsking)
  // Longer than its first pauses between two questions, shorter than what is told.
  await page.clock.runFor(1900)
  await found
  for (let second = 0; second < 10; second++) {
    await page.clock.runFor(1000)
    expect(await status(page, AWAY).or(status(page, 'Back online')).count()).toBe(0)
  }

  comeBack = await goAway()
  await page.clock.runFor(2900)
  expect(await status(page, AWAY).count()).toBe(0)
  await page.clock.runFor(200)
  await status(page, AWAY).waitFor()
  await comeBack()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.clock.runFor(100)
  await expect.poll(async () => (await page.clock.runFor(50), status(page, 'Back online').count())).toBe(1)
  await page.clock.runFor(2600)
  expect(await status(page, 'Back online').count()).toBe(0)
})

test('a chat message and an order request that could not go out are kept, and go out when the shop is back', async () => {
  const page = await open('/about/', DESK, CLARA)
  await page.goto('/item/sunflower-coaster?messages')
  await page.evaluate(() => void Object.assign(window, { mark: true }))
  const panel = page.getByRole('complementary', { name: 'Messages' })
  const request = page.getByRole('region', { name: 'Order Request' })
  await panel.getByRole('textbox').fill('Half a thought')
  await request.getByRole('textbox').fill('Two of these, please')
  const comeBack = await goneAway()
  await request.getByRole('button', { name: 'Submit' }).click()
  await toast(page, 'An Error Occured while Sending Order Request').waitFor()
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.getByRole('button', { name: 'Try again' }).waitFor()
  await status(page, AWAY).waitFor()
  expect(await request.getByRole('textbox').inputValue()).toBe('Two of these, please')

  await comeBack()
  await status(page, 'Back online').waitFor()
  await panel.getByRole('listitem').filter({ hasText: 'Half a thought' }).getByRole('time').waitFor()
  expect(await panel.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await request.getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => request.getByRole('textbox').inputValue()).toBe('')
  await expect.poll(() => panel.getByRole('log').textContent()).toContain('Two of these, please')
  expect(await isSamePage(page)).toBe(true)
})

test('offline: the heart goes back with a message, the login keeps what was typed, and the bar goes by itself', async () => {
  const page = await open('/gallery/garlands', PHONE, CLARA)
  const heart = page.getByRole('button', { name: /^Favorite/ }).first()
  const before = await heart.getAttribute('aria-pressed')
  // Once with the shop there, as people do.
  const readAnew = page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url().includes('garlands.data'))
  await heart.click()
  await (await readAnew).finished()
  await expect.poll(() => heart.getAttribute('aria-pressed')).not.toBe(before)
  await page.context().setOffline(true)
  await heart.click()
  await toast(page, 'Your favorite could not be saved. Please try again.').waitFor()
  await expect.poll(() => heart.getAttribute('aria-pressed')).not.toBe(before)
  await status(page, 'You are offline.').waitFor()
  await page.context().setOffline(false)
  await status(page, 'Back online').waitFor()
  await status(page, 'Back online').waitFor({ state: 'detached' })
  expect(await isSamePage(page)).toBe(true)

  const visitor = await open('/login/')
  await visitor.getByLabel('Email').fill(CLARA.email)
  await visitor.getByLabel('Password').fill(CLARA.password)
  await visitor.context().setOffline(true)
  await visitor.getByRole('button', { name: 'Log In', exact: true }).click()
  await toast(visitor, NOT_SENT).waitFor()
  expect(await visitor.getByLabel('Email').inputValue()).toBe(CLARA.email)
  expect(await visitor.getByLabel('Password').inputValue()).toBe(CLARA.password)
  await status(visitor, 'You are offline.').waitFor()
  await visitor.context().setOffline(false)
  await status(visitor, 'Back online').waitFor()
  await visitor.getByRole('button', { name: 'Log In', exact: true }).click()
  await visitor.waitForURL(`${shop.url}/`)
})

test('a form of the owner that could not go out keeps its page as well', async () => {
  const page = await open('/manage/settings/', DESK, OWNER)
  const name = page.locator('input[name=ownerName]')
  const before = await name.inputValue()
  await name.fill('Marisol the Weaver')
  await page.context().setOffline(true)
  await name.press('Enter')
  await toast(page, NOT_SENT).waitFor()
  expect(await name.inputValue()).toBe('Marisol the Weaver')
  expect(await page.getByRole('navigation', { name: 'Manage Website' }).first().isVisible()).toBe(true)
  await page.context().setOffline(false)
  await page.reload()
  expect(await name.inputValue()).toBe(before)
})

test('a form that could not go out is no longer under way, and goes out at the next press, also where a refusal reads the page anew', async () => {
  const page = await open('/manage/discount/?tab=colors', PHONE, OWNER)
  const go = page.getByRole('region', { name: 'Colors Discount' }).getByRole('button', { name: 'Go' })
  await page.context().setOffline(true)
  await go.click()
  await toast(page, NOT_SENT).waitFor()
  await status(page, 'You are offline').waitFor()
  expect(await page.locator('[aria-disabled=true]').count()).toBe(0)

  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto('/manage/backups/')
  const make = page.getByRole('button', { name: 'Back up now' })
  await page.context().setOffline(true)
  await make.click()
  await toast(page, NOT_SENT).waitFor()
  await status(page, 'You are offline').waitFor()
  expect(await make.getAttribute('aria-disabled')).toBe('false')
  await page.context().setOffline(false)
  await status(page, 'Back online').waitFor()
  // However long the backup itself takes.
  const [answer] = await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), make.click()])
  expect(answer.ok()).toBe(true)
})
