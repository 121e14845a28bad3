import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hrefOf, hrefsIn, pageOf } from '#test/fixtures/html.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { importInto, newFolder, openSecondShop } from '#test/fixtures/data-folders.ts'
import { emailsTo } from '#test/fixtures/accounts.ts'
import { OWNER } from '#test/fixtures/test-shop.ts'
import { unzipped } from '#test/fixtures/backups.ts'
import { openShopWithCustomer } from '#test/fixtures/prepared-shops.ts'
import { deleteAccount } from './delete-account.server.ts'
import { customerDataTexts, deleteAccountTexts } from '#account/texts.ts'

const page = '/manage/customer-data/'
const password = 'a-good-password'

test('the owner can find a customer by email address, but neither a guest nor her own account [S-225]', async () => {
  const { shop, owner } = await openShopWithCustomer()
  const guest = await shop.guest()
  const { email } = await shop.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', guest.id)
    .executeTakeFirstOrThrow()
  const found = await owner.page(`${page}?email=%20ANN@mail.test`)
  expect(found).toContain('Ann Knotwell')
  expect(found).toContain(
    '2 favorites, 4 messages with 2 pictures, 1 testimony and 1 unused credit',
  )
  expect(found).toContain('without their name')
  for (const [typed, said] of [
    ['unknown@mail.test', customerDataTexts.noAccount],
    [email, customerDataTexts.noAccount],
    ['owner@shop.test', 'This is your own account'],
  ]) {
    expect(await owner.page(`${page}?email=${encodeURIComponent(typed!)}`)).toContain(said)
  }
  const settings = pageOf(await owner.page('/manage/settings/'))
  expect(hrefsIn(settings)).toContain(page)
})

test('the file that the owner downloads for a customer contains no sessions, and the audit log records the download [S-225]', async () => {
  const { ann, owner } = await openShopWithCustomer()
  const refused = await owner.act(`${page}file`, { id: ann.id, password: 'wrong' })
  expect(refused).toMatchObject({
    status: 403,
    text: expect.stringContaining('Invalid Credentials'),
  })
  for (const id of ['owner', 'nobody', '']) {
    expect((await owner.act(`${page}file`, { id, password })).status).toBe(404)
  }
  const file = await owner.post(`${page}file`, { id: ann.id, password, back: page })
  expect(file.headers.get('content-disposition')).toContain('customer-data-2026-03-04.zip')
  const files = await unzipped(file)
  const account = JSON.parse(files.get('account.json')!.toString()) as object
  expect(account).toMatchObject({ id: ann.id, email: 'ann@mail.test' })
  expect(account).not.toHaveProperty('sessions')
  expect(files.get('your-data.html')!.toString()).not.toContain('Where you are logged in')
  expect(await owner.page('/manage/history/')).toContain(
    'Downloaded all data of a customer at their request',
  )
})

test('the owner can delete a customer’s account only with the owner’s password, and only once [S-225]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const before = await listAllRows(shop.db)
  for (const [form, status] of [
    [{ id: ann.id, password }, 400],
    [{ intent: 'delete', id: ann.id, password: 'wrong' }, 403],
    [{ intent: 'delete', id: 'owner', password }, 404],
    [{ intent: 'delete', id: '', password }, 404],
  ] as [Record<string, string>, number][]) {
    expect((await owner.act(page, form)).status).toBe(status)
  }
  expect(await listAllRows(shop.db)).toEqual(before)
  const gone = await owner.post(page, {
    intent: 'delete',
    id: ann.id,
    password,
    back: `${page}?email=ann@mail.test`,
  })
  expect(gone.status).toBe(303)
  expect(gone.headers.get('location')).toBe('/manage/customer-data')
  expect(await owner.page(page)).toContain(customerDataTexts.deleted)
  expect((await owner.act(page, { intent: 'delete', id: ann.id, password })).status).toBe(404)
  expect(
    await shop.db.selectFrom('outbox').select('id').where('kind', '=', 'left').execute(),
  ).toEqual([])
  expect(hrefOf(pageOf(await ann.page('/about/')), 'Login | Register')).toBe('/login/')
  expect(await owner.page('/manage/history/')).toContain(
    'Deleted the account of a customer at their request',
  )
})

test('the owner creates a link with which a customer chooses a new password once, within an hour; the customer is told by email [LOGIN-62, S-489]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const isConfirmed = async () => {
    const { emailVerified } = await shop.db
      .selectFrom('user')
      .select('emailVerified')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    return Boolean(emailVerified)
  }
  const wasConfirmed = await isConfirmed()
  const create = async (form: Record<string, string>) => {
    const { status, text } = await owner.act(page, { intent: 'link', ...form })
    return { status, code: /reset-password\/\?code=([\w-]+)/.exec(text)?.[1] ?? '' }
  }
  const choose = async (code: string, newPassword: string) => {
    const form = { intent: 'choose', code, password: newPassword }
    return (await shop.visitor().post('/reset-password/', form)).status
  }
  expect((await create({ id: ann.id, password: 'wrong' })).status).toBe(403)
  for (const id of ['owner', 'nobody', '']) {
    expect((await create({ id, password })).status).toBe(404)
  }
  const replaced = await create({ id: ann.id, password })
  const { status, code } = await create({ id: ann.id, password })
  expect(status).toBe(200)
  expect(await choose(replaced.code, 'a-first-new-one')).toBe(422)
  expect(await choose(code, 'a-second-new-one')).toBe(200)
  expect(await choose(code, 'a-third-new-one')).toBe(422)
  expect(await isConfirmed()).toBe(wasConfirmed)
  const login = { intent: 'login', email: 'ann@mail.test', password: 'a-second-new-one' }
  expect((await shop.visitor().post('/login/', login)).status).toBe(302)

  const late = await create({ id: ann.id, password })
  shop.clock.now += 60 * 60_000
  expect(await choose(late.code, 'a-fourth-new-one')).toBe(422)
  const emails = await emailsTo(shop, 'ann@mail.test')
  expect(emails.map(({ subject }) => subject)).toContain(
    'A link for a new password at Knots & Love',
  )
  expect(emails.filter(({ text }) => text.includes(late.code))).toEqual([])
  expect(await owner.page('/manage/history/')).toContain(
    'Created a link for a new password of a customer',
  )
})

test('an import keeps sales to deleted customers unchanged, and creates no accounts for these customers [S-222]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  await deleteAccount(shop.shop, ann.id, 'herself')
  const path = join(await newFolder(), 'all.json')
  await writeFile(
    path,
    await (await owner.post('/manage/documents.json', { password: OWNER.password })).text(),
  )
  const second = await openSecondShop(shop.shop)
  await importInto(second, path, { adminIds: [] })
  const read = (db: typeof shop.db) =>
    db
      .selectFrom('sales')
      .select(['id', 'buyerName', 'buyerEmail', 'itemName', 'salePriceCents', 'createdAt'])
      .orderBy('id')
      .execute()
  const here = await read(second.db)
  expect(here).toEqual(await read(shop.db))
  expect(here).toMatchObject([{ buyerName: deleteAccountTexts.deletedName, buyerEmail: '' }])
  expect((await second.db.selectFrom('user').select('id').execute()).map(({ id }) => id)).toEqual([
    'owner',
  ])
  await second.close()
})
