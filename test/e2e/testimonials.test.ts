// Testimonials in a real browser: reading them, and the owner who shows one.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, PHONE, signIn } from './people.ts'
import { forget, keep, moderate, sell } from './testimony-books.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop({ demo: true })])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

/** `errors`: what the browser had to complain about, warnings of hydration among them. */
async function newPage(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: shop.url, viewport: DESK, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // The jump of a clock makes the live channel begin anew.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('/live')) errors.push(message.text())
  })
  page.on('pageerror', (error) => void errors.push(error.message))
  return Object.assign(page, { errors })
}
async function open(path: string, options: BrowserContextOptions = {}) {
  const page = await newPage(options)
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}
/** On a stopped clock, long after the page has settled; the jump there may have turned it once. */
async function openStopped(path: string, options: BrowserContextOptions = {}) {
  const page = await newPage(options)
  await page.clock.install()
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  return page
}
const sidewards = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const card = (page: Page) => page.locator('[aria-roledescription=slide]:not([inert])')
const reader = (page: Page) => card(page).getByRole('heading').textContent()
const reads = (page: Page, name: string) => card(page).getByRole('heading', { name, exact: true }).waitFor()

async function backToFirst(page: Page): Promise<string[]> {
  const names = await page.locator('[aria-roledescription=slide] h2').allTextContents()
  for (let step = names.indexOf((await reader(page))!); step > 0; step--) {
    await page.getByRole('link', { name: `Previous writer: ${names[step - 1]}` }).click()
    await reads(page, names[step - 1]!)
  }
  await page.mouse.move(1, 1)
  return names
}

test('TESTI-02 TESTI-03 S-042 the testimonies change every 7 s with a fade of 300 ms; a neighbour starts the time anew', async () => {
  const page = await openStopped('/testimonials/')
  const names = await backToFirst(page)
  const fade = await card(page).evaluate((slide) => {
    const { transitionProperty, transitionDuration } = getComputedStyle(slide)
    return [transitionProperty, transitionDuration]
  })
  expect(fade).toEqual(['opacity', '0.3s'])

  await page.clock.runFor(6999)
  await page.getByRole('link', { name: `Next writer: ${names[1]}` }).click()
  await page.mouse.move(1, 1)
  await reads(page, names[1]!)
  await page.clock.runFor(6999)
  expect(await reader(page)).toBe(names[1])
  await page.clock.runFor(1)
  await reads(page, names[2]!)
  await page.getByRole('link', { name: `Previous writer: ${names[1]}` }).click()
  await page.getByRole('link', { name: `Previous writer: ${names[0]}` }).click()
  await page.getByRole('link', { name: `Previous writer: ${names.at(-1)}` }).click()
  await reads(page, names.at(-1)!)
  await page.mouse.move(1, 1)
  await page.clock.runFor(7000)
  await reads(page, names[0]!)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.mouse.move(1, 1)
  await page.clock.runFor(60_000)
  expect(await reader(page)).toBe(names[0])
  expect(page.errors).toEqual([])
})

test('TESTI-05 S-042 the neighbours go by keyboard, and the focus stays with them; only what is in view can be reached by Tab', async () => {
  const page = await open('/testimonials/')
  const names = await page.locator('[aria-roledescription=slide] h2').allTextContents()
  const next = page.getByRole('link', { name: /^Next writer/ })
  await next.focus()
  for (const name of [names[1]!, names[2]!]) {
    await page.keyboard.press('Enter')
    await reads(page, name)
    expect(await next.evaluate((link) => link === document.activeElement)).toBe(true)
  }
  await page.getByRole('link', { name: /^Previous writer/ }).focus()
  // First the row, which the arrow keys turn.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[aria-roledescription=slide]')?.querySelector('h2')?.textContent)).toBe(
    names[2],
  )
})

test.for([PHONE, DESK])(
  'TESTI-07 nothing jumps between one line and two thousand letters, at $width px; the whole text opens',
  async (viewport) => {
    const long = 'The rope is soft and the knots are tight. '.repeat(50).slice(0, 2000).trim()
    keep(
      shop,
      { id: 'long', name: 'Maximiliana Featherstonehaugh-Wolfeschlegelstein', text: long, isShown: false, at: 2000 },
      { id: 'short', name: 'Bo', text: 'Lovely.', isShown: false, at: 1000 },
    )
    await moderate(shop, 'show', 'long', 'short')
    onTestFinished(async () => {
      await moderate(shop, 'hide', 'long', 'short')
      forget(shop, 'long', 'short')
    })
    const page = await openStopped('/testimonials/', { viewport })
    const places = () =>
      Promise.all(
        [page.getByRole('contentinfo'), page.getByRole('link', { name: /^Next writer/ }), card(page)].map(async (part) => {
          const { y, height } = (await part.boundingBox())!
          return [y, height]
        }),
      )
    expect((await backToFirst(page)).slice(0, 2)).toEqual(['Maximiliana Featherstonehaugh-Wolfeschlegelstein', 'Bo'])
    const before = await places()
    expect(before[2]![1]).toBeLessThan(viewport.height)

    await card(page).getByRole('button', { name: 'Read all of it' }).click()
    const whole = page.getByRole('dialog', { name: /Maximiliana/ })
    expect((await whole.getByText(long).textContent())!.length).toBe(long.length)
    await page.mouse.move(1, 1)
    await page.clock.runFor(60_000)
    expect(await whole.isVisible()).toBe(true)
    expect(await sidewards(page)).toBe(0)
    await page.keyboard.press('Escape')
    await whole.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Next writer: Bo' }).click()
    await reads(page, 'Bo')
    expect(await places()).toEqual(before)
    expect(await card(page).getByRole('button', { name: 'Read all of it' }).count()).toBe(0)
  },
)

