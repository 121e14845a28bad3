import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'
import { lettersTo, letterTo } from '#test/proof-letters.ts'

const HOUR = 60 * 60_000
const NEW = 'another-good-password'
const ask = (shop: TestShop, email: string) => shop.visitor().post('/reset-password/', { intent: 'ask', email })
const choose = (shop: TestShop, code: string, password = NEW) =>
  shop.visitor().post('/reset-password/', { intent: 'choose', code, password })
const logIn = async (shop: TestShop, email: string, password: string) =>
  (await shop.visitor().post('/login/', { intent: 'login', email, password })).status
const proofs = (shop: TestShop) => shop.db.selectFrom('addressProofs').selectAll().where('kind', '!=', 'verify').execute()

async function askedBy(shop: TestShop, email: string) {
  await ask(shop, email)
  return letterTo(shop, email)
}

test('LOGIN-21 LOGIN-22 LOGIN-37 S-012 a forgotten password: the letter has a link and a code, the code sets a new password, and every session ends', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const [session] = await shop.db.selectFrom('session').select('id').where('userId', '=', ann.id).execute()

  const letter = await askedBy(shop, 'ann@mail.test')
  expect(letter.subject).toBe('A new password for Knots & Love')
  expect(letter.text).toContain(`http://shop.test/reset-password/?code=${letter.code}\n`)
  expect(letter.text).toMatch(new RegExp(`type in this code:\\n\\n  ${letter.code}\\n`))

  // Looking at the link uses nothing up: programs do it before she does.
  for (const method of ['GET', 'HEAD', 'GET']) await shop.visitor().send(`/reset-password/?code=${letter.code}`, { method })
  const page = await shop.visitor().page(`/reset-password/?code=${letter.code}`)
  expect(page).toMatch(/<input[^>]*value="ann@mail.test"[^>]*autoComplete="username"|autoComplete="username"[^>]*value="ann@mail.test"/i)
  expect(page).toContain('Change Password')

  const done = await choose(shop, letter.code)
  // Nobody is signed in by it; the device is one that has proven itself (S-238).
  expect([done.status, done.headers.getSetCookie().map((line) => line.split('=')[0])]).toEqual([200, ['known']])
  expect(await done.text()).toContain('Your password is changed')
  expect(ended).toEqual([session!.id])
  expect(await ann.page('/about/')).toContain('Login | Register')
  expect([await logIn(shop, 'ann@mail.test', 'a-good-password'), await logIn(shop, 'ann@mail.test', NEW)]).toEqual([401, 302])
  expect((await lettersTo(shop, 'ann@mail.test')).map(({ subject }) => subject)).toContain('Your password for Knots & Love was changed')
})

test('LOGIN-21 S-013 known, unknown, guests’ and odd addresses get the same answer, byte for byte, before anything is looked up', async () => {
  const shop = await openTestShop()
  await shop.customer()
  await shop.guest()
  const { email: ofGuest } = await shop.db.selectFrom('user').select('email').where('email', 'like', '%.invalid').executeTakeFirstOrThrow()
  const told = async (email: string) => {
    const response = await ask(shop, email)
    return [response.status, (await response.text()).replaceAll(email, 'EMAIL').replace(/nonce="[^"]*"/g, '')]
  }
  const known = await told('ann@mail.test')
  expect(known).toEqual(await told('eve@mail.test'))
  expect(known).toEqual(await told(ofGuest))
  expect(known).toEqual(await told('ANN@mail.test'))
  expect(known[1]).toContain('has an account here, a letter with a code is on its way')
  await shop.behind.settled()
  expect(await proofs(shop)).toHaveLength(2)

  // The answer does not wait for the database at all.
  const { db } = shop.shop
  let isAsked = false
  const { promise: untilAnswered, resolve } = Promise.withResolvers<void>()
  shop.shop.db = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') isAsked = true
      return name === 'transaction' ? () => ({ execute: () => untilAnswered }) : Reflect.get(target, name)
    },
  })
  expect((await ask(shop, 'ann@mail.test')).status).toBe(200)
  expect(isAsked).toBe(true)
  resolve()
  shop.shop.db = db
})

test('S-013 a letter that cannot be written is logged and says nothing', async () => {
  const shop = await openTestShop()
  await shop.customer()
  shop.shop.mail.post = async () => {
    throw new Error('no outbox')
  }
  expect((await ask(shop, 'ann@mail.test')).status).toBe(200)
  await shop.behind.settled()
  expect(shop.logged.map(({ message }) => message)).toContain('a letter for a new password could not be written')
  expect(await proofs(shop)).toEqual([])
})

