import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAllRows } from '#test/all-rows.ts'
import { importInto, newFolder, openSecondShop } from '#test/moving-shops.ts'
import { OWNER } from '#test/open-test-shop.ts'
import { unzipped } from '#test/unzipped.ts'
import { openShopWithCustomer } from '#test/whole-customer.ts'
import { deleteAccount } from './delete-account.server.ts'
import { GONE, NO_ACCOUNT, requestTexts } from './delete-account.ts'

const page = '/manage/customer-data/'
const password = 'a-good-password'

test('S-225 the owner finds an account by its e-mail, sees what is in it, and nothing of guests or her own', async () => {
  const { shop, owner } = await openShopWithCustomer()
  const guest = await shop.guest()
  const { email } = await shop.db.selectFrom('user').select('email').where('id', '=', guest.id).executeTakeFirstOrThrow()
  const found = await owner.page(`${page}?email=%20ANN@mail.test`)
  expect(found).toContain('Ann Knotwell')
  expect(found).toContain('2 favorites, 4 messages with 2 pictures and 1 testimony')
  expect(found).toContain('without their name')
  for (const [typed, said] of [
    ['nobody@mail.test', NO_ACCOUNT],
    [email, NO_ACCOUNT],
    ['owner@shop.test', 'This is your own account'],
  ])
    expect(await owner.page(`${page}?email=${encodeURIComponent(typed!)}`)).toContain(said)
  for (const odd of ['', '%00', '%ED%A0%80', 'x'.repeat(3000), '%27%20or%201=1'])
    expect((await owner.get(`${page}?email=${odd}`)).status).toBe(200)
  expect(await owner.page('/manage/settings/')).toContain(`href="${page}"`)
})

test('S-225 the file for a customer holds her data without from where she logs in, and the history says that it was made', async () => {
  const { ann, owner } = await openShopWithCustomer()
  const refused = await owner.act(`${page}file`, { id: ann.id, password: 'wrong' })
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Invalid Credentials')])
  for (const id of ['owner', 'nobody', '']) expect((await owner.act(`${page}file`, { id, password })).status).toBe(404)
  const file = await owner.post(`${page}file`, { id: ann.id, password, back: page })
  expect(file.headers.get('content-disposition')).toContain('customer-data-2026-03-04.zip')
  const files = await unzipped(file)
  const account = JSON.parse(files.get('account.json')!.toString()) as object
  expect(account).toMatchObject({ id: ann.id, email: 'ann@mail.test' })
  expect(account).not.toHaveProperty('sessions')
  expect(files.get('your-data.html')!.toString()).not.toContain('Where you are logged in')
  expect(await owner.page('/manage/history/')).toContain('Downloaded all data of a customer at their request')
})

test('S-225 the owner deletes an account after her password, once, and hears nothing of the order by letter', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const before = await listAllRows(shop.db)
  for (const [form, status] of [
    [{ id: ann.id, password }, 400],
    [{ intent: 'delete', id: ann.id, password: 'wrong' }, 403],
    [{ intent: 'delete', id: 'owner', password }, 404],
    [{ intent: 'delete', id: '', password }, 404],
  ] as [Record<string, string>, number][])
    expect((await owner.act(page, form)).status).toBe(status)
  expect(await listAllRows(shop.db)).toEqual(before)
  const gone = await owner.post(page, { intent: 'delete', id: ann.id, password, back: `${page}?email=ann@mail.test` })
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/manage/customer-data'])
  expect(await owner.page(page)).toContain(requestTexts.done)
  expect((await owner.act(page, { intent: 'delete', id: ann.id, password })).status).toBe(404)
  expect(await shop.db.selectFrom('outbox').select('id').where('kind', '=', 'left').execute()).toEqual([])
  expect(await ann.page('/about/')).toContain('href="/login/"')
  expect(await owner.page('/manage/history/')).toContain('Deleted the account of a customer at their request')
})

test('S-225 nobody but the owner finds, takes or deletes an account by this way', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  const before = await listAllRows(shop.db)
  for (const who of [shop.visitor(), await shop.guest(), mia]) {
    expect((await who.get(`${page}?email=ann@mail.test`)).status).toBe(302)
    for (const path of [page, `${page}file`]) expect((await who.post(path, { intent: 'delete', id: ann.id, password })).status).toBe(302)
  }
  expect((await listAllRows(shop.db)).orders).toEqual(before.orders)
})

test('S-222 all documents of a shop with buyers who have left move as they are, and nobody gets an account from their records', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  await deleteAccount(shop.shop, ann.id, 'herself')
  const path = join(await newFolder(), 'all.json')
  await writeFile(path, await (await owner.post('/manage/documents.json', { password: OWNER.password })).text())
  const second = await openSecondShop(shop.shop)
  await importInto(second, path, { adminIds: [] })
  const read = (db: typeof shop.db) =>
    db.selectFrom('sales').select(['id', 'buyerName', 'buyerEmail', 'itemName', 'salePriceCents', 'createdAt']).orderBy('id').execute()
  const here = await read(second.db)
  expect(here).toEqual(await read(shop.db))
  expect(here).toMatchObject([{ buyerName: GONE, buyerEmail: '' }])
  expect((await second.db.selectFrom('user').select('id').execute()).map(({ id }) => id)).toEqual(['owner'])
  await second.close()
})
