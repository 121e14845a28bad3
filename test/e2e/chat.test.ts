import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { bubble, box, isReadyToSend, log, openAsOwner, send, signedIn, type Viewport } from './chat.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  shop = await openServedShop({ demo: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const as = (form: Record<string, string>, viewport?: Viewport) => signedIn(browser, shop, form, viewport)
const asCustomer = (email: string, viewport?: Viewport) => as({ intent: 'register', email, password: 'a-good-password' }, viewport)
const asOwner = (viewport?: Viewport) => as({ intent: 'login', ...OWNER }, viewport)
/** How far this person has read, as the shop has stored it. */
function readMark(email: string) {
  const db = new DatabaseSync(join(shop.dataDir, 'shop.db'), { readOnly: true, timeout: 20_000 })
  const row = db.prepare('select m.seq from readMarks m join user u on u.id = m.reader where u.email = ?').get(email)
  db.close()
  return row?.seq ?? null
}
const colourOf = (page: Page, text: string) =>
  bubble(page, text).evaluate((element) => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number)
    return { blueness: b - Math.max(r, g), spread: Math.max(r, g, b) - Math.min(r, g, b) }
  })

test('CHAT-02 CHAT-03 own messages are blue, those of others neutral, on both sides and live', async () => {
  const [ann, owner] = [await asCustomer('ann@mail.test'), await asOwner()]
  await ann.goto('/?messages=')
  await send(ann, 'Is the moon still there?')
  await openAsOwner(owner, 'ann')
  await send(owner, 'It waits for you.')

  await bubble(ann, 'It waits for you.').waitFor()

  for (const [page, own, other] of [
    [ann, 'Is the moon', 'It waits'],
    [owner, 'It waits', 'Is the moon'],
  ] as const) {
    expect((await colourOf(page, own)).blueness).toBeGreaterThan(40)
    expect((await colourOf(page, other)).spread).toBeLessThan(30)
  }
})

test('S-172 Enter sends, pressed twice too, Shift+Enter breaks the line; on a phone Enter does', async () => {
  const bea = await asCustomer('bea@mail.test')
  await bea.goto('/?messages=')
  await isReadyToSend(bea)
  await box(bea).pressSequentially('first')
  await box(bea).press('Shift+Enter')
  await box(bea).pressSequentially('second')
  expect(await box(bea).inputValue()).toBe('first\nsecond')

  await box(bea).press('Enter')
  await box(bea).press('Enter')

  await bubble(bea, 'first').locator('time').waitFor()
  expect(await log(bea).locator('li[data-sender] p').allInnerTexts()).toEqual(['first\nsecond'])
  expect(await box(bea).inputValue()).toBe('')

  const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await context.addCookies(await bea.context().cookies())
  const phone = await context.newPage()
  await phone.goto('/?messages=')
  await bubble(phone, 'first').waitFor()
  await isReadyToSend(phone)
  await box(phone).pressSequentially('third')
  await box(phone).press('Enter')
  expect(await box(phone).inputValue()).toBe('third\n')
  await phone.getByRole('button', { name: 'Send' }).click()
  await bubble(bea, 'third').locator('time').waitFor()
  // The other screen may hear of it before this one has its answer.
  await expect.poll(() => box(phone).inputValue()).toBe('')
})

test('CHAT-10 NAV-48 focus in the panel marks the messages as read, and nothing else does', async () => {
  const [cleo, owner] = [await asCustomer('cleo@mail.test'), await asOwner()]
  await cleo.goto('/?messages=')
  await send(cleo, 'Hello')
  await cleo.evaluate(() => (document.activeElement as HTMLElement).blur())
  await openAsOwner(owner, 'cleo')
  await send(owner, 'Good morning')
  await bubble(cleo, 'Good morning').waitFor()
  expect(readMark('cleo@mail.test')).toBeNull()

  const marked = cleo.waitForResponse((response) => response.url().endsWith('/messages.data') && response.request().method() === 'POST')
  await box(cleo).focus()
  await marked

  expect(readMark('cleo@mail.test')).toBe(2)
})

test('CHAT-06 the newest message is in sight; a reader who has scrolled up stays where she is and is told', async () => {
  const [dora, owner] = [await asCustomer('dora@mail.test', { width: 1280, height: 500 }), await asOwner()]
  await dora.goto('/?messages=')
  for (let i = 1; i <= 8; i++) await send(dora, `Message number ${i}`)
  await dora.reload()
  const isInSight = (text: string) =>
    bubble(dora, text).evaluate((element) => {
      const [inner, outer] = [element.getBoundingClientRect(), element.closest('[role=log]')!.getBoundingClientRect()]
      return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
    })
  await bubble(dora, 'number 8').waitFor()
  expect([await isInSight('number 8'), await isInSight('number 1')]).toEqual([true, false])

  await log(dora).hover()
  await dora.mouse.wheel(0, -2000)
  const pill = dora.getByRole('button', { name: 'New messages' })
  await expect.poll(() => isInSight('number 1')).toBe(true)
  const placeOf = (text: string) => bubble(dora, text).evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await placeOf('number 1')
  expect(await pill.count()).toBe(0)
  const toEnd = dora.getByRole('button', { name: 'To the end' })
  // On top of the messages it has a ground of its own.
  expect(await toEnd.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)')
  await openAsOwner(owner, 'dora')
  await send(owner, 'An answer')
  await pill.waitFor()
  expect(await placeOf('number 1')).toBe(before)

  await pill.click()

  await expect.poll(() => isInSight('An answer')).toBe(true)
  await expect.poll(() => pill.count()).toBe(0)
})

