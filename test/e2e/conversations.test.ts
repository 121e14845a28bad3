import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSqlite } from '#lib/db/sqlite.server.ts'
import { newCustomer, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { noise } from '#test/fixtures/images.ts'
import { box, bubble, log, openAsOwner, send, texts, type } from '#test/pages/chat.ts'
import { hold, soon, transferOf } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

/**
 * Adds chat messages directly to the database. The page gets no live update, like a page in a
 * hidden browser tab.
 */
function addMessages(name: string, upTo: number) {
  const db = openSqlite(here.shop.database)
  const { id, lastSeq } = db
    .prepare('select id, lastSeq from orders where userEmail = ?')
    .get(`${name}@mail.test`)!
  const add = db.prepare(
    'insert into messages (orderId, seq, id, message, sender, createdAt) values (?, ?, ?, ?, ?, ?)',
  )
  db.exec('pragma busy_timeout = 5000; begin immediate')
  for (let seq = Number(lastSeq) + 1; seq <= upTo; seq++) {
    add.run(
      id!,
      seq,
      `message-${seq}`,
      `Number ${seq}.`,
      seq % 3 ? 'owner' : id!,
      1_750_000_000_000 + seq * 3_600_000,
    )
  }
  db.prepare('update orders set lastSeq = ? where id = ?').run(upTo, id!)
  db.exec('commit')
  db.close()
}
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `Number ${from + i}.`)
const placeOf = (page: Page, text: string) =>
  bubble(page, text).evaluate((element) => element.getBoundingClientRect().top)
const scrollUp = (page: Page) =>
  log(page).evaluate((element) => element.scrollTo(0, -element.scrollHeight))

test('a long conversation loads while the reader scrolls, without jumps or repeated messages, even when new messages arrive [CHAT-06, S-164, S-166, S-167]', async () => {
  const ann = await here.open('/about', { as: newCustomer('ann@mail.test') })
  const form = { intent: 'send', message: 'Number 1.' }
  await ann.request.post('/messages', { form, headers: { origin: here.shop.url }, maxRedirects: 0 })
  addMessages('ann', 120)
  const owner = await openOwner('ann')

  await ann.route('**/messages/earlier/**', (route) => route.abort())
  await ann.goto('/about?messages=')
  await bubble(ann, 'Number 120.').waitFor()
  await expect.poll(() => log(ann).evaluate((element) => element.scrollTop)).toBe(0)
  expect(await texts(ann)).toEqual(numbers(71, 120))
  await scrollUp(ann)
  await ann.getByText('Earlier messages could not be loaded').waitFor()
  await ann.unroute('**/messages/earlier/**')

  // Delays the HTTP response with earlier messages. Meanwhile, more new messages arrive than one
  // HTTP response contains.
  const answerNow = await hold(ann, '**/messages/earlier/**')
  await log(ann).getByRole('link', { name: 'Try again' }).click()
  await log(ann).locator('a[aria-busy=true]').waitFor()
  addMessages('ann', 200)
  const before = await placeOf(ann, 'Number 73.')
  await send(owner, 'Are you there?')
  await ann.getByRole('button', { name: 'New messages' }).waitFor()
  expect(await placeOf(ann, 'Number 73.')).toBe(before)
  answerNow()
  await expect.poll(() => texts(ann)).toEqual([...numbers(21, 200), 'Are you there?'])
  expect(Math.abs((await placeOf(ann, 'Number 73.')) - before)).toBeLessThan(2)

  await scrollUp(ann)
  await expect.poll(() => texts(ann)).toEqual([...numbers(1, 200), 'Are you there?'])
  expect(await log(ann).getByRole('link').count()).toBe(0)
  await ann.getByRole('button', { name: 'New messages' }).click()
  await expect.poll(() => log(ann).evaluate((element) => element.scrollTop)).toBe(0)
  await ann.getByRole('button', { name: /New messages|To the end/ }).waitFor({ state: 'detached' })

  await bubble(owner, 'Are you there?').getByRole('img', { name: 'Read' }).waitFor()
  expect(await bubble(owner, 'Number 200.').getByRole('img', { name: 'Read' }).count()).toBe(1)
})

