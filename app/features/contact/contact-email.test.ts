import { expect, test } from 'vitest'
import { openSmtp, parseEmail, refusal } from '#test/fixtures/email.ts'
import { openTestShop, OWNER, type TestShop } from '#test/fixtures/test-shop.ts'
import { isEmailAddress } from '#lib/text/email-address.server.ts'

const valid = {
  name: 'Dora Knott',
  email: 'dora@mail.test',
  phone: '0123456789',
  message: 'Do you make curtains?',
}
async function send(shop: TestShop, form: Partial<typeof valid> = {}) {
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  return shop.visitor().act('/contact/', { stamp, ...valid, ...form })
}
const ordersIn = async (shop: TestShop) =>
  (await shop.db.selectFrom('orders').select('id').execute()).length
function bodyOf({ headers, body }: ReturnType<typeof parseEmail>): string {
  const encoding = headers.find(([name]) => name === 'content-transfer-encoding')?.[1]
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('the shop emails a contact message to the owner, with the visitor’s address as the reply address [CONTACT-23, MAIL-01, MAIL-02, MAIL-03, MAIL-04, MAIL-05]', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const answer = await send(shop)

  expect(answer.text).toContain('Your Mail Have been sent!')
  expect(smtp.received).toHaveLength(1)
  const [{ to, raw }] = smtp.received as [(typeof smtp.received)[0]]
  expect(to).toEqual([OWNER.email])
  const email = parseEmail(raw)
  expect(Object.fromEntries(email.headers)).toMatchObject({
    to: OWNER.email,
    'reply-to': 'dora@mail.test',
    subject: 'Message from Dora Knott',
  })
  expect(bodyOf(email)).toContain(
    'Name: Dora Knott\r\nEmail: dora@mail.test\r\nPhone: 0123456789\r\n\r\nMessage:\r\nDo you make curtains?\r\n',
  )
})

const HEADERS = [
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
]

const names = [
  'Dora\r\nBcc: all@mail.test',
  'Dora\rBcc: all@mail.test',
  'Dora\r\n\r\nA body of my own',
  'Dora\u2028Bcc: all@mail.test\u2029X: y',
  'Dora\u0085Bcc: all@mail.test\u000bX: y',
  'Dora\r\n Bcc: all@mail.test',
  '=?utf-8?Q?Dora=0D=0ABcc:_all@mail.test?=',
  'Dora <all@mail.test>, Eve',
  `Dora ${'x'.repeat(190)}`,
  'דורה 🧶 كنوت',
  'Dora \u202e\u2066Knott',
]

