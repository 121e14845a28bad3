import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { CLARA, DESK, isHydrated, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { openStopped, pathOf, toast, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const AWAY = 'The shop cannot be reached just now.'
const OFFLINE = 'You are offline.'
const LATER = 'The page opens when the connection is back.'
const NOT_SENT = 'Not sent: no connection. What you typed is still here.'

/**
 * Opens a page and sets a variable in its window. The variable disappears if the browser loads the
 * document again, which a test can detect.
 */
async function open(path: string, viewport = DESK, as?: { email: string; password: string }) {
  // Waits until React Router has requested the routes of the visible links. The browser cannot
  // request the routes after the shop stops.
  const waits: Promise<unknown>[] = []
  const before = async (page: Page) => {
    waits.push(whenLive(page))
    if (!as) waits.push(page.waitForResponse(/__manifest/))
  }
  const page = await here.open(path, { viewport, as, before })
  await Promise.all(waits)
  await isHydrated(page)
  await mark(page)
  return page
}
/**
 * Waits until the page's WebSocket is open. If the WebSocket opened after the test set Chromium
 * offline, the page would behave as if it were online.
 */
async function whenLive(page: Page) {
  const socket = await page.waitForEvent('websocket', (one) => one.url().endsWith('/live'))
  await socket.waitForEvent('framereceived')
}
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { mark: true }))
const isSameDocument = (page: Page) => page.evaluate(() => 'mark' in window)
const status = (page: Page, text: string) => page.getByRole('status').getByText(text)
/**
 * Waits until the page shows no message about an outage. The page shows "Back online" so briefly
 * that a slow test machine may miss this message.
 */
const isBackOnline = (page: Page) =>
  expect.poll(() => status(page, AWAY).or(status(page, OFFLINE)).count()).toBe(0)
/**
 * Waits until `page` has noticed that it cannot reach the shop. The page's own HTTP request to
 * /health fails before the two HTTP requests below.
 * If a test clicked a link earlier, React Router would try to load JavaScript, fail, and reload the
 * document.
 */
async function whenOffline(page: Page, cutOff: () => Promise<unknown>) {
  await cutOff()
  await page.evaluate(async () => {
    dispatchEvent(new Event('offline'))
    for (let sent = 0; sent < 2; sent++) {
      await fetch('/health', { cache: 'no-store' }).catch(() => {})
    }
  })
}
const goOffline = (page: Page) => whenOffline(page, () => page.context().setOffline(true))
/**
 * Stops the shop, and returns a function that starts the shop again. The shop also starts again
 * when the test ends.
 */
async function goneAway(page?: Page) {
  if (!page) await here.shop.kill()
  else await whenOffline(page, () => here.shop.kill())
  let isBack = false
  const comeBack = async () => {
    if (!isBack) await here.shop.start()
    isBack = true
  }
  onTestFinished(comeBack)
  return comeBack
}

test('a contact form that is sent while the shop is offline keeps its text, and can be sent later', async () => {
  const page = await open('/contact/', PHONE)
  const typed = {
    Name: 'Ruth Weaver',
    'Email Address': 'ruth@mail.test',
    Phone: '5551234567',
    Message: 'Do you mend plant hangers?',
  }
  for (const [label, text] of Object.entries(typed)) {
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  }
  const comeBack = await goneAway(page)
  await Promise.all([
    toast(page, NOT_SENT).waitFor(),
    page.getByRole('button', { name: 'Submit' }).click(),
  ])
  await status(page, AWAY).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
    /Contact|touch|hello/i,
  )
  for (const [label, text] of Object.entries(typed)) {
    expect(await page.getByRole('textbox', { name: label, exact: true }).inputValue()).toBe(text)
  }

  await comeBack()
  await isBackOnline(page)
  for (const [label, text] of Object.entries(typed)) {
    expect(await page.getByRole('textbox', { name: label, exact: true }).inputValue()).toBe(text)
  }
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Message', exact: true }).inputValue())
    .toBe('')
  expect(await isSameDocument(page)).toBe(true)
})

