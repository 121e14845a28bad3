import { expect, test } from 'vitest'
import { markRead, sendMessage } from '#app/features/messaging/conversations.server.ts'
import { closeOrder, deleteConversation } from '#app/features/orders/owner-actions.server.ts'
import { clearGuest } from '#app/features/auth/guests/delete-guests.server.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import type { User } from '#app/platform/context.ts'
import { openSmtp, refusal } from '#test/open-smtp.ts'
import { openTestShop, ORIGIN, OWNER } from '#test/open-test-shop.ts'
import { originOfLetters } from '#app/platform/env.server.ts'
import { remindOfUnread, startReminders } from './reminders.server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const owner: User = { id: 'owner', role: 'admin', name: '', email: '', image: null, sessionId: '' }

async function openShopWithAnn(setup: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(setup)
  const ann = await shop.customer()
  const say = (message: string) => ann.act('/messages', { intent: 'send', message })
  const reply = (message: string, orderId = ann.id) => sendMessage(shop.shop, owner, orderId, { message, messageId: '' })
  const look = (after = 0) => {
    shop.clock.now += after
    return remindOfUnread(shop.shop, ORIGIN)
  }
  const letters = () =>
    shop.db
      .selectFrom('outbox')
      .select(['toAddress', 'replyTo', 'subject', 'text', 'sentAt', 'failedAt'])
      .orderBy('createdAt')
      .orderBy('toAddress')
      .execute()
  const count = async () => (await letters()).length
  return { shop, ann, say, reply, look, letters, count }
}

test('S-180 S-182 a reply that stays unread for fifteen minutes becomes a letter to the customer, with a link back', async () => {
  const { shop, ann, reply, look, letters } = await openShopWithAnn()
  await reply('no conversation yet')
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  await ann.act('/messages', { intent: 'read', seq: '1' })
  await markRead(shop.shop, owner, ann.id, 1)
  await reply('It is <b>yours</b>')
  await look(15 * MINUTE - 1)
  expect(await letters()).toEqual([])

  await look(1)

  const [letter, ...others] = await letters()
  expect(others).toEqual([])
  expect(letter).toMatchObject({ toAddress: 'ann@mail.test', replyTo: OWNER.email, subject: 'A message for you at Knots & Love' })
  expect(letter!.text).toContain(`${ORIGIN}/login/?messages=\n`)
  expect(letter!.text).toMatch(/^Hello ann,\n\nOwner of Knots & Love has sent you a message that you have not read yet\./)
  // Her address was never confirmed.
  expect(letter!.text).not.toContain('yours')
  expect(letter!.sentAt).not.toBeNull()
})

test('S-181 a burst is one letter, which says how many there are; the next burst gets the next letter', async () => {
  const { shop, ann, reply, look, letters, count } = await openShopWithAnn()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  await markRead(shop.shop, owner, ann.id, 1)
  for (const text of ['one', 'two', 'three']) {
    await reply(text)
    shop.clock.now += 4 * MINUTE
  }
  await look(3 * MINUTE)
  expect((await letters()).map(({ subject }) => subject)).toEqual(['3 messages for you at Knots & Love'])
  await reply('four')
  for (let i = 0; i < 3; i++) await look(HOUR)
  expect(await count()).toBe(1)

  await ann.act('/messages', { intent: 'read', seq: '5' })
  await reply('five')
  await look(HOUR)

  expect(await count()).toBe(2)
})

test('S-181 whoever reads nothing hears of newer messages after a quiet day, and never twice of the same', async () => {
  const { ann, shop, reply, look, letters, count } = await openShopWithAnn()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  await markRead(shop.shop, owner, ann.id, 1)
  await reply('one')
  await look(HOUR)
  await look(48 * HOUR)
  expect(await count()).toBe(1)

  await reply('two')
  await look(HOUR)

  expect((await letters()).map(({ subject }) => subject)).toEqual([
    'A message for you at Knots & Love',
    'A message for you at Knots & Love',
  ])
})

test('S-180 what is read, or answered, in time becomes no letter', async () => {
  const { ann, shop, say, reply, look, count } = await openShopWithAnn()
  await say('Hello')
  await reply('Hello Ann')
  await ann.act('/messages', { intent: 'read', seq: '2' })
  await look(HOUR)
  // The owner's own answer says that she has read, though she has not pressed "mark as read".
  expect(await count()).toBe(0)

  await reply('Anything else?')
  await say('No, thank you')
  await markRead(shop.shop, owner, ann.id, 4)
  await look(HOUR)
  expect(await count()).toBe(0)
})

