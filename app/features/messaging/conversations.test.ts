import { expect, test } from 'vitest'
import { readConversationRow } from '#test/fixtures/chat.ts'
import { newId15 } from '#lib/text/ids.ts'
import type { User } from '#services/context.ts'
import { openTestShop, refuseWrites, type Person } from '#test/fixtures/test-shop.ts'
import { unreadOf } from '#test/fixtures/accounts.ts'
import { hiddenValueOf, pageOf, within } from '#test/fixtures/html.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { countUnread } from '#conversation/read-receipts.server.ts'
import { markRead, sendMessage, readConversation } from './messages.server.ts'
import { closeOrder } from '#orders/orders.server.ts'
import { readersOfMessage } from '#json-export/documents.server.ts'
import { MAX_MESSAGE_LENGTH } from '#conversation/message.ts'

const id15 = (character: string) => character.repeat(15)
const asUser = (id: string, role: User['role'] = 'customer'): User => ({
  id,
  role,
  name: '',
  email: '',
  image: null,
  sessionId: '',
})
const owner = asUser('owner', 'owner')

async function openShopWithAnn() {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const post = (form: Record<string, string>) => ann.post('/messages', { intent: 'send', ...form })
  const say = (message: string, messageId = '') =>
    ann.act('/messages', { intent: 'send', message, messageId })
  const reply = (message: string) =>
    sendMessage(shop.shop, owner, ann.id, { message, messageId: '' })
  const read = async (viewerId = ann.id) => (await readConversationRow(shop.db, ann.id, viewerId))!
  const rows = () =>
    shop.db.selectFrom('messages').selectAll().orderBy('orderId').orderBy('seq').execute()
  const texts = async () => (await rows()).map(({ message }) => message)
  return { shop, ann, post, say, reply, read, rows, texts }
}

const readPanel = async (person: Person, path = '/') =>
  within(
    pageOf(await person.page(`${path}?messages=`)).getByRole('complementary', { name: 'Messages' }),
  )

test('all messages of a user belong to one conversation that has the user’s uid as its id [CHAT-01, CHAT-08, ROLES-13, S-075]', async () => {
  const { shop, ann, say, read } = await openShopWithAnn()

  expect((await say('Hello', id15('a'))).status).toBe(200)
  shop.clock.now += 1000
  await say('Are you there?')

  expect(await read()).toMatchObject({
    id: ann.id,
    user: { id: ann.id, email: 'ann@mail.test' },
    messages: [
      { id: id15('a'), message: 'Hello', sender: ann.id },
      { message: 'Are you there?', sender: ann.id },
    ],
    createdAt: shop.now(),
  })
  expect(shop.changedTopics).toEqual(expect.arrayContaining(['orders', `order:${ann.id}`]))
})

test('the shop records each reader of a message once [CHAT-10, CHAT-11, CHAT-12, CHAT-13, DATA-038]', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await say('one')
  await reply('two')
  await markRead(shop.shop, owner, ann.id, 1)
  shop.clock.now += 5000

  for (let time = 0; time < 2; time++) await ann.act('/messages', { intent: 'read', seq: '2' })

  const order = await read()
  expect(order.messages.map((message) => readersOfMessage(message, order.readReceipts))).toEqual([
    [ann.id, 'owner'],
    ['owner', ann.id],
  ])
  expect(order.createdAt).toBe(shop.now())
  expect(order.unread).toBe(0)
})

test('a read receipt moves neither backward nor beyond the newest message', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await say('one')
  await reply('two')
  for (const seq of ['99999', '1', '-5', 'NaN', '1.5', '']) {
    await ann.act('/messages', { intent: 'read', seq })
  }
  expect((await read()).readReceipts).toEqual([{ reader: ann.id, seq: 2 }])

  await reply('three')
  expect(await countUnread(shop.db, asUser(ann.id))).toBe(1)
  const { createdAt } = await read()
  shop.clock.now += 1000
  shop.changedTopics.length = 0
  await ann.act('/messages', { intent: 'read', seq: '2' })

  expect((await read()).createdAt).toBe(createdAt)
  expect(shop.changedTopics).toEqual([])
})

