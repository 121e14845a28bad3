import { expect, test } from 'vitest'
import { corners, storedPaths } from '#test/drawn-pictures.ts'
import { ask, like, openGuestAndAccount } from '#test/guest-moves.ts'
import type { TestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { clearGuest, IDLE_DAYS, sweepGuests } from './delete-guests.server.ts'

const DAY = 86_400_000

/** As if everything of this person had happened so many days ago. */
async function makeOld({ db, now }: TestShop, id: string, days: number) {
  const at = now() - days * DAY
  await db
    .updateTable('user')
    .set({ createdAt: new Date(at), updatedAt: new Date(at) })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('session')
    .set({ createdAt: new Date(at), updatedAt: new Date(at), expiresAt: new Date(at + 30 * DAY) })
    .where('userId', '=', id)
    .execute()
  await db.updateTable('favourites').set({ createdAt: at }).where('userId', '=', id).execute()
  await db.updateTable('messages').set({ createdAt: at }).where('orderId', '=', id).execute()
}

const isThere = async ({ db }: TestShop, id: string) =>
  (await db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

async function sendPicture(who: Person) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(await corners(600, 400).jpeg().toBuffer())], 'p.jpg', { type: 'image/jpeg' }))
  const { id } = (await (await who.post('/messages/pictures', form)).json()) as { id: string }
  await who.act('/messages', { intent: 'send', message: 'Like this', messageId: '', pictures: id })
}

test('S-214 ROLES-11 a guest idle for 90 days goes as by logging out: the owner keeps the request, nobody keeps the rest', async () => {
  const { shop, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  await ask(guest, 'star', 'The star, please')
  await sendPicture(guest)
  await shop.pictures.finish()
  await makeOld(shop, guest.id, IDLE_DAYS + 1)

  expect(await sweepGuests(shop.shop)).toBe(1)

  expect([await isThere(shop, guest.id), await storedPaths(shop)]).toEqual([false, []])
  for (const table of ['favourites', 'account'] as const)
    expect(await shop.db.selectFrom(table).selectAll().where('userId', '=', guest.id).execute()).toEqual([])
  const page = await (await shop.owner()).page(`/manage/messages/${guest.id}`)
  expect(page).toContain('The star, please')
  expect(page).toContain('This account is gone')
  expect(await guest.page('/about/')).toContain('Login | Register')
  expect(await sweepGuests(shop.shop)).toBe(0)
})

test('S-214 any sign of life within 90 days keeps a guest, and no lasting account is ever swept', async () => {
  const { shop, account, guest: idle } = await openGuestAndAccount()
  const guests = [await shop.guest(), await shop.guest(), await shop.guest(), await shop.guest()] as const
  const [visits, likes, asks, young] = guests
  await like(likes, 'moon')
  await ask(asks, 'star', 'Please')
  for (const { id } of [idle, account, ...guests]) await makeOld(shop, id, IDLE_DAYS + 1)
  await makeOld(shop, 'owner', IDLE_DAYS + 1)
  const lately = shop.now() - (IDLE_DAYS - 1) * DAY
  await shop.db
    .updateTable('session')
    .set({ updatedAt: new Date(lately) })
    .where('userId', '=', visits.id)
    .execute()
  await shop.db.updateTable('favourites').set({ createdAt: lately }).where('userId', '=', likes.id).execute()
  await shop.db.updateTable('messages').set({ createdAt: lately }).where('orderId', '=', asks.id).execute()
  await shop.db
    .updateTable('user')
    .set({ createdAt: new Date(lately) })
    .where('id', '=', young.id)
    .execute()

  expect(await sweepGuests(shop.shop)).toBe(1)

  for (const id of [account.id, 'owner', ...guests.map((guest) => guest.id)]) expect([id, await isThere(shop, id)]).toEqual([id, true])
  expect(await isThere(shop, idle.id)).toBe(false)
})

test('S-214 two processes that sweep at once clear each guest once; one who comes back meanwhile stays', async () => {
  const { shop, guest } = await openGuestAndAccount()
  const back = await shop.guest()
  for (const { id } of [guest, back]) await makeOld(shop, id, IDLE_DAYS + 1)
  const since = shop.now() - IDLE_DAYS * DAY
  await shop.db
    .updateTable('session')
    .set({ updatedAt: new Date(shop.now()) })
    .where('userId', '=', back.id)
    .execute()

  // She was on the list when it was made.
  expect(await clearGuest(shop.shop, back.id, { idleSince: since })).toBe(false)
  const cleared = await Promise.all([sweepGuests(shop.shop), sweepGuests(shop.shop)])

  expect(cleared.toSorted()).toEqual([0, 1])
  expect(await isThere(shop, back.id)).toBe(true)
})

test('S-214 a guest who cannot be cleared keeps nobody else', async () => {
  const { shop, guest } = await openGuestAndAccount()
  const others = [await shop.guest(), await shop.guest()]
  for (const { id } of [guest, ...others]) await makeOld(shop, id, IDLE_DAYS + 1)
  let left = 2
  const db = new Proxy(shop.db, {
    get(target, name) {
      if (name === 'transaction' && --left === 0) throw new Error('this one fails')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

  expect(await sweepGuests({ ...shop.shop, db })).toBe(2)
  expect(shop.logged.map(({ message }) => message)).toContain('an idle guest could not be cleared')
})

test('S-214 what is left of sessions goes with the same sweep, 90 days after they ran out; who is in stays in', async () => {
  const { shop, account } = await openGuestAndAccount()
  const [old, older] = [await shop.customer('bea@mail.test'), await shop.customer('cleo@mail.test')]
  await makeOld(shop, old.id, 30 + IDLE_DAYS - 1)
  await makeOld(shop, older.id, 30 + IDLE_DAYS + 1)

  await sweepGuests(shop)

  const left = await shop.db.selectFrom('session').select('userId').execute()
  expect(new Set(left.map(({ userId }) => userId)).has(older.id)).toBe(false)
  expect(left.map(({ userId }) => userId)).toEqual(expect.arrayContaining([old.id, account.id]))
  expect((await account.get('/account/')).status).toBe(200)
  expect(await isThere(shop, older.id)).toBe(true)
})
