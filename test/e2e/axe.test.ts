/** No page of the shop, in either theme and at either width, holds a barrier that axe knows of. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const looks = ['dark', 'light'].flatMap((theme) => [
  { theme, width: 360, height: 740 },
  { theme, width: 1280, height: 800 },
])

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  shop = await openServedShop({ demo: true })
  browser = await launchChromium()
})
beforeEach(() => onTestFailed(() => console.log(shop.output())))
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

/** Long, because axe reads every element of many pages. */
const PATIENCE = 180_000

const visitorsPages = [
  '/',
  '/?colors=all',
  '/gallery/',
  '/gallery/none/',
  '/gallery/?q=wall&sale=on&page=2',
  '/gallery/?q=zebra&from=abc',
  '/item/none/',
  '/about/',
  '/contact/',
  '/contact/?tab=facebook',
  '/contact/?tab=phone',
  '/testimonials/',
  '/writetestimonials/none/',
  '/login/',
]
const customersPages = ['/', '/gallery/?favorites']
const ownersPages = [
  '/manage/',
  '/manage/category/',
  '/manage/colors/',
  '/manage/item/',
  '/manage/messages/',
  '/manage/sales/',
  '/manage/testimonials/',
  '/manage/discount/',
  '/manage/mail/',
  '/manage/settings/',
]

async function openPage({ theme, width, height }: (typeof looks)[number]): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'theme', value: theme, url: shop.url }])
  return { context, page: await context.newPage() }
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(`${shop.url}/login/`)
  await page.locator('input[name=email]').first().fill(email)
  await page.locator('input[name=password]').first().fill(password)
  await page.locator('button[value=login]').click()
  await page.waitForURL(`${shop.url}/`)
}

async function barriersOn(page: Page, path: string): Promise<string[]> {
  await page.goto(shop.url + path, { waitUntil: 'load' })
  await page.waitForFunction('document.fonts.ready.then(() => true)')
  return barriersHere(page, path)
}

/** One line for each rule and place; an empty list is what we want. */
async function barriersHere(page: Page, where: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const sideways = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${where} ${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.html})`),
    ),
    ...(sideways ? [`${where} scrolls sideways`] : []),
  ]
}

/** The first address on a page that the pattern finds, so that the demo shop may change. */
async function linkOn(page: Page, path: string, pattern: RegExp): Promise<string[]> {
  await page.goto(shop.url + path)
  const found = pattern.exec(await page.content())?.[1]
  return found ? [found] : []
}

test.for(looks)('no barriers for visitors: $theme, $width px', { timeout: PATIENCE }, async (look) => {
  const { context, page } = await openPage(look)
  const more = [
    ...(await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)),
    ...(await linkOn(page, '/gallery/', /href="(\/gallery\/[^"?/]+\/?)"/)),
  ]
  const barriers: string[] = []
  for (const path of [...visitorsPages, ...more]) barriers.push(...(await barriersOn(page, path)))
  // Wide screens show its links in a row and have no menu to open.
  if (look.width <= 768) {
    await page.goto(`${shop.url}/about/`)
    await page.getByRole('button', { name: 'Menu' }).click()
    barriers.push(...(await barriersHere(page, 'the menu')))
  }
  expect(barriers).toEqual([])
  await context.close()
})

test.for(looks)('no barriers for customers: $theme, $width px', { timeout: PATIENCE }, async (look) => {
  const { context, page } = await openPage(look)
  await signIn(page, CLARA)
  const item = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
  const barriers: string[] = []
  for (const path of [...customersPages, ...item]) barriers.push(...(await barriersOn(page, path)))
  await page.goto(`${shop.url}/about/`)
  await page.getByRole('link', { name: /unread/ }).click()
  await page.getByRole('complementary').getByRole('textbox').waitFor()
  barriers.push(...(await barriersHere(page, 'the message panel')))
  expect(barriers).toEqual([])
  await context.close()
})

test.for(looks)('no barriers for the owner: $theme, $width px', { timeout: PATIENCE }, async (look) => {
  const { context, page } = await openPage(look)
  await signIn(page, OWNER)
  const item = await linkOn(page, '/manage/item/', /href="(\/manage\/item\/[^"?/]+\/?)"/)
  const conversation = await linkOn(page, '/manage/messages/', /href="(\/manage\/messages\/[^"?/]+\/?)"/)
  const barriers: string[] = []
  const papers = await linkOn(page, '/manage/sales/', /href="(\/manage\/sales\/?\?[^"]*receipt=[^"]+)"/)
  for (const path of [...ownersPages, ...item, ...conversation, ...papers.map((path) => path.replaceAll('&amp;', '&'))])
    barriers.push(...(await barriersOn(page, path)))
  expect(barriers).toEqual([])
  await context.close()
})
