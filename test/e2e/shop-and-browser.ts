/** A served shop and a Chromium for the tests of one file. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, type ServedShop } from './open-served-shop.ts'

export function shopAndBrowser(options: Parameters<typeof openServedShop>[0] = {}) {
  let shop: ServedShop | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    ;[shop, browser] = await Promise.all([openServedShop(options), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
  })
  /** Both are there once the tests run. */
  return {
    get shop() {
      return shop!
    },
    get browser() {
      return browser!
    },
  }
}
