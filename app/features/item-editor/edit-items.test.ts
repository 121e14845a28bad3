import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { listItemDocuments } from '#app/features/catalog/catalog-documents.server.ts'

const typed = {
  name: 'Moon wall',
  categoryId: 'walls',
  price: '45.50',
  description: 'Round.',
  width: '',
  soleType: '',
  size: '',
}

const itemForm = (
  changed: Record<string, string> = {},
  files: File[] = [],
  picture: string[] = [],
) => formOf({ intent: 'save', ...typed, ...changed, files, picture })

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  return { ...shop, owner: await shop.owner() }
}

async function upload(owner: Awaited<ReturnType<typeof open>>['owner']) {
  const response = await owner.post(
    '/manage/item-picture',
    formOf({ categoryId: 'walls', file: photo() }),
  )
  return (await response.json()) as { state: string; id: string; url: string }
}

test('the Merchandise page shows the items of each category, a button for a new item, and the item form [NAV-08, ROLES-18, MERCH-04, MERCH-05, MERCH-06, MERCH-21]', async () => {
  const { db, owner } = await open()
  await addItem(db, 'm', 'walls', { name: 'Moon wall' })
  const html = (await owner.page('/manage/item/?open=1~walls')).replaceAll('<!-- -->', '')
  expect(html).toMatch(
    /<details[^>]*><summary>Bags.*No Items.*<details[^>]*open=""[^>]*><summary>Walls.*href="\/manage\/item\/m[?"].*Moon wall/s,
  )
  expect(html).toMatch(/<button[^>]*>Add New Item<\/button>/)
  expect(html).toMatch(/<form[^>]*multipart.*Properties with \* are required/s)
})

test('the Merchandise page of a shop without categories explains why no item can be added [MERCH-04, MERCH-12]', async () => {
  const html = await (await (await openTestShop()).owner()).page('/manage/item/')
  expect(html).toContain('No Items')
  expect(html).toContain('There are no categories yet, and every item needs one.')
})

async function openMoon() {
  const shop = await open()
  await addColor(shop.db, 'ash')
  const texts = {
    name: 'Moon',
    description: 'Round.',
    width: '30 cm',
    soleType: 'jute',
    size: 'large',
  }
  await addItem(shop.db, 'm', 'walls', {
    ...texts,
    priceCents: 4550,
    pictures: [{ colors: ['ash'], isAvailable: 0 }],
  })
  return shop
}

test.each([
  { id: 'MERCH-11', what: 'name', field: /<input[^>]*name="name"[^>]*value="Moon"/ },
  { id: 'MERCH-12', what: 'category', field: /<option value="walls" selected="">Walls<\/option>/ },
  { id: 'MERCH-13', what: 'price', field: /<input[^>]*name="price"[^>]*value="45.50"/ },
  { id: 'MERCH-14', what: 'description', field: /<textarea[^>]*>Round\.<\/textarea>/ },
  { id: 'MERCH-15', what: 'width', field: /<input[^>]*name="width"[^>]*value="30 cm"/ },
  { id: 'MERCH-16', what: 'soletype', field: /<input[^>]*name="soleType"[^>]*value="jute"/ },
  { id: 'MERCH-17', what: 'size', field: /<input[^>]*name="size"[^>]*value="large"/ },
  { id: 'MERCH-18', what: 'images', field: /name="picture" value="m-0"/ },
  { id: 'MERCH-19', what: 'colors of an image', field: /(?=[^>]*checked="")[^>]*name="color:m-0"/ },
  { id: 'MERCH-20', what: 'availability of an image', field: /name="available:m-0"\/>/ },
])('the form shows the $what of an item [MERCH-08, $id]', async ({ field }) => {
  const { owner } = await openMoon()
  expect(await owner.page('/manage/item/m')).toMatch(field)
})

