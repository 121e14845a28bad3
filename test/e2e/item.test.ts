import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  CLARA,
  DESK,
  PHONE,
  sendLogin,
  shopAndBrowser,
  signInOnScreen,
} from '#test/fixtures/browser.ts'
import { focused, hasFocus, overflow, soon, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const MATEO = { email: 'mateo@example.com', password: 'knots-and-love' }
/** This item has four images, and only the third is in Sage Green. */
const ITEM = '/item/three-diamonds-wall-hanging'
const IMAGE_WIDTH = 1400

const open = (path: string, viewport = DESK) =>
  here.open(path, { viewport, reducedMotion: 'reduce' })
const openAsMateo = () => here.open(ITEM, { as: MATEO })
/**
 * Returns the number of the image to which this row of images is scrolled. The first image
 * has the number 1.
 */
const inView = (strip: Locator) =>
  strip.evaluate((element) => Math.round(element.scrollLeft / element.clientWidth) + 1)
const strip = (page: Page) => page.locator('figure ul')
const currentThumb = (page: Page) =>
  page.getByRole('list', { name: 'Pictures' }).locator('[aria-current]').getAttribute('aria-label')
const search = (page: Page) => new URL(page.url()).search
async function shows(page: Page, image: number) {
  await soon(() => currentThumb(page)).toBe(`Picture ${image} of 4`)
  await soon(() => inView(strip(page))).toBe(image)
  await soon(() => search(page)).toBe(`?picture=${image}`)
}

test('a swipe over the picture or a tap on a thumbnail selects a picture, and a reload or Back keeps the selection [ITEM-01, ITEM-02]', async () => {
  const page = await open(ITEM, PHONE)
  const box = (await strip(page).boundingBox())!
  await page.mouse.move(box.x + 100, box.y + 100)
  await page.mouse.wheel(300, 0)
  await shows(page, 2)

  await page.getByRole('link', { name: 'Picture 4 of 4' }).tap()
  await shows(page, 4)
  await page.reload()
  await shows(page, 4)

  await page.getByRole('link', { name: 'Wall Hangings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Wall Hangings' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Three Diamonds Wall Hanging' }).waitFor()
  await shows(page, 4)
  expect(page.errors).toEqual([])
})

test('Enter, the arrow keys, Home and End select a thumbnail, and the selected thumbnail gets the focus [ITEM-02]', async () => {
  const page = await open(ITEM)
  await page.getByRole('link', { name: 'Picture 3 of 4' }).focus()
  await page.keyboard.press('Enter')
  await shows(page, 3)
  expect(await page.locator('figcaption').textContent()).toContain('Shown in Sage Green')

  for (const [key, image] of [
    ['ArrowRight', 4],
    ['ArrowRight', 4],
    ['Home', 1],
    ['End', 4],
    ['ArrowLeft', 3],
  ] as const) {
    await page.keyboard.press(key)
    await shows(page, image)
    expect(await focused(page)).toBe(`Picture ${image} of 4`)
  }
  await page.getByRole('link', { name: 'Previous picture' }).click()
  await shows(page, 2)
})

test('in the picture dialog, arrow keys change the picture, Enter enlarges the picture, and Escape closes the dialog [ITEM-01]', async () => {
  const page = await open(ITEM)
  await page.locator('figure li a').first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Pictures of Three Diamonds Wall Hanging' })
  await dialog.waitFor()
  expect(await focused(page)).toBe('Close')
  const isFocusOutside = () =>
    page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement!.closest('dialog'),
    )
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab')
    expect(await isFocusOutside()).toBe(false)
  }

  await page.keyboard.press('ArrowRight')
  await dialog.getByText('2 of 4').waitFor()
  await soon(() => inView(dialog.locator('ul'))).toBe(2)
  const second = dialog.getByRole('button', { name: 'Picture 2, full size' })
  const fitted = (await second.boundingBox())!.width
  await second.focus()
  await page.keyboard.press('Enter')
  expect(await second.getAttribute('aria-pressed')).toBe('true')
  await soon(async () => (await second.boundingBox())!.width).toBeGreaterThan(fitted * 1.09)
  // The arrow keys scroll an enlarged image after Chromium has painted it.
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
  const scrollPosition = () => second.evaluate((button) => button.parentElement!.scrollTop)
  const before = await scrollPosition()
  await page.keyboard.press('ArrowDown')
  await soon(scrollPosition).toBeGreaterThan(before)

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await shows(page, 2)
  await soon(() => page.evaluate(() => document.activeElement!.getAttribute('href'))).toMatch(
    /-2\.avif$/,
  )
  expect(page.errors).toEqual([])
})

test(
  'Back closes the zoom and shows the picture that the visitor viewed last in the zoom [OWN-97]',
  { tags: ['core'] },
  async () => {
    const page = await open('/gallery/walls')
    await page.goto(new URL(ITEM, page.url()).href)
    const dialog = page.getByRole('dialog', { name: 'Pictures of Three Diamonds Wall Hanging' })
    await page.locator('figure li a').first().click()
    await dialog.waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('2 of 4').waitFor()
    await page.evaluate(() => history.back())
    await dialog.waitFor({ state: 'detached' })
    await shows(page, 2)

    // If the visitor closes the zoom with the button "Close", the browser history contains no entry
    // for the zoom.
    await page.locator('figure li a').nth(1).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await shows(page, 2)
    await page.goBack()
    await soon(() => new URL(page.url()).pathname).toBe('/gallery/walls')
    expect(page.errors).toEqual([])
  },
)

test('in the dark theme, an item page prints black on white, with logo and address and without buttons [OWN-98]', async () => {
  const page = await open(ITEM)
  await page.emulateMedia({ media: 'print' })
  const colors = await page.evaluate(() => [
    getComputedStyle(document.body).color,
    getComputedStyle(document.documentElement).backgroundColor,
  ])
  expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  await page.getByRole('main').getByText('hello@knotsandlove.example').waitFor()
  expect(await page.locator('main svg').first().isVisible()).toBe(true)
  for (const hidden of [
    '#order-request',
    'header nav',
    'footer',
    'section:has-text("Customers Most Ordered")',
  ]) {
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false)
  }
})