test('S-013 S-262 when the work behind the answers hangs, nobody is promised a letter that is not begun, whoever has an account', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const gate = Promise.withResolvers<void>()
  while (shop.behind.begin('a test failed', () => gate.promise));
  for (const email of ['ann@mail.test', 'eve@mail.test']) {
    const response = await ask(shop, email)
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '10'])
    const page = await response.text()
    expect(page).toContain('The shop could not keep that just now. Please try again in a minute.')
    expect(page).toContain(`value="${email}"`)
  }
  gate.resolve()
  await shop.behind.settled()
  expect(await proofs(shop)).toEqual([])
})

test('LOGIN-46 S-228 what is no address is told at once, and stays in the field', async () => {
  const shop = await openTestShop()
  const response = await ask(shop, 'ann@')
  expect(response.status).toBe(422)
  expect(await response.text()).toMatch(/Please provide a valid Email\.[\s\S]*value="ann@"/)
})

test('LOGIN-53 a code that is unknown, mistyped, used, too old, of another kind, or no code at all: "Code is Invalid"', async () => {
  const shop = await openTestShop()
  await shop.visitor().post('/login/', { intent: 'register', email: 'bea@mail.test', password: 'a-good-password' })
  const verify = await letterTo(shop, 'bea@mail.test')
  const used = await askedBy(shop, 'bea@mail.test')
  await choose(shop, used.code)
  const old = await askedBy(shop, OWNER.email)
  shop.clock.now += HOUR
  const wrong = `${old.code.slice(0, -1)}${old.code.endsWith('0') ? '1' : '0'}`
  for (const code of [
    used.code,
    old.code,
    wrong,
    verify.code,
    '',
    '0000-0000',
    'x'.repeat(100_000),
    "' or 1=1 --",
    '%00',
    'é'.repeat(28),
  ]) {
    const response = await choose(shop, code)
    expect([response.status, code.slice(0, 40)]).toEqual([422, code.slice(0, 40)])
    expect(await response.text()).toMatch(/role="alert"[^>]*>Code is Invalid</)
    const looked = await shop.visitor().get(`/reset-password/?code=${encodeURIComponent(code.slice(0, 300))}`)
    expect(looked.status).toBe(200)
    if (code) expect(await looked.text()).toContain('Code is Invalid')
  }
  expect(await logIn(shop, OWNER.email, OWNER.password)).toBe(302)
})