test('the item form is empty for a new item and for an unknown id [MERCH-09]', async () => {
  const { owner } = await openMoon()
  for (const path of ['/manage/item/', '/manage/item/unknown']) {
    const html = await owner.page(path)
    expect(html).toContain('Properties with')
    expect(html).not.toContain('name="picture"')
  }
})

test('the owner can add an item with several images [MERCH-34, MERCH-35, MERCH-38, FILES-01, FILES-05, DATA-120]', async () => {
  const { db, owner, clock, changedTopics } = await open()
  const added = await owner.act('/manage/item/', itemForm({}, [photo('a.jpg'), photo('b.jpg')]))

  expect(added).toMatchObject({
    status: 200,
    text: expect.stringContaining('Item Successfully Added!'),
  })
  const [item] = await listItemDocuments(db)
  expect(item).toMatchObject({
    name: 'Moon wall',
    category: 'walls',
    price: 45.5,
    createdAt: clock.now,
  })
  expect(item!.images).toHaveLength(2)
  for (const one of item!.images) {
    expect(one).toMatchObject({
      url: expect.stringMatching(/^\/pictures\/items\/walls\/[A-Za-z0-9]{8,}\.jpg$/),
      colors: [],
      isAvailable: true,
    })
    expect((await owner.get(one.url)).status).toBe(200)
  }
  expect(changedTopics).toContain('catalog')
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([{ act: 'add-item' }])
})

test('saving an item stores the sequence, colors and availability of its images, and deletes files of removed images [MERCH-18, MERCH-19, MERCH-20, MERCH-33, MERCH-34]', async () => {
  const { db, storage, owner } = await open()
  await addColor(db, 'ash')
  await owner.act('/manage/item/', itemForm({}, [photo(), photo()]))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  const [, second] = await db.selectFrom('itemPictures').select('id').orderBy('position').execute()
  const before = (await listItemDocuments(db))[0]!.images
  const sent = await upload(owner)

  const form = itemForm({}, [], [`upload-${sent.id}`, second!.id])
  form.append(`color:upload-${sent.id}`, 'ash')
  form.append(`color:upload-${sent.id}`, 'a color that is gone')
  form.set(`available:${second!.id}`, 'on')
  await owner.act(`/manage/item/${id}`, form)

  expect((await listItemDocuments(db))[0]!.images).toEqual([
    { url: sent.url, colors: ['ash'], isAvailable: false },
    { url: before[1]!.url, colors: [], isAvailable: true },
  ])
  expect((await owner.get(before[0]!.url)).status).toBe(404)
  expect((await storage.list()).filter(({ path }) => path.endsWith('.jpg'))).toHaveLength(2)

  const turned = (await db.selectFrom('itemPictures').select('id').orderBy('position').execute())
    .map((row) => row.id)
    .reverse()
  expect((await owner.act(`/manage/item/${id}`, itemForm({}, [], turned))).status).toBe(200)
  expect((await listItemDocuments(db))[0]!.images.map(({ url }) => url)).toEqual([
    before[1]!.url,
    sent.url,
  ])
})

test('saving an item stores the new values and the time of the change, and shows a confirmation [MERCH-36, MERCH-39, DATA-123]', async () => {
  const { db, owner, clock } = await open()
  await addItem(db, 'm', 'walls')
  const saved = await owner.act('/manage/item/m', itemForm({ name: 'Sun wall' }, [], ['m-0']))
  expect(saved).toMatchObject({
    status: 200,
    text: expect.stringContaining('Item Successfully Updated!'),
  })
  expect(await listItemDocuments(db)).toMatchObject([
    { id: 'm', name: 'Sun wall', createdAt: clock.now },
  ])
})

