import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { idOf, send, upload } from '#test/fixtures/chat.ts'
import { openTestShop, OWNER, type Person, openShopWithAnn } from '#test/fixtures/test-shop.ts'
import { unzipped } from '#test/fixtures/backups.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { openShopWithCustomer, WORDS } from '#test/fixtures/prepared-shops.ts'
import { insert } from '#test/fixtures/catalog.ts'

const download = async (who: Person) => {
  const response = await who.post('/account/data', { back: '/account/' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="my-data-2026-03-04.zip"',
  )
  expect(response.headers.get('cache-control')).toContain('no-store')
  const files = await unzipped(response)
  const json = (name: string): unknown => JSON.parse(files.get(`${name}.json`)!.toString())
  return { files, json, page: files.get('your-data.html')!.toString() }
}

test('a data download contains the customer’s account, favorites, order, purchases, testimonies, credits, messages and pictures [S-224, AGREE-67]', async () => {
  const { shop, ann, sale, ticketId, sent, answer } = await openShopWithCustomer()
  const { files, json, page } = await download(ann)
  const photo = await shop.storage.read('people/AnnsPhotoAnnsPhotoAnns.jpg')
  expect([...files.keys()]).toEqual([
    'your-data.html',
    'photo.jpg',
    ...['account', 'favorites', 'orders', 'purchases', 'testimonies', 'credits', 'messages'].map(
      (name) => `${name}.json`,
    ),
    'pictures/3-1.jpg',
    'pictures/4-1.jpg',
  ])
  expect(files.get('photo.jpg')!.equals(photo!)).toBe(true)
  for (const [name, { id }] of [
    ['pictures/3-1.jpg', sent],
    ['pictures/4-1.jpg', answer],
  ] as const) {
    const { path } = await shop.db
      .selectFrom('images')
      .select('path')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(files.get(name)!.equals((await shop.storage.read(path))!)).toBe(true)
  }
  expect(json('account')).toMatchObject({
    id: ann.id,
    name: 'Ann Knotwell',
    email: 'ann@mail.test',
    isEmailConfirmed: false,
    waysToLogIn: [{ way: 'password' }],
    sessions: [{ startedAt: expect.stringMatching(/^\d{4}-.*Z$/) }],
  })
  expect(json('favorites')).toMatchObject([{ name: 'Moon wall' }, { name: 'Sun wall' }])
  expect(json('orders')).toMatchObject({
    order: {
      receipt: sale.receiptTag,
      isClosed: false,
      items: [
        { name: 'Moon wall', price: 89, isSold: true },
        { name: 'Sun wall', isSold: false },
      ],
    },
    requests: [
      { item: 'moon', cameToSale: true },
      { item: 'sun', cameToSale: false },
    ],
  })
  expect(json('purchases')).toMatchObject([
    { name: 'Moon wall', paid: 89, receipt: sale.receiptTag, invoice: { number: 1, shipping: 5 } },
  ])
  expect(json('testimonies')).toMatchObject([
    { ticket: ticketId, testimony: 'So soft, says Ann', isShownOnThePage: true },
  ])
  expect(json('credits')).toMatchObject([
    { code: expect.stringMatching(/^[2-9A-Z]{4}-/), amount: 5, usedAt: null },
  ])
  expect(json('messages')).toMatchObject({
    messages: [
      { from: 'you', text: 'The moon, please', images: [] },
      { from: 'you', text: 'And the sun' },
      { from: 'you', text: WORDS, images: ['pictures/3-1.jpg'] },
      { from: 'shop', text: 'Thank you, Ann', images: ['pictures/4-1.jpg'] },
    ],
  })
  for (const text of [
    'Ann Knotwell',
    'Moon wall, $89.00, on March 04, 2026, invoice 1',
    WORDS,
    'src="pictures/4-1.jpg"',
    'So soft, says Ann',
  ]) {
    expect(page).toContain(text)
  }
})

test('a data download contains quantities, agreed prices, credits and payments [S-224, AGREE-59]', async () => {
  const { db, ann, accepted, pay } = await openShopWithPayments()
  const credit = { userId: ann.id, receiptTag: 'TAG', offerId: null, createdAt: 0, usedAt: null }
  await insert(db, 'credits', { ...credit, code: 'ABCD-EFGH', cents: 500 })
  const terms = {
    name: ['Moon wall', ''],
    price: ['40', ''],
    quantity: ['3', ''],
    shipping: '0',
    creditCode: 'ABCD-EFGH',
  }
  await pay('pay-deposit', await accepted(terms))
  const { json, page } = await download(ann)
  expect(json('orders')).toMatchObject({
    order: {
      items: [
        { name: 'Moon wall', price: 89, quantity: 3, agreedPrice: 115 },
        { quantity: 1, agreedPrice: null },
      ],
    },
    offers: [
      {
        total: 115,
        deposit: 34.5,
        credit: { code: 'ABCD-EFGH', amount: 5 },
        payments: [{ kind: 'deposit', amount: 34.5, paidOn: '2026-03-04', method: 'payPal' }],
      },
    ],
  })
  for (const text of [
    '3 × Moon wall, $115.00',
    'Sun wall, $12.00',
    '$115.00, accepted. Deposit paid on March 04, 2026, PayPal: $34.50',
  ]) {
    expect(page).toContain(text)
  }
})

test('a data download contains all messages of a long conversation in their sequence, whether the customer or the owner downloads the data [S-224, S-225]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const owner = await shop.owner()
  await ann.act('/messages', { intent: 'send', message: 'text 1' })
  const texts = Array.from({ length: 10_001 }, (_, at) => `text ${at + 1}`)
  const rows = texts.map((message, at) => ({
    id: `id${at}`,
    orderId: ann.id,
    seq: at + 1,
    sender: 'owner',
    message,
    createdAt: at,
  }))
  for (let at = 1; at < rows.length; at += 1000) {
    await insert(shop.db, 'messages', ...rows.slice(at, at + 1000))
  }
  await shop.db.updateTable('orders').set({ lastSeq: rows.length }).execute()

  const { files, page } = await download(ann)
  const ofOwner = await owner.post('/manage/customer-data/file', {
    id: ann.id,
    password: OWNER.password,
    back: '/manage/customer-data/',
  })

  for (const all of [files, await unzipped(ofOwner)]) {
    const { messages } = JSON.parse(all.get('messages.json')!.toString()) as {
      messages: { text: string }[]
    }
    expect(messages.map(({ text }) => text)).toEqual(texts)
  }
  expect(page).toContain('text 10001')
})

