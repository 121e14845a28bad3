/** Attacks on accounts by doing many things at the same moment, from many places, or while an account goes. */
import { expect, test } from 'vitest'
import { deleteAccount } from '#app/features/account/delete-account/delete-account.server.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { placeOrder } from './a-sale.ts'
import { listAllRows } from './all-rows.ts'
import { expectNothingLeft, fileOf, post as sendPicture } from './chat-pictures.ts'
import { answerWith, clara, like, openGuestAndAccount, prove, say, seenBy } from './guest-moves.ts'
import { openTestShop, ORIGIN, OWNER, type TestShop } from './open-test-shop.ts'
import { person, type Person } from './person.ts'
import { gina, openShopWithGoogle } from './shop-with-google.ts'
import { openTotpApp, turnOnSecondFactor } from './totp-app.ts'
import { goingTo, signInWith, visitProvider } from './visit-provider.ts'

const PASSWORD = 'a-good-password'
const at = (shop: TestShop, address: string) => person(shop.app, ORIGIN, address)

test('S-239 S-238 nobody who guesses passes for others by a header, nor by other addresses of one IPv6 network', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const guess = async (setting: string, remote: string, told?: string) => {
    const who = at(shop, openClientAddress(setting)(remote, told))
    return (await who.act('/login/', { intent: 'login', email: OWNER.email, password: 'wrong-password' })).status
  }
  const ways: Record<string, (tries: number) => Promise<number>> = {
    'without a proxy': (tries) => guess('none', '203.0.113.5', `198.51.100.${tries}`),
    'past the proxy of this machine': (tries) => guess('loopback', '203.0.113.6', `198.51.100.${tries}, 127.0.0.1`),
    'through the proxy of this machine': (tries) => guess('loopback', '127.0.0.1', `198.51.100.${tries}, 203.0.113.7`),
    'through two named ones': (tries) => guess('10.0.0.0/8', '10.0.0.1', `198.51.100.${tries}, 203.0.113.8, 10.0.0.2`),
  }
  for (const [way, guessing] of Object.entries(ways)) {
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries++) statuses.push(await guessing(tries))
    expect(statuses, way).toEqual([...Array(10).fill(401), 429])
  }
  const statuses: number[] = []
  for (let tries = 1; tries < 12; tries++) statuses.push(await guess('none', `2001:db8:1:2:${tries}::${tries}`))
  expect(statuses).toEqual([...Array(10).fill(401), 429])
})

test('S-237 of a hundred tries at once as many are taken as the limit says, and each other one hears how long to wait', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const [ann, bea] = [await shop.customer(), await shop.customer('bea@mail.test')]
  /** How many of so many at once are taken; each other one is told a wait within these seconds, of which some may have passed. */
  const taken = async (many: number, seconds: number, who: Person, path: string, form: Record<string, string>) => {
    const asked = { method: 'POST', headers: { origin: ORIGIN } }
    const answers = await Promise.all(
      Array.from({ length: many }, () => who.send(`${path}.data`, { ...asked, body: new URLSearchParams(form) })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    for (const { headers } of refused)
      expect(Number(headers.get('retry-after'))).toSatisfy((wait) => wait > seconds - 60 && wait <= seconds)
    return many - refused.length
  }
  const [hour, quarter, few, password] = [3600, 900, 600, 'wrong-password']
  expect(await taken(40, hour, shop.visitor(), '/reset-password', { intent: 'ask', email: 'nobody@mail.test' })).toBe(30)
  expect(await taken(40, few, shop.visitor(), '/reset-password', { intent: 'choose', password, code: 'x' })).toBe(30)
  expect(await taken(10, hour, ann, '/account/verification', {})).toBe(5)
  expect(await taken(110, quarter, ann, '/account/delete', { password })).toBe(10)
  // Behind the same address, and not kept waiting by the one who went on and on.
  expect(await taken(10, hour, bea, '/account/email', { email: 'new@mail.test', password })).toBe(5)
  expect((await bea.act('/account/password', { password: PASSWORD, newPassword: 'another-good-password' })).status).toBe(200)
})

test('S-233 of a dozen codes guessed at once for one login five are looked at, and no right one among the others counts', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const owner = await shop.owner()
  await turnOnSecondFactor(owner, app, OWNER.password)
  const thief = shop.visitor()
  await thief.post('/login/', { intent: 'login', ...OWNER })
  const right = app.next()
  const codes = Array.from({ length: 12 }, (_, index) => String(100_000 + index)).filter((code) => code !== right)
  const answers = await Promise.all(codes.map((code) => thief.post('/login/code/', { code })))
  const told = await Promise.all(answers.map((answer) => answer.text()))
  expect(told.filter((text) => text.includes('Code is Invalid')).length).toBeLessThanOrEqual(5)
  expect((await thief.get('/manage/')).status).toBe(302)
})

