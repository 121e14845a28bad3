import { expect, test } from 'vitest'
import { markRead, sendMessage, deleteConversation } from '../messages.server.ts'
import { deleteGuest } from '#auth/guests/delete-guests.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import type { User } from '#services/context.ts'
import { openSmtp, refusal } from '#test/fixtures/email.ts'
import { openTestShop, ORIGIN, OWNER } from '#test/fixtures/test-shop.ts'
import { emailLinkOrigin } from '#lib/config/env.server.ts'
import { sendReminders, startReminders } from './reminders.server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const owner: User = { id: 'owner', role: 'owner', name: '', email: '', image: null, sessionId: '' }

async function openShopWithAnn(setup: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(setup)
  const ann = await shop.customer()
  const say = (message: string) => ann.act('/messages', { intent: 'send', message })
  const reply = (message: string, orderId = ann.id) =>
    sendMessage(shop.shop, owner, orderId, { message, messageId: '' })
  /** Ann sends a message and the owner reads it, so that only the owner's next reply is unread. */
  const beginConversation = async () => {
    await say('Hello')
    await markRead(shop.shop, owner, ann.id, 1)
  }
  const runReminders = (after = 0) => {
    shop.clock.now += after
    return sendReminders(shop.shop)
  }
  const emails = () =>
    shop.db
      .selectFrom('outbox')
      .select(['toAddress', 'replyTo', 'subject', 'text', 'sentAt', 'failedAt'])
      .orderBy('createdAt')
      .orderBy('toAddress')
      .execute()
  const count = async () => (await emails()).length
  return { shop, ann, say, reply, beginConversation, runReminders, emails, count }
}

test('an email to an unconfirmed address does not contain the name that its user has typed [S-425]', async () => {
  const { shop, ann, beginConversation, reply, runReminders, emails } = await openShopWithAnn()
  await beginConversation()
  await shop.db
    .updateTable('user')
    .set({ name: 'Win at evil.test' })
    .where('id', '=', ann.id)
    .execute()
  await reply('One')
  await runReminders(15 * MINUTE)
  await shop.db.updateTable('user').set({ emailVerified: true }).where('id', '=', ann.id).execute()
  await reply('Two')
  await runReminders(25 * HOUR)
  expect((await emails()).map(({ text }) => text.split('\n')[0])).toEqual([
    'Hello ann,',
    'Hello Win at evil.test,',
  ])
})

test('the shop emails a customer a link to a reply that stays unread for fifteen minutes [S-180, S-182]', async () => {
  const { shop, ann, reply, runReminders, emails } = await openShopWithAnn()
  await reply('no conversation yet')
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  await ann.act('/messages', { intent: 'read', seq: '1' })
  await markRead(shop.shop, owner, ann.id, 1)
  await reply('It is <b>yours</b>')
  await runReminders(15 * MINUTE - 1)
  expect(await emails()).toEqual([])

  await runReminders(1)

  const [email, ...others] = await emails()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    toAddress: 'ann@mail.test',
    replyTo: OWNER.email,
    subject: 'A message for you at Knots & Love',
  })
  expect(email!.text).toContain(`${ORIGIN}/login/?messages=\n`)
  expect(email!.text).toMatch(
    /^Hello ann,\n\nKnots & Love has sent you a message that you have not read yet\./,
  )
  expect(email!.text).not.toContain('yours')
  expect(email!.sentAt).not.toBeNull()
})

test('the shop sends one email about several unread messages, and no second email within a day while they stay unread [S-181]', async () => {
  const { shop, ann, reply, beginConversation, runReminders, emails } = await openShopWithAnn()
  const subjects = async () => (await emails()).map(({ subject }) => subject)
  await beginConversation()
  for (const text of ['one', 'two', 'three']) {
    await reply(text)
    shop.clock.now += 4 * MINUTE
  }
  await runReminders(3 * MINUTE)
  await reply('four')
  for (let i = 0; i < 3; i++) await runReminders(HOUR)
  expect(await subjects()).toEqual(['3 messages for you at Knots & Love'])

  for (let i = 0; i < 3; i++) await runReminders(24 * HOUR)
  expect(await subjects()).toEqual([
    '3 messages for you at Knots & Love',
    'A message for you at Knots & Love',
  ])

  await ann.act('/messages', { intent: 'read', seq: '5' })
  await reply('five')
  await runReminders(HOUR)
  expect(await subjects()).toHaveLength(3)
})

