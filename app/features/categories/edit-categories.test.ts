import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { formOf, messagesOf, optionsOf, pageOf, within } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { NOON, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { listCategoryDocuments } from '#catalog/catalog-documents.server.ts'
import { listCategories } from '#catalog/catalog.server.ts'
import { listShowcase } from '#home/showcase.server.ts'
import { MAX_CATEGORY_TITLE_LENGTH, parseThemeColor } from './category.ts'
import { categoryFormTexts as texts } from './texts.ts'
import {
  ensureCategories,
  listUntouchedCategories,
  orderCategories,
} from './edit-categories.server.ts'

const path = '/manage/category/'
const imageForm = (id: string) => formOf({ intent: 'image', id, file: photo() })

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls', color: '#c98a5e' })
  const acts = () =>
    shop.db
      .selectFrom('audit')
      .select(['act', 'actor', 'subject', 'detail'])
      .orderBy('seq')
      .execute()
  return { ...shop, acts, owner: await shop.owner() }
}

const rowOf = (html: string, name: string) => within(pageOf(html).getByRole('listitem', { name }))

test('the Categories page shows a row for each category with its title, theme color and image [NAV-06, ROLES-17, CATEGORY-01, CATEGORY-02, CATEGORY-03, CATEGORY-04]', async () => {
  const { db, owner } = await open()
  await addCategory(db, 'bags', { title: 'Bags & more', color: '#112233', position: 1 })
  const html = await owner.page(path)

  for (const [title, color] of [
    ['Walls', '#c98a5e'],
    ['Bags & more', '#112233'],
  ] as const) {
    const row = rowOf(html, title)
    const valueOf = (label: string) => row.getByLabelText(label).getAttribute('value')
    expect(valueOf('Title')).toBe(title)
    expect(valueOf('Theme color')).toBe(color)
    expect(valueOf(`Pick the theme color of ${title}`)).toBe(color)
    expect(row.getByLabelText('Image').getAttribute('type')).toBe('file')
  }
  const list = within(pageOf(html).getByRole('list', { name: 'Order of categories' }))
  expect(list.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Walls',
    'Bags & more',
  ])
})

test('the row “Add new category” is disabled, and the server refuses new categories [CATEGORY-05, CATEGORY-06]', async () => {
  const { db, owner } = await open()
  const row = rowOf(await owner.page(path), 'Add new category')

  const fields = row.getByRole('group', { description: 'Cannot add new Categories at the moment' })
  expect(fields.hasAttribute('disabled')).toBe(true)
  for (const control of [...row.getAllByRole('textbox'), ...row.getAllByRole('button')]) {
    expect(fields.contains(control)).toBe(true)
  }
  for (const intent of ['add', '', 'new']) {
    expect((await owner.act(path, { intent, title: 'New', color: '#000000' })).status).toBe(400)
  }
  expect(
    (await owner.act(path, { intent: 'save', id: 'new', title: 'New', color: '#000000' })).status,
  ).toBe(404)
  expect(await db.selectFrom('categories').select('id').execute()).toEqual([{ id: 'walls' }])
})

test('the shop stores a changed title and color of a category and the time of the change, and notifies open pages [CATEGORY-07, DATA-122, DATA-123]', async () => {
  const { db, owner, clock, changedTopics, acts } = await open()
  const saved = await owner.act(path, {
    intent: 'save',
    id: 'walls',
    title: ' Wall art ',
    color: 'AABBCC',
  })

  expect(saved.status).toBe(200)
  expect(saved.text).not.toContain('toasts')
  expect(await listCategoryDocuments(db)).toEqual([
    { id: 'walls', title: 'Wall art', color: '#aabbcc', url: '', createdAt: clock.now },
  ])
  expect(changedTopics).toContain('catalog')
  expect((await acts()).map(({ detail, ...act }) => [act, JSON.parse(detail)])).toEqual([
    [
      { act: 'save-category', actor: 'owner', subject: 'walls' },
      {
        title: 'Wall art',
        color: '#aabbcc',
        before: { title: 'Walls', color: '#c98a5e' },
        after: { title: 'Wall art', color: '#aabbcc' },
      },
    ],
  ])
})

