import { expect, test } from 'vitest'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { lettersTo } from '#test/proof-letters.ts'
import { gina, openShopWithGoogle } from '#test/shop-with-google.ts'
import { goingTo, signInWith, visitProvider } from '#test/visit-provider.ts'

test('LOGIN-08 the button is there only when the provider is set', async () => {
  const { shop } = await openShopWithGoogle()
  expect(await shop.visitor().page('/login/')).toMatch(/<button[^>]*>(<svg.*?<\/svg>)?Log In with Google<\/button>/)

  const bare = await openTestShop()
  expect(await bare.visitor().page('/login/')).not.toContain('Google')
  expect((await bare.visitor().post('/login/google', {})).headers.get('location')).toBe('/')
})

test('LOGIN-13 DATA-011 Log In with Google makes an account with the name and address that Google has proven, and finds it again', async () => {
  const { shop, provider } = await openShopWithGoogle()
  const visitor = shop.visitor()

  const back = await signInWith(visitor, 'gina')

  expect([back.status, back.headers.get('location')]).toEqual([303, '/'])
  expect(await visitor.page('/')).toContain('Hello, Gina<')
  // Addresses and names change; she is who Google says she is.
  provider.people.gina = { ...gina, email: 'other@mail.test', email_verified: false }
  const later = shop.visitor()
  await signInWith(later, 'gina')
  expect(await later.page('/')).toContain('Hello, Gina<')
  const users = await shop.db.selectFrom('user').selectAll().where('id', '!=', 'owner').execute()
  expect(users).toHaveLength(1)
  expect(users[0]).toMatchObject({ email: 'gina@mail.test', name: 'Gina Google', image: null })
  expect(Boolean(users[0]!.emailVerified)).toBe(true)
})

test('S-210 nothing that Google hands over for its own services is kept', async () => {
  const { shop } = await openShopWithGoogle()
  for (const _ of [1, 2]) await signInWith(shop.visitor(), 'gina')

  const rows = await shop.db.selectFrom('account').selectAll().where('providerId', '=', 'google').execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ accountId: 'g-1', accessToken: null, refreshToken: null, idToken: null, password: null })
})

test('LOGIN-56 S-018 LOGIN-30 refused consent says "An Error has Occured..." once, and nothing else changes', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()

  const back = await signInWith(visitor, 'Cancel')

  expect([back.status, back.headers.get('location')]).toEqual([303, '/login/'])
  expect(await visitor.page('/login/')).toMatch(/role="alert"><div[^>]*><p[^>]*>An Error has Occured\.\.\.</)
  expect(await visitor.page('/login/')).not.toContain('An Error has Occured')
  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
})

/** What the visitor is told after she has come back. */
async function toldAfter(shop: Awaited<ReturnType<typeof openTestShop>>, who: string) {
  const visitor = shop.visitor()
  const back = await signInWith(visitor, who)
  const html = await visitor.page('/login/')
  return {
    to: back.headers.get('location'),
    error: html.includes('>An Error has Occured...<'),
    html,
    isIn: visitor.cookies.has('shop.session_token'),
  }
}

test('S-208 an address that Google has not proven opens no account, and above all not the one of its owner', async () => {
  const eve = { sub: 'g-eve', email: 'ann@mail.test', email_verified: false, name: 'Eve' }
  const people = {
    eve,
    text: { ...eve, email_verified: 'false' },
    silent: { sub: 'g-2', email: 'ann@mail.test' },
    fresh: { ...eve, email: 'new@mail.test' },
  }
  const { shop } = await openShopWithGoogle(people)
  const { id } = await shop.customer('ann@mail.test')
  await shop.db
    .updateTable('user')
    .set({ emailVerified: shop.dialect === 'sqlite' ? 1 : true })
    .where('id', '=', id)
    .execute()

  for (const who of Object.keys(people)) {
    const told = await toldAfter(shop, who)
    expect([told.to, told.error, told.isIn, told.html.includes('Google has not confirmed')], who).toEqual(['/login/', true, false, true])
  }
  expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute()).toEqual([])
})

