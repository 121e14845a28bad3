import { getMigrations } from 'better-auth/db/migration'
import { expect, test } from 'vitest'
import { authOptions } from '#app/platform/auth.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'

test('LOGIN-12 NAV-03 registering signs in, and a signed-in user is sent home from the login page', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')

  const login = await ann.get('/login/')

  expect([login.status, login.headers.get('location')]).toEqual([302, '/'])
})

test('a successful registration leads home, where the new user is greeted [LOGIN-33]', async () => {
  const shop = await openTestShop()
  const ann = shop.visitor()

  const done = await ann.post('/login/', { intent: 'register', ...credentials })

  expect([done.status, done.headers.get('location')]).toEqual([302, '/'])
  expect(await ann.page('/')).toContain('Hello, ann<')
})

test('LOGIN-42 a missing user is told', async () => {
  const shop = await openTestShop()
  const response = await shop.visitor().post('/login/', { intent: 'login', email: 'nobody@mail.test', password: 'whatever1' })

  expect(response.status).toBe(401)
  expect(await response.text()).toContain('User not Found')
})

test('the tables of the first migration are those the authentication library wants', async () => {
  const { db, dialect } = await openTestShop()
  const wanted = await getMigrations(authOptions({ db, dialect, secret: 'x'.repeat(32), publicUrl: null, adminId: 'owner' }))

  expect([wanted.toBeCreated, wanted.toBeAdded]).toEqual([[], []])
})

test('ROLES-09 ROLES-11 a guest who logs out is gone with everything of theirs', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()

  await guest.post('/logout', { confirm: 'Yes' })

  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
  expect(await guest.page('/')).toContain('Login | Register')
})

test('ROLES-16 NAV-04 the owner, and nobody else, opens the admin shell', async () => {
  const shop = await openTestShop()
  const [owner, customer] = [await shop.owner(), await shop.customer()]

  expect((await owner.get('/manage/')).status).toBe(200)
  expect((await customer.get('/manage/')).headers.get('location')).toBe('/')
})

const credentials = { email: 'ann@mail.test', password: 'a-good-password' }

test('NAV-02 LOGIN-01 LOGIN-02 LOGIN-03 LOGIN-04 LOGIN-05 LOGIN-06 LOGIN-07 LOGIN-09 the login page has its inputs, required and with no other rule, and its buttons', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/login/')
  const inputs = [...html.matchAll(/<input class="input"[^>]*>/g)].map(([input]) => input)

  expect(inputs).toHaveLength(2)
  expect(inputs[0]).toMatch(/name="email" |id="email"/)
  expect(inputs[1]).toContain('type="password"')
  for (const input of inputs) {
    expect(input).toContain('required=""')
    expect(input).not.toMatch(/minlength|maxlength|pattern|type="email"/i)
  }
  for (const name of ['Log In', 'Register', 'Log In Anonymously']) expect(html).toMatch(new RegExp(`<button[^>]*>${name}</button>`))
})

test('LOGIN-11 LOGIN-31 DATA-011 DATA-012 DATA-014 DATA-015 logging in sets the user with uid, name, e-mail and guest mark', async () => {
  const shop = await openTestShop()
  const { id } = await shop.customer('ann@mail.test')
  const again = shop.visitor()

  const done = await again.post('/login/', { intent: 'login', ...credentials, email: ' ANN@mail.test ' })

  expect([done.status, done.headers.get('location')]).toEqual([302, '/'])
  expect(await again.page('/about/')).toContain('Hello, ann<')
  const user = await shop.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(user).toMatchObject({ id, name: '', image: null, email: 'ann@mail.test' })
  expect(Boolean(user.isAnonymous)).toBe(false)
})

test('the photo of a signed-in user comes with every page [DATA-013]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  expect(await ann.page('/about/')).not.toContain('/pictures/profiles/ann.webp')

  await shop.db.updateTable('user').set({ image: '/pictures/profiles/ann.webp' }).where('id', '=', ann.id).execute()

  expect(await ann.page('/about/')).toContain('<img src="/pictures/profiles/ann.webp"')
})

test('LOGIN-14 ROLES-09 DATA-015 Log In Anonymously makes a guest', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()

  expect(await guest.page('/about/')).toContain('Hello, Guest<')
  const user = await shop.db.selectFrom('user').selectAll().where('id', '=', guest.id).executeTakeFirstOrThrow()
  expect(Boolean(user.isAnonymous)).toBe(true)
})

test('LOGIN-10 LOGIN-43 S-010 a wrong password gives an empty message, marks the password, and keeps the e-mail', async () => {
  const shop = await openTestShop()
  await shop.customer('ann@mail.test')

  const response = await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'wrong-password' })
  const html = await response.text()

  expect(response.status).toBe(401)
  expect(html).toMatch(/<p role="alert"[^>]*><\/p>/)
  expect(html).toMatch(/<input[^>]*type="password"[^>]*aria-invalid="true"/)
  expect(html).toContain('value="ann@mail.test"')
  expect(html).not.toContain('wrong-password')
})

