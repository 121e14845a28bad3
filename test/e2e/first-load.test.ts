// A first visit, and what moving about inside costs and shows.
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { OWNER } from './open-served-shop.ts'
import { signIn } from './people.ts'
import { areaCheck, scriptCheck, sentCheck, styleCheck } from '../../bench/budgets.ts'
import { filesOfTheOwnersArea, weighPage } from '../../bench/first-load.ts'
import { publicPages } from '../../bench/public-pages.ts'
import { openTicket } from './open-ticket.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

const here = shopAndBrowser({ demo: true })
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
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  const bytes = sizes.reduce((sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize, 0)
  return { page, asked, bytes, wrong }
}

test('S-252 no public page needs more than 110 kB of scripts and 20 kB of styles, packed, and none of the owner’s files', async () => {
  const pages = await publicPages(here.shop.url, openTicket(here.shop.dataDir).id)
  const weights = []
  for (const { path } of pages) weights.push(await weighPage(here.shop.url, path))
  const checks = [scriptCheck(weights), styleCheck(weights), areaCheck(weights, filesOfTheOwnersArea()), sentCheck(weights)]
  expect(checks.filter(({ isMet }) => !isMet)).toEqual([])
})

test('S-252 a first visit takes at most 20 requests and 300 kB, without a mistake; pictures further down come once somebody is there', async () => {
  for (const path of ['/', '/gallery/', '/testimonials/']) {
    const { page, asked, bytes, wrong } = await open(path)
    expect(asked.length, `${path} ${asked.join(' ')}`).toBeLessThanOrEqual(20)
    expect(bytes, path).toBeGreaterThan(150_000)
    expect(bytes, path).toBeLessThanOrEqual(300_000)
    expect(asked.filter((one) => one.endsWith('.css'))).toEqual([])
    expect(wrong).toEqual([])
    const waiting = () => page.locator('img[data-src]').count()
    if (path !== '/gallery/') continue
    expect(await waiting()).toBeGreaterThan(5)
    // Their blurred ones wait with them, and those for colours; what is in sight has its own.
    const unblurred = () =>
      page.locator('[data-blur]').evaluateAll((all) =>
        all.map((one) => {
          const { top, left } = one.getBoundingClientRect()
          return one.checkVisibility({ contentVisibilityAuto: true }) && top < innerHeight && left < innerWidth
        }),
      )
    expect((await unblurred()).length).toBeGreaterThan(20)
    expect(await unblurred()).not.toContain(true)
    // One may have gone meanwhile.
    await page
      .locator('[data-blur]')
      .first()
      .evaluate((one) => one.remove())
    await page.mouse.wheel(0, 2000)
    await expect.poll(waiting).toBe(0)
    await expect.poll(unblurred).toEqual([])
    expect(wrong).toEqual([])
    expect(await page.locator('picture img').evaluateAll((all) => all.every((one) => one.style.backgroundImage.includes('base64')))).toBe(
      true,
    )
  }
})

test('S-252 the picture that a page opens with has the line to itself; the others of the first screen follow it', async () => {
  const context = await here.browser.newContext({ baseURL: here.shop.url, ...PHONE })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const asked: string[] = []
  const held = Promise.withResolvers<void>()
  await page.route('**/pictures/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    if (pathname.includes('/scenes/')) await held.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  const waiting = page.locator('img[data-src]')
  await expect
    .poll(() => waiting.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < 800).length))
    .toBeGreaterThan(3)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  // The opening picture, and the one in the middle of the ring, which is as large.
  expect(asked.length, asked.join(' ')).toBe(2)
  held.resolve()
  await expect.poll(() => asked.length).toBeGreaterThan(5)
})

test('S-252 a waiting picture that the shop has replaced meanwhile stays replaced when its turn comes', async () => {
  const { page, wrong } = await open('/gallery/')
  const item = 'pocket-heart-key-chain'
  const shown = page.locator(`picture:has([data-srcset*="/${item}-1."], [srcset*="/${item}-"]) img`)
  expect(await shown.getAttribute('data-src')).toContain(`/${item}-1.`)
  const context = await here.browser.newContext({ baseURL: here.shop.url })
  onTestFinished(() => context.close())
  const owner = await context.newPage()
  await signIn(owner, OWNER)
  await owner.goto(`/manage/item/${item}`)
  await owner.getByRole('button', { name: 'Move image 1 back' }).click()
  await owner.getByRole('button', { name: 'Update Item' }).click()
  await expect.poll(() => page.locator(`[srcset*="/${item}-2."]`).count()).toBeGreaterThan(0)
  await page.mouse.wheel(0, 2000)
  await expect.poll(() => page.locator('img[data-src]').count()).toBe(0)
  expect(await page.locator(`[srcset*="/${item}-1."], [src*="/${item}-1."]`).count()).toBe(0)
  expect(wrong).toEqual([])
})

test('S-252 without script every picture has its address, and styles come with the page', async () => {
  const { page, asked } = await open('/gallery/', { javaScriptEnabled: false })
  expect(asked.filter((one) => one.endsWith('.js') || one.endsWith('.css'))).toEqual([])
  expect(await page.locator('img').count()).toBeGreaterThan(20)
  expect(await page.locator('img:not([src])').count()).toBe(0)
  expect(await page.locator('h1').evaluate((title) => getComputedStyle(title).fontFamily)).toContain('Fraunces')
})

test('S-252 a press is answered by a painted picture before pictures, scripts and the router take their time', async () => {
  const { page } = await open('/gallery/')
  const before = await page.evaluate(() => {
    const waiting = () => document.querySelectorAll('img[data-src]').length
    const going = () => window.__reactRouterDataRouter!.state.navigation.state
    const held = waiting()
    dispatchEvent(new PointerEvent('pointerdown'))
    document.querySelector<HTMLElement>('a[href^="/item/"]')!.click()
    return { held, waiting: waiting(), going: going() }
  })
  expect(before).toEqual({ held: before.waiting, waiting: before.held, going: 'idle' })
  expect(before.held).toBeGreaterThan(5)
  await page.waitForURL('**/item/**')
  await page.goBack()
  await expect.poll(() => page.locator('img[data-src]').count()).toBe(0)
  // What is pressed later wins, also when it did not wait.
  await page.evaluate(() => {
    const { navigate } = window.__reactRouterDataRouter!
    return Promise.all([navigate('/about/'), navigate('/contact/'), navigate('/gallery/?q=fringe')])
  })
  expect(page.url()).toBe(`${here.shop.url}/gallery/?q=fringe`)
  // A form is under way at once: whoever sends it twice must find it so.
  await page.evaluate(() => window.__reactRouterDataRouter!.navigate('/contact/'))
  await page.locator('main form textarea').waitFor()
  expect(
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('main form')!
      form.noValidate = true
      form.requestSubmit()
      return window.__reactRouterDataRouter!.state.navigation.state
    }),
  ).toBe('submitting')
})

const GALLERY = '/gallery/_.data'
const DESK = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false }

/** Counts the fades from one page to the next. */
const countFades = (page: Page) =>
  page.addInitScript(() => {
    const begin = document.startViewTransition.bind(document)
    const counted = window as unknown as { fades: number }
    counted.fades = 0
    document.startViewTransition = (update) => {
      counted.fades += 1
      return begin(update)
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
    expect(await fadesOf(page)).toBe(fades[0])
    await page.goBack()
    await page.getByRole('region', { name: 'Welcome' }).waitFor()
    await expect.poll(place).toBe(before)
    expect(await fadesOf(page)).toBe(fades[1])
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