test('an invalid title or color of a category is refused with an error, and the stored values stay [CATEGORY-07]', async () => {
  const { db, owner, acts } = await open()
  for (const [wrong, text] of [
    [{ title: ' ', color: '#aabbcc' }, texts.noTitle],
    [
      { title: 'x'.repeat(MAX_CATEGORY_TITLE_LENGTH + 1), color: '#aabbcc' },
      texts.tooLong(MAX_CATEGORY_TITLE_LENGTH),
    ],
    [{ title: 'x', color: 'red' }, texts.noColor],
    [{ title: 'x', color: '#aabbcc;background:url(x)' }, texts.noColor],
    [{ title: '', color: '' }, texts.noTitle],
  ] as const) {
    const refused = await owner.act(path, { intent: 'save', id: 'walls', ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
  }
  expect(
    (await owner.act(path, { intent: 'save', id: 'gone', title: 'x', color: '#aabbcc' })).status,
  ).toBe(404)
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'Walls', color: '#c98a5e' }])
  expect(await acts()).toEqual([])
  expect(
    (
      await owner.act(path, {
        intent: 'save',
        id: 'walls',
        title: 'x'.repeat(MAX_CATEGORY_TITLE_LENGTH),
        color: '#abc',
      })
    ).status,
  ).toBe(200)
})

test('the owner can type a theme color with or without #, and with six or three digits', () => {
  expect(['#C98A5E', ' c98a5e ', '#abc', 'ABC'].map(parseThemeColor)).toEqual([
    '#c98a5e',
    '#c98a5e',
    '#aabbcc',
    '#aabbcc',
  ])
  expect(
    ['', '#', 'abcd', '#12345g', 'rgb(1,2,3)', '##aabbcc', '#aabbcc00'].map(parseThemeColor),
  ).toEqual(Array(7).fill(null))
})

test('saving the color of a category in one window keeps the title that another window has saved [CATEGORY-07]', async () => {
  const { db, owner } = await open()
  const before = { intent: 'save', id: 'walls', wasTitle: 'Walls', wasColor: '#c98a5e' }
  await owner.act(path, { ...before, title: 'Wall art', color: '#c98a5e' })

  const recolored = await owner.act(path, { ...before, title: 'Walls', color: '#112233' })
  expect(recolored.text).not.toContain('toasts')
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'Wall art', color: '#112233' }])

  const renamed = await owner.act(path, { ...before, title: 'On the wall', color: '#112233' })
  expect(renamed.status).toBe(200)
  expect(renamed.text).toContain(texts.replaced('Wall art'))
  expect(await listCategoryDocuments(db)).toMatchObject([
    { title: 'On the wall', color: '#112233' },
  ])
})

