/** ROLES-16: there is one owner, the account with the fixed id. Nobody becomes her, takes her account over, or makes it less than hers. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enterAs } from '#app/features/auth/auth-client.server.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { beginEmailChange } from '#app/features/auth/email-verification/verification.server.ts'
import { resetPassword } from '#app/features/auth/email-verification/verification.server.ts'
import { issueProof } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { clearGuest } from '#app/features/auth/guests/delete-guests.server.ts'
import { rememberProof } from '#app/features/auth/guests/link-guest.server.ts'
import { deleteAccount } from '#app/features/account/delete-account/delete-account.server.ts'
import { refuseIdentity } from '#app/features/auth/oauth/oauth.server.ts'
import { importInto, newFolder } from './moving-shops.ts'
import { openTestShop, OWNER, type TestShop } from './open-test-shop.ts'
import { openTotpApp, SECOND_FACTOR, turnOnSecondFactor } from './totp-app.ts'

const GOOD = 'another-good-password'

/** Everything by which she is the owner and gets in. */
async function ownerOf({ db }: Pick<TestShop, 'db'>) {
  const user = await db.selectFrom('user').selectAll().where('id', '=', ADMIN_ID).execute()
  const accounts = await db.selectFrom('account').select(['id', 'providerId', 'password']).where('userId', '=', ADMIN_ID).execute()
  return { email: user.map(({ email }) => email), isAnonymous: user.map((row) => Boolean(row.isAnonymous)), accounts }
}

async function opensShop(shop: TestShop, password: string = OWNER.password) {
  const owner = shop.visitor()
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password })
  return (await owner.get('/manage/')).status === 200
}

test('ROLES-16 no form makes an owner: ids, roles and marks sent along with a registration or a login change nothing', async () => {
  const shop = await openTestShop()
  const before = await ownerOf(shop)
  const more = {
    id: ADMIN_ID,
    userId: ADMIN_ID,
    role: 'admin',
    isAnonymous: 'false',
    emailVerified: 'true',
    twoFactorEnabled: 'true',
    name: 'Owner',
  }
  const eve = shop.visitor()
  await eve.post('/login/', { intent: 'register', email: 'eve@mail.test', password: GOOD, ...more })
  const guest = shop.visitor()
  await guest.post('/login/', { intent: 'guest', ...more })

  for (const somebody of [eve, guest]) expect((await somebody.get('/manage/')).headers.get('location')).toBe('/')
  const [row] = await shop.db.selectFrom('user').selectAll().where('email', '=', 'eve@mail.test').execute()
  expect(row).toMatchObject({ name: '' })
  expect([row!.id === ADMIN_ID, Boolean(row!.emailVerified), Boolean(row!.twoFactorEnabled)]).toEqual([false, false, false])
  expect(await ownerOf(shop)).toEqual(before)
})

test.for([OWNER.email, OWNER.email.toUpperCase(), ` ${OWNER.email} `])(
  'ROLES-16 her address is not registered a second time, nor linked by a guest: %s',
  async (email) => {
    const shop = await openTestShop()
    const before = await ownerOf(shop)
    const stranger = shop.visitor()
    expect((await stranger.post('/login/', { intent: 'register', email, password: GOOD })).status).toBe(422)
    const guest = await shop.guest()
    expect((await guest.post('/link-guest/', { email, password: GOOD })).status).toBe(422)
    expect((await guest.get('/manage/')).headers.get('location')).toBe('/')
    expect(await ownerOf(shop)).toEqual(before)
  },
)

test('ROLES-16 S-002 a guest cannot move into the owner’s account, not even with her password', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const before = await shop.db.selectFrom('session').select('id').execute()
  const refused = await guest.post('/link-guest/', { intent: 'login', ...OWNER })
  expect(refused.status).toBe(422)
  await guest.post('/link-guest/', { intent: 'move', confirm: 'Yes', seen: '' })
  const user = { id: guest.id, name: '', email: '', image: null, role: 'guest', sessionId: '' } as const
  expect((await rememberProof({ shop: shop.shop }, user, ADMIN_ID)).ok).toBe(false)

  expect((await guest.get('/manage/')).headers.get('location')).toBe('/')
  expect(await shop.db.selectFrom('session').select('id').execute()).toEqual(before)
})