test('a visitor can zoom a picture by touch, and without JavaScript the image file opens [ITEM-01]', async () => {
  const page = await open(ITEM, PHONE)
  await page.locator('figure li a').first().tap()
  const dialog = page.getByRole('dialog')
  const first = dialog.getByRole('button', { name: 'Picture 1, full size' })
  await first.tap()
  await soon(async () => (await first.boundingBox())!.width).toBe(IMAGE_WIDTH)
  await first.tap()
  await soon(async () => (await first.boundingBox())!.width).toBe(360)
  await dialog.getByRole('button', { name: 'Next picture' }).tap()
  await dialog.getByText('2 of 4').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await dialog.waitFor({ state: 'detached' })

  const plain = await here.open(`${ITEM}?picture=2`, { javaScriptEnabled: false })
  await plain.locator('figure li a').nth(1).click()
  await plain.waitForURL(/\/pictures\/items\/.*-2\.avif$/)
})

test('when a visitor chooses a color, the page marks the color and shows a picture in this color, also without JavaScript [ITEM-09]', async () => {
  const page = await open(ITEM, PHONE)
  const green = page.getByRole('link', { name: 'Sage Green', exact: true })
  await green.scrollIntoViewIfNeeded()
  await green.tap()
  await soon(() => inView(strip(page))).toBe(3)
  expect(await green.getAttribute('aria-current')).toBe('true')
  expect(search(page)).toBe('?color=sage-green')
  await soon(async () => (await page.locator('#picture').boundingBox())!.y).toBeGreaterThan(60)

  await page.getByRole('link', { name: 'Picture 1 of 4' }).tap()
  await shows(page, 1)
  expect(await green.getAttribute('aria-current')).toBe(null)

  const plain = await here.open(ITEM, { javaScriptEnabled: false })
  await plain.getByRole('link', { name: 'Sage Green', exact: true }).click()
  await plain.locator('figcaption', { hasText: 'Shown in Sage Green' }).waitFor()
  const left = async (of: Locator) => Math.round((await of.boundingBox())!.x)
  // The test polls, because the browser may still be scrolling to the image.
  await soon(
    async () =>
      (await left(plain.locator('figure li').nth(2))) - (await left(plain.locator('#picture'))),
  ).toBe(0)
})

