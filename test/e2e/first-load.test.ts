// A first visit, and what moving about inside costs and shows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeDemoData } from './demo-data.ts'
import { weighPage, weightChecks } from '../../bench/first-load.ts'
import { itemImage, items } from '../../demo/catalogue.ts'
import { publicPages } from '../../bench/public-pages.ts'
import { openTicket } from './open-ticket.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

/** The images that the pages below open with have their smaller sizes. */
const firstImages = ['scenes/wallpaper-dark', 'category/', ...items.slice(0, 16).map((item) => itemImage(item, 0))]
const demoData = makeDemoData(await mkdtemp(join(tmpdir(), 'demo-shop-')), firstImages)
afterAll(() => rm(demoData, { recursive: true }))
const here = shopAndBrowser({ demo: demoData })
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, hasTouch: true, isMobile: true }

/** The page's requests so far, the bytes that came of them when it was at rest, and the mistakes that its scripts made. */
async function open(path: string, options: BrowserContextOptions = {}, before: (page: Page) => Promise<unknown> = async () => {}) {
  const context = await here.browser.newContext({ baseURL: here.shop.url, ...PHONE, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const [asked, wrong]: [string[], string[]] = [[], []]
  const requests: Request[] = []
  page.on('request', (request) => {
    if (request.url().startsWith('data:')) return
    asked.push(new URL(request.url()).pathname)
    requests.push(request)
  })
  page.on('pageerror', (error) => wrong.push(error.message))
  await before(page)
  await page.goto(path, { waitUntil: 'networkidle' })
  const sizes = await Promise.all(requests.map((request) => request.sizes().catch(() => ({ responseHeadersSize: 0, responseBodySize: 0 }))))
  const bytes = sizes.reduce((sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize, 0)
  return { page, asked, bytes, wrong }
}

test('S-252 no public page needs more than 110 kB of scripts and 25 kB of styles, packed, and none of the owner’s files', async () => {
  const pages = await publicPages(here.shop.url, openTicket(here.shop.dataDir).id)
  const weights = []
  for (const { path } of pages) weights.push(await weighPage(here.shop.url, path))
  expect(weightChecks(weights).filter(({ isMet }) => !isMet)).toEqual([])
})

test('S-252 a first visit takes at most 45 requests and 400 kB, with one style sheet and without a mistake', async () => {
  for (const path of ['/', '/gallery/', '/testimonials/']) {
    const { asked, bytes, wrong } = await open(path)
    expect(asked.length, `${path} ${asked.join(' ')}`).toBeLessThanOrEqual(45)
    expect(bytes, path).toBeGreaterThan(150_000)
    expect(bytes, path).toBeLessThanOrEqual(400_000)
    expect(asked.filter((one) => one.endsWith('.css')).length).toBe(1)
    expect(wrong).toEqual([])
  }
})

test('S-252 without JavaScript every picture has its address, and the page is styled', async () => {
  const { page, asked } = await open('/gallery/', { javaScriptEnabled: false })
  expect(asked.filter((one) => one.endsWith('.css')).length).toBe(1)
  expect(await page.locator('img').count()).toBeGreaterThan(20)
  expect(await page.locator('img:not([src])').count()).toBe(0)
  expect(await page.locator('h1').evaluate((title) => getComputedStyle(title).fontFamily)).toContain('Fraunces')
})

const GALLERY = '/gallery/_.data'
const DESK = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false }

/** Counts the changes of page that are animated. */
const countFades = (page: Page) =>
  page.addInitScript(() => {
    const begin = document.startViewTransition.bind(document)
    const counted = window as unknown as { fades: number }
    counted.fades = 0
    document.startViewTransition = (update) => {
      const transition = begin(update)
      void transition.ready.then(() => {
        if (document.getAnimations().some(({ effect }) => (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition')))
          counted.fades += 1
      })
      return transition
    }
  })
const fadesOf = (page: Page) => page.evaluate(() => (window as unknown as { fades: number }).fades)

for (const [reducedMotion, fades] of [
  ['no-preference', [1, 2]],
  ['reduce', [0, 0]],
] as const)
  test(`S-253 resting on a link fetches its page once, the press shows it; Back is where one was (motion: ${reducedMotion})`, async () => {
    const { page, asked, wrong } = await open('/', { ...DESK, reducedMotion }, countFades)
    const link = page.getByRole('link', { name: 'Look through the gallery' })
    expect(asked).not.toContain(GALLERY)
    await link.hover()
    await expect.poll(() => asked.filter((one) => one === GALLERY).length).toBe(1)
    const onward = page.getByRole('region', { name: 'Fresh from the workshop' }).getByRole('link').first()
    await onward.scrollIntoViewIfNeeded()
    const place = () => page.evaluate(() => scrollY)
    const before = await place()
    expect(before).toBeGreaterThan(300)
    const name = await onward.innerText()
    await onward.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect.poll(place).toBe(0)
    await expect.poll(() => fadesOf(page)).toBe(fades[0])
    await page.goBack()
    await page.getByRole('region', { name: 'Welcome' }).waitFor()
    await expect.poll(place).toBe(before)
    await expect.poll(() => fadesOf(page)).toBe(fades[1])
    expect(wrong).toEqual([])
  })

test('S-253 a page that is slow to come shows a line below the bar, after 300 ms and until it is there', async () => {
  const { page } = await open('/contact/', DESK)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/about/_.data*', async (route) => {
    await held
    await route.continue()
  })
  const line = () =>
    page.evaluate(() => {
      const { content, animationDelay, transform } = getComputedStyle(document.querySelector('[data-going]')!, '::after')
      return content === 'none' ? null : { animationDelay, isSeen: new DOMMatrix(transform).a > 0 }
    })
  expect(await line()).toBe(null)
  await page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'About' }).click()
  await expect.poll(line).toEqual({ animationDelay: '0.3s', isSeen: true })
  release()
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  await expect.poll(line).toBe(null)
})

test('S-253 who asks their browser to spare data gets nothing in advance', async () => {
  const spare = (page: Page) => page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const { page, asked } = await open('/', { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false }, spare)
  const before = asked.length
  await page.getByRole('link', { name: 'Look through the gallery' }).hover()
  await page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'About' }).click()
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  expect(asked.slice(before)).not.toContain(GALLERY)
})