test('when the customer accepts an offer far above the newest messages, its card changes for her and for the owner [S-451]', async () => {
  const wilma = await openPanel('wilma@mail.test')
  await send(wilma, 'Number 1.')
  const owner = await openOwner('wilma')
  await owner.goto(owner.url().replace('messages', 'offer'))
  await owner.getByLabel('What it is').fill('Name tag')
  await owner.getByLabel('Price each').fill('6')
  await owner.getByRole('button', { name: 'Send offer' }).click()
  await log(owner).getByText('Name tag').waitFor()
  addMessages('wilma', 120)
  for (const page of [wilma, owner]) {
    await page.reload()
    await bubble(page, 'Number 120.').waitFor()
    await soon(async () => {
      await scrollUp(page)
      return log(page).getByText('Name tag').count()
    }).toBe(1)
  }
  await log(wilma).getByRole('button', { name: 'Accept offer' }).click()
  for (const page of [wilma, owner]) {
    await log(page).getByRole('group', { name: 'Offer' }).getByText('Accepted').waitFor()
  }
})

const photo = {
  name: 'moon.jpg',
  mimeType: 'image/jpeg',
  buffer: await noise(1200, 900).jpeg().toBuffer(),
}

const openPanel = (email: string) =>
  here.open('/?messages=', { as: newCustomer(email), viewport: PHONE, hasTouch: false })
async function openOwner(name: string) {
  const owner = await here.open('/manage/', { as: OWNER })
  await openAsOwner(owner, name)
  return owner
}
const toSend = (page: Page) =>
  page.getByRole('list', { name: 'Pictures to send' }).getByRole('listitem')
