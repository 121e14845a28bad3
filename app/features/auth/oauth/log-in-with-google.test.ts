import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'
import {
  greetingOf,
  emailTo,
  emailsTo,
  googleAccounts,
  sameBrowser,
  verifyEmail,
} from '#test/fixtures/accounts.ts'
import { goingTo, signInWith, visitProvider } from '#test/fixtures/oidc-provider.ts'
import { gina, openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'

test('the login page has "Log In with Google" only when the provider is configured [LOGIN-08]', async () => {
  const { shop } = await openShopWithGoogle()
  const page = pageOf(await shop.visitor().page('/login/'))
  expect(page.getByRole('button', { name: 'Log In with Google' })).toBeTruthy()

  const bare = await openTestShop()
  expect(await bare.visitor().page('/login/')).not.toContain('Google')
  expect((await bare.visitor().post('/login/google', {})).headers.get('location')).toBe('/')
})

test('"Log In with Google" stores no token, and finds the account after the email address at Google changes [LOGIN-13, DATA-011, S-208, S-210]', async () => {
  const { shop, provider } = await openShopWithGoogle()
  const visitor = shop.visitor()

  const back = await signInWith(visitor, 'gina')

  expect(back.status).toBe(303)
  expect(back.headers.get('location')).toBe('/')
  expect(await greetingOf(visitor)).toBe('Hello, Gina')
  // A user's email address and name can change at Google, but the subject, which is her id at
  // Google, stays the same.
  const victim = await shop.customer('victim@mail.test')
  await verifyEmail(shop, victim.id)
  provider.people.gina = { ...gina, email: 'victim@mail.test' }
  const later = shop.visitor()
  await signInWith(later, 'gina')
  expect(await greetingOf(later)).toBe('Hello, Gina')
  expect(await later.page('/account/')).not.toContain('victim@mail.test')
  const users = await shop.db
    .selectFrom('user')
    .selectAll()
    .where('id', 'not in', ['owner', victim.id])
    .execute()
  expect(users).toHaveLength(1)
  expect(users[0]).toMatchObject({ email: 'gina@mail.test', name: 'Gina Google', image: null })
  expect(Boolean(users[0]!.emailVerified)).toBe(true)
  const rows = await shop.db
    .selectFrom('account')
    .selectAll()
    .where('providerId', '=', 'google')
    .execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    accountId: 'g-1',
    accessToken: null,
    refreshToken: null,
    idToken: null,
    password: null,
  })
})

test('when a user denies consent at Google, the page shows "An Error has Occured..." once and nothing changes [LOGIN-56, S-018, LOGIN-30]', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()

  const back = await signInWith(visitor, 'Cancel')

  expect(back.status).toBe(303)
  expect(back.headers.get('location')).toBe('/login/')
  const toast = pageOf(await visitor.page('/login/')).getByText('An Error has Occured...')
  expect(toast.closest('[role=alert]')).toBeTruthy()
  expect(await visitor.page('/login/')).not.toContain('An Error has Occured')
  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
})

const unconfirmed = 'Google has not confirmed'
test.each([
  [
    'an unverified address of a customer',
    { email: 'ann@mail.test', email_verified: false },
    unconfirmed,
  ],
  [
    'an address whose verification is a text instead of true',
    { email: 'ann@mail.test', email_verified: 'false' },
    unconfirmed,
  ],
  [
    'an address without information about its verification',
    { email: 'ann@mail.test' },
    unconfirmed,
  ],
  ['an unverified new address', { email: 'new@mail.test', email_verified: false }, unconfirmed],
  // If this login succeeded, the person who registered the account with a password could use the
  // account, too.
  [
    'the address of an account that has not verified it',
    { email: 'bea@mail.test', email_verified: true },
    'already exists.',
  ],
  [
    'the verified address of the owner',
    { email: 'owner@shop.test', email_verified: true },
    'with its password only',
  ],
  ['no address', { email_verified: true }, 'An Error has Occured...'],
  [
    'a text that is no address',
    { email: 'no address', email_verified: true },
    'An Error has Occured...',
  ],
])('a login with %s from Google creates no account [S-208]', async (_, claims, text) => {
  const { shop } = await openShopWithGoogle({ eve: { sub: 'g-eve', name: 'Eve', ...claims } })
  await verifyEmail(shop, (await shop.customer('ann@mail.test')).id)
  await shop.customer('bea@mail.test')
  const visitor = shop.visitor()

  const back = await signInWith(visitor, 'eve')

  expect(back.headers.get('location')).toBe('/login/')
  expect(visitor.cookies.has('shop.session_token')).toBe(false)
  const html = await visitor.page('/login/')
  expect(pageOf(html).getByText('An Error has Occured...')).toBeTruthy()
  expect(html).toContain(text)
  expect(await googleAccounts(shop)).toEqual([])
})

