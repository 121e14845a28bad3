import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from '#test/fixtures/axe.ts'
import { CLARA, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, hold, overflow, pathOf, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme)
const ground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const DARK = 'rgb(29, 24, 21)'
const LIGHT = 'rgb(250, 245, 236)'

test('the theme toggle starts as checked (dark), switches the colors immediately, and keeps its state after a reload [THEME-02, THEME-03, THEME-04]', async () => {
  const page = await here.open('/about/')
  const toggle = page.getByRole('checkbox', { name: 'Dark theme' })
  expect(await toggle.isChecked()).toBe(true)
  expect(await theme(page)).toBe('dark')
  expect(await ground(page)).toEqual(DARK)

  const letGo = await hold(page, '**/theme.data')
  await toggle.click()
  await expect.poll(() => theme(page)).toBe('light')
  expect(await toggle.isChecked()).toBe(false)
  expect(await ground(page)).toEqual(LIGHT)
  letGo()
  await expect
    .poll(async () => (await page.context().cookies()).find(({ name }) => name === 'theme')?.value)
    .toBe('light')

  await page.reload()
  expect(await theme(page)).toBe('light')
  expect(await toggle.isChecked()).toBe(false)
  await toggle.click()
  await expect.poll(() => theme(page)).toBe('dark')
})

test.each([
  { stored: undefined, shown: 'dark', color: DARK },
  { stored: 'light', shown: 'light', color: LIGHT },
])(
  'the first paint already has the $shown theme of the visitor’s device [THEME-02, THEME-04, S-027]',
  async ({ stored, shown, color }) => {
    const page = await here.open('/login/')
    if (stored) {
      await page.context().addCookies([{ name: 'theme', value: stored, url: here.shop.url }])
    }
    // Records each theme and background color of the document, from the start of loading until the
    // test ends.
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      const note = () => {
        const { theme } = document.documentElement.dataset
        const colors = document.body
          ? getComputedStyle(document.documentElement).backgroundColor
          : 'none yet'
        const now = `${theme} ${colors}`
        if (theme && colors !== 'none yet' && seen.at(-1) !== now) seen.push(now)
      }
      new MutationObserver(note).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
      })
      requestAnimationFrame(function each() {
        note()
        requestAnimationFrame(each)
      })
    })
    const html = await (await page.goto('/about/'))!.text()
    expect(html).toMatch(new RegExp(`<html[^>]*data-theme="${shown}"`))
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
      `${shown} ${color}`,
    ])
  },
)

test(
  'pages have a phone layout at 768 px and a wide one at 769 px [THEME-05, THEME-06, ADMIN-SHELL-02]',
  { tags: ['core'] },
  async () => {
    const page = await here.open('/manage/sales/', {
      as: OWNER,
      viewport: { width: 769, height: 900 },
    })
    const menu = page.getByRole('button', { name: 'Menu' })
    const gallery = page.getByRole('link', { name: 'Gallery', exact: true })
    const folded = page.locator('summary', { hasText: 'Sales' })
    const colors = page.getByRole('link', { name: 'Colors', exact: true })
    const seen = async () => [
      await menu.isVisible(),
      await gallery.isVisible(),
      await folded.isVisible(),
      await colors.isVisible(),
    ]

    expect(await seen()).toEqual([false, true, false, true])
    await page.setViewportSize({ width: 768, height: 900 })
    expect(await seen()).toEqual([true, false, true, false])
  },
)

