/** Attacks on accounts: what somebody with an old password, or with a stranger's address, has prepared is worth nothing once the account is safe again. */
import { expect, test } from 'vitest'
import { answerWith, clara, openGuestAndAccount, prove, seenBy } from './guest-moves.ts'
import { openTestShop, OWNER, type TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'
import { person } from './person.ts'
import { letterTo } from './proof-letters.ts'
import { openTotpApp, SECOND_FACTOR, turnOnSecondFactor } from './totp-app.ts'

const OLD = 'a-good-password'
const NEW = 'another-good-password'
const login = (who: Person, email: string, password: string) => who.post('/login/', { intent: 'login', email, password })
const confirm = (shop: TestShop, code: string) => shop.visitor().post('/confirm-email/', { code })
const changeEmail = (who: Person, email: string, password = OLD) => who.act('/account/email', { email, password })
const changePassword = (who: Person, password = OLD, newPassword = NEW) => who.act('/account/password', { password, newPassword })
const isVerified = (shop: TestShop, id: string) => shop.db.updateTable('user').set({ emailVerified: true }).where('id', '=', id).execute()
const emailOf = async (shop: TestShop, id: string) =>
  (await shop.db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

async function resetPassword(shop: TestShop, who: Person, email: string, password = NEW) {
  await who.post('/reset-password/', { intent: 'ask', email })
  const { code } = await letterTo(shop, email)
  return who.post('/reset-password/', { intent: 'choose', code, password })
}

test.for([false, true])(
  'S-220 S-230 a change of the address that somebody with the old password began ends with that password (confirmed: %s)',
  async (confirmed) => {
    const shop = await openTestShop()
    const ann = await shop.customer()
    if (confirmed) await isVerified(shop, ann.id)
    const thief = shop.visitor()
    await login(thief, 'ann@mail.test', OLD)
    await changeEmail(thief, 'thief@mail.test')
    const { code } = await letterTo(shop, confirmed ? 'ann@mail.test' : 'thief@mail.test')

    expect((await changePassword(ann)).status).toBe(200)

    expect((await confirm(shop, code)).status).toBe(422)
    expect(await emailOf(shop, ann.id)).toBe('ann@mail.test')
    expect(await ann.page('/account/')).not.toContain('thief@mail.test')
  },
)

test('S-220 a letter for a new password that was on its way when she changed it herself opens nothing', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const verify = { kind: 'verify', codes: await shop.db.selectFrom('addressProofs').select('id').execute() }
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const { code } = await letterTo(shop, 'ann@mail.test')
  await changePassword(ann)
  expect((await shop.visitor().post('/reset-password/', { intent: 'choose', code, password: 'a-third-password' })).status).toBe(422)
  expect((await login(shop.visitor(), 'ann@mail.test', NEW)).status).toBe(302)
  // What only confirms her address may still do so.
  expect((await confirm(shop, shop.shop.codes.codeOf(verify.codes[0]!.id))).status).toBe(200)
})

test('S-230 a change that an unconfirmed address was not asked about is worth nothing once it is confirmed', async () => {
  const shop = await openTestShop()
  const squatter = shop.visitor()
  await squatter.post('/login/', { intent: 'register', email: 'victim@mail.test', password: OLD })
  const verify = await letterTo(shop, 'victim@mail.test')
  await changeEmail(squatter, 'squatter@mail.test')
  const { code } = await letterTo(shop, 'squatter@mail.test')

  expect((await confirm(shop, verify.code)).status).toBe(200)

  expect((await confirm(shop, code)).status).toBe(422)
  const people = await shop.db.selectFrom('user').select(['email', 'emailVerified']).where('id', '!=', 'owner').execute()
  expect(people.map(({ email, emailVerified }) => [email, Boolean(emailVerified)])).toEqual([['victim@mail.test', true]])
})

test.for(['change', 'reset', 'all devices'] as const)(
  'S-212 S-220 a guest who has proven an account by its old password gets no session in it any more (%s)',
  async (way) => {
    const { shop, account, guest } = await openGuestAndAccount()
    expect((await prove(guest)).status).not.toBe(401)
    const seen = await seenBy(guest)
    if (way === 'change') await changePassword(account)
    else if (way === 'reset') await resetPassword(shop, account, clara.email)
    else await account.post('/account/devices', { intent: 'others', confirm: 'Yes' })

    await answerWith(guest, 'Yes', seen)

    expect(await guest.page('/about/')).toContain('Hello, Guest<')
    expect((await guest.get('/account/')).status).toBe(302)
    const theirs = await shop.db.selectFrom('session').select('id').where('userId', '=', account.id).execute()
    expect(theirs.length).toBe(way === 'reset' ? 0 : 1)
  },
)

test.for(['change', 'reset'] as const)(
  'S-233 whoever has given the owner’s old password cannot give the code after it was changed (%s)',
  async (way) => {
    const shop = await openTestShop()
    const app = openTotpApp()
    const owner = await shop.owner()
    const codes = await turnOnSecondFactor(owner, app, OWNER.password)
    const thief = shop.visitor()
    await login(thief, OWNER.email, OWNER.password)
    if (way === 'change') await changePassword(owner, OWNER.password)
    else await resetPassword(shop, shop.visitor(), OWNER.email)

    expect((await thief.post('/login/code/', { code: codes[0]! })).status).toBe(401)
    expect((await thief.get('/manage/')).status).toBe(302)
    const again = shop.visitor()
    await login(again, OWNER.email, NEW)
    expect((await again.post('/login/code/', { code: app.next() })).status).toBe(302)
    expect(await again.page(SECOND_FACTOR)).toContain('10 recovery codes are left')
  },
)

/** Somebody at an address; limits are counted by it. */
const at = (shop: TestShop, address: string) => person(shop.app, shop.publicUrl!, address)

test('S-238 however often somebody has signed in with a password, her marks of known devices guess no later one', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const ann = await shop.customer()
  const marks: string[] = []
  for (let many = 0; many < 6; many++) {
    const device = at(shop, '192.0.2.9')
    await login(device, 'ann@mail.test', OLD)
    marks.push(device.cookies.get('known')!)
  }
  await changePassword(ann)
  const statuses: number[] = []
  for (const [of, mark] of marks.entries())
    for (let tries = 0; tries < 10; tries++) {
      const guesser = at(shop, `198.51.100.${of * 10 + tries}`)
      guesser.cookies.set('known', mark)
      statuses.push((await login(guesser, 'ann@mail.test', 'wrong-password')).status)
    }
  expect(statuses.filter((status) => status === 401)).toHaveLength(50)
  expect(statuses.slice(-10)).toEqual(Array(10).fill(429))
  // The device that changed it is known all the same.
  await ann.post('/logout', {})
  expect((await login(ann, 'ann@mail.test', NEW)).status).toBe(302)
})

test('S-238 who is kept out by a thousand addresses gets in by a letter, at once and on a new device', async () => {
  const shop = await openTestShop({ rateLimits: true })
  await shop.customer()
  for (let tries = 0; tries < 50; tries++) await login(at(shop, `198.51.100.${tries}`), 'ann@mail.test', 'wrong-password')
  const phone = at(shop, '192.0.2.1')
  expect((await login(phone, 'ann@mail.test', OLD)).status).toBe(429)
  await resetPassword(shop, phone, 'ann@mail.test')
  expect((await login(phone, 'ann@mail.test', NEW)).status).toBe(302)
  expect((await login(at(shop, '192.0.2.2'), 'ann@mail.test', NEW)).status).toBe(429)
})

test('S-241 her own address is no password, at a change either', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('annabella@mail.test')
  expect((await changePassword(ann, OLD, 'annabella2026')).status).toBe(422)
  expect((await changePassword(ann, OLD, 'annabella@mail.test')).status).toBe(422)
  expect((await login(shop.visitor(), 'annabella@mail.test', OLD)).status).toBe(302)
})