test('each write to an order, such as a message or a read receipt, updates the time of the order [DATA-033]', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await addCategory(shop.db, 'walls').then(() => addItem(shop.db, 'moon', 'walls'))
  const stamps: number[] = []
  const writes = [
    () =>
      ann.act('/order-request', { itemId: 'moon', message: 'One of these', messageId: id15('r') }),
    () =>
      ann.act('/order-request', { itemId: 'moon', message: 'Two of these', messageId: id15('s') }),
    async () =>
      (await shop.owner()).act(`/manage/messages/${ann.id}`, {
        intent: 'remove',
        itemId: 'moon',
        confirm: 'Yes',
      }),
    () => say('a'),
    () => reply('b'),
    () => ann.act('/messages', { intent: 'read', seq: '4' }),
    () => closeOrder(shop.shop, ann.id),
  ]
  for (const write of writes) {
    shop.clock.now += 1000
    await write()
    stamps.push((await read()).createdAt - shop.now())
  }
  expect(stamps).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('the owner cannot reply in a closed order, but a message of the customer reopens the order [S-304, MSG-12, OWN-68]', async () => {
  const { shop, ann, say, reply, read, texts } = await openShopWithAnn()
  await addCategory(shop.db, 'walls').then(() => addItem(shop.db, 'moon', 'walls'))
  await ann.act('/order-request', { itemId: 'moon', message: 'first', messageId: id15('a') })
  const { receiptTag } = await read()
  await closeOrder(shop.shop, ann.id)

  expect(await reply('third')).toEqual({ ok: false, refusal: 'closed' })
  // The server has already stored this message, so it ignores the repeated message, and the order
  // stays closed.
  expect((await say('first', id15('a'))).status).toBe(200)
  expect(await read()).toMatchObject({ isClosed: true, receiptTag: null })
  const panel = await readPanel(ann)
  expect(
    panel.getByText('Your last order is closed. Writing opens the conversation again.'),
  ).toBeTruthy()
  expect(panel.queryByPlaceholderText('Order is Closed')).toBeNull()
  expect(panel.getByLabelText('Message').hasAttribute('disabled')).toBe(false)

  expect((await say('second')).status).toBe(200)

  const order = await read()
  expect(order.isClosed).toBe(false)
  expect(await texts()).toEqual(['first', 'second'])
  expect(order.receiptTag).toMatch(/^\w{8}$/)
  expect(order.receiptTag).not.toBe(receiptTag)
  expect(await reply('third')).toEqual({ ok: true })
})

test('if a message cannot be stored, the error is logged and the page shows no toast [CHAT-14]', async () => {
  const { shop, say } = await openShopWithAnn()
  await refuseWrites(shop.db, shop.dialect, 'messages', 'insert')

  const failed = await say('Hello')

  expect(failed.status).toBe(500)
  expect(failed.text).not.toContain('toasts')
  expect(shop.logged.map((line) => line.message)).toEqual(['a message could not be sent'])
})

test('the URL parameter `messages` opens the message panel for a customer, but not for a visitor or the owner [NAV-22, NAV-47, CHAT-04, CHAT-05]', async () => {
  const { shop, ann, say, reply } = await openShopWithAnn()
  await say('Is it <b>soft</b>?')
  await reply('Very.')

  for (const path of [
    '/',
    '/about',
    '/gallery',
    '/contact',
    '/testimonials',
    '/item/none',
    '/writetestimonials/none',
  ]) {
    const panel = await readPanel(ann, path)
    expect(within(panel.getByRole('log')).getByText('Is it <b>soft</b>?')).toBeTruthy()
    expect(panel.getByRole('textbox', { name: 'Message' })).toBeTruthy()
    expect(panel.getByRole('button', { name: 'Send' })).toBeTruthy()
  }
  expect(await ann.page('/')).not.toContain('role="log"')
  for (const person of [shop.visitor(), await shop.owner()]) {
    expect(await person.page('/?messages=')).not.toContain('role="log"')
  }
})

test.each([
  ['/messages', 403],
  ['/order-request', 401],
])(
  'without JavaScript, the response of %s contains the typed text if it is too long or if the session has ended [ITEM-35, S-170, S-133]',
  async (path, ended) => {
    const { shop, ann, say, texts } = await openShopWithAnn()
    await say('before')
    const form = { intent: 'send', itemId: 'moon', back: '/' }

    const long = await ann.post(path, {
      ...form,
      message: `${'x'.repeat(MAX_MESSAGE_LENGTH)} the end`,
    })
    const late = await shop.visitor().post(path, { ...form, message: 'call 555 1234' })

    expect(long.status).toBe(422)
    expect(long.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await long.text()).toMatch(/at most 10,000 characters.*x the end\n$/s)
    expect(late.status).toBe(ended)
    expect(await late.text()).toMatch(
      /(Please Login to Submit an Order Request|could not be sent).*call 555 1234\n$/s,
    )
    expect(await texts()).toEqual(['before'])
  },
)

test('the shop stores 50 messages once and with consecutive numbers, although each arrives twice at the same time [S-077, S-169]', async () => {
  const { shop, ann, post, rows } = await openShopWithAnn()
  const ownerClient = await shop.owner()
  // The customer writes first, because the owner cannot begin a conversation.
  await post({ message: 'begin' })
  const sent = Array.from({ length: 50 }, (_, number) => {
    const [person, sender] = number % 2 ? [ownerClient, 'owner'] : [ann, ann.id]
    return {
      person,
      form: {
        intent: 'send',
        writer: sender,
        orderId: ann.id,
        messageId: newId15(),
        message: `text ${number}`,
      },
    }
  })
  // The test sends each message twice, because a browser sends a message again when its response is
  // lost.
  const answers = await Promise.all(
    [...sent, ...sent].map(({ person, form }) => person.post('/messages', form)),
  )
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ok: true })
  }

  const stored = (await rows()).slice(1)
  expect(stored.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index + 2))
  expect(stored.map(({ sender, message }) => `${sender} ${message}`).toSorted()).toEqual(
    sent.map(({ form }) => `${form.writer} ${form.message}`).toSorted(),
  )
  const [hers, owners] = await Promise.all(
    [ann.id, 'owner'].map((viewer) => readConversation(shop.db, ann.id, viewer)),
  )
  expect(hers!.messages).toEqual(owners!.messages)
  const unread = [
    await countUnread(shop.db, { id: ann.id, role: 'customer' }),
    await countUnread(shop.db, { id: 'owner', role: 'owner' }),
  ]
  expect(unread).toEqual([25, 26])
})

