import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { OWNER_ID } from '#services/owner-id.ts'
import { openTestShop, OWNER, type TestShop, openShopWithAnn } from '#test/fixtures/test-shop.ts'
import { change, emailsTo, emailTo } from '#test/fixtures/accounts.ts'
import { hrefOf, pageOf } from '#test/fixtures/html.ts'

const HOUR = 60 * 60_000
const NEW = 'another-good-password'
const ask = (shop: TestShop, email: string) =>
  shop.visitor().post('/reset-password/', { intent: 'ask', email })
const choose = (shop: TestShop, code: string, password = NEW) =>
  shop.visitor().post('/reset-password/', { intent: 'choose', code, password })
const logIn = async (shop: TestShop, email: string, password: string) =>
  (await shop.visitor().post('/login/', { intent: 'login', email, password })).status
const storedTokens = (shop: TestShop) =>
  shop.db.selectFrom('verificationTokens').selectAll().where('kind', '!=', 'verify').execute()

const readAlert = async (response: Response) =>
  pageOf(await response.text()).queryByText('Code is Invalid', { selector: '[role=alert]' })

type Codes = { used: string; expired: string; verify: string }

async function askedBy(shop: TestShop, email: string) {
  await ask(shop, email)
  return emailTo(shop, email)
}

test('the code in a password reset email sets a new password and ends every session [LOGIN-21, LOGIN-22, LOGIN-37, S-012]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const [session] = await shop.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', ann.id)
    .execute()

  const email = await askedBy(shop, 'ann@mail.test')
  expect(email.subject).toBe('A new password for Knots & Love')
  expect(email.text).toContain(`http://shop.test/reset-password/?code=${email.code}\n`)
  expect(email.text).toContain(`enter this code:\n\n  ${email.code}\n`)

  // Mail programs open links before the user does, so opening the link must not use up the code.
  for (const method of ['GET', 'HEAD', 'GET']) {
    await shop.visitor().send(`/reset-password/?code=${email.code}`, { method })
  }
  const page = pageOf(await shop.visitor().page(`/reset-password/?code=${email.code}`))
  const userName = page.getByDisplayValue('ann@mail.test')
  expect(userName.getAttribute('autocomplete')).toBe('username')
  expect(page.getByRole('button', { name: 'Change Password' })).toBeTruthy()

  const answer = await choose(shop, email.code)
  expect(answer.status).toBe(200)
  // The response sets only the device cookie, so the user is not logged in. [S-238]
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^known=/)])
  const text = await answer.text()
  expect(text).toContain('Your password has been changed')
  for (const secret of [ann.id, 'ann@mail.test', NEW]) expect(text).not.toContain(secret)
  expect(ended).toEqual([session!.id])
  expect(await ann.page('/about/')).toContain('Login | Register')
  expect(await logIn(shop, 'ann@mail.test', 'a-good-password')).toBe(401)
  expect(await logIn(shop, 'ann@mail.test', NEW)).toBe(302)
  expect((await emailsTo(shop, 'ann@mail.test')).map(({ subject }) => subject)).toContain(
    'Your password for Knots & Love was changed',
  )
})

test('the shop responds to a password reset before it looks up the address, and in the same way for every address [LOGIN-21, S-013]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  await shop.guest()
  const { email: ofGuest } = await shop.db
    .selectFrom('user')
    .select('email')
    .where('email', 'like', '%.invalid')
    .executeTakeFirstOrThrow()
  const answerTo = async (email: string) => {
    const response = await ask(shop, email)
    return [
      response.status,
      (await response.text()).replaceAll(email, 'EMAIL').replace(/nonce="[^"]*"/g, ''),
    ]
  }
  const known = await answerTo('ann@mail.test')
  expect(known).toEqual(await answerTo('eve@mail.test'))
  expect(known).toEqual(await answerTo(ofGuest))
  expect(known).toEqual(await answerTo('ANN@mail.test'))
  expect(known[1]).toContain('has an account here, an email with a code is on its way')
  await shop.backgroundTasks.settled()
  expect(await storedTokens(shop)).toHaveLength(2)

  const { promise: untilAnswered, resolve } = Promise.withResolvers<void>()
  const transaction = vi
    .spyOn(shop.shop.db, 'transaction')
    .mockReturnValue({ execute: () => untilAnswered } as never)
  expect((await ask(shop, 'ann@mail.test')).status).toBe(200)
  expect(transaction).toHaveBeenCalled()
  resolve()
  transaction.mockRestore()
})