test('CHAT-14 S-169 messages sent without waiting keep their order, and none is called lost, not for a moment', async () => {
  const dan = await asCustomer('dan@mail.test')
  await dan.goto('/about?messages=')
  await isReadyToSend(dan)
  await dan.evaluate(`{
    const log = document.querySelector('[role=log]')
    window.said = ''
    new MutationObserver(() => (window.said += log.innerText)).observe(log, { subtree: true, childList: true, characterData: true })
  }`)

  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await box(dan).fill(text)
    await box(dan).press('Enter')
  }

  await expect.poll(() => log(dan).locator('li[data-sender]:has(time) p').allInnerTexts()).toEqual(['one', 'two', 'three', 'four', 'five'])
  expect(await dan.evaluate('window.said')).toMatch(/one.*Sending.*two.*Sending.*three/s)
  expect(await dan.evaluate('window.said')).not.toContain('could not be sent')
})

test('CHAT-14 S-169 S-171 what could not be sent stays with "Try again", outlives reload and tab, and arrives once, in its order', async () => {
  const eva = await asCustomer('eva@mail.test')
  await eva.goto('/about?messages=')
  await send(eva, 'before')
  await eva.route('**/messages', (route) => route.abort())
  for (const text of ['first', 'second', 'third']) {
    await box(eva).fill(text)
    await box(eva).press('Enter')
  }
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' })
  await again(eva).nth(2).waitFor()
  await bubble(eva, 'third').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => again(eva).count()).toBe(2)
  await box(eva).fill('half a thought')

  await eva.reload()
  await again(eva).nth(1).waitFor()
  expect(await box(eva).inputValue()).toBe('half a thought')
  // The shop hears it, and its answer is lost.
  await eva.unroute('**/messages')
  await eva.route('**/messages', async (route) => (await route.fetch(), route.abort()))
  await again(eva).first().click()
  await bubble(eva, 'first').locator('time').waitFor()
  await eva.close()

  const next = await eva.context().newPage()
  await next.goto('/?messages=')
  await bubble(next, 'second').locator('time').waitFor()
  expect(await log(next).locator('li[data-sender] p').allInnerTexts()).toEqual(['before', 'first', 'second'])
  expect([await again(next).count(), await box(next).inputValue()]).toEqual([0, 'half a thought'])
})

test('S-133 S-171 a text above the limit is told beside the box and nothing of it is lost, even when it was written before the script came', async () => {
  const slow = await asCustomer('fay@mail.test')
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  await slow.route('**/assets/*.js', async (route) => (await isWritten, route.continue()))
  await slow.goto('/?messages=', { waitUntil: 'commit' })
  const early = 'x'.repeat(10_000)
  await box(slow).fill(early)
  written()
  await isReadyToSend(slow)
  await slow.close()
  const fay = await slow.context().newPage()
  await fay.goto('/?messages=')
  await isReadyToSend(fay)
  expect((await box(fay).inputValue()) === early).toBe(true)
  const long = `${early}x`
  await box(fay).fill(long)

  await box(fay).press('Enter')

  await fay.getByText('A message holds at most 10,000 characters').waitFor()
  expect((await box(fay).inputValue()) === long).toBe(true)
})

test('NAV-22 the panel keeps the address, closes by its button, Escape and Back, and fills a phone', async () => {
  const gina = await asCustomer('gina@mail.test')
  const panel = gina.getByRole('complementary', { name: 'Messages' })
  await gina.goto('/about?from=card&messages=')
  await isReadyToSend(gina)
  await box(gina).press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => gina.url()).toBe(`${shop.url}/about?from=card`)

  await gina.goto('/contact?messages=')
  // The page below may come slowly.
  const page = Promise.withResolvers<void>()
  await gina.route('**/contact.data*', (route) => page.promise.then(() => route.continue()))
  await gina.getByRole('link', { name: 'Close messages' }).click()
  await panel.waitFor({ state: 'detached' })
  page.resolve()
  await expect.poll(() => gina.url()).toBe(`${shop.url}/contact`)

  await gina.setViewportSize({ width: 360, height: 740 })
  await gina.goto('/about?messages=')
  const place = () => panel.evaluate((element) => ({ width: element.clientWidth, height: element.clientHeight }))
  expect(await place()).toEqual({ width: 360, height: 740 })
  await gina.goBack()
  await panel.waitFor({ state: 'detached' })
})
