/**
 * Functions for tests of all pages, for example to read the focus, to delay requests or to stop the
 * clock.
 */
import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Login, Opening, shopAndBrowser } from '#test/fixtures/browser.ts'

export type ServedPages = ReturnType<typeof shopAndBrowser>

export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
/**
 * Locates a toast. The page shows a toast for only two seconds, so a test must wait for the toast
 * while it clicks.
 */
export const toast = (page: Page, text: string) =>
  page.getByRole('status').getByRole('button', { name: text })
export const pathOf = (page: Page) => new URL(page.url()).pathname
/** Returns by how many pixels the page is wider than the viewport. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
/** Returns the name of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    return (
      element.getAttribute('aria-label') ||
      element.textContent.trim() ||
      element.getAttribute('name') ||
      element.id
    )
  })
export const hasFocus = (locator: Locator) =>
  locator.evaluate((element) => element === document.activeElement)

/** Returns the text of a QR code on the screen. */
export async function readCode(image: Locator) {
  const { data, info } = await sharp(await image.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** Delays requests to a URL until the returned function is called. */
export async function hold(page: Page, url: string | RegExp, method?: 'GET' | 'POST') {
  const released = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (!method || route.request().method() === method) await released.promise
    await route.continue().catch(() => {}) // the page may have aborted the request
  })
  return () => released.resolve()
}

/**
 * Opens a page of the admin area through its link, so that React creates the fields in the browser.
 * Returns the texts that a form of this page would send.
 */
export async function openFormByLink(page: Page, path: string, form: string) {
  const links = page.locator(`a[href="${path}"]`)
  await links.first().evaluate((link: HTMLElement) => link.click())
  const fields = await page
    .locator(form)
    .evaluate((shown: HTMLFormElement) => [...new FormData(shown)])
  return Object.fromEntries(fields) as Record<string, string>
}
export const isInert = (field: Locator) =>
  field.evaluate((element) => element.closest('[inert]') !== null)

/** Opens a page and then stops its clock. A carousel may advance once before the clock stops. */
export async function openStopped(here: ServedPages, path: string, options: Opening = {}) {
  const page = await here.open(path, { ...options, before: (opened) => opened.clock.install() })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  return page
}

/** Signs the user in on a second device. Returns a function that sends forms from this device. */
export async function openSender(here: ServedPages, as: Login) {
  const page = await here.open('/health', { as, javaScriptEnabled: false })
  return (path: string, form: Record<string, string>) =>
    page.request.post(path, { form, headers: { origin: here.shop.url }, maxRedirects: 0 })
}

/**
 * Waits until the page uses the JavaScript of the order request form, which loads after the page.
 * Before that, Submit sends the form without
 * JavaScript. The JavaScript removes the hidden field `back`.
 */
export const waitForOrderRequestForm = (page: Page) =>
  page.locator('#order-request input[name=back]').waitFor({ state: 'detached' })

/** Creates the files of a drag or paste event. */
export const transferOf = (page: Page, files: { name: string; type: string; bytes: Buffer }[]) =>
  page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer()
      for (const { name, type, data } of list) {
        transfer.items.add(
          new File([Uint8Array.from(atob(data), (character) => character.codePointAt(0)!)], name, {
            type,
          }),
        )
      }
      return transfer
    },
    files.map(({ name, type, bytes }) => ({ name, type, data: bytes.toString('base64') })),
  )