test('a Google login is linked to the account with its email address if Google and the shop have verified the address [S-208, S-231]', async () => {
  const { shop } = await openShopWithGoogle()
  const { id } = await shop.customer('gina@mail.test')
  await verifyEmail(shop, id)

  const visitor = shop.visitor()
  for (const browser of [visitor, shop.visitor()]) await signInWith(browser, 'gina')

  expect(await googleAccounts(shop)).toEqual([{ userId: id, accountId: 'g-1' }])
  expect(await visitor.page('/')).toContain('Your account')
  const emails = await emailsTo(shop, 'gina@mail.test')
  expect(emails.filter(({ kind }) => kind === 'notice').map(({ subject }) => subject)).toEqual([
    'Your account at Knots & Love can now be used with Google',
  ])
})

test('the shop accepts a provider’s response only once, only in the same browser, and only with a matching state [LOGIN-13]', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  const other = shop.visitor()
  const address = await visitProvider(goingTo(await visitor.post('/login/google', {})), 'gina')
  const state = new URL(address, ORIGIN).searchParams.get('state')!
  await other.post('/login/google', {})

  const queries = [
    '',
    '?code=x',
    `?state=${state}`,
    '?code=x&state=y&state=z',
    `?state=${'s'.repeat(20_000)}`,
    `?error=${encodeURIComponent('\r\nSet-Cookie: a=b')}&state=q`,
  ]
  for (const path of [...queries.map((query) => `/login/google/back${query}`), address]) {
    const back = await other.get(path)
    expect([back.status, back.headers.get('location')], path.slice(0, 60)).toEqual([303, '/login/'])
  }
  expect(other.cookies.has('shop.session_token')).toBe(false)
  expect(await shop.db.selectFrom('user').select('id').execute()).toHaveLength(1)

  const again = sameBrowser(shop, visitor)
  await visitor.get(address)
  await again.get(address)
  expect(visitor.cookies.has('shop.session_token')).toBe(true)
  expect(again.cookies.has('shop.session_token')).toBe(false)
})

test('a response of the provider never redirects to another site [LOGIN-13]', async () => {
  const { shop } = await openShopWithGoogle()
  const evil = {
    callbackURL: 'https://evil.test',
    to: '//evil.test',
    popup: '',
    purpose: 'https://evil.test',
  }
  const back = await signInWith(shop.visitor(), 'gina', evil)
  expect(back.headers.get('location')).toBe('/')
  const popup = await signInWith(shop.visitor(), 'gina', { popup: '"};alert(1)//' })
  expect(popup.headers.get('location')).toBe('/')
})

test('a login in a popup notifies the page that opened the popup [LOGIN-13]', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  const going = await visitor.post('/login/google', { popup: 'one' })
  expect(going.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')

  const back = await visitor.get(await visitProvider(goingTo(going), 'gina'))

  expect(back.status).toBe(200)
  expect(back.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  const html = await back.text()
  expect(html).toContain('new BroadcastChannel("sign-in-one")')
  expect(html).toContain('{"ok":true,"to":"/"}')
  expect(back.headers.get('content-security-policy')).toContain(/nonce="([^"]+)"/.exec(html)![1])
  const failed = await signInWith(shop.visitor(), 'Cancel', { popup: 'two' })
  expect(await failed.text()).toContain('{"ok":false,"reason":"cancelled","to":"/login/"}')
})

test('a login with Google that began earlier in another tab does not replace the session of a logged-in user [NAV-03]', async () => {
  const { shop } = await openShopWithGoogle()
  const guest = await shop.guest()
  expect((await guest.post('/login/google', { purpose: 'login' })).headers.get('location')).toBe(
    '/',
  )
  const visitor = shop.visitor()
  const address = await visitProvider(goingTo(await visitor.post('/login/google', {})), 'gina')
  await visitor.post('/login/', { intent: 'guest' })

  const back = await visitor.get(address)

  expect(back.headers.get('location')).toBe('/')
  expect(await greetingOf(visitor)).toBe('Hello, Guest')
  expect(
    await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').execute(),
  ).toEqual([])
})

