import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { corners } from '#test/drawn-pictures.ts'
import { answerWith, ask, clara, like, move, openGuestAndAccount, prove, say, seenBy } from '#test/guest-moves.ts'
import type { TestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { refuseWrites } from '#test/refuse-writes.ts'

const favouritesOf = async ({ db }: TestShop, userId: string) =>
  (await db.selectFrom('favourites').select('itemId').where('userId', '=', userId).execute()).map(({ itemId }) => itemId).toSorted()
const messagesOf = ({ db }: TestShop, orderId: string) =>
  db.selectFrom('messages').select(['seq', 'message', 'sender', 'createdAt']).where('orderId', '=', orderId).orderBy('seq').execute()
const userCount = async ({ db }: TestShop, id: string) => (await db.selectFrom('user').select('id').where('id', '=', id).execute()).length
const unreadOf = async (who: Person) => /aria-label="([^"]*unread message[^"]*)"/.exec(await who.page('/about/'))?.[1]

test('S-002 logging in to an account shows exactly what will move; before Yes nothing has moved, and after No nothing will', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(account, 'moon')
  for (const id of ['moon', 'sun']) await like(guest, id)
  await ask(guest, 'star', 'The star, please')
  await say(guest, 'By May?')
  await say(account, 'Hello')

  expect((await prove(guest)).status).toBe(202)
  const page = await guest.page('/link-guest/?from=/gallery/')

  for (const text of [clara.email, '2 favorites, 1 of them there already', '2 messages', '1 piece you asked for: The star', 'goes on'])
    expect(page).toContain(text)
  expect(page).not.toContain('picture</li>')
  expect(await favouritesOf(shop, account.id)).toEqual(['moon'])
  await answerWith(guest, 'No', await seenBy(guest))
  expect([await guest.page('/gallery/'), await favouritesOf(shop, guest.id)]).toEqual([
    expect.stringContaining('Hello, Guest<'),
    ['moon', 'sun'],
  ])
  expect(await seenBy(guest)).toBe('')
})

test('S-002 Yes moves favourites, conversation and requests; the guest and its cookie are worth nothing afterwards', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  for (const id of ['moon', 'sun']) await like(guest, id)
  await ask(guest, 'star', 'The star, please')
  const old = new Map(guest.cookies)

  const moved = await move(guest)

  expect(moved.status).toBe(202)
  expect(await guest.page('/about/')).toContain('Hello, clara<')
  expect(await guest.page('/?messages=')).toContain('The star, please')
  expect(await account.page('/?messages=')).toContain('The star, please')
  expect(await favouritesOf(shop, account.id)).toEqual(['moon', 'sun'])
  expect(await userCount(shop, guest.id)).toBe(0)
  const order = await shop.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
  expect(order).toMatchObject({ id: account.id, userId: account.id, userEmail: clara.email, isClosed: 0, lastSeq: 1 })
  expect(order.receiptTag).toMatch(/^\w{8}$/)
  expect(await shop.db.selectFrom('requests').select(['orderId', 'itemId']).execute()).toEqual([{ orderId: account.id, itemId: 'star' }])
  const before = shop.visitor()
  for (const [name, value] of old) before.cookies.set(name, value)
  expect(await before.page('/about/')).toContain('Login | Register')
  expect(await shop.db.selectFrom('session').select('id').where('userId', '=', guest.id).execute()).toEqual([])
})

test("S-213 two conversations become one: the guest's messages follow without a hole, what nobody has read stays unread", async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const owner = await shop.owner()
  await say(account, 'One')
  await owner.act(`/manage/messages/${account.id}`, { intent: 'send', message: 'Two', messageId: '' })
  await owner.act(`/manage/messages/${account.id}`, { intent: 'read', seq: '2' })
  await account.act('/messages', { intent: 'read', seq: '2' })
  shop.clock.now += 1000
  await say(guest, 'Three')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'read', seq: '1' })
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'send', message: 'Four', messageId: '' })
  await say(guest, 'Five')
  const counts = async () => [await unreadOf(owner), await unreadOf(guest)]
  expect(await counts()).toEqual(['1 unread message', '1 unread message'])
  shop.clock.now += 1000

  await move(guest)

  const [a, o] = [account.id, 'owner']
  expect((await messagesOf(shop, a)).map(({ seq, message, sender }) => [seq, message, sender])).toEqual([
    [1, 'One', a],
    [2, 'Two', o],
    [3, 'Three', a],
    [4, 'Four', o],
    [5, 'Five', a],
  ])
  expect((await messagesOf(shop, a)).map(({ createdAt }) => createdAt - shop.clock.now)).toEqual([-2000, -2000, -1000, -1000, -1000])
  expect(await counts()).toEqual(['1 unread message', '1 unread message'])
  expect(await shop.db.selectFrom('orders').select(['id', 'lastSeq', 'createdAt']).execute()).toEqual([
    { id: a, lastSeq: 5, createdAt: shop.clock.now },
  ])
  await say(guest, 'Six')
  expect((await messagesOf(shop, a)).at(-1)).toMatchObject({ seq: 6, message: 'Six' })
})

