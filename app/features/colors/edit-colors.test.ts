import { describe, expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf, messagesOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type ShopOptions } from '#test/fixtures/test-shop.ts'
import { filterColors, MAX_COLOR_NAME_LENGTH } from './color-fields.ts'
import { colorFormTexts } from './texts.ts'

const path = '/manage/colors/'
const addForm = (name: string, file: File | null = photo()) =>
  formOf({ intent: 'add', name, file: file ?? [] })
const changeForm = (id: string, name: string, was: string, file: File | null = null) =>
  formOf({ intent: 'change', id, name, was, file: file ?? [] })

const open = async (options: ShopOptions = {}) => {
  const shop = await openTestShop(options)
  return { ...shop, owner: await shop.owner() }
}

const cardOf = (html: string, name: string) =>
  pageOf(html).getByRole('heading', { level: 2, name }).closest('li')!

describe('the Colors page', () => {
  const shop = shared(async (onCleanup) => {
    const shop = await open({ onCleanup })
    await addColor(shop.db, 'ash', { name: 'Ash_grey_two', isLowOnStock: true })
    await addColor(shop.db, 'red', { name: 'Red', isAvailable: false })
    return shop
  })
  const readCard = async (name: string) => within(cardOf(await shop().owner.page(path), name))

  test.each(['Ash grey two', 'Red'])(
    'the Colors page shows color names without underscores, and a delete button for the color “%s” [NAV-07, ROLES-19, COLOR-01, COLOR-02, COLOR-03, COLOR-04]',
    async (name) => {
      const card = await readCard(name)
      expect(card.getByRole('button', { name: `Delete ${name}` })).toBeTruthy()
    },
  )

  test.each([
    { name: 'Ash grey two', isAvailable: true, isLowOnStock: true },
    { name: 'Red', isAvailable: false, isLowOnStock: false },
  ])(
    'the Colors page has the checkboxes “available” and “low stock”, which show the stored state of the color “$name” [COLOR-05, COLOR-06]',
    async ({ name, isAvailable, isLowOnStock }) => {
      const card = await readCard(name)
      const isChecked = (mark: string) =>
        card.getByRole('checkbox', { name: `${mark} (${name})` }).hasAttribute('checked')
      expect(isChecked('available')).toBe(isAvailable)
      expect(isChecked('low stock')).toBe(isLowOnStock)
    },
  )

  test('the Colors page has a form for a new color with the fields “Name” and “Image” [COLOR-09, COLOR-10]', async () => {
    const page = pageOf(await shop().owner.page(path))
    const form = within(page.getByRole('form', { name: 'Add Color' }))
    expect(form.getByRole('textbox', { name: 'Name' }).getAttribute('name')).toBe('name')
    const image = form.getByLabelText('Image')
    expect(image.getAttribute('type')).toBe('file')
    expect(image.getAttribute('name')).toBe('file')
  })
})

test('a new color is available and not low on stock, and the path of its image starts with “colors/” [COLOR-11, COLOR-13, COLOR-14, FILES-02, FILES-05, DATA-120]', async () => {
  const { db, owner, clock, changedTopics } = await open()

  const added = await owner.act(path, addForm(' Dusty  rose ', photo()))

  expect(added.status).toBe(200)
  const colors = await db
    .selectFrom('colors')
    .innerJoin('images', 'images.id', 'colors.imageId')
    .selectAll('colors')
    .select('path')
    .execute()
  expect(colors).toMatchObject([
    { name: 'Dusty_rose', isAvailable: true, isLowOnStock: false, createdAt: clock.now },
  ])
  expect(colors[0]!.path).toMatch(/^colors\/[A-Za-z0-9]{8,}\.jpg$/)
  expect((await owner.get(`/pictures/${colors[0]!.path}`)).status).toBe(200)
  expect(changedTopics).toContain('catalog')
  expect(await db.selectFrom('audit').select(['act', 'actor']).execute()).toEqual([
    { act: 'add-color', actor: 'owner' },
  ])
})

test('each checkbox of a color saves only its own value [COLOR-07, COLOR-08, DATA-123]', async () => {
  const { db, owner, clock, changedTopics } = await open()
  await addColor(db, 'ash')
  await addColor(db, 'red')
  const stored = () =>
    db
      .selectFrom('colors')
      .select(['isAvailable', 'isLowOnStock', 'createdAt'])
      .where('id', '=', 'ash')
      .execute()
  changedTopics.length = 0

  await owner.act(path, { intent: 'mark', id: 'ash', mark: 'isAvailable' })
  expect(await stored()).toEqual([
    { isAvailable: false, isLowOnStock: false, createdAt: clock.now },
  ])
  clock.now += 5
  await owner.act(path, { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: false, isLowOnStock: true, createdAt: clock.now }])
  await owner.act(path, { intent: 'mark', id: 'ash', mark: 'isAvailable', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: true, isLowOnStock: true, createdAt: clock.now }])

  expect(changedTopics).toEqual(['catalog', 'catalog', 'catalog'])
  const red = await db
    .selectFrom('colors')
    .select(['isAvailable', 'isLowOnStock', 'createdAt'])
    .where('id', '=', 'red')
    .execute()
  expect(red).toEqual([{ isAvailable: true, isLowOnStock: false, createdAt: 1000 }])
  const acts = await db
    .selectFrom('audit')
    .select(['act', 'subject', 'detail'])
    .orderBy('seq')
    .execute()
  expect(acts.map(({ act, subject, detail }) => [act, subject, JSON.parse(detail)])).toEqual([
    ['mark-color', 'ash', { isAvailable: false }],
    ['mark-color', 'ash', { isLowOnStock: true }],
    ['mark-color', 'ash', { isAvailable: true }],
  ])
})