test('without JavaScript, the owner can change the color of a category in the text field or in the color picker [CATEGORY-03]', async () => {
  const { db, owner } = await open()
  const form = {
    intent: 'save',
    id: 'walls',
    title: 'Walls',
    wasTitle: 'Walls',
    wasColor: '#c98a5e',
    back: path,
  }
  const color = async () => (await listCategoryDocuments(db))[0]!.color

  const answer = await owner.post(path, { ...form, color: '#c98a5e', picked: '#010203' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(path)
  expect(await color()).toBe('#010203')
  await owner.post(path, { ...form, wasColor: '#010203', color: '#040506', picked: '#010203' })
  expect(await color()).toBe('#040506')
})

test('a new picture of a category replaces the old picture and its file [CATEGORY-08, FILES-03, FILES-04]', async () => {
  const { db, storage, owner, acts, changedTopics } = await open()
  const urlOf = async () => (await listCategoryDocuments(db))[0]!.url

  await owner.act(path, imageForm('walls'))
  const first = await urlOf()
  await owner.act(path, imageForm('walls'))
  const second = await urlOf()

  expect(first).toMatch(/^\/pictures\/category\/[A-Za-z0-9]{8,}\.jpg$/)
  expect(second).not.toBe(first)
  expect((await owner.get(first)).status).toBe(404)
  expect((await owner.get(second)).status).toBe(200)
  expect(changedTopics).toContain('catalog')
  expect((await acts()).map(({ act, subject }) => [act, subject])).toEqual(
    Array(2).fill(['change-category-image', 'walls']),
  )
  const stored = await storage.list()
  expect((await owner.act(path, imageForm('gone'))).status).toBe(404)
  expect(await storage.list()).toEqual(stored)
})

test('when a category cannot be saved, the shop logs the error, shows no toast and keeps the stored values [CATEGORY-12]', async () => {
  const { db, storage, owner, logged, changedTopics } = await open()
  await addCategory(db, 'bags', { position: 1 })
  await db.schema.dropTable('audit').execute()
  changedTopics.length = 0
  for (const form of [
    formOf({ intent: 'save', id: 'walls', title: 'x', color: '#aabbcc' }),
    imageForm('walls'),
    formOf({ intent: 'move', id: 'walls', by: 'down' }),
  ]) {
    const answer = await owner.post(path, form)
    const html = await answer.text()
    expect(answer.status).toBe(500)
    expect(messagesOf(html)).toEqual([])
    expect(rowOf(html, 'Walls').getByRole('textbox', { name: 'Title' })).toBeTruthy()
  }
  expect(await listCategoryDocuments(db)).toMatchObject([
    { title: 'Walls', color: '#c98a5e', url: '' },
    { id: 'bags' },
  ])
  expect(await storage.list()).toEqual([])
  expect(changedTopics).toEqual([])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(3)
})

async function openThree() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags', 'rings'].entries()) {
    await addCategory(shop.db, id, { position })
    await addItem(shop.db, `piece-of-${id}`, id)
  }
  const orderOf = async () => (await listCategories(shop.db)).map(({ id }) => id)
  return { ...shop, orderOf, owner: await shop.owner() }
}

const orderForm = (order: string[]) => formOf({ intent: 'order', order })

test('a new sort order of the categories appears in the gallery and the audit log, and open pages are notified', async () => {
  const { owner, orderOf, visitor, changedTopics, db } = await openThree()
  changedTopics.length = 0
  expect((await owner.act('/manage/category/', orderForm(['rings', 'walls', 'bags']))).status).toBe(
    200,
  )

  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])
  const gallery = pageOf(await visitor().page('/gallery/'))
  const categories = within(gallery.getByRole('navigation', { name: 'Categories' }))
  expect(categories.getAllByRole('link').map(({ title }) => title)).toEqual([
    'All items',
    'rings',
    'walls',
    'bags',
  ])
  expect(changedTopics).toEqual(['catalog'])
  const [act] = await db.selectFrom('audit').select(['act', 'actor', 'detail']).execute()
  expect(act).toMatchObject({ act: 'order-categories', actor: 'owner' })
  expect(JSON.parse(act!.detail)).toEqual({ order: ['rings', 'walls', 'bags'] })

  await owner.act('/manage/category/', orderForm(['rings', 'walls', 'bags']))
  expect(await db.selectFrom('audit').select('act').execute()).toHaveLength(1)
})

test('without JavaScript, buttons move a category up and down, but not beyond the ends of the list', async () => {
  const { owner, orderOf } = await openThree()
  const move = async (id: string, by: string) =>
    (
      await owner.post('/manage/category/', { intent: 'move', id, by, back: '/manage/category/' })
    ).headers.get('location')

  expect(await move('bags', 'up')).toBe('/manage/category/')
  expect(await orderOf()).toEqual(['bags', 'walls', 'rings'])
  await move('bags', 'up')
  await move('rings', 'down')
  expect(await orderOf()).toEqual(['bags', 'walls', 'rings'])
  await move('bags', 'down')
  expect(await orderOf()).toEqual(['walls', 'bags', 'rings'])
})

