import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { IMAGE_QUOTA } from '#messaging/images/message-images.server.ts'
import { messageImageTexts } from '#messaging/texts.ts'
import { fileOf, idOf, post, readIn, send, sendImages, upload } from '#test/fixtures/chat.ts'
import {
  greetingOf,
  answerWith,
  ask,
  clara,
  favoritesOf,
  hasUser,
  like,
  move,
  openGuestAndAccount,
  logInToLink,
  sameBrowser,
  say,
  seenBy,
  unreadOf,
} from '#test/fixtures/accounts.ts'
import { mergeErrorTexts } from './texts.ts'
import { refuseWrites, type TestShop } from '#test/fixtures/test-shop.ts'

const messagesOf = ({ db }: TestShop, orderId: string) =>
  db
    .selectFrom('messages')
    .select(['seq', 'message', 'sender', 'createdAt'])
    .where('orderId', '=', orderId)
    .orderBy('seq')
    .execute()

test('a guest who logs in to an account sees which data will move, and nothing moves before "Yes" or after "No" [S-002]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(account, 'moon')
  for (const id of ['moon', 'sun']) await like(guest, id)
  await ask(guest, 'star', 'The star, please')
  await say(guest, 'By May?')
  await say(account, 'Hello')

  expect((await logInToLink(guest)).status).toBe(202)
  const page = await guest.page('/link-guest/?from=/gallery/')
  const lines = pageOf(page).getAllByRole('listitem')

  for (const text of [
    clara.email,
    '2 favorites, 1 of them there already',
    '2 messages',
    '1 piece you asked for: The star',
    'These messages are added to it.',
  ]) {
    expect(page).toContain(text)
  }
  expect(lines.map(({ textContent }) => textContent).join()).not.toContain('picture')
  expect(await favoritesOf(shop, account.id)).toEqual(['moon'])
  await answerWith(guest, 'No', await seenBy(guest))
  expect(await greetingOf(guest)).toBe('Hello, Guest')
  expect(await favoritesOf(shop, guest.id)).toEqual(['moon', 'sun'])
  expect(await seenBy(guest)).toBe('')
})

test('after a guest answers "Yes", all her data moves to the account, and the guest and her session are deleted [S-002]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  for (const id of ['moon', 'sun']) await like(guest, id)
  await ask(guest, 'star', 'The star, please')
  const before = sameBrowser(shop, guest)

  const moved = await move(guest)

  expect(moved.status).toBe(202)
  expect(await greetingOf(guest)).toBe('Hello, clara')
  expect(await guest.page('/?messages=')).toContain('The star, please')
  expect(await account.page('/?messages=')).toContain('The star, please')
  expect(await favoritesOf(shop, account.id)).toEqual(['moon', 'sun'])
  expect(await hasUser(shop, guest.id)).toBe(false)
  const order = await shop.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
  expect(order).toMatchObject({
    id: account.id,
    userId: account.id,
    userEmail: clara.email,
    isClosed: false,
    lastSeq: 1,
  })
  expect(order.receiptTag).toMatch(/^\w{8}$/)
  expect(await shop.db.selectFrom('requests').select(['orderId', 'itemId']).execute()).toEqual([
    { orderId: account.id, itemId: 'star' },
  ])
  expect(await before.page('/about/')).toContain('Login | Register')
  expect(
    await shop.db.selectFrom('session').select('id').where('userId', '=', guest.id).execute(),
  ).toEqual([])
})

test('the messages of two merged conversations are numbered without gaps, and unread messages stay unread [S-213]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const owner = await shop.owner()
  await say(account, 'One')
  await owner.act(`/manage/messages/${account.id}`, {
    intent: 'send',
    message: 'Two',
    messageId: '',
  })
  await owner.act(`/manage/messages/${account.id}`, { intent: 'read', seq: '2' })
  await account.act('/messages', { intent: 'read', seq: '2' })
  shop.clock.now += 1000
  await say(guest, 'Three')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'read', seq: '1' })
  await owner.act(`/manage/messages/${guest.id}`, {
    intent: 'send',
    message: 'Four',
    messageId: '',
  })
  await say(guest, 'Five')
  const counts = async () => [await unreadOf(owner), await unreadOf(guest)]
  expect(await counts()).toEqual(['1 unread message', '1 unread message'])
  shop.clock.now += 1000

  await move(guest)

  const a = account.id
  const o = 'owner'
  expect(
    (await messagesOf(shop, a)).map(({ seq, message, sender }) => [seq, message, sender]),
  ).toEqual([
    [1, 'One', a],
    [2, 'Two', o],
    [3, 'Three', a],
    [4, 'Four', o],
    [5, 'Five', a],
  ])
  expect((await messagesOf(shop, a)).map(({ createdAt }) => createdAt - shop.clock.now)).toEqual([
    -2000, -2000, -1000, -1000, -1000,
  ])
  expect(await counts()).toEqual(['1 unread message', '1 unread message'])
  expect(
    await shop.db.selectFrom('orders').select(['id', 'lastSeq', 'createdAt']).execute(),
  ).toEqual([{ id: a, lastSeq: 5, createdAt: shop.clock.now }])
  await say(guest, 'Six')
  expect((await messagesOf(shop, a)).at(-1)).toMatchObject({ seq: 6, message: 'Six' })
})

