import { getMigrations } from 'better-auth/db/migration'
import { describe, expect, test } from 'vitest'
import { authOptions } from '#services/auth.server.ts'
import { greetingOf } from '#test/fixtures/accounts.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type TestShop, openShopWithAnn } from '#test/fixtures/test-shop.ts'

const password = 'a-good-password'
const credentials = { email: 'ann@mail.test', password }
const cookieLines = (response: Response, name: string) =>
  response.headers.getSetCookie().filter((line) => line.includes(name))
describe('the login page', () => {
  const shop = shared((onCleanup) => openTestShop({ onCleanup }))
  const readMain = async () =>
    within(pageOf(await shop().visitor().page('/login/')).getByRole('main'))

  test('the login page has fields for email and password, and the browser checks only that they are not empty [NAV-02, LOGIN-01, LOGIN-02, LOGIN-03, LOGIN-04, LOGIN-05]', async () => {
    const [email, password, name, ...others] = (await readMain()).getAllByLabelText(/./)
    expect(others).toHaveLength(0)
    expect(email!.getAttribute('name')).toBe('email')
    expect(email!.getAttribute('autocomplete')).toBe('username')
    expect(password!.getAttribute('name')).toBe('password')
    expect(password!.getAttribute('autocomplete')).toBe('current-password')
    expect(password!.getAttribute('type')).toBe('password')
    expect(name!.getAttribute('name')).toBe('name')
    expect(name!.hasAttribute('required')).toBe(false)
    for (const field of [email!, password!]) {
      expect(field.hasAttribute('required')).toBe(true)
      expect(field.getAttribute('type')).not.toBe('email')
      for (const check of ['minlength', 'maxlength', 'pattern']) {
        expect(field.hasAttribute(check)).toBe(false)
      }
    }
  })

  test('without JavaScript, the login page has three buttons and a link to the password reset, but no "Show password" [LOGIN-06, LOGIN-07, LOGIN-09, S-010, S-202]', async () => {
    const main = await readMain()
    expect(main.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Log In',
      'Register',
      'Log In Anonymously',
    ])
    const link = main.getByRole('link', { name: 'Forgot your password?' })
    expect(link.getAttribute('href')).toBe('/reset-password/')
  })
})