test('an item and its image files are deleted only after the owner presses "Yes" [MERCH-37, MERCH-40, MERCH-41, DATA-121]', async () => {
  const { db, storage, owner } = await open()
  await owner.act('/manage/item/', itemForm({}, [photo()]))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()

  const declined = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'No' })
  expect(declined).toMatchObject({
    status: 409,
    text: expect.stringContaining('Cancelled Deleting Item'),
  })
  expect(await listItemDocuments(db)).toHaveLength(1)
  const deleted = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
  expect(deleted).toMatchObject({
    status: 200,
    text: expect.stringContaining('Deleted Item Successfully!'),
  })
  expect(await listItemDocuments(db)).toEqual([])
  expect(await storage.list()).toEqual([])
  expect(await db.selectFrom('audit').select('act').orderBy('seq').execute()).toEqual([
    { act: 'add-item' },
    { act: 'delete-item' },
  ])
})

test('a failed upload, save or deletion of an item shows its own error text [MERCH-42, MERCH-43, MERCH-44, MERCH-45, FILES-10]', async () => {
  const { db, shop, storage, owner, logged } = await open()
  await addItem(db, 'm', 'walls')
  const before = await listItemDocuments(db)
  const { prepare } = shop.images
  shop.images.prepare = () => Promise.reject(new Error('the disk is full'))
  expect((await owner.act('/manage/item/', itemForm({}, [photo()]))).text).toContain(
    'An Error Occured while Uploading Image...',
  )
  expect(await upload(owner)).toEqual({
    state: 'error',
    text: 'An Error Occured while Uploading Image...',
  })
  shop.images.prepare = prepare
  await db.schema.dropTable('audit').execute()

  const tried = await owner.act('/manage/item/', itemForm({}, [photo()]))
  expect(tried.text).toContain('An Error Occured! Please contact your Provider...')
  expect(await storage.list()).toEqual([])
  const { discard } = shop.images
  shop.images.discard = () => Promise.reject(new Error('the disk is gone'))
  const failed = await owner.act('/manage/item/', itemForm({}, [photo(), photo()]))
  shop.images.discard = discard
  expect(failed.text).toMatch(
    /An Error Occured while Uploading Data\.\.\. Please ask provider to delete: \/pictures\/items\/walls\/\w+\.jpg, \/pictures\/items\/walls\/\w+\.jpg/,
  )
  expect((await owner.act('/manage/item/m', itemForm({}, [], ['m-0']))).text).toContain(
    'An Error Occured! Please contact your Provider...',
  )
  expect((await owner.act('/manage/item/m', { intent: 'delete', confirm: 'Yes' })).text).toContain(
    'An Error Occured while Deleting Item...',
  )
  const sent = await upload(owner)
  expect(
    (await owner.act('/manage/item/', itemForm({}, [], [`upload-${sent.id}`]))).text,
  ).toContain(`ask provider to delete: ${sent.url}`)
  expect(await listItemDocuments(db)).toEqual(before)
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(9)
})

const texts = [
  'Please Enter Item Name',
  'Please Select a Category',
  'Please Enter a Valid Price',
  'Please Dont Leave Description Blank',
  'Please Add Atleast 1 Image for the Item',
]

async function openForm() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  const owner = await shop.owner()
  const read = () => shop.db.selectFrom('items').selectAll().execute()
  /** Sends the item form without JavaScript, and returns the HTML of the response. */
  async function save(fields: Record<string, string>, files: File[] = [photo()]) {
    const all = {
      intent: 'save',
      name: 'Moon',
      categoryId: 'walls',
      price: '45',
      description: 'Round.',
      width: '',
      soleType: '',
      size: '',
    }
    const answer = await owner.post(
      '/manage/item/',
      formOf({ ...all, back: '/manage/item/', ...fields, files }),
    )
    const html = (await answer.text()).replaceAll(/<script.*?<\/script>/gs, '')
    return {
      status: answer.status,
      html,
      errors: [...html.matchAll(/id="item-(\w+)-error" role="alert">([^<]+)</g)].map((match) =>
        match.slice(1),
      ),
    }
  }
  return { ...shop, owner, read, save }
}