test('S-213 what was unread in the account stays unread, though all of the guest was read', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const owner = await shop.owner()
  await say(account, 'Unread')
  await say(guest, 'Read')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'read', seq: '1' })

  await move(guest)

  expect(await unreadOf(owner)).toBe('2 unread messages')
})

test('S-213 a piece that both asked for stands in the order once; sales and their receipt go along', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const owner = await shop.owner()
  await ask(account, 'moon', 'Moon')
  await ask(guest, 'moon', 'Moon')
  await ask(guest, 'sun', 'Sun')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'complete', itemId: 'sun', price: '9' })
  const tags = await shop.db.selectFrom('orders').select(['id', 'receiptTag']).execute()
  const tagOf = (id: string) => tags.find((row) => row.id === id)!.receiptTag

  await move(guest)

  const lines = await shop.db.selectFrom('orderItems').select(['orderId', 'itemId', 'isSold']).orderBy('position').execute()
  expect(lines).toEqual([
    { orderId: account.id, itemId: 'moon', isSold: 0 },
    { orderId: account.id, itemId: 'sun', isSold: 1 },
  ])
  expect(await shop.db.selectFrom('sales').select(['buyerId', 'receiptTag']).execute()).toEqual([
    { buyerId: account.id, receiptTag: tagOf(guest.id) },
  ])
  expect((await shop.db.selectFrom('orders').select('receiptTag').execute()).map((row) => row.receiptTag)).toEqual([tagOf(account.id)])
  const requests = await shop.db.selectFrom('requests').select(['orderId', 'itemId']).orderBy('itemId').execute()
  expect(requests).toEqual([
    { orderId: account.id, itemId: 'moon' },
    { orderId: account.id, itemId: 'sun' },
  ])
  expect((await owner.page(`/manage/messages/${account.id}?view=order`)).replaceAll('<!-- -->', '')).toMatch(/Sold for \$9\b/)
})

test('S-213 pictures go along, also when both conversations have a message of the same id', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const messageId = 'a'.repeat(15)
  await say(account, 'Mine', messageId)
  const form = new FormData()
  form.set('file', new File([new Uint8Array(await corners(600, 400).jpeg().toBuffer())], 'p.jpg', { type: 'image/jpeg' }))
  const upload = (await (await guest.post('/messages/pictures', form)).json()) as { id: string; url: string }
  await guest.act('/messages', { intent: 'send', message: 'Look', messageId, pictures: upload.id })
  await prove(guest)
  expect(await guest.page('/link-guest/')).toContain('1 picture')

  await answerWith(guest, 'Yes', await seenBy(guest))

  expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual(['Mine', 'Look'])
  expect((await account.get(upload.url)).status).toBe(200)
  expect(await account.page('/?messages=')).toContain(upload.url.split('/').at(-1)!.split('.')[0])
})

test('S-002 between two lasting accounts nothing ever moves, also when the guest became one in another tab', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  await prove(guest)
  const seen = await seenBy(guest)
  const otherTab = shop.visitor()
  for (const [name, value] of guest.cookies) otherTab.cookies.set(name, value)
  await otherTab.act('/link-guest/', { intent: 'register', email: 'gwen@mail.test', password: 'a-good-password' })

  await answerWith(otherTab, 'Yes', seen)
  await answerWith(guest, 'Yes', seen)

  expect(await favouritesOf(shop, account.id)).toEqual([])
  expect(await favouritesOf(shop, guest.id)).toEqual(['moon'])
  const bea = await shop.customer('bea@mail.test')
  await bea.act('/link-guest/', { intent: 'login', ...clara })
  await answerWith(bea, 'Yes', seen)
  expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
  expect(await userCount(shop, bea.id)).toBe(1)
})

test('S-002 a guest who logs out in the other tab, or says Yes in two, loses and doubles nothing', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await say(guest, 'Once')
  await prove(guest)
  const seen = await seenBy(guest)

  await Promise.all([answerWith(guest, 'Yes', seen), answerWith(guest, 'Yes', seen)])

  expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual(['Once'])
  const second = await shop.guest()
  await prove(second)
  const tab = shop.visitor()
  for (const [name, value] of second.cookies) tab.cookies.set(name, value)
  await tab.post('/logout', { confirm: 'Yes', from: '/' })
  await answerWith(second, 'Yes', '')
  expect(await second.page('/about/')).toContain('Login | Register')
})

