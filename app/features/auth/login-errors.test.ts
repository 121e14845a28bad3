import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const password = 'a-good-password'
const credentials = { email: 'ann@mail.test', password }
/** Returns the text fields of a page by name. */
const inputsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input [^>]*class="input"[^>]*>/g)].map(([input]) => [
      / name="(\w+)"/.exec(input)![1],
      input,
    ]),
  )

const TAKEN =
  'This email is already associated with an account. Please login to that account instead.'
const refused = [
  ['login', 'unknown@mail.test', password, 'User not Found', 'email', 'LOGIN-42'],
  ['login', 'ann@mail.test', 'wrong-password', '', 'password', 'LOGIN-43'],
  ['login', 'ann@mail.test', 'wrong-password', '', 'password', 'LOGIN-10'],
  ['register', 'ann@mail.test', password, TAKEN, null, 'LOGIN-44'],
  ['register', 'ANN@mail.test', password, TAKEN, null, 'LOGIN-44'],
  ['register', 'bea@mail.test', 'short', 'Password is too weak!', 'password', 'LOGIN-45'],
  ['register', 'bea@mail.test', '', 'Password is too weak!', 'password', 'LOGIN-45'],
  ['register', 'not an address', password, 'Please provide a valid Email.', 'email', 'LOGIN-46'],
  ['register', '', password, 'Please provide a valid Email.', 'email', 'LOGIN-46'],
] as const

test.for(refused)(
  'the %s form with %s and password %s shows "%s" and marks the field %s as invalid [%s] [S-203]',
  async (row) => {
    const [intent, email, typed, text, wrong] = row
    const shop = await openTestShop()
    await shop.customer()
    const response = await shop.visitor().post('/login/', { intent, email, password: typed })
    const html = await response.text()
    const inputs = inputsOf(html)

    expect(response.status).toBe(intent === 'login' ? 401 : 422)
    expect(html).toMatch(new RegExp(`<p role="alert"[^>]*>${text || '</p>'}`))
    for (const name of ['email', 'password'])
      expect([name, inputs[name]!.includes('aria-invalid="true"')]).toEqual([name, name === wrong])
    if (wrong) expect(inputs[wrong]).toMatch(/autofocus=""/i)
    expect(inputs.email).toContain(`value="${email}"`)
    if (typed) expect(html).not.toContain(typed)
  },
)

test('after a wrong password, a text next to the password field says that email and password do not match [OWN-82, S-010]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const html = await (
    await shop
      .visitor()
      .post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'wrong' })
  ).text()
  expect(inputsOf(html).password).toContain('aria-describedby="password-error"')
  expect(html).toMatch(/<p[^>]*id="password-error"[^>]*>Email and password do not match\.<\/p>/)
})

test('a registration shows all errors at the same time, next to their fields, and keeps the typed name [OWN-89]', async () => {
  const shop = await openTestShop()
  const name = 'x'.repeat(81)
  const html = await (
    await shop
      .visitor()
      .post('/login/', { intent: 'register', email: 'no address', password: 'short', name })
  ).text()

  expect(html).toMatch(/<p role="alert"[^>]*>Please provide a valid Email\.</)
  expect(html).toMatch(/id="password-error"[^>]*>Password is too weak!/)
  expect(html).toMatch(/id="name-error"[^>]*>A name has at most 80 characters\./)
  const inputs = inputsOf(html)
  for (const field of ['email', 'password', 'name'])
    expect([field, inputs[field]]).toEqual([field, expect.stringContaining('aria-invalid="true"')])
  expect(inputs.name).toContain(`value="${name}"`)
  expect(
    await shop.db.selectFrom('user').select('id').where('email', 'like', '%address%').execute(),
  ).toEqual([])
})

test.for([
  ['/login/', 'visitor'],
  ['/link-guest/', 'guest'],
] as const)(
  'the registration form at %s has a field for the name of the new account [OWN-85]',
  async ([path, who]) => {
    const shop = await openTestShop()
    const person = await shop[who]()
    expect(await person.page(path)).toMatch(/<input[^>]*name="name"/)
    await person.post(path, { intent: 'register', ...credentials, name: ' Ann  Braid ' })
    expect(await person.page('/about/')).toContain('Hello, Ann<')
    expect(
      await shop.db
        .selectFrom('user')
        .select('name')
        .where('email', '=', credentials.email)
        .execute(),
    ).toEqual([{ name: 'Ann Braid' }])
  },
)
