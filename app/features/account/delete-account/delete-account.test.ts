import { expect, test } from 'vitest'
import { listAllRows } from '#test/all-rows.ts'
import { storedPaths } from '#test/drawn-pictures.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { openShopWithCustomer, WORDS } from '#test/whole-customer.ts'
import { deleteAccount } from './delete-account.server.ts'
import { GONE } from './delete-account.ts'

/** Every table and row in which one of these texts still stands, but for the letter about the open order. */
async function findTraces({ db }: Awaited<ReturnType<typeof openTestShop>>, ...texts: string[]) {
  const found: string[] = []
  for (const [table, rows] of Object.entries(await listAllRows(db)))
    for (const row of rows) {
      if (table === 'outbox' && row.kind === 'left') continue
      const text = JSON.stringify(row).toLowerCase()
      for (const sought of texts) if (text.includes(sought.toLowerCase())) found.push(`${sought} in ${table}: ${text}`)
    }
  return found
}

test('LOGIN-24 S-222 nothing of her is left in any table or file', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const person = [ann.id, 'ann@mail.test', 'Ann', 'Knotwell', WORDS, 'AnnsPhotoAnnsPhotoAnns']
  for (const text of person) expect(await findTraces(shop, text), text).not.toEqual([])
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: true })
  expect(await findTraces(shop, ...person)).toEqual([])
  expect(await storedPaths(shop)).toEqual([])
  expect((await shop.db.selectFrom('pictures').select('path').execute()).map(({ path }) => path)).toEqual([
    'items/moon-0.webp',
    'items/sun-0.webp',
  ])
})

test('S-222 the books keep what was sold, under one name that is nobody’s', async () => {
  const { shop, ann, owner, sale, sales } = await openShopWithCustomer()
  await deleteAccount(shop.shop, ann.id, 'herself')
  const [kept] = await sales()
  expect(kept).toEqual({ ...sale, buyerId: expect.stringMatching(/^gone-\w{15}$/), buyerName: GONE, buyerEmail: '', buyerPhotoURL: '' })
  const requests = await shop.db.selectFrom('requests').select(['orderId', 'saleId']).orderBy('itemId').execute()
  expect(requests).toEqual([
    { orderId: kept!.buyerId, saleId: sale.id },
    { orderId: kept!.buyerId, saleId: null },
  ])
  expect(await shop.db.selectFrom('invoices').select(['number', 'receiptKey']).execute()).toEqual([
    { number: 1, receiptKey: sale.receiptTag },
  ])
  for (const path of ['/manage/sales/', `/manage/sales/?receipt=${sale.receiptTag}`, '/manage/reports/', '/manage/reports/sales/'])
    expect(await owner.page(path), path).toContain(GONE)
  expect(await owner.page(`/manage/reports/sales/?buyer=${kept!.buyerId}`)).toContain('Moon wall')
  expect(await (await owner.get('/manage/sales.csv')).text()).toContain(GONE)
  const history = await owner.page('/manage/history/')
  expect(history).toContain(`Sold Moon wall to ${GONE} for $89.00`)
  expect(history).toContain(`Showed the testimony of ${GONE}`)
  expect(history).toContain('The account of a customer was deleted')
  expect(await owner.page('/manage/history/?name=ann')).not.toContain('Sold')
  expect(await owner.page('/manage/history/?name=deleted')).toContain('Sold Moon wall')
})

test('S-223 the owner hears by letter of an open order, and only of that', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  await mia.act('/messages', { intent: 'send', message: 'Only a question', messageId: '' })
  for (const { id } of [ann, mia]) await deleteAccount(shop.shop, id, 'herself')
  const letters = await shop.db.selectFrom('outbox').selectAll().where('kind', '=', 'left').execute()
  expect(letters).toMatchObject([
    { toAddress: 'owner@shop.test', replyTo: 'ann@mail.test', subject: 'Ann Knotwell has left, with an open order' },
  ])
  expect(letters[0]!.text).toMatch(/no longer wanted:\n- Sun wall, \$12\.00\n\nSold already[^\n]*:\n- Moon wall, \$89\.00\n/)
})

test('S-222 what others have stays: accounts, favourites, conversations, testimonies, letters, a photo that is shown elsewhere', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  await mia.act('/order-request', { itemId: 'moon', message: 'For me, too' })
  await mia.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await shop.db.updateTable('user').set({ image: '/pictures/people/AnnsPhotoAnnsPhotoAnns.jpg' }).where('id', '=', mia.id).execute()
  await shop.mail.post(shop.db, { id: 'to-mia', kind: 'unread', to: 'mia@mail.test', subject: 'News', text: 'Hello Mia' }, 1)
  const hers = async () => (await findTraces(shop, mia.id, 'mia@mail.test')).length
  const before = await hers()
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(await hers()).toBe(before)
  expect((await mia.get('/pictures/people/AnnsPhotoAnnsPhotoAnns.jpg')).status).toBe(200)
  expect(await mia.page('/?messages')).toContain('For me, too')
  expect((await owner.get(`/manage/messages/${mia.id}`)).status).toBe(200)
})

