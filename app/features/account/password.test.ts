import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { letterTo } from '#test/proof-letters.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { FRESH_FOR, STALE_LOGIN } from '#app/features/auth/auth-texts.ts'

const OLD = 'a-good-password'
const NEW = 'an-even-better-one'

const logsIn = async (shop: TestShop, email: string, password: string) =>
  (await shop.visitor().post('/login/', { intent: 'login', email, password })).status === 302

async function anotherDevice(shop: TestShop, email = 'ann@mail.test'): Promise<Person> {
  const device = shop.visitor()
  await device.post('/login/', { intent: 'login', email, password: OLD })
  return device
}

const isIn = async (who: Person) => (await who.get('/account/')).status === 200

/** As if she had come by another provider. */
async function withoutPassword(shop: TestShop, userId: string, loggedInAt: number) {
  await shop.db.updateTable('account').set({ providerId: 'google', password: null }).where('userId', '=', userId).execute()
  await shop.db
    .updateTable('session')
    .set({ createdAt: new Date(loggedInAt), updatedAt: new Date(loggedInAt) })
    .where('userId', '=', userId)
    .execute()
}

test('LOGIN-19 S-230 a change of address that somebody with the old password has begun ends with it', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const thief = await anotherDevice(shop)
  await thief.act('/account/email', { email: 'thief@mail.test', password: OLD })
  const { code } = await letterTo(shop, 'thief@mail.test')
  expect(await ann.page('/account/')).toContain('It becomes')

  await ann.act('/account/password', { password: OLD, newPassword: NEW })

  expect((await thief.post('/confirm-email/', { code })).status).toBe(422)
  expect(await ann.page('/account/')).not.toContain('It becomes')
  expect(await logsIn(shop, 'ann@mail.test', NEW)).toBe(true)
})

test('LOGIN-19 LOGIN-23 LOGIN-36 LOGIN-39 S-220 the new password counts, this device stays, every other one is out at once', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const [phone, ben] = [await anotherDevice(shop), await shop.customer('ben@mail.test')]
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const sessions = await shop.db.selectFrom('session').select('id').where('userId', '=', ann.id).execute()
  const mine = await shop.auth.api.getSession({ headers: cookieOf(ann) })

  const done = await ann.act('/account/password', { password: OLD, newPassword: NEW })

  expect([done.status, done.text.includes('Password changed')]).toEqual([200, true])
  expect([await isIn(ann), await isIn(phone), await isIn(ben)]).toEqual([true, false, true])
  expect(ended).toEqual(sessions.map(({ id }) => id).filter((id) => id !== mine!.session.id))
  expect([await logsIn(shop, 'ann@mail.test', OLD), await logsIn(shop, 'ann@mail.test', NEW)]).toEqual([false, true])
})

const cookieOf = (who: Person) => new Headers({ cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

test('S-220 the session goes on under a new cookie, with the library’s own marks; a copy of the old one is worth nothing', async () => {
  const shop = await openTestShop()
  const signedUp = await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test', password: OLD })
  const [byLibrary] = signedUp.headers.getSetCookie().filter((line) => line.includes('session_token'))
  const ann = await anotherDevice(shop)
  const stolen = cookieOf(ann)

  const response = await ann.post('/account/password', { password: OLD, newPassword: NEW, back: '/account/' })

  const [ours] = response.headers.getSetCookie().filter((line) => line.includes('session_token'))
  const marks = (line: string | undefined) => line!.split('; ').slice(1).sort()
  expect(marks(ours)).toEqual(marks(byLibrary))
  expect(cookieOf(ann).get('cookie')).not.toBe(stolen.get('cookie'))
  expect(await isIn(ann)).toBe(true)
  const thief = await shop.app(new Request('http://shop.test/account/', { headers: stolen }), { address: '10.9.9.9' })
  expect([thief.status, thief.headers.get('location')]).toEqual([302, '/login'])
})

test('S-231 a changed password is told to an address that was confirmed, and to no other: somebody else may read there', async () => {
  const shop = await openTestShop()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  await shop.db
    .updateTable('user')
    .set({ emailVerified: shop.dialect === 'sqlite' ? 1 : true })
    .where('id', '=', ann.id)
    .execute()

  for (const person of [ann, ben]) expect((await person.act('/account/password', { password: OLD, newPassword: NEW })).status).toBe(200)
  await ann.act('/account/password', { password: 'wrong-password', newPassword: OLD })

  const letters = await shop.db.selectFrom('outbox').select(['toAddress', 'subject', 'text']).where('kind', '=', 'notice').execute()
  expect(letters.map(({ toAddress, subject }) => [toAddress, subject])).toEqual([
    ['ann@mail.test', 'Your password for Knots & Love was changed'],
  ])
  expect(letters[0]!.text).not.toContain(NEW)
})

test('LOGIN-51 S-241 a password that is too short, too long, everybody’s, or one’s own address says "Unable to Update Password", and nothing changes', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const phone = await anotherDevice(shop)
  for (const newPassword of ['', 'short', 'x'.repeat(129), 'y'.repeat(100_000), 'password1', 'Ann@Mail.Test2026']) {
    const refused = await ann.act('/account/password', { password: OLD, newPassword })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Unable to Update Password')
  }
  expect([await isIn(phone), await logsIn(shop, 'ann@mail.test', OLD)]).toEqual([true, true])
})

test('LOGIN-55 S-015 TOAST-07 a wrong, missing or endless password says "Invalid Credentials", and nothing changes', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await shop.customer('ben@mail.test')
  for (const password of ['', 'wrong-password', `${OLD} `, 'z'.repeat(100_000)]) {
    const refused = await ann.act('/account/password', { password, newPassword: NEW })
    expect([refused.status, refused.text.includes('Invalid Credentials')]).toEqual([403, true])
  }
  const plain = await ann.post('/account/password', { password: 'wrong-password', newPassword: NEW, back: '/account/' })
  expect([plain.status, plain.headers.get('location')]).toEqual([303, '/account/'])
  expect(await ann.page('/account/')).toContain('Invalid Credentials')
  expect([await logsIn(shop, 'ann@mail.test', OLD), await logsIn(shop, 'ann@mail.test', NEW)]).toEqual([true, false])
})

