import { describe, expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf, optionsOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type ShopOptions } from '#test/fixtures/test-shop.ts'
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

const itemForm = (changed: Record<string, string> = {}, files: File[] = [], image: string[] = []) =>
  formOf({ intent: 'save', ...typed, ...changed, files, image })

async function open(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
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
  const page = pageOf(await owner.page('/manage/item/?open=1~walls'))
  const categoryOf = (title: string) =>
    page.getByText(title, { selector: 'summary' }).closest('details')!
  expect(categoryOf('Bags').textContent).toContain('No Items')
  expect(categoryOf('Walls').textContent).not.toContain('No Items')
  expect(categoryOf('Walls').hasAttribute('open')).toBe(true)
  const item = within(categoryOf('Walls')).getByRole('link', { name: /^Moon wall/ })
  expect(item.getAttribute('href')).toBe('/manage/item/m?open=1%7Ewalls')
  expect(page.getByRole('button', { name: 'Add New Item' })).toBeTruthy()
  const form = page.getByText(/^Properties with \* are required/).closest('form')!
  expect(form.getAttribute('enctype')).toBe('multipart/form-data')
})

test('the Merchandise page of a shop without categories explains why no item can be added [MERCH-04, MERCH-12]', async () => {
  const html = await (await (await openTestShop()).owner()).page('/manage/item/')
  expect(html).toContain('No Items')
  expect(html).toContain('There are no categories yet, and every item needs one.')
})

describe('the form', () => {
  const shop = shared(async (onCleanup) => {
    const shop = await open({ onCleanup })
    await addColor(shop.db, 'ash')
    await addItem(shop.db, 'm', 'walls', {
      name: 'Moon',
      description: 'Round.',
      width: '30 cm',
      soleType: 'jute',
      size: 'large',
      priceCents: 4550,
      images: [{ colors: ['ash'], isAvailable: false }],
    })
    return shop
  })
  const readForm = async (path = '/manage/item/m') => {
    const page = pageOf(await shop().owner.page(path))
    return within(page.getByText(/^Properties with/).closest('form')!)
  }

  test.each([
    { id: 'MERCH-11', what: 'name', label: 'Name *', value: 'Moon' },
    { id: 'MERCH-13', what: 'price', label: 'Price *', value: '45.50' },
    { id: 'MERCH-14', what: 'description', label: 'Description *', value: 'Round.' },
    { id: 'MERCH-15', what: 'width', label: 'Width', value: '30 cm' },
    { id: 'MERCH-16', what: 'soletype', label: 'Sole type', value: 'jute' },
    { id: 'MERCH-17', what: 'size', label: 'Size', value: 'large' },
  ])('the item form shows the $what of an item [MERCH-08, $id]', async ({ label, value }) => {
    const field = (await readForm()).getByLabelText<HTMLInputElement>(label)
    expect(field.value).toBe(value)
  })

  test('the item form shows the category of an item [MERCH-08, MERCH-12]', async () => {
    expect(optionsOf(await readForm(), 'Category *').selected).toBe('Walls')
  })

  test('the item form shows the images of an item [MERCH-08, MERCH-18]', async () => {
    const images = within((await readForm()).getByRole('list', { name: 'Order of images' }))
    const preview = images.getByAltText('Preview of image 1')
    expect(preview.getAttribute('src')).toBe('/pictures/items/m-0.240.webp')
    const [row] = images.getAllByRole('listitem')
    expect(row!.querySelector('[name="image"]')!.getAttribute('value')).toBe('m-0')
  })

  test('the item form shows the colors of an image of an item [MERCH-08, MERCH-19]', async () => {
    const colors = within((await readForm()).getByRole('group', { name: 'Colors of image 1' }))
    const ash = colors.getByRole('checkbox', { name: 'ash' })
    expect(ash.hasAttribute('checked')).toBe(true)
    expect(ash.getAttribute('name')).toBe('color:m-0')
  })

  test('the item form shows which images are available [MERCH-08, MERCH-20]', async () => {
    const box = (await readForm()).getByRole('checkbox', {
      name: 'this photo’s color is available',
    })
    expect(box.hasAttribute('checked')).toBe(false)
    expect(box.getAttribute('name')).toBe('available:m-0')
  })

  test.each(['/manage/item/', '/manage/item/unknown'])(
    'the item form is empty for a new item and for an unknown id: %s [MERCH-09]',
    async (path) => {
      const form = await readForm(path)
      expect(form.getByLabelText('Name *').getAttribute('value')).toBe('')
      expect(form.queryByAltText(/^Preview of/)).toBeNull()
    },
  )
})

