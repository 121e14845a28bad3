/** The clock jumps, the line to PostgreSQL is cut: what was acknowledged stays, who is out stays out, and all goes on by itself. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { pauses } from '#app/platform/mail.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { isClockPlausible, startSweepingGuests } from '#app/features/auth/guests/delete-guests.server.ts'
import { openCutLine } from './cut-line.ts'
import { corners } from './drawn-pictures.ts'
import { openSmtp } from './open-smtp.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY

test('S-263 messages keep the order in which they were sent while the clock goes back and ahead, and unread counts stay right', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const say = async (words: string, jump: number, isOwner = false) => {
    shop.clock.now += jump
    const form = { intent: 'send', message: words, messageId: newId15(), ...(isOwner && { orderId: ann.id }) }
    expect((await (isOwner ? owner : ann).act('/messages', form)).status).toBe(200)
  }
  await say('first', 0)
  await say('second', -HOUR, true)
  await say('third', YEAR)
  await say('fourth', -YEAR, true)
  await say('fifth', HOUR)
  const rows = await shop.db.selectFrom('messages').select(['message', 'seq']).where('orderId', '=', ann.id).orderBy('seq').execute()
  expect(rows).toEqual(['first', 'second', 'third', 'fourth', 'fifth'].map((message, at) => ({ message, seq: at + 1 })))
  const page = await owner.page(`/manage/messages/${ann.id}`)
  const places = ['first', 'second', 'third', 'fourth', 'fifth'].map((word) => page.lastIndexOf(`>${word}<`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

test('S-263 what was tried while the clock was a year ahead is tried again when it is right, not a year later', async () => {
  const smtp = await openSmtp({ letter: () => Object.assign(new Error('busy'), { responseCode: 450 }) })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  shop.clock.now += YEAR
  await shop.mail.post(shop.db, { id: 'a', kind: 'contact', to: 'owner@shop.test', subject: 'Hello', text: 'Hello' }, shop.now())
  expect(await shop.mail.deliver('a')).toBe(false)
  const taken = await shop.pictures.prepare('colors', new Uint8Array(await corners(300, 200).jpeg().toBuffer()))
  if (!taken.ok) throw new Error(taken.refusal)
  await shop.pictures.keep(shop.db, taken.picture)
  const ash = {
    id: 'ash',
    name: 'Ash',
    pictureId: taken.picture.id,
    isAvailable: 1,
    isLowOnStock: 0,
    createdAt: 0,
    firstCreatedAt: 0,
  } as const
  await shop.db.insertInto('colors').values(ash).execute()
  const { read } = shop.files
  shop.files.read = async () => null
  await shop.pictures.finish()
  shop.files.read = read
  // A process that was killed then holds another letter until its minute of that year.
  await shop.mail.post(shop.db, { id: 'b', kind: 'contact', to: 'owner@shop.test', subject: 'Held', text: 'Held' }, shop.now())
  await shop.db
    .updateTable('outbox')
    .set({ claimedUntil: shop.now() + 60_000 })
    .where('id', '=', 'b')
    .execute()

  shop.clock.now -= YEAR
  smtp.manners.letter = () => null
  await shop.mail.deliverDue()
  await shop.pictures.finish()

  expect(smtp.received).toHaveLength(2)
  expect(await shop.db.selectFrom('pictures').select('state').execute()).toEqual([{ state: 'finished' }])
  // By the right clock a pause is a pause.
  smtp.manners.letter = () => Object.assign(new Error('busy'), { responseCode: 450 })
  await shop.mail.post(shop.db, { id: 'c', kind: 'contact', to: 'owner@shop.test', subject: 'Later', text: 'Later' }, shop.now())
  await shop.mail.deliverDue()
  smtp.manners.letter = () => null
  shop.clock.now += pauses[0]! - 1
  await shop.mail.deliverDue()
  expect(smtp.received).toHaveLength(2)
  shop.clock.now += 1
  await shop.mail.deliverDue()
  expect(smtp.received).toHaveLength(3)
})

test('S-214 S-263 no guest is cleared because the clock jumped ahead; a shop in which somebody was lately clears those that are idle', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const shop = await openTestShop({ now: Date.now() })
  const guest = await shop.guest()
  const isThere = async () => (await shop.db.selectFrom('user').select('id').where('id', '=', guest.id).executeTakeFirst()) !== undefined
  shop.clock.now += YEAR
  expect(await isClockPlausible(shop)).toBe(false)
  await startSweepingGuests(shop.shop)()
  expect(await isThere()).toBe(true)
  // The year has really passed: others have come in it.
  vi.setSystemTime(shop.clock.now - 2 * DAY)
  await shop.customer()
  expect(await isClockPlausible(shop)).toBe(true)
  await startSweepingGuests(shop.shop)()
  expect(await isThere()).toBe(false)
})

test('S-263 whoever was logged out, or whose session ran out, while the clock was ahead is not in again when it goes back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const shop = await openTestShop({ now: Date.now() })
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  const copy = new Map(ben.cookies)
  const isIn = async (who: typeof ann) => !(await who.page('/about/')).includes('Login | Register')
  const start = Date.now()
  vi.setSystemTime(start + HOUR)
  await ben.post('/logout', {})
  vi.setSystemTime(start)
  for (const [name, value] of copy) ben.cookies.set(name, value)
  expect([await isIn(ann), await isIn(ben)]).toEqual([true, false])
  const ofAnn = new Map(ann.cookies)
  vi.setSystemTime(start + YEAR)
  expect(await isIn(ann)).toBe(false)
  vi.setSystemTime(start)
  for (const [name, value] of ofAnn) ann.cookies.set(name, value)
  expect(await isIn(ann)).toBe(false)
})

/** SQLite is a file: what breaks there is the disk (test/kill/faults-disk.test.ts). */
const onPostgres = process.env.TEST_DATABASE === 'postgres' ? test : () => {}