test('an item that guest and account have both requested is in the merged order once, and sales keep their receipts [S-213]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const owner = await shop.owner()
  await ask(account, 'moon', 'Moon')
  await ask(guest, 'moon', 'Moon')
  await ask(guest, 'sun', 'Sun')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'complete', itemId: 'sun', price: '9' })
  const tags = await shop.db.selectFrom('orders').select(['id', 'receiptTag']).execute()
  const tagOf = (id: string) => tags.find((row) => row.id === id)!.receiptTag

  await move(guest)

  const lines = await shop.db
    .selectFrom('orderItems')
    .select(['orderId', 'itemId', 'isSold'])
    .orderBy('position')
    .execute()
  expect(lines).toEqual([
    { orderId: account.id, itemId: 'moon', isSold: false },
    { orderId: account.id, itemId: 'sun', isSold: true },
  ])
  expect(await shop.db.selectFrom('sales').select(['buyerId', 'receiptTag']).execute()).toEqual([
    { buyerId: account.id, receiptTag: tagOf(guest.id) },
  ])
  expect(
    (await shop.db.selectFrom('orders').select('receiptTag').execute()).map(
      (row) => row.receiptTag,
    ),
  ).toEqual([tagOf(account.id)])
  const requests = await shop.db
    .selectFrom('requests')
    .select(['orderId', 'itemId'])
    .orderBy('itemId')
    .execute()
  expect(requests).toEqual([
    { orderId: account.id, itemId: 'moon' },
    { orderId: account.id, itemId: 'sun' },
  ])
  expect(
    (await owner.page(`/manage/messages/${account.id}?view=order`)).replaceAll('<!-- -->', ''),
  ).toMatch(/Sold for \$9\b/)
})

test('the guest’s pictures move, even when both conversations have a message with the same id [S-213]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const messageId = 'a'.repeat(15)
  await say(account, 'Mine', messageId)
  const image = await upload(guest)
  await send(guest, { messageId, images: image.id, message: 'Look' })
  await logInToLink(guest)
  expect(await guest.page('/link-guest/')).toContain('1 picture')

  await answerWith(guest, 'Yes', await seenBy(guest))

  expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual([
    'Mine',
    'Look',
  ])
  expect((await account.get(image.url)).status).toBe(200)
  expect(await account.page('/?messages=')).toContain(image.url.split('/').at(-1)!.split('.')[0])
})

test('a customer’s data never moves to another account, even if she was a guest when she asked for the move [S-002]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  await logInToLink(guest)
  const seen = await seenBy(guest)
  const otherTab = sameBrowser(shop, guest)
  await otherTab.act('/link-guest/', {
    intent: 'register',
    email: 'gwen@mail.test',
    password: 'a-good-password',
  })

  await answerWith(otherTab, 'Yes', seen)
  await answerWith(guest, 'Yes', seen)

  expect(await favoritesOf(shop, account.id)).toEqual([])
  expect(await favoritesOf(shop, guest.id)).toEqual(['moon'])
  const bea = await shop.customer('bea@mail.test')
  await bea.act('/link-guest/', { intent: 'login', ...clara })
  await answerWith(bea, 'Yes', seen)
  expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
  expect(await hasUser(shop, bea.id)).toBe(true)
})

test('when a guest answers "Yes" in two tabs, the data moves only once; after a logout, no data moves [S-002]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await say(guest, 'Once')
  await logInToLink(guest)
  const seen = await seenBy(guest)

  await Promise.all([answerWith(guest, 'Yes', seen), answerWith(guest, 'Yes', seen)])

  expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual(['Once'])
  const second = await shop.guest()
  await logInToLink(second)
  await sameBrowser(shop, second).post('/logout', { confirm: 'Yes', from: '/' })
  await answerWith(second, 'Yes', '')
  expect(await second.page('/about/')).toContain('Login | Register')
})

