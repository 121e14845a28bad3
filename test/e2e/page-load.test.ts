import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { DESK, type Opening, shopAndBrowser } from '#test/fixtures/browser.ts'
import { makeDemoData } from '#test/fixtures/e2e-demo-data.ts'
import { hold } from '#test/pages/shop.ts'
import { openTicket } from '#test/pages/testimonials.ts'
import { findFirstLoadFiles } from '../../bench/first-load-files.ts'
import { weighPage, weightChecks } from '../../bench/first-load.ts'
import { publicPages } from '../../bench/public-pages.ts'
import { itemImage, items } from '../../demo/catalog.ts'

/**
 * The paths, or beginnings of paths, of the images at the top of the tested pages. The demo shop
 * gets image variants of these images, as a real shop has.
 */
const firstImages = [
  'scenes/wallpaper-dark',
  'category/',
  ...items.slice(0, 16).map((item) => itemImage(item, 0)),
]
const demoData = makeDemoData(await mkdtemp(join(tmpdir(), 'demo-shop-')), firstImages)
afterAll(() => rm(demoData, { recursive: true }))
const here = shopAndBrowser({ demo: demoData })
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  hasTouch: true,
  isMobile: true,
}

const isSheet = (path: string) => path.endsWith('.css')

/** Opens a page, and records its requests and JavaScript errors. */
async function open(path: string, { before, ...options }: Opening = {}) {
  const asked: string[] = []
  const requests: Request[] = []
  let ended = 0
  const page = await here.open(path, {
    ...options,
    async before(opened) {
      opened.on('request', (request) => {
        if (request.url().startsWith('data:')) return
        asked.push(new URL(request.url()).pathname)
        requests.push(request)
      })
      const end = (request: Request) => void (request.url().startsWith('data:') || ended++)
      opened.on('requestfinished', end)
      opened.on('requestfailed', end)
      await before?.(opened)
    },
  })
  return {
    page,
    asked,
    requests,
    isAtRest: () => expect.poll(() => requests.length - ended).toBe(0),
  }
}

async function bytesOf(requests: Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  return sizes.reduce(
    (sum, { responseHeadersSize, responseBodySize }) =>
      sum + responseHeadersSize + responseBodySize,
    0,
  )
}

test('each public page needs at most 110 kB of JavaScript and 25 kB of styles, and no file of the owner’s area [S-252]', async () => {
  const pages = await publicPages(here.shop.url, openTicket(here.shop).id)
  const weights = []
  for (const { path } of pages) weights.push(await weighPage(here.shop.url, path))
  expect(weightChecks(weights).filter(({ isMet }) => !isMet)).toEqual([])
})

test.each(['/', '/gallery/', '/testimonials/'])(
  'the first visit of %s takes at most 45 requests and 400 kB [S-252]',
  async (path) => {
    const { page, asked, requests, isAtRest } = await open(path, PHONE)
    await isAtRest()
    const bytes = await bytesOf(requests)
    expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(45)
    expect(bytes).toBeGreaterThan(150_000)
    expect(bytes).toBeLessThanOrEqual(400_000)
    expect(asked.filter(isSheet).length).toBe(1)
    expect(page.errors).toEqual([])
  },
)

test('the browser loads the style sheet with high priority, and the scripts with low priority [S-440]', async () => {
  const priorities = new Map<string, string>()
  const { isAtRest } = await open('/gallery/', {
    async before(page) {
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Network.enable')
      devTools.on('Network.requestWillBeSent', ({ request }) =>
        priorities.set(new URL(request.url).pathname, request.initialPriority),
      )
    },
  })
  await isAtRest()
  const { styles, scripts } = findFirstLoadFiles(
    await (await fetch(`${here.shop.url}/gallery/`)).text(),
  )
  const prioritiesOf = (urls: string[]) => new Set(urls.map((url) => priorities.get(url)))
  expect(prioritiesOf(styles)).toEqual(new Set(['VeryHigh']))
  expect(prioritiesOf(scripts)).toEqual(new Set(['Low']))
})

const GALLERY = '/gallery/_.data'

/** Counts the page changes that the browser animates with a view transition. */
const countFades = (page: Page) =>
  page.addInitScript(() => {
    const begin = document.startViewTransition.bind(document)
    const counted = window as unknown as { fades: number }
    counted.fades = 0
    document.startViewTransition = (update) => {
      const transition = begin(update)
      void transition.ready.then(() => {
        if (
          document
            .getAnimations()
            .some(({ effect }) =>
              (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition'),
            )
        ) {
          counted.fades += 1
        }
      })
      return transition
    }
  })
const fadesOf = (page: Page) => page.evaluate(() => (window as unknown as { fades: number }).fades)

test.each([
  { reducedMotion: 'no-preference', fades: [1, 2] },
  { reducedMotion: 'reduce', fades: [0, 0] },
] as const)(
  'the page of a hovered link is fetched once, and Back restores the scroll position (reduced motion: $reducedMotion) [S-253]',
  async ({ reducedMotion, fades }) => {
    const { page, asked } = await open('/', { viewport: DESK, reducedMotion, before: countFades })
    expect(asked).not.toContain(GALLERY)
    await page.getByRole('link', { name: 'Browse the gallery' }).hover()
    await expect.poll(() => asked.filter((one) => one === GALLERY).length).toBe(1)
    const onward = page
      .getByRole('region', { name: 'Fresh from the workshop' })
      .getByRole('link')
      .first()
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
    // Prefetching a page loads no second style sheet, because a second style sheet would change the
    // look of the current page (MERCH-07).
    expect(asked.filter(isSheet).length).toBe(1)
    expect(
      await page.evaluate(() => [...document.styleSheets].filter(({ href }) => href).length),
    ).toBe(1)
    expect(page.errors).toEqual([])
  },
)

test('when a page loads for more than 300 ms, a progress line appears below the navigation bar [S-253]', async () => {
  const { page } = await open('/contact/')
  const letGo = await hold(page, '**/about/_.data*')
  const line = () =>
    page.evaluate(() => {
      const { content, animationDelay, transform } = getComputedStyle(
        document.querySelector('[data-navigation]')!,
        '::after',
      )
      return content === 'none' ? null : { animationDelay, isSeen: new DOMMatrix(transform).a > 0 }
    })
  expect(await line()).toBe(null)
  await page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'About' }).click()
  await expect.poll(line).toEqual({ animationDelay: '0.3s', isSeen: true })
  letGo()
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  await expect.poll(line).toBe(null)
})

test('a browser in data-saving mode prefetches no page [S-253]', async () => {
  const { page, asked } = await open('/', {
    before: (opened) =>
      opened.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
      ),
  })
  const before = asked.length
  await page.getByRole('link', { name: 'Browse the gallery' }).hover()
  await page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'About' }).click()
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  expect(asked.slice(before)).not.toContain(GALLERY)
})
