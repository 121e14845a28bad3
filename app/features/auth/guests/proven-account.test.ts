import { expect, test } from 'vitest'
import { answerWith, clara, like, move, openGuestAndAccount, prove, seenBy } from '#test/guest-moves.ts'
import type { TestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'

const favouritesOf = async ({ db }: TestShop, userId: string) =>
  (await db.selectFrom('favourites').select('itemId').where('userId', '=', userId).execute()).map(({ itemId }) => itemId).toSorted()
const userCount = async ({ db }: TestShop, id: string) => (await db.selectFrom('user').select('id').where('id', '=', id).execute()).length

test('S-212 wrong passwords, unknown addresses and the owner prove nothing', async () => {
  const { shop, guest } = await openGuestAndAccount()
  const tries = [
    [{ ...clara, password: 'another-password' }, 401, 'Invalid Credentials'],
    [{ email: 'nobody@mail.test', password: 'a-good-password' }, 401, 'User not Found'],
    [{ email: 'OWNER@shop.test', password: 'a-good-password' }, 422, 'takes nothing over'],
    [{ email: 'owner@shop.test', password: 'wrong-password' }, 422, 'takes nothing over'],
  ] as const
  for (const [form, status, text] of tries) {
    const refused = await prove(guest, form)
    expect([refused.status, refused.text.includes(text)]).toEqual([status, true])
  }
  expect(await seenBy(guest)).toBe('')
  expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
  // The sessions by which the library answers never stay.
  await prove(guest)
  const claras = await shop.db.selectFrom('session').innerJoin('user', 'user.id', 'session.userId').select('email').execute()
  expect(claras.filter(({ email }) => email === clara.email)).toHaveLength(1)
})

test('S-212 S-237 whoever has guessed at the login has to wait here too, is told how long, and keeps what was typed', async () => {
  const { shop, guest } = await openGuestAndAccount({ rateLimits: true })
  for (let tries = 0; tries < 10; tries++)
    await shop.visitor().post('/login/', { intent: 'login', email: clara.email, password: 'wrong-password' })
  const refused = await guest.post('/link-guest/', { intent: 'login', ...clara })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 14 * 60]).toEqual([429, true])
  expect(await refused.text()).toMatch(/Too many tries\. Please wait 15 minutes[\s\S]*value="clara@mail\.test"/)
})

test('S-212 a Yes counts only after a proof, for minutes, for this guest, and for what was shown', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  const other = await shop.guest()
  const refusedWith = async (who: Person, seen: string) => {
    const { status, text } = await answerWith(who, 'Yes', seen)
    return [status, /once more|look at the list/.exec(text)?.[0]]
  }
  expect(await refusedWith(guest, '')).toEqual([409, 'once more'])
  await prove(guest)
  const seen = await seenBy(guest)
  expect(await refusedWith(other, seen)).toEqual([409, 'once more'])
  await like(guest, 'sun')
  expect(await refusedWith(guest, seen)).toEqual([409, 'look at the list'])
  shop.clock.now += 11 * 60_000
  expect(await refusedWith(guest, await seenBy(guest))).toEqual([409, 'once more'])

  expect([await userCount(shop, guest.id), await favouritesOf(shop, account.id)]).toEqual([1, []])
  expect((await move(guest)).status).toBe(202)
  expect(await favouritesOf(shop, account.id)).toEqual(['moon', 'sun'])
})
