import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
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

async function signIn(form: Record<string, string>, viewport = { width: 1280, height: 800 }): Promise<Page> {
  const context = await browser.newContext({ baseURL: shop.url, viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.request.post('/login/', { form, headers: { origin: shop.url }, maxRedirects: 0 })
  return page
}
const password = 'a-good-password'
const asCustomer = (email: string, viewport?: { width: number; height: number }) =>
  signIn({ intent: 'register', email, password }, viewport)
const asOwner = (viewport?: { width: number; height: number }) => signIn({ intent: 'login', ...OWNER }, viewport)
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const log = (page: Page) => page.getByRole('log')
const bubble = (page: Page, text: string) => log(page).locator('li[data-sender]', { hasText: text })

async function send(page: Page, text: string) {
  await box(page).fill(text)
  await box(page).press('Enter')
  await bubble(page, text).locator('time').waitFor()
}

/** The owner's page with this customer's conversation. */
async function openAsOwner(owner: Page, name: string) {
  await owner.goto('/manage/messages/')
  await owner.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click()
  await owner.getByRole('heading', { name }).waitFor()
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

test('Enter sends, Shift+Enter breaks the line, and the box is empty again', async () => {
  const bea = await asCustomer('bea@mail.test')
  await bea.goto('/?messages=')
  await box(bea).pressSequentially('first')
  await box(bea).press('Shift+Enter')
  await box(bea).pressSequentially('second')
  expect(await box(bea).inputValue()).toBe('first\nsecond')

  await box(bea).press('Enter')

  await bubble(bea, 'first').locator('time').waitFor()
  expect(await bubble(bea, 'first').locator('p').innerText()).toBe('first\nsecond')
  expect(await box(bea).inputValue()).toBe('')
})

test('CHAT-10 NAV-48 focus in the panel marks the messages as read, and nothing else does', async () => {
  const [cleo, owner] = [await asCustomer('cleo@mail.test'), await asOwner()]
  await cleo.goto('/?messages=')
  await send(cleo, 'Hello')
  await cleo.evaluate(() => (document.activeElement as HTMLElement).blur())
  await openAsOwner(owner, 'cleo')
  await send(owner, 'Good morning')
  await bubble(cleo, 'Good morning').waitFor()
  const unread = async () => {
    const id = owner.url().split('/').at(-1)!
    const conversation = (await (await cleo.request.get('/_root.data?messages=')).text()).includes('"owner"')
    return { id, conversation }
  }
  await unread()
  const readers = () => cleo.evaluate(async () => (await fetch('/_root.data?messages=&_routes=root')).text())
  const before = await readers()
  expect(before).toMatch(/"unread",1/)

  const marked = cleo.waitForResponse((response) => response.url().includes('/messages.data') && response.request().method() === 'POST')
  await box(cleo).focus()
  await marked

  expect(await readers()).toMatch(/"unread",0/)
})
