// What only a browser shows of the bar, the theme and the login.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { signIn } from './people.ts'

let browser: Browser
let shop: ServedShop

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop({ demo: true })])
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: shop.url, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}

/** The page of somebody who is signed in. */
async function openAs(who: { email: string; password: string }, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: shop.url, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await signIn(page, who)
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme)
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('THEME-02 THEME-03 THEME-04 the toggle starts checked and dark, switches the colours at once and keeps them over a reload', async () => {
  const page = await open('/about/')
  const toggle = page.getByRole('checkbox', { name: 'Dark theme' })
  expect([await toggle.isChecked(), await theme(page), await ground(page)]).toEqual([true, 'dark', 'rgb(29, 24, 21)'])

  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/theme.data', async (route) => {
    await held
    await route.continue()
  })
  await toggle.click()
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light')
  expect([await toggle.isChecked(), await ground(page)]).toEqual([false, 'rgb(250, 245, 236)'])
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/theme.data')
  release()
  await answered
  // The page has taken the answer in when it has read its data anew and the device remembers the choice.
  await expect.poll(async () => (await page.context().cookies()).find(({ name }) => name === 'theme')?.value).toBe('light')
  await page.waitForLoadState('networkidle')

  await page.unroute('**/theme.data')
  await page.reload({ waitUntil: 'networkidle' })
  expect([await theme(page), await toggle.isChecked()]).toEqual(['light', false])
  await toggle.click()
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
})

test('THEME-04 without script the theme changes too', async () => {
  const page = await open('/about/', { javaScriptEnabled: false })
  await page.getByRole('checkbox', { name: 'Dark theme' }).uncheck()
  await page.getByRole('button', { name: 'Change' }).click()
  expect(page.url()).toBe(`${shop.url}/about/`)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})

test('THEME-05 THEME-06 ADMIN-SHELL-02 768 px is the mobile layout, 769 px is not', async () => {
  const page = await openAs(OWNER, '/manage/sales/', { viewport: { width: 769, height: 900 } })
  const menu = page.getByRole('button', { name: 'Menu' })
  const gallery = page.getByRole('link', { name: 'Gallery', exact: true })
  const folded = page.locator('summary', { hasText: 'Sales' })
  const colors = page.getByRole('link', { name: 'Colors', exact: true })
  const seen = async () => [await menu.isVisible(), await gallery.isVisible(), await folded.isVisible(), await colors.isVisible()]

  expect(await seen()).toEqual([false, true, false, true])
  await page.setViewportSize({ width: 768, height: 900 })
  expect(await seen()).toEqual([true, false, true, false])

  await folded.click()
  await colors.click()
  await page.waitForURL('**/manage/colors/')
  await page.locator('summary', { hasText: 'Colors' }).waitFor()
  expect(await colors.isVisible()).toBe(false)
})

test('THEME-02 THEME-04 S-027 the first paint already has the remembered theme: no other colour before any script or data', async () => {
  for (const [stored, color] of [
    [undefined, 'rgb(29, 24, 21)'],
    ['light', 'rgb(250, 245, 236)'],
  ] as const) {
    const page = await open('/login/')
    if (stored) await page.context().addCookies([{ name: 'theme', value: stored, url: shop.url }])
    // Whatever the document says of its theme and its ground, from its first element to its last change.
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      const note = () => {
        const { theme } = document.documentElement.dataset
        const colors = document.body ? getComputedStyle(document.documentElement).backgroundColor : 'none yet'
        const now = `${theme} ${colors}`
        if (theme && colors !== 'none yet' && seen.at(-1) !== now) seen.push(now)
      }
      new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true })
      requestAnimationFrame(function each() {
        note()
        requestAnimationFrame(each)
      })
    })
    const html = await (await page.goto('/about/', { waitUntil: 'networkidle' }))!.text()
    expect(html).toMatch(new RegExp(`<html[^>]*data-theme="${stored ?? 'dark'}"`))
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([`${stored ?? 'dark'} ${color}`])
  }
})

