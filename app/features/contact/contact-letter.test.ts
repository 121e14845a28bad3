/** What really arrives: the letters of the contact page at a real mail server. */
import { expect, test } from 'vitest'
import { openSilence, openSmtp, readLetter, refusal } from '#test/open-smtp.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'

const valid = { name: 'Dora Knott', email: 'dora@mail.test', phone: '0123456789', message: 'Do you make curtains?' }
async function send(shop: TestShop, form: Partial<typeof valid> = {}) {
  const stamp = await shop.formTime.stamp(shop.now() - 60_000)
  return shop.visitor().act('/contact/', { stamp, ...valid, ...form })
}
const ordersIn = async (shop: TestShop) => (await shop.db.selectFrom('orders').select('id').execute()).length
/** Base64 and quoted-printable read as text. */
function bodyOf({ headers, body }: ReturnType<typeof readLetter>): string {
  const encoding = headers.find(([name]) => name === 'content-transfer-encoding')?.[1]
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('CONTACT-23 MAIL-01 MAIL-02 MAIL-03 MAIL-04 MAIL-05 S-038 the letter reaches the owner’s mail server, to be answered to the sender', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const answer = await send(shop)

  expect(answer.text).toContain('Your Mail Have been sent!')
  expect(smtp.received).toHaveLength(1)
  const [{ to, raw }] = smtp.received as [(typeof smtp.received)[0]]
  expect(to).toEqual([OWNER.email])
  const letter = readLetter(raw)
  expect(Object.fromEntries(letter.headers)).toMatchObject({
    to: OWNER.email,
    'reply-to': 'dora@mail.test',
    subject: 'Message from Dora Knott',
  })
  expect(bodyOf(letter)).toContain(
    'Name: Dora Knott\r\nEmail: dora@mail.test\r\nPhone: 0123456789\r\n\r\nMessage:\r\nDo you make curtains?\r\n',
  )
})

const HEADERS = ['content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to', 'subject', 'to']

const names = [
  'Dora\r\nBcc: all@mail.test',
  'Dora\nBcc: all@mail.test',
  'Dora\rBcc: all@mail.test',
  'Dora\r\n\r\nA body of my own',
  'Dora\u2028Bcc: all@mail.test\u2029X: y',
  'Dora\u0085Bcc: all@mail.test\u000bX: y',
  'Dora\r\n Bcc: all@mail.test',
  '=?utf-8?Q?Dora=0D=0ABcc:_all@mail.test?=',
  '=?utf-8?B?RG9yYQ0KQmNjOiBhbGxAbWFpbC50ZXN0?=',
  'Dora <all@mail.test>, Eve',
  `Dora ${'x'.repeat(190)}`,
  'דורה 🧶 كنوت',
  'Dora%0d%0aBcc: all@mail.test',
]

test.for(names)('a name cannot write headers of the letter: %j', async (name) => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  expect((await send(shop, { name })).status).toBe(200)

  const { to, raw } = smtp.received[0]!
  const { headers } = readLetter(raw)
  expect(headers.map(([header]) => header).toSorted()).toEqual(HEADERS)
  expect(Object.fromEntries(headers)).toMatchObject({ to: OWNER.email, 'reply-to': 'dora@mail.test', from: OWNER.email })
  expect(to).toEqual([OWNER.email])
  // What a mailbox makes of the encoded words of the subject is what was typed; encoded words that were typed are none any more.
  const subject = Object.fromEntries(headers).subject!
  const words = [...subject.matchAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi)].map(([, encoding, text]) =>
    encoding!.toUpperCase() === 'B'
      ? Buffer.from(text!, 'base64')
      : Buffer.from(
          text!.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ),
  )
  const read = words.length > 0 ? Buffer.concat(words).toString() : subject
  expect(read).toBe(
    `Message from ${name
      .replace(/[\s\u0085]+/g, ' ')
      .trim()
      .replace('=?', '= ?')}`,
  )
})