test('the links in a phone’s menu are 44 px high, and the menu closes when the visitor follows a link [THEME-05]', async () => {
  const page = await here.open('/about/', { viewport: PHONE })
  await page.getByRole('button', { name: 'Menu' }).click()
  for (const link of await page.locator('#menu a').all()) {
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await page.waitForURL('**/contact/')
  await page.locator('#menu').waitFor({ state: 'hidden' })
  expect(pathOf(page)).toBe('/contact/')
})

test('a phone’s menu closes by Escape and by a tap outside, and then the menu button has the focus [THEME-05]', async () => {
  const page = await here.open('/about/', { viewport: PHONE })
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.locator('#menu')
  await button.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Gallery')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await focused(page)).toBe('Menu')

  await button.tap()
  await menu.waitFor()
  await page.touchscreen.tap(20, 700)
  await menu.waitFor({ state: 'hidden' })
  await button.tap()
  await button.tap()
  await menu.waitFor({ state: 'hidden' })
})

test('a phone’s menu opens without JavaScript [THEME-05]', async () => {
  const page = await here.open('/about/', { viewport: PHONE, javaScriptEnabled: false })
  expect(await page.locator('#menu').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(
    await page.locator('#menu').getByRole('link', { name: 'Contact', exact: true }).isVisible(),
  ).toBe(true)
})

test('a phone’s open menu becomes the navigation bar when the window becomes wider [NAV-21]', async () => {
  const page = await here.open('/about/', { viewport: { width: 700, height: 700 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.setViewportSize({ width: 1280, height: 700 })
  await expect
    .poll(() => page.evaluate(() => document.querySelector('#menu')!.matches(':popover-open')))
    .toBe(false)
  const [bar, link] = await Promise.all([
    page.locator('header').first().boundingBox(),
    page.getByRole('link', { name: 'Gallery', exact: true }).boundingBox(),
  ])
  expect(link!.y + link!.height).toBeLessThanOrEqual(bar!.y + bar!.height)
})

test(
  'the profile menu opens by click or Enter, and closes by Escape or click [NAV-32, NAV-37]',
  { tags: ['core'] },
  async () => {
    const page = await here.open('/about/', { as: CLARA })
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
  },
)

test('at 360 px the owner’s list of sections is collapsed, can be opened, and collapses after a choice or Back [ADMIN-SHELL-02, ADMIN-SHELL-03]', async () => {
  const page = await here.open('/manage/', { as: OWNER, viewport: PHONE })
  const folded = page.locator('details', { has: page.locator('nav[aria-label="Manage Website"]') })
  const summary = folded.locator('summary')
  const links = folded.getByRole('link')
  expect(await summary.innerText()).toBe('Manage Website')
  expect(await links.count()).toBe(0)

  await summary.click()
  for (const name of ['Categories', 'Colors', 'Merchandise', 'Messages', 'Sales', 'Discounts']) {
    await folded.getByRole('link', { name, exact: true }).waitFor()
  }
  for (const link of await links.all()) {
    const box = (await link.boundingBox())!
    expect(box.height).toBeGreaterThanOrEqual(44)
    expect(box.y + box.height, 'all of them without scrolling').toBeLessThanOrEqual(740)
    expect(box.x + box.width).toBeLessThanOrEqual(360)
  }
  expect(await overflow(page)).toBe(0)
  expect(await findViolations(page, 'the list of sections')).toEqual([])
  await folded.getByRole('link', { name: 'Messages', exact: true }).click()
  await page.waitForURL('**/manage/messages/')
  await expect.poll(() => summary.innerText()).toBe('Messages')
  expect(await links.count()).toBe(0)

  await summary.click()
  await folded.getByRole('link', { name: 'Messages', exact: true }).click()
  await links.first().waitFor({ state: 'hidden' })
  await summary.click()
  await links.first().waitFor()
  await page.goBack()
  await page.waitForURL('**/manage/')
  await expect.poll(() => summary.innerText()).toBe('Manage Website')
  expect(await links.count()).toBe(0)
})

test('Enter opens the owner’s list of sections, and Escape collapses the list without moving the focus [ADMIN-SHELL-02]', async () => {
  const page = await here.open('/manage/sales/', { as: OWNER, viewport: PHONE })
  const summary = page.locator('summary', { hasText: 'Sales' })
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Messages')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Messages', exact: true }).count()).toBe(0)
  expect(await focused(page)).toBe('Sales')
})

test('on a wide screen the list of sections is beside the page, marks the current section, and stays visible on scrolling [ADMIN-SHELL-01]', async () => {
  const page = await here.open('/manage/item/', { as: OWNER })
  const side = page.getByRole('navigation', { name: 'Manage Website' })
  const merchandise = side.getByRole('link', { name: 'Merchandise', exact: true })
  expect(await merchandise.getAttribute('aria-current')).toBe('page')
  expect(await side.locator('[aria-current]').count()).toBe(1)
  // The last section is visible without scrolling the list.
  const settings = (await side.getByRole('link', { name: 'Settings', exact: true }).boundingBox())!
  expect(settings.y + settings.height).toBeLessThanOrEqual(800)
  const { y } = (await merchandise.boundingBox())!
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  expect(Math.abs((await merchandise.boundingBox())!.y - y)).toBeLessThan(40)
})

test('on each page, the document title shows how many unread messages the owner has [NAV-44, NAV-45, NAV-46]', async () => {
  const page = await here.open('/about/', { as: OWNER })
  const count = Number(await page.getByRole('link', { name: /unread message/ }).textContent())
  expect(count).toBeGreaterThan(0)
  await soon(() => page.title()).toMatch(`(${count}) About`)
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await soon(() => page.title()).toMatch(`(${count}) Contact`)
})