test('a Google account that was never used in the shop cannot log in to an account with two-step login [S-232]', async () => {
  const { shop } = await openShopWithGoogle()
  const ann = await shop.customer('gina@mail.test')
  const change = (row: { emailVerified: boolean; twoFactorEnabled: boolean }) =>
    shop.db.updateTable('user').set(row).where('id', '=', ann.id).execute()
  await change({ emailVerified: true, twoFactorEnabled: true })
  const visitor = shop.visitor()
  expect((await signInWith(visitor, 'gina')).headers.get('location')).toBe('/login/')
  expect(visitor.cookies.has('shop.session_token')).toBe(false)
  expect(await visitor.page('/login/')).toContain('This account has two-step login.')
  expect(
    await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute(),
  ).toEqual([])
  await change({ emailVerified: true, twoFactorEnabled: false })
  await signInWith(visitor, 'gina')
  expect(visitor.cookies.has('shop.session_token')).toBe(true)
  await change({ emailVerified: true, twoFactorEnabled: true })
  const known = shop.visitor()
  await signInWith(known, 'gina')
  expect(known.cookies.has('shop.session_token')).toBe(true)
})

test('too many logins with Google from one IP address are refused with a message', async () => {
  const { shop } = await openShopWithGoogle({ gina }, { rateLimits: true })
  const visitor = shop.visitor()
  for (let tries = 0; tries < 121; tries++) await visitor.post('/login/google', {})

  expect(await visitor.page('/login/')).toContain('Too many tries.')
})

test.each(['no account', 'an account of her address'])(
  'two simultaneous first logins with Google of a user with %s lead to the same account [LOGIN-56, S-208]',
  async (there) => {
    const { shop } = await openShopWithGoogle()
    if (there !== 'no account') await verifyEmail(shop, (await shop.customer('gina@mail.test')).id)
    const tabs = [shop.visitor(), shop.visitor()]
    const addresses = await Promise.all(
      tabs.map(async (tab) => visitProvider(goingTo(await tab.post('/login/google', {})), 'gina')),
    )
    // Makes both requests look for the account before either of them writes.
    const { internalAdapter } = await shop.shop.auth.$context
    const find = internalAdapter.findUserByEmail
    const both = Promise.withResolvers<void>()
    let looked = 0
    internalAdapter.findUserByEmail = async (...asked) => {
      const found = await find(...asked)
      if (++looked === 2) both.resolve()
      await both.promise
      return found
    }

    const answers = await Promise.all(tabs.map((tab, index) => tab.get(addresses[index]!)))

    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(['/', '/'])
    for (const tab of tabs) expect((await tab.get('/account/')).status).toBe(200)
    expect(
      await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').execute(),
    ).toHaveLength(1)
    expect(await googleAccounts(shop)).toHaveLength(1)
  },
)

test('a user with a password can unlink Google from her account, which logs out her other devices [S-350]', async () => {
  const { shop } = await openShopWithGoogle()
  const gone = shop.visitor()
  await signInWith(gone, 'gina')
  const alone = await gone.act('/account/unlink', { provider: 'google' })
  expect(alone).toMatchObject({
    status: 409,
    text: expect.stringContaining('Please set a password first.'),
  })
  expect(await gone.page('/account/')).not.toContain('Remove Google')

  await gone.act('/account/password', { newPassword: 'a-good-password' })
  const thief = shop.visitor()
  await signInWith(thief, 'gina')
  expect(await gone.page('/account/')).toContain('Remove Google')
  expect(
    (await gone.act('/account/unlink', { provider: 'google', password: 'a-wrong-password' }))
      .status,
  ).toBe(403)
  expect(
    (await gone.act('/account/unlink', { provider: 'github', password: 'a-good-password' })).status,
  ).toBe(409)
  expect(await googleAccounts(shop)).toHaveLength(1)

  expect(
    (await gone.act('/account/unlink', { provider: 'google', password: 'a-good-password' })).status,
  ).toBe(200)

  expect(await googleAccounts(shop)).toEqual([])
  expect((await gone.get('/account/')).status).toBe(200)
  expect((await thief.get('/account/')).status).toBe(302)
  const subjects = (await emailsTo(shop, 'gina@mail.test')).map(({ subject }) => subject)
  expect(subjects).toContain('Your account at Knots & Love can no longer be used with Google')
})

test('a password reset unlinks all providers from the account [S-350]', async () => {
  const { shop } = await openShopWithGoogle()
  await signInWith(shop.visitor(), 'gina')
  expect(await googleAccounts(shop)).toHaveLength(1)
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'gina@mail.test' })
  const { code } = await emailTo(shop, 'gina@mail.test')
  await shop
    .visitor()
    .post('/reset-password/', { intent: 'choose', code, password: 'a-good-password' })
  expect(await googleAccounts(shop)).toEqual([])
})
