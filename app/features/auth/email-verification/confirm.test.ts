import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openSmtp, parseEmail, refusal } from '#test/fixtures/email.ts'
import {
  openTestShop,
  OWNER,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'
import { change, confirm, customer, emailsTo, emailTo } from '#test/fixtures/accounts.ts'

const HOUR = 60 * 60_000
const password = 'a-good-password'
const address = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ email, emailVerified }) => [email, Boolean(emailVerified)])

test('a registration email links to a page whose Confirm button verifies the address, in the customer’s browser [LOGIN-20, S-012]', async () => {
  const shop = await openTestShop()
  const ann = shop.visitor()
  await ann.post('/login/', { intent: 'register', email: 'Ann@mail.test', password })
  const { id } = await shop.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'ann@mail.test')
    .executeTakeFirstOrThrow()
  expect((await ann.act('/messages', { intent: 'send', message: 'Hello' })).status).toBe(200)
  expect(await ann.page('/account/')).toContain('Not confirmed yet')

  const email = await emailTo(shop, 'ann@mail.test')
  expect(email.text).toContain(`http://shop.test/confirm-email/?code=${email.code}\n`)
  for (const method of ['GET', 'HEAD', 'GET']) {
    await shop.visitor().send(`/confirm-email/?code=${email.code}`, { method })
  }
  await shop.visitor().get(`/confirm-email.data?code=${email.code}`)
  expect(await address(shop, id)).toEqual(['ann@mail.test', false])

  const page = pageOf(await ann.page(`/confirm-email/?code=${email.code}`))
  expect(page.queryByLabelText('New password')).toBe(null)
  expect(page.getByRole('main').textContent).toMatch(/ann@mail\.test[\s\S]*Is it yours\?/)
  expect(page.getByRole('button', { name: 'Confirm' })).toBeTruthy()
  expect(await (await confirm(ann, email.code)).text()).toContain('Your email is confirmed')
  expect(await address(shop, id)).toEqual(['ann@mail.test', true])
  expect(await ann.page('/account/')).toMatch(/Confirmed(?! yet)/)

  const again = await confirm(ann, email.code)
  expect(again.status).toBe(422)
  const refusal = pageOf(await again.text()).getByText('Code is Invalid')
  expect(refusal.getAttribute('role')).toBe('alert')
  expect(await ann.page(`/confirm-email/?code=${email.code}`)).toContain(
    'Your email is already confirmed.',
  )
})

test('a customer with an unverified address can request the verification email again [LOGIN-20] [S-014]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const answer = await ann.act('/account/verification', {})
  expect(answer.status).toBe(200)
  expect(answer.text.includes('An email is on its way to ann@mail.test.')).toBe(true)
  expect(answer.text.includes(ann.id)).toBe(false)
  const { code } = await emailTo(shop, 'ann@mail.test')
  shop.clock.now += 71 * HOUR
  expect((await confirm(ann, code)).status).toBe(200)
  expect((await ann.act('/account/verification', {})).text).toContain(
    'Your email is already confirmed.',
  )
  expect(await emailsTo(shop, 'ann@mail.test')).toHaveLength(1)
})

test('an address gets at most ten confirmation emails an hour, whichever account requests them [S-237]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const setEmail = (id: string, email: string) =>
    shop.db.updateTable('user').set({ email }).where('id', '=', id).execute()
  for (let accounts = 0; accounts < 3; accounts++) {
    const person = await shop.customer(`ann${accounts}@mail.test`)
    await setEmail(person.id, 'ann@mail.test')
    for (let tries = 0; tries < 5; tries++) await person.act('/account/verification', {})
    await setEmail(person.id, `ann${accounts}@mail.test`)
  }
  expect(await emailsTo(shop, 'ann@mail.test')).toHaveLength(10)
})

