import { expect, test } from 'vitest'
import { defaultSettings as settings } from '#settings/setting-declarations.server.ts'
import { fileOf } from '#test/fixtures/chat.ts'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { openReadyServer } from '#test/fixtures/shop-server.ts'

function form(fields: Record<string, string>) {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  return body
}

const item = {
  name: 'Moon wall',
  categoryId: 'walls',
  price: '89',
  description: 'Round.',
  width: '',
  soleType: '',
  size: '',
}
const itemWithPhoto = form({ intent: 'save', ...item, name: 'Star wall' })
itemWithPhoto.append('files', fileOf())

const changes: [
  page: string,
  shows: string | RegExp,
  to: string,
  body: Record<string, string> | FormData,
  isGone?: true,
][] = [
  ['/about/', 'Rope &amp; Joy', '/manage/settings/', { ...settings, name: 'Rope & Joy' }],
  [
    '/gallery/',
    'Hangings',
    '/manage/category/',
    { intent: 'save', id: 'walls', title: 'Hangings', color: '#aabbcc' },
  ],
  ['/item/moon', 'Rust_red', '/manage/colors/', { intent: 'change', id: 'rust', name: 'Rust red' }],
  [
    '/item/moon',
    /low on stock/i,
    '/manage/colors/',
    { intent: 'mark', id: 'rust', mark: 'isLowOnStock', on: 'on' },
  ],
  [
    '/item/moon',
    /\$79/,
    '/manage/discount/',
    { intent: 'items-apply', type: 'amount', value: '10', confirm: 'Yes', item: 'moon' },
  ],
  [
    '/gallery/walls',
    /\$79/,
    '/manage/discount/',
    { intent: 'items-remove', confirm: 'Yes', item: 'moon' },
    true,
  ],
  ['/gallery/', 'Star wall', '/manage/item/', itemWithPhoto],
  ['/testimonials/', 'Lovely knots', '/manage/testimonials/', { intent: 'show', id: 't' }],
]

test('after each kind of change, the next response of a page and of its data shows the change', async () => {
  const shop = await openReadyServer()
  const owner = await shop.owner()
  const ann = await shop.customer()
  await addTestimonyTicket(shop.db, 't', {
    writerId: ann.id,
    testimony: 'Lovely knots',
    isAvailable: false,
    isValidated: true,
  })
  for (const [page, shows, to, body, isGone = false] of changes) {
    const looks = async () => [
      (await shop.get(page)).text,
      (await shop.get(`${page.replace(/\/$/, '/_')}.data`)).text,
    ]
    const [before, dataBefore] = await looks()
    const done = await owner.act(to, body)
    expect(done.status, `${to} ${shows}`).toBe(200)
    const [after, dataAfter] = await looks()
    const isShown = (text = '') => text.search(shows) >= 0
    expect(isShown(before), `${page} ${shows}`).toEqual(isGone)
    expect(isShown(after), `${page} ${shows}`).toBe(!isGone)
    expect(dataAfter === dataBefore, `${page} ${shows}`).toBe(false)
  }
  expect(
    (await ann.post('/account/delete', { password: 'a-good-password', confirm: 'Yes' })).status,
  ).toBe(303)
  expect((await shop.get('/testimonials/')).text.includes('Lovely knots')).toBe(false)
})

test('after an order, only cached item pages are rendered again, because item pages show popular items', async () => {
  const shop = await openReadyServer()
  const ann = await shop.customer()
  const pages = async () =>
    Promise.all(['/', '/item/sun'].map(async (path) => (await shop.get(path)).text))
  const isOfSamples = async () => (await pages())[1]!.includes('A few samples')
  expect(await isOfSamples()).toBe(true)
  await ann.act('/order-request', { itemId: 'moon', message: 'The moon, please' })
  expect(await shop.countMade(async () => expect(await isOfSamples()).toBe(false))).toBe(1)
  expect(await shop.countMade(pages)).toBe(0)
  await shop.db.deleteFrom('orderItems').execute()
  shop.live.changed('orders')
  expect(await isOfSamples()).toBe(true)
})

/**
 * Requests a page as a visitor, and changes the price from $89 to $42 while the page is being
 * rendered.
 */
async function renderDuringChange(topic: 'catalog' | 'sales', hasVersions = true) {
  const shop = await openReadyServer()
  if (!hasVersions) shop.shop.live.version = () => 'the same'
  const release = shop.holdBack()
  const early = shop.get('/item/moon')
  await expect.poll(() => shop.made.length).toBe(1)
  await shop.db.updateTable('items').set({ priceCents: 4200 }).where('id', '=', 'moon').execute()
  shop.live.changed(topic)
  return { shop, release, early }
}

test.each([
  ['catalog', true],
  ['sales', true],
  ['catalog', false],
] as const)(
  'never caches an item page that was being rendered while the %s changed (new data version: %s)',
  async (topic, hasVersions) => {
    const { shop, release, early } = await renderDuringChange(topic, hasVersions)
    release()
    expect((await early).text).toContain('$89')
    expect(
      await shop.countMade(async () =>
        expect((await shop.get('/item/moon')).text).toContain('$42'),
      ),
    ).toBe(1)
  },
)

test('a page requested after a change shows the change, even while a rendering from before the change is running', async () => {
  const { shop, release, early } = await renderDuringChange('catalog')
  const late = shop.get('/item/moon')
  await expect.poll(() => shop.made.length).toBe(2)
  release()
  expect((await early).text).toContain('$89')
  expect((await late).text).toContain('$42')
})

test('when a hundred visitors request a page at the same time, the page is rendered only once', async () => {
  const shop = await openReadyServer()
  const release = shop.holdBack()
  const visitors = Array.from({ length: 100 }, (_, at) =>
    shop.get('/gallery/', at % 2 ? { 'accept-encoding': 'gzip' } : {}),
  )
  await expect.poll(() => shop.ready.stats().misses).toBe(100)
  expect(shop.made.length).toBe(1)
  release()
  expect(new Set((await Promise.all(visitors)).map(({ text }) => text)).size).toBe(1)
  expect(shop.made.length).toBe(1)
})

test('serves no cached page while the process cannot receive changes of other processes', async () => {
  const shop = await openReadyServer()
  const hearing = { isInSync: true }
  shop.shop.live.isInSync = () => hearing.isInSync
  await shop.get('/gallery/')
  expect(await shop.countMade(() => shop.get('/gallery/'))).toBe(0)
  hearing.isInSync = false
  await shop.db
    .updateTable('items')
    .set({ name: 'Written elsewhere' })
    .where('id', '=', 'moon')
    .execute()
  expect((await shop.get('/gallery/')).text).toContain('Written elsewhere')
  expect(await shop.countMade(() => shop.get('/gallery/'))).toBe(1)
})

test('under overload, serves pages that are cached or already being rendered, and renders no other page', async () => {
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
  expect((await shop.get('/about/')).status).toBe(200)
  expect((await shop.get('/item/moon')).status).toBe(503)
  release()
  expect((await first).status).toBe(200)
  expect((await second).status).toBe(200)
})
