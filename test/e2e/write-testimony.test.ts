// Writing a testimony with a ticket, in a real browser.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, PHONE, signIn } from './people.ts'
import { keep } from './testimony-books.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop()])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

async function newPage(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: shop.url, viewport: DESK, ...options })
  onTestFinished(() => context.close())
  return context.newPage()
}
async function open(path: string, options: BrowserContextOptions = {}) {
  const page = await newPage(options)
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}
/** On a stopped clock, long after the page has settled. */
async function openStopped(path: string, options: BrowserContextOptions = {}) {
  const page = await newPage(options)
  await page.clock.install()
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  return page
}
const sidewards = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('TESTI-16 TESTI-17 TESTI-18 TESTI-19 TESTI-21 TESTI-22 TESTI-24 S-043 the input locks as soon as the e-mail matches, and the steps open 1 s apart', async () => {
  keep(shop, { id: 'steps', name: 'Wanda', text: '', isOpen: true, isShown: false })
  const page = await openStopped('/writetestimonials/steps', { viewport: PHONE })
  const email = page.getByLabel('Email')
  const [items, text, submit] = [
    page.getByText('Your items'),
    page.getByLabel('Your testimony'),
    page.getByRole('button', { name: 'Submit' }),
  ]
  await email.fill('STEPS@Mail.test')
  await page.clock.runFor(500)
  await page.getByRole('alert').waitFor()
  expect(await email.isEditable()).toBe(true)

  await email.fill('steps@Mail.test')
  await page.clock.runFor(500)
  await page.getByText("You're All set!").waitFor()
  expect(await email.isEditable()).toBe(false)
  for (const step of [items, text, submit]) {
    await page.clock.runFor(900)
    expect(await step.count()).toBe(0)
    await page.clock.runFor(150)
    await step.waitFor()
  }
  expect(await sidewards(page)).toBe(0)
  expect(await text.evaluate((area) => area === document.activeElement)).toBe(true)

  await text.fill('It holds my fern.')
  await submit.click()
  await page.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()
})

test('TESTI-18 the steps open at once for people who want no motion', async () => {
  keep(shop, { id: 'calm', name: 'Wanda', text: '', isOpen: true, isShown: false })
  const page = await openStopped('/writetestimonials/calm', { reducedMotion: 'reduce' })
  await page.getByLabel('Email').fill('calm@Mail.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Submit' }).waitFor()
  expect(await page.getByLabel('Your testimony').isVisible()).toBe(true)
})

test('S-046 what is typed stays when the shop is gone, when the text is too long, and when the form is refused', async () => {
  keep(shop, { id: 'lost', name: 'Wanda', text: '', isOpen: true, isShown: false })
  const page = await open('/writetestimonials/lost', { reducedMotion: 'reduce' })
  const [text, submit] = [page.getByLabel('Your testimony'), page.getByRole('button', { name: 'Submit' })]
  const isSettled = () => page.waitForFunction(() => document.querySelector('main button[aria-disabled=true]') === null)
  await page.getByLabel('Email').fill('lost@Mail.test')
  await text.fill('The fern is happy.')

  await page.context().setOffline(true)
  await submit.click()
  await isSettled()
  expect(await text.inputValue()).toBe('The fern is happy.')
  const isReached = page.waitForResponse((response) => response.url().endsWith('/health'))
  await page.context().setOffline(false)
  await isReached

  const long = 'x'.repeat(10_001)
  await text.fill(long)
  await submit.click()
  await page.getByRole('alert').filter({ hasText: 'under 10,000 characters' }).waitFor()
  expect((await text.inputValue()).length).toBe(long.length)

  await text.fill('The fern is happy.')
  const refused = { status: 400, contentType: 'text/plain', body: 'no' }
  await page.route('**/writetestimonials/lost.data*', (route) =>
    route.request().method() === 'POST' ? route.fulfill(refused) : route.continue(),
  )
  await Promise.all([page.waitForResponse((response) => response.status() === 400), submit.click()])
  await isSettled()
  expect(await text.inputValue()).toBe('The fern is happy.')
  await page.unroute('**/writetestimonials/lost.data*')

  await submit.click()
  await page.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()
})

test('TESTI-33 S-045 in a second tab the same ticket ends with the thanks, and the first text stays', async () => {
  keep(shop, { id: 'twice', name: 'Wanda', text: '', isOpen: true, isShown: false })
  const tabs = [
    await open('/writetestimonials/twice', { reducedMotion: 'reduce' }),
    await open('/writetestimonials/twice', { reducedMotion: 'reduce' }),
  ]
  for (const [index, tab] of tabs.entries()) {
    await tab.getByLabel('Email').fill('twice@Mail.test')
    await tab.getByLabel('Your testimony').fill(`From tab ${index}`)
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Submit' }).click()))
  for (const tab of tabs) await tab.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()

  const owner = await newPage()
  await signIn(owner, OWNER)
  await owner.goto('/manage/testimonials/')
  expect(await owner.getByText(/From tab \d/).count()).toBe(1)
})