test('THEME-05 at 360 px nothing scrolls sideways, and the menu opens, leads on and closes; its targets are 44 px', async () => {
  const page = await open('/about/', { viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  for (const link of await page.locator('#menu a').all()) expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await page.waitForURL('**/contact/')
  await page.locator('#menu').waitFor({ state: 'hidden' })
  for (const path of ['/contact/', '/about/', '/testimonials/', '/login/']) {
    await page.goto(path)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  }
})

test('THEME-05 the menu of a phone closes by Escape, by a press beside it and by choosing, and gives the focus back', async () => {
  const page = await open('/about/', { viewport: { width: 360, height: 740 }, hasTouch: true })
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.locator('#menu')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

  await button.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Gallery')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await focused()).toBe('Menu')

  await button.tap()
  await menu.waitFor()
  await page.touchscreen.tap(20, 700)
  await menu.waitFor({ state: 'hidden' })
  await button.tap()
  await button.tap()
  await menu.waitFor({ state: 'hidden' })
  await button.tap()
  await menu.getByRole('link', { name: 'About', exact: true }).tap()
  await menu.waitFor({ state: 'hidden' })

  const bare = await open('/about/', { viewport: { width: 360, height: 740 }, javaScriptEnabled: false })
  expect(await bare.locator('#menu').isVisible()).toBe(false)
  await bare.getByRole('button', { name: 'Menu' }).click()
  await bare.locator('#menu').getByRole('link', { name: 'Contact', exact: true }).click()
  await bare.waitForURL('**/contact/')
})

test('NAV-32 NAV-37 the photo opens the popup, by keyboard too; Esc and a press beside it close it', async () => {
  const page = await openAs({ email: 'clara@example.com', password: 'knots-and-love' }, '/about/')
  const photo = page.getByRole('button', { name: 'Your account' })
  const popup = page.locator('#profile')

  await photo.click()
  expect(await popup.textContent()).toContain('Hello, Clara')
  await page.keyboard.press('Escape')
  expect(await popup.isVisible()).toBe(false)
  await photo.focus()
  await page.keyboard.press('Enter')
  expect(await popup.isVisible()).toBe(true)
  await page.mouse.click(20, 500)
  expect(await popup.isVisible()).toBe(false)

  await photo.click()
  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  await page.waitForURL(/\/about\/\?messages/)
  expect(await popup.isVisible()).toBe(false)
})

test('NAV-44 NAV-45 NAV-46 the bell of the owner counts what is unread in all conversations, the title as well', async () => {
  const page = await openAs(OWNER, '/about/')
  const bell = page.getByRole('link', { name: /unread message/ })
  const count = Number(await bell.textContent())

  expect(count).toBeGreaterThan(0)
  expect(await bell.getAttribute('aria-label')).toMatch(new RegExp(`^${count} unread messages?$`))
  await page.waitForFunction((wanted) => document.title.startsWith(wanted), `(${count}) About`)
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await page.waitForFunction((wanted) => document.title.startsWith(wanted), `(${count}) Contact`)
  await bell.click()
  await page.waitForURL('**/manage/messages/')
})

test('TOAST-05 NAV-42 S-004 S-017 a guest is asked Yes or No before logging out, and stays on the public page', async () => {
  const page = await open('/login/')
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL(`${shop.url}/`)
  await page.goto('/about/', { waitUntil: 'networkidle' })
  const ask = async (choice: string) => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: choice }).click()
  }
  await ask('No')
  expect(await page.getByRole('link', { name: 'Login | Register' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await ask('Yes')
  await page.getByRole('link', { name: 'Login | Register' }).waitFor()
  expect(page.url()).toBe(`${shop.url}/about/`)
})

test('LOGIN-03 LOGIN-04 LOGIN-28 LOGIN-29 LOGIN-30 S-010 S-202 S-205 the login asks for both, is busy while it waits, and after a failure can be tried again; it shows the password on demand, and Back passes it by', async () => {
  const page = await open('/about/')
  await page.getByRole('link', { name: 'Login | Register' }).click()
  await page.waitForURL('**/login/')
  const button = page.getByRole('button', { name: 'Log In', exact: true })
  await button.click()
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name)
  await expect.poll(focused).toBe('email')
  await page.getByLabel('Email').fill('clara@example.com')
  await button.click()
  await expect.poll(focused).toBe('password')

  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/login*', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  const eye = page.getByRole('button', { name: 'Show password' })
  const password = page.locator('#password')
  await password.fill('not-hers-at-all')
  await eye.click()
  await page.locator('#password[type=text]').waitFor()
  expect([await eye.getAttribute('aria-pressed'), await focused(), await password.inputValue()]).toEqual([
    'true',
    'password',
    'not-hers-at-all',
  ])
  await button.click()
  await page.locator('form[aria-busy="true"]').waitFor()
  await expect.poll(() => button.isDisabled()).toBe(true)
  // What a text field held is remembered by browsers.
  await expect.poll(() => password.getAttribute('type')).toBe('password')
  release()
  await page.locator('#password[aria-invalid="true"]').waitFor()
  await expect.poll(() => button.isDisabled()).toBe(false)
  expect(await page.getByLabel('Email').inputValue()).toBe('clara@example.com')
  await expect.poll(focused).toBe('password')

  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.locator('#password[type=password]').waitFor()
  await password.fill('knots-and-love')
  await password.press('Enter')
  await page.waitForURL(`${shop.url}/`)
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: /about/i }).waitFor()
  expect(page.url()).toBe(`${shop.url}/about/`)
})

test('NAV-21 a menu that stands open when the window grows becomes the row of the bar', async () => {
  const page = await open('/about/', { viewport: { width: 700, height: 700 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.setViewportSize({ width: 1280, height: 700 })
  const isOpen = () => page.evaluate(() => document.querySelector('#menu')!.matches(':popover-open'))
  await expect.poll(isOpen).toBe(false)
  const [bar, link] = await Promise.all([
    page.locator('header').first().boundingBox(),
    page.getByRole('link', { name: 'Gallery', exact: true }).boundingBox(),
  ])
  expect(link!.y + link!.height).toBeLessThanOrEqual(bar!.y + bar!.height)
})
