import { expect, test } from 'vitest'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openSmtp, refusal } from '#test/fixtures/email.ts'
import { openTestShop, OWNER, type TestShop } from '#test/fixtures/test-shop.ts'
import { sendReminders } from '#messaging/reminders/reminders.server.ts'
import { mailTexts } from './texts.ts'

const valid = {
  name: 'Dora <b>Knott',
  email: 'dora@mail.test',
  phone: '0123456789',
  message: 'Do you make curtains?',
}
/** Opens a shop whose mail server refuses every recipient until the test changes `smtp.manners`. */
async function openRefusing() {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  return { smtp, shop, owner: await shop.owner() }
}
async function write(shop: TestShop, form: Partial<typeof valid> = {}) {
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  await shop.visitor().act('/contact/', { stamp, ...valid, ...form })
  const { id } = await shop.db
    .selectFrom('outbox')
    .select('id')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return id
}
const acts = async (shop: TestShop) =>
  (await shop.db.selectFrom('audit').select(['act', 'actor', 'subject']).execute()).filter(
    ({ act }) => /email/.test(act),
  )

test('the owner sees the recipient, text, date, attempts and error of each undelivered email', async () => {
  const { smtp, shop, owner } = await openRefusing()
  expect(await owner.page('/manage/mail/')).toContain(
    'The outbox is empty. All emails have been sent.',
  )
  await write(shop)
  smtp.manners.recipient = () => refusal(450, 'busy')
  shop.clock.now += 1
  await write(shop, { name: 'Eve', message: 'Another' })
  const html = await owner.page('/manage/mail/')
  const [failed, waiting] = pageOf(html)
    .getAllByRole('article')
    .map(({ innerHTML }) => wordsOf(innerHTML))
  for (const text of [
    'Could not be delivered',
    'Message from Dora <b>Knott',
    OWNER.email,
    'March 04, 2026, 12:00 PM',
    'Tried once ',
    'It said: 550 no such mailbox',
  ]) {
    expect(failed).toContain(text)
  }
  for (const text of [
    'Waiting for the next try',
    'Message from Eve',
    'Tried once, next March 04, 2026, 12:01 PM',
    'It said: 450 busy',
  ]) {
    expect(waiting).toContain(text)
  }
  expect(html).not.toContain('SMTP_URL')
})

test('the messages page, but not the sales page, warns the owner about reminder emails that cannot be delivered [S-183]', async () => {
  const { shop, owner } = await openRefusing()
  expect(await owner.page('/manage/messages/')).not.toContain('See the mail')
  const ann = await shop.customer()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  shop.clock.now += 3_600_000
  await sendReminders(shop.shop)

  expect(wordsOf(await owner.page('/manage/messages/'))).toContain(
    '1 email could not be delivered.',
  )
  expect(await owner.page('/manage/sales/')).not.toContain('See the mail')
  expect(wordsOf(await owner.page('/manage/mail/'))).toMatch(
    /ann wrote to you at.*stays in your conversations\./,
  )
})

test('when the owner retries an email, the shop sends the email immediately and records her request in the audit log', async () => {
  const { smtp, shop, owner } = await openRefusing()
  const id = await write(shop)

  const still = await owner.act('/manage/mail/', { intent: 'try', id })
  expect(still.status).toBe(200)
  expect(still.text.includes(mailTexts.notYet)).toBe(true)
  smtp.manners.recipient = () => null
  expect((await owner.act('/manage/mail/', { intent: 'try', id })).text).toContain(
    mailTexts.delivered,
  )

  expect(smtp.received).toHaveLength(1)
  expect(await owner.page('/manage/mail/')).toContain('The outbox is empty.')
  expect(await acts(shop)).toEqual([
    { act: 'retry-email', actor: 'owner', subject: id },
    { act: 'retry-email', actor: 'owner', subject: id },
  ])
  // The owner presses the button again in a second window, which still shows the email.
  const late = await owner.act('/manage/mail/', { intent: 'try', id })
  expect(late.status).toBe(404)
  expect(late.text.includes(mailTexts.gone)).toBe(true)
  expect(smtp.received).toHaveLength(1)
})

test('the shop refuses to resend or cancel an email that is being sent', async () => {
  const smtp = await openSmtp({ message: () => 'hang' })
  const shop = await openTestShop({ smtpUrl: smtp.url, emailTimeouts: { visitorWaitMs: 20 } })
  const id = await write(shop)
  const owner = await shop.owner()
  expect(await owner.page('/manage/mail/')).toContain('Being sent just now')

  for (const intent of ['try', 'give-up']) {
    expect((await owner.act('/manage/mail/', { intent, id, confirm: 'Yes' })).status).toBe(404)
  }
  expect(await shop.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])
})

test('canceling an email asks the owner for a confirmation, deletes the email, and keeps the conversation', async () => {
  const { smtp, shop, owner } = await openRefusing()
  const id = await write(shop)

  expect((await owner.act('/manage/mail/', { intent: 'give-up', id })).status).toBe(400)
  expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([{ id }])
  const given = await owner.act('/manage/mail/', { intent: 'give-up', id, confirm: 'Yes' })
  expect(given.status).toBe(200)
  expect(given.text.includes(mailTexts.canceled)).toBe(true)

  smtp.manners.recipient = () => null
  shop.clock.now += 10 * 24 * 3_600_000
  await shop.outbox.deliverDue()
  expect(smtp.received).toEqual([])
  expect(await shop.db.selectFrom('orders').select('userName').execute()).toEqual([
    { userName: valid.name },
  ])
  expect(await acts(shop)).toEqual([{ act: 'cancel-email', actor: 'owner', subject: id }])
  expect((await owner.act('/manage/mail/', { intent: 'give-up', id, confirm: 'Yes' })).status).toBe(
    404,
  )
})
