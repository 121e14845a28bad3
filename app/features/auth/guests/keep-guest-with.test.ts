import { expect, test } from 'vitest'
import type { User } from '#app/platform/context.ts'
import { answerWith, clara, like, openGuestAndAccount, seenBy } from '#test/guest-moves.ts'
import type { TestShop } from '#test/open-test-shop.ts'
import type { Identity } from '#app/platform/providers.server.ts'
import { keepGuestWith } from './link-guest.server.ts'

const gwen: Identity = {
  provider: 'google',
  subject: 'sub-1',
  email: 'gwen@mail.test',
  emailVerified: true,
  name: 'Gwen Guest',
  image: 'https://photos.test/gwen.jpg',
}

function asker({ shop }: TestShop) {
  const page = { nonce: null, origin: 'http://shop.test', clientAddress: '10.9.9.9', theme: 'dark' as const, cookies: [] as string[] }
  return { shop, page, request: new Request('http://shop.test/login/google/back') }
}
const asUser = (id: string, role: User['role'] = 'guest'): User => ({ id, name: '', email: '', image: null, role, sessionId: 's' })
const usersOf = ({ db }: TestShop) =>
  db.selectFrom('user').select(['id', 'email', 'name']).where('id', '!=', 'owner').orderBy('email').execute()

test('S-002 a new Google account keeps the guest in place: same uid, a new session, and the old cookie is worth nothing', async () => {
  const { shop, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  const asking = asker(shop)

  expect(await keepGuestWith(asking, asUser(guest.id), gwen)).toEqual({ done: 'kept' })

  expect(await usersOf(shop)).toContainEqual({ id: guest.id, email: 'gwen@mail.test', name: 'Gwen Guest' })
  const way = await shop.db.selectFrom('account').select(['providerId', 'accountId', 'password']).where('userId', '=', guest.id).execute()
  expect(way).toEqual([{ providerId: 'google', accountId: 'sub-1', password: null }])
  expect(await guest.page('/about/')).toContain('Login | Register')
  for (const line of asking.page.cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
    guest.cookies.set(name, value)
  }
  expect(await guest.page('/about/')).toContain('Hello, Gwen<')
  expect(await shop.db.selectFrom('favourites').select('userId').execute()).toEqual([{ userId: guest.id }])
})

test('S-002 S-212 an existing Google account is asked first; Yes moves', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  const [at, wayIn] = [new Date(), { id: 'way', accountId: 'sub-1', providerId: 'google', userId: account.id, password: null }]
  await shop.db
    .insertInto('account')
    .values({ ...wayIn, createdAt: at, updatedAt: at })
    .execute()

  expect(await keepGuestWith(asker(shop), asUser(guest.id), { ...gwen, emailVerified: false })).toEqual({ done: 'ask' })

  expect(await shop.db.selectFrom('favourites').select('userId').execute()).toEqual([{ userId: guest.id }])
  await answerWith(guest, 'Yes', await seenBy(guest))
  expect(await shop.db.selectFrom('favourites').select('userId').execute()).toEqual([{ userId: account.id }])
})

test('S-212 an address alone proves an account only where both sides have seen it; the owner and lasting accounts never', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const try_ = (changed: Partial<Identity>, who = asUser(guest.id)) =>
    keepGuestWith(asker(shop), who, { ...gwen, email: clara.email, ...changed })
  const refused = (reason: string) => ({ done: 'refused', reason })
  expect(await try_({})).toEqual(refused('taken'))
  await shop.db.updateTable('user').set({ emailVerified: true }).where('id', '=', account.id).execute()
  expect(await try_({ emailVerified: false })).toEqual(refused('unverified'))
  expect(await try_({ email: 'owner@shop.test' })).toEqual(refused('owner'))
  expect(await try_({}, asUser(account.id, 'customer'))).toEqual(refused('other'))
  expect(await seenBy(guest)).toBe('')
  expect(await try_({})).toEqual({ done: 'ask' })
  expect(await seenBy(guest)).not.toBe('')
})