test('S-180 S-182 the owner hears of all that waits in one letter, each with its beginning and its link; it goes where she reads', async () => {
  const { shop, ann, say, look, letters } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await saveSettings(shop.db, { email: 'marisol@mail.test' }, shop.now())
  await say(`Is it soft?\n${'x'.repeat(500)}`)
  shop.clock.now += 14 * MINUTE
  await ben.act('/messages', { intent: 'send', message: '' })
  await ben.act('/messages', { intent: 'send', message: 'Do you ship?' })

  await look(MINUTE)

  const [letter, ...others] = await letters()
  expect(others).toEqual([])
  expect(letter).toMatchObject({ toAddress: 'marisol@mail.test', subject: '2 customers wrote to you at Knots & Love' })
  expect(letter!.text).toMatch(/ann \(ann@mail\.test\), 1 unread message\n> Is it soft\? x{188}…\n/)
  expect(letter!.text).toContain(`> Do you ship?\n${ORIGIN}/login/?messages=${ben.id}\n`)
  expect(letter!.text).toContain(`${ORIGIN}/login/?messages=${ann.id}\n`)

  await look(HOUR)
  await say('One more')
  await look(HOUR)
  expect(await letters()).toHaveLength(1)
})

test('S-183 no letter to a guest, to somebody who has gone, about the contact page, or about old news', async () => {
  const { shop, ann, reply, say, look, letters } = await openShopWithAnn()
  const guest = await shop.guest()
  await guest.act('/messages', { intent: 'send', message: 'Hello' })
  await markRead(shop.shop, owner, guest.id, 1)
  await reply('For a guest', guest.id)
  const stamp = await shop.formTime.stamp(shop.now() - MINUTE)
  await shop.visitor().act('/contact/', { stamp, name: 'Dora', email: 'dora@mail.test', phone: '0123456789', message: 'Curtains?' })
  await look(HOUR)
  await clearGuest(shop.shop, guest.id)
  await look(HOUR)
  expect((await letters()).map(({ subject }) => subject)).toEqual(['Message from Dora'])

  // Unread for four days while the shop was away, or the letters were off.
  await say('old')
  await markRead(shop.shop, owner, ann.id, 1)
  await reply('older')
  await look(96 * HOUR)
  expect(await letters()).toHaveLength(1)
})

test('S-183 the owner may choose another time, or none', async () => {
  const { shop, say, look, count } = await openShopWithAnn()
  await saveSettings(shop.db, { reminderMinutes: 0 }, shop.now())
  await say('Hello')
  await look(5 * HOUR)
  expect(await count()).toBe(0)
  await saveSettings(shop.db, { reminderMinutes: 240 }, shop.now())
  await say('Hello?')
  await look(4 * HOUR - 1)
  expect(await count()).toBe(1)
})

test('S-181 two processes that look at the same moment send one letter; a shop that starts anew sends none again', async () => {
  const { shop, ann, say, reply, look, letters } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await say('Hello')
  await ben.act('/messages', { intent: 'send', message: 'Hello' })
  for (const { id } of [ann, ben]) {
    await reply('For you', id)
    await sendMessage(shop.shop, owner, id, { message: 'And this', messageId: '' })
  }
  for (const person of [ann, ben]) await person.act('/messages', { intent: 'send', message: 'Thanks' })
  for (const { id } of [ann, ben]) await reply('You are welcome', id)
  shop.clock.now += HOUR

  await Promise.all([look(), look(), look()])
  await look()
  const stop = startReminders(shop.shop, ORIGIN)
  await stop()

  expect((await letters()).map(({ toAddress }) => toAddress)).toEqual(['ann@mail.test', 'ben@mail.test'])
})

