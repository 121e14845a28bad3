/** What is kept ready goes at the commit that changes what it shows, before the writer has an answer, and is never of before it (039). */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { defaultSettings } from '#app/features/settings/settings.server.ts'
import { openReadyServer } from '#test/open-ready-server.ts'

const { isPromoShown: _, ...settings } = defaultSettings

function form(fields: Record<string, string>, items: string[] = [], name = 'item') {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  for (const id of items) body.append(name, id)
  return body
}

test('every kind of act that changes what visitors see is on the very next page, and on its data', async () => {
  const shop = await openReadyServer()
  const [owner, ann] = [await shop.owner(), await shop.customer()]
  const ticket = {
    id: 't',
    writerId: ann.id,
    writerName: 'Ann',
    writerEmail: 'ann@mail.test',
    writerPhotoURL: '',
    testimony: 'Lovely knots',
  }
  const row = { ...ticket, isAvailable: 0 as const, isValidated: 1 as const, showOnPage: 0 as const, createdAt: shop.now() }
  await shop.db.insertInto('testimonies').values(row).execute()
  const item = { name: 'Moon wall', categoryId: 'walls', price: '89', description: 'Round.', width: '', soleType: '', size: '' }
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer()
  const photo = new File([new Uint8Array(image)], 'photo.jpg', { type: 'image/jpeg' })
  const withPhoto = form({ intent: 'save', ...item, name: 'Star wall' })
  withPhoto.append('files', photo)
  const acts: [page: string, shows: string | RegExp, to: string, body: Record<string, string> | FormData, isGone?: true][] = [
    ['/about/', 'Rope &amp; Joy', '/manage/settings/', { ...settings, name: 'Rope & Joy' }],
    ['/gallery/', 'Hangings', '/manage/category/', { intent: 'save', id: 'walls', title: 'Hangings', color: '#aabbcc' }],
    ['/item/moon', 'Rust_red', '/manage/colors/', { intent: 'change', id: 'rust', name: 'Rust red' }],
    ['/item/moon', /low on stock/i, '/manage/colors/', { intent: 'mark', id: 'rust', mark: 'isLowOnStock', on: 'on' }],
    ['/item/moon', /\$79/, '/manage/discount/', form({ intent: 'items-apply', type: 'amount', value: '10', confirm: 'Yes' }, ['moon'])],
    ['/gallery/walls', /\$79/, '/manage/discount/', form({ intent: 'items-remove', confirm: 'Yes' }, ['moon']), true],
    ['/gallery/', 'Star wall', '/manage/item/', withPhoto],
    ['/testimonials/', 'Lovely knots', '/manage/testimonials/', { intent: 'show', id: 't' }],
  ]
  for (const [page, shows, to, body, isGone = false] of acts) {
    const looks = async () => [(await shop.get(page)).text, (await shop.get(`${page.replace(/\/$/, '/_')}.data`)).text]
    const [before, dataBefore] = await looks()
    const done = await owner.act(to, body)
    expect([to, shows, done.status]).toEqual([to, shows, 200])
    const [after, dataAfter] = await looks()
    const isShown = (text = '') => text.search(shows) >= 0
    expect([page, shows, isShown(before), isShown(after), dataAfter === dataBefore]).toEqual([page, shows, isGone, !isGone, false])
  }
  const photoOf = async () => /pictures\/people\/[^"]+/.exec((await shop.get('/testimonials/')).text)?.[0]
  expect(await photoOf()).toBeUndefined()
  for (const shade of ['#a86', '#357']) {
    const before = await photoOf()
    const face = await sharp({ create: { width: 80, height: 80, channels: 3, background: shade } })
      .jpeg()
      .toBuffer()
    const sent = new FormData()
    sent.set('file', new File([new Uint8Array(face)], 'face.jpg', { type: 'image/jpeg' }))
    expect((await ann.post('/account/photo', sent)).status).toBeLessThan(400)
    // The testimony shows her photo as it was when she wrote.
    const { image } = await shop.db.selectFrom('user').select('image').where('id', '=', ann.id).executeTakeFirstOrThrow()
    if (before === undefined) await shop.db.updateTable('testimonies').set({ writerPhotoURL: image! }).execute()
    if (before === undefined) shop.live.changed('testimonials')
    expect(`/${await photoOf()}`).toBe(image)
  }
  expect((await ann.post('/account/delete', { password: 'a-good-password', confirm: 'Yes' })).status).toBe(303)
  expect((await shop.get('/testimonials/')).text.includes('Lovely knots')).toBe(false)
})

test('a conversation or a sale renders the pages of items again, whose strip shows what is wanted most, and no other page', async () => {
  const shop = await openReadyServer()
  const ann = await shop.customer()
  const pages = async () => Promise.all(['/', '/item/moon'].map(async (path) => (await shop.get(path)).text))
  const isOfSamples = async () => (await pages())[1]!.includes('A few samples')
  expect(await isOfSamples()).toBe(true)
  await ann.act('/order-request', { itemId: 'sun', message: 'The sun, please' })
  expect(await shop.countMade(async () => expect(await isOfSamples()).toBe(false))).toBe(1)
  expect(await shop.countMade(pages)).toBe(0)
  await shop.db.deleteFrom('orderItems').execute()
  shop.live.changed('orders')
  expect(await isOfSamples()).toBe(true)
})

test('the page of an item that was rendered while a sale was recorded is not cached', async () => {
  const shop = await openReadyServer()
  const release = shop.holdBack()
  const early = shop.get('/item/moon')
  await expect.poll(() => shop.made.length).toBe(1)
  shop.live.changed('sales')
  release()
  await early
  expect(await shop.countMade(() => shop.get('/item/moon'))).toBe(1)
  expect(await shop.countMade(() => shop.get('/item/moon'))).toBe(0)
})

test('a page that was begun before a change is never kept, and nobody who asks afterwards waits for it', async () => {
  const shop = await openReadyServer()
  const release = shop.holdBack()
  const early = shop.get('/item/moon')
  await expect.poll(() => shop.made.length).toBe(1)
  await shop.db.updateTable('items').set({ priceCents: 4200 }).where('id', '=', 'moon').execute()
  shop.live.changed('catalogue')
  const late = shop.get('/item/moon')
  await expect.poll(() => shop.made.length).toBe(2)
  release()
  expect((await early).text).toContain('$89')
  expect((await late).text).toContain('$42')
  expect(await shop.countMade(async () => expect((await shop.get('/item/moon')).text).toContain('$42'))).toBe(0)
})

test('a hundred who ask at once for a page that is not there wait for one making of it', async () => {
  const shop = await openReadyServer()
  const release = shop.holdBack()
  const visitors = Array.from({ length: 100 }, (_, at) => shop.get('/gallery/', at % 2 ? { 'accept-encoding': 'gzip' } : {}))
  await expect.poll(() => shop.ready.stats().misses).toBe(100)
  expect(shop.made.length).toBe(1)
  release()
  expect(new Set((await Promise.all(visitors)).map(({ text }) => text)).size).toBe(1)
  expect(shop.made.length).toBe(1)
})

test('while the shop cannot hear of changes elsewhere, nothing is answered from what was made before', async () => {
  const shop = await openReadyServer()
  const hearing = { isHearing: true }
  shop.shop.live.isHearing = () => hearing.isHearing
  await shop.get('/gallery/')
  expect(await shop.countMade(() => shop.get('/gallery/'))).toBe(0)
  hearing.isHearing = false
  await shop.db.updateTable('items').set({ name: 'Written elsewhere' }).where('id', '=', 'moon').execute()
  expect((await shop.get('/gallery/')).text).toContain('Written elsewhere')
  expect(await shop.countMade(() => shop.get('/gallery/'))).toBe(1)
})

test('a page that became deaf while it was made is not kept', async () => {
  const shop = await openReadyServer()
  const hearing = { isHearing: true }
  shop.shop.live.isHearing = () => hearing.isHearing
  const release = shop.holdBack()
  const asked = shop.get('/gallery/')
  await expect.poll(() => shop.made.length).toBe(1)
  hearing.isHearing = false
  release()
  await asked
  hearing.isHearing = true
  expect(shop.ready.stats().pages).toBe(0)
})

test('beyond what the shop can do, what is there is still given, and so is a page that is being made; nothing more is made', async () => {
  let isFull = false
  const shop = await openReadyServer({
    shedLoad: async (c, next) => (isFull ? c.body(null, 503) : next()),
  })
  await shop.get('/about/')
  const release = shop.holdBack()
  const first = shop.get('/gallery/')
  await expect.poll(() => shop.made.length).toBe(2)
  isFull = true
  const second = shop.get('/gallery/')
  await expect.poll(() => shop.ready.stats().misses).toBe(3)
  expect([(await shop.get('/about/')).status, (await shop.get('/item/moon')).status]).toEqual([200, 503])
  release()
  expect([(await first).status, (await second).status]).toEqual([200, 200])
})
