import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { favouriteTexts } from '#app/features/catalog/catalog.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags')
  for (const id of ['tote', 'net', 'clutch']) await addItem(shop.db, id, 'bags')
  return Object.assign(shop, {
    kept: async () => await shop.db.selectFrom('favourites').select(['userId', 'itemId']).orderBy('itemId').execute(),
  })
}
const names = (html: string) => [...html.matchAll(/<h2[^>]*><a[^>]*>([^<]*)</g)].map((match) => match[1])

test('FAV-01 ROLES-12 a signed-out visitor cannot mark a favourite', async () => {
  const shop = await openStockedShop()
  const answer = await shop.visitor().act('/favourite', { itemId: 'tote', wanted: 'yes' })

  expect(answer.status).toBe(401)
  expect(answer.text).toContain(favouriteTexts['signed-out'])
  expect(await shop.kept()).toEqual([])
})

test('FAV-02 FAV-03 FAV-06 ROLES-12 toggling adds the item to her favourites and takes it away again', async () => {
  const shop = await openStockedShop()
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect(await shop.kept()).toEqual([{ userId: ann.id, itemId: 'tote' }])
  expect(shop.heard).toContain(`user:${ann.id}`)
  expect(await ann.page('/item/tote')).toMatch(/aria-pressed="true"[^>]*aria-label="Favorite: tote"/)

  // What others keep, and what else she keeps, stays.
  for (const [who, itemId] of [
    [guest, 'tote'],
    [ann, 'net'],
  ] as const)
    await who.act('/favourite', { itemId, wanted: 'yes' })
  await ann.act('/favourite', { itemId: 'tote', wanted: 'no' })
  expect(await shop.kept()).toEqual([
    { userId: ann.id, itemId: 'net' },
    { userId: guest.id, itemId: 'tote' },
  ])
  expect(await ann.page('/item/tote')).not.toContain('aria-pressed="true"')
})

test('FAV-02 S-077 a doubled click and two tabs at once lose nothing', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const answers = await Promise.all(['tote', 'tote', 'net', 'clutch'].map((itemId) => ann.act('/favourite', { itemId, wanted: 'yes' })))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await shop.kept()).map(({ itemId }) => itemId)).toEqual(['clutch', 'net', 'tote'])
})

test('040 a wish that changes nothing is told to nobody, so that it makes no kept page old', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const told = () => shop.heard.filter((topic) => topic === `user:${ann.id}`).length
  const toldBy = async (itemId: string, wanted: string) => {
    const before = told()
    expect((await ann.act('/favourite', { itemId, wanted })).status).toBe(200)
    return told() - before
  }
  expect(await toldBy('tote', 'yes')).toBe(1)
  for (const [itemId, wanted] of [
    ['tote', 'yes'],
    ['net', 'no'],
    ['gone', 'no'],
  ] as const)
    expect(await toldBy(itemId, wanted)).toBe(0)
  expect(await toldBy('tote', 'no')).toBe(1)
})

test('FAV-02 an item that does not exist is refused', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  for (const itemId of ['gone', '', "'; drop table items; --"]) {
    const answer = await ann.act('/favourite', { itemId, wanted: 'yes' })

    expect(answer.status).toBe(404)
    expect(answer.text).toContain(favouriteTexts['no-item'])
  }
})

test('FAV-04 FAV-05 S-055 the favourites view lists her favourites, the newest first, and nobody else sees them', async () => {
  const shop = await openStockedShop()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.guest()]
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  shop.clock.now += 1000
  await ann.act('/favourite', { itemId: 'clutch', wanted: 'yes' })

  expect(names(await ann.page('/gallery/?favorites'))).toEqual(['clutch', 'tote'])
  expect(await bea.page('/gallery/?favorites')).toContain('No favorites yet.')
  expect(await ann.page('/gallery/')).toContain('href="/gallery/?favorites"')
  expect(await shop.visitor().page('/gallery/')).not.toContain('favorites')
  expect((await shop.visitor().get('/gallery/?favorites')).headers.get('location')).toBe('/gallery/')
})

test('S-057 a favourite whose item was deleted is left out', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  for (const itemId of ['tote', 'net']) await ann.act('/favourite', { itemId, wanted: 'yes' })
  await shop.db.deleteFrom('items').where('id', '=', 'tote').execute()

  expect(names(await ann.page('/gallery/?favorites'))).toEqual(['net'])
})

test('FAV-02 without script the heart leads back to its page', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const response = await ann.post('/favourite', { itemId: 'tote', wanted: 'yes', back: '/gallery/bags' })

  expect([response.status, response.headers.get('location')]).toEqual([303, '/gallery/bags'])
  expect((await shop.kept()).length).toBe(1)

  const search = `/gallery/?${Array.from({ length: 40 }, (_, n) => `color=a-color-with-a-long-id-${n}`).join('&')}&page=2`
  const again = await ann.post('/favourite', { itemId: 'tote', wanted: 'no', back: search })
  expect(again.headers.get('location')).toBe(search)
})

test('FAV-04 FAV-05 S-056 more favourites than one query takes are all shown, page after page, each once', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const ids = Array.from({ length: 520 }, (_, n) => `item-${n}`)
  const texts = {
    description: '',
    width: '',
    soleType: '',
    size: '',
    discountType: null,
    discountValue: null,
    createdAt: 1,
    firstCreatedAt: 1,
  }
  await shop.db
    .insertInto('items')
    .values(ids.map((id) => ({ id, name: id, categoryId: 'bags', priceCents: 100, ...texts })))
    .execute()
  await shop.db
    .insertInto('favourites')
    .values(ids.map((itemId) => ({ userId: ann.id, itemId, createdAt: 1 })))
    .execute()

  const shown: string[] = []
  for (let path: string | undefined = '/gallery/?favorites'; path;) {
    const html = await ann.page(path)
    shown.push(...names(html).map(String))
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(shown.toSorted()).toEqual(ids.toSorted())
})