test('a data download contains no data of other users and no secrets [S-224, S-001]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  const other = await upload(mia)
  await send(mia, { messageId: idOf('mia'), images: other.id, message: 'Of Mia alone' })
  await mia.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await owner.act('/manage/replies/', {
    intent: 'add',
    title: 'Private',
    text: 'Of the owner alone',
  })
  const { password } = await shop.db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', ann.id)
    .executeTakeFirstOrThrow()
  const { token } = await shop.db
    .selectFrom('session')
    .select('token')
    .where('userId', '=', ann.id)
    .executeTakeFirstOrThrow()
  const { files } = await download(ann)
  const all = [...files]
    .map(([name, bytes]) => (name.endsWith('.jpg') ? name : bytes.toString()))
    .join('\n')
  for (const text of [
    mia.id,
    'mia@mail.test',
    'Of Mia alone',
    'Of the owner alone',
    'owner@shop.test',
    password!,
    token,
  ]) {
    expect(all).not.toContain(text)
  }
  const named = await unzipped(
    await ann.post(`/account/data?id=${mia.id}`, { id: mia.id, userId: mia.id, back: '/account/' }),
  )
  expect(JSON.parse(named.get('account.json')!.toString())).toMatchObject({ id: ann.id })
})

test('the owner can download her own data, and a new customer can download the data of her account [S-224]', async () => {
  const shop = await openTestShop()
  const { json, page } = await download(await shop.customer())
  expect(json('favorites')).toEqual([])
  expect(json('orders')).toEqual({ requests: [], offers: [] })
  expect(json('messages')).toEqual({ messages: [] })
  expect(pageOf(page).getAllByText('None.').length).toBeGreaterThan(0)
  expect((await download(await shop.owner())).json('account')).toMatchObject({
    id: 'owner',
    email: 'owner@shop.test',
  })
})

test('a customer can download her data at most five times within an hour [S-224]', async () => {
  const { shop, ann } = await openShopWithAnn({ rateLimits: true })
  expect((await ann.get('/account/data')).headers.get('location')).toBe('/account')
  for (let time = 0; time < 5; time++) await download(ann)
  const refused = await ann.act('/account/data', {})
  expect(refused).toMatchObject({
    status: 429,
    text: expect.stringContaining('Too many tries. Please wait an hour and try again.'),
  })
  expect((await ann.post('/account/data', { back: '/account/' })).headers.get('location')).toBe(
    '/account/',
  )
  await download(await shop.customer('mia@mail.test'))
})

test('a data download omits missing image files and photos on other sites, but aborts if a file cannot be read [S-224]', async () => {
  const { shop, ann } = await openShopWithCustomer()
  await shop.db
    .updateTable('user')
    .set({ image: 'https://elsewhere.test/photo.jpg' })
    .where('image', 'is not', null)
    .execute()
  const read = shop.shop.storage.read
  shop.shop.storage.read = async (path) => (path.startsWith('chat/') ? null : read(path))
  expect(
    [...(await download(ann)).files.keys()].filter((name) => /^(pictures|photo)/.test(name)),
  ).toEqual([])
  shop.shop.storage.read = async (path) =>
    path.startsWith('chat/') ? Promise.reject(new Error('the disk is gone')) : read(path)
  const response = await ann.post('/account/data', {})
  await expect(response.arrayBuffer()).rejects.toThrow()
  expect(
    shop.logged.filter(({ level }) => level === 'error').map(({ message }) => message),
  ).toEqual([
    'the file of an image is missing',
    'the file of an image is missing',
    'a download was interrupted',
  ])
})
