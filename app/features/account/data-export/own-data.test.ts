import { expect, test } from 'vitest'
import { idOf, send, upload } from '#test/chat-pictures.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { unzipped } from '#test/unzipped.ts'
import { openShopWithCustomer, WORDS } from '#test/whole-customer.ts'

const download = async (who: Person) => {
  const response = await who.post('/account/data', { back: '/account/' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data-2026-03-04.zip"')
  expect(response.headers.get('cache-control')).toContain('no-store')
  const files = await unzipped(response)
  const json = (name: string): unknown => JSON.parse(files.get(`${name}.json`)!.toString())
  return { files, json, page: files.get('your-data.html')!.toString() }
}

test('S-224 the file holds all that is hers: account, favourites, order, purchases, testimonies, messages with their pictures', async () => {
  const { shop, ann, sale, ticketId, sent, answer } = await openShopWithCustomer()
  const { files, json, page } = await download(ann)
  const photo = await shop.files.read('people/AnnsPhotoAnnsPhotoAnns.jpg')
  expect([...files.keys()]).toEqual([
    'your-data.html',
    'photo.jpg',
    ...['account', 'favorites', 'orders', 'purchases', 'testimonies', 'messages'].map((name) => `${name}.json`),
    'pictures/3-1.jpg',
    'pictures/4-1.jpg',
  ])
  expect(files.get('photo.jpg')!.equals(photo!)).toBe(true)
  for (const [name, { id }] of [
    ['pictures/3-1.jpg', sent],
    ['pictures/4-1.jpg', answer],
  ] as const) {
    const { path } = await shop.db.selectFrom('pictures').select('path').where('id', '=', id).executeTakeFirstOrThrow()
    expect(files.get(name)!.equals((await shop.files.read(path))!)).toBe(true)
  }
  expect(json('account')).toMatchObject({
    ...{ id: ann.id, name: 'Ann Knotwell', email: 'ann@mail.test', isEmailConfirmed: false },
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
  expect(json('purchases')).toMatchObject([{ name: 'Moon wall', paid: 89, receipt: sale.receiptTag, invoice: { number: 1, shipping: 5 } }])
  expect(json('testimonies')).toMatchObject([{ ticket: ticketId, testimony: 'So soft, says Ann', isShownOnThePage: true }])
  expect(json('messages')).toMatchObject({
    messages: [
      { from: 'you', text: 'The moon, please', pictures: [] },
      { from: 'you', text: 'And the sun' },
      { from: 'you', text: WORDS, pictures: ['pictures/3-1.jpg'] },
      { from: 'shop', text: 'Thank you, Ann', pictures: ['pictures/4-1.jpg'] },
    ],
  })
  for (const text of [
    'Ann Knotwell',
    'Moon wall, $89.00, on March 04, 2026, invoice 1',
    WORDS,
    'src="pictures/4-1.jpg"',
    'So soft, says Ann',
  ])
    expect(page).toContain(text)
})

test('S-224 S-001 it holds nothing of others, of the owner, and no secret', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  const other = await upload(mia)
  await send(mia, { messageId: idOf('mia'), pictures: other.id, message: 'Of Mia alone' })
  await mia.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await owner.act('/manage/replies/', { intent: 'add', title: 'Private', text: 'Of the owner alone' })
  const { password } = await shop.db.selectFrom('account').select('password').where('userId', '=', ann.id).executeTakeFirstOrThrow()
  const { token } = await shop.db.selectFrom('session').select('token').where('userId', '=', ann.id).executeTakeFirstOrThrow()
  const { files } = await download(ann)
  const all = [...files].map(([name, bytes]) => (name.endsWith('.jpg') ? name : bytes.toString())).join('\n')
  for (const text of [mia.id, 'mia@mail.test', 'Of Mia alone', 'Of the owner alone', 'owner@shop.test', password!, token])
    expect(all).not.toContain(text)
  // Whoever names somebody else in the form gets her own all the same.
  const named = await unzipped(await ann.post(`/account/data?id=${mia.id}`, { id: mia.id, userId: mia.id, back: '/account/' }))
  expect(JSON.parse(named.get('account.json')!.toString())).toMatchObject({ id: ann.id })
})

test('S-224 whatever she wrote is text on the page that is read without the shop', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const evil = '<script>alert(1)</script><img src=x onerror=alert(1)> & "javascript:"'
  await shop.db
    .updateTable('user')
    .set({ name: evil.slice(0, 80), image: 'https://pictures.test/a.jpg' })
    .where('id', '=', ann.id)
    .execute()
  await ann.act('/messages', { intent: 'send', message: evil, messageId: '' })
  const { page, files } = await download(ann)
  expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>(?!&)/i)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect([...files.keys()].filter((name) => !name.endsWith('.json'))).toEqual(['your-data.html'])
})

test('S-224 an account with nothing in it, and the owner’s own, have their file too', async () => {
  const shop = await openTestShop()
  const { json, page } = await download(await shop.customer())
  expect([json('favorites'), json('orders'), json('messages')]).toEqual([[], { requests: [] }, { messages: [] }])
  expect(page).toContain('<p>None.</p>')
  expect((await download(await shop.owner())).json('account')).toMatchObject({ id: 'owner', email: 'owner@shop.test' })
})

test('S-224 only lasting accounts, only by a form, and five times an hour', async () => {
  const shop = await openTestShop({ rateLimits: true })
  for (const stranger of [shop.visitor(), await shop.guest()]) {
    const response = await stranger.post('/account/data', { back: '/account/' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login'])
  }
  const ann = await shop.customer()
  expect((await ann.get('/account/data')).headers.get('location')).toBe('/account')
  for (let time = 0; time < 5; time++) await download(ann)
  const refused = await ann.act('/account/data', {})
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Too many tries. Please wait an hour and try again.')])
  expect((await ann.post('/account/data', { back: '/account/' })).headers.get('location')).toBe('/account/')
  await download(await shop.customer('mia@mail.test'))
})

test('S-224 ten thousand messages go out in parts while others are served', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.act('/messages', { intent: 'send', message: 'The first', messageId: '' })
  const count = 10_000
  const rows = Array.from({ length: count - 1 }, (_, index) => ({
    ...{ orderId: ann.id, seq: index + 2, id: `m${index}`, sender: index % 2 ? 'owner' : ann.id, createdAt: shop.now() + index },
    message: `Message ${index} `.repeat(20),
  }))
  for (let from = 0; from < rows.length; from += 1000)
    await shop.db
      .insertInto('messages')
      .values(rows.slice(from, from + 1000))
      .execute()
  await shop.db.updateTable('orders').set({ lastSeq: count }).where('id', '=', ann.id).execute()

  const response = await ann.post('/account/data', {})
  const whole = unzipped(response)
  expect((await ann.get('/about/')).status).toBe(200)
  const { messages } = JSON.parse((await whole).get('messages.json')!.toString()) as { messages: unknown[] }
  expect(messages).toHaveLength(count)
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('S-224 a read that fails on the way breaks the download off and is logged; a picture without its file is left out', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const read = shop.shop.files.read
  shop.shop.files.read = async (path) => (path.startsWith('chat/') ? null : read(path))
  expect([...(await download(ann)).files.keys()].filter((name) => name.startsWith('pictures/'))).toEqual([])
  shop.shop.files.read = async (path) => (path.startsWith('chat/') ? Promise.reject(new Error('the disk is gone')) : read(path))
  const response = await ann.post('/account/data', {})
  await expect(response.arrayBuffer()).rejects.toThrow()
  expect(shop.logged.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'a picture has lost its file',
    'a picture has lost its file',
    'a download broke off',
  ])
})
