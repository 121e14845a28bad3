import { expect, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { countUnread, readConversation } from './conversations.server.ts'
import { MAX_MESSAGE } from '#app/features/orders/order.ts'

async function openShopWithAnn() {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const post = (form: Record<string, string>) => ann.post('/messages', { intent: 'send', ...form })
  const rows = () => shop.db.selectFrom('messages').selectAll().orderBy('orderId').orderBy('seq').execute()
  const texts = async () => (await rows()).map(({ message }) => message)
  return { shop, ann, owner, post, rows, texts }
}

test('S-077 S-169 50 clients write to one conversation at once: all messages, one order, the same for both', async () => {
  const { shop, ann, owner, rows } = await openShopWithAnn()
  const CLIENTS = 50
  const EACH = 2
  const client = async (number: number) => {
    const [person, sender] = number % 2 ? [owner, 'owner'] : [ann, ann.id]
    for (let at = 0; at < EACH; at++) {
      const form = { intent: 'send', writer: sender, orderId: ann.id, messageId: newId15(), message: `${number}.${at}` }
      // Every other one twice at once, as after an answer that was lost.
      const answers = await Promise.all(Array.from({ length: at % 2 === 0 ? 2 : 1 }, () => person.post('/messages', form)))
      for (const answer of answers) expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
    }
  }
  // The owner cannot begin a conversation.
  expect((await ann.post('/messages', { intent: 'send', message: 'begin' })).status).toBe(200)
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

  const kept = (await rows()).slice(1)
  expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: CLIENTS * EACH }, (_, at) => at + 2))
  expect(new Set(kept.map(({ message }) => message)).size).toBe(CLIENTS * EACH)
  for (let number = 0; number < CLIENTS; number++) {
    const own = kept.filter(({ message }) => message.startsWith(`${number}.`))
    expect(own.map(({ message }) => message)).toEqual(Array.from({ length: EACH }, (_, at) => `${number}.${at}`))
    expect(new Set(own.map(({ sender }) => sender))).toEqual(new Set([number % 2 ? 'owner' : ann.id]))
  }
  const [hers, owners] = await Promise.all([ann.id, 'owner'].map((viewer) => readConversation(shop.db, ann.id, viewer)))
  expect(hers!.messages).toEqual(owners!.messages)
  const unread = await Promise.all(
    (
      [
        [ann.id, 'customer'],
        ['owner', 'admin'],
      ] as const
    ).map(([id, role]) => countUnread(shop.db, { id, role })),
  )
  expect(unread).toEqual([(CLIENTS * EACH) / 2, (CLIENTS * EACH) / 2 + 1])
})

const odd = {
  'emoji of several parts': '👩‍👩‍👧‍👦 🇵🇱 👍🏽',
  'right to left': 'שלום, מה המחיר? 12,50 ₪',
  'a mark that turns the direction': 'invoice\u202Egpj.exe',
  'zero width alone': '\u200B\u200D\uFEFF',
  'spaces and breaks alone': ' \n\t\n ',
  'HTML and script': '</p><script>alert(1)</script><img src=x onerror=alert(1)>',
  'a text like SQL': "'); drop table messages; --",
  'many combining marks': `Z${'\u0351'.repeat(200)}`,
  'a sign for what could not be read': 'caf\uFFFD',
  'a word without end': 'x'.repeat(MAX_MESSAGE),
}