const expectShown = (page: Page, name: string) => {
  const image = log(page).getByRole('img', { name }).last()
  return soon(() =>
    image.evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBeGreaterThan(0)
}

test('a message that is sent while pictures are uploading arrives after the pictures [S-173]', async () => {
  const ann = await openPanel('cleo@mail.test')
  const letImagesGo = await hold(ann, '**/messages/pictures')
  await ann.locator('input[name=files][multiple]').setInputFiles([photo, photo])
  await expect.poll(() => toSend(ann).count()).toBe(2)
  await box(ann).fill('Like these?')
  await ann.getByRole('button', { name: 'Send' }).click()
  await soon(() => toSend(ann).count()).toBe(0)
  await box(ann).fill('In cream?')
  await ann.getByRole('button', { name: 'Send' }).click()
  await bubble(ann, 'Like these?')
    .getByRole('progressbar', { name: 'Upload of picture 2' })
    .waitFor()
  await bubble(ann, 'In cream?').getByText('Sending…').waitFor()
  letImagesGo()
  await expectShown(ann, 'Picture 2 of 2 from you')

  const owner = await openOwner('cleo')
  await bubble(owner, 'In cream?').waitFor()
  await expectShown(owner, 'Picture 1 of 2 from cleo')
  const received = await log(owner).locator('[data-sender=other]').allInnerTexts()
  expect(received.map((text) => /Like these|In cream/.exec(text)?.[0])).toEqual([
    'Like these',
    'In cream',
  ])

  await ann.getByRole('link', { name: 'Picture 2 of 2 from you' }).click()
  const zoom = ann.getByRole('dialog', { name: 'Pictures of the message of you' })
  await zoom.getByText('2 of 2').waitFor()
  // The text of the image dialog must not be white like the text of the customer's own messages,
  // because the background of the dialog is white.
  const colorOf = (element: Element) => getComputedStyle(element).color
  expect(await zoom.evaluate(colorOf)).toBe(await ann.locator('body').evaluate(colorOf))
  await ann.keyboard.press('Escape')
  await ann.getByRole('dialog').waitFor({ state: 'detached' })
  await ann.getByRole('heading', { name: 'Messages' }).waitFor()
  expect(ann.url()).toContain('messages')
})

test('the owner pastes and drops pictures into a message, removes a picture, and sends a failed picture again [S-173]', async () => {
  const bea = await openPanel('bea@mail.test')
  await send(bea, 'May I see it?')
  const owner = await openOwner('bea')
  let isFailing = true
  await owner.route('**/messages/pictures', (route) =>
    isFailing
      ? route.fulfill({
          status: 500,
          json: { state: 'error', text: 'This picture could not be sent.' },
        })
      : route.continue(),
  )
  const transfer = await transferOf(owner, [
    { name: photo.name, type: photo.mimeType, bytes: photo.buffer },
  ])
  await log(owner).evaluate((target, clipboardData) => {
    target.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, transfer)
  await log(owner).dispatchEvent('drop', { dataTransfer: transfer })
  await toSend(owner).getByText('This picture could not be sent.').nth(1).waitFor()
  await owner.getByRole('button', { name: 'Remove picture 2' }).click()
  await owner.getByRole('button', { name: 'Send' }).click()
  await owner.getByText('A picture could not be sent. Try it again or remove it.').waitFor()
  isFailing = false
  await owner.getByRole('button', { name: 'Retry upload of picture 1' }).click()
  await toSend(owner).getByRole('progressbar').waitFor({ state: 'detached' })
  await owner.getByRole('button', { name: 'Send' }).click()
  await expectShown(owner, 'Picture from you')
  await expect.poll(() => toSend(owner).count()).toBe(0)
  await soon(() => log(bea).getByRole('img', { name: 'Picture from' }).count()).toBe(1)
})

const bell = (page: Page, saying: string) => page.getByRole('link', { name: saying, exact: true })

/**
 * A browser script that counts permission prompts and sounds. As on a phone, only a service worker
 * can show a notification.
 */
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
  // Simulates a page without focus, because every page in an automated browser reports that it has
  // the focus.
  document.hasFocus = () => false
}`
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/')
    return ((await registration?.getNotifications()) ?? []).map(({ title }) => title)
  })

test('in a background tab, a customer who enabled notifications gets a sound and a notification of an unread message [S-184, NAV-44]', async () => {
  const ann = await here.open('/about?messages=', {
    as: newCustomer('ida@mail.test'),
    permissions: ['notifications'],
    before: (page) => page.addInitScript(watch),
  })
  await send(ann, 'Hello')
  const owner = await openOwner('ida')

  const button = ann.getByRole('button', { name: 'Sound and notifications' })
  await ann.setViewportSize(PHONE)
  await button.click()
  const { x, width } = (await ann
    .getByRole('group', { name: 'Sound and notifications' })
    .boundingBox())!
  expect(x).toBeGreaterThanOrEqual(16)
  expect(x + width).toBeLessThanOrEqual(344)
  expect(await ann.evaluate('window.asked')).toBe(0)
  await ann.getByLabel('Show a notification').click()
  await expect.poll(() => ann.getByLabel('Show a notification').isChecked()).toBe(true)
  await expect.poll(() => ann.evaluate('window.asked')).toBe(1)
  await ann.getByLabel('Play a sound for new messages').click()
  await expect.poll(() => ann.evaluate('window.notes')).toBe(2)
  await ann.keyboard.press('Escape')
  await ann.getByLabel('Show a notification').waitFor({ state: 'hidden' })
  await ann.setViewportSize({ width: 1280, height: 800 })
  await ann.getByRole('link', { name: 'Close messages' }).click()
  await bell(ann, 'No unread messages').waitFor()
  await expect
    .poll(() =>
      ann.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state),
    )
    .toBe('activated')

  await type(owner, 'It is ready.')
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

test('the owner inserts a saved reply at the cursor, and the reply contains the customer’s name [S-184]', async () => {
  const owner = await here.open('/manage/replies/', { as: OWNER })
  await owner.locator('summary', { hasText: 'Add a reply' }).waitFor()
  await owner.getByLabel('Name').fill('Shipping')
  await owner.getByLabel('Reply', { exact: true }).fill('Hello {name}, I ship on Fridays.')
  await owner.getByRole('button', { name: 'Add', exact: true }).click()
  await owner.locator('summary', { hasText: 'Shipping' }).waitFor()

  await openAsOwner(owner, 'Clara')
  await box(owner).fill('Yes.')
  await owner.getByRole('button', { name: 'Saved replies' }).click()
  await owner.getByRole('button', { name: /^Shipping/ }).click()
  expect(await box(owner).inputValue()).toBe('Yes.\nHello Clara, I ship on Fridays.')
  await owner.reload()
  await expect.poll(() => box(owner).inputValue()).toBe('Yes.\nHello Clara, I ship on Fridays.')
  await box(owner).press('Enter')
  await bubble(owner, 'Hello Clara, I ship on Fridays.').waitFor()
})

test('in the owner’s lists, a name in a right-to-left script begins at the left, like all other names [S-434]', async () => {
  const db = openSqlite(here.shop.database)
  db.exec("update orders set userName = 'نادية' where userEmail = 'mateo@example.com'")
  db.close()
  const owner = await here.open('/manage/messages/', { as: OWNER, viewport: PHONE })
  const left = (name: string) =>
    owner.locator('main').evaluate((main, text) => {
      const range = document.createRange()
      range.selectNodeContents(
        [...main.querySelectorAll('*')].find(
          (one) => one.childElementCount === 0 && one.textContent === text,
        )!,
      )
      return range.getBoundingClientRect().left
    }, name)
  expect(await left('نادية')).toBeCloseTo(await left('Clara Whitfield'), 0)
  await owner.goto('/manage/')
  expect(await left('نادية')).toBeCloseTo(await left('Clara Whitfield'), 0)
})