test('the tooltip of a color opens by pointer, focus and tap, closes by Escape, and fits on a phone [ITEM-11, ITEM-12]', async () => {
  const page = await open('/item/sunflower-coaster', PHONE)
  const color = page.getByRole('link', { name: 'Mustard', exact: true })
  const tip = page.getByRole('tooltip').filter({ hasText: 'Mustard: Low on stock' })
  expect(await tip.isVisible()).toBe(false)
  await color.hover()
  await soon(() => tip.isVisible()).toBe(true)
  const box = (await tip.boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
  await tip.hover()
  expect(await tip.isVisible()).toBe(true)
  // The pointer opened the tooltip. Escape must close it although no element has the focus.
  await page.keyboard.press('Escape')
  await soon(() => tip.isVisible()).toBe(false)

  await page.mouse.move(0, 0)
  await color.focus()
  await soon(() => tip.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await soon(() => tip.isVisible()).toBe(false)
  expect(await hasFocus(color)).toBe(true)

  await color.blur()
  await color.tap()
  await soon(() => tip.isVisible()).toBe(true)
})

test('on a phone, a link at the lower edge scrolls to the order request form, which gets the focus [ITEM-18]', async () => {
  const page = await open(ITEM, PHONE)
  const link = page.getByRole('link', { name: 'Order Request' })
  await page.getByRole('heading', { name: 'Colors Used' }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  await link.tap()
  const box = page.getByRole('region', { name: 'Order Request' })
  await soon(() => hasFocus(box)).toBe(true)
  await soon(async () => {
    const [inner, outer] = [(await link.boundingBox())!, (await box.boundingBox())!]
    return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
  }).toBe(true)
})

test('after a customer logs out, no tab of the browser shows her unsent text to the next customer [S-017]', async () => {
  const page = await openAsMateo()
  const other = await page.context().newPage()
  await other.goto(ITEM)
  const messageIn = (tab: Page) => tab.getByRole('textbox', { name: 'Message' })
  await messageIn(page).fill('My address is 12 Hidden Lane.')
  await messageIn(other).fill('And my telephone is 555 0199.')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  for (const tab of [page, other]) {
    await tab.getByRole('link', { name: 'Login | Register' }).waitFor()
    await soon(() => messageIn(tab).count()).toBe(0)
    await soon(() =>
      tab.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
    ).not.toMatch(/Hidden|555/)
  }

  await signInOnScreen(page, CLARA)
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  for (const tab of [page, other]) {
    await tab.goto(ITEM)
    expect(await messageIn(tab).inputValue()).toBe('')
  }
})

test(
  'an order request that is sent after the session has ended keeps its text and color until the login [ITEM-33, ITEM-35, OWN-75, OWN-76, OWN-77, OWN-79]',
  { tags: ['core'] },
  async () => {
    const page = await openAsMateo()
    await waitForOrderRequestForm(page)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('In sage, please. Call 555 0134.')
    await page.getByRole('link', { name: 'Sage Green', exact: true }).click()
    const color = page.getByRole('combobox', { name: 'Color' })
    const chosen = () =>
      color.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text)
    await soon(chosen).toBe('Sage Green')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('status').getByText('Please Login to Submit an Order Request').waitFor()
    expect(await message.inputValue()).toBe('In sage, please. Call 555 0134.')

    await page.getByRole('link', { name: 'Please Login to Order' }).click()
    await page.waitForURL('**/login/?from=*')
    await page.getByRole('status').getByText('Please Login to Submit an Order Request').waitFor()
    await sendLogin(page, MATEO)
    await page.getByText('You are logged in, and back at your piece.').waitFor()
    await soon(() => message.inputValue()).toBe('In sage, please. Call 555 0134.')
    await soon(chosen).toBe('Sage Green')
    await waitForOrderRequestForm(page)
    await page.getByRole('button', { name: 'Submit', exact: true }).dblclick()
    await page.getByText('Order Request Sent!').waitFor()
    // A confirmation replaces the order request form and gets the focus. [OWN-79]
    await soon(() => focused(page)).toContain('Your request was sent.')
    expect(await message.count()).toBe(0)
    await page.getByRole('button', { name: 'Write another request' }).click()
    await page.getByText('This piece is in your order.').waitFor()
    expect(await message.inputValue()).toBe('')

    await page.getByRole('link', { name: 'your conversation' }).click()
    const panel = page.getByRole('complementary', { name: 'Messages' })
    await panel.getByText('In sage, please. Call 555 0134.').waitFor()
    expect(await panel.getByText('In sage, please. Call 555 0134.').count()).toBe(1)
    await panel
      .getByRole('link', {
        name: /Order request Three Diamonds Wall Hanging Sage Green .* Requested/,
      })
      .waitFor()
  },
)

test('when the last item of a row gets the focus, the row scrolls, but not the page [ITEM-23]', async () => {
  const page = await open(ITEM, PHONE)
  const list = page.getByRole('region', { name: 'Customers Most Ordered' }).getByRole('list')
  await list.getByRole('link').last().focus()
  await soon(() => list.evaluate((element) => element.scrollLeft)).toBeGreaterThan(300)
  const right = () =>
    list
      .getByRole('listitem')
      .last()
      .evaluate((element) => element.getBoundingClientRect().right)
  await soon(right).toBeLessThanOrEqual(PHONE.width)
  expect(await overflow(page)).toBe(0)
})
