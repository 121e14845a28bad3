import { expect, test } from 'vitest'
import { openTestProvider } from '#test/open-provider.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { gina, openShopWithGoogle } from '#test/shop-with-google.ts'
import { goingTo, signInWith, visitProvider } from '#test/visit-provider.ts'

test('a provider that is away says so, harms nothing, and is there again by itself', async () => {
  const provider = await openTestProvider({ people: { gina }, redirects: [`${ORIGIN}/login/google/back`] })
  await provider.close()
  const shop = await openTestShop({ providers: { list: [provider.settings], origin: ORIGIN } })
  const visitor = shop.visitor()

  const away = await visitor.post('/login/google', {})

  expect([away.status, away.headers.get('location')]).toEqual([303, '/login/'])
  expect(await visitor.page('/login/')).toContain('Google does not answer at the moment.')
  const again = await openTestProvider({
    people: { gina },
    redirects: [`${ORIGIN}/login/google/back`],
    port: Number(new URL(provider.issuer).port),
  })
  expect((await signInWith(visitor, 'gina')).headers.get('location')).toBe('/')
  await again.close()
  const later = shop.visitor()
  // What it said of itself is remembered; what it has to be asked for fails.
  const begun = await later.post('/login/google', {})
  const state = new URL(goingTo(begun)).searchParams.get('state')
  expect((await later.get(`/login/google/back?code=x&state=${state}`)).headers.get('location')).toBe('/login/')
  expect(await later.page('/login/')).toContain('An Error has Occured...')
})

test('a provider that says it is another one is not believed', async () => {
  const provider = await openTestProvider({ people: { gina }, redirects: [`${ORIGIN}/login/google/back`] })
  const settings = { ...provider.settings, issuer: provider.issuer.replace('localhost', '127.0.0.1') }
  const shop = await openTestShop({ providers: { list: [settings], origin: ORIGIN } })

  expect((await shop.visitor().post('/login/google', {})).headers.get('location')).toBe('/login/')
})

test('another provider by settings alone: its own name on the button, claims from where it keeps them, accounts of its own', async () => {
  const google = await openTestProvider({ people: { gina }, redirects: [`${ORIGIN}/login/google/back`] })
  const other = await openTestProvider({
    people: { greta: { ...gina, email: 'greta@mail.test' } },
    redirects: [`${ORIGIN}/login/oidc/back`],
    isTerse: true,
  })
  const list = [google.settings, { ...other.settings, id: 'oidc', name: 'Guild of Knots' }]
  const shop = await openTestShop({ providers: { list, origin: ORIGIN } })
  expect(await shop.visitor().page('/login/')).toContain('Log In with Guild of Knots</button>')

  await signInWith(shop.visitor(), 'gina')
  const back = await signInWith(shop.visitor(), 'greta', {}, 'oidc')

  expect(back.headers.get('location')).toBe('/')
  const accounts = await shop.db.selectFrom('account').select(['providerId', 'accountId']).where('providerId', '!=', 'credential').execute()
  expect(accounts).toHaveLength(2)
  expect(await shop.db.selectFrom('user').select('email').where('email', '=', 'greta@mail.test').execute()).toHaveLength(1)
})

test('what a provider says of a person is held to what the shop can show', async () => {
  const people = {
    long: { ...gina, sub: 'a', email: 'a@mail.test', name: 'x'.repeat(100_000) },
    lines: { ...gina, sub: 'b', email: 'b@mail.test', name: 'Bcc: all\r\n<script>alert(1)</script>' },
    number: { ...gina, sub: 'c', email: 'c@mail.test', name: 7, picture: 'javascript:alert(1)' },
    none: { sub: 'd', email_verified: true },
    bad: { ...gina, sub: 'e', email: 'no address' },
  }
  const { shop } = await openShopWithGoogle(people)
  for (const who of Object.keys(people)) await signInWith(shop.visitor(), who)

  const names = await shop.db.selectFrom('user').select(['name', 'image']).where('id', '!=', 'owner').orderBy('email').execute()
  expect(names).toEqual([
    { name: 'x'.repeat(80), image: null },
    { name: 'Bcc: all <script>alert(1)</script>', image: null },
    { name: '', image: null },
  ])
})

