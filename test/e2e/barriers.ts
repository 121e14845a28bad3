/** What axe finds on the pages of a shop, in both themes; its tests stand in two files, since one would be the last to end. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, onTestFailed } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { isFull } from '../size.ts'
import { axe, rulesOfColors } from './axe.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'

export const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]
/** A page has the same elements at any width: a quick run reads all on the phone, and on a desk those that are laid out otherwise there. */
export const pagesAt = ({ width }: { width: number }, all: string[], onDesk: string[]) => (isFull || width <= 768 ? all : onDesk)
/** Long, because axe reads every element of many pages. */
export const PATIENCE = 300_000

/** A shop and a browser for the tests of one file. */
export function shopForAxe() {
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
  return {
    dataDir: () => shop.dataDir,
    /** Its addresses begin at the shop's. */
    async openPage(viewport: (typeof SIZES)[number]): Promise<{ context: BrowserContext; page: Page }> {
      const context = await browser.newContext({ baseURL: shop.url, viewport, reducedMotion: 'reduce' })
      return { context, page: await context.newPage() }
    },
  }
}

export async function barriersOn(page: Page, path: string): Promise<string[]> {
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction('document.fonts.ready.then(() => true)')
  return barriersHere(page, path)
}

async function wear(page: Page, theme: 'dark' | 'light') {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
}

/** Colours are the same at any width: a quick run reads the light ones on the phone alone. */
async function colorsInLight(page: Page) {
  if (!isFull && page.viewportSize()!.width > 768) return []
  await wear(page, 'light')
  const { violations } = await axe(page).withRules(rulesOfColors).analyze()
  await wear(page, 'dark')
  return violations
}

/** One line for each rule and place, in the dark theme and then in the light one; an empty list is what we want. */
export async function barriersHere(page: Page, where: string): Promise<string[]> {
  await wear(page, 'dark')
  const dark = await axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
  const light = await colorsInLight(page)
  const sideways = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  return [
    ...[...dark.violations, ...light].flatMap(({ id, nodes }) =>
      nodes.map((node) => `${where} ${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.html})`),
    ),
    ...(sideways ? [`${where} scrolls sideways`] : []),
  ]
}

/** The first address on a page that the pattern finds, so that the demo shop may change. */
export async function linkOn(page: Page, path: string, pattern: RegExp): Promise<string[]> {
  await page.goto(path)
  const found = pattern.exec(await page.content())?.[1]
  return found ? [found] : []
}
