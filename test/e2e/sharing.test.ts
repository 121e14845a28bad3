// What search engines, other sites and the machine find in the shop's head, in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'
import { openBrowser } from './people.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openServedShop({ demo: true }), launchChromium()])
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

test('the browser finds nothing that keeps the shop from being installed', async () => {
  const page = await openBrowser(browser, shop.url)
  await page.goto('/')
  const devtools = await page.context().newCDPSession(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect([errors, JSON.parse(data!).name]).toEqual([[], 'Knots & Love'])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // A private window installs nothing; that is the only thing to be said.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  await page.context().close()
})

test('the head follows from page to page, and nothing in it is refused by the policy or drawn twice', async () => {
  const page = await openBrowser(browser, shop.url)
  const one = (selector: string, attribute: string) =>
    page.evaluate(
      ([wanted, name]) => {
        const found = [...document.head.querySelectorAll(wanted!)]
        return found.length === 1 ? found[0]!.getAttribute(name!) : `${found.length} times`
      },
      [selector, attribute],
    )
  const products = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('script[type="application/ld+json"]')]
        .map((script) => JSON.parse(script.textContent!) as { '@type': string; name?: string })
        .filter((document) => document['@type'] === 'Product')
        .map(({ name }) => name),
    )
  const expectHeadOf = async (name: string, path: string) => {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect.poll(() => one('link[rel=canonical]', 'href'), { timeout: 30_000 }).toBe(`${shop.url}${path}`)
    expect(await one('meta[property="og:url"]', 'content')).toBe(`${shop.url}${path}`)
    expect(await one('meta[property="og:title"]', 'content')).toBe(name)
    expect(await one('meta[name=description]', 'content')).toMatch(/^.{50,160}$/)
    expect(await page.title()).toBe(`${name} — Knots & Love`)
  }
  await page.goto('/item/market-day-net-bag?utm_source=letter')
  await expectHeadOf('Market Day Net Bag', '/item/market-day-net-bag')
  expect(await products()).toEqual(['Market Day Net Bag'])

  await page.getByRole('link', { name: 'Gallery' }).first().click()
  await expectHeadOf('Everything Handmade', '/gallery/')
  expect(await products()).toEqual([])

  await page.locator('article a', { hasText: 'Porch Key Chain' }).first().click()
  await expectHeadOf('Porch Key Chain', '/item/porch-key-chain')
  expect(await products()).toEqual(['Porch Key Chain'])
  expect(page.errors).toEqual([])
  await page.context().close()
})

test('each piece of the demo shop has a picture to be shared with, and the browser can show it', async () => {
  const page = await openBrowser(browser, shop.url)
  const map = await (await fetch(`${shop.url}/sitemap.xml`)).text()
  const [first] = [...map.matchAll(/<loc>([^<]*\/item\/[^<]*)<\/loc>/g)].map(([, address]) => address!)
  await page.goto(first!)
  const address = (await page.locator('meta[property="og:image"]').getAttribute('content'))!
  await page.goto(address)
  expect(await page.locator('img').evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([1200, 630])
  await page.context().close()
})