test('a link that is clicked while the shop is offline opens when the shop is online again', async () => {
  const page = await open('/about/')
  const comeBack = await goneAway(page)
  // The JavaScript of the login page is not loaded yet, and cannot be loaded while the shop is
  // stopped.
  await Promise.all([
    toast(page, LATER).waitFor(),
    page.getByRole('link', { name: 'Login | Register' }).click(),
  ])
  await status(page, AWAY).waitFor()
  expect(await page.getByRole('link', { name: 'Gallery', exact: true }).isVisible()).toBe(true)
  await comeBack()
  await page.getByRole('heading', { name: 'Login' }).waitFor()
  expect(pathOf(page)).toBe('/login/')
})

test('when the shop is online again, the page opens the link that was clicked last, without a reload', async () => {
  const page = await open('/about/')
  for (const name of ['Testimonials', 'Contact', 'About']) {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.waitForURL(`**/${name.toLowerCase()}/`)
  }
  const comeBack = await goneAway(page)
  await page.getByRole('link', { name: 'Testimonials', exact: true }).first().click()
  await page.getByRole('link', { name: 'Contact', exact: true }).first().click()
  await status(page, AWAY).waitFor()
  await comeBack()
  await page.waitForURL('**/contact/')
  await isBackOnline(page)
  expect(await isSameDocument(page)).toBe(true)
})

test('the page shows the start and the end of an outage only if the outage takes more than three seconds', async () => {
  const page = await openStopped(here, '/about/')
  const isAsking = (asked: { url: () => string }) => asked.url().endsWith('/health')
  const goAway = async () => {
    const asked = page.waitForEvent('requestfailed', isAsking)
    const comeBack = await goneAway()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await asked
    return comeBack
  }

  let comeBack = await goAway()
  await comeBack()
  const found = page.waitForResponse(isAsking)
  // After 1.9 s, the page has already retried, but does not show a message about the outage yet.
  await page.clock.runFor(1900)
  await found
  for (let second = 0; second < 10; second++) {
    await page.clock.runFor(1000)
    expect(await status(page, AWAY).or(status(page, 'Back online')).count()).toBe(0)
  }

  comeBack = await goAway()
  await page.clock.runFor(2900)
  expect(await status(page, AWAY).count()).toBe(0)
  await page.clock.runFor(200)
  await status(page, AWAY).waitFor()
  await comeBack()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.clock.runFor(100)
  await expect
    .poll(async () => (await page.clock.runFor(50), status(page, 'Back online').count()))
    .toBe(1)
  await page.clock.runFor(2600)
  expect(await status(page, 'Back online').count()).toBe(0)
})