test('CHAT-07 S-133 S-074 whatever a keyboard can write is kept as it was written and shown as text', async () => {
  const { ann, post, texts } = await openShopWithAnn()
  for (const [name, message] of Object.entries({ empty: '', ...odd })) expect([name, (await post({ message })).status]).toEqual([name, 200])
  expect(await texts()).toEqual(['', ...Object.values(odd)])

  const html = await ann.page('/about?messages=')
  expect(html).not.toContain('<script>alert(1)')
  expect(html).not.toContain('<img src=x')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

test('S-172 what no keyboard writes is left out, a line break counts once, and the limit is the same with and without script', async () => {
  const { post, texts } = await openShopWithAnn()
  await post({ message: 'a\u0000b' })
  await post({ message: 'one\r\ntwo' })
  const lines = `${'x'.repeat(MAX_MESSAGE / 2 - 1)}\r\n${'y'.repeat(MAX_MESSAGE / 2)}`
  expect((await post({ message: lines })).status).toBe(200)
  const over = await post({ message: `${lines}!` })
  expect([over.status, await over.json()]).toMatchObject([422, { ok: false, error: expect.stringContaining('10,000') }])
  expect(await texts()).toEqual(['ab', 'one\ntwo', lines.replace('\r\n', '\n')])
})

test('ROLES-13 ROLES-26 S-170 a message goes into the conversation of whom the session knows, and only if she wrote it', async () => {
  const { shop, ann, owner, rows } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await ben.post('/messages', { intent: 'send', message: 'mine', writer: ben.id })

  // Written as Ann, sent when Ben had signed in in another tab.
  const swapped = await ben.post('/messages', { intent: 'send', message: 'secret', writer: ann.id, orderId: ann.id })
  expect([swapped.status, (await swapped.json()).ok]).toEqual([403, false])
  expect((await ben.post('/messages', { intent: 'send', message: 'forged', orderId: ann.id, sender: ann.id })).status).toBe(200)
  expect((await shop.visitor().post('/messages', { intent: 'send', message: 'x', writer: ann.id })).status).toBe(403)
  for (const orderId of ['none', '', ann.id])
    expect((await owner.post('/messages', { intent: 'send', message: 'nowhere', orderId, writer: 'owner' })).status).toBe(404)
  expect((await owner.post('/messages', { intent: 'send', message: 'x', orderId: ben.id, writer: ben.id })).status).toBe(403)

  expect((await rows()).map(({ orderId, sender, message }) => [orderId, sender, message])).toEqual([
    [ben.id, ben.id, 'mine'],
    [ben.id, ben.id, 'forged'],
  ])
})

test('S-077 an id that comes with another text is another message: a page without script, filled in anew after Back', async () => {
  const { post, texts, rows } = await openShopWithAnn()
  const messageId = newId15()
  for (const message of ['first', 'first', 'second', 'first']) expect((await post({ messageId, message })).status).toBe(200)
  expect(await texts()).toEqual(['first', 'second'])
  expect((await rows())[0]!.id).toBe(messageId)
})

test('S-169 without script the form carries an id of its own, so that a double press arrives once', async () => {
  const { ann, texts } = await openShopWithAnn()
  const messageId = /name="messageId" value="(\w{15})"/.exec(await ann.page('/about?messages='))![1]!
  expect(/name="messageId" value="(\w{15})"/.exec(await ann.page('/about?messages='))![1]).not.toBe(messageId)

  const press = () => ann.post('/messages', { intent: 'send', messageId, message: 'Hello', back: '/about?messages=' })
  expect((await Promise.all([press(), press()])).map(({ status }) => status)).toEqual([303, 303])
  expect(await texts()).toEqual(['Hello'])
})

test('S-170 S-133 without script a session that ended meanwhile costs no text', async () => {
  const { shop, texts } = await openShopWithAnn()
  const refused = await shop.visitor().post('/messages', { intent: 'send', message: 'a long thought', back: '/about?messages=' })
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringMatching(/could not be sent.*a long thought\n$/s)])
  expect(await texts()).toEqual([])
})

test('a customer who sends very much is asked to wait, the owner is not', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const statuses = []
  for (let at = 0; at < 120; at++) statuses.push((await ann.post('/messages', { intent: 'send', message: String(at) })).status)
  const refused = await ann.post('/messages', { intent: 'send', message: '120' })
  expect([new Set(statuses), refused.status]).toEqual([new Set([200]), 429])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toMatch(/That was a lot at once. Please wait (a minute|\d+ seconds) and try again\./)
  expect((await owner.post('/messages', { intent: 'send', message: 'Yes?', orderId: ann.id })).status).toBe(200)
})