test.for([
  ['messages', 'insert'],
  ['messagePictures', 'update'],
  ['user', 'delete'],
] as const)('S-002 a failure at %s midway loses nothing, and the same Yes works later', async ([table, act]) => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  await ask(guest, 'star', 'Please')
  await say(account, 'Mine')
  if (table === 'messagePictures')
    await shop.db
      .insertInto('messagePictures')
      .values({ orderId: guest.id, messageId: (await idsOf(shop, guest.id))[0]!, position: 0, pictureId: null })
      .execute()
  await prove(guest)
  const seen = await seenBy(guest)
  const before = await everythingOf(shop)
  await refuseWrites(shop.db, shop.dialect, table, act)

  const failed = await answerWith(guest, 'Yes', seen)

  expect([failed.status, failed.text.includes('nothing is lost')]).toEqual([500, true])
  expect(await everythingOf(shop)).toEqual(before)
  expect(await guest.page('/about/')).toContain('Hello, Guest<')
  await allowWrites(shop, table)
  expect((await answerWith(guest, 'Yes', seen)).status).toBe(202)
  expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual(['Mine', 'Please'])
})

const idsOf = async ({ db }: TestShop, orderId: string) =>
  (await db.selectFrom('messages').select('id').where('orderId', '=', orderId).execute()).map(({ id }) => id)
const everythingOf = async ({ db }: TestShop) =>
  Promise.all(
    (['user', 'favourites', 'orders', 'orderItems', 'messages', 'requests', 'readMarks', 'guestLinks'] as const).map(async (table) =>
      (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).toSorted(),
    ),
  )
const allowWrites = async ({ db, dialect }: TestShop, table: string) => {
  await sql`drop trigger refusing ${sql.raw(dialect === 'postgres' ? `on "${table}"` : '')}`.execute(db)
}

test('S-213 whatever is written while it moves is moved with it, or refused: nothing is left behind or lost', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await prove(guest)
  const seen = await seenBy(guest)

  const [, ...written] = await Promise.all([
    answerWith(guest, 'Yes', seen),
    ...['A', 'B', 'C'].map((text) => say(guest, text)),
    ...['moon', 'sun'].map((id) => like(guest, id)),
    say(account, 'Mine'),
  ])

  const isIn = (at: number) => written[at]!.status === 200
  const said = (await shop.db.selectFrom('messages').select(['message', 'seq', 'orderId']).execute()).map(({ message }) => message)
  expect(said.toSorted()).toEqual([...['A', 'B', 'C'].filter((_, at) => isIn(at)), 'Mine'].toSorted())
  const liked = (await shop.db.selectFrom('favourites').selectAll().execute()).map(({ itemId }) => itemId).toSorted()
  expect(liked).toEqual(['moon', 'sun'].filter((_, at) => isIn(3 + at)).toSorted())
  for (const order of await shop.db.selectFrom('orders').select(['id', 'lastSeq', 'userId']).execute()) {
    expect([account.id, guest.id]).toContain(order.userId)
    expect((await messagesOf(shop, order.id)).map(({ seq }) => seq)).toEqual(Array.from({ length: order.lastSeq }, (_, at) => at + 1))
  }
})

test('S-213 what is being written in the very moment of Yes is not taken away with the guest', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await prove(guest)
  const seen = await seenBy(guest)
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = shop.db.transaction().execute(async (tx) => {
    await tx.insertInto('favourites').values({ userId: guest.id, itemId: 'moon', createdAt: 1 }).execute()
    begun.resolve()
    await gate.promise
  })
  await begun.promise

  const yes = answerWith(guest, 'Yes', seen)
  // SQLite lets nobody else in; in PostgreSQL the move has come as far as it can.
  if (shop.dialect === 'postgres') await expect.poll(() => waitingLocks(shop)).toBeGreaterThan(0)
  gate.resolve()
  await writing

  expect([(await yes).status, await favouritesOf(shop, guest.id)]).toEqual([409, ['moon']])
  await answerWith(guest, 'Yes', await seenBy(guest))
  expect(await favouritesOf(shop, account.id)).toEqual(['moon'])
})

const waitingLocks = async ({ db }: TestShop) => {
  const waiting = sql<{ count: string }>`select count(*) as count from pg_locks
    join pg_stat_activity using (pid) where not granted and datname = current_database()`
  return Number((await waiting.execute(db)).rows[0]!.count)
}