test(
  'unsent messages and order requests stay visible until the shop is online again [OWN-107]',
  { tags: ['core'] },
  async () => {
    const page = await open('/about/', DESK, CLARA)
    await page.goto('/item/sunflower-coaster?messages')
    await waitForOrderRequestForm(page)
    await mark(page)
    const panel = page.getByRole('complementary', { name: 'Messages' })
    const request = page.getByRole('region', { name: 'Order Request' })
    await panel.getByRole('textbox').fill('Half a thought')
    await request.getByRole('textbox').fill('Two of these, please')
    // First, one order request fails although the shop is online.
    await page.route(/order-request\.data/, (route) => route.abort(), { times: 1 })
    const failed = () => toast(page, 'An Error Occured while Sending Order Request')
    await Promise.all([failed().waitFor(), request.getByRole('button', { name: 'Submit' }).click()])
    await failed().click()
    const comeBack = await goneAway(page)
    await Promise.all([failed().waitFor(), request.getByRole('button', { name: 'Submit' }).click()])
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByRole('button', { name: 'Try again' }).waitFor()
    await request.getByText('Your request was not sent and is still here.').waitFor()
    expect(await request.getByRole('textbox').inputValue()).toBe('Two of these, please')
    await page.setViewportSize(PHONE)
    const [banner, head] = await Promise.all([
      status(page, AWAY).boundingBox(),
      panel.getByRole('heading').first().boundingBox(),
    ])
    expect(banner!.y + banner!.height).toBeLessThanOrEqual(head!.y)
    await page.setViewportSize(DESK)

    await comeBack()
    await isBackOnline(page)
    await panel
      .getByRole('listitem')
      .filter({ hasText: 'Half a thought' })
      .getByRole('time')
      .waitFor()
    expect(await panel.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await request.getByRole('button', { name: 'Submit' }).click()
    await request.getByText('Your request was sent.').waitFor()
    await expect.poll(() => panel.getByRole('log').textContent()).toContain('Two of these, please')
    expect(await isSameDocument(page)).toBe(true)
  },
)

test('if a favorite cannot be saved, its heart changes back and a message appears', async () => {
  const page = await open('/gallery/garlands', PHONE, CLARA)
  const heart = page.getByRole('button', { name: /^Favorite/ }).first()
  const before = await heart.getAttribute('aria-pressed')
  const failed = () => toast(page, 'Your favorite could not be saved. Please try again.')
  // First, one HTTP request fails although the shop is online. Later, the customer clicks the
  // heart while the browser is offline.
  await page.route(/favourite\.data/, (route) => route.abort(), { times: 1 })
  await Promise.all([failed().waitFor(), heart.click()])
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe(before)
  await failed().click()
  await goOffline(page)
  await Promise.all([failed().waitFor(), heart.click()])
  expect(await heart.getAttribute('aria-pressed')).toBe(before)
  await status(page, OFFLINE).waitFor()
  await page.context().setOffline(false)
  await isBackOnline(page)
  expect(await isSameDocument(page)).toBe(true)
})

test('the login form keeps the typed text without a connection, and can be sent later', async () => {
  const visitor = await open('/login/')
  await visitor.getByLabel('Email').fill(CLARA.email)
  await visitor.getByLabel('Password').fill(CLARA.password)
  await goOffline(visitor)
  await Promise.all([
    toast(visitor, NOT_SENT).waitFor(),
    visitor.getByRole('button', { name: 'Log In', exact: true }).click(),
  ])
  expect(await visitor.getByLabel('Email').inputValue()).toBe(CLARA.email)
  expect(await visitor.getByLabel('Password').inputValue()).toBe(CLARA.password)
  await status(visitor, OFFLINE).waitFor()
  await visitor.context().setOffline(false)
  await isBackOnline(visitor)
  await visitor.getByRole('button', { name: 'Log In', exact: true }).click()
  await visitor.getByRole('button', { name: 'Your account' }).waitFor()
  expect(pathOf(visitor)).toBe('/')
})

test('the button of a form that could not be sent is enabled again, and a click sends the form', async () => {
  const page = await open('/manage/discount/?tab=colors', PHONE, OWNER)
  const go = page
    .getByRole('region', { name: 'Colors Discount' })
    .getByRole('button', { name: 'Go' })
  await goOffline(page)
  await Promise.all([toast(page, NOT_SENT).waitFor(), go.click()])
  await status(page, OFFLINE).waitFor()
  expect(await page.locator('[aria-disabled=true]').count()).toBe(0)

  await page.goto('about:blank')
  await page.context().setOffline(false)
  await Promise.all([whenLive(page), page.goto('/manage/backups/')])
  const make = page.getByRole('button', { name: 'Back up now' })
  await goOffline(page)
  await Promise.all([toast(page, NOT_SENT).waitFor(), make.click()])
  await status(page, OFFLINE).waitFor()
  expect(await make.getAttribute('aria-disabled')).toBe('false')
  await page.context().setOffline(false)
  await isBackOnline(page)
  // Waits for the HTTP response, because the shop may create the backup more slowly than the
  // default timeout of the test allows.
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    make.click(),
  ])
  expect(answer.ok()).toBe(true)
})
