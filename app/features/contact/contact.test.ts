import { describe, expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { documentOf, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { drawQr } from '#ui/qr-code.server.ts'
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

const readPage = async (shop: TestShop, path = '/contact/') =>
  pageOf(await shop.visitor().page(path))
const tabsOf = (page: ReturnType<typeof pageOf>) =>
  page.getAllByRole('tab').map(({ textContent }) => textContent)

describe('the contact page', () => {
  const shop = shared(async (onCleanup) => {
    const shop = await openTestShop({ onCleanup })
    await saveSettings(shop.db, filledSettings, shop.now())
    return shop
  })
  const readPanel = async (tab: string) =>
    within((await readPage(shop(), `/contact/?tab=${tab}`)).getByRole('tabpanel'))

  test('the contact page shows a visitor four tabs, the contact details and the footer [NAV-13, ROLES-05, CONTACT-01, S-026]', async () => {
    const page = await readPage(shop())
    expect(tabsOf(page)).toEqual(['Facebook', 'Instagram', 'Mail', 'Phone'])
    const details = within(page.getByRole('complementary'))
    expect(details.getByRole('link', { name: filledSettings.phone })).toBeTruthy()
    expect(details.getByRole('link', { name: filledSettings.email })).toBeTruthy()
    expect(page.getByRole('contentinfo').textContent).toMatch(
      /Terms and Conditions.*2023.*Back to Top/s,
    )
  })

  test.each([
    { network: 'Facebook', tab: 'facebook', id: 'CONTACT-03' },
    { network: 'Instagram', tab: 'instagram', id: 'CONTACT-05' },
  ] as const)(
    'the contact page shows the social handle in the tab “$network” [$id]',
    async ({ tab }) => {
      const handle = (await readPanel(tab)).getByRole('link', { name: `@knots.on.${tab}` })
      expect(handle.getAttribute('href')).toBe(filledSettings[tab])
    },
  )

  test('the contact page shows the business card in the tab “Phone” [CONTACT-06]', async () => {
    const card = (await readPanel('phone')).getByLabelText('Business card')
    expect(within(card).getByText('828 555 0142')).toBeTruthy()
  })

  test('the contact page shows the contact form in the tab “Mail” [CONTACT-11]', async () => {
    expect((await readPanel('mail')).getByRole('button', { name: 'Submit' })).toBeTruthy()
  })

  test.each([
    { label: 'Name', name: 'name', id: 'CONTACT-07' },
    { label: 'Email Address', name: 'email', id: 'CONTACT-08' },
    { label: 'Phone', name: 'phone', id: 'CONTACT-09' },
    { label: 'Message', name: 'message', id: 'CONTACT-10' },
  ])('the contact form has a field “$label” [$id]', async ({ label, name }) => {
    const field = (await readPanel('mail')).getByRole('textbox', { name: label })
    expect(field.getAttribute('name')).toBe(name)
  })

  test.each([
    { path: '/contact/', tab: 'Mail' },
    { path: '/contact/?tab=phone', tab: 'Phone' },
    { path: '/contact/?tab=nonsense', tab: 'Mail' },
  ])('the contact page at $path opens the tab “$tab” [S-030]', async ({ path, tab }) => {
    const page = await readPage(shop(), path)
    expect(page.getByRole('tab', { selected: true }).textContent).toBe(tab)
    expect(page.getByRole('tabpanel', { name: tab })).toBeTruthy()
  })

  test.each([
    { network: 'Facebook', tab: 'facebook', id: 'CONTACT-02' },
    { network: 'Instagram', tab: 'instagram', id: 'CONTACT-04' },
  ] as const)(
    'the contact page has a QR code of the $network page, which is hidden until the visitor opens the code [$id, S-030]',
    async ({ network, tab }) => {
      const panel = await readPanel(tab)
      const code = panel.getByRole('img', { name: `QR code of our ${network} page` })
      expect(code.querySelector('[fill="#000"]')!.getAttribute('d')).toBe(
        drawQr(filledSettings[tab]).path,
      )
      const details = panel.getByText('QR code').closest('details')!
      expect(details.contains(code)).toBe(true)
      expect(details.open).toBe(false)
    },
  )
})

test('the contact page has no tab for a social page or a business card that is missing in the settings [OWN-03]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, { instagram: filledSettings.instagram }, shop.now())
  const page = await readPage(shop, '/contact/?tab=facebook')
  expect(tabsOf(page)).toEqual(['Instagram', 'Mail'])
  expect(page.getByRole('tab', { selected: true }).textContent).toBe('Mail')
  await saveSettings(shop.db, { email: filledSettings.email }, shop.now())
  expect(tabsOf(await readPage(shop))).toContain('Phone')
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
  ]) {
    expect(card.split('\r\n')).toContain(line)
  }
  const odd = vcardOf({ ...defaultSettings, name: 'A;B,C\\D\r\nEND:VCARD', city: 'Ü' }, 'x')
  expect(odd.split('\r\n')).toContain('ORG:A\\;B\\,C\\\\D\\nEND:VCARD')
  expect(odd.match(/^END:VCARD/gm)).toHaveLength(1)
  const page = await readPage(shop, '/contact/?tab=phone')
  const link = page.getByRole('link', { name: 'Save to my contacts' })
  expect(link.getAttribute('href')).toBe('/contact/card.vcf')
  expect(link.hasAttribute('download')).toBe(true)
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
    for (const typed of Object.values({ ...valid, ...wrong })) {
      expect(answer.text).toContain(JSON.stringify(typed).slice(1, -1))
    }
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

test.for([
  '828 555 0142',
  '(828) 555-0142',
  '+1 828.555.0142',
  '(+1) 828–555–0142',
  '+49 151 23456789',
  '0151/23456789',
  '+41 44 668 18 00',
])(
  'the contact form accepts the phone number %s and emails it as typed [OWN-83, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(200)
    expect(await shop.db.selectFrom('outbox').select('text').executeTakeFirstOrThrow()).toEqual({
      text: expect.stringContaining(`Phone: ${phone}\n`),
    })
  },
)

test.for(['555-0142', '+1 828 555 014233', '828 555 0142 ext 7', `0123456789${' '.repeat(40)}`])(
  'the contact form refuses the phone number "%s" [OWN-83, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(422)
  },
)

test.for(['0123456789', '01234567890', 'callmenowok'])(
  'the contact form accepts any phone number of 10 or 11 characters: %s [CONTACT-18, CONTACT-19, S-037]',
  async (phone) => {
    const shop = await openTestShop()
    expect((await send(shop, { ...valid, phone })).status).toBe(200)
  },
)

test('each contact message becomes a conversation with an id of 15 characters [CONTACT-21, CONST-04, S-032, S-033]', async () => {
  const shop = await openTestShop()
  for (const message of [valid.message, 'And tablecloths?']) await send(shop, { ...valid, message })

  const orders = await shop.db.selectFrom('orders').selectAll().orderBy('createdAt').execute()
  expect(orders.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^[A-Za-z0-9]{15}$/),
    expect.stringMatching(/^[A-Za-z0-9]{15}$/),
  ])
  expect(orders[0]).toMatchObject({
    userId: null,
    fromContactPage: true,
    isClosed: false,
    lastSeq: 1,
  })
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
      items: [],
      messages: [{ message: 'Do you make curtains?', sender: id }],
      fromContactPage: true,
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

  for (const text of [await response.text(), await data.text()]) {
    expect(text).not.toMatch(/postman|the-secret|mail\.house|smtp|emailjs|service_id|user_id/i)
  }
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