test('ROLES-16 S-232 no provider is ever joined to her, whoever vouches for her address, and no session of hers is made but by her password', async () => {
  const shop = await openTestShop()
  const before = await ownerOf(shop)
  const { internalAdapter } = await shop.auth.$context
  const her = { provider: 'google', subject: 's-1', email: OWNER.email, name: 'Ona', image: null }
  for (const emailVerified of [true, false]) expect(await refuseIdentity(shop.db, { ...her, emailVerified })).not.toBeNull()
  await expect(internalAdapter.linkAccount({ userId: ADMIN_ID, providerId: 'google', accountId: 's-1' })).rejects.toThrow()
  expect(await internalAdapter.createSession(ADMIN_ID).catch(() => null)).toBeNull()
  const page = { nonce: null, origin: '', clientAddress: '127.0.0.1', theme: 'dark' as const, cookies: [] }
  await expect(enterAs({ shop: shop.shop, page, request: new Request('http://localhost') }, ADMIN_ID)).rejects.toThrow()
  expect(await shop.db.selectFrom('session').select('id').execute()).toEqual([])
  expect(await ownerOf(shop)).toEqual(before)
})

test('ROLES-16 she cannot be deleted: not by herself, as a guest would be, nor by the library', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const before = await ownerOf(shop)
  expect(await deleteAccount(shop.shop, ADMIN_ID, 'herself')).toEqual({ ok: false, refusal: 'owner' })
  expect(await deleteAccount(shop.shop, ADMIN_ID, 'owner')).toEqual({ ok: false, refusal: 'owner' })
  await clearGuest(shop.shop, ADMIN_ID)
  await (await shop.auth.$context).internalAdapter.deleteUser(ADMIN_ID).catch(() => null)
  const headers = new Headers({ cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  await expect(shop.auth.api.deleteUser({ body: { password: OWNER.password }, headers })).rejects.toThrow()

  expect(await ownerOf(shop)).toEqual(before)
  expect(await opensShop(shop)).toBe(true)
})

test('ROLES-16 nobody’s change of address ends at hers', async () => {
  const shop = await openTestShop()
  const eve = await shop.customer('eve@mail.test')
  for (const email of [OWNER.email, OWNER.email.toUpperCase()]) expect(await beginEmailChange(shop.shop, eve.id, email)).toBeNull()
  expect(await shop.db.selectFrom('addressProofs').select('id').where('kind', 'like', 'change-%').execute()).toEqual([])
})

test('S-233 a letter for a new password replaces the password alone: the second factor still stands before the shop', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const owner = await shop.owner()
  await turnOnSecondFactor(owner, app, OWNER.password)
  const proof = { kind: 'reset', userId: ADMIN_ID, email: OWNER.email, newEmail: null } as const
  const id = await shop.db.transaction().execute((tx) => issueProof(tx, shop.shop, proof))
  expect(await resetPassword(shop.shop, shop.shop.codes.codeOf(id), GOOD)).toMatchObject({ ok: true })

  expect((await owner.get('/manage/')).status).toBe(302)
  expect([await opensShop(shop), await opensShop(shop, GOOD)]).toEqual([false, false])
  const again = shop.visitor()
  await again.post('/login/', { intent: 'login', email: OWNER.email, password: GOOD })
  expect((await again.post('/login/code/', { code: app.next() })).status).toBe(302)
  expect(await again.page(SECOND_FACTOR)).toContain('Two-step login is on')
})

test('ROLES-16 an import makes no second owner and leaves this one her address, her password and her second factor', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  await turnOnSecondFactor(await shop.owner(), app, OWNER.password)
  const before = await ownerOf(shop)
  const user = (id: string, email: string) => ({ id, name: 'Eve', email, photoURL: '' })
  const order = (id: string, email: string) => ({ id, items: [], messages: [], isClosed: false, user: user(id, email) })
  const path = join(await newFolder(), 'shop.json')
  await writeFile(path, JSON.stringify({ orders: { [ADMIN_ID]: order(ADMIN_ID, 'eve@mail.test'), eve: order('eve', OWNER.email) } }))
  await importInto(shop.shop, path, { adminIds: [] })

  expect(await ownerOf(shop)).toEqual(before)
  expect(await shop.db.selectFrom('user').select('id').where('email', '=', OWNER.email).execute()).toEqual([{ id: ADMIN_ID }])
  expect(await opensShop(shop)).toBe(false)
})

test('ROLES-16 a second row with her id or her address is refused by the database itself', async () => {
  const { db } = await openTestShop()
  const row = { name: '', emailVerified: false, image: null, isAnonymous: false, createdAt: new Date(0), updatedAt: new Date(0) }
  for (const twin of [
    { id: ADMIN_ID, email: 'eve@mail.test' },
    { id: 'eve', email: OWNER.email },
  ])
    await expect(
      db
        .insertInto('user')
        .values({ ...row, ...twin } as never)
        .execute(),
    ).rejects.toThrow()
})
