import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { placeOrder } from '../a-sale.ts'
import { launchChromium } from '../chromium.ts'
import { bubble, box, log, openAsOwner, send, signedIn, type Viewport } from './chat.ts'
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

test('MSG-05 on a phone "Select Message" shows the list; on a wide screen both stand side by side', async () => {
  const owner = await asOwner({ width: 768, height: 800 })
  const list = owner.getByRole('navigation', { name: 'Conversations' })
  const select = owner.getByRole('button', { name: 'Select Message' })
  await openAsOwner(owner, 'Clara Whitfield')
  await list.waitFor({ state: 'hidden' })
  // The messages have about half of a phone.
  await owner.setViewportSize({ width: 360, height: 740 })
  expect((await log(owner).boundingBox())!.height).toBeGreaterThan(340)

  await select.click()

  await list.waitFor()
  await owner.setViewportSize({ width: 320, height: 640 })
  expect(await owner.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
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
  await item.getByText('Please type a price from 0 to 9,999,999.99').waitFor()
  expect(await price.inputValue()).toBe('a lot')

  await price.fill('80')
  await item.getByRole('button', { name: 'Sale Complete' }).click()

  const toasts = owner.getByRole('status').getByRole('button')
  await expect
    .poll(() => toasts.allInnerTexts())
    .toEqual(['Successfully Added Sales Record...', 'Sale Completed! Invoice Management will show at Sales'])
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

  await box(hana).fill('half a thought')
  await answer('Close Order', 'Yes')
  await owner.getByText('Order Successfully Closed').waitFor()
  await expect.poll(() => Promise.all([box(owner), box(hana)].map((one) => one.isDisabled()))).toEqual([true, true])
  // What was begun makes room for the reason, and waits.
  expect([await box(hana).getAttribute('placeholder'), await box(hana).inputValue()]).toEqual(['Order is Closed', ''])

  await answer('Delete conversation', 'Yes')
  await owner.getByText('Record Successfully Deleted').waitFor()
  await expect.poll(() => owner.getByRole('link', { name: 'hana' }).count()).toBe(0)
})

test('NAV-44 NAV-46 NAV-47 NAV-48 the bells count live; the customer’s opens her panel on the page where she is, and gets the focus back', async () => {
  const [ida, owner] = [await asCustomer('ida@mail.test'), await asOwner()]
  await ida.goto('/about')
  await ida.request.post('/messages', {
    form: { intent: 'send', message: 'Hello', back: '/' },
    headers: { origin: shop.url },
    maxRedirects: 0,
  })
  await openAsOwner(owner, 'ida')
  const count = async () =>
    Number(/\d+/.exec((await owner.getByRole('link', { name: /unread message/ }).getAttribute('aria-label')) ?? '')?.[0])
  const before = await count()
  await send(owner, 'one')
  await send(owner, 'two')
  const bell = ida.getByRole('link', { name: '2 unread messages' })

  await bell.click()

  const panel = ida.getByRole('complementary', { name: 'Messages' })
  await panel.waitFor()
  expect(ida.url()).toMatch(/\/about\?messages=?$/)
  await ida.getByRole('link', { name: 'No unread messages' }).waitFor()
  await ida.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => ida.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('No unread messages')

  await owner.getByRole('button', { name: 'mark as read' }).click()
  await expect.poll(count).not.toBe(before)
})

test('ITEM-18 ITEM-20 ITEM-33 ITEM-34 a request from the item page: text kept when it fails, box empty when it is sent', async () => {
  const jo = await asCustomer('jo@mail.test', { width: 360, height: 740 })
  await jo.goto('/gallery')
  await jo.locator('main a[href^="/item/"]').first().click()
  const words = jo.getByRole('textbox', { name: 'Message' })
  await jo.getByText('Please include where you want to be contacted back (eg. phone, email, or in app)').waitFor()
  await words.fill('By phone: 555')
  await jo.route('**/order-request.data', (route) => route.abort())
  await jo.getByRole('button', { name: 'Submit' }).click()
  await jo.getByText('An Error Occured while Sending Order Request').waitFor()
  expect(await words.inputValue()).toBe('By phone: 555')

  await jo.unroute('**/order-request.data')
  await jo.getByRole('button', { name: 'Submit' }).click()

  await jo.getByText('Order Request Sent!').waitFor()
  await expect.poll(() => words.inputValue()).toBe('')
  await jo.goto('/?messages=')
  expect(await bubble(jo, 'By phone: 555').count()).toBe(1)
})

/** Twenty people have written over night, the last of them from the contact page; three ask for a piece. */
async function fillNight(dataDir: string) {
  const { db, close } = openSqliteDatabase(dataDir)
  const at = Date.now()
  for (let n = 1; n <= 20; n++) {
    const id = `night-${n}`
    const pieces = n % 6 === 0 ? [{ itemId: `piece-${n}`, name: `Night piece ${n}`, priceCents: 4000 }] : []
    const given = { id, userName: `Night ${n}.`, userEmail: `night${n}@mail.test`, receiptTag: pieces.length ? `NIGHT-${n}` : null }
    await placeOrder(db, pieces, { ...given, fromContactPage: n === 20 ? 1 : 0, lastSeq: 2, createdAt: at + n })
    for (const seq of [1, 2])
      await db
        .insertInto('messages')
        .values({
          orderId: id,
          seq,
          id: `night${n}-${seq}`.padEnd(15, '0'),
          message: `Question ${seq} of ${n}.`,
          sender: id,
          createdAt: at,
        })
        .execute()
  }
  await close()
}

test('S-177 MSG-02 MSG-05 MSG-06 MSG-08 MSG-20 MSG-25 a day of twenty conversations on a phone: each is read, answered, sold, closed or deleted, none is lost', async () => {
  await fillNight(shop.dataDir)
  const owner = await asOwner({ width: 360, height: 740 })
  await owner.goto('/manage/messages/')
  const list = owner.getByRole('navigation', { name: 'Conversations' })
  const unread = list.getByRole('link', { name: /^Unread / })
  const countOf = async () => Number(/\d+/.exec(await unread.innerText())![0])
  await unread.click()
  await owner.waitForURL(/show=unread/)
  const others = (await countOf()) - 20
  const say = async (button: string) => {
    await owner.getByRole('button', { name: button }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  }

  for (let n = 20; n >= 1; n--) {
    await list.getByRole('link', { name: `Night ${n}.` }).click()
    await owner.getByRole('heading', { name: `Night ${n}.` }).waitFor()
    await bubble(owner, `Question 2 of ${n}.`).waitFor()
    if (n % 5 === 0 && n < 20) await send(owner, `Answer to ${n}`)
    if (n === 20) {
      await say('Delete conversation')
      await owner.getByText('Record Successfully Deleted').waitFor()
    } else {
      await owner.getByRole('button', { name: 'mark as read' }).click()
      await expect.poll(() => owner.getByRole('button', { name: 'mark as read' }).isDisabled()).toBe(true)
    }
    if (n === 6) {
      await owner.getByRole('link', { name: 'Order', exact: true }).click()
      await owner.getByLabel('Sale price').fill('38,50')
      await owner.getByRole('button', { name: 'Sale Complete' }).click()
      await owner.getByText('Sold for $38.50').waitFor()
      await say('Close Order')
      await owner.getByText('Order Successfully Closed').waitFor()
    }
    // Where she was: the list of what is unread, with one less.
    if (n < 20) await owner.getByRole('button', { name: 'Select Message' }).click()
    await expect.poll(countOf).toBe(others + n - 1)
    await list.getByRole('link', { name: `Night ${n}.` }).waitFor({ state: 'detached' })
  }

  await list.getByRole('link', { name: /^All / }).click()
  await list.getByRole('searchbox', { name: 'Search conversations' }).fill('night')
  await expect.poll(() => list.getByRole('link', { name: /^Night / }).count()).toBe(19)
  expect(await list.getByRole('link', { name: /^Night (5|10|15)\. You: Answer/ }).count()).toBe(3)
  expect(await list.getByRole('link', { name: /^Night 6\..*Closed/ }).count()).toBe(1)
  expect(await owner.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