test('when too many background tasks wait, the shop refuses a password reset for every address [S-013, S-262]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const gate = Promise.withResolvers<void>()
  while (shop.backgroundTasks.begin('a test failed', () => gate.promise));
  for (const email of ['ann@mail.test', 'eve@mail.test']) {
    const response = await ask(shop, email)
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('10')
    const page = pageOf(await response.text())
    expect(
      page.getByText('The shop could not save that just now. Please try again in a minute.'),
    ).toBeTruthy()
    expect(page.getByLabelText('Email').getAttribute('value')).toBe(email)
  }
  gate.resolve()
  await shop.backgroundTasks.settled()
  expect(await storedTokens(shop)).toEqual([])
})

test('a password reset for an invalid email address is refused immediately, and the address stays in the field [LOGIN-46, S-228]', async () => {
  const shop = await openTestShop()
  const response = await ask(shop, 'ann@')
  expect(response.status).toBe(422)
  const page = pageOf(await response.text())
  expect(page.getByText('Please provide a valid Email.')).toBeTruthy()
  expect(page.getByLabelText('Email').getAttribute('value')).toBe('ann@')
})

test.each([
  ['used', (codes: Codes) => codes.used],
  ['expired', (codes: Codes) => codes.expired],
  [
    'mistyped',
    ({ expired }: Codes) => `${expired.slice(0, -1)}${expired.endsWith('0') ? '1' : '0'}`,
  ],
  ['of another kind', (codes: Codes) => codes.verify],
  ['unknown', () => '0000-0000'],
  ['endless', () => 'x'.repeat(100_000)],
  ['an SQL injection', () => "' or 1=1 --"],
  ['a null byte', () => '%00'],
  ['not ASCII', () => 'é'.repeat(28)],
])(
  'the password reset refuses a code that is %s with "Code is Invalid" [LOGIN-53]',
  async (_, pick) => {
    const shop = await openTestShop()
    await shop
      .visitor()
      .post('/login/', { intent: 'register', email: 'bea@mail.test', password: 'a-good-password' })
    const verify = (await emailTo(shop, 'bea@mail.test')).code
    const used = (await askedBy(shop, 'bea@mail.test')).code
    await choose(shop, used)
    const expired = (await askedBy(shop, OWNER.email)).code
    shop.clock.now += HOUR
    const code = pick({ used, expired, verify })

    const response = await choose(shop, code)
    expect(response.status).toBe(422)
    expect(await readAlert(response)).toBeTruthy()
    expect(
      await shop.visitor().page(`/reset-password/?code=${encodeURIComponent(code.slice(0, 300))}`),
    ).toContain('Code is Invalid')
    expect(await logIn(shop, OWNER.email, OWNER.password)).toBe(302)
  },
)