const hostile = [
  'dora@mail.test\r\nBcc: all@mail.test',
  'dora@mail.test\nBcc: all@mail.test',
  'dora@mail.test\u2028Bcc: all@mail.test',
  'dora@mail.test,all@mail.test',
  'Dora <dora@mail.test>',
  '"x" <all@mail.test>, "y"@mail.test',
  '=?utf-8?Q?dora=0D=0ABcc:all?=@mail.test>',
]

test.for(hostile)('CONTACT-15 an e-mail that would be more than one address is refused: %j', async (email) => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const answer = await send(shop, { email })
  expect(answer.text).toContain('Please provide a valid Email')
  expect([answer.status, smtp.seen, await ordersIn(shop)]).toEqual([422, [], 0])
})

const odd = [
  ['dora+knots@mail.test', 'dora+knots@mail.test'],
  ["o'neill_{x}=!#$%&*/?^`|~@mail.test", "o'neill_{x}=!#$%&*/?^`|~@mail.test"],
  ['"dora knott"@mail.test', '"dora knott"@mail.test'],
  ['"a, b c@d"@mail.test', '"a, b c@d"@mail.test'],
  ['dora@bücher.example', 'dora@xn--bcher-kva.example'],
  ['jürgen@mail.test', 'jürgen@mail.test'],
  ['=?utf-8?Q?dora?=@mail.test', '=?utf-8?Q?dora?=@mail.test'],
  [`${'x'.repeat(64)}@${'a.'.repeat(80)}mail.photography`, `${'x'.repeat(64)}@${'a.'.repeat(80)}mail.photography`],
] as const

test.for(odd)('CONTACT-15 an odd but valid address is the one that is answered to: %s', async ([email, replyTo]) => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  expect((await send(shop, { email })).status).toBe(200)
  const letter = readLetter(smtp.received[0]!.raw)
  expect(letter.headers.map(([header]) => header).toSorted()).toEqual(HEADERS)
  expect(Object.fromEntries(letter.headers)['reply-to']!.replace(/^<(.*)>$/, '$1')).toBe(replyTo)
  expect(bodyOf(letter)).toContain(`Email: ${email}\r\n`)
})

test('CONTACT-20 what is written arrives as it was written: dots, emoji, right to left, long lines', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const message = `.\r\n..\r\nQUIT\r\nFrom here: 🧶🏳️‍🌈 שלום مرحبا \u200f\r\n${'x'.repeat(3000)}\r\n\t end`
  await send(shop, { message })
  expect(bodyOf(readLetter(smtp.received[0]!.raw))).toContain(`Message:\r\n${message}\r\n`)
})

const failing = [
  ['refuses for now', () => openSmtp({ recipient: () => refusal(450, 'busy') })],
  ['refuses for good', () => openSmtp({ letter: () => refusal(554, 'spam') })],
  ['breaks off', () => openSmtp({ letter: () => 'break' })],
  ['hangs', () => openSmtp({ letter: () => 'hang' })],
  ['never greets', openSilence],
  ['is not there', async () => ({ url: 'smtp://127.0.0.1:1' })],
] as const

test.for(failing)('CONTACT-25 S-034 S-035 a server that %s: the visitor is told soon, and the message stays', async ([, open]) => {
  const { url } = await open()
  const shop = await openTestShop({ smtpUrl: url, patience: { ofVisitor: 300 } })
  const answer = await send(shop)

  expect(answer.status).toBe(202)
  expect(answer.text).toContain('There was an error sending your mail')
  expect(answer.text).toContain('There is no need to send it again.')
  expect(answer.text).toContain('dora@mail.test')
  expect(await ordersIn(shop)).toBe(1)
  expect(await shop.db.selectFrom('outbox').select(['sentAt', 'attempts']).execute()).toEqual([{ sentAt: null, attempts: 1 }])
})

test('CONTACT-24 S-034 pressing again after a failure sends nothing twice, and says when the letter has left', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  expect((await send(shop)).text).toContain('There was an error sending your mail')
  smtp.manners.recipient = () => null
  shop.clock.now += 60_000
  await shop.mail.deliverDue()

  expect((await send(shop)).text).toContain('Your Mail Have been sent!')
  expect([smtp.received.length, await ordersIn(shop)]).toEqual([1, 1])
})
