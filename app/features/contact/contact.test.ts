import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentOf } from '#test/document-of.ts'
import { defaultSettings, saveSettings } from '#app/features/settings/settings.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'
import { vcardOf } from './contact.server.ts'

const valid = { name: 'Dora Knott', email: 'dora@mail.test', phone: '0123456789', message: 'Do you make curtains?' }
/** Sent a minute after the form was handed out. */
const filled = async (shop: TestShop, form: Record<string, string>) => ({ stamp: await shop.formTime.stamp(shop.now() - 60_000), ...form })
const send = async (shop: TestShop, form: Record<string, string>) => shop.visitor().act('/contact/', await filled(shop, form))

const letters = async (shop: TestShop) => {
  const folder = join(shop.folder, 'outbox')
  const names = await readdir(folder).catch(() => [])
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

test('NAV-13 ROLES-05 CONTACT-01 CONTACT-03 CONTACT-05 CONTACT-06 CONTACT-07 CONTACT-08 CONTACT-09 CONTACT-10 CONTACT-11 the page has four tabs with their content', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, { facebookHandle: '@knots.on.facebook', instagramHandle: '@knots.on.instagram' }, shop.now())
  const html = await shop.visitor().page('/contact/')
  const panel = (name: string) => html.split(`id="panel-${name}"`)[1]?.split(/id="panel-|<\/main>|<aside/)[0] ?? ''

  expect([...html.matchAll(/role="tab"/g)]).toHaveLength(4)
  for (const name of ['Facebook', 'Instagram', 'Mail', 'Phone'])
    expect(html).toMatch(new RegExp(`role="tab"[^>]*>(<svg[\\s\\S]*?</svg>)${name}`))
  expect(panel('facebook')).toMatch(/<a[^>]*>@knots\.on\.facebook</)
  expect(panel('instagram')).toMatch(/<a[^>]*>@knots\.on\.instagram</)
  expect(panel('phone')).toMatch(/aria-label="Business card"[\s\S]*555 010 0000/)
  const form = panel('mail')
  for (const [label, name] of [
    ['Name', 'name'],
    ['Email Address', 'email'],
    ['Phone', 'phone'],
    ['Message', 'message'],
  ]) {
    const id = new RegExp(`<label for="(\\w+)">${label}</label>`).exec(form)?.[1]
    const field = new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]*>`).exec(form)?.[0]
    expect([label, field]).toEqual([label, expect.stringContaining(`name="${name}"`)])
  }
  expect(form).toMatch(/<button[^>]*>Submit<\/button>/)
})

test('CONTACT-06 S-029 the business card can be taken along as a file, whatever the settings hold', async () => {
  const shop = await openTestShop()
  const response = await shop.visitor().get('/contact/card.vcf')
  const card = await response.text()

  expect(response.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
  expect(card).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\n[\s\S]*\r\nEND:VCARD\r\n$/)
  for (const line of [
    'FN:Owner\\, Knots & Love',
    'TEL;TYPE=WORK,VOICE:555 010 0000',
    'EMAIL;TYPE=INTERNET,WORK:owner@example.com',
    'URL:http://shop.test/',
  ])
    expect(card.split('\r\n')).toContain(line)
  const odd = vcardOf({ ...defaultSettings, name: 'A;B,C\\D\r\nEND:VCARD', city: 'Ü' }, 'x')
  expect(odd.split('\r\n')).toContain('ORG:A\\;B\\,C\\\\D\\nEND:VCARD')
  expect(odd.match(/^END:VCARD/gm)).toHaveLength(1)
  expect(await shop.visitor().page('/contact/?tab=phone')).toMatch(/<a[^>]*href="\/contact\/card\.vcf"[^>]*download/)
})

test('S-026 the contact page has the foot of the shop', async () => {
  const shop = await openTestShop()
  expect(await shop.visitor().page('/contact/')).toMatch(/<footer[\s\S]*Terms and Conditions[\s\S]*2023[\s\S]*Back to Top/)
})

test('S-030 the Mail tab is open at first, and ?tab= opens another without script', async () => {
  const shop = await openTestShop()
  const shown = async (path: string) =>
    /id="panel-(\w+)"[^>]*?class/.exec((await shop.visitor().page(path)).replaceAll(/<section[^>]*hidden=""[^>]*>/g, ''))?.[1]

  expect(await shown('/contact/')).toBe('mail')
  expect(await shown('/contact/?tab=phone')).toBe('phone')
  expect(await shown('/contact/?tab=nonsense')).toBe('mail')
})

test('CONTACT-02 CONTACT-04 S-030 each page elsewhere has a QR code of its own, hidden until toggled', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/contact/')
  const codes = html.matchAll(
    /<details[^>]*><summary[^>]*>QR code<\/summary><svg[^>]*aria-label="QR code of our (\w+) page".*?fill="#000" d="([^"]+)"/g,
  )
  const { facebookUrl, instagramUrl } = defaultSettings

  expect([...codes].map(([, title, path]) => [title, path])).toEqual([
    ['Facebook', drawQr(facebookUrl).path],
    ['Instagram', drawQr(instagramUrl).path],
  ])
  expect(facebookUrl).not.toBe(instagramUrl)
  expect(html).not.toMatch(/<details[^>]*open/)
})

const checks = [
  ['CONTACT-14 CONTACT-12', { name: '', email: 'x', phone: '1', message: '' }, 'Please provide a name', 'name'],
  ['CONTACT-14 S-036', { name: ' \n\u00a0' }, 'Please provide a name', 'name'],
  ['CONTACT-14', { name: 'x'.repeat(201) }, 'Please provide a name of at most 200 characters', 'name'],
  ['CONTACT-15 CONTACT-12', { email: 'dora@', phone: '1', message: '' }, 'Please provide a valid Email', 'email'],
  ['CONTACT-15', { email: '' }, 'Please provide a valid Email', 'email'],
  ['CONTACT-16 CONTACT-12', { phone: '012345678', message: '' }, 'Please provide a valid Phone Number', 'phone'],
  ['CONTACT-16', { phone: '' }, 'Please provide a valid Phone Number', 'phone'],
  ['CONTACT-17 CONTACT-12', { phone: '012345678901', message: ' ' }, 'Please provide a valid Phone Number', 'phone'],
  ['CONTACT-17', { phone: '012345678901' }, 'Please provide a valid Phone Number', 'phone'],
  ['CONTACT-20', { message: '' }, 'Please provide a short Message', 'message'],
  ['CONTACT-20 S-036', { message: ' \t\n' }, 'Please provide a short Message', 'message'],
  ['CONTACT-20', { message: 'x'.repeat(10_001) }, 'Please keep the message under 10,000 characters', 'message'],
  ['CONTACT-20', { message: '🧶'.repeat(10_001) }, 'Please keep the message under 10,000 characters', 'message'],
  ['CONTACT-20', { message: 'x'.repeat(1_000_000) }, 'Please keep the message under 10,000 characters', 'message'],
] as const

test.for(checks)(
  '%s CONTACT-13 ERR-08 the first failure alone is a toast, nothing is written, and what was typed comes back (%#)',
  async ([, wrong, text, field]) => {
    const shop = await openTestShop()
    const answer = await send(shop, { ...valid, ...wrong })

    expect(answer.status).toBe(422)
    expect(answer.text).toContain('"toasts"')
    expect(answer.text.match(/Please \w+ [\w ,-]+/g)).toEqual([text])
    expect(answer.text).toContain(`"field","${field}"`)
    for (const typed of Object.values({ ...valid, ...wrong })) expect(answer.text).toContain(JSON.stringify(typed).slice(1, -1))
    expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
    expect(await letters(shop)).toEqual([])
  },
)

test('CONTACT-20 10,000 characters are taken, an emoji and a line end counting once each', async () => {
  const shop = await openTestShop()
  const message = `مرحبا 🧶\r\n${'x'.repeat(9992)}`
  expect((await send(shop, { ...valid, message })).status).toBe(200)
  const stored = await shop.db.selectFrom('messages').select('message').executeTakeFirstOrThrow()
  expect(stored.message).toBe(message.replace('\r\n', '\n'))
  expect([...stored.message]).toHaveLength(10_000)
})

test('what no keyboard types is left out, and nothing else is lost', async () => {
  const shop = await openTestShop()
  const answer = await send(shop, { ...valid, name: 'Do\u0000ra \u202e\u2066Knott', message: 'A\u0000B \ufffd \u200f' })
  expect(answer.status).toBe(200)
  expect(await shop.db.selectFrom('orders').select('userName').executeTakeFirst()).toEqual({ userName: 'Dora Knott' })
  expect(await shop.db.selectFrom('messages').select('message').executeTakeFirst()).toEqual({ message: 'AB \ufffd \u200f' })
})

test.for(['0123456789', '01234567890', 'call-me-now'])('CONTACT-18 CONTACT-19 S-037 the phone %s is accepted', async (phone) => {
  const shop = await openTestShop()
  expect((await send(shop, { ...valid, phone })).status).toBe(200)
})

test('CONTACT-21 CONTACT-22 DATA-004 DATA-005 DATA-006 DATA-007 DATA-008 DATA-009 DATA-010 CONST-04 S-032 S-033 a message becomes a conversation under a new 15-character id', async () => {
  const shop = await openTestShop()
  const answer = await send(shop, valid)

  expect(answer.text).toContain('Your Mail Have been sent!')
  const order = await shop.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
  expect(order.id).toMatch(/^[A-Za-z0-9]{15}$/)
  expect(order).toMatchObject({
    userId: null,
    userName: 'Dora Knott',
    userEmail: 'dora@mail.test',
    userPhotoURL: '/placeholder-photo.svg',
    fromContactPage: 1,
    isClosed: 0,
    lastSeq: 1,
  })
  expect(await shop.db.selectFrom('messages').select(['orderId', 'message', 'sender']).execute()).toEqual([
    { orderId: order.id, message: 'Do you make curtains?', sender: order.id },
  ])
  const sender = { id: order.id, name: 'Dora Knott', email: 'dora@mail.test', photoURL: '/placeholder-photo.svg' }
  expect(await documentOf(shop, 'orders', order.id)).toEqual({
    ...sender,
    user: sender,
    items: [],
    messages: [expect.objectContaining({ message: 'Do you make curtains?', sender: order.id, read: [order.id] })],
    fromContactPage: true,
    isClosed: false,
    createdAt: shop.now(),
  })
  expect(shop.heard).toContain('orders')

  await send(shop, { ...valid, message: 'And tablecloths?' })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toHaveLength(2)
})

test('CONTACT-23 CONTACT-24 MAIL-01 MAIL-02 MAIL-03 MAIL-04 MAIL-05 S-038 the server mails name, message, e-mail and phone to the owner', async () => {
  const shop = await openTestShop()
  await send(shop, valid)
  const [letter, ...more] = await letters(shop)

  expect(more).toEqual([])
  expect(letter).toContain(`To: ${OWNER.email}`)
  expect(letter).toContain('Reply-To: dora@mail.test')
  for (const text of Object.values(valid)) expect(letter).toContain(text)
})

test('MAIL-06 S-038 no mail credential and no mail script reaches the browser', async () => {
  const shop = await openTestShop({ smtpUrl: 'smtp://postman:the-secret@mail.house.test:587' })
  const response = await shop.visitor().get('/contact/')
  const data = await shop.visitor().get('/contact.data')

  for (const text of [await response.text(), await data.text()])
    expect(text).not.toMatch(/postman|the-secret|mail\.house|smtp|emailjs|service_id|user_id/i)
  expect(response.headers.get('content-security-policy')).toContain("connect-src 'self'")
})

test('CONTACT-25 S-034 S-035 a mail that cannot be sent is told, the message stays stored, what was typed is kept', async () => {
  const shop = await openTestShop()
  shop.shop.mail.deliverSoon = async () => false

  const response = await shop.visitor().post('/contact/', await filled(shop, valid))
  const html = await response.text()

  expect(response.status).toBe(202)
  expect(html).toContain('There was an error sending your mail')
  expect(html).toContain('value="dora@mail.test"')
  expect(html).toContain('There is no need to send it again.')
  expect(await shop.db.selectFrom('orders').select('userName').execute()).toEqual([{ userName: 'Dora Knott' }])
})

test('CONTACT-26 S-034 a failed write is told and no mail is sent', async () => {
  const shop = await openTestShop()
  await shop.db.schema.alterTable('messages').renameTo('elsewhere').execute()

  const answer = await send(shop, valid)

  expect(answer.status).toBe(500)
  expect(answer.text).toContain('An Error Occured while updating database.')
  expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([])
  expect(await letters(shop)).toEqual([])
})

test('S-035 after a sent message the form is empty again', async () => {
  const shop = await openTestShop()
  const html = await (await shop.visitor().post('/contact/', await filled(shop, valid))).text()

  expect(html).toContain('Your Mail Have been sent!')
  expect(html).not.toContain('dora@mail.test')
})
