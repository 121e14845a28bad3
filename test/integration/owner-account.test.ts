/**
 * The owner is the account with the id OWNER_ID. No other user can become the owner, take over her
 * account or make it less secure.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSessionFor } from '#auth/auth-client.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { startEmailChange } from '#auth/email-verification/verification.server.ts'
import { deleteGuest } from '#auth/guests/delete-guests.server.ts'
import { saveVerifiedAccount } from '#auth/guests/link-guest.server.ts'
import { deleteAccount } from '#account/delete-account/delete-account.server.ts'
import { identityRefusal } from '#auth/oauth/oauth.server.ts'
import { importInto, newFolder } from '#test/fixtures/data-folders.ts'
import { openTestShop, OWNER, type TestShop, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { openTotpApp, turnOnSecondFactor } from '#test/fixtures/accounts.ts'

const GOOD = 'another-good-password'

async function ownerOf({ db }: Pick<TestShop, 'db'>) {
  const users = await db
    .selectFrom('user')
    .select(['id', 'email', 'isAnonymous'])
    .where('id', '=', OWNER_ID)
    .execute()
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'providerId', 'password'])
    .where('userId', '=', OWNER_ID)
    .execute()
  return { users, accounts }
}

async function signsIn(shop: TestShop, password: string = OWNER.password) {
  const owner = shop.visitor()
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password })
  return (await owner.get('/manage/')).status === 200
}

const spellings = [OWNER.email, OWNER.email.toUpperCase(), ` ${OWNER.email} `]
test.for(spellings)(
  'no other user can register with, link to or change to the owner’s email: "%s" [ROLES-16]',
  async (email) => {
    const shop = await openTestShop()
    const before = await ownerOf(shop)
    expect(
      (await shop.visitor().post('/login/', { intent: 'register', email, password: GOOD })).status,
    ).toBe(422)
    const guest = await shop.guest()
    expect((await guest.post('/link-guest/', { email, password: GOOD })).status).toBe(422)
    expect((await guest.get('/manage/')).headers.get('location')).toBe('/')
    const eve = await shop.customer('eve@mail.test')
    expect(await startEmailChange(shop.shop, eve.id, email.trim())).toBeNull()
    expect(
      await shop.db
        .selectFrom('verificationTokens')
        .select('id')
        .where('kind', 'like', 'change-%')
        .execute(),
    ).toEqual([])
    expect(await ownerOf(shop)).toEqual(before)
  },
)

test('the shop refuses to link a guest to the owner’s account, even with her password [ROLES-16] [S-002]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const before = await shop.db.selectFrom('session').select('id').execute()
  expect((await guest.post('/link-guest/', { intent: 'login', ...OWNER })).status).toBe(422)
  await guest.post('/link-guest/', { intent: 'move', confirm: 'Yes', seen: '' })
  const user = {
    id: guest.id,
    name: '',
    email: '',
    image: null,
    role: 'guest',
    sessionId: '',
  } as const
  expect((await saveVerifiedAccount(shop.shop, user, OWNER_ID)).ok).toBe(false)

  expect((await guest.get('/manage/')).headers.get('location')).toBe('/')
  expect(await shop.db.selectFrom('session').select('id').execute()).toEqual(before)
})

test('no provider is linked to the owner’s account, and only her password creates a session for it [ROLES-16, S-232]', async () => {
  const shop = await openTestShop()
  const before = await ownerOf(shop)
  const { internalAdapter } = await shop.auth.$context
  const her = { provider: 'google', subject: 's-1', email: OWNER.email, name: 'Ona', image: null }
  for (const emailVerified of [true, false]) {
    expect(await identityRefusal(shop.db, { ...her, emailVerified })).not.toBeNull()
  }
  await expect(
    internalAdapter.linkAccount({ userId: OWNER_ID, providerId: 'google', accountId: 's-1' }),
  ).rejects.toThrow()
  expect(await internalAdapter.createSession(OWNER_ID).catch(() => null)).toBeNull()
  const page = {
    nonce: null,
    origin: '',
    clientAddress: '127.0.0.1',
    theme: 'dark' as const,
    responseCookies: [],
  }
  await expect(
    createSessionFor(
      { app: shop.shop, info: page, request: new Request('http://localhost') },
      OWNER_ID,
    ),
  ).rejects.toThrow()
  expect(await shop.db.selectFrom('session').select('id').execute()).toEqual([])
  expect(await ownerOf(shop)).toEqual(before)
})

test('the owner’s account cannot be deleted in any way [ROLES-16]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const before = await ownerOf(shop)
  for (const by of ['herself', 'owner'] as const) {
    expect(await deleteAccount(shop.shop, OWNER_ID, by)).toEqual({ ok: false, refusal: 'owner' })
  }
  await deleteGuest(shop.shop, OWNER_ID)
  await (await shop.auth.$context).internalAdapter.deleteUser(OWNER_ID).catch(() => null)
  const headers = new Headers({
    cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  })
  await expect(
    shop.auth.api.deleteUser({ body: { password: OWNER.password }, headers }),
  ).rejects.toThrow()

  expect(await ownerOf(shop)).toEqual(before)
  expect(await signsIn(shop)).toBe(true)
})

test('an import creates no second owner, and does not change the owner’s email, password and second factor [ROLES-16]', async () => {
  const shop = await openTestShop()
  await turnOnSecondFactor(await shop.owner(), openTotpApp(), OWNER.password)
  const before = await ownerOf(shop)
  const order = (id: string, email: string) => ({
    ...{ id, items: [], messages: [], isClosed: false },
    user: { id, name: 'Eve', email, photoURL: '' },
  })
  const path = join(await newFolder(), 'shop.json')
  await writeFile(
    path,
    JSON.stringify({
      orders: { [OWNER_ID]: order(OWNER_ID, 'eve@mail.test'), eve: order('eve', OWNER.email) },
    }),
  )
  await importInto(shop.shop, path, { adminIds: [] })

  expect(await ownerOf(shop)).toEqual(before)
  expect(
    await shop.db.selectFrom('user').select('id').where('email', '=', OWNER.email).execute(),
  ).toEqual([{ id: OWNER_ID }])
  expect(await signsIn(shop)).toBe(false)
})

test.each([
  { id: OWNER_ID, email: 'eve@mail.test' },
  { id: 'eve', email: OWNER.email },
])(
  'the database refuses a second account with the id or the email of the owner: $id $email [ROLES-16]',
  async (twin) => {
    const { db } = await openTestShop()
    const row = {
      name: '',
      emailVerified: false,
      image: null,
      isAnonymous: false,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    }
    const insert = db.insertInto('user').values({ ...row, ...twin } as never)
    await expect(insert.execute()).rejects.toThrow(/unique/i)
  },
)