test('a reset code is valid for an hour, and may be typed in lower case, with spaces or with similar characters [LOGIN-22]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  shop.clock.now += HOUR - 60_000
  const typed = `  ${code.toLowerCase().replaceAll('-', ' – ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  expect((await choose(shop, typed)).status).toBe(200)
})

test('the shop deletes an unsent email when its code has expired or was canceled [S-231]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await shop.db.deleteFrom('outbox').execute()
  const unsent = async () => {
    await shop.outbox.deliverDue()
    return (
      await shop.db.selectFrom('outbox').select('subject').where('sentAt', 'is', null).execute()
    ).length
  }
  // Until then, the email waits for its next attempt.
  const postpone = () =>
    shop.db
      .updateTable('outbox')
      .set({ nextAttemptAt: shop.now() + HOUR })
      .execute()
  await askedBy(shop, 'ann@mail.test')
  await postpone()
  expect(await unsent()).toBe(1)
  shop.clock.now += HOUR
  expect(await unsent()).toBe(0)
  expect(await emailsTo(shop, 'ann@mail.test')).toEqual([])
  await change(ann, 'new@mail.test')
  await postpone()
  expect(await unsent()).toBe(1)
  await ann.act('/account/email', { intent: 'cancel' })
  expect(await unsent()).toBe(0)
  expect(await emailsTo(shop, 'new@mail.test')).toEqual([])
})

test('after the shop refuses a new password that is too short or too long, the reset code stays valid [LOGIN-53]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  for (const password of ['', 'short', 'x'.repeat(129)]) {
    const response = await choose(shop, code, password)
    expect(response.status).toBe(422)
    expect(await readAlert(response.clone())).toBeTruthy()
    const page = pageOf(await response.text())
    expect(page.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true')
    expect(page.getByDisplayValue(code)).toBeTruthy()
  }
  expect((await choose(shop, code)).status).toBe(200)
})

test('when a reset code is used four times concurrently, only one use succeeds [LOGIN-22]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const all = await Promise.all(
    [1, 2, 3, 4].map((number) => choose(shop, code, `password-of-${number}`)),
  )
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  const winner = all.findIndex(({ status }) => status === 200) + 1
  expect(await logIn(shop, 'ann@mail.test', `password-of-${winner}`)).toBe(302)
})

test('a password reset invalidates every other code of the account and verifies the email address [S-229]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await ann.post('/account/email', {
    email: 'mallory@mail.test',
    password: 'a-good-password',
    back: '/account/',
  })
  const change = await emailTo(shop, 'mallory@mail.test')
  const first = await askedBy(shop, 'ann@mail.test')
  const second = await askedBy(shop, 'ann@mail.test')
  expect(first.code).not.toBe(second.code)
  await choose(shop, first.code)
  expect(await storedTokens(shop)).toEqual([])
  expect((await choose(shop, second.code)).status).toBe(422)
  expect((await shop.visitor().post('/confirm-email/', { code: change.code })).status).toBe(422)
  const { emailVerified } = await shop.db
    .selectFrom('user')
    .select('emailVerified')
    .where('id', '=', ann.id)
    .executeTakeFirstOrThrow()
  expect(Boolean(emailVerified)).toBe(true)
})

test('a customer whose imported account has no password can set a password by a password reset [LOGIN-22]', async () => {
  const shop = await openTestShop()
  const { id } = await shop.customer('ida@mail.test')
  await shop.db.deleteFrom('account').where('userId', '=', id).execute()
  expect(await logIn(shop, 'ida@mail.test', NEW)).toBe(401)
  const { code } = await askedBy(shop, 'ida@mail.test')
  expect((await choose(shop, code)).status).toBe(200)
  expect(await logIn(shop, 'ida@mail.test', NEW)).toBe(302)
  const accounts = await shop.db
    .selectFrom('account')
    .select('providerId')
    .where('userId', '=', id)
    .execute()
  expect(accounts).toEqual([{ providerId: 'credential' }])
})

test('a password reset keeps the owner’s role, does not log her in, and is recorded in the audit log [LOGIN-22]', async () => {
  const shop = await openTestShop()
  const { code } = await askedBy(shop, OWNER.email)
  const visitor = shop.visitor()
  await visitor.post('/reset-password/', { intent: 'choose', code, password: NEW })
  expect((await visitor.get('/manage/')).headers.get('location')).not.toBe(null)
  await visitor.post('/login/', { intent: 'login', email: OWNER.email, password: NEW })
  expect((await visitor.get('/manage/')).status).toBe(200)
  expect(await visitor.page('/manage/history/')).toContain('Reset the password by an email')
  const acts = await shop.db.selectFrom('audit').select(['act', 'actor']).execute()
  expect(acts).toEqual([{ act: 'reset-own-password', actor: OWNER_ID }])
})

test('the shop sends at most three reset emails an hour to one address until its password changes, but responds to all requests in the same way [S-228]', async () => {
  const { shop, ann } = await openShopWithAnn({ rateLimits: true })
  for (let tries = 0; tries < 5; tries++) {
    expect((await ask(shop, 'ann@mail.test')).status).toBe(200)
    await shop.backgroundTasks.settled()
    expect(await storedTokens(shop)).toHaveLength(Math.min(tries + 1, 3))
  }
  await ann.act('/account/password', { password: 'a-good-password', newPassword: NEW })
  for (const emails of [4, 5]) {
    await ask(shop, 'ann@mail.test')
    await shop.backgroundTasks.settled()
    expect(await emailsTo(shop, 'ann@mail.test')).toHaveLength(emails)
    shop.clock.now += HOUR
  }
})

test('an address gets at most five reset emails an hour, also if its account gets another password in between [S-228, S-237]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  await shop.customer()
  for (let tries = 0; tries < 9; tries++) {
    await ask(shop, 'ann@mail.test')
    await shop.backgroundTasks.settled()
    await shop.db.deleteFrom('verificationTokens').where('kind', '=', 'reset').execute()
  }
  expect(
    (await emailsTo(shop, 'ann@mail.test')).filter(({ subject }) =>
      subject.startsWith('A new password'),
    ),
  ).toHaveLength(5)
})

test('too many password resets from one IP address get status 429, and the typed email address stays in the field [S-228]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  let response = await ask(shop, 'a@mail.test')
  for (let tries = 0; tries < 40 && response.status === 200; tries++) {
    response = await ask(shop, `a${tries}@mail.test`)
  }
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  const page = pageOf(await response.text())
  expect(page.getByText(/Too many tries\. Please wait/)).toBeTruthy()
  expect(page.getByLabelText('Email').getAttribute('value')).toMatch(/^a\d+@mail\.test$/)
})

test('neither the database nor the pages of the owner contain a reset code [S-227]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const rows = JSON.stringify([
    await storedTokens(shop),
    await shop.db.selectFrom('outbox').selectAll().execute(),
  ])
  expect(rows).not.toContain(code)
  expect(rows).not.toContain(code.replaceAll('-', ''))
  expect(rows).not.toContain(createHash('sha256').update(code).digest('hex'))
  const page = await (await shop.owner()).page('/manage/mail/')
  expect(page).toContain('(a code that only the email contains)')
  expect(page).not.toContain(code)
})

test('the password reset page that a guest opens from "Link Guest Account" has an empty email field and a link back [S-012, S-005]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const linking = pageOf(await guest.page('/link-guest/'))
  expect(hrefOf(linking, 'Forgot your password?')).toBe('/reset-password/')
  const page = pageOf(await guest.page('/reset-password/'))
  expect(page.getByLabelText('Email').getAttribute('value')).toBe('')
  expect(hrefOf(page, 'Back to Login')).toBe('/link-guest/')
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const answer = await guest.post('/reset-password/', { intent: 'choose', code, password: NEW })
  expect(hrefOf(pageOf(await answer.text()), 'Log In')).toBe('/link-guest/')
})

test('when the shop cannot send emails, the page for a lost password sends customers to the owner, and the owner to the command of the server [S-489]', async () => {
  const shop = await openTestShop({ hasMailServer: false })
  shop.shop.outbox.canSend = async () => false
  const page = await shop.visitor().page('/reset-password/')
  expect(page).toContain('Please ask the owner for a link for a new password')
  expect(page).toContain('npm run admin -- reset-password')
})
