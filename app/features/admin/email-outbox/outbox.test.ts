import { expect, test } from 'vitest'
import { openSmtp, refusal } from '#test/open-smtp.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'
import { remindOfUnread } from '#app/features/messaging/reminders/reminders.server.ts'
import { mailTexts, triesText, undeliveredText } from './outbox.ts'

const valid = { name: 'Dora <b>Knott', email: 'dora@mail.test', phone: '0123456789', message: 'Do you make curtains?' }
async function write(shop: TestShop, form: Partial<typeof valid> = {}) {
  const stamp = await shop.formTime.stamp(shop.now() - 60_000)
  await shop.visitor().act('/contact/', { stamp, ...valid, ...form })
  const { id } = await shop.db.selectFrom('outbox').select('id').orderBy('createdAt', 'desc').orderBy('id').executeTakeFirstOrThrow()
  return id
}
const acts = async (shop: TestShop) =>
  (await shop.db.selectFrom('audit').select(['act', 'actor', 'subject']).execute()).filter(({ act }) => /letter/.test(act))
/** React puts comments between neighbouring texts. */
const plain = (html: string) => html.replaceAll('<!-- -->', '')

test('the owner sees what could not be delivered: to whom, what, since when, how often tried, why, and the letter itself', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const owner = await shop.owner()
  expect(await owner.page('/manage/mail/')).toContain('Nothing waits. Every letter has left.')
  await write(shop)
  smtp.manners.recipient = () => refusal(450, 'busy')
  shop.clock.now += 1
  await write(shop, { name: 'Eve', message: 'Another' })
  const html = plain(await owner.page('/manage/mail/'))

  const [failed, waiting] = html.split('<article').slice(1) as [string, string]
  for (const text of [
    'Could not be delivered',
    'Message from Dora &lt;b&gt;Knott',
    OWNER.email,
    'mailto:dora@mail.test',
    'March 04, 2026, 12:00 PM',
    'Tried once<',
    'It said: 550 no such mailbox',
    'Phone: 0123456789',
    'Do you make curtains?',
  ])
    expect(failed).toContain(text)
  for (const text of ['Waiting for the next try', 'Message from Eve', 'Tried once, next March 04, 2026, 12:01 PM', 'It said: 450 busy'])
    expect(waiting).toContain(text)
  expect(html).not.toContain('SMTP_URL')
})

test('without a mail server the owner is told where her letters are, and nothing waits', async () => {
  const shop = await openTestShop()
  await write(shop)
  const html = plain(await (await shop.owner()).page('/manage/mail/'))
  expect(html).toContain('SMTP_URL')
  expect(html).toContain('1 letter has left in the last 30 days.')
})

test('the welcome page counts the letters that could not be delivered, and says nothing while all is well', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const owner = await shop.owner()
  await write(shop, { message: 'Fine' })
  expect(await owner.page('/manage/')).not.toContain('See the mail')

  smtp.manners.recipient = () => refusal(450, 'busy')
  await write(shop, { message: 'Later' })
  expect(plain(await owner.page('/manage/'))).toContain('1 letter could not be delivered yet; the shop goes on trying.')
  smtp.manners.recipient = () => refusal(550, 'no')
  for (const message of ['A', 'B']) await write(shop, { message })
  expect(plain(await owner.page('/manage/'))).toContain('2 letters could not be delivered.')

  expect(undeliveredText({ failed: 0, waiting: 0 })).toBe(null)
  expect([0, 1, 2, 3].map(triesText)).toEqual(['Not tried yet', 'Tried once', 'Tried twice', 'Tried 3 times'])
})

test('S-183 what could not be delivered for good is told at the messages too, and only there; a letter about unread messages has no phone number', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const owner = await shop.owner()
  expect(await owner.page('/manage/messages/')).not.toContain('See the mail')
  const ann = await shop.customer()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  shop.clock.now += 3_600_000
  await remindOfUnread(shop.shop, null)

  expect(plain(await owner.page('/manage/messages/'))).toContain('1 letter could not be delivered.')
  expect(await owner.page('/manage/sales/')).not.toContain('See the mail')
  expect(plain(await owner.page('/manage/mail/'))).toMatch(/ann wrote to you at[\s\S]*stays in your conversations\./)
})

test('Try again sends at once, also a letter that was given up by the shop, and is recorded', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const id = await write(shop)
  const owner = await shop.owner()

  const still = await owner.act('/manage/mail/', { intent: 'try', id })
  expect([still.status, still.text.includes(mailTexts.notYet)]).toEqual([200, true])
  smtp.manners.recipient = () => null
  expect((await owner.act('/manage/mail/', { intent: 'try', id })).text).toContain(mailTexts.delivered)

  expect(smtp.received).toHaveLength(1)
  expect(await owner.page('/manage/mail/')).toContain('Nothing waits.')
  expect(await acts(shop)).toEqual([
    { act: 'try-letter-again', actor: 'owner', subject: id },
    { act: 'try-letter-again', actor: 'owner', subject: id },
  ])
  // A second window still shows the button.
  const late = await owner.act('/manage/mail/', { intent: 'try', id })
  expect([late.status, late.text.includes(mailTexts.gone)]).toEqual([404, true])
  expect(smtp.received).toHaveLength(1)
})

test('a letter that is just being sent can be neither sent again nor given up', async () => {
  const smtp = await openSmtp({ letter: () => 'hang' })
  const shop = await openTestShop({ smtpUrl: smtp.url, patience: { ofVisitor: 20 } })
  const id = await write(shop)
  const owner = await shop.owner()
  expect(await owner.page('/manage/mail/')).toContain('Being sent just now')

  for (const intent of ['try', 'give-up']) expect((await owner.act('/manage/mail/', { intent, id, confirm: 'Yes' })).status).toBe(404)
  expect(await shop.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])
})

test('Give up asks first, removes the letter for good and keeps the conversation', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const id = await write(shop)
  const owner = await shop.owner()

  expect((await owner.act('/manage/mail/', { intent: 'give-up', id })).status).toBe(400)
  expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([{ id }])
  const given = await owner.act('/manage/mail/', { intent: 'give-up', id, confirm: 'Yes' })
  expect([given.status, given.text.includes(mailTexts.givenUp)]).toEqual([200, true])

  smtp.manners.recipient = () => null
  shop.clock.now += 10 * 24 * 3_600_000
  await shop.mail.deliverDue()
  expect(smtp.received).toEqual([])
  expect(await shop.db.selectFrom('orders').select('userName').execute()).toEqual([{ userName: valid.name }])
  expect(await acts(shop)).toEqual([{ act: 'give-letter-up', actor: 'owner', subject: id }])
  expect((await owner.act('/manage/mail/', { intent: 'give-up', id, confirm: 'Yes' })).status).toBe(404)
})

test('without script the acts lead back to the mail with their text', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const id = await write(shop)
  const owner = await shop.owner()
  const response = await owner.post('/manage/mail/', { intent: 'give-up', id, confirm: 'Yes', back: '/manage/mail/' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/manage/mail/'])
  expect(await owner.page('/manage/mail/')).toContain(mailTexts.givenUp)
})