test('S-181 a letter that waits is not sent once its messages were read, answered or deleted; one that failed for good stays to be seen', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const { shop, ann, say, look, letters, count } = await openShopWithAnn({ smtpUrl: smtp.url })
  await say('Hello')
  await look(HOUR)
  expect(await letters()).toMatchObject([{ toAddress: OWNER.email, sentAt: null }])
  await look()
  expect(await count()).toBe(1)
  await markRead(shop.shop, owner, ann.id, 1)
  shop.heard.length = 0
  await look()
  expect([await count(), shop.heard]).toEqual([0, ['mail']])

  await say('Again')
  await look(HOUR)
  await sendMessage(shop.shop, owner, ann.id, { message: 'Yes?', messageId: '' })
  await look()
  expect(await count()).toBe(0)

  await ann.act('/messages', { intent: 'read', seq: '3' })
  await say('A third time')
  await look(HOUR)
  await deleteConversation(shop.shop, owner, ann.id)
  await look()
  expect(await count()).toBe(0)

  smtp.manners.recipient = () => refusal(550, 'no such mailbox')
  await say('Anew')
  await look(HOUR)
  await markRead(shop.shop, owner, ann.id, 1)
  await look()
  expect(await letters()).toMatchObject([{ toAddress: OWNER.email, failedAt: expect.any(Number) }])
  expect(smtp.received).toEqual([])
})

test('S-180 a closed order still tells of what was said before', async () => {
  const { shop, ann, say, reply, look, letters } = await openShopWithAnn()
  await say('Hello')
  await reply('Sold, thank you')
  await closeOrder(shop.shop, owner, ann.id)
  await look(HOUR)
  expect((await letters()).map(({ toAddress }) => toAddress)).toEqual(['ann@mail.test'])
})

test('S-182 the link of a letter leads to the conversation, past the login for whoever is not signed in, and to nobody else’s', async () => {
  const { shop, ann, say } = await openShopWithAnn()
  await say('Hello')
  const location = async (from: Promise<Response>) => (await from).headers.get('location')
  const hers = `/login/?messages=${ann.id}`

  expect(await location((await shop.owner()).get(hers))).toBe(`/manage/messages/${ann.id}`)
  expect(await location(ann.get('/login/?messages='))).toBe('/?messages=')
  expect(await location(ann.get(hers))).toBe('/?messages=')
  expect(await location(ann.get('/login/'))).toBe('/')

  const visitor = shop.visitor()
  expect(await visitor.page(hers)).toContain(`action="/login/?messages=${ann.id}"`)
  expect(await location(visitor.post(hers, { intent: 'login', ...OWNER }))).toBe(`/manage/messages/${ann.id}`)
  const other = shop.visitor()
  expect(await location(other.post('/login/?messages=', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' }))).toBe(
    '/?messages=',
  )
  expect(await location((await shop.owner()).get('/login/?messages=..%2F..%2F%2Fevil.test'))).toBe(
    '/manage/messages/..%2F..%2F%2Fevil.test',
  )
})

test('S-182 links lead to PUBLIC_URL, without it only to a machine that serves itself; without any the letter says how to find the way', async () => {
  expect(originOfLetters({ publicUrl: 'https://shop.example', host: '0.0.0.0', port: 80 })).toBe('https://shop.example')
  expect(originOfLetters({ publicUrl: null, host: '127.0.0.1', port: 3000 })).toBe('http://localhost:3000')
  expect(originOfLetters({ publicUrl: null, host: '0.0.0.0', port: 3000 })).toBeNull()

  const { shop, say, ann, reply, letters } = await openShopWithAnn()
  await say('Hello')
  await reply('Yes')
  await say('Good')
  await reply('Fine')
  shop.clock.now += HOUR
  await remindOfUnread(shop.shop, null)
  const [letter] = await letters()
  expect(letter!.text).toContain('open Knots & Love, sign in and press the bell')
  expect(letter!.text).not.toMatch(/http|null|undefined/)
  expect(letter!.toAddress).toBe('ann@mail.test')
  expect(ann.id).not.toBe('')
})

test('S-180 a round that fails is logged, and the next one makes up for it', async () => {
  const { shop, say, look, count } = await openShopWithAnn()
  await say('Hello')
  shop.clock.now += HOUR
  await shop.db.schema.alterTable('orders').renameTo('away').execute()
  const stop = startReminders(shop.shop, ORIGIN)
  await stop()
  expect(shop.logged.map(({ message }) => message)).toEqual(['unread messages could not be looked for'])
  await shop.db.schema.alterTable('away').renameTo('orders').execute()
  await look()
  expect(await count()).toBe(1)
})