test('an outdated sort order removes no category, and an invalid sort order changes nothing', async () => {
  const { owner, orderOf, db } = await openThree()
  expect(
    (await owner.act('/manage/category/', orderForm(['rings', 'gone', 'rings', 'walls']))).status,
  ).toBe(200)
  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])

  expect(
    (await owner.act('/manage/category/', { intent: 'move', id: 'gone', by: 'up' })).status,
  ).toBe(404)
  expect(
    (await owner.act('/manage/category/', { intent: 'move', id: 'walls', by: 'sideways' })).status,
  ).toBe(400)
  expect((await owner.act('/manage/category/', orderForm([]))).status).toBe(200)
  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])
  const positions = await db
    .selectFrom('categories')
    .select('position')
    .orderBy('position')
    .execute()
  expect(positions.map(({ position }) => position)).toEqual([0, 1, 2])
})

test('the showcase on the home page shows the categories in their new sort order [S-020]', async () => {
  const { db, shop } = await openThree()
  for (const [position, categoryId] of ['walls', 'bags', 'rings'].entries()) {
    await db
      .insertInto('showcase')
      .values({
        id: `show-${categoryId}`,
        title: categoryId,
        imageId: null,
        categoryId,
        deg: position * 120,
        position,
      })
      .execute()
  }

  await orderCategories(shop, 'owner', { order: ['rings', 'walls', 'bags'] })
  expect((await listShowcase(db)).map(({ id, deg }) => [id, deg])).toEqual([
    ['show-rings', 0],
    ['show-walls', 120],
    ['show-bags', 240],
  ])
})

test('when several sort orders of the categories are saved concurrently, the shop stores exactly one of these sort orders', async () => {
  const { shop, orderOf } = await openThree()
  for (let n = 0; n < 24; n++) await addCategory(shop.db, `more-${n}`, { position: 3 })
  const present = await orderOf()
  const rotated = (by: number) => [...present.slice(by), ...present.slice(0, by)]
  const orders = [present.toReversed(), rotated(5), rotated(11).toReversed(), rotated(19)]

  for (let round = 0; round < 4; round++) {
    await Promise.all(orders.map((wanted) => orderCategories(shop, 'owner', { order: wanted })))
    expect(orders).toContainEqual(await orderOf())
  }
})

const titlesIn = async ({ db }: TestShop) =>
  (await db.selectFrom('categories').select('title').orderBy('position').execute()).map(
    (row) => row.title,
  )

test('at startup, a shop without categories gets the default categories, and a shop with categories keeps them [S-163]', async () => {
  const shop = await openTestShop()
  await Promise.all([ensureCategories(shop), ensureCategories(shop)])
  expect(await titlesIn(shop)).toEqual([
    'Wall Hangings',
    'Plant Hangers',
    'Bags',
    'Key Chains',
    'Coasters',
    'More',
  ])
  const page = pageOf(await (await shop.owner()).page('/manage/item/'))
  expect(optionsOf(page, 'Category *').all).toContain('Bags')

  const filledShop = await openTestShop()
  await addCategory(filledShop.db, 'hats', { title: 'Hats' })
  await ensureCategories(filledShop)
  expect(await titlesIn(filledShop)).toEqual(['Hats'])
})

test('a default category with a new title, or with an item, counts as changed by the owner [S-163]', async () => {
  const shop = await openTestShop()
  await ensureCategories(shop)
  expect(await listUntouchedCategories(shop.db)).toHaveLength(6)

  shop.clock.now = NOON + 60_000
  await (
    await shop.owner()
  ).post('/manage/category/', { intent: 'save', id: 'more', title: 'Rugs', color: '#aabbcc' })
  await addItem(shop.db, 'tote', 'bags')
  expect((await listUntouchedCategories(shop.db)).toSorted()).toEqual([
    'coasters',
    'key-chains',
    'plant-hangers',
    'wall-hangings',
  ])
})
