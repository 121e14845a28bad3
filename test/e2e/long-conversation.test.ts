/** A conversation of hundreds of messages, read backwards while it goes on. */
import { join } from 'node:path'
import { openSqlite } from '../../app/lib/db/sqlite.server.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { bubble, log, openAsOwner, send, signedIn } from './chat.ts'
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

/** Messages that came while nobody looked: no signal tells of them. */
function addMessages(name: string, upTo: number) {
  const db = openSqlite(join(shop.dataDir, 'shop.db'))
  const { id, lastSeq } = db.prepare('select id, lastSeq from orders where userEmail = ?').get(`${name}@mail.test`)!
  const add = db.prepare('insert into messages (orderId, seq, id, message, sender, createdAt) values (?, ?, ?, ?, ?, ?)')
  db.exec('begin immediate')
  for (let seq = Number(lastSeq) + 1; seq <= upTo; seq++)
    add.run(id!, seq, `message-${seq}`, `Number ${seq}.`, seq % 3 ? 'owner' : id!, 1_750_000_000_000 + seq * 3_600_000)
  db.prepare('update orders set lastSeq = ? where id = ?').run(upTo, id!)
  db.exec('commit')
  db.close()
}
const textsOf = (page: Page) => log(page).locator('li[data-sender] p').allInnerTexts()
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Number ${from + i}.`)
const placeOf = (page: Page, text: string) => bubble(page, text).evaluate((element) => element.getBoundingClientRect().top)
const scrollUp = (page: Page) => log(page).evaluate((element) => element.scrollTo(0, -element.scrollHeight))

test('CHAT-06 S-164 S-166 S-167 a long history comes as one scrolls, without a jump, a loss or a double, while news comes too', async () => {
  const ann = await signedIn(browser, shop, { intent: 'register', email: 'ann@mail.test', password: 'a-good-password' })
  await ann.request.post('/messages', { form: { intent: 'send', message: 'Number 1.' }, headers: { origin: shop.url }, maxRedirects: 0 })
  addMessages('ann', 120)
  const owner = await signedIn(browser, shop, { intent: 'login', ...OWNER })
  await openAsOwner(owner, 'ann')

  // The line is bad at first.
  await ann.route('**/messages/earlier/**', (route) => route.abort())
  await ann.goto('/about?messages=')
  await bubble(ann, 'Number 120.').waitFor()
  await expect.poll(() => log(ann).evaluate((element) => element.scrollTop)).toBe(0)
  expect(await textsOf(ann)).toEqual(numbers(71, 120))
  await scrollUp(ann)
  await ann.getByText('Earlier messages could not be loaded').waitFor()
  await ann.unroute('**/messages/earlier/**')

  // While the answer waits, more comes than one page holds.
  let answerNow = () => {}
  const held = new Promise<void>((resolve) => (answerNow = resolve))
  await ann.route('**/messages/earlier/**', async (route) => {
    await held
    await route.continue()
  })
  await log(ann).getByRole('link', { name: 'Try again' }).click()
  await log(ann).locator('a[aria-busy=true]').waitFor()
  addMessages('ann', 200)
  const before = await placeOf(ann, 'Number 73.')
  await send(owner, 'Are you there?')
  await ann.getByRole('button', { name: 'New messages' }).waitFor()
  expect(await placeOf(ann, 'Number 73.')).toBe(before)
  answerNow()
  await expect.poll(() => textsOf(ann)).toEqual([...numbers(21, 200), 'Are you there?'])
  expect(Math.abs((await placeOf(ann, 'Number 73.')) - before)).toBeLessThan(2)

  await scrollUp(ann)
  await expect.poll(() => textsOf(ann)).toEqual([...numbers(1, 200), 'Are you there?'])
  expect(await log(ann).getByRole('link').count()).toBe(0)
  await ann.getByRole('button', { name: 'New messages' }).click()
  await expect.poll(() => log(ann).evaluate((element) => element.scrollTop)).toBe(0)
  await ann.getByRole('button', { name: /New messages|To the end/ }).waitFor({ state: 'detached' })

  await bubble(owner, 'Are you there?').getByRole('img', { name: 'Read' }).waitFor()
  expect(await bubble(owner, 'Number 200.').getByRole('img', { name: 'Read' }).count()).toBe(1)
})
