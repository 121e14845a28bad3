import { expect, test } from 'vitest'
import { documentOf, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import { defaultSettings } from '#app/features/settings/setting-values.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { vcardOf } from './contact.server.ts'

const valid = {
  name: 'Dora Knott',
  email: 'dora@mail.test',
  phone: '0123456789',
  message: 'Do you make curtains?',
}
const filled = async (shop: TestShop, form: Record<string, string>) => ({
  stamp: await shop.formTimestamp.stamp(shop.now() - 60_000),
  ...form,
})
const send = async (shop: TestShop, form: Record<string, string>) =>
  shop.visitor().act('/contact/', await filled(shop, form))

const emails = (shop: TestShop) => shop.db.selectFrom('outbox').select('id').execute()

const filledSettings = {
  ownerName: 'Marisol',
  city: 'Asheville',
  phone: '828 555 0142',
  email: 'hello@knots.test',
  facebook: 'https://www.facebook.com/knots.on.facebook',
  instagram: 'https://www.instagram.com/knots.on.instagram',
}

async function openContactPage() {
  const shop = await openTestShop()
  await saveSettings(shop.db, filledSettings, shop.now())
  const html = await shop.visitor().page('/contact/')
  return {
    html,
    panel: (name: string) =>
      html.split(`id="panel-${name}"`)[1]?.split(/id="panel-|<\/main>|<aside/)[0] ?? '',
  }
}

test('the contact page shows a visitor four tabs, the contact details and the footer [NAV-13, ROLES-05, CONTACT-01, S-026]', async () => {
  const { html } = await openContactPage()
  const tabs = [...html.matchAll(/role="tab"[^>]*>(?:<svg[\s\S]*?<\/svg>)(\w+)/g)].map(
    ([, name]) => name,
  )
  expect(tabs).toEqual(['Facebook', 'Instagram', 'Mail', 'Phone'])
  for (const detail of [filledSettings.phone, filledSettings.email])
    expect(html).toContain(`>${detail}<`)
  expect(html).toMatch(/<footer[\s\S]*Terms and Conditions[\s\S]*2023[\s\S]*Back to Top/)
})

test('the contact page has no tab for a social page or a business card that is missing in the settings [OWN-03]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, { instagram: filledSettings.instagram }, shop.now())
  const html = await shop.visitor().page('/contact/?tab=facebook')
  const tabs = (page: string) =>
    [...page.matchAll(/role="tab" id="tab-(\w+)"/g)].map(([, name]) => name)
  expect(tabs(html)).toEqual(['instagram', 'mail'])
  expect(html).toMatch(/id="tab-mail"[^>]*aria-selected="true"/)
  await saveSettings(shop.db, { email: filledSettings.email }, shop.now())
  expect(tabs(await shop.visitor().page('/contact/'))).toContain('phone')
})

test('the tabs show the social handles, the business card and the contact form [CONTACT-03, CONTACT-05, CONTACT-06, CONTACT-11]', async () => {
  const { panel } = await openContactPage()
  expect(panel('facebook')).toMatch(/<a[^>]*>@knots\.on\.facebook</)
  expect(panel('instagram')).toMatch(/<a[^>]*>@knots\.on\.instagram</)
  expect(panel('phone')).toMatch(/aria-label="Business card"[\s\S]*828 555 0142/)
  expect(panel('mail')).toMatch(/<button[^>]*>Submit<\/button>/)
})

test('each field of the contact form has a label [CONTACT-07, CONTACT-08, CONTACT-09, CONTACT-10]', async () => {
  const form = (await openContactPage()).panel('mail')
  for (const [label, name] of Object.entries({
    Name: 'name',
    'Email Address': 'email',
    Phone: 'phone',
    Message: 'message',
  })) {
    const id = new RegExp(`<label for="(\\w+)">${label}</label>`).exec(form)?.[1]
    expect(new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]*>`).exec(form)?.[0]).toContain(
      `name="${name}"`,
    )
  }
})

test('a visitor can download the business card as a file in which special characters are escaped [CONTACT-06, S-029]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, filledSettings, shop.now())
  const response = await shop.visitor().get('/contact/card.vcf')
  const card = await response.text()

  expect(response.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
  expect(card).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\n[\s\S]*\r\nEND:VCARD\r\n$/)
  for (const line of [
    'FN:Marisol\\, Knots & Love',
    'TEL;TYPE=WORK,VOICE:828 555 0142',
    'EMAIL;TYPE=INTERNET,WORK:hello@knots.test',
    'URL:http://shop.test/',
  ])
    expect(card.split('\r\n')).toContain(line)
  const odd = vcardOf({ ...defaultSettings, name: 'A;B,C\\D\r\nEND:VCARD', city: 'Ü' }, 'x')
  expect(odd.split('\r\n')).toContain('ORG:A\\;B\\,C\\\\D\\nEND:VCARD')
  expect(odd.match(/^END:VCARD/gm)).toHaveLength(1)
  expect(await shop.visitor().page('/contact/?tab=phone')).toMatch(
    /<a[^>]*href="\/contact\/card\.vcf"[^>]*download/,
  )
})

test('the contact page opens the tab that the URL names, and otherwise the tab “Mail” [S-030]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, filledSettings, shop.now())
  const shown = async (path: string) =>
    /id="panel-(\w+)"[^>]*?class/.exec(
      (await shop.visitor().page(path)).replaceAll(/<section[^>]*hidden=""[^>]*>/g, ''),
    )?.[1]

  expect(await shown('/contact/')).toBe('mail')
  expect(await shown('/contact/?tab=phone')).toBe('phone')
  expect(await shown('/contact/?tab=nonsense')).toBe('mail')
})

test('each social page has a QR code, which is hidden until the visitor opens the code [CONTACT-02, CONTACT-04, S-030]', async () => {
  const { html } = await openContactPage()
  const codes = html.matchAll(
    /<details[^>]*><summary[^>]*>QR code<\/summary><svg[^>]*aria-label="QR code of our (\w+) page".*?fill="#000" d="([^"]+)"/g,
  )

  expect([...codes].map(([, title, path]) => [title, path])).toEqual([
    ['Facebook', drawQr(filledSettings.facebook).path],
    ['Instagram', drawQr(filledSettings.instagram).path],
  ])
  expect(html).not.toMatch(/<details[^>]*open/)
})

const checks = [
  [
    'CONTACT-14, CONTACT-12',
    { name: '', email: 'x', phone: '1', message: '' },
    'Please provide a name',
    'name',
  ],
  ['CONTACT-14, S-036', { name: ' \n\u00a0' }, 'Please provide a name', 'name'],
  [
    'CONTACT-14',
    { name: 'x'.repeat(201) },
    'Please provide a name of at most 200 characters',
    'name',
  ],
  [
    'CONTACT-15, CONTACT-12',
    { email: 'dora@', phone: '1', message: '' },
    'Please provide a valid Email',
    'email',
  ],
  [
    'CONTACT-16, CONTACT-12',
    { phone: '012345678', message: '' },
    'Please provide a valid Phone Number',
    'phone',
  ],
  ['CONTACT-16', { phone: '' }, 'Please provide a valid Phone Number', 'phone'],
  [
    'CONTACT-17, CONTACT-12',
    { phone: '012345678901', message: ' ' },
    'Please provide a valid Phone Number',
    'phone',
  ],
  ['CONTACT-20', { message: '' }, 'Please provide a short Message', 'message'],
  ['CONTACT-20, S-036', { message: ' \t\n' }, 'Please provide a short Message', 'message'],
  [
    'CONTACT-20',
    { message: 'x'.repeat(10_001) },
    'Please keep the message under 10,000 characters',
    'message',
  ],
  [
    'CONTACT-20',
    { message: '🧶'.repeat(10_001) },
    'Please keep the message under 10,000 characters',
    'message',
  ],
] as const

test.for(checks)(
  'the contact form shows only the first error and keeps the typed text [%s, CONTACT-13, ERR-08]',
  async ([, wrong, text, field]) => {
    const shop = await openTestShop()
    const answer = await send(shop, { ...valid, ...wrong })

    expect(answer.status).toBe(422)
    expect(answer.text).toContain('"toasts"')
    expect(answer.text.match(/Please \w+ [\w ,-]+/g)).toEqual([text])
    expect(answer.text).toContain(`"field","${field}"`)
    for (const typed of Object.values({ ...valid, ...wrong }))
      expect(answer.text).toContain(JSON.stringify(typed).slice(1, -1))
    expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
    expect(await emails(shop)).toEqual([])
  },
)

test('a contact message may have 10,000 characters, and an emoji or line break counts as one character [CONTACT-20]', async () => {
  const shop = await openTestShop()
  const message = `مرحبا 🧶\r\n${'x'.repeat(9992)}`
  expect((await send(shop, { ...valid, message })).status).toBe(200)
  const stored = await shop.db.selectFrom('messages').select('message').executeTakeFirstOrThrow()
  expect(stored.message).toBe(message.replace('\r\n', '\n'))
  expect([...stored.message]).toHaveLength(10_000)
})

test.for(['828 555 0142', '(828) 555-0142', '+1 828.555.0142', '(+1) 828–555–0142'])(
  'the contact form accepts the phone number %s and emails it as typed [OWN-83, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(200)
    expect(await shop.db.selectFrom('outbox').select('text').executeTakeFirstOrThrow()).toEqual({
      text: expect.stringContaining(`Phone: ${phone}\n`),
    })
  },
)

test.for(['555-0142', '+1 828 555 01423', '828 555 0142 ext 7', `0123456789${' '.repeat(40)}`])(
  'the contact form refuses the phone number "%s" [OWN-83, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(422)
  },
)

test.for(['0123456789', '01234567890', 'callmenowok'])(
  'the form accepts the phone %s [CONTACT-18, CONTACT-19, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(200)
  },
)

test('each contact message becomes a conversation with an id of 15 characters [CONTACT-21, CONST-04, S-032, S-033]', async () => {
  const shop = await openTestShop()
  for (const message of [valid.message, 'And tablecloths?']) await send(shop, { ...valid, message })

  const orders = await shop.db.selectFrom('orders').selectAll().orderBy('createdAt').execute()
  expect(orders.map(({ id }) => /^[A-Za-z0-9]{15}$/.test(id))).toEqual([true, true])
  expect(orders[0]).toMatchObject({ userId: null, fromContactPage: 1, isClosed: 0, lastSeq: 1 })
  expect(shop.changedTopics).toContain('orders')
})

test.each([
  [
    'DATA-004, DATA-005, DATA-006',
    (id: string) => ({ id, name: 'Dora Knott', email: 'dora@mail.test' }),
  ],
  ['DATA-007, DATA-008', () => ({ photoURL: '/placeholder-photo.svg', items: [] })],
  [
    'DATA-009',
    (id: string) => ({ messages: [{ message: 'Do you make curtains?', sender: id, read: [id] }] }),
  ],
  ['DATA-010, DATA-032', () => ({ fromContactPage: true })],
  [
    'CONTACT-22',
    (id: string) => ({
      user: { id, name: 'Dora Knott', email: 'dora@mail.test', photoURL: '/placeholder-photo.svg' },
    }),
  ],
])(
  'the exported document of a contact message has the specified fields [%s]',
  async (_, fieldsOf) => {
    const shop = await openTestShop()
    await send(shop, valid)
    const { id } = await shop.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    expect(await documentOf(shop, 'orders', id)).toMatchObject(fieldsOf(id))
  },
)

test('the contact page contains no credentials of the mail server [MAIL-06, S-038]', async () => {
  const shop = await openTestShop({ smtpUrl: 'smtp://postman:the-secret@mail.house.test:587' })
  const response = await shop.visitor().get('/contact/')
  const data = await shop.visitor().get('/contact.data')

  for (const text of [await response.text(), await data.text()])
    expect(text).not.toMatch(/postman|the-secret|mail\.house|smtp|emailjs|service_id|user_id/i)
  expect(response.headers.get('content-security-policy')).toContain("connect-src 'self'")
})

test('if a contact message cannot be stored, the visitor sees an error, and no email is sent [CONTACT-26, S-034]', async () => {
  const shop = await openTestShop()
  await shop.db.schema.alterTable('messages').renameTo('elsewhere').execute()

  const answer = await send(shop, valid)

  expect(answer.status).toBe(500)
  expect(answer.text).toContain('An Error Occured while updating database.')
  expect(await emails(shop)).toEqual([])
})

test('the contact form is empty after the visitor has sent a message [S-035]', async () => {
  const shop = await openTestShop()
  const html = await (await shop.visitor().post('/contact/', await filled(shop, valid))).text()

  expect(html).toContain('Your Mail Have been sent!')
  expect(html).not.toContain('dora@mail.test')
})