test('S-208 an account whose address nobody has proven is not joined: whoever registered it would stay in', async () => {
  const { shop } = await openShopWithGoogle()
  await shop.customer('gina@mail.test')

  const told = await toldAfter(shop, 'gina')

  expect([told.to, told.error, told.isIn]).toEqual(['/login/', true, false])
  expect(told.html).toContain('An account with this e-mail address exists already.')
  expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute()).toEqual([])
})

test('S-208 S-231 where both sides have proven the address it is one account, password and Google, and the address hears of it once', async () => {
  const { shop } = await openShopWithGoogle()
  const { id } = await shop.customer('gina@mail.test')
  await shop.db
    .updateTable('user')
    .set({ emailVerified: shop.dialect === 'sqlite' ? 1 : true })
    .where('id', '=', id)
    .execute()

  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')

  const accounts = await shop.db
    .selectFrom('account')
    .select(['providerId', 'userId'])
    .where('userId', '=', id)
    .orderBy('providerId')
    .execute()
  expect(accounts.map(({ providerId }) => providerId)).toEqual(['credential', 'google'])
  expect(await visitor.page('/')).toContain('Your account')
  await signInWith(shop.visitor(), 'gina')
  const letters = await lettersTo(shop, 'gina@mail.test')
  expect(letters.filter(({ kind }) => kind === 'notice').map(({ subject }) => subject)).toEqual([
    'Your account at Knots & Love can be opened with Google now',
  ])
})

test('ROLES-16 S-208 nobody becomes the owner by Google, not even with her proven address', async () => {
  const { shop } = await openShopWithGoogle({ owner: { sub: 'g-o', email: 'owner@shop.test', email_verified: true, name: 'Ona' } })

  const told = await toldAfter(shop, 'owner')

  expect([told.to, told.error, told.isIn]).toEqual(['/login/', true, false])
  expect(told.html).toContain('with its password only')
  const linking = (await shop.auth.$context).internalAdapter.linkAccount({ userId: 'owner', providerId: 'google', accountId: 'g-o' })
  await expect(linking).rejects.toThrow('The owner signs in with her password')
  // Even a row that came there otherwise opens nothing.
  const row = {
    id: 'x',
    accountId: 'g-o',
    providerId: 'google',
    userId: 'owner',
    password: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  }
  const kept = shop.dialect === 'sqlite' ? { ...row, createdAt: '2026-01-01', updatedAt: '2026-01-01' } : row
  await shop.db.insertInto('account').values(kept).execute()
  expect((await toldAfter(shop, 'owner')).isIn).toBe(false)
})

test('LOGIN-13 an answer that is forged, comes twice, belongs to another browser or to no try signs nobody in', async () => {
  const { shop } = await openShopWithGoogle()
  const [visitor, other] = [shop.visitor(), shop.visitor()]
  const address = await visitProvider(goingTo(await visitor.post('/login/google', {})), 'gina')
  const state = new URL(address, ORIGIN).searchParams.get('state')!
  await other.post('/login/google', {})

  const wrong = [
    ...[
      '/login/google/back',
      '/login/google/back?code=x',
      `/login/google/back?state=${state}`,
      `/login/google/back?code=x&state=y&state=z`,
    ],
    ...[
      `/login/google/back?state=${'s'.repeat(20_000)}`,
      `/login/google/back?error=${encodeURIComponent('\r\nSet-Cookie: a=b')}&state=q`,
      address,
    ],
  ]
  for (const path of wrong) {
    const back = await other.get(path)
    expect([back.status, back.headers.get('location')], path.slice(0, 60)).toEqual([303, '/login/'])
  }
  expect(other.cookies.has('shop.session_token')).toBe(false)
  expect(await shop.db.selectFrom('user').select('id').execute()).toHaveLength(1)
})

test('LOGIN-13 an answer counts once', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  const address = await visitProvider(goingTo(await visitor.post('/login/google', {})), 'gina')
  const again = shop.visitor()
  for (const [name, value] of visitor.cookies) again.cookies.set(name, value)

  await visitor.get(address)
  await again.get(address)

  expect([visitor.cookies.has('shop.session_token'), again.cookies.has('shop.session_token')]).toEqual([true, false])
})

