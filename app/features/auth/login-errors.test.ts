import { expect, test } from 'vitest'
import { greetingOf } from '#test/fixtures/accounts.ts'
import { errorsOf, pageOf } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const password = 'a-good-password'
const credentials = { email: 'ann@mail.test', password }

/** The shop in which no login and no registration succeeds. */
const shop = shared(async (onCleanup) => {
  const shop = await openTestShop({ onCleanup })
  await shop.customer()
  return shop
})
const sendLogin = async (form: Record<string, string>) => {
  const response = await shop().visitor().post('/login/', form)
  return { status: response.status, html: await response.text() }
}

const TAKEN =
  'This email is already associated with an account. Please login to that account instead.'
const refused = [
  ['login', 'unknown@mail.test', password, 'User not Found', 'Email', 'LOGIN-42'],
  ['login', 'ann@mail.test', 'wrong-password', '', 'Password', 'LOGIN-43, LOGIN-10'],
  ['register', 'ann@mail.test', password, TAKEN, null, 'LOGIN-44'],
  ['register', 'ANN@mail.test', password, TAKEN, null, 'LOGIN-44'],
  ['register', 'bea@mail.test', 'short', 'Password is too weak!', 'Password', 'LOGIN-45'],
  ['register', 'bea@mail.test', '', 'Password is too weak!', 'Password', 'LOGIN-45'],
  ['register', 'not an address', password, 'Please provide a valid Email.', 'Email', 'LOGIN-46'],
  ['register', '', password, 'Please provide a valid Email.', 'Email', 'LOGIN-46'],
] as const

test.for(refused)(
  'the %s form with %s and password %s shows "%s" and marks the field %s as invalid [%s] [S-203]',
  async (row) => {
    const [intent, email, typed, text, wrong] = row
    const { status, html } = await sendLogin({ intent, email, password: typed })
    const page = pageOf(html)

    expect(status).toBe(intent === 'login' ? 401 : 422)
    expect(page.getAllByRole('alert')[0]!.textContent).toMatch(new RegExp(`^${text || '$'}`))
    for (const label of ['Email', 'Password']) {
      const field = page.getByLabelText(label)
      expect(field.getAttribute('aria-invalid') === 'true', label).toBe(label === wrong)
      if (label === wrong) expect(field.hasAttribute('autofocus')).toBe(true)
    }
    expect(page.getByLabelText('Email').getAttribute('value')).toBe(email)
    if (typed) expect(html).not.toContain(typed)
  },
)

test('after a wrong password, a text next to the password field says that email and password do not match [OWN-82, S-010]', async () => {
  const form = { intent: 'login', email: 'ann@mail.test', password: 'wrong' }
  const page = pageOf((await sendLogin(form)).html)
  expect(errorsOf(page)).toEqual({ Password: 'Email and password do not match.' })
})

test('a registration shows all errors at the same time, next to their fields, and keeps the typed name [OWN-89]', async () => {
  const name = 'x'.repeat(81)
  const form = { intent: 'register', email: 'no address', password: 'short', name }
  const page = pageOf((await sendLogin(form)).html)

  expect(errorsOf(page)).toEqual({
    Email: 'Please provide a valid Email.',
    Password: expect.stringMatching(/^Password is too weak!/),
    'Your name (optional)': 'A name has at most 80 characters.',
  })
  expect(page.getByLabelText('Your name (optional)').getAttribute('value')).toBe(name)
  expect(
    await shop().db.selectFrom('user').select('id').where('email', 'like', '%address%').execute(),
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
    const field = pageOf(await person.page(path)).getByLabelText('Your name (optional)')
    expect(field.getAttribute('name')).toBe('name')
    await person.post(path, { intent: 'register', ...credentials, name: ' Ann  Braid ' })
    expect(await greetingOf(person)).toBe('Hello, Ann')
    expect(
      await shop.db
        .selectFrom('user')
        .select('name')
        .where('email', '=', credentials.email)
        .execute(),
    ).toEqual([{ name: 'Ann Braid' }])
  },
)