test.for(names)(
  'a visitor whose name is %j cannot add headers to the contact email',
  async (name) => {
    const smtp = await openSmtp()
    const shop = await openTestShop({ smtpUrl: smtp.url })
    expect((await send(shop, { name })).status).toBe(200)

    const { to, raw } = smtp.received[0]!
    const { headers } = parseEmail(raw)
    expect(headers.map(([header]) => header).toSorted()).toEqual(HEADERS)
    expect(Object.fromEntries(headers)).toMatchObject({
      to: OWNER.email,
      'reply-to': 'dora@mail.test',
      from: OWNER.email,
    })
    expect(to).toEqual([OWNER.email])
    expect(Object.fromEntries(headers).subject).not.toContain('=?utf-8?Q?Dora=0D=0A')
    const { userName } = await shop.db
      .selectFrom('orders')
      .select('userName')
      .executeTakeFirstOrThrow()
    expect(userName).toBe(
      name
        .replace(/[\u0085\v\f\u202A-\u202E\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  },
)

const odd = [
  ["o'neill_{x}=!#$%&*/?^`|~@mail.test"],
  ['"a, b c@d"@mail.test'],
  ['dora@bücher.example', 'dora@xn--bcher-kva.example'],
  ['=?utf-8?Q?dora?=@mail.test'],
] as const

test.for(odd)(
  'the contact email has the visitor’s address %s as its reply address [CONTACT-15]',
  async ([email, replyTo = email]) => {
    const smtp = await openSmtp()
    const shop = await openTestShop({ smtpUrl: smtp.url })
    expect((await send(shop, { email })).status).toBe(200)
    const message = parseEmail(smtp.received[0]!.raw)
    expect(message.headers.map(([header]) => header).toSorted()).toEqual(HEADERS)
    expect(Object.fromEntries(message.headers)['reply-to']!.replace(/^<(.*)>$/, '$1')).toBe(replyTo)
    expect(bodyOf(message)).toContain(`Email: ${email}\r\n`)
  },
)

test.each([
  [
    'accepts',
    'plain',
    [
      'dora@mail.test',
      'dora+knots@mail.test',
      'd@a.io',
      'DORA@MAIL.TEST',
      `${'x'.repeat(64)}@mail.test`,
    ],
  ],
  [
    'accepts',
    'with special characters',
    [
      "o'neill_{x}=!#$%&*/?^`|~@mail.test",
      '"dora knott"@mail.test',
      '"quoted\\"mark@home"@mail.test',
    ],
  ],
  [
    'accepts',
    'international',
    ['dora@mail-house.photography', 'dora@bücher.example', 'dora@例え.テスト', 'jürgen@mail.test'],
  ],
  ['refuses', 'without a domain', ['', 'dora', 'dora@mail', 'dora@mail@test.x', 'dora@192.0.2.1']],
  [
    'refuses',
    'with an invalid domain',
    ['dora@mail..test', 'dora@mail-.test', 'dora@mail.t', 'dora@mail.123', 'dora@mail test.test'],
  ],
  [
    'refuses',
    'with an invalid part before the @',
    ['.dora@mail.test', 'do..ra@mail.test', 'do ra@mail.test', '🧶@mail.test'],
  ],
  [
    'refuses',
    'in a list of addresses',
    [
      'dora@mail.test, all@mail.test',
      'Dora <dora@mail.test>',
      '"x" <all@mail.test>, "y"@mail.test',
    ],
  ],
  [
    'refuses',
    'with a line break',
    [
      'dora@mail.test\r\nBcc: all@mail.test',
      'dora@mail.test\u2028Bcc: all@mail.test',
      '"do\r\nra"@mail.test',
    ],
  ],
  ['refuses', 'encoded', ['=?utf-8?Q?=0ABcc:all?=@mail.test\u0000']],
  [
    'refuses',
    'too long',
    [
      `${'x'.repeat(65)}@mail.test`,
      `dora@${'x'.repeat(64)}.test`,
      `dora@${'mail.'.repeat(50)}test`,
    ],
  ],
])('the contact form %s email addresses: %s [CONTACT-15]', (verb, _, addresses) => {
  expect(addresses.filter(isEmailAddress)).toEqual(verb === 'accepts' ? addresses : [])
})

test('the shop emails dots, emoji, right-to-left text and long lines of a message unchanged [CONTACT-20]', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const message = `.\r\n..\r\nQUIT\r\nFrom here: 🧶🏳️‍🌈 שלום مرحبا \u200f\r\n${'x'.repeat(3000)}\r\n\t end`
  await send(shop, { message })
  expect(bodyOf(parseEmail(smtp.received[0]!.raw))).toContain(`Message:\r\n${message}\r\n`)
})

const failing = [
  ['refuses the email permanently', () => openSmtp({ message: () => refusal(554, 'spam') })],
  ['hangs', () => openSmtp({ message: () => 'hang' })],
  ['cannot be reached', async () => ({ url: 'smtp://127.0.0.1:1' })],
] as const

test.for(failing)(
  'if the mail server %s, the shop stores the contact message and shows an error [CONTACT-25, S-034, S-035]',
  async ([, open]) => {
    const { url } = await open()
    const shop = await openTestShop({ smtpUrl: url, emailTimeouts: { visitorWaitMs: 300 } })
    const answer = await send(shop)

    expect(answer.status).toBe(202)
    expect(answer.text).toContain('There was an error sending your mail')
    expect(answer.text).toContain('There is no need to send it again.')
    expect(answer.text).toContain('dora@mail.test')
    expect(await ordersIn(shop)).toBe(1)
    expect(await shop.db.selectFrom('outbox').select(['sentAt', 'attempts']).execute()).toEqual([
      { sentAt: null, attempts: 1 },
    ])
  },
)

test('after a failed attempt, the shop sends the contact email only once, even if the visitor sends the form again [CONTACT-24, S-034]', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const failed = await send(shop)
  expect(failed.text).toContain('There was an error sending your mail')
  expect(failed.text).not.toContain('Your Mail Have been sent!')
  smtp.manners.recipient = () => null
  shop.clock.now += 60_000
  await shop.outbox.deliverDue()

  expect((await send(shop)).text).toContain('Your Mail Have been sent!')
  expect(smtp.received).toHaveLength(1)
  expect(await ordersIn(shop)).toBe(1)
})