test('LOGIN-13 what comes back leads nowhere but into the shop', async () => {
  const { shop } = await openShopWithGoogle()
  const evil = { callbackURL: 'https://evil.test', to: '//evil.test', popup: '', purpose: 'https://evil.test' }
  const back = await signInWith(shop.visitor(), 'gina', evil)
  expect(back.headers.get('location')).toBe('/')
  const popup = await signInWith(shop.visitor(), 'gina', { popup: '"};alert(1)//' })
  expect(popup.headers.get('location')).toBe('/')
})

test('LOGIN-13 in a popup the page that opened it is told, and its windows are not parted from it', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  const going = await visitor.post('/login/google', { popup: 'one' })
  expect(going.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')

  const back = await visitor.get(await visitProvider(goingTo(going), 'gina'))

  expect([back.status, back.headers.get('cross-origin-opener-policy')]).toEqual([200, 'unsafe-none'])
  const html = await back.text()
  expect(html).toContain('new BroadcastChannel("sign-in-one")')
  expect(html).toContain('{"ok":true,"to":"/"}')
  expect(back.headers.get('content-security-policy')).toContain(/nonce="([^"]+)"/.exec(html)![1])
  const failed = await signInWith(shop.visitor(), 'Cancel', { popup: 'two' })
  expect(await failed.text()).toContain('{"ok":false,"reason":"cancelled","to":"/login/"}')
})

test('NAV-03 whoever is signed in begins no login, and one who came in meanwhile in another tab stays who she is', async () => {
  const { shop } = await openShopWithGoogle()
  const guest = await shop.guest()
  expect((await guest.post('/login/google', { purpose: 'login' })).headers.get('location')).toBe('/')
  const visitor = shop.visitor()
  const address = await visitProvider(goingTo(await visitor.post('/login/google', {})), 'gina')
  await visitor.post('/login/', { intent: 'guest' })

  const back = await visitor.get(address)

  expect(back.headers.get('location')).toBe('/')
  expect(await visitor.page('/')).toContain('Hello, Guest<')
  expect(await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').execute()).toEqual([])
})

test('too many tries with a provider are told', async () => {
  const { shop } = await openShopWithGoogle({ gina }, { rateLimits: true })
  const visitor = shop.visitor()
  for (let tries = 0; tries < 121; tries++) await visitor.post('/login/google', {})

  expect(await visitor.page('/login/')).toContain('Too many tries.')
})

/** Two tabs on their way back from Google; neither writes before both have looked. */
async function twoAtOnce(shop: Awaited<ReturnType<typeof openTestShop>>) {
  const tabs = [shop.visitor(), shop.visitor()]
  const addresses = await Promise.all(tabs.map(async (tab) => visitProvider(goingTo(await tab.post('/login/google', {})), 'gina')))
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
  return { tabs, addresses, internalAdapter }
}

test('LOGIN-56 of two first sign-ins at once the later one is in also while the first has her account and not yet the way into it', async () => {
  const { shop } = await openShopWithGoogle()
  const { tabs, addresses, internalAdapter } = await twoAtOnce(shop)
  const { createAccount } = internalAdapter
  const other = Promise.withResolvers<void>()
  internalAdapter.createAccount = async (...given) => {
    await other.promise
    return createAccount(...given)
  }

  const answers = await Promise.all(tabs.map((tab, index) => tab.get(addresses[index]!).finally(other.resolve)))

  expect(answers.map(({ headers }) => headers.get('location'))).toEqual(['/', '/'])
  for (const tab of tabs) expect((await tab.get('/account/')).status).toBe(200)
  expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute()).toHaveLength(1)
})

test.for(['nobody', 'an account of her address'])(
  'LOGIN-56 S-208 of two first sign-ins at once, where there is %s, both are in, with one account',
  async (there) => {
    const { shop } = await openShopWithGoogle()
    if (there !== 'nobody') {
      await shop.customer('gina@mail.test')
      await shop.db
        .updateTable('user')
        .set({ emailVerified: true as never })
        .where('email', '=', 'gina@mail.test')
        .execute()
    }
    const { tabs, addresses } = await twoAtOnce(shop)

    const answers = await Promise.all(tabs.map((tab, index) => tab.get(addresses[index]!)))

    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(['/', '/'])
    for (const tab of tabs) expect((await tab.get('/account/')).status).toBe(200)
    expect(await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').execute()).toHaveLength(1)
    expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute()).toHaveLength(1)
  },
)