test('the shop sends no email about messages that were read or answered before the email was due [S-180]', async () => {
  const { ann, shop, say, reply, runReminders, count } = await openShopWithAnn()
  await say('Hello')
  await reply('Hello Ann')
  await ann.act('/messages', { intent: 'read', seq: '2' })
  await runReminders(HOUR)
  // The owner has replied to Ann's message, so the shop sends the owner no email about this
  // message.
  expect(await count()).toBe(0)

  await reply('Anything else?')
  await say('No, thank you')
  await markRead(shop.shop, owner, ann.id, 4)
  await runReminders(HOUR)
  expect(await count()).toBe(0)
})

test('the shop sends the owner one email that lists all customers who wrote, with links to their conversations [S-180, S-182]', async () => {
  const { shop, ann, say, runReminders, emails } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await saveSettings(shop.db, { email: 'marisol@mail.test' }, shop.now())
  await say(`Is it soft?\n${'x'.repeat(500)}`)
  shop.clock.now += 14 * MINUTE
  await ben.act('/messages', { intent: 'send', message: '' })
  await ben.act('/messages', { intent: 'send', message: 'Do you ship?' })

  await runReminders(MINUTE)

  const [email, ...others] = await emails()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    toAddress: 'marisol@mail.test',
    subject: '2 customers wrote to you at Knots & Love',
  })
  expect(email!.text).toMatch(/ann \(ann@mail\.test\), 1 unread message\n> Is it soft\? x{188}…\n/)
  expect(email!.text).toContain(
    `ben (ben@mail.test), 2 unread messages\n> Do you ship?\n${ORIGIN}/login/?messages=${ben.id}\n`,
  )
  expect(email!.text).toContain(`${ORIGIN}/login/?messages=${ann.id}\n`)

  await runReminders(HOUR)
  await say('One more')
  await runReminders(HOUR)
  expect(await emails()).toHaveLength(1)
})

test('the shop sends no reminder to guests, deleted users or senders of contact messages, or about old messages [S-183]', async () => {
  const { shop, ann, reply, say, runReminders, emails } = await openShopWithAnn()
  const guest = await shop.guest()
  await guest.act('/messages', { intent: 'send', message: 'Hello' })
  await markRead(shop.shop, owner, guest.id, 1)
  await reply('For a guest', guest.id)
  const stamp = await shop.formTimestamp.stamp(shop.now() - MINUTE)
  await shop.visitor().act('/contact/', {
    stamp,
    name: 'Dora',
    email: 'dora@mail.test',
    phone: '0123456789',
    message: 'Curtains?',
  })
  await runReminders(HOUR)
  await deleteGuest(shop.shop, guest.id)
  await runReminders(HOUR)
  expect((await emails()).map(({ subject }) => subject)).toEqual(['Message from Dora'])

  // These messages stay unread for four days, as after a long outage of the shop.
  await say('old')
  await markRead(shop.shop, owner, ann.id, 1)
  await reply('older')
  await runReminders(96 * HOUR)
  expect(await emails()).toHaveLength(1)
})

test('the shop sends reminders after the time that the owner has chosen, or never if she has turned them off [S-183]', async () => {
  const { shop, say, runReminders, count } = await openShopWithAnn()
  await saveSettings(shop.db, { reminderMinutes: 0 }, shop.now())
  await say('Hello')
  await runReminders(5 * HOUR)
  expect(await count()).toBe(0)
  await saveSettings(shop.db, { reminderMinutes: 240 }, shop.now())
  await say('Hello?')
  await runReminders(4 * HOUR - 1)
  expect(await count()).toBe(1)
})

test('if several processes check for unread messages at the same time, the shop sends only one email [S-181]', async () => {
  const { shop, reply, beginConversation, runReminders, emails } = await openShopWithAnn()
  await beginConversation()
  await reply('For you')
  shop.clock.now += HOUR

  await Promise.all([runReminders(), runReminders(), runReminders()])
  const stop = startReminders(shop.shop)
  await stop()

  expect((await emails()).map(({ toAddress }) => toAddress)).toEqual(['ann@mail.test'])
})

