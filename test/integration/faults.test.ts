/** Tests what the shop does when the clock jumps, or when the connection to PostgreSQL breaks. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { isClockPlausible, startDeletingIdleGuests } from '#auth/guests/delete-guests.server.ts'
import { openCutLine } from '#test/fixtures/network.ts'
import { onPostgres } from '#test/fixtures/database.ts'
import { corners } from '#test/fixtures/images.ts'
import { openSmtp } from '#test/fixtures/email.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** Adds an email for the owner to the outbox, at the shop's current time. */
const post = ({ outbox, db, now }: TestShop, id: string) =>
  outbox.post(
    db,
    { id, kind: 'contact', to: 'owner@shop.test', subject: 'Hello', text: 'Hello' },
    now(),
  )

test('when the clock jumps back and ahead, messages stay in the sequence in which they were sent [S-263]', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const sent = [
    ['first', 0, ann],
    ['second', -HOUR, owner],
    ['third', YEAR, ann],
    ['fourth', -YEAR, owner],
    ['fifth', HOUR, ann],
  ] as const
  const words = sent.map(([message]) => message)
  for (const [message, jump, sender] of sent) {
    shop.clock.now += jump
    expect(
      (
        await sender.act('/messages', {
          intent: 'send',
          message,
          messageId: newId15(),
          orderId: ann.id,
        })
      ).status,
    ).toBe(200)
  }
  const rows = await shop.db
    .selectFrom('messages')
    .select(['message', 'seq'])
    .where('orderId', '=', ann.id)
    .orderBy('seq')
    .execute()
  expect(rows).toEqual(words.map((message, at) => ({ message, seq: at + 1 })))
  const page = await owner.page(`/manage/messages/${ann.id}`)
  const places = words.map((word) => page.lastIndexOf(`>${word}<`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

test('after a clock that was a year ahead is corrected, emails that were waiting or being sent are sent without delay [S-263]', async () => {
  const smtp = await openSmtp({
    message: () => Object.assign(new Error('busy'), { responseCode: 450 }),
  })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  shop.clock.now += YEAR
  await post(shop, 'tried')
  expect(await shop.outbox.deliver('tried')).toBe(false)
  // Simulates a process that claimed an email for one minute while the clock was a year ahead, and
  // was then killed.
  await post(shop, 'claimed')
  const claimedUntil = shop.now() + 60_000
  await shop.db.updateTable('outbox').set({ claimedUntil }).where('id', '=', 'claimed').execute()

  shop.clock.now -= YEAR
  smtp.manners.message = () => null
  await shop.outbox.deliverDue()
  expect(smtp.received).toHaveLength(2)
})

test('after the clock was wrongly a year ahead, pictures are resized without a year’s delay [S-263]', async () => {
  const shop = await openTestShop()
  shop.clock.now += YEAR
  const taken = await shop.images.prepare(
    'colors',
    new Uint8Array(await corners(300, 200).jpeg().toBuffer()),
  )
  if (!taken.ok) throw new Error(taken.refusal)
  await shop.images.keep(shop.db, taken.image)
  await addColor(shop.db, 'ash', { imageId: taken.image.id })
  const { read } = shop.storage
  shop.storage.read = async () => null
  await shop.images.finish()
  const stateNow = () =>
    shop.db.selectFrom('images').select('state').where('id', '=', taken.image.id).executeTakeFirst()
  expect(await stateNow()).toEqual({ state: 'waiting' })

  shop.storage.read = read
  shop.clock.now -= YEAR
  await shop.images.finish()
  expect(await stateNow()).toEqual({ state: 'finished' })
})

/**
 * Opens a shop and fakes the system clock, because the system clock decides when sessions expire.
 */
function openShopOnClock() {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  return openTestShop({ now: Date.now() })
}

test('the shop deletes guests who were idle for a year only if other users’ activity shows that the year has passed [S-214, S-263]', async () => {
  const shop = await openShopOnClock()
  const guest = await shop.guest()
  const isThere = async () =>
    (await shop.db
      .selectFrom('user')
      .select('id')
      .where('id', '=', guest.id)
      .executeTakeFirst()) !== undefined
  shop.clock.now += YEAR
  expect(await isClockPlausible(shop)).toBe(false)
  await startDeletingIdleGuests(shop.shop)()
  expect(await isThere()).toBe(true)
  // A customer registers near the end of the year, which shows that the year has really passed.
  vi.setSystemTime(shop.clock.now - 2 * DAY)
  await shop.customer()
  expect(await isClockPlausible(shop)).toBe(true)
  await startDeletingIdleGuests(shop.shop)()
  expect(await isThere()).toBe(false)
})

test('a session that has ended or expired stays invalid when the system clock is set back [S-263]', async () => {
  const shop = await openShopOnClock()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  const [cookiesOfAnn, cookiesOfBen] = [[...ann.cookies], [...ben.cookies]]
  const isSignedIn = async (who: typeof ann) =>
    !(await who.page('/about/')).includes('Login | Register')
  const start = Date.now()
  vi.setSystemTime(start + HOUR)
  await ben.post('/logout', {})
  vi.setSystemTime(start)
  for (const [name, value] of cookiesOfBen) ben.cookies.set(name, value)
  expect(await isSignedIn(ann)).toBe(true)
  expect(await isSignedIn(ben)).toBe(false)
  vi.setSystemTime(start + YEAR)
  expect(await isSignedIn(ann)).toBe(false)
  vi.setSystemTime(start)
  for (const [name, value] of cookiesOfAnn) ann.cookies.set(name, value)
  expect(await isSignedIn(ann)).toBe(false)
})

async function openShopOnBrokenLine() {
  const line = openCutLine()
  const shop = await openTestShop({ proxyDatabaseUrl: line.proxy })
  await addItem(shop.db, 'hanger', await addCategory(shop.db, 'wall'))
  return { line, shop, ann: await shop.customer() }
}

onPostgres(
  'no row is lost or duplicated when the connection to PostgreSQL breaks during an insert or a commit [S-262]',
  async () => {
    const { line, shop, ann } = await openShopOnBrokenLine()
    const cuts = [
      { words: 'insert into "messages"', isArrived: false, stays: 0 },
      { words: 'insert into "messages"', isArrived: true, stays: 0 },
      { words: 'commit', isArrived: false, stays: 0 },
      { words: 'commit', isArrived: true, stays: 1 },
    ]
    for (const { stays, ...at } of cuts) {
      for (const path of ['/messages', '/order-request'] as const) {
        const form = { intent: 'send', itemId: 'hanger', message: 'Hello', messageId: newId15() }
        // Counts the chat messages with the sent id. Returns 'broken' if the query fails, because
        // the connection pool may still contain broken connections.
        const count = () =>
          shop.db
            .selectFrom('messages')
            .select('id')
            .where('id', '=', form.messageId)
            .execute()
            .then(
              (rows) => rows.length,
              () => 'broken',
            )
        const before = line.cuts
        line.cutAt = at
        expect((await ann.act(path, form)).status, JSON.stringify(at)).toBe(503)
        expect(line.cuts).toBe(before + 1)
        await expect.poll(count, { message: JSON.stringify(at) }).toBe(stays)
        await expect.poll(async () => (await ann.act(path, form)).status).toBe(200)
        await expect.poll(count).toBe(1)
      }
    }
  },
)

onPostgres(
  'while PostgreSQL is down, the shop answers 503, and afterwards the sessions are still valid [S-262]',
  async () => {
    const { line, shop, ann } = await openShopOnBrokenLine()
    const [owner, visitor] = [await shop.owner(), shop.visitor()]
    const before = new Map(ann.cookies)
    const pages = [
      [visitor, '/gallery/?page=2'],
      [visitor, '/item/hanger/'],
      [ann, '/account/'],
      [owner, '/manage/sales/'],
    ] as const
    line.isAway = true
    line.cut()

    for (const [who, path] of pages) {
      const answer = await who.get(path)
      const { status, headers } = answer
      expect(status, path).toBe(503)
      expect(headers.get('retry-after'), path).toBe('10')
      expect(headers.get('cache-control'), path).toBe('no-store')
      const html = await answer.text()
      expect(html).toContain('The shop could not fetch data just now')
      expect(html).not.toMatch(/Something went wrong|ECONN|terminated/)
    }
    // Without the header that React Router expects, an open page treats this response as temporary
    // and repeats its request.
    const data = await ann.get('/account/_.data')
    expect(data.status).toBe(503)
    expect(data.headers.get('x-remix-response')).toBe(null)
    for (const [path, form] of [
      ['/login', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' }],
      ['/login', { intent: 'register', email: 'new@mail.test', password: 'a-good-password' }],
      ['/login', { intent: 'guest' }],
    ] as const) {
      expect((await shop.visitor().act(path, form)).status, form.intent).toBe(503)
    }
    expect(
      (await ann.act('/messages', { intent: 'send', message: 'Hello', messageId: newId15() }))
        .status,
    ).toBe(503)
    expect(ann.cookies).toEqual(before)

    line.isAway = false
    for (const [who, path] of pages) {
      await expect.poll(async () => (await who.get(path)).status, { message: path }).toBe(200)
    }
  },
)