test('LOGIN-22 a code may be typed small, with spaces, other dashes, or letters that look alike; a minute before its hour is over it counts', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  shop.clock.now += HOUR - 60_000
  const typed = `  ${code.toLowerCase().replaceAll('-', ' – ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  expect((await choose(shop, typed)).status).toBe(200)
})

test('LOGIN-53 a new password that will not do is told the same way, is marked, and leaves the code as it is', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  for (const password of ['', 'short', 'x'.repeat(129)]) {
    const response = await choose(shop, code, password)
    const html = await response.text()
    expect([response.status, /role="alert"[^>]*>Code is Invalid</.test(html)]).toEqual([422, true])
    expect(html).toMatch(/<input[^>]*type="password"[^>]*aria-invalid="true"/)
    expect(html).toContain(`value="${code}"`)
  }
  expect((await choose(shop, code)).status).toBe(200)
})

test('LOGIN-22 a code works once: of many at the same moment one wins', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const all = await Promise.all([1, 2, 3, 4].map((one) => choose(shop, code, `password-of-${one}`)))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  const winner = all.findIndex(({ status }) => status === 200) + 1
  expect(await logIn(shop, 'ann@mail.test', `password-of-${winner}`)).toBe(302)
})

test('S-229 a reset ends every other code of the account, and proves the address', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.post('/account/email', { email: 'mallory@mail.test', password: 'a-good-password', back: '/account/' })
  const change = await letterTo(shop, 'mallory@mail.test')
  const [first, second] = [await askedBy(shop, 'ann@mail.test'), await askedBy(shop, 'ann@mail.test')]
  expect(first.code).not.toBe(second.code)
  await choose(shop, first.code)
  expect(await proofs(shop)).toEqual([])
  expect((await choose(shop, second.code)).status).toBe(422)
  expect((await shop.visitor().post('/confirm-email/', { code: change.code })).status).toBe(422)
  const { emailVerified } = await shop.db.selectFrom('user').select('emailVerified').where('id', '=', ann.id).executeTakeFirstOrThrow()
  expect(Boolean(emailVerified)).toBe(true)
})

test('022 LOGIN-22 who came by an import and has no password gets in by a letter, once, also when two letters are used at once', async () => {
  const shop = await openTestShop()
  const at = new Date(shop.clock.now)
  await shop.db
    .insertInto('user')
    .values({
      id: 'imported',
      name: 'Ida',
      email: 'ida@mail.test',
      emailVerified: false,
      image: null,
      isAnonymous: false,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  expect(await logIn(shop, 'ida@mail.test', NEW)).toBe(401)
  const [one, two] = [await askedBy(shop, 'ida@mail.test'), await askedBy(shop, 'ida@mail.test')]
  const both = await Promise.all([choose(shop, one.code), choose(shop, two.code)])
  expect(both.map(({ status }) => status)).toContain(200)
  expect(await logIn(shop, 'ida@mail.test', NEW)).toBe(302)
  expect(await shop.db.selectFrom('account').select('providerId').where('userId', '=', 'imported').execute()).toEqual([
    { providerId: 'credential' },
  ])
})

test('LOGIN-22 the owner keeps her id and her role, it stands in the history, and nobody is signed in by a letter', async () => {
  const shop = await openTestShop()
  const { code } = await askedBy(shop, OWNER.email)
  const visitor = shop.visitor()
  await visitor.post('/reset-password/', { intent: 'choose', code, password: NEW })
  expect((await visitor.get('/manage/')).headers.get('location')).not.toBe(null)
  await visitor.post('/login/', { intent: 'login', email: OWNER.email, password: NEW })
  expect((await visitor.get('/manage/')).status).toBe(200)
  expect(await visitor.page('/manage/history/')).toContain('Chose a new password by a letter')
  const acts = await shop.db.selectFrom('audit').select(['act', 'actor']).execute()
  expect(acts).toEqual([{ act: 'reset-own-password', actor: ADMIN_ID }])
})

test('S-228 many wishes from one place wait with 429; many for one address are answered alike, and three letters an hour go out', async () => {
  const shop = await openTestShop()
  await shop.customer()
  for (let tries = 0; tries < 5; tries++) {
    expect((await ask(shop, 'ann@mail.test')).status).toBe(200)
    await shop.behind.settled()
    expect(await proofs(shop)).toHaveLength(Math.min(tries + 1, 3))
  }
  shop.clock.now += HOUR
  await ask(shop, 'ann@mail.test')
  await shop.behind.settled()
  expect(await lettersTo(shop, 'ann@mail.test')).toHaveLength(4)

  const limited = await openTestShop({ rateLimits: true })
  let response = await ask(limited, 'a@mail.test')
  for (let tries = 0; tries < 40 && response.status === 200; tries++) response = await ask(limited, `a${tries}@mail.test`)
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await response.text()).toMatch(/Too many tries\. Please wait[\s\S]*value="a\d+@mail.test"/)
})

test('S-227 neither the outbox nor the table has what lets somebody in, and the owner does not read it', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const rows = JSON.stringify([await proofs(shop), await shop.db.selectFrom('outbox').selectAll().execute()])
  expect(rows).not.toContain(code)
  expect(rows).not.toContain(code.replaceAll('-', ''))
  expect(rows).not.toContain(createHash('sha256').update(code).digest('hex'))
  const page = await (await shop.owner()).page('/manage/mail/')
  expect(page).toContain('(a code that only the letter has)')
  expect(page).not.toContain(code)
})

test('S-012 S-005 a guest who has forgotten the password of an older account finds the way from Link Guest Account and back, and no made-up address', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  expect(await guest.page('/link-guest/')).toContain('href="/reset-password/"')
  const html = await guest.page('/reset-password/')
  expect(/<input[^>]*id="email"[^>]*>/.exec(html)![0]).toContain('value=""')
  expect(html).toMatch(/href="\/link-guest\/"[^>]*>Back to the login/)
  await shop.customer()
  const { code } = await askedBy(shop, 'ann@mail.test')
  const done = await guest.post('/reset-password/', { intent: 'choose', code, password: NEW })
  expect(await done.text()).toMatch(/href="\/link-guest\/"[^>]*>Log In/)
})