onPostgres(
  'S-262 a line to PostgreSQL that is cut anywhere in a transaction loses and doubles nothing, and takes nothing down',
  async () => {
    const line = openCutLine()
    const shop = await openTestShop({ reach: line.reach })
    await addItem(shop.db, 'hanger', await addCategory(shop.db, 'wall'))
    const ann = await shop.customer()
    const cuts = [
      { words: 'insert into "messages"', isArrived: false, stays: 0 },
      { words: 'insert into "messages"', isArrived: true, stays: 0 },
      { words: 'commit', isArrived: false, stays: 0 },
      { words: 'commit', isArrived: true, stays: 1 },
    ]
    for (const { stays, ...at } of cuts)
      for (const path of ['/messages', '/order-request'] as const) {
        const form = { intent: 'send', itemId: 'hanger', message: 'Hello', messageId: newId15() }
        const count = async () => (await shop.db.selectFrom('messages').select('id').where('id', '=', form.messageId).execute()).length
        const before = line.cuts
        line.cutAt = at
        expect((await ann.act(path, form)).status, JSON.stringify(at)).toBe(503)
        expect(line.cuts).toBe(before + 1)
        // Connections that are broken, and not yet known to be, may be met a few times.
        await expect.poll(() => count().catch(() => 'broken'), { message: JSON.stringify(at) }).toBe(stays)
        await expect.poll(async () => (await ann.act(path, form)).status).toBe(200)
        await expect.poll(() => count().catch(() => 'broken')).toBe(1)
      }
  },
)

onPostgres('S-262 while PostgreSQL is away everybody is told so, nobody is logged out, and all is there again with it', async () => {
  const line = openCutLine()
  const shop = await openTestShop({ reach: line.reach })
  await addItem(shop.db, 'hanger', await addCategory(shop.db, 'wall'))
  const [ann, owner, visitor] = [await shop.customer(), await shop.owner(), shop.visitor()]
  const before = new Map(ann.cookies)
  line.isAway = true
  line.cut()

  const told = []
  for (const [who, path] of [
    [visitor, '/gallery/?page=2'],
    [visitor, '/item/hanger/'],
    [ann, '/account/'],
    [owner, '/manage/sales/'],
  ] as const) {
    const answer = await who.get(path)
    told.push([path, answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')])
    const html = await answer.text()
    expect(html).toContain('The shop could not fetch data just now')
    expect(html).not.toMatch(/A knot came loose|ECONN|terminated/)
  }
  expect(told.map((one) => one.slice(1))).toEqual(told.map(() => [503, '10', 'no-store']))
  // Not an answer of the router: pages wait for the shop and go on by themselves.
  const data = await ann.get('/account/_.data')
  expect([data.status, data.headers.get('x-remix-response')]).toEqual([503, null])
  for (const [path, form] of [
    ['/login', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' }],
    ['/login', { intent: 'register', email: 'new@mail.test', password: 'a-good-password' }],
    ['/login', { intent: 'guest' }],
  ] as const)
    expect((await shop.visitor().act(path, form)).status, form.intent).toBe(503)
  expect((await ann.act('/messages', { intent: 'send', message: 'Hello', messageId: newId15() })).status).toBe(503)
  expect(ann.cookies).toEqual(before)

  line.isAway = false
  for (const [who, path] of [
    [visitor, '/gallery/'],
    [ann, '/account/'],
    [owner, '/manage/sales/'],
  ] as const)
    await expect.poll(async () => (await who.get(path)).status, { message: path }).toBe(200)
})