test('the item form shows only one error, beside the first invalid field [MERCH-22, MERCH-23, MERCH-24, MERCH-25, MERCH-26, MERCH-27]', async () => {
  const { save, read } = await openForm()
  const wrong = { name: ' ', categoryId: '', price: '0', description: '\n' }
  const right = { name: 'Moon', categoryId: 'walls', price: '45', description: 'Round.' }
  const fields = ['name', 'categoryId', 'price', 'description', 'images'] as const
  for (const [at, field] of fields.entries()) {
    const mended = Object.fromEntries(
      fields.slice(0, at).map((done) => [done, right[done as keyof typeof right]]),
    )
    const { status, errors, html } = await save({ ...wrong, ...mended }, [])
    expect(status).toBe(422)
    expect(errors).toEqual([[field, texts[at]]])
    expect(texts.filter((text) => html.includes(text))).toEqual([texts[at]])
  }
  expect(await read()).toEqual([])
})

test('the item form accepts the usual ways to type a price, and shows an example after an invalid price [MERCH-25, ERR-08, OWN-38]', async () => {
  const { save, read } = await openForm()
  for (const price of [
    '1e9',
    '-1',
    '0.001',
    'NaN',
    'Infinity',
    '1,234',
    '12.345',
    '99999999',
    '0',
    '0.00',
    '٣',
    '1 00',
    '<b>',
  ]) {
    const { status, errors, html } = await save({ price })
    expect({ price, status, errors }).toEqual({
      price,
      status: 422,
      errors: [['price', 'Please Enter a Valid Price']],
    })
    expect(html).toContain(`value="${price.replace('<b>', '&lt;b&gt;')}"`)
    expect(html).toContain('Enter a price such as 12.50')
  }
  for (const price of ['12,50', ' $12.5 ', '12.50', '0.01', '9999999.99', '€ 1.234,56', '1 000'])
    expect((await save({ price })).status).toBe(303)
  expect(
    (await read()).map(({ priceCents }) => priceCents).sort((one, other) => one - other),
  ).toEqual([1, 1250, 1250, 1250, 100_000, 123_456, 999_999_999])
})

test('the item form refuses a text that is longer than the limit, and the error names the limit [MERCH-23, MERCH-28]', async () => {
  const { save, read } = await openForm()
  const long = 'n'.repeat(10_000)
  const { status, errors, html } = await save({ name: long })
  expect([status, errors]).toEqual([
    422,
    [['name', 'Please Use at Most 200 Characters (now 10000)']],
  ])
  expect(html).toContain(long)
  expect((await save({ description: `${long}!` })).errors).toEqual([
    ['description', 'Please Use at Most 10000 Characters (now 10001)'],
  ])
  for (const field of ['width', 'soleType', 'size'])
    expect((await save({ [field]: 'x'.repeat(201) })).errors).toEqual([
      [field, 'Please Use at Most 200 Characters (now 201)'],
    ])
  expect(await read()).toEqual([])

  expect(
    (await save({ name: ` ${'n'.repeat(200)} `, description: long, width: 'x'.repeat(200) }))
      .status,
  ).toBe(303)
  expect(await read()).toMatchObject([
    { name: 'n'.repeat(200), description: long, soleType: '', size: '' },
  ])
})

test('the item form shows an unreadable character as an error of its field [MERCH-22]', async () => {
  const { save } = await openForm()
  for (const field of ['name', 'description', 'size'])
    expect((await save({ [field]: 'caf\uFFFD' })).errors).toEqual([
      [field, 'Some of the characters could not be read'],
    ])
})

test('when the selected category was deleted, the item form asks for a category and keeps the typed values [MERCH-24]', async () => {
  const { db, save, read, storage } = await openForm()
  await db.deleteFrom('categories').execute()
  const { status, errors, html } = await save({ name: 'Typed name' })
  expect([status, errors]).toEqual([422, [['categoryId', 'Please Select a Category']]])
  expect(html).toContain('value="Typed name"')
  expect(html).toContain('choose them again')
  expect(await read()).toEqual([])
  expect(await storage.list()).toEqual([])
})
