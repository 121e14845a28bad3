import { expect, test } from 'vitest'
import { listAllRows } from '#test/all-rows.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { openShopWithCustomer } from '#test/whole-customer.ts'
import { askedText, DELETE_FAILED, DELETED, goesText, OWNER_STAYS } from './delete-account.ts'

const password = 'a-good-password'
const isThere = async ({ db }: Awaited<ReturnType<typeof openTestShop>>, id: string) =>
  (await db.selectFrom('user').select('id').where('id', '=', id).execute()).length === 1

test('LOGIN-24 LOGIN-38 the password deletes the account, leads home and says so; nobody is signed in any more', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const tab = shop.visitor()
  for (const [name, value] of ann.cookies) tab.cookies.set(name, value)
  const gone = await ann.post('/account/delete', { password, back: '/account/' })
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/'])
  expect(ann.cookies.has('shop.session_token')).toBe(false)
  const home = await ann.page('/')
  expect(home).toContain(DELETED)
  expect(home).toContain('href="/login/"')
  expect(await isThere(shop, ann.id)).toBe(false)
  // Another tab, another press.
  for (const path of ['/account/', '/account.data']) expect((await tab.get(path)).status, path).not.toBe(200)
  const again = await tab.post('/account/delete', { password, back: '/account/' })
  expect([again.status, again.headers.get('location')]).toEqual([302, '/login'])
  // The address is free again, for an account that knows nothing of the former one.
  const anew = await shop.customer()
  expect(anew.id).not.toBe(ann.id)
  expect(await anew.page('/account/')).toContain('there is nothing in it')
})

test('LOGIN-24 LOGIN-55 S-015 without the password nothing goes', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const before = await listAllRows(shop.db)
  const forms: Record<string, string>[] = [{}, { password: '' }, { password: 'wrong' }, { password: `${password} ` }, { confirm: 'Yes' }]
  for (const form of forms) {
    const refused = await ann.act('/account/delete', form)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Invalid Credentials')])
  }
  expect((await ann.get('/account/delete')).headers.get('location')).toBe('/account')
  expect(await listAllRows(shop.db)).toEqual(before)
  for (const stranger of [shop.visitor(), await shop.guest()]) {
    const response = await stranger.post('/account/delete', { password, back: '/account/' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login'])
  }
  expect(await isThere(shop, ann.id)).toBe(true)
})

test('LOGIN-54 a deletion that fails says so, and the next one works', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const { post } = shop.shop.mail
  shop.shop.mail.post = () => Promise.reject(new Error('the disk is full'))
  const failed = await ann.act('/account/delete', { password })
  expect([failed.status, failed.text]).toEqual([500, expect.stringContaining(DELETE_FAILED)])
  expect(DELETE_FAILED).toBe('An Error Occured while deleting the User')
  await ann.post('/account/delete', { password, back: '/account/' })
  expect(await ann.page('/account/')).toContain(DELETE_FAILED)
  shop.shop.mail.post = post
  expect((await ann.act('/account/delete', { password })).status).toBe(202)
  expect(await isThere(shop, ann.id)).toBe(false)
})

test('ROLES-16 the owner cannot delete her account, and is told so before she tries', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const page = await owner.page('/account/')
  expect(page).toContain(OWNER_STAYS)
  expect(page).not.toContain('Delete my account')
  const refused = await owner.act('/account/delete', { password })
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('cannot be deleted')])
  expect((await owner.get('/manage/')).status).toBe(200)
})

test('S-222 the page tells what goes and what stays before the password is asked for', async () => {
  const { ann } = await openShopWithCustomer()
  const page = await ann.page('/account/')
  expect(page).toContain('This goes at once: the account with 2 favorites, 4 messages with 2 pictures and 1 testimony.')
  expect(page).toContain('What is asked for is withdrawn: Sun wall.')
  expect(page).toContain('This stays, as the law asks: the record of 1 purchase, with what was paid and without your name')
})

test('S-222 what goes is counted in words', () => {
  const nothing = { favourites: 0, messages: 0, pictures: 0, testimonies: 0, purchases: 0, asked: [] }
  expect(goesText(nothing)).toBe('')
  expect(goesText({ ...nothing, messages: 1 })).toBe('1 message')
  expect(goesText({ ...nothing, favourites: 1, testimonies: 2 })).toBe('1 favorite and 2 testimonies')
  expect(goesText({ ...nothing, favourites: 2, messages: 3, pictures: 1, testimonies: 1 })).toBe(
    '2 favorites, 3 messages with 1 picture and 1 testimony',
  )
  expect(askedText(['A', 'B', 'C'])).toBe('What is asked for is withdrawn: A, B, C.')
  expect(askedText(['A', 'B', 'C', 'D', 'E'])).toBe('What is asked for is withdrawn: A, B, C and 2 more.')
})