test('S-237 guessing the password at somebody’s open browser ends after ten tries, and says how long; tries that went well do not count', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const ann = await shop.customer()
  let password = OLD
  for (const next of [NEW, OLD, NEW, OLD]) {
    expect((await ann.act('/account/password', { password, newPassword: next })).status).toBe(200)
    password = next
  }
  for (let tries = 0; tries < 10; tries++)
    expect((await ann.act('/account/password', { password: 'wrong-password', newPassword: NEW })).status).toBe(403)

  const refused = await ann.act('/account/password', { password, newPassword: NEW })

  expect([refused.status, refused.text.includes('Please wait 15 minutes')]).toEqual([429, true])
})

test('LOGIN-51 a change that fails midway says "Unable to Update Password": the old one counts, everybody stays in', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const phone = await anotherDevice(shop)
  await refuseWrites(shop.db, shop.dialect, 'session', 'delete')

  const refused = await ann.act('/account/password', { password: OLD, newPassword: NEW })

  expect([refused.status, refused.text.includes('Unable to Update Password')]).toEqual([500, true])
  expect([await isIn(ann), await isIn(phone), await logsIn(shop, 'ann@mail.test', OLD)]).toEqual([true, true, true])
  expect(shop.logged.splice(0).map(({ message }) => message)).toEqual(['a password could not be changed'])
})

test('LOGIN-19 of two changes at once, both proven by the old password, one wins and the other is told', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const [desk, phone] = [await anotherDevice(shop), await anotherDevice(shop)]
  const wanted = ['first-new-password', 'second-new-password'] as const

  const both = await Promise.all([desk, phone].map((who, at) => who.act('/account/password', { password: OLD, newPassword: wanted[at]! })))

  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const winner = both[0]!.status === 200 ? 0 : 1
  expect(await Promise.all(wanted.map((password) => logsIn(shop, 'ann@mail.test', password)))).toEqual([winner === 0, winner === 1])
  expect([await isIn(desk), await isIn(phone)]).toEqual([winner === 0, winner === 1])
})

test('LOGIN-23 S-220 without a password the prompt leads to the provider that the account logs in with, and tells once when that failed', async () => {
  const oneOf = (id: string, name: string) => ({ id, name, issuer: 'https://id.test', clientId: 'c', clientSecret: 's' })
  const shop = await openTestShop({
    providers: { list: [oneOf('google', 'Google'), oneOf('oidc', 'Elsewhere')], origin: 'http://shop.test' },
  })
  const ann = await shop.customer()
  const dialogsOf = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  expect(dialogsOf(await ann.page('/account/'))).not.toContain('Google')
  await withoutPassword(shop, ann.id, shop.clock.now - FRESH_FOR)
  ann.cookies.set('provider-failed', 'google.cancelled')

  const html = dialogsOf(await ann.page('/account/'))

  expect(html).toMatch(/action="\/login\/google"[\s\S]*?name="purpose" value="prove"[\s\S]*?Log In with Google Again/)
  expect(html).not.toContain('Elsewhere')
  expect(html).not.toContain('action="/account/password"')
  expect(html).toMatch(/role="alert"[^>]*><p[^>]*>An Error has Occured\.\.\./)
  expect(dialogsOf(await ann.page('/account/'))).not.toContain('An Error has Occured')
})

