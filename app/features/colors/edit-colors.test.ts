import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf, messagesOf } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { filterColors, MAX_COLOR_NAME_LENGTH } from './color-fields.ts'
import { colorFormTexts } from './texts.ts'

const path = '/manage/colors/'
const addForm = (name: string, file: File | null = photo()) =>
  formOf({ intent: 'add', name, file: file ?? [] })
const changeForm = (id: string, name: string, was: string, file: File | null = null) =>
  formOf({ intent: 'change', id, name, was, file: file ?? [] })

const open = async () => {
  const shop = await openTestShop()
  return { ...shop, owner: await shop.owner() }
}

/** Returns the HTML of a color's card on the owner's Colors page. */
const cardOf = (html: string, name: string) =>
  html.split('<li ').find((card) => card.includes(`>${name}</h2>`))!

async function openTwoColors() {
  const shop = await open()
  await addColor(shop.db, 'ash', { name: 'Ash_grey_two', isLowOnStock: 1 })
  await addColor(shop.db, 'red', { name: 'Red', isAvailable: 0 })
  const html = await shop.owner.page(path)
  return { html, ash: cardOf(html, 'Ash grey two'), red: cardOf(html, 'Red') }
}

test('the Colors page shows a delete button for each color, and shows color names without underscores [NAV-07, ROLES-19, COLOR-01, COLOR-02, COLOR-03, COLOR-04]', async () => {
  const { html, ash, red } = await openTwoColors()
  expect(html).not.toContain('Ash_grey_two<')
  expect(ash).toContain('aria-label="Delete Ash grey two"')
  expect(red).toContain('aria-label="Delete Red"')
})

test('each color has the checkboxes “available” and “low stock”, which show the stored state of the color [COLOR-05, COLOR-06]', async () => {
  const { ash, red } = await openTwoColors()
  const boxes = (card: string) =>
    [...card.matchAll(/<input type="checkbox"[^>]*aria-label="([^"]*)"[^>]*>/g)].map(
      ([box, label]) => [label, box.includes('checked=""')],
    )
  expect([boxes(ash), boxes(red)]).toEqual([
    [
      ['available (Ash grey two)', true],
      ['low stock (Ash grey two)', true],
    ],
    [
      ['available (Red)', false],
      ['low stock (Red)', false],
    ],
  ])
})

test('the form for a new color has the fields “Name” and “Image” [COLOR-09, COLOR-10]', async () => {
  const { owner } = await open()
  const form = /<form[^>]*aria-labelledby="add-color".*?<\/form>/s.exec(await owner.page(path))![0]
  expect(form).toMatch(
    /<label for="color-name">Name<\/label><input[^>]*id="color-name"[^>]*name="name"/,
  )
  const [, id] = /<label[^>]*for="([^"]+)">Image<\/label>/.exec(form)!
  expect(form).toMatch(new RegExp(`<input[^>]*id="${id}"[^>]*type="file"[^>]*name="file"`))
})

test('a new color is available and not low on stock, and the path of its image starts with “colors/” [COLOR-11, COLOR-13, COLOR-14, FILES-02, FILES-05, DATA-120]', async () => {
  const { db, owner, clock, changedTopics } = await open()

  const added = await owner.act(path, addForm(' Dusty  rose ', photo()))

  expect(added.status).toBe(200)
  const colors = await db
    .selectFrom('colors')
    .innerJoin('pictures', 'pictures.id', 'colors.pictureId')
    .selectAll('colors')
    .select('path')
    .execute()
  expect(colors).toMatchObject([
    { name: 'Dusty_rose', isAvailable: 1, isLowOnStock: 0, createdAt: clock.now },
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
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 0, createdAt: clock.now }])
  clock.now += 5
  await owner.act(path, { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 1, createdAt: clock.now }])
  await owner.act(path, { intent: 'mark', id: 'ash', mark: 'isAvailable', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: 1, isLowOnStock: 1, createdAt: clock.now }])

  expect(changedTopics).toEqual(['catalog', 'catalog', 'catalog'])
  const red = await db
    .selectFrom('colors')
    .select(['isAvailable', 'isLowOnStock', 'createdAt'])
    .where('id', '=', 'red')
    .execute()
  expect(red).toEqual([{ isAvailable: 1, isLowOnStock: 0, createdAt: 1000 }])
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
  const { db, storage, owner, clock, changedTopics } = await open()
  await owner.act(path, addForm('Ash'))
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  changedTopics.length = 0

  for (const confirm of ['', 'No'])
    expect((await owner.act(path, { intent: 'delete', id, confirm })).status).toBe(400)
  expect([await db.selectFrom('colors').select('id').execute(), changedTopics]).toEqual([
    [{ id }],
    [],
  ])
  expect((await owner.act(path, { intent: 'delete', id, confirm: 'Yes' })).status).toBe(200)

  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
  expect(await storage.list()).toEqual([])
  expect(changedTopics).toContain('catalog')
  const acts = await db
    .selectFrom('audit')
    .select(['act', 'subject', 'at'])
    .orderBy('seq')
    .execute()
  expect(acts.at(-1)).toEqual({ act: 'delete-color', subject: id, at: clock.now })
})