test('the shop deletes an unsent reminder email when its messages are read, answered or deleted [S-181]', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const { shop, ann, say, runReminders, emails, count } = await openShopWithAnn({
    smtpUrl: smtp.url,
  })
  await say('Hello')
  await runReminders(HOUR)
  expect(await emails()).toMatchObject([{ toAddress: OWNER.email, sentAt: null }])
  await runReminders()
  expect(await count()).toBe(1)
  await markRead(shop.shop, owner, ann.id, 1)
  shop.changedTopics.length = 0
  await runReminders()
  expect(await count()).toBe(0)
  expect(shop.changedTopics).toEqual(['mail'])

  await say('Again')
  await runReminders(HOUR)
  await sendMessage(shop.shop, owner, ann.id, { message: 'Yes?', messageId: '' })
  await runReminders()
  expect(await count()).toBe(0)

  await ann.act('/messages', { intent: 'read', seq: '3' })
  await say('A third time')
  await runReminders(HOUR)
  await deleteConversation(shop.shop, ann.id)
  await runReminders()
  expect(await count()).toBe(0)

  smtp.manners.recipient = () => refusal(550, 'no such mailbox')
  await say('Again')
  await runReminders(HOUR)
  await markRead(shop.shop, owner, ann.id, 1)
  await runReminders()
  expect(await emails()).toMatchObject([{ toAddress: OWNER.email, failedAt: expect.any(Number) }])
  expect(smtp.received).toEqual([])
})

test('the link in an email opens the user’s own conversation, after a login if needed [S-182]', async () => {
  const { shop, ann, say } = await openShopWithAnn()
  await say('Hello')
  const location = async (from: Promise<Response>) => (await from).headers.get('location')
  const link = `/login/?messages=${ann.id}`

  expect(await location((await shop.owner()).get(link))).toBe(`/manage/messages/${ann.id}`)
  expect(await location(ann.get(link))).toBe('/?messages=')

  const visitor = shop.visitor()
  expect(await visitor.page(link)).toContain(`action="/login/?messages=${ann.id}"`)
  expect(await location(visitor.post(link, { intent: 'login', ...OWNER }))).toBe(
    `/manage/messages/${ann.id}`,
  )
  const evil = (await shop.owner()).get('/login/?messages=..%2F..%2F%2Fevil.test')
  expect(await location(evil)).toBe('/manage/messages/..%2F..%2F%2Fevil.test')
})

test.each([
  ['https://shop.example', '0.0.0.0', 'https://shop.example'],
  [null, '127.0.0.1', 'http://localhost:3000'],
  [null, '0.0.0.0', null],
])(
  'with PUBLIC_URL %s and the host %s, the origin of links in emails is %s (null: no links) [S-182]',
  (publicUrl, host, origin) => {
    expect(emailLinkOrigin({ publicUrl, host, port: 3000 })).toBe(origin)
  },
)

test('when the shop does not know its own URL, emails describe how to open the conversation [S-182]', async () => {
  const { shop, reply, beginConversation, emails } = await openShopWithAnn()
  await beginConversation()
  await reply('Yes')
  shop.clock.now += HOUR
  await sendReminders({ ...shop.shop, emailLinkOrigin: null })
  const [email] = await emails()
  expect(email!.text).toContain('open Knots & Love, log in and press the bell')
  expect(email!.text).not.toMatch(/http|null|undefined/)
})

test('when sending reminders fails, the shop logs the error, and the next attempt sends the reminders [S-180]', async () => {
  const { shop, say, runReminders, count } = await openShopWithAnn()
  await say('Hello')
  shop.clock.now += HOUR
  await shop.db.schema.alterTable('orders').renameTo('away').execute()
  const stop = startReminders(shop.shop)
  await stop()
  expect(shop.logged.map(({ message }) => message)).toEqual([
    'unread messages could not be searched',
  ])
  await shop.db.schema.alterTable('away').renameTo('orders').execute()
  await runReminders()
  expect(await count()).toBe(1)
})