test('when the mail server refuses a verification email, the page says so, and the shop sends the email later [LOGIN-52]', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const { shop, ann } = await openShopWithAnn({ smtpUrl: smtp.url })
  const request = () => ann.act('/account/verification', {})
  expect(await request()).toEqual({
    status: 202,
    text: expect.stringContaining('Unable to Send Verification Email'),
  })
  const { post } = shop.shop.outbox
  shop.shop.outbox.post = () => Promise.reject(new Error('no outbox'))
  expect(await request()).toEqual({
    status: 500,
    text: expect.stringContaining('Unable to Send Verification Email'),
  })
  shop.shop.outbox.post = post
  smtp.manners.recipient = () => null
  shop.clock.now += 1
  expect((await request()).text).toContain('An email is on its way')
  shop.clock.now += 60_000
  await shop.outbox.deliverDue()

  expect(smtp.received.map(({ to }) => to)).toEqual([['ann@mail.test'], ['ann@mail.test']])
  const { headers, body } = parseEmail(smtp.received[0]!.raw)
  const { code } = (await emailsTo(shop, 'ann@mail.test')).at(-1)!
  expect(Object.fromEntries(headers)).toMatchObject({
    from: OWNER.email,
    subject: 'Please confirm your email for Knots & Love',
  })
  expect(body.replace(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(
    `http://shop.test/confirm-email/?code=${code}`,
  )
})

test('a change of the email address must be confirmed from the old address and then from the new address [LOGIN-18, LOGIN-35, S-230]', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  const answer = await change(ann, ' New.Ann@mail.test ')
  expect(answer.status).toBe(200)
  expect(answer.text.includes('Please confirm there first.')).toBe(true)
  expect(answer.text.includes(ann.id)).toBe(false)
  expect(await emailsTo(shop, 'new.ann@mail.test')).toEqual([])
  expect(await ann.page('/account/')).toMatch(/It becomes[\s\S]*new\.ann@mail\.test/)

  const first = await emailTo(shop, 'ann@mail.test')
  expect(first.text).toContain('from ann@mail.test to new.ann@mail.test')
  await shop.visitor().get(`/confirm-email/?code=${first.code}`)
  expect(await emailsTo(shop, 'new.ann@mail.test')).toEqual([])
  expect((await confirm(ann, first.code)).status).toBe(200)
  expect(await address(shop, ann.id)).toEqual(['ann@mail.test', true])
  expect((await confirm(ann, first.code)).status).toBe(422)

  const second = await emailTo(shop, 'new.ann@mail.test')
  const response = await confirm(ann, second.code)
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.text()).toContain('Your email has been changed.')
  expect(await address(shop, ann.id)).toEqual(['new.ann@mail.test', true])
  expect((await confirm(ann, second.code)).status).toBe(422)
  expect(await ann.page('/account/')).toContain('new.ann@mail.test')
  expect(await (await shop.owner()).page(`/manage/messages/${ann.id}`)).toContain(
    'new.ann@mail.test',
  )
  expect((await emailsTo(shop, 'ann@mail.test')).at(-1)!.subject).toBe(
    'Your email for Knots & Love was changed',
  )
  expect(
    (await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password }))
      .status,
  ).toBe(401)
  expect(
    (
      await shop
        .visitor()
        .post('/login/', { intent: 'login', email: 'new.ann@mail.test', password })
    ).status,
  ).toBe(302)
})

test.each([
  ['no', ''],
  ['a wrong', 'wrong-password'],
  ['a very long', 'x'.repeat(5000)],
])(
  'the shop refuses to change the email address with %s password in the form [LOGIN-55, S-015]',
  async (_, typed) => {
    const shop = await openTestShop()
    const ann = await customer(shop, true)
    expect(await change(ann, 'new@mail.test', typed)).toEqual({
      status: 403,
      text: expect.stringContaining('Invalid Credentials'),
    })
    expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([])
  },
)

test.each([
  ['', 'That is not an email address.'],
  ['new', 'That is not an email address.'],
  ['a@b.test\r\nBcc: c@d.test', 'That is not an email address.'],
  [`${'a'.repeat(300)}@mail.test`, 'That is not an email address.'],
  ['ANN@mail.test', 'That is your email already.'],
  ['bob@mail.test', 'Unable to Update Email'],
  ['x@guest.invalid', 'Unable to Update Email'],
])(
  'the shop refuses %j as the new email address with the message "%s" [LOGIN-50]',
  async (email, text) => {
    const shop = await openTestShop()
    const ann = await customer(shop, true)
    await shop.customer('bob@mail.test')
    const refused = await change(ann, email)
    expect(refused.status).toBe(422)
    expect(refused.text.includes('Unable to Update Email')).toBe(true)
    expect(refused.text.includes(text)).toBe(true)
    expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([])
  },
)

test('when another user registers the new address before the customer confirms it, the other user keeps the address [LOGIN-50]', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await change(ann, 'new@mail.test')
  const old = await emailTo(shop, 'ann@mail.test')
  await confirm(ann, old.code)
  const second = await emailTo(shop, 'new@mail.test')
  const bob = await shop.customer('new@mail.test')
  const response = await confirm(ann, second.code)
  expect(response.status).toBe(409)
  expect((await response.text()).includes('Unable to Update Email')).toBe(true)
  expect(await address(shop, ann.id)).toEqual(['ann@mail.test', true])
  expect(await address(shop, bob.id)).toEqual(['new@mail.test', false])
  await shop.db.deleteFrom('user').where('id', '=', bob.id).execute()
  expect((await confirm(ann, second.code)).status).toBe(200)
})

test('when two customers change to the same email address simultaneously, only one customer gets the address [LOGIN-50]', async () => {
  const shop = await openTestShop()
  const both = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const codes: string[] = []
  for (const customer of both) {
    expect((await change(customer, 'new@mail.test')).status).toBe(200)
    codes.push((await emailTo(shop, 'new@mail.test')).code)
  }

  const answers = await Promise.all(codes.map((code, index) => confirm(both[index]!, code)))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const emails = (await Promise.all(both.map(({ id }) => address(shop, id)))).map(
    ([email]) => email,
  )
  expect(emails).toEqual(
    answers[0]!.status === 200
      ? ['new@mail.test', 'bea@mail.test']
      : ['ann@mail.test', 'new@mail.test'],
  )
})