test('the shop deletes a color and its image file only if the owner confirms with “Yes” [COLOR-12, DATA-121, FILES-06, FILES-09]', async () => {
  const { db, storage, owner, visitor, clock, changedTopics } = await open()
  await owner.act(path, addForm('Ash'))
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  const image = await db.selectFrom('images').select('path').executeTakeFirstOrThrow()
  const imageStatus = async () => (await visitor().get(`/pictures/${image.path}`)).status
  expect(await imageStatus()).toBe(200)
  changedTopics.length = 0

  for (const confirm of ['', 'No']) {
    expect((await owner.act(path, { intent: 'delete', id, confirm })).status).toBe(400)
  }
  expect(await db.selectFrom('colors').select('id').execute()).toEqual([{ id }])
  expect(changedTopics).toEqual([])
  expect((await owner.act(path, { intent: 'delete', id, confirm: 'Yes' })).status).toBe(200)

  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
  expect(await storage.list()).toEqual([])
  expect(await db.selectFrom('images').selectAll().execute()).toEqual([])
  expect(await imageStatus()).toBe(404)
  expect(changedTopics).toContain('catalog')
  const acts = await db
    .selectFrom('audit')
    .select(['act', 'subject', 'at'])
    .orderBy('seq')
    .execute()
  expect(acts.at(-1)).toEqual({ act: 'delete-color', subject: id, at: clock.now })
})

test('the owner adds, renames, marks and deletes a color on the Colors page [ROLES-19]', async () => {
  const { db, owner, customer } = await open()
  const read = async () => pageOf(await owner.page(path))
  const colorNames = async () =>
    (await read())
      .queryAllByRole('button', { name: /^Delete / })
      .map((button) => button.getAttribute('aria-label'))
  expect((await owner.act(path, addForm('Mustrad'))).status).toBe(200)
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  expect((await owner.act(path, changeForm(id, 'Mustard', 'Mustrad'))).status).toBe(200)
  await owner.act(path, { intent: 'mark', id, mark: 'isLowOnStock', on: 'on' })
  const card = within(cardOf(await owner.page(path), 'Mustard'))
  expect(card.getByRole('checkbox', { name: 'low stock (Mustard)' }).hasAttribute('checked')).toBe(
    true,
  )
  const ann = await customer()
  const forms = [addForm('Red'), changeForm(id, 'Red', 'Mustard')]
  for (const form of [...forms, formOf({ intent: 'delete', id, confirm: 'Yes' })]) {
    expect((await ann.post(path, form)).headers.get('location')).toBe('/')
  }
  expect(await colorNames()).toEqual(['Delete Mustard'])
  expect((await owner.act(path, { intent: 'delete', id, confirm: 'Yes' })).status).toBe(200)
  expect(await colorNames()).toEqual([])
})

test('before a color is deleted, a dialog names the items that will lose this color [S-100]', async () => {
  const { db, owner, visitor } = await open()
  await addColor(db, 'ash', { name: 'Ash_grey', discountType: 'percent', discountValue: 500 })
  await addColor(db, 'red', { name: 'Red' })
  const category = await addCategory(db, 'hangers')
  for (const name of ['Fern', 'Ivy', 'Moss', 'Palm', 'Reed', 'Sage & co']) {
    await addItem(db, name.slice(0, 4).trim(), category, {
      name,
      images: [{ colors: ['ash', 'red'] }, { colors: ['ash'] }],
    })
  }

  const card = cardOf(await owner.page(path), 'Ash grey')
  const links = [...card.querySelectorAll('a')]
  expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual(
    ['Fern', 'Ivy', 'Moss', 'Palm', 'Reed'].map((name) => [`/manage/item/${name}`, name]),
  )
  for (const text of ['Delete the color Ash grey?', 'Used by 6 pieces.', 'and 1 more', '5% OFF']) {
    expect(card.textContent).toContain(text)
  }
  await db.deleteFrom('items').where('id', '!=', 'Fern').execute()
  expect(cardOf(await owner.page(path), 'Red').textContent).toContain('Used by 1 piece.')

  const item = () => visitor().page('/item/Fern/')
  expect(await item()).toContain('Ash grey')
  await owner.act(path, { intent: 'delete', id: 'ash', confirm: 'Yes' })
  const after = await item()
  expect(after).not.toContain('Ash grey')
  expect(after).toContain('Red')
  expect(await db.selectFrom('itemImageColors').select('colorId').distinct().execute()).toEqual([
    { colorId: 'red' },
  ])
})