const odd = {
  'emoji with several code points': '👩‍👩‍👧‍👦 🇵🇱 👍🏽',
  'right to left': 'שלום, מה המחיר? 12,50 ₪',
  'zero width alone': '\u200B\u200D\uFEFF',
  'spaces and breaks alone': ' \n\t\n ',
  'HTML and script': '</p><script>alert(1)</script><img src=x onerror=alert(1)>',
  'a text like SQL': "'); drop table messages; --",
  'many combining marks': `Z${'\u0351'.repeat(200)}`,
  'a replacement character': 'caf\uFFFD',
  'a very long word': 'x'.repeat(MAX_MESSAGE_LENGTH),
}

test('the shop stores any message as written and shows it as plain text [CHAT-07, S-133, S-074]', async () => {
  const { ann, post, texts } = await openShopWithAnn()
  for (const [name, message] of Object.entries({ empty: '', ...odd })) {
    expect((await post({ message })).status, name).toBe(200)
  }
  expect(await texts()).toEqual(['', ...Object.values(odd)])

  const html = await ann.page('/about?messages=')
  expect(html).not.toContain('<script>alert(1)')
  expect(html).not.toContain('<img src=x')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

test('the shop removes control characters from a message and counts a line break as one character of the length limit [S-172, S-133]', async () => {
  const { post, texts } = await openShopWithAnn()
  await post({ message: 'a\u0000\u0007\u009b\u202e\u2066b' })
  await post({ message: 'one\r\ntwo' })
  const lines = `${'x'.repeat(MAX_MESSAGE_LENGTH / 2 - 1)}\r\n${'y'.repeat(MAX_MESSAGE_LENGTH / 2)}`
  expect((await post({ message: lines })).status).toBe(200)
  const tooLong = await post({ message: `${lines}!` })
  expect(tooLong.status).toBe(422)
  expect(await tooLong.json()).toMatchObject({
    ok: false,
    error: expect.stringContaining('10,000'),
  })
  expect(await texts()).toEqual(['ab', 'one\ntwo', lines.replace('\r\n', '\n')])
})

test('a customer’s answer marks only the messages that she saw as read, not messages that arrived later [OWN-70]', async () => {
  const { ann, reply, post } = await openShopWithAnn()
  await post({ message: 'Hello' })
  await reply('one')
  await reply('two')
  expect(await unreadOf(ann)).toBe('2 unread messages')
  const seen = hiddenValueOf(await ann.page('/?messages='), 'seen')!
  await reply('three')
  await post({ message: 'Thanks', seen })
  expect(await unreadOf(ann)).toBe('1 unread message')
})

test('the shop refuses a message if the writer in the form is not the signed-in user [ROLES-13, ROLES-26, S-170]', async () => {
  const { shop, ann, rows } = await openShopWithAnn()
  const ownerClient = await shop.owner()
  const ben = await shop.customer('ben@mail.test')
  await ben.post('/messages', { intent: 'send', message: 'mine', writer: ben.id })

  const swapped = await ben.post('/messages', {
    intent: 'send',
    message: 'secret',
    writer: ann.id,
    orderId: ann.id,
  })
  expect(swapped.status).toBe(403)
  expect(await swapped.json()).toMatchObject({ ok: false })
  expect(
    (
      await ben.post('/messages', {
        intent: 'send',
        message: 'forged',
        orderId: ann.id,
        sender: 'owner',
        seq: '99',
        createdAt: '1',
      })
    ).status,
  ).toBe(200)
  expect(
    (await shop.visitor().post('/messages', { intent: 'send', message: 'x', writer: ann.id }))
      .status,
  ).toBe(403)
  for (const orderId of ['none', '', ann.id]) {
    expect(
      (
        await ownerClient.post('/messages', {
          intent: 'send',
          message: 'nowhere',
          orderId,
          writer: 'owner',
        })
      ).status,
    ).toBe(404)
  }
  expect(
    (
      await ownerClient.post('/messages', {
        intent: 'send',
        message: 'x',
        orderId: ben.id,
        writer: ben.id,
      })
    ).status,
  ).toBe(403)

  expect((await rows()).map(({ orderId, sender, message }) => [orderId, sender, message])).toEqual([
    [ben.id, ben.id, 'mine'],
    [ben.id, ben.id, 'forged'],
  ])
})

test('if another text or another sender has already used a message id, the shop stores the message under a new id [S-077]', async () => {
  const { shop, ann, post, texts, rows } = await openShopWithAnn()
  const messageId = newId15()
  for (const message of ['first', 'first', 'second', 'first']) {
    expect((await post({ messageId, message })).status).toBe(200)
  }
  await sendMessage(shop.shop, owner, ann.id, { message: 'first', messageId })
  expect(await texts()).toEqual(['first', 'second', 'first'])
  expect((await rows())[0]!.id).toBe(messageId)
})

test('the shop stores a message once when its form is submitted twice without JavaScript [S-169]', async () => {
  const { ann, texts } = await openShopWithAnn()
  const readMessageId = async () => hiddenValueOf(await ann.page('/about?messages='), 'messageId')!
  const messageId = await readMessageId()
  expect(messageId).toMatch(/^\w{15}$/)
  expect(await readMessageId()).not.toBe(messageId)

  const press = () =>
    ann.post('/messages', { intent: 'send', messageId, message: 'Hello', back: '/about?messages=' })
  const answers = await Promise.all([press(), press()])
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    Array(2).fill([303, '/about?messages=']),
  )
  expect(await texts()).toEqual(['Hello'])
})

test('the shop limits how many messages a customer sends, but does not limit the owner', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const ann = await shop.customer()
  const statuses = []
  for (let count = 0; count < 120; count++) {
    statuses.push((await ann.post('/messages', { intent: 'send', message: String(count) })).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  const refused = await ann.post('/messages', { intent: 'send', message: '120' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toMatch(
    /That was a lot in a short time. Please wait (a minute|\d+ seconds) and try again\./,
  )
  expect(
    (
      await (
        await shop.owner()
      ).post('/messages', { intent: 'send', message: 'Yes?', orderId: ann.id })
    ).status,
  ).toBe(200)
})