test('S-208 whoever registers an address, or links it, at the moment its owner first comes with Google, never shares an account with her', async () => {
  const { shop } = await openShopWithGoogle()
  for (let round = 0; round < 2; round++) {
    const [her, squatter, guest] = [shop.visitor(), shop.visitor(), await shop.guest()]
    const address = await visitProvider(goingTo(await her.post('/login/google', {})), 'gina')
    await Promise.all([
      her.get(address),
      squatter.post('/login/', { intent: 'register', email: 'gina@mail.test', password: PASSWORD }),
      guest.post('/link-guest/', { email: 'gina@mail.test', password: PASSWORD }),
    ])
    const holders = await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').execute()
    expect(holders).toHaveLength(1)
    const ways = await shop.db.selectFrom('account').select('providerId').where('userId', '=', holders[0]!.id).execute()
    expect(ways).toHaveLength(1)
    await shop.db.deleteFrom('user').where('id', '<>', 'owner').execute()
  }
})

test('S-208 another address at Google opens nobody else’s account, and takes nothing of hers', async () => {
  const people = { gina: { ...gina } }
  const { shop } = await openShopWithGoogle(people)
  await signInWith(shop.visitor(), 'gina')
  const victim = await shop.customer('victim@mail.test')
  await shop.db.updateTable('user').set({ emailVerified: true }).where('id', '=', victim.id).execute()
  people.gina.email = 'victim@mail.test'
  const again = shop.visitor()
  await signInWith(again, 'gina')
  expect(await again.page('/account/')).toContain('gina@mail.test')
  expect(await again.page('/account/')).not.toContain('victim@mail.test')
  expect(await shop.db.selectFrom('account').select('providerId').where('userId', '=', victim.id).execute()).toEqual([
    { providerId: 'credential' },
  ])
})

test('S-174 LOGIN-24 a picture that was on its way when its account went leaves nothing behind', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const { prepare } = shop.shop.pictures
  shop.shop.pictures.prepare = async (...given) => {
    const prepared = await prepare(...given)
    await deleteAccount(shop.shop, ann.id, 'herself')
    return prepared
  }
  expect(await sendPicture(ann, fileOf())).toMatchObject({ state: 'error' })
  await expectNothingLeft(shop)
})

test('S-213 LOGIN-24 a guest who moves into an account that goes at the same moment moves whole, or keeps everything', async () => {
  for (let round = 0; round < 2; round++) {
    const { shop, account, guest } = await openGuestAndAccount()
    await like(guest, 'moon')
    if (round % 2 === 0) await say(guest, 'Hello from the guest')
    else await placeOrder(shop.db, [{ itemId: 'sun' }], { id: guest.id, userId: guest.id })
    await prove(guest)
    const seen = await seenBy(guest)
    const before = (await guest.page('/account/')).length
    expect(before).toBe(0)
    const [moved, deleted] = await Promise.all([answerWith(guest, 'Yes', seen), deleteAccount(shop.shop, account.id, 'herself')])
    expect([deleted.ok, moved.status < 500]).toEqual([true, true])
    const rows = await listAllRows(shop.db)
    expect(JSON.stringify(rows)).not.toContain(account.id)
    expect(JSON.stringify(rows)).not.toContain(clara.email)
    const isGuestThere = rows.user!.some((row) => row.id === guest.id)
    expect(rows.favourites!.map(({ userId }) => userId)).toEqual(isGuestThere ? [guest.id] : [])
    expect(rows.orders!.map(({ userId }) => userId)).toEqual(isGuestThere ? [guest.id] : [])
  }
})
