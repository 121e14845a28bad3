import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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
/** How far this person has read, as the shop has stored it. */
function readMark(email: string) {
  const db = new DatabaseSync(join(shop.dataDir, 'shop.db'), { readOnly: true })
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
  await openAsOwner(owner, 'dora')
  await send(owner, 'An answer')
  await pill.waitFor()
  expect(await placeOf('number 1')).toBe(before)

  await pill.click()

  await expect.poll(() => isInSight('An answer')).toBe(true)
  await expect.poll(() => pill.count()).toBe(0)
})

test('CHAT-14 a message that could not be sent stays with "Try again", and is sent once', async () => {
  const eva = await asCustomer('eva@mail.test')
  await eva.goto('/about?messages=')
  await send(eva, 'before')
  await eva.route('**/messages.data', (route) => route.abort())
  await box(eva).fill('into the void')
  await box(eva).press('Enter')
  const again = eva.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  expect(await bubble(eva, 'into the void').count()).toBe(1)

  await eva.unroute('**/messages.data')
  await again.click()

  await bubble(eva, 'into the void').locator('time').waitFor()
  expect([await again.count(), await bubble(eva, 'into the void').count()]).toEqual([0, 1])
})

test('S-133 a text above the limit is told beside the box and nothing of it is lost', async () => {
  const fay = await asCustomer('fay@mail.test')
  await fay.goto('/?messages=')
  const long = 'x'.repeat(10_001)
  await box(fay).fill(long)

  await box(fay).press('Enter')

  await fay.getByText('A message holds at most 10,000 characters').waitFor()
  expect(await box(fay).inputValue()).toBe(long)
})

test('NAV-22 the panel keeps the address, closes by its button, Escape and Back, and fills a phone', async () => {
  const gina = await asCustomer('gina@mail.test')
  const panel = gina.getByRole('complementary', { name: 'Messages' })
  await gina.goto('/about?from=card&messages=')
  await panel.waitFor()
  await box(gina).press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(gina.url()).toBe(`${shop.url}/about?from=card`)

  await gina.goto('/contact?messages=')
  await gina.getByRole('link', { name: 'Close messages' }).click()
  await panel.waitFor({ state: 'detached' })

  await gina.setViewportSize({ width: 360, height: 740 })
  await gina.goto('/about?messages=')
  const place = () => panel.evaluate((element) => ({ width: element.clientWidth, height: element.clientHeight }))
  expect(await place()).toEqual({ width: 360, height: 740 })
  await gina.goBack()
  await panel.waitFor({ state: 'detached' })
})

test('MSG-05 on a phone "Select Message" shows the list; on a wide screen both stand side by side', async () => {
  const owner = await asOwner({ width: 768, height: 800 })
  const list = owner.getByRole('navigation', { name: 'Conversations' })
  const select = owner.getByRole('button', { name: 'Select Message' })
  await openAsOwner(owner, 'Clara Whitfield')
  await list.waitFor({ state: 'hidden' })

  await select.click()

  await list.waitFor()
  await owner.setViewportSize({ width: 769, height: 800 })
  expect([await list.isVisible(), await select.isVisible(), await log(owner).isVisible()]).toEqual([true, false, true])
})

test('MSG-25 MSG-26 MSG-30 MSG-33 MSG-34 S-087 a sale: the wrong price stays beside its error, the right one is completed', async () => {
  const owner = await asOwner({ width: 360, height: 740 })
  await openAsOwner(owner, 'Clara Whitfield')
  await owner.getByRole('link', { name: 'Order', exact: true }).click()
  const item = owner.getByRole('listitem').filter({ hasText: 'Three Diamonds Wall Hanging' })
  const price = item.getByLabel('Sale price')
  await price.fill('a lot')
  await item.getByRole('button', { name: 'Sale Complete' }).click()
  await item.getByText('Please type a price from 0 up').waitFor()
  expect(await price.inputValue()).toBe('a lot')

  await price.fill('80')
  await item.getByRole('button', { name: 'Sale Complete' }).click()

  const toasts = owner.getByRole('status').getByRole('button')
  await toasts.nth(1).waitFor()
  expect(await toasts.allInnerTexts()).toEqual([
    'Successfully Added Sales Record...',
    'Sale Completed! Invoice Management will show at Sales',
  ])
  expect(await item.getByRole('button', { name: 'Sale Completed' }).isDisabled()).toBe(true)
})

test('MSG-09 MSG-14 MSG-20 MSG-21 closing and deleting ask first: No changes nothing, Yes does it and says so', async () => {
  const [hana, owner] = [await asCustomer('hana@mail.test'), await asOwner()]
  await hana.goto('/?messages=')
  await send(hana, 'Hello')
  await openAsOwner(owner, 'hana')
  const answer = async (button: string, choice: 'Yes' | 'No') => {
    await owner.getByRole('button', { name: button }).click()
    await owner.getByRole('dialog').getByRole('button', { name: choice }).click()
  }
  await answer('Close Order', 'No')
  expect(await box(owner).isEnabled()).toBe(true)

  await answer('Close Order', 'Yes')
  await owner.getByText('Order Successfully Closed').waitFor()
  await expect.poll(() => Promise.all([box(owner), box(hana)].map((one) => one.isDisabled()))).toEqual([true, true])
  expect(await box(hana).getAttribute('placeholder')).toBe('Order is Closed')

  await answer('Delete conversation', 'Yes')
  await owner.getByText('Record Successfully Deleted').waitFor()
  await expect.poll(() => owner.getByRole('link', { name: 'hana' }).count()).toBe(0)
})