test('S-042 without script all testimonies are read from top to bottom', async () => {
  for (const viewport of [PHONE, DESK]) {
    const page = await open('/testimonials/', { javaScriptEnabled: false, viewport })
    const slides = await page.getByRole('group').all()
    expect(slides.length).toBeGreaterThanOrEqual(6)
    const tops = await Promise.all(slides.map(async (slide) => (await slide.boundingBox())!.y))
    expect(new Set(tops).size).toBe(slides.length)
    expect(await sidewards(page)).toBe(0)
  }
})

test('TESTI-26 TESTI-31 S-039 from a printed ticket to a shown testimony, live in front of a visitor', async () => {
  sell(shop, 'Nora Buyer', 'Nora@Mail.test')
  const [owner, visitor, buyer] = [
    await newPage(),
    await open('/testimonials/'),
    await newPage({ viewport: PHONE, reducedMotion: 'reduce' }),
  ]
  await signIn(owner, OWNER)
  await owner.addInitScript(() => void (window.print = () => {}))
  await owner.goto('/manage/sales/', { waitUntil: 'networkidle' })
  await owner.getByRole('link', { name: /Nora Buyer/ }).click()
  const papers = owner.getByRole('dialog')
  await papers.getByRole('checkbox', { name: 'Testimony Ticket' }).check()
  await papers.getByRole('button', { name: 'Print' }).click()
  await owner.getByText('Created Testimony Ticket').waitFor()
  const link = (await papers.getByRole('article', { name: 'Testimony Ticket' }).getByRole('link').getAttribute('href'))!

  await buyer.goto(link, { waitUntil: 'networkidle' })
  await buyer.getByRole('heading', { name: 'Hello, Nora Buyer' }).waitFor()
  await buyer.getByLabel('Email').fill('Nora@Mail.test')
  await buyer.getByLabel('Your testimony').fill('It hangs where the mirror was.')
  await buyer.getByRole('button', { name: 'Submit' }).click()
  await buyer.getByRole('heading', { name: 'Thank you Nora Buyer, you qualify for $5 OFF!' }).waitFor()

  await owner.goto('/manage/', { waitUntil: 'networkidle' })
  await owner.getByRole('link', { name: 'All testimonials' }).click()
  const waiting = owner.getByRole('listitem').filter({ hasText: 'It hangs where the mirror was.' })
  await waiting.getByText('Waiting', { exact: true }).waitFor()
  expect(await visitor.getByText('It hangs where the mirror was.').count()).toBe(0)
  await visitor.getByRole('button', { name: 'Pause' }).click()
  const before = await reader(visitor)
  // As on a cheap phone, where the list is put together long before its slides are measured.
  const tools = await visitor.context().newCDPSession(visitor)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await waiting.getByRole('button', { name: 'Show what Nora Buyer wrote' }).click()
  await owner.getByRole('status').getByText('Shown on the Testimonials page').waitFor()

  // The visitor keeps what is being read, and what was paused stays paused; the new one stands among the others.
  await visitor.getByText('It hangs where the mirror was.').waitFor({ state: 'attached' })
  await reads(visitor, before!)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await reads(visitor, before!)
  expect(await visitor.getByRole('button', { name: 'Play' }).count()).toBe(1)
  expect((await backToFirst(visitor))[0]).toBe('Nora Buyer')
  await reads(visitor, 'Nora Buyer')
  await card(visitor).getByText('It hangs where the mirror was.').waitFor()

  await owner.getByRole('button', { name: 'Hide what Nora Buyer wrote' }).click()
  await visitor.getByText('It hangs where the mirror was.').waitFor({ state: 'detached' })
  await card(visitor).getByRole('heading').waitFor()
  expect([...owner.errors, ...visitor.errors, ...buyer.errors]).toEqual([])
})

test('S-042 whoever is at a neighbour photo by keyboard is still there when the list changes', async () => {
  keep(shop, { id: 'late', name: 'Late Writer', text: 'Better than never.', isShown: false })
  onTestFinished(() => forget(shop, 'late'))
  const [owner, visitor] = [await newPage(), await open('/testimonials/')]
  await signIn(owner, OWNER)
  await owner.goto('/manage/testimonials/', { waitUntil: 'networkidle' })
  const label = () => visitor.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await visitor.getByRole('link', { name: 'Next writer' }).focus()
  await owner.getByRole('button', { name: 'Show what Late Writer wrote' }).click()
  await visitor.getByText('Better than never.').waitFor({ state: 'attached' })
  expect(await label()).toMatch(/^Next writer: /)

  await visitor.getByRole('button', { name: 'Pause' }).focus()
  await owner.getByRole('button', { name: 'Hide what Late Writer wrote' }).click()
  await visitor.getByText('Better than never.').waitFor({ state: 'detached' })
  expect(await label()).toBe('Pause')
})

test('S-039 the owner shows a testimony without script', async () => {
  keep(shop, { id: 'plain', name: 'Plain Writer', text: 'Without any script.', isShown: false })
  const owner = await newPage({ javaScriptEnabled: false, viewport: PHONE })
  await signIn(owner, OWNER)
  await owner.goto('/manage/testimonials/')
  await owner.getByRole('button', { name: 'Show what Plain Writer wrote' }).click()
  await owner.locator('noscript p').filter({ hasText: 'Shown on the Testimonials page' }).waitFor()
  expect(await sidewards(owner)).toBe(0)
  await owner.getByRole('button', { name: 'Hide what Plain Writer wrote' }).click()
  await owner.locator('noscript p').filter({ hasText: 'No longer shown' }).waitFor()
})