test('a color name that is empty or too long is refused, but several colors may have the same name [S-102, S-103]', async () => {
  const { db, owner } = await open()
  for (const [name, text] of [
    ['  ', colorFormTexts.noName],
    ['', colorFormTexts.noName],
    ['x'.repeat(MAX_COLOR_NAME_LENGTH + 1), colorFormTexts.tooLong(MAX_COLOR_NAME_LENGTH)],
  ] as const) {
    const refused = await owner.act(path, addForm(name, photo()))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
  }
  for (const name of ['Sea green', 'Sea  green ', 'Sea_green']) {
    await owner.act(path, addForm(name, photo()))
  }
  expect(await db.selectFrom('colors').select('name').execute()).toEqual(
    Array(3).fill({ name: 'Sea_green' }),
  )
})

test('when a color cannot be saved, the error is logged, no toast appears, and no file stays in the storage [COLOR-18]', async () => {
  const { db, storage, owner, logged } = await open()
  await addColor(db, 'ash')
  await db.schema.dropTable('audit').execute()

  for (const form of [
    formOf({ intent: 'mark', id: 'ash', mark: 'isAvailable' }),
    addForm('Rose'),
    changeForm('ash', 'Rose', 'ash', photo()),
    formOf({ intent: 'delete', id: 'ash', confirm: 'Yes' }),
  ]) {
    const answer = await owner.post(path, form)
    const html = await answer.text()
    expect(answer.status).toBe(500)
    expect(messagesOf(html)).toEqual([])
    expect(within(cardOf(html, 'ash')).getByLabelText('available (ash)')).toBeTruthy()
  }
  expect(await db.selectFrom('colors').select(['id', 'name', 'isAvailable']).execute()).toEqual([
    { id: 'ash', name: 'ash', isAvailable: true },
  ])
  expect(await storage.list()).toEqual([])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(4)
})

test('a form of the Colors page is refused if it names an unknown color or an unknown action', async () => {
  const { owner } = await open()

  expect((await owner.act(path, { intent: 'mark', id: 'gone', mark: 'isAvailable' })).status).toBe(
    404,
  )
  expect((await owner.act(path, { intent: 'delete', id: 'gone', confirm: 'Yes' })).status).toBe(404)
  expect((await owner.act(path, { intent: 'mark', id: 'x', mark: 'name' })).status).toBe(400)
  expect((await owner.act(path, changeForm('gone', 'x', 'y'))).status).toBe(404)
  expect((await owner.act(path, {})).status).toBe(400)
})

test('the owner can change the name and image of a color, and a new image does not overwrite a name that another window has saved', async () => {
  const { db, owner } = await open()
  await owner.act(path, addForm('Mustrad'))
  const stored = () =>
    db
      .selectFrom('colors')
      .innerJoin('images', 'images.id', 'colors.imageId')
      .select(['colors.id', 'name', 'path'])
      .executeTakeFirstOrThrow()
  const before = await stored()

  expect((await owner.act(path, changeForm(before.id, 'Mustard yellow', 'Mustrad'))).status).toBe(
    200,
  )
  expect(await stored()).toEqual({ ...before, name: 'Mustard_yellow' })
  await owner.act(path, changeForm(before.id, 'Mustrad', 'Mustrad', photo()))
  const after = await stored()
  expect(after).toEqual({ ...before, name: 'Mustard_yellow', path: after.path })
  expect((await owner.get(`/pictures/${before.path}`)).status).toBe(404)
  expect((await owner.get(`/pictures/${after.path}`)).status).toBe(200)

  const refused = await owner.act(path, changeForm(before.id, ' ', 'Mustard_yellow'))
  expect(refused).toEqual({ status: 422, text: expect.stringContaining(colorFormTexts.noName) })
  expect(await stored()).toEqual(after)
  const history = wordsOf(await owner.page('/manage/history/'))
  expect(history).toContain('Name: from Mustrad → to Mustard yellow')
})

test('the owner can filter colors by name, and list only colors that are low on stock or not available', () => {
  const all = { isAvailable: true, isLowOnStock: false }
  const low = { isLowOnStock: true }
  const gone = { isAvailable: false }
  const colors = [
    { ...all, name: 'Dusty_Rose' },
    { ...all, ...low, name: 'Rosé' },
    { ...all, ...gone, name: 'Navy' },
  ]
  const names = (words: string, only: 'all' | 'low' | 'gone' = 'all') =>
    filterColors(colors, { words, only }).map(({ name }) => name)
  expect(names('')).toEqual(['Dusty_Rose', 'Rosé', 'Navy'])
  expect(names(' rose ')).toEqual(['Dusty_Rose', 'Rosé'])
  expect(names('rose dust')).toEqual(['Dusty_Rose'])
  expect(names('DUSTY_R')).toEqual(['Dusty_Rose'])
  expect(names('x')).toEqual([])
  expect(names('', 'low')).toEqual(['Rosé'])
  expect(names('', 'gone')).toEqual(['Navy'])
  expect(names('rose', 'gone')).toEqual([])
})
