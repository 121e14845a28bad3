import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf, pageOf, within } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { listItemDocuments } from '#catalog/catalog-documents.server.ts'

const typed = {
  name: 'Moon wall',
  categoryId: 'walls',
  price: '45.50',
  description: 'Round.',
  width: '',
  soleType: '',
  size: '',
}

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  return {
    ...shop,
    owner: await shop.owner(),
    stateOf: async (id: string) => (await readItem(shop.db, id)).state,
  }
}
const readItem = (db: Awaited<ReturnType<typeof openTestShop>>['db'], id: string) =>
  db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/**
 * Opens a shop with a listed, a retired and a draft item, each with its own color. All three are a
 * customer's favorites.
 */
async function openWithAllStates() {
  const shop = await open()
  const ann = await shop.customer()
  for (const state of ['listed', 'retired', 'draft'] as const) {
    await addColor(shop.db, `${state}-cord`)
    await addItem(shop.db, state, 'walls', {
      name: `Piece ${state}`,
      state,
      images: [{ colors: [`${state}-cord`] }],
    })
    await shop.db
      .insertInto('favorites')
      .values({ userId: ann.id, itemId: state, createdAt: 1 })
      .execute()
    await shop.db
      .insertInto('sales')
      .values({
        id: state,
        buyerId: 'b',
        buyerName: '',
        buyerEmail: '',
        buyerPhotoURL: '',
        itemId: state,
        itemName: state,
        itemPriceCents: 1,
        salePriceCents: 1,
        receiptTag: null,
        createdAt: 1,
        categoryId: '',
        categoryTitle: '',
      })
      .execute()
  }
  return { ...shop, ann, visitor: shop.visitor() }
}

test.each([
  { where: 'the gallery', path: '/gallery/', by: 'visitor' },
  { where: 'a category', path: '/gallery/walls', by: 'visitor' },
  { where: 'a search', path: '/gallery/?q=piece', by: 'visitor' },
  { where: 'a filter by price', path: '/gallery/?from=1&sort=price-up', by: 'visitor' },
  { where: 'the home page', path: '/', by: 'visitor' },
  { where: 'the sitemap', path: '/sitemap.xml', by: 'visitor' },
  { where: 'the item page with rows of items', path: '/item/listed', by: 'ann' },
  { where: 'the favorites', path: '/gallery/?favorites', by: 'ann' },
] as const)(
  '$where shows listed items, but no drafts and no retired items [OWN-46, OWN-47]',
  async ({ path, by }) => {
    const shop = await openWithAllStates()
    const response = await shop[by].get(path)
    const text = await response.text()
    expect(text).toContain('/item/listed')
    expect(text).not.toMatch(/item\/(retired|draft)|Piece (retired|draft)/)
    // The home page shows all colors of the shop, and not only the colors of listed items.
    if (path !== '/') expect(text).not.toMatch(/(retired|draft)-cord/)
  },
)

test('visitors and customers cannot open, share, favorite or order a draft [OWN-46]', async () => {
  const { visitor, owner, ann, db } = await openWithAllStates()
  for (const path of ['/item/draft', '/item/draft.data', '/share/item/draft.jpg']) {
    for (const reader of [visitor, ann]) {
      const response = await reader.get(path)
      expect(response.status).toBe(404)
      expect(await response.text()).not.toContain('Piece draft')
    }
  }
  await db.deleteFrom('favorites').execute()
  expect((await ann.act('/favourite', { itemId: 'draft', wanted: 'yes' })).status).toBe(404)
  expect((await ann.act('/order-request', { itemId: 'draft', message: 'Mine' })).status).toBe(404)
  expect(await db.selectFrom('orderItems').select('itemId').execute()).toEqual([])
  expect(await owner.page('/item/draft')).toMatch(/Piece draft.*Only you see this page/s)
})

