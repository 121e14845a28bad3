import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'

const password = 'a-good-password'
const cookieLines = (response: Response, name: string) => response.headers.getSetCookie().filter((line) => line.includes(name))
/** Each input of the page, by its name. */
const inputsOf = (html: string) =>
  Object.fromEntries([...html.matchAll(/<input class="input"[^>]*>/g)].map(([input]) => [/ name="(\w+)"/.exec(input)![1], input]))

test('S-010 S-202 a forgotten password has its link from the beginning; without script no button shows the password', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/login/')

  expect(html).toMatch(/<a [^>]*href="\/reset-password\/"[^>]*>Forgot your password\?<\/a>/)
  expect(html).not.toContain('Show password')
  expect(inputsOf(html).email).toContain('autoComplete="username"')
  expect(inputsOf(html).password).toContain('autoComplete="current-password"')
})

const refused = [
  ['LOGIN-42', 'login', 'nobody@mail.test', password, 'email'],
  ['LOGIN-43 S-010', 'login', 'ann@mail.test', 'wrong-password', 'password'],
  ['LOGIN-45', 'register', 'bea@mail.test', 'short', 'password'],
  ['LOGIN-46', 'register', 'not an address', password, 'email'],
  ['LOGIN-44', 'register', 'ann@mail.test', password, null],
] as const

test.for(refused)(
  '%s S-203 what was refused (%s %s) is marked where it was typed, and only there',
  async ([, intent, email, typed, wrong]) => {
    const shop = await openTestShop()
    await shop.customer()
    const html = await (await shop.visitor().post('/login/', { intent, email, password: typed })).text()

    const inputs = inputsOf(html)
    for (const name of ['email', 'password']) expect([name, inputs[name]!.includes('aria-invalid="true"')]).toEqual([name, name === wrong])
    if (wrong) expect(inputs[wrong]).toMatch(/autofocus=""/i)
    expect(inputs.email).toContain(`value="${email}"`)
    expect(html).not.toContain(typed)
  },
)

test('the session cookie is out of reach for scripts and other sites, and lasts as long as the session', async () => {
  const shop = await openTestShop()
  const entered = await shop.visitor().post('/login/', { intent: 'guest' })

  const [line, ...more] = cookieLines(entered, 'session_token')
  expect(more).toEqual([])
  const parts = line!.split('; ')
  expect(parts[0]).toMatch(/^shop\.session_token=./)
  expect(parts.slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
})

test('S-204 with https every cookie is for https only, and no other host of the domain can set it', async () => {
  const shop = await openTestShop({ publicUrl: 'https://shop.test' })
  const ann = await shop.customer()
  const entered = await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password })

  const [line] = cookieLines(entered, 'session_token')
  expect(line).toMatch(/^__Host-shop\.session_token=/)
  expect(line!.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'])
  expect((await ann.get('/login/')).status).toBe(302)
  const answers = [entered, await ann.post('/theme', { theme: 'light', back: '/' })]
  for (const answer of answers) {
    const lines = answer.headers.getSetCookie()
    expect(lines.length).toBeGreaterThan(0)
    for (const cookie of lines) expect(cookie).toMatch(/^__Host-[^;]*; (?!.*Domain).*Path=\/;.*; Secure(;|$)/)
  }
  expect(await ann.page('/about/')).toContain('data-theme="light"')
  const told = await ann.post('/account/name', { name: 'Ann', back: '/account/' })
  expect(told.headers.getSetCookie().join()).toMatch(/^__Host-flash=/)
  expect(await ann.page('/account/')).toContain('Name saved')
  await ann.post('/logout', { from: '/' })
  expect(await ann.page('/about/')).toContain('Login | Register')
  // The name that any host of the domain may set counts for nothing.
  const value = /=([^;]+)/.exec(line!)![1]!
  for (const name of ['shop.session_token', '__Secure-shop.session_token'])
    expect((await shop.app(new Request('https://shop.test/login/', { headers: { cookie: `${name}=${value}` } }))).status).toBe(200)
})

