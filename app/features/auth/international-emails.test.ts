import { expect, test } from 'vitest'
import { planAccounts } from '#firestore-import/accounts.ts'
import { readEnv } from '#lib/config/env.server.ts'
import { openSmtp } from '#test/fixtures/email.ts'
import { change, emailTo } from '#test/fixtures/accounts.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'

const OLD = 'a-good-password'
const NEW = 'another-good-password'
const logIn = async (shop: TestShop, email: string, password: string) =>
  (await shop.visitor().post('/login/', { intent: 'login', email, password })).status

test.for([
  ['anna@müller.example', 'Anna@xn--mller-kva.example'],
  ['"quoted local"@example.org', '"Quoted Local"@example.org'],
  ['anna.müller@mail.test', 'ANNA.MÜLLER@mail.test'],
] as const)(
  'an account with the email %s registers, logs in, changes to it and resets its password by email [LOGIN-58, S-487]',
  async ([email, otherSpelling]) => {
    const shop = await openTestShop()
    const register = { intent: 'register', email: otherSpelling, password: OLD }
    expect((await shop.visitor().post('/login/', register)).status).toBe(302)
    expect((await shop.visitor().post('/login/', { ...register, email })).status).toBe(422)
    for (const spelling of [email, otherSpelling]) {
      expect(await logIn(shop, spelling, OLD)).toBe(302)
    }
    expect(await logIn(shop, email, NEW)).toBe(401)

    await shop.visitor().post('/reset-password/', { intent: 'ask', email: otherSpelling })
    const { code } = await emailTo(shop, email)
    const choice = { intent: 'choose', code, password: NEW }
    expect((await shop.visitor().post('/reset-password/', choice)).status).toBe(200)
    expect(await logIn(shop, email, NEW)).toBe(302)
    const people = await shop.db
      .selectFrom('user')
      .select('email')
      .where('id', '!=', 'owner')
      .execute()
    expect(people).toEqual([{ email }])

    const elsewhere = await openTestShop()
    const ann = await elsewhere.customer()
    expect((await change(ann, otherSpelling)).status).toBe(200)
    expect((await emailTo(elsewhere, email)).text).toContain('/confirm-email/')
  },
)

test('a guest links an account with an international email [LOGIN-58, S-487]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const form = { intent: 'register', email: 'anna@müller.example', password: OLD }
  await guest.post('/link-guest/', form)
  expect(await logIn(shop, 'anna@müller.example', OLD)).toBe(302)
})

test('OWNER_EMAIL and the Firestore import accept international emails, and the import refuses what cannot log in [LOGIN-58, S-487]', () => {
  expect(readEnv({ OWNER_EMAIL: 'Ona@müller.example' }).ownerEmail).toBe('ona@müller.example')
  expect(() => readEnv({ OWNER_EMAIL: 'ona@müller' })).toThrow('must be an email address')

  const person = (id: string, email: string) => {
    const user = { name: 'Anna', email, photoURL: '' }
    return [id, { user }] as const
  }
  const documents = {
    orders: new Map([
      person('a', 'anna@müller.example'),
      person('b', 'b@x'),
      person('c', 'ANNA@xn--mller-kva.example'),
    ]),
    sales: new Map(),
  } as unknown as Parameters<typeof planAccounts>[0]
  const { accounts, sameAs } = planAccounts(documents, {
    ownerEmail: 'owner@example.com',
    exported: [],
    uid: (id) => id,
    now: 0,
    report: () => {},
  })
  expect([...accounts.values()].map(({ email }) => email)).toEqual(['anna@müller.example'])
  expect([...sameAs]).toEqual([['c', 'a']])
})

test('an email to an international address names the ASCII form of its domain, which all mail servers know [LOGIN-58, S-487]', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const form = { intent: 'register', email: 'anna@müller.example', password: OLD }
  await shop.visitor().post('/login/', form)
  await shop.outbox.deliverDue()
  expect(smtp.received.map(({ raw }) => /^To: .*/m.exec(raw)?.[0])).toEqual([
    'To: anna@xn--mller-kva.example',
  ])
})