test('width, sole type and size of an item are texts that the owner can leave empty [MERCH-15, MERCH-16, MERCH-17]', async () => {
  const { db, owner } = await open()
  const stored = async () =>
    (await listItemDocuments(db)).map(({ width, soleType, size }) => [width, soleType, size])
  const texts = { width: '30 cm × 1.2 m', soleType: 'jute', size: 'large' }
  expect((await owner.act('/manage/item/', itemForm(texts, [photo()]))).status).toBe(200)
  expect(await stored()).toEqual([['30 cm × 1.2 m', 'jute', 'large']])
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  const { id: image } = await db.selectFrom('itemImages').select('id').executeTakeFirstOrThrow()
  expect((await owner.act(`/manage/item/${id}`, itemForm({}, [], [image]))).status).toBe(200)
  expect(await stored()).toEqual([['', '', '']])
  const form = pageOf(await owner.page('/manage/item/'))
  for (const name of ['Width', 'Sole type', 'Size']) {
    expect(form.getByRole('textbox', { name }).hasAttribute('required')).toBe(false)
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
  for (const image of item!.images) {
    expect(image).toMatchObject({
      url: expect.stringMatching(/^\/pictures\/items\/walls\/[A-Za-z0-9]{8,}\.jpg$/),
      colors: [],
      isAvailable: true,
    })
    expect((await owner.get(image.url)).status).toBe(200)
  }
  expect(changedTopics).toContain('catalog')
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([{ act: 'add-item' }])
})

test('saving an item stores the sequence, colors and availability of its images, and deletes files of removed images [MERCH-18, MERCH-19, MERCH-20, MERCH-33, MERCH-34]', async () => {
  const { db, storage, owner } = await open()
  await addColor(db, 'ash')
  await owner.act('/manage/item/', itemForm({}, [photo(), photo()]))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  const [, second] = await db.selectFrom('itemImages').select('id').orderBy('position').execute()
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

  const turned = (await db.selectFrom('itemImages').select('id').orderBy('position').execute())
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

test('a failed upload, save or deletion of an item shows its own error text [MERCH-42, MERCH-43, MERCH-44, MERCH-45, FILES-10, ERR-07]', async () => {
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
  /** Sends the item form without JavaScript, and returns the page and its errors. */
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
    const html = await answer.text()
    const page = pageOf(html)
    const alerts = page.queryAllByRole('alert').filter(({ textContent }) => textContent !== '')
    return {
      status: answer.status,
      page,
      words: wordsOf(html),
      errors: alerts.map(({ id, firstChild }) => [
        id.replace(/^item-|-error$/g, ''),
        firstChild!.textContent,
      ]),
    }
  }
  return { ...shop, owner, read, save }
}

test('the item form shows only one error, beside the first invalid field [MERCH-22, MERCH-23, MERCH-24, MERCH-25, MERCH-26, MERCH-27]', async () => {
  const { save, read } = await openForm()
  const wrong = { name: ' ', categoryId: '', price: '0', description: '\n' }
  const right = { name: 'Moon', categoryId: 'walls', price: '45', description: 'Round.' }
  const fields = ['name', 'categoryId', 'price', 'description', 'images'] as const
  for (const [index, field] of fields.entries()) {
    const corrected = Object.fromEntries(
      fields.slice(0, index).map((name) => [name, right[name as keyof typeof right]]),
    )
    const { status, errors, words } = await save({ ...wrong, ...corrected }, [])
    expect(status).toBe(422)
    expect(errors).toEqual([[field, texts[index]]])
    expect(texts.filter((text) => words.includes(text))).toEqual([texts[index]])
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
    const { status, errors, page } = await save({ price })
    expect(status, price).toBe(422)
    expect(errors, price).toEqual([['price', 'Please Enter a Valid Price']])
    const field = page.getByRole('textbox', {
      name: 'Price *',
      description: /Enter a price such as 12.50/,
    })
    expect(field.getAttribute('value')).toBe(price)
  }
  for (const price of ['12,50', ' $12.5 ', '12.50', '0.01', '9999999.99', '€ 1.234,56', '1 000']) {
    expect((await save({ price })).status).toBe(303)
  }
  expect(
    (await read()).map(({ priceCents }) => priceCents).sort((left, right) => left - right),
  ).toEqual([1, 1250, 1250, 1250, 100_000, 123_456, 999_999_999])
})

test('the item form refuses a text that is longer than the limit, and the error names the limit [MERCH-23, MERCH-28]', async () => {
  const { save, read } = await openForm()
  const long = 'n'.repeat(10_000)
  const { status, errors, page } = await save({ name: long })
  expect(status).toBe(422)
  expect(errors).toEqual([['name', 'Please Use at Most 200 Characters (now 10000)']])
  expect(page.getByLabelText('Name *').getAttribute('value')).toBe(long)
  expect((await save({ description: `${long}!` })).errors).toEqual([
    ['description', 'Please Use at Most 10000 Characters (now 10001)'],
  ])
  for (const field of ['width', 'soleType', 'size']) {
    expect((await save({ [field]: 'x'.repeat(201) })).errors).toEqual([
      [field, 'Please Use at Most 200 Characters (now 201)'],
    ])
  }
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
  for (const field of ['name', 'description', 'size']) {
    expect((await save({ [field]: 'caf\uFFFD' })).errors).toEqual([
      [field, 'Some of the characters could not be read'],
    ])
  }
})

test('when the selected category was deleted, the item form asks for a category and keeps the typed values [MERCH-24]', async () => {
  const { db, save, read, storage } = await openForm()
  await db.deleteFrom('categories').execute()
  const { status, errors, page, words } = await save({ name: 'Typed name' })
  expect(status).toBe(422)
  expect(errors).toEqual([['categoryId', 'Please Select a Category']])
  expect(page.getByLabelText('Name *').getAttribute('value')).toBe('Typed name')
  expect(words).toContain('choose them again')
  expect(await read()).toEqual([])
  expect(await storage.list()).toEqual([])
})