test('LOGIN-19 S-220 who has no password sets the first one soon after logging in; later she has to log in again first', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await withoutPassword(shop, ann.id, shop.clock.now - FRESH_FOR)
  expect(await ann.page('/account/')).toContain(STALE_LOGIN)
  const refused = await ann.act('/account/password', { password: OLD, newPassword: NEW })
  expect([refused.status, refused.text.includes(STALE_LOGIN)]).toEqual([403, true])
  expect(await shop.db.selectFrom('account').select('providerId').where('userId', '=', ann.id).execute()).toHaveLength(1)

  await withoutPassword(shop, ann.id, shop.clock.now - FRESH_FOR + 1)
  const html = await ann.page('/account/')
  expect(html).toContain('Set a Password')
  expect(html).not.toContain('Current Password')
  const both = await Promise.all([1, 2].map(() => ann.act('/account/password', { newPassword: NEW })))

  expect(both.map(({ status }) => status).sort()).not.toContain(500)
  expect(await logsIn(shop, 'ann@mail.test', NEW)).toBe(true)
  expect(
    (await shop.db.selectFrom('account').select('providerId').where('userId', '=', ann.id).execute()).map((row) => row.providerId).sort(),
  ).toEqual(['credential', 'google'])
})

test('LOGIN-19 of two forms of one device, both proven by the old password, one wins', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const wanted = [NEW, 'second-new-password'] as const
  const both = await Promise.all(wanted.map((newPassword) => ann.act('/account/password', { password: OLD, newPassword })))
  // The later one is refused by its proof, by what has changed since that was checked, or, when it comes in last, by its cookie, which is another one now.
  const asVisitor = (await shop.visitor().act('/account/password', {})).status
  const refused = [403, 409, asVisitor]
  expect(asVisitor).toBe(202)
  expect(both.map(({ status }) => (status === 200 ? 'done' : refused.includes(status))).toSorted()).toEqual(['done', true])
  expect(await logsIn(shop, 'ann@mail.test', both[0]!.status === 200 ? wanted[0] : wanted[1])).toBe(true)
})

test('LOGIN-19 the owner changes hers like everybody, and her history says so without saying which', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  expect((await owner.act('/account/password', { password: OLD, newPassword: NEW })).status).toBe(200)

  const html = await owner.page('/manage/history/')
  expect(html).toContain('Changed the password of Ona Owner')
  expect(html).not.toContain(NEW)
  expect(await logsIn(shop, 'owner@shop.test', NEW)).toBe(true)
})

test('LOGIN-19 nobody else’s password can be meant, and visitors and guests change none', async () => {
  const shop = await openTestShop()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  await ann.act('/account/password', {
    password: OLD,
    newPassword: NEW,
    id: ben.id,
    userId: ben.id,
    email: 'ben@mail.test',
    username: 'ben@mail.test',
  })
  expect(await logsIn(shop, 'ben@mail.test', OLD)).toBe(true)
  for (const stranger of [shop.visitor(), await shop.guest()])
    expect((await stranger.post('/account/password', { password: '', newPassword: NEW })).headers.get('location')).toBe('/login')
})

test('TOAST-06 TOAST-07 LOGIN-28 the prompt asks for the current and the new password, both required, with Cancel and Submit', async () => {
  const shop = await openTestShop()
  const html = await (await shop.customer()).page('/account/')
  const dialog = /<dialog(?:(?!<\/dialog>)[\s\S])*action="\/account\/password"[\s\S]*?<\/dialog>/.exec(html)![0]
  const fields = [...dialog.matchAll(/<input [^>]*class="input"[^>]*>/g)].map(([field]) => field)
  expect(fields.map((field) => /name="(\w+)"/.exec(field)![1])).toEqual(['password', 'newPassword'])
  for (const field of fields) expect(field).toMatch(/type="password".*required=""|required="".*type="password"/)
  expect([...dialog.matchAll(/<button[^>]*>([^<]+)<\/button>/g)].map(([, name]) => name)).toEqual(['Cancel', 'Submit'])
})
