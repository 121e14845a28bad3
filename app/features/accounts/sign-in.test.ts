import { getMigrations } from 'better-auth/db/migration'
import { expect, test } from 'vitest'
import { authOptions } from '#app/platform/auth.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'

test('LOGIN-12 LOGIN-33 NAV-03 registering signs in, and a signed-in user is sent home from the login page', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')

  const login = await ann.get('/login/')

  expect([login.status, login.headers.get('location')]).toEqual([302, '/'])
})

test('LOGIN-42 a missing user is told', async () => {
  const shop = await openTestShop()
  const response = await shop.visitor().post('/login/', { intent: 'login', email: 'nobody@mail.test', password: 'whatever1' })

  expect(response.status).toBe(401)
  expect(await response.text()).toContain('User not Found')
})

test('the tables of the first migration are those the authentication library wants', async () => {
  const { db, dialect } = await openTestShop()
  const wanted = await getMigrations(
    authOptions({ db, dialect, secret: 'x'.repeat(32), publicUrl: null, adminId: 'owner', rateLimit: false }),
  )

  expect([wanted.toBeCreated, wanted.toBeAdded]).toEqual([[], []])
})

test('ROLES-09 ROLES-11 a guest who logs out is gone with everything of theirs', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()

  await guest.post('/logout', {})

  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
  expect(await guest.page('/')).toContain('Home')
})

test('ROLES-16 NAV-04 the owner, and nobody else, opens the admin shell', async () => {
  const shop = await openTestShop()
  const [owner, customer] = [await shop.owner(), await shop.customer()]

  expect((await owner.get('/manage/')).status).toBe(200)
  expect((await customer.get('/manage/')).headers.get('location')).toBe('/')
})