test.for([
  ['messages', 'insert'],
  ['user', 'delete'],
] as const)(
  'when a write to the table %s (%s) fails during a move, nothing is lost, and the same form works later [S-002]',
  async ([table, act]) => {
    const { shop, account, guest } = await openGuestAndAccount()
    await like(guest, 'moon')
    await ask(guest, 'star', 'Please')
    await say(account, 'Mine')
    await logInToLink(guest)
    const seen = await seenBy(guest)
    const before = await everythingOf(shop)
    await refuseWrites(shop.db, shop.dialect, table, act)

    const failed = await answerWith(guest, 'Yes', seen)

    expect(failed).toMatchObject({ status: 500, text: expect.stringContaining('nothing is lost') })
    expect(await everythingOf(shop)).toEqual(before)
    expect(await greetingOf(guest)).toBe('Hello, Guest')
    await allowWrites(shop, table)
    expect((await answerWith(guest, 'Yes', seen)).status).toBe(202)
    expect((await messagesOf(shop, account.id)).map(({ message }) => message)).toEqual([
      'Mine',
      'Please',
    ])
  },
)

const everythingOf = async ({ db }: TestShop) =>
  Promise.all(
    (
      [
        'user',
        'favorites',
        'orders',
        'orderItems',
        'messages',
        'requests',
        'readReceipts',
        'guestLinks',
      ] as const
    ).map(async (table) =>
      (await db.selectFrom(table).selectAll().execute())
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ),
  )
const allowWrites = async ({ db, dialect }: TestShop, table: string) => {
  await sql`drop trigger refusing ${sql.raw(dialect === 'postgres' ? `on "${table}"` : '')}`.execute(
    db,
  )
}

test('a message or favorite that a guest adds while her data moves is moved or refused, but never lost [S-213]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await logInToLink(guest)
  const seen = await seenBy(guest)

  const [, ...written] = await Promise.all([
    answerWith(guest, 'Yes', seen),
    ...['A', 'B', 'C'].map((text) => say(guest, text)),
    ...['moon', 'sun'].map((id) => like(guest, id)),
    say(account, 'Mine'),
  ])

  const isIn = (at: number) => written[at]!.status === 200
  const said = (
    await shop.db.selectFrom('messages').select(['message', 'seq', 'orderId']).execute()
  ).map(({ message }) => message)
  expect(said.toSorted()).toEqual(
    [...['A', 'B', 'C'].filter((_, at) => isIn(at)), 'Mine'].toSorted(),
  )
  const liked = (await shop.db.selectFrom('favorites').selectAll().execute())
    .map(({ itemId }) => itemId)
    .toSorted()
  expect(liked).toEqual(['moon', 'sun'].filter((_, at) => isIn(3 + at)).toSorted())
  for (const order of await shop.db
    .selectFrom('orders')
    .select(['id', 'lastSeq', 'userId'])
    .execute()) {
    expect([account.id, guest.id]).toContain(order.userId)
    expect((await messagesOf(shop, order.id)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: order.lastSeq }, (_, at) => at + 1),
    )
  }
})

test('a guest with a picture cannot move to an account that has 500 pictures, and keeps her conversation [S-413]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await sendImages(shop, account, IMAGE_QUOTA.customer)
  const unsent = await upload(guest)
  const emailOf = () =>
    shop.db.selectFrom('user').select('email').where('id', '=', guest.id).executeTakeFirstOrThrow()
  const email = await emailOf()
  const refused = await move(guest)
  expect(await emailOf()).toEqual(email)
  expect(refused).toMatchObject({
    status: 409,
    text: expect.stringContaining(mergeErrorTexts['account-full']),
  })
  await send(guest, { messageId: idOf('b'), images: unsent.id })
  expect((await move(guest)).status).toBe(409)
  expect(await readIn(shop, guest.id)).toMatchObject([{ images: [{ url: unsent.url }] }])
  await shop.db
    .deleteFrom('messageImages')
    .where('orderId', '=', account.id)
    .where('position', '=', 1)
    .execute()
  expect((await move(guest)).status).toBe(202)
  expect((await post(account, fileOf())).text).toBe(messageImageTexts.quota)
})
