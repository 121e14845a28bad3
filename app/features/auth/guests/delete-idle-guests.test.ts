import { expect, test } from 'vitest'
import { storedPaths } from '#test/fixtures/images.ts'
import { idOf, send, upload } from '#test/fixtures/chat.ts'
import { ask, hasUser, like, openGuestAndAccount } from '#test/fixtures/accounts.ts'
import type { TestShop } from '#test/fixtures/test-shop.ts'
import { deleteGuest, IDLE_DAYS, deleteIdleGuests } from './delete-guests.server.ts'

const DAY = 86_400_000

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
  await db.updateTable('favorites').set({ createdAt: at }).where('userId', '=', id).execute()
  await db.updateTable('messages').set({ createdAt: at }).where('orderId', '=', id).execute()
}

test('the daily cleanup deletes a guest who was idle for 90 days, and keeps the guest’s request for the owner [S-214, ROLES-11]', async () => {
  const { shop, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  await ask(guest, 'star', 'The star, please')
  await send(guest, { messageId: idOf('image'), images: (await upload(guest)).id })
  await shop.images.finish()
  await makeOld(shop, guest.id, IDLE_DAYS + 1)

  expect(await deleteIdleGuests(shop.shop)).toBe(1)

  expect(await hasUser(shop, guest.id)).toBe(false)
  expect(await storedPaths(shop)).toEqual([])
  for (const table of ['favorites', 'account'] as const) {
    expect(
      await shop.db.selectFrom(table).selectAll().where('userId', '=', guest.id).execute(),
    ).toEqual([])
  }
  const page = await (await shop.owner()).page(`/manage/messages/${guest.id}`)
  expect(page).toContain('The star, please')
  expect(page).toContain('This account was deleted')
  expect(await guest.page('/about/')).toContain('Login | Register')
  expect(await deleteIdleGuests(shop.shop)).toBe(0)
})

test.each(['a visit', 'a favorite', 'a message', 'a new account'])(
  'the daily cleanup keeps a guest after %s within the last 90 days [S-214]',
  async (sign) => {
    const { shop, guest } = await openGuestAndAccount()
    await like(guest, 'moon')
    await ask(guest, 'star', 'Please')
    await makeOld(shop, guest.id, IDLE_DAYS + 1)
    const lately = shop.now() - (IDLE_DAYS - 1) * DAY
    const date = new Date(lately)
    if (sign === 'a visit') {
      await shop.db
        .updateTable('session')
        .set({ updatedAt: date })
        .where('userId', '=', guest.id)
        .execute()
    }
    if (sign === 'a favorite') {
      await shop.db.updateTable('favorites').set({ createdAt: lately }).execute()
    }
    if (sign === 'a message') {
      await shop.db.updateTable('messages').set({ createdAt: lately }).execute()
    }
    if (sign === 'a new account') {
      await shop.db
        .updateTable('user')
        .set({ createdAt: date })
        .where('id', '=', guest.id)
        .execute()
    }

    expect(await deleteIdleGuests(shop.shop)).toBe(0)
    expect(await hasUser(shop, guest.id)).toBe(true)
  },
)

test('two concurrent daily cleanups delete each idle guest once, and keep a guest who came back in the meantime [S-214]', async () => {
  const { shop, guest } = await openGuestAndAccount()
  const back = await shop.guest()
  for (const { id } of [guest, back]) await makeOld(shop, id, IDLE_DAYS + 1)
  const since = shop.now() - IDLE_DAYS * DAY
  await shop.db
    .updateTable('session')
    .set({ updatedAt: new Date(shop.now()) })
    .where('userId', '=', back.id)
    .execute()

  // This guest was idle when the cleanup listed idle guests, but came back before the deletion.
  expect(await deleteGuest(shop.shop, back.id, since)).toBe(false)
  const cleared = await Promise.all([deleteIdleGuests(shop.shop), deleteIdleGuests(shop.shop)])

  expect(cleared.toSorted()).toEqual([0, 1])
  expect(await hasUser(shop, back.id)).toBe(true)
})

test('the daily cleanup deletes sessions only 90 days after they expired, and never deletes a customer or the owner [S-214]', async () => {
  const { shop, account } = await openGuestAndAccount()
  const old = await shop.customer('bea@mail.test')
  const older = await shop.customer('cleo@mail.test')
  await makeOld(shop, old.id, 30 + IDLE_DAYS - 1)
  for (const id of [older.id, 'owner']) await makeOld(shop, id, 30 + IDLE_DAYS + 1)

  await deleteIdleGuests(shop)

  const left = await shop.db.selectFrom('session').select('userId').execute()
  expect(new Set(left.map(({ userId }) => userId)).has(older.id)).toBe(false)
  expect(left.map(({ userId }) => userId)).toEqual(expect.arrayContaining([old.id, account.id]))
  expect((await account.get('/account/')).status).toBe(200)
  expect(await hasUser(shop, older.id)).toBe(true)
  expect(await hasUser(shop, 'owner')).toBe(true)
})
