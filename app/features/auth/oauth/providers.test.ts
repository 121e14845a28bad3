import { expect, test } from 'vitest'
import { hiddenValueOf, pageOf } from '#test/fixtures/html.ts'
import { greetingOf } from '#test/fixtures/accounts.ts'
import { openTestProvider, signInWith } from '#test/fixtures/oidc-provider.ts'
import { gina, openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'

const redirects = [`${ORIGIN}/login/google/back`]

test('when a provider does not respond, the login page says so, and a later login with the provider succeeds', async () => {
  const provider = await openTestProvider({ people: { gina }, redirects })
  await provider.close()
  const shop = await openTestShop({ providers: [provider.settings] })
  const visitor = shop.visitor()

  const refused = await visitor.post('/login/google', {})

  expect(refused.status).toBe(303)
  expect(refused.headers.get('location')).toBe('/login/')
  expect(await visitor.page('/login/')).toContain('Google does not respond at the moment.')
  await openTestProvider({
    people: { gina },
    redirects,
    port: Number(new URL(provider.issuer).port),
  })
  expect((await signInWith(visitor, 'gina')).headers.get('location')).toBe('/')
})

test('a login with a provider leads to the same page as a login with a password [OWN-75, S-017, S-182]', async () => {
  const { shop } = await openShopWithGoogle()
  const logIn = async (page: string, who = 'gina', popup = '', visitor = shop.visitor()) => {
    const search = hiddenValueOf(await visitor.page(page), 'search') ?? ''
    return { visitor, back: await signInWith(visitor, who, { search, popup }) }
  }
  const piece = '/login/?from=%2Fitem%2Fmoon%3Fcolor%3Dsage'
  for (const [page, to] of [
    [piece, '/item/moon?color=sage'],
    [`${piece}&ordering`, '/item/moon?color=sage#order-request'],
    ['/login/?messages=', '/?messages='],
    ['/login/?from=%2F%2Fevil.test%2Fitem%2Fmoon&ordering', '/'],
  ] as const) {
    expect((await logIn(page)).back.headers.get('location')).toBe(to)
    expect(await (await logIn(page, 'gina', 'one')).back.text()).toContain(
      `{"ok":true,"to":"${to}"}`,
    )
  }
  expect(await (await logIn(piece)).visitor.page('/about/')).toContain(
    'You are logged in, and back at your piece.',
  )
  expect((await logIn(`${piece}&ordering`, 'Cancel')).back.headers.get('location')).toBe(
    `${piece}&ordering=`,
  )
})

test('the shop refuses a provider whose issuer differs from the configured issuer', async () => {
  const provider = await openTestProvider({ people: { gina }, redirects })
  const settings = {
    ...provider.settings,
    issuer: provider.issuer.replace('localhost', '127.0.0.1'),
  }
  const shop = await openTestShop({ providers: [settings] })

  expect((await shop.visitor().post('/login/google', {})).headers.get('location')).toBe('/login/')
})

test('a second configured provider has its own button and its own accounts', async () => {
  const google = await openTestProvider({ people: { gina }, redirects })
  const other = await openTestProvider({
    people: { greta: { ...gina, email: 'greta@mail.test' } },
    redirects: [`${ORIGIN}/login/oidc/back`],
    isTerse: true,
  })
  const list = [google.settings, { ...other.settings, id: 'oidc', name: 'Guild of Knots' }]
  const shop = await openTestShop({ providers: list })
  const page = pageOf(await shop.visitor().page('/login/'))
  expect(page.getByRole('button', { name: 'Log In with Guild of Knots' })).toBeTruthy()

  await signInWith(shop.visitor(), 'gina')
  const back = await signInWith(shop.visitor(), 'greta', {}, 'oidc')

  expect(back.headers.get('location')).toBe('/')
  const accounts = await shop.db
    .selectFrom('account')
    .select(['providerId', 'accountId'])
    .where('providerId', '!=', 'credential')
    .execute()
  expect(accounts).toHaveLength(2)
  expect(
    await shop.db
      .selectFrom('user')
      .select('email')
      .where('email', '=', 'greta@mail.test')
      .execute(),
  ).toHaveLength(1)
})

test('a customer without a password can re-authenticate only with her own Google account [LOGIN-23, S-211]', async () => {
  const people = {
    gina,
    eve: { sub: 'g-eve', email: 'eve@mail.test', email_verified: true, name: 'Eve' },
  }
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
  expect(await greetingOf(visitor)).toBe('Hello, Gina')
})

test('ten minutes after a login, the account page asks a customer without a password to log in again [S-211] [S-015]', async () => {
  const { shop } = await openShopWithGoogle()
  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')
  expect(await visitor.page('/account/')).not.toContain('Log In with Google Again')

  const before = new Date(shop.clock.now - 11 * 60_000)
  const at = shop.dialect === 'sqlite' ? before.toISOString() : before
  await shop.db.updateTable('session').set({ createdAt: at, updatedAt: at }).execute()
  const page = pageOf(await visitor.page('/account/'))
  const form = page.getAllByText('Log In with Google Again')[0]!.closest('form')!
  expect(form.getAttribute('action')).toBe('/login/google')
  expect(form.querySelector('[name=purpose]')!.getAttribute('value')).toBe('prove')
  await signInWith(visitor, 'Cancel', { purpose: 'prove' })
  expect(await visitor.page('/account/')).toContain('An Error has Occured...')

  const ann = await shop.customer()
  expect(await ann.page('/account/')).not.toContain('Log In with Google Again')
  expect(
    (await shop.visitor().post('/login/google', { purpose: 'prove' })).headers.get('location'),
  ).toBe('/login')
})