test('LOGIN-23 S-211 a customer proves herself with her own Google account, which begins a new session; with another one she does not', async () => {
  const people = { gina, eve: { sub: 'g-eve', email: 'eve@mail.test', email_verified: true, name: 'Eve' } }
  const { shop } = await openShopWithGoogle(people)
  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')
  const before = await shop.db.selectFrom('session').selectAll().execute()

  const wrong = await signInWith(visitor, 'eve', { purpose: 'prove' })
  expect(wrong.headers.get('location')).toBe('/account/')
  expect(await shop.db.selectFrom('session').selectAll().execute()).toEqual(before)
  const right = await signInWith(visitor, 'gina', { purpose: 'prove' })

  expect(right.headers.get('location')).toBe('/account/')
  const after = await shop.db.selectFrom('session').selectAll().execute()
  expect(after).toHaveLength(1)
  expect(after[0]!.id).not.toBe(before[0]!.id)
  expect(await visitor.page('/')).toContain('Hello, Gina<')
})

test('S-211 S-015 the account page offers to log in again once the login is ten minutes old, and only where there is no password', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')
  expect(await visitor.page('/account/')).not.toContain('Log In with Google Again')

  const before = new Date(shop.clock.now - 11 * 60_000)
  const at = shop.dialect === 'sqlite' ? before.toISOString() : before
  await shop.db.updateTable('session').set({ createdAt: at, updatedAt: at }).execute()
  const html = await visitor.page('/account/')
  expect(html).toContain('Log In with Google Again')
  expect(html).toMatch(/action="\/login\/google"[^>]*>.*name="purpose" value="prove"/s)
  await signInWith(visitor, 'Cancel', { purpose: 'prove' })
  expect(await visitor.page('/account/')).toContain('An Error has Occured...')

  const ann = await shop.customer()
  expect(await ann.page('/account/')).not.toContain('Log In with Google Again')
  expect((await shop.visitor().post('/login/google', { purpose: 'prove' })).headers.get('location')).toBe('/login')
})

test('S-002 ROLES-09 a guest links a new Google account by the button and keeps her uid; refused consent changes nothing', async () => {
  const { shop } = await openShopWithGoogle()
  const guest = await shop.guest()
  expect(await guest.page('/link-guest/')).toMatch(/action="\/login\/google"[^>]*>.*name="purpose" value="link"/s)

  const refused = await signInWith(guest, 'Cancel', { purpose: 'link' })
  expect(refused.headers.get('location')).toBe('/link-guest/')
  expect(await guest.page('/link-guest/')).toContain('An Error has Occured...')
  const linked = await signInWith(guest, 'gina', { purpose: 'link' })

  expect(linked.headers.get('location')).toBe('/')
  expect(await guest.page('/')).toContain('Hello, Gina<')
  const later = shop.visitor()
  await signInWith(later, 'gina')
  const users = await shop.db.selectFrom('user').select(['id', 'email']).where('id', '!=', 'owner').execute()
  expect(users).toEqual([{ id: guest.id, email: 'gina@mail.test' }])
})

test('S-002 what a guest began to link is worth nothing to whoever is signed in when it comes back', async () => {
  const { shop } = await openShopWithGoogle()
  for (const next of ['guest', 'customer', 'nobody'] as const) {
    const guest = await shop.guest()
    const address = await visitProvider(goingTo(await guest.post('/login/google', { purpose: 'link' })), 'gina')
    await guest.post('/logout', { confirm: 'Yes' })
    if (next === 'guest') await guest.post('/login/', { intent: 'guest' })
    if (next === 'customer') await guest.post('/login/', { intent: 'register', email: 'ann@mail.test', password: 'a-good-password' })

    await guest.get(address)

    expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute(), next).toEqual([])
  }
})