test('neither JavaScript nor another site can read the session cookie, which lasts as long as the session', async () => {
  const shop = await openTestShop()
  const entered = await shop.visitor().post('/login/', { intent: 'guest' })

  const [line, ...more] = cookieLines(entered, 'session_token')
  expect(more).toEqual([])
  const parts = line!.split('; ')
  expect(parts[0]).toMatch(/^shop\.session_token=./)
  expect(parts.slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
})

test('with https, browsers send the shop’s cookies only by https and only to the shop’s host [S-204]', async () => {
  const { shop, ann } = await openShopWithAnn({ publicUrl: 'https://shop.test' })
  const entered = await shop
    .visitor()
    .post('/login/', { intent: 'login', email: 'ann@mail.test', password })

  const [line] = cookieLines(entered, 'session_token')
  expect(line).toMatch(/^__Host-shop\.session_token=/)
  expect(line!.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=2592000',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ])
  expect((await ann.get('/login/')).status).toBe(302)
  const answers = [entered, await ann.post('/theme', { theme: 'light', back: '/' })]
  for (const answer of answers) {
    const lines = answer.headers.getSetCookie()
    expect(lines.length).toBeGreaterThan(0)
    for (const cookie of lines) {
      expect(cookie).toMatch(/^__Host-[^;]*; (?!.*Domain).*Path=\/;.*; Secure(;|$)/)
    }
  }
  expect(await ann.page('/about/')).toContain('data-theme="light"')
  const renamed = await ann.post('/account/name', { name: 'Ann', back: '/account/' })
  expect(renamed.headers.getSetCookie().join()).toMatch(/^__Host-flash=/)
  expect(await ann.page('/account/')).toContain('Name saved')
  await ann.post('/logout', { from: '/' })
  expect(await ann.page('/about/')).toContain('Login | Register')
  // The following cookie names are not bound to one host. Other hosts of the domain can set such
  // cookies, so the shop must ignore them.
  const value = /=([^;]+)/.exec(line!)![1]!
  for (const name of ['shop.session_token', '__Secure-shop.session_token']) {
    expect(
      (
        await shop.app(
          new Request('https://shop.test/login/', { headers: { cookie: `${name}=${value}` } }),
        )
      ).status,
    ).toBe(200)
  }
})

/** Returns how many password hashes the shop computes for one login. */
async function hashesFor(shop: TestShop, form: Record<string, string>): Promise<number> {
  const context = await shop.auth.$context
  const original = { ...context.password }
  let count = 0
  context.password.hash = (...given) => (count++, original.hash(...given))
  context.password.verify = (...given) => (count++, original.verify(...given))
  await shop.visitor().post('/login/', form)
  Object.assign(context.password, original)
  return count
}

test('every login computes one password hash, even if the account does not exist or has no password [S-141]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const bea = await shop.customer('bea@mail.test')
  const cleo = await shop.customer('cleo@mail.test')
  await shop.db.deleteFrom('account').where('userId', '=', bea.id).execute()
  await shop.db
    .updateTable('account')
    .set({ password: null })
    .where('userId', '=', cleo.id)
    .execute()

  for (const email of ['ann@mail.test', 'bea@mail.test', 'cleo@mail.test', 'unknown@mail.test']) {
    const form = { intent: 'login', email, password: 'wrong-password' }
    expect(await hashesFor(shop, form), email).toBe(1)
  }
  for (const email of ['ann@mail.test', 'bea@mail.test', 'new@mail.test']) {
    const form = { intent: 'register', email, password: 'another-password' }
    expect(await hashesFor(shop, form), email).toBe(1)
  }
})

test('the login refuses repeated fields, files, very long texts and malformed email addresses [LOGIN-42, LOGIN-46]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const twice = new FormData()
  for (const email of ['unknown@mail.test', 'ann@mail.test']) twice.append('email', email)
  twice.append('password', password)
  const file = new FormData()
  file.append('email', new File(['ann@mail.test'], 'email'))
  file.append('password', new File([password], 'password'))
  const forms = [
    twice,
    file,
    { intent: 'login', email: 'x'.repeat(100_000), password: 'y'.repeat(100_000) },
    { intent: 'login', email: 'ann@mail.test\u200b', password },
    { intent: 'login', email: "ann@mail.test' or '1'='1", password },
    { intent: 'login', email: '"Ann" <ann@mail.test>', password },
    { intent: 'LOGIN', email: '', password: '' },
    { intent: 'unheard-of' },
    {},
  ]
  for (const form of forms) {
    const visitor = shop.visitor()
    const answered = await visitor.post('/login/', form as Record<string, string>)
    expect(answered.status).toBe(401)
    expect(await visitor.page('/about/')).toContain('Login | Register')
  }
  const registered = await shop
    .visitor()
    .post('/login/', { intent: 'register', email: 'ann@mail.test\r\nbcc: all@mail.test', password })
  expect(registered.status).toBe(422)
})

test('the login accepts a password in any Unicode normalization form, and does not ignore spaces [LOGIN-11]', async () => {
  const shop = await openTestShop()
  const typed = ' Schlüssel für Ännchen '
  await shop.visitor().post('/login/', {
    intent: 'register',
    email: 'ann@mail.test',
    password: typed.normalize('NFC'),
  })

  const statuses = async (as: string) =>
    (
      await shop
        .visitor()
        .post('/login/', { intent: 'login', email: 'ann@mail.test', password: as })
    ).status
  expect(await statuses(typed.normalize('NFD'))).toBe(302)
  expect(await statuses(typed.trim())).toBe(401)
})

test('a signed-in user who logs in to a second account from an old tab stays signed in to the first account and sees a notice [S-244]', async () => {
  const shop = await openTestShop()
  await shop.customer('ben@mail.test')
  const ann = await shop.customer('ann@mail.test')
  const guest = await shop.guest()
  const messageFor = async (who: typeof ann, fields: Record<string, string>) => {
    const response = await who.post('/login/', { password, ...fields })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/')
    const html = await who.page('/')
    return /You are already logged in as[^<"\\]*/.exec(html)?.[0] ?? null
  }
  expect(await messageFor(ann, { intent: 'login', email: 'ben@mail.test' })).toBe(
    'You are already logged in as ann@mail.test',
  )
  expect(await messageFor(ann, { intent: 'register', email: 'new@mail.test' })).toBe(
    'You are already logged in as ann@mail.test',
  )
  expect(await messageFor(guest, { intent: 'login', email: 'ben@mail.test' })).toBe(
    'You are already logged in as a guest',
  )
  expect(await messageFor(ann, { intent: 'login', email: ' Ann@mail.test' })).toBe(null)
  expect(await messageFor(guest, { intent: 'guest' })).toBe(null)
  expect(
    await shop.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'new@mail.test')
      .executeTakeFirst(),
  ).toBeUndefined()
})