test('S-222 a letter that told the owner of several customers is told anew of the others', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  const letter = { id: 'unread-both', kind: 'unread', toAddress: 'owner@shop.test', replyTo: null, subject: '2 customers', createdAt: 1 }
  await shop.db
    .insertInto('outbox')
    .values({
      ...letter,
      text: `Ann (ann@mail.test) and Mia`,
      ...{ attempts: 0, nextAttemptAt: 1, claimedUntil: null, sentAt: null, failedAt: null, lastError: null },
    })
    .execute()
  await mia.act('/messages', { intent: 'send', message: 'Hello', messageId: '' })
  await shop.db.insertInto('reminders').values({ orderId: mia.id, reader: 'owner', seq: 1, at: 1, letterId: 'unread-both' }).execute()
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(await shop.db.selectFrom('outbox').select('id').where('id', '=', 'unread-both').execute()).toEqual([])
  expect(await shop.db.selectFrom('reminders').selectAll().execute()).toEqual([])
})

test('LOGIN-54 a failure on the way leaves everything as it was, and can be repeated', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const before = await listAllRows(shop.db)
  const post = shop.shop.mail.post
  shop.shop.mail.post = () => Promise.reject(new Error('the disk is full'))
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: false, refusal: 'failed' })
  expect(await listAllRows(shop.db)).toEqual(before)
  expect(await storedPaths(shop)).not.toEqual([])
  expect((await ann.get('/?messages')).status).toBe(200)
  shop.shop.mail.post = post
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: true })
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: false, refusal: 'not-found' })
  expect(shop.logged.filter((line) => line.level === 'error').map((line) => line.message)).toEqual(['an account could not be deleted'])
})

test('LOGIN-24 every session of hers ends at once, in other tabs and browsers, and its cookie is worth nothing', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const [ended, told]: string[][] = [[], []]
  shop.live.onSessionEnd((id) => ended!.push(id))
  shop.shop.authSync.accountGone = (id) => void told!.push(id)
  const phone = shop.visitor()
  await phone.post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' })
  const sessions = await shop.db.selectFrom('session').select('id').where('userId', '=', ann.id).execute()
  shop.heard.length = 0
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(sessions).toHaveLength(2)
  // S-016
  expect(told).toEqual([ann.id])
  expect(ended!.sort()).toEqual(sessions.map(({ id }) => id).sort())
  expect(shop.heard).toEqual(expect.arrayContaining(['testimonials', 'sales', 'orders', `order:${ann.id}`, `user:${ann.id}`]))
  for (const tab of [ann, phone]) {
    expect(await tab.page('/about/')).toContain('href="/login/"')
    await tab.act('/messages', { intent: 'send', message: 'Still here?', messageId: '' })
    await tab.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  }
  expect(await shop.db.selectFrom('orders').selectAll().execute()).toEqual([])
})

test('LOGIN-24 at the same moment twice, and while she writes and the owner sells: no half is left', async () => {
  const { shop, ann, act, sales } = await openShopWithCustomer()
  const [one, other] = await Promise.all([
    deleteAccount(shop.shop, ann.id, 'herself'),
    deleteAccount(shop.shop, ann.id, 'herself'),
    ann.act('/messages', { intent: 'send', message: WORDS, messageId: '' }),
    ann.act('/order-request', { itemId: 'moon', message: WORDS }),
    ann.post('/favourite', { itemId: 'sun', wanted: 'yes' }),
    act({ intent: 'complete', itemId: 'sun', price: '' }),
    act({ intent: 'send', message: 'Ann?' }),
  ])
  expect([one.ok, other.ok].sort()).toEqual([false, true])
  expect(await findTraces(shop, ann.id, 'ann@mail.test', 'Knotwell', WORDS)).toEqual([])
  for (const sale of await sales()) expect(sale.buyerName).toBe(GONE)
})

test('ROLES-16 S-004 neither the owner nor a guest can be deleted by this way', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const before = await listAllRows(shop.db)
  expect(await deleteAccount(shop.shop, 'owner', 'owner')).toEqual({ ok: false, refusal: 'owner' })
  for (const id of [guest.id, 'nobody', ''])
    expect(await deleteAccount(shop.shop, id, 'owner')).toEqual({ ok: false, refusal: 'not-found' })
  expect(await listAllRows(shop.db)).toEqual(before)
})