test('of four concurrent changes of an unverified email address, the shop stores one, and only its code is valid [LOGIN-18, S-230]', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, false)
  const wanted = [1, 2, 3, 4].map((number) => `ann${number}@mail.test`)

  const answers = await Promise.all(wanted.map((email) => change(ann, email)))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const tokens = shop.db
    .selectFrom('verificationTokens')
    .select('newEmail')
    .where('kind', '!=', 'verify')
  const [token, ...others] = await tokens.execute()
  expect(others).toEqual([])
  expect(await emailsTo(shop, 'ann@mail.test')).toEqual([])
  const statuses: number[] = []
  for (const email of wanted) {
    statuses.push((await confirm(ann, (await emailTo(shop, email)).code)).status)
  }
  expect(statuses).toEqual(wanted.map((email) => (email === token!.newEmail ? 200 : 422)))
  expect(await address(shop, ann.id)).toEqual([token!.newEmail, true])
})

test('a pending change of the email address ends when it is canceled, replaced or a day old [S-230]', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await change(ann, 'one@mail.test')
  const one = await emailTo(shop, 'ann@mail.test')
  await change(ann, 'two@mail.test')
  const two = await emailTo(shop, 'ann@mail.test')
  expect((await confirm(ann, one.code)).status).toBe(422)
  expect((await ann.act('/account/email', { intent: 'cancel' })).text).toContain(
    'Your email stays the same.',
  )
  expect((await confirm(ann, two.code)).status).toBe(422)
  expect(await ann.page('/account/')).not.toContain('It becomes')

  await change(ann, 'three@mail.test')
  const three = await emailTo(shop, 'ann@mail.test')
  shop.clock.now += 24 * HOUR
  expect((await confirm(ann, three.code)).status).toBe(422)

  await change(ann, 'four@mail.test')
  const four = await emailTo(shop, 'ann@mail.test')
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const reset = await emailTo(shop, 'ann@mail.test')
  await shop.db
    .updateTable('user')
    .set({ email: 'elsewhere@mail.test' })
    .where('id', '=', ann.id)
    .execute()
  expect((await confirm(ann, four.code)).status).toBe(422)
  const tried = await shop
    .visitor()
    .post('/reset-password/', { intent: 'choose', code: reset.code, password: 'another-password' })
  expect(tried.status).toBe(422)
})

test('the owner changes her email address in the same way as a customer, and the audit log records the change [LOGIN-18]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await owner.act('/account/email', { email: 'ona@mail.test', password: OWNER.password })
  await confirm(owner, (await emailTo(shop, OWNER.email)).code)
  await confirm(owner, (await emailTo(shop, 'ona@mail.test')).code)
  expect(await address(shop, 'owner')).toEqual(['ona@mail.test', true])
  expect((await owner.get('/manage/')).status).toBe(200)
  expect(await owner.page('/manage/history/')).toContain('Changed her own email to ona@mail.test')
})

test('links in emails begin with the shop’s configured URL; without a configured URL, emails contain only the code [S-227]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  await shop.app(
    new Request('http://evil.test/reset-password', {
      method: 'POST',
      headers: { origin: 'http://shop.test', host: 'evil.test', 'x-forwarded-host': 'evil.test' },
      body: new URLSearchParams({ intent: 'ask', email: 'ann@mail.test' }),
    }),
  )
  const { text } = await emailTo(shop, 'ann@mail.test')
  expect(text.includes('evil.test')).toBe(false)
  expect(text.includes('http://shop.test/reset-password/?code=')).toBe(true)
  const shopWithoutUrl = await openTestShop({ emailLinkOrigin: null })
  await shopWithoutUrl.customer()
  await shopWithoutUrl.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const bare = await emailTo(shopWithoutUrl, 'ann@mail.test')
  expect(bare.text).not.toContain('http')
  expect(bare.text).toContain(
    `go to the page /reset-password/ and enter this code:\n\n  ${bare.code}\n`,
  )
})

test('an email never contains the name that a user has typed [S-227]', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, false)
  await shop.db
    .updateTable('user')
    .set({ name: 'Win a prize at evil.test {code}' })
    .where('id', '=', ann.id)
    .execute()
  await change(ann, 'victim@mail.test')
  const { text, subject } = await emailTo(shop, 'victim@mail.test')
  expect(`${subject} ${text}`).not.toContain('prize')
})

test('a bounced verification email causes no warning to the owner, and is deleted when its code expires [S-231]', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await shop.visitor().post('/login/', { intent: 'register', email: 'bogus@mail.test', password })
  await shop.outbox.deliverDue()
  const owner = await shop.owner()
  expect(await owner.page('/manage/')).not.toContain('See the mail')
  expect(await owner.page('/manage/mail/')).toContain('The customer can request it again.')
  shop.clock.now += 73 * HOUR
  await shop.outbox.deliverDue()
  expect(await emailsTo(shop, 'bogus@mail.test')).toEqual([])
})