test('after a registration, the customer is logged in, and the login page redirects her to the home page [LOGIN-12, LOGIN-33, NAV-03]', async () => {
  const shop = await openTestShop()
  const ann = shop.visitor()

  const answers = [
    await ann.post('/login/', { intent: 'register', ...credentials }),
    await ann.get('/login/'),
  ]

  for (const { status, headers } of answers) {
    expect(status).toBe(302)
    expect(headers.get('location')).toBe('/')
  }
  expect(await greetingOf(ann)).toBe('Hello, ann')
})

test('the first migration creates the tables that better-auth expects', async () => {
  const { db, dialect } = await openTestShop()
  const wanted = await getMigrations(
    authOptions({ db, dialect, secret: 'x'.repeat(32), publicUrl: null }),
  )

  expect(wanted.toBeCreated).toEqual([])
  expect(wanted.toBeAdded).toEqual([])
})

test('a user who logs in is greeted, and her account keeps its uid, name, email address and guest flag [LOGIN-11, LOGIN-31, DATA-011, DATA-014, DATA-015]', async () => {
  const shop = await openTestShop()
  const { id } = await shop.customer('ann@mail.test')
  const again = shop.visitor()

  const answer = await again.post('/login/', {
    intent: 'login',
    ...credentials,
    email: ' ANN@mail.test ',
  })

  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/')
  expect(await greetingOf(again)).toBe('Hello, ann')
  const user = await shop.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(user).toMatchObject({ id, name: '', image: null, email: 'ann@mail.test' })
  expect(Boolean(user.isAnonymous)).toBe(false)
})

test('"Log In Anonymously" creates a guest, and only a confirmed logout deletes the guest with all data [LOGIN-14, ROLES-09, ROLES-11, DATA-015, S-004]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const user = await shop.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', guest.id)
    .executeTakeFirstOrThrow()
  expect(Boolean(user.isAnonymous)).toBe(true)

  expect((await guest.post('/logout', { from: '/' })).status).toBe(400)
  expect(await greetingOf(guest)).toBe('Hello, Guest')
  await guest.post('/logout', { confirm: 'Yes' })

  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
  expect(await guest.page('/')).toContain('Login | Register')
})

test('a registration that fails for an unknown reason shows "Invalid Email or Password: " [LOGIN-47] [S-011]', async () => {
  const shop = await openTestShop()
  shop.auth.handler = async () => Response.json({ code: 'SOMETHING_ELSE' }, { status: 500 })

  const response = await shop.visitor().post('/login/', { intent: 'register', ...credentials })

  const [alert] = pageOf(await response.text()).getAllByRole('alert')
  expect(alert!.textContent).toBe('Invalid Email or Password: ')
})

test('when two users register the same email address concurrently, one registration succeeds and one is refused [LOGIN-44]', async () => {
  const shop = await openTestShop()
  const both = await Promise.all(
    [1, 2].map(() => shop.visitor().post('/login/', { intent: 'register', ...credentials })),
  )

  expect(both.map(({ status }) => status).sort()).toEqual([302, 422])
  expect(await both.find(({ status }) => status === 422)!.text()).toContain(
    'This email is already associated with an account.',
  )
})

test('after a logout, a public page stays open, and a private page redirects to the home page [LOGIN-15, LOGIN-32, NAV-42, S-017]', async () => {
  const shop = await openTestShop()
  const places = [
    ['/about/?messages', '/about/'],
    ['/gallery/?color=a&messages=&page=2', '/gallery/?color=a&page=2'],
    ['/manage/sales/', '/'],
    ['', '/'],
  ] as const
  for (const [from, to] of places) {
    const owner = await shop.owner()
    const response = await owner.post('/logout', { from })
    expect(response.headers.get('location')).toBe(to)
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    expect(await owner.page('/about/')).toContain('Login | Register')
  }
})

test('when a logout fails, the page says "Something went wrong..." and the user stays signed in [LOGIN-48]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const { handler } = shop.auth
  shop.auth.handler = async () => new Response(null, { status: 500 })

  const failed = await ann.act('/logout', { from: '/about/' })
  shop.auth.handler = handler

  expect(failed.status).toBe(500)
  expect(failed.text).toContain('Something went wrong...')
  expect(await ann.page('/about/')).toContain('Your account')
})

test('a form that a user sends after her session has expired is treated like a visitor’s form, and causes no error', async () => {
  const shop = await openTestShop()
  for (const client of [await shop.customer(), await shop.guest()]) {
    await shop.db.deleteFrom('session').execute()
    expect(
      (await client.post('/logout', { from: '/about/', confirm: 'Yes' })).headers.get('location'),
    ).toBe('/about/')
    expect((await client.post('/theme', { theme: 'light', back: '/' })).status).toBe(303)
    expect(await client.page('/about/')).toContain('Login | Register')
  }
})