test('LOGIN-11 LOGIN-12 LOGIN-14 a session that somebody else has planted is never the one that signing in makes', async () => {
  const shop = await openTestShop()
  await shop.customer()
  for (const form of [
    { intent: 'login', email: 'ann@mail.test', password },
    { intent: 'register', email: 'bea@mail.test', password },
    { intent: 'guest' },
  ]) {
    const victim = shop.visitor()
    victim.cookies.set('shop.session_token', 'planted-token-of-an-attacker.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D')
    await victim.post('/login/', form as Record<string, string>)
    expect(victim.cookies.get('shop.session_token')).toMatch(/^(?!planted)./)
  }
  const tokens = (await shop.db.selectFrom('session').select('token').execute()).map(({ token }) => token)
  expect(new Set(tokens).size).toBe(4)
  expect(tokens.join()).not.toContain('planted')
})

/** How many passwords the shop works through for one try. */
async function hashesFor(shop: TestShop, form: Record<string, string>): Promise<number> {
  const context = await shop.auth.$context
  const kept = { ...context.password }
  let count = 0
  context.password.hash = (...given) => (count++, kept.hash(...given))
  context.password.verify = (...given) => (count++, kept.verify(...given))
  await shop.visitor().post('/login/', form)
  Object.assign(context.password, kept)
  return count
}

test('S-141 a try costs one hash, whether or not there is such an account and whether or not it has a password', async () => {
  const shop = await openTestShop()
  await shop.customer()
  await shop.customer('bea@mail.test')
  await shop.db
    .deleteFrom('account')
    .where('userId', 'in', (is) => is.selectFrom('user').select('id').where('email', '=', 'bea@mail.test'))
    .execute()
  await shop.customer('cleo@mail.test')
  await shop.db
    .updateTable('account')
    .set({ password: null })
    .where('userId', 'in', (is) => is.selectFrom('user').select('id').where('email', '=', 'cleo@mail.test'))
    .execute()

  for (const email of ['ann@mail.test', 'bea@mail.test', 'cleo@mail.test', 'nobody@mail.test'])
    expect([email, await hashesFor(shop, { intent: 'login', email, password: 'wrong-password' })]).toEqual([email, 1])
  for (const email of ['ann@mail.test', 'bea@mail.test', 'new@mail.test'])
    expect([email, await hashesFor(shop, { intent: 'register', email, password: 'another-password' })]).toEqual([email, 1])
})

test('LOGIN-42 LOGIN-46 odd input is refused like any other: lists, files, other letters, other ways of writing an address', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const twice = new FormData()
  for (const email of ['nobody@mail.test', 'ann@mail.test']) twice.append('email', email)
  twice.append('password', password)
  const file = new FormData()
  file.append('email', new File(['ann@mail.test'], 'email'))
  file.append('password', new File([password], 'password'))
  const forms = [
    twice,
    file,
    { intent: 'login', email: 'ann@mail.test\u202e', password },
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
  const registered = await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test\r\nbcc: all@mail.test', password })
  expect(registered.status).toBe(422)
})

test('LOGIN-11 a password counts by its characters, however the keyboard of the day has put them together, and spaces belong to it', async () => {
  const shop = await openTestShop()
  const typed = ' Schlüssel für Ännchen '
  await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test', password: typed.normalize('NFC') })

  const statuses = async (as: string) =>
    (await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password: as })).status
  expect([await statuses(typed.normalize('NFD')), await statuses(typed.trim())]).toEqual([302, 401])
})

test('S-244 who is signed in and sends another’s login form from an old tab stays who they are and is told; the same form twice says nothing', async () => {
  const shop = await openTestShop()
  await shop.customer('ben@mail.test')
  const [ann, guest] = [await shop.customer('ann@mail.test'), await shop.guest()]
  const told = async (who: typeof ann, fields: Record<string, string>) => {
    const response = await who.post('/login/', { password, ...fields })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    const html = await who.page('/')
    return /You are (?:already logged in as|here as a guest already)[^<"\\]*/.exec(html)?.[0] ?? null
  }
  expect(await told(ann, { intent: 'login', email: 'ben@mail.test' })).toBe('You are already logged in as ann@mail.test')
  expect(await told(ann, { intent: 'register', email: 'new@mail.test' })).toBe('You are already logged in as ann@mail.test')
  expect(await told(guest, { intent: 'login', email: 'ben@mail.test' })).toBe('You are here as a guest already')
  expect(await told(ann, { intent: 'login', email: ' Ann@mail.test' })).toBe(null)
  expect(await told(guest, { intent: 'guest' })).toBe(null)
  expect(await shop.db.selectFrom('user').select('id').where('email', '=', 'new@mail.test').executeTakeFirst()).toBeUndefined()
})