test('the page of a retired item says that the item is not for sale, and links to similar items [OWN-47]', async () => {
  const { visitor, ann, db } = await openWithAllStates()
  const html = await visitor.page('/item/retired')
  const page = pageOf(html)
  expect(page.getAllByText('Not for sale anymore')).not.toEqual([])
  const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('See Walls')).toBe('/gallery/walls')
  const similar = within(page.getByRole('region', { name: 'You May Also Like' }))
  expect(similar.getAllByRole('link')[0]!.getAttribute('href')).toBe('/item/listed')
  expect(html).toContain('https://schema.org/Discontinued')
  expect(page.queryByRole('link', { name: 'Please Login to Order' })).toBeNull()
  const refused = await ann.act('/order-request', { itemId: 'retired', message: 'Mine' })
  expect(refused).toMatchObject({
    status: 409,
    text: expect.stringContaining('This piece is not for sale anymore.'),
  })
  await db.deleteFrom('favorites').execute()
  expect((await ann.act('/favourite', { itemId: 'retired', wanted: 'yes' })).status).toBe(404)
  expect(await db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('the owner can retire an item and list it again, on the item’s page and in the conversation with its buyer [OWN-47, OWN-48]', async () => {
  const { db, owner, ann, stateOf, changedTopics } = await openWithAllStates()
  await ann.act('/order-request', { itemId: 'listed', message: '' })
  const sold = await owner.act(`/manage/messages/${ann.id}`, {
    intent: 'complete',
    itemId: 'listed',
    price: '',
  })
  expect(sold.status).toBe(200)
  const order = pageOf(await owner.page(`/manage/messages/${ann.id}?view=order`))
  expect(order.getByText('Sale Completed')).toBeTruthy()
  const form = order.getByText('Not for sale anymore').closest('form')!
  expect(form.getAttribute('action')).toBe('/manage/item/listed')
  changedTopics.length = 0
  for (const [state, text] of [
    ['retired', 'Not for sale anymore'],
    ['listed', 'For sale again'],
  ] as const) {
    const answer = await owner.act('/manage/item/listed', { intent: 'state', state })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(text)
    expect(await stateOf('listed')).toBe(state)
  }
  expect(changedTopics).toEqual(['catalog', 'catalog'])
  await owner.act('/manage/item/draft', { intent: 'state', state: 'listed' })
  expect(await stateOf('draft')).toBe('draft')
  expect(
    (await owner.act('/manage/item/unknown', { intent: 'state', state: 'retired' })).status,
  ).toBe(404)
  const acts = await db
    .selectFrom('audit')
    .select('act')
    .where('act', 'like', '%item%')
    .orderBy('seq')
    .execute()
  expect(acts.map(({ act }) => act)).toEqual(['retire-item', 'sell-item-again'])
})

test('a draft can be saved without an image, but can be published only with an image [OWN-46]', async () => {
  const { db, owner, clock, stateOf } = await open()
  const added = await owner.act('/manage/item/', formOf({ ...typed, state: 'draft' }))
  expect(added).toMatchObject({
    status: 200,
    text: expect.stringContaining('Draft Saved. Visitors do not see it yet.'),
  })
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  expect(await owner.page('/manage/item/?open=1~walls')).toMatch(/Moon wall.*Draft/s)

  expect(
    (await owner.act(`/manage/item/${id}`, formOf({ ...typed, name: 'Sun wall', intent: 'save' })))
      .status,
  ).toBe(200)
  const refused = await owner.act(`/manage/item/${id}`, formOf({ ...typed, state: 'listed' }))
  expect(refused).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please Add Atleast 1 Image for the Item'),
  })
  expect(await stateOf(id)).toBe('draft')

  clock.now += 1000
  const published = await owner.act(
    `/manage/item/${id}`,
    formOf({ ...typed, state: 'listed', files: [photo()] }),
  )
  expect(published).toMatchObject({
    status: 200,
    text: expect.stringContaining('Published! Visitors can see it now.'),
  })
  expect(await readItem(db, id)).toMatchObject({ state: 'listed', firstCreatedAt: clock.now })
})

test('a draft needs only a name and a category, and can be published only when it is complete [OWN-133]', async () => {
  const { db, owner, stateOf } = await open()
  const empty = { ...typed, price: '', description: '' }
  expect(
    (await owner.act('/manage/item/', formOf({ ...empty, name: '', state: 'draft' }))).text,
  ).toContain('Please Enter Item Name')
  expect(
    (await owner.act('/manage/item/', formOf({ ...empty, categoryId: '', state: 'draft' }))).text,
  ).toContain('Please Select a Category')
  expect(
    (await owner.act('/manage/item/', formOf({ ...empty, price: 'abc', state: 'draft' }))).text,
  ).toContain('Please Enter a Valid Price')
  expect((await owner.act('/manage/item/', formOf({ ...empty, state: 'draft' }))).status).toBe(200)
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  expect(await owner.page(`/manage/item/${id}`)).toMatch(/name="price"[^>]*value=""/)

  const unpriced = await owner.act(
    `/manage/item/${id}`,
    formOf({ ...empty, state: 'listed', files: [photo()] }),
  )
  expect(unpriced).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please Enter a Valid Price'),
  })
  const undescribed = await owner.act(
    `/manage/item/${id}`,
    formOf({ ...empty, price: '45', state: 'listed', files: [photo()] }),
  )
  expect(undescribed).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please Dont Leave Description Blank'),
  })
  expect(await stateOf(id)).toBe('draft')
  expect(
    (await owner.act(`/manage/item/${id}`, formOf({ ...typed, state: 'listed', files: [photo()] })))
      .status,
  ).toBe(200)
  expect(await stateOf(id)).toBe('listed')
})

test('the owner’s item list and its search contain listed, retired and draft items [OWN-46, OWN-47, OWN-50]', async () => {
  const { owner } = await openWithAllStates()
  for (const path of ['/manage/item/?open=1~walls', '/manage/item/?q=piece']) {
    const html = await owner.page(path)
    for (const name of ['Piece listed', 'Piece retired', 'Piece draft']) {
      expect(html).toContain(name)
    }
  }
  expect(await owner.page('/manage/item/listed')).toMatch(
    /href="\/item\/listed"[^>]*>See it in the shop/,
  )
})

test('a copy of an item is a draft with the same values, and keeps its images when the original is deleted [OWN-49]', async () => {
  const { db, storage, owner } = await open()
  await addColor(db, 'ash')
  await owner.act('/manage/item/', formOf({ ...typed, files: [photo()] }))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  const image = await db.selectFrom('itemImages').select('id').executeTakeFirstOrThrow()
  await db.insertInto('itemImageColors').values({ itemImageId: image.id, colorId: 'ash' }).execute()
  await db.updateTable('items').set({ discountType: 'percent', discountValue: 1000 }).execute()

  const response = await owner.post(`/manage/item/${id}`, { intent: 'duplicate' })
  const copy = /\/manage\/item\/(\w+)$/.exec(response.headers.get('location') ?? '')![1]!
  expect(response.status).toBe(303)
  const [first, second] = (await listItemDocuments(db)).toSorted((left) =>
    left.id === id ? -1 : 1,
  )
  expect(second).toEqual({
    ...first,
    id: copy,
    name: 'Moon wall (copy)',
    state: 'draft',
    createdAt: second!.createdAt,
  })

  await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
  expect((await owner.get(second!.images[0]!.url)).status).toBe(200)
  await owner.act(`/manage/item/${copy}`, { intent: 'delete', confirm: 'Yes' })
  expect(await storage.list()).toEqual([])
  expect((await owner.post('/manage/item/unknown', { intent: 'duplicate' })).status).toBe(404)
})