const refusals = [
  [
    'LOGIN-44',
    'ann@mail.test',
    'a-good-password',
    'This email is already associated with an account. Please login to that account instead.',
  ],
  [
    'LOGIN-44',
    'ANN@mail.test',
    'a-good-password',
    'This email is already associated with an account. Please login to that account instead.',
  ],
  ['LOGIN-45', 'new@mail.test', 'short', 'Password is too weak!'],
  ['LOGIN-45', 'new@mail.test', '', 'Password is too weak!'],
  ['LOGIN-46', 'not an e-mail', 'a-good-password', 'Please provide a valid Email.'],
  ['LOGIN-46', '', '', 'Please provide a valid Email.'],
  ['LOGIN-46', `${'a'.repeat(5000)}@mail.test`, 'a-good-password', 'Please provide a valid Email.'],
] as const

test.for(refusals)('%s registering %s with %s is refused with its text', async ([, email, password, text]) => {
  const shop = await openTestShop()
  await shop.customer('ann@mail.test')

  const response = await shop.visitor().post('/login/', { intent: 'register', email, password })

  expect(response.status).toBe(422)
  expect(await response.text()).toContain(text)
})

test('LOGIN-47 S-011 registering that fails for another reason says so verbatim', async () => {
  const shop = await openTestShop()
  shop.auth.handler = async () => Response.json({ code: 'SOMETHING_ELSE' }, { status: 500 })

  const response = await shop.visitor().post('/login/', { intent: 'register', ...credentials })

  expect(await response.text()).toMatch(/role="alert"[^>]*>Invalid Email or Password: </)
})

test('LOGIN-44 of two registrations with one e-mail at once one wins and the other is told', async () => {
  const shop = await openTestShop()
  const both = await Promise.all([1, 2].map(() => shop.visitor().post('/login/', { intent: 'register', ...credentials })))

  expect(both.map(({ status }) => status).sort()).toEqual([302, 422])
  expect(await both.find(({ status }) => status === 422)!.text()).toContain('This email is already associated with an account.')
})

test('too many tries to log in are refused with 429, and what was typed stays', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const visitor = shop.visitor()
  let response = await visitor.post('/login/', { intent: 'login', ...credentials })
  for (let tries = 0; tries < 10; tries++) response = await visitor.post('/login/', { intent: 'login', ...credentials })

  expect(response.status).toBe(429)
  const html = await response.text()
  expect(html).toContain('Too many tries')
  expect(html).toContain('value="ann@mail.test"')
})

test('LOGIN-42 very long input is answered like any other', async () => {
  const shop = await openTestShop()
  const response = await shop.visitor().post('/login/', { intent: 'login', email: 'x'.repeat(200_000), password: 'y'.repeat(200_000) })

  expect(response.status).toBe(401)
})

test('LOGIN-15 LOGIN-32 NAV-42 S-017 logging out stays on a public page and leaves a private one', async () => {
  const shop = await openTestShop()
  const places = [
    ['/about/?messages', '/about/'],
    ['/gallery/?color=a&messages=&page=2', '/gallery/?color=a&page=2'],
    ['/manage/sales/', '/'],
    ['//evil.test/', '/'],
    ['', '/'],
  ] as const
  for (const [from, to] of places) {
    const owner = await shop.owner()
    const response = await owner.post('/logout', { from })
    expect(response.headers.get('location')).toBe(to)
    expect(await owner.page('/about/')).toContain('Login | Register')
  }
})

test('LOGIN-48 a logout that fails says "Something went wrong..." and the user stays signed in', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const { handler } = shop.auth
  shop.auth.handler = async () => new Response(null, { status: 500 })

  const failed = await ann.act('/logout', { from: '/about/' })
  shop.auth.handler = handler

  expect(failed.status).toBe(500)
  expect(failed.text).toContain('Something went wrong...')
  expect(await ann.page('/about/')).toContain('Your account')
})

test('S-004 a guest is not logged out unasked', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()

  expect((await guest.post('/logout', { from: '/' })).status).toBe(400)
  expect(await guest.page('/about/')).toContain('Hello, Guest<')
})

test('a form sent with an expired session counts as signed out and never fails', async () => {
  const shop = await openTestShop()
  for (const somebody of [await shop.customer(), await shop.guest()]) {
    await shop.db.deleteFrom('session').execute()
    expect((await somebody.post('/logout', { from: '/about/', confirm: 'Yes' })).headers.get('location')).toBe('/about/')
    expect((await somebody.post('/theme', { theme: 'light', back: '/' })).status).toBe(303)
    expect(await somebody.page('/about/')).toContain('Login | Register')
  }
})

test('of a guest in two tabs the second logout finds nobody and goes on', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await guest.post('/logout', { confirm: 'Yes', from: '/about/' })

  const second = await shop.app(
    new Request('http://shop.test/logout', {
      method: 'POST',
      headers: { cookie, origin: 'http://shop.test' },
      body: new URLSearchParams({ from: '/' }),
    }),
  )

  expect([second.status, second.headers.get('location')]).toEqual([302, '/'])
})