test('before a color is deleted, a dialog names the items that will lose this color [S-100]', async () => {
  const { db, owner, visitor } = await open()
  await addColor(db, 'ash', { name: 'Ash_grey', discountType: 'percent', discountValue: 500 })
  await addColor(db, 'red', { name: 'Red' })
  const category = await addCategory(db, 'hangers')
  for (const name of ['Fern', 'Ivy', 'Moss', 'Palm', 'Reed', 'Sage & co'])
    await addItem(db, name.slice(0, 4).trim(), category, {
      name,
      pictures: [{ colors: ['ash', 'red'] }, { colors: ['ash'] }],
    })

  const html = await owner.page(path)
  const card = cardOf(html, 'Ash grey')
  expect(card).toContain('Delete the color Ash grey?')
  expect(card).toContain('Used by 6 pieces.')
  expect(
    [...card.matchAll(/href="(\/manage\/item\/[^"]*)"[^>]*>([^<]*)</g)].map(([, ...link]) => link),
  ).toEqual(['Fern', 'Ivy', 'Moss', 'Palm', 'Reed'].map((name) => [`/manage/item/${name}`, name]))
  expect(card).toContain('and 1 more')
  expect(card).toContain('5% OFF')
  await db.deleteFrom('items').where('id', '!=', 'Fern').execute()
  expect(cardOf(await owner.page(path), 'Red')).toContain('Used by 1 piece.')

  const item = () => visitor().page('/item/Fern/')
  expect(await item()).toContain('Ash grey')
  await owner.act(path, { intent: 'delete', id: 'ash', confirm: 'Yes' })
  const after = await item()
  expect([after.includes('Ash grey'), after.includes('Red')]).toEqual([false, true])
  expect(await db.selectFrom('itemPictureColors').select('colorId').distinct().execute()).toEqual([
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
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(text)])
  }
  for (const name of ['Sea green', 'Sea  green ', 'Sea_green'])
    await owner.act(path, addForm(name, photo()))
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
    expect([answer.status, messagesOf(html)]).toEqual([500, []])
    expect(cardOf(html, 'ash')).toContain('available (ash)')
  }
  expect(await db.selectFrom('colors').select(['id', 'name', 'isAvailable']).execute()).toEqual([
    { id: 'ash', name: 'ash', isAvailable: 1 },
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

test('the owner can change the name and image of a color, and a new image keeps a name saved in another window', async () => {
  const { db, owner } = await open()
  await owner.act(path, addForm('Mustrad'))
  const stored = () =>
    db
      .selectFrom('colors')
      .innerJoin('pictures', 'pictures.id', 'colors.pictureId')
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
  expect([
    (await owner.get(`/pictures/${before.path}`)).status,
    (await owner.get(`/pictures/${after.path}`)).status,
  ]).toEqual([404, 200])

  const refused = await owner.act(path, changeForm(before.id, ' ', 'Mustard_yellow'))
  expect(refused).toEqual({ status: 422, text: expect.stringContaining(colorFormTexts.noName) })
  expect(await stored()).toEqual(after)
  const history = (await owner.page('/manage/history/')).replaceAll(/<!--.*?-->|<[^>]*>/g, '')
  expect(history).toContain('Name: from Mustrad →  to Mustard yellow')
})

test('the owner can filter colors by name, and list only colors that are low on stock or not available', () => {
  const [all, low, gone] = [
    { isAvailable: true, isLowOnStock: false },
    { isLowOnStock: true },
    { isAvailable: false },
  ]
  const colors = [
    { ...all, name: 'Dusty_Rose' },
    { ...all, ...low, name: 'Rosé' },
    { ...all, ...gone, name: 'Navy' },
  ]
  const found = (words: string, only: 'all' | 'low' | 'gone' = 'all') =>
    filterColors(colors, { words, only }).map(({ name }) => name)
  expect([found(''), found(' rose '), found('rose dust'), found('DUSTY_R'), found('x')]).toEqual([
    ['Dusty_Rose', 'Rosé', 'Navy'],
    ['Dusty_Rose', 'Rosé'],
    ['Dusty_Rose'],
    ['Dusty_Rose'],
    [],
  ])
  expect([found('', 'low'), found('', 'gone'), found('rose', 'gone')]).toEqual([
    ['Rosé'],
    ['Navy'],
    [],
  ])
})
