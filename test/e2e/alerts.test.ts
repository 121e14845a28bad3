import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { box, isReadyToSend, openAsOwner, send, signedIn } from './chat.ts'
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

const asOwner = () => signedIn(browser, shop, { intent: 'login', ...OWNER })
const bell = (page: Page, saying: string) => page.getByRole('link', { name: saying, exact: true })

/** Counts what this browser is asked and what sounds; as on a phone, a notification is made by a worker or not at all. */
const watch = `{
  window.asked = 0; window.notes = 0
  class OnAPhone {
    static permission = 'granted'
    static requestPermission() { window.asked++; return Promise.resolve('granted') }
    constructor() { throw new TypeError('Illegal constructor') }
  }
  window.Notification = OnAPhone
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...when) { window.notes++; return start.apply(this, when) }
  // Every page of a driven browser believes that it is looked at.
  document.hasFocus = () => false
}`
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/')
    return ((await registration?.getNotifications()) ?? []).map(({ title }) => title)
  })

test('S-184 NAV-44 who asked for it hears and sees a message in the background, also where a page may not make notifications; read, they are gone', async () => {
  const ann = await signedIn(browser, shop, { intent: 'register', email: 'ann@mail.test', password: 'a-good-password' })
  await ann.context().grantPermissions(['notifications'], { origin: shop.url })
  await ann.addInitScript(watch)
  await ann.goto('/about?messages=')
  await send(ann, 'Hello')
  const owner = await asOwner()
  await openAsOwner(owner, 'ann')
  await isReadyToSend(owner)
  const say = async (text: string) => {
    await box(owner).fill(text)
    await box(owner).press('Enter')
  }

  const button = ann.getByRole('button', { name: 'Sound and notifications' })
  await ann.setViewportSize({ width: 360, height: 740 })
  await button.click()
  const { x, width } = (await ann.getByRole('group', { name: 'Sound and notifications' }).boundingBox())!
  expect(x).toBeGreaterThanOrEqual(16)
  expect(x + width).toBeLessThanOrEqual(344)
  expect(await ann.evaluate('window.asked')).toBe(0)
  // It is ticked once the browser has answered.
  await ann.getByLabel('Show a notification').click()
  await expect.poll(() => ann.getByLabel('Show a notification').isChecked()).toBe(true)
  await expect.poll(() => ann.evaluate('window.asked')).toBe(1)
  await ann.getByLabel('Play a sound when a message comes').click()
  await expect.poll(() => ann.evaluate('window.notes')).toBe(2)
  await ann.keyboard.press('Escape')
  await ann.getByLabel('Show a notification').waitFor({ state: 'hidden' })
  await ann.setViewportSize({ width: 1280, height: 800 })
  await ann.getByRole('link', { name: 'Close messages' }).click()
  await bell(ann, 'No unread messages').waitFor()
  await expect.poll(() => ann.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state)).toBe('activated')

  await say('It is ready.')

  await bell(ann, '1 unread message').waitFor()
  await expect.poll(() => shown(ann)).toEqual(['1 unread message'])
  await expect.poll(() => ann.evaluate('window.notes')).toBe(4)
  await expect.poll(() => ann.title()).toMatch(/^\(1\) /)

  await bell(ann, '1 unread message').click()
  await box(ann).focus()
  await bell(ann, 'No unread messages').waitFor()
  await expect.poll(() => shown(ann)).toEqual([])
  await expect.poll(() => ann.title()).not.toMatch(/^\(/)
})

test('S-184 a saved reply goes where the cursor is, with the name of the customer, and is sent like any message', async () => {
  const owner = await asOwner()
  await owner.goto('/manage/replies/')
  await owner.locator('summary', { hasText: 'Add a reply' }).waitFor()
  await owner.getByLabel('Name').fill('Shipping')
  await owner.getByLabel('Reply', { exact: true }).fill('Hello {name}, I ship on Fridays.')
  await owner.getByRole('button', { name: 'Add', exact: true }).click()
  await owner.locator('summary', { hasText: 'Shipping' }).waitFor()

  await openAsOwner(owner, 'Clara')
  const opener = owner.getByRole('button', { name: 'Saved replies' })
  await opener.click()
  const reply = owner.getByRole('button', { name: /^Shipping/ })
  await reply.waitFor()
  await owner.keyboard.press('Escape')
  await reply.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)

  await box(owner).fill('Yes.')
  await opener.click()
  await reply.click()
  expect(await box(owner).inputValue()).toBe('Yes.\nHello Clara, I ship on Fridays.')
  await owner.reload()
  await expect.poll(() => box(owner).inputValue()).toBe('Yes.\nHello Clara, I ship on Fridays.')
  await isReadyToSend(owner)

  await box(owner).press('Enter')
  await owner.getByRole('log').getByText('Hello Clara, I ship on Fridays.').waitFor()
})
