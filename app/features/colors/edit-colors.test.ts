import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { filterColors, LONGEST_NAME, NAME_TOO_LONG, NO_COLOR_NAME } from './color-fields.ts'

const image = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
    .png()
    .toBuffer()
const file = (bytes: Uint8Array<ArrayBuffer>, name = 'swatch.png', type = 'image/png') => new File([bytes], name, { type })

async function addForm(name: string, picture: File | null) {
  const form = new FormData()
  form.set('intent', 'add')
  form.set('name', name)
  if (picture) form.set('file', picture)
  return form
}

async function changeForm(id: string, name: string, was: string, picture: File | null = null) {
  const form = await addForm(name, picture)
  form.set('intent', 'change')
  form.set('id', id)
  form.set('was', was)
  return form
}

const open = async () => {
  const shop = await openTestShop()
  return { ...shop, owner: await shop.owner() }
}

/** The card of one colour, up to the next one. */
const cardOf = (html: string, name: string) => html.split('<li ').find((card) => card.includes(`>${name}</h2>`))!
const isChecked = (card: string, label: string) => new RegExp(`<input[^>]*aria-label="${label}[^>]*checked=""`).test(card)

test('NAV-07 ROLES-19 COLOR-01 COLOR-02 COLOR-03 COLOR-04 COLOR-05 COLOR-06 each colour is a card with delete, name and two boxes that tell what is stored', async () => {
  const { db, owner } = await open()
  await addColor(db, 'ash', { name: 'Ash_grey_two', isLowOnStock: 1 })
  await addColor(db, 'red', { name: 'Red', isAvailable: 0 })

  const html = await owner.page('/manage/colors/')
  const [ash, red] = [cardOf(html, 'Ash grey two'), cardOf(html, 'Red')]

  expect(html).not.toContain('Ash_grey_two<')
  for (const [card, name] of [
    [ash, 'Ash grey two'],
    [red, 'Red'],
  ] as const) {
    expect(card).toContain(`aria-label="Delete ${name}"`)
    expect(card).toMatch(new RegExp(`<input type="checkbox"[^>]*aria-label="available \\(${name}\\)"`))
    expect(card).toMatch(new RegExp(`<input type="checkbox"[^>]*aria-label="low stock \\(${name}\\)"`))
  }
  const marks = (card: string) => [isChecked(card, 'available'), isChecked(card, 'low stock')]
  expect([marks(ash), marks(red)]).toEqual([
    [true, true],
    [false, false],
  ])
})

test('COLOR-09 COLOR-10 the form for a new colour has a name and an image', async () => {
  const { owner } = await open()
  const form = /<form[^>]*aria-labelledby="add-color".*?<\/form>/s.exec(await owner.page('/manage/colors/'))![0]
  expect(form).toMatch(/<label for="color-name">Name<\/label><input[^>]*id="color-name"[^>]*name="name"/)
  const [, id] = /<label[^>]*for="([^"]+)">Image<\/label>/.exec(form)!
  expect(form).toMatch(new RegExp(`<input[^>]*id="${id}"[^>]*type="file"[^>]*name="file"`))
})

test('COLOR-11 COLOR-13 COLOR-14 FILES-02 FILES-04 FILES-05 DATA-120 a new colour is available, not low, and its image stands under colors/', async () => {
  const { db, owner, clock, heard } = await open()

  const added = await owner.act('/manage/colors/', await addForm(' Dusty  rose ', file(new Uint8Array(await image()))))

  expect(added.status).toBe(200)
  const colors = await db
    .selectFrom('colors')
    .innerJoin('pictures', 'pictures.id', 'colors.pictureId')
    .selectAll('colors')
    .select('path')
    .execute()
  expect(colors).toMatchObject([{ name: 'Dusty_rose', isAvailable: 1, isLowOnStock: 0, createdAt: clock.now }])
  expect(colors[0]!.path).toMatch(/^colors\/[A-Za-z0-9]{8,}\.png$/)
  expect((await owner.get(`/pictures/${colors[0]!.path}`)).status).toBe(200)
  expect(heard).toContain('catalogue')
  expect(await db.selectFrom('audit').select(['act', 'actor']).execute()).toEqual([{ act: 'add-color', actor: 'owner' }])
})

test('COLOR-07 COLOR-08 DATA-123 the boxes write at once, each its own mark of its own colour', async () => {
  const { db, owner, clock, heard } = await open()
  await addColor(db, 'ash')
  await addColor(db, 'red')
  const stored = () => db.selectFrom('colors').select(['isAvailable', 'isLowOnStock', 'createdAt']).where('id', '=', 'ash').execute()
  heard.length = 0

  await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isAvailable' })
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 0, createdAt: clock.now }])
  clock.now += 5
  await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 1, createdAt: clock.now }])
  await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isAvailable', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: 1, isLowOnStock: 1, createdAt: clock.now }])

  expect(heard).toEqual(['catalogue', 'catalogue', 'catalogue'])
  const red = await db.selectFrom('colors').select(['isAvailable', 'isLowOnStock', 'createdAt']).where('id', '=', 'red').execute()
  expect(red).toEqual([{ isAvailable: 1, isLowOnStock: 0, createdAt: 1000 }])
  const acts = await db.selectFrom('audit').select(['act', 'subject', 'detail']).orderBy('seq').execute()
  expect(acts.map(({ act, subject, detail }) => [act, subject, JSON.parse(detail)])).toEqual([
    ['mark-color', 'ash', { isAvailable: false }],
    ['mark-color', 'ash', { isLowOnStock: true }],
    ['mark-color', 'ash', { isAvailable: true }],
  ])
})

test('COLOR-12 DATA-121 FILES-06 FILES-09 deleting asks, and takes the file along', async () => {
  const { db, files, owner, clock, heard } = await open()
  await owner.act('/manage/colors/', await addForm('Ash', file(new Uint8Array(await image()))))
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  heard.length = 0

  for (const confirm of ['', 'No']) expect((await owner.act('/manage/colors/', { intent: 'delete', id, confirm })).status).toBe(400)
  expect([await db.selectFrom('colors').select('id').execute(), heard]).toEqual([[{ id }], []])
  expect((await owner.act('/manage/colors/', { intent: 'delete', id, confirm: 'Yes' })).status).toBe(200)

  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
  expect(await files.list()).toEqual([])
  expect(heard).toContain('catalogue')
  const acts = await db.selectFrom('audit').select(['act', 'subject', 'at']).orderBy('seq').execute()
  expect(acts.at(-1)).toEqual({ act: 'delete-color', subject: id, at: clock.now })
})

test('S-100 the question says which pieces use the colour and what discount goes; after Yes their pages leave it out', async () => {
  const { db, owner, visitor } = await open()
  await addColor(db, 'ash', { name: 'Ash_grey', discountType: 'percent', discountValue: 500 })
  await addColor(db, 'red', { name: 'Red' })
  const category = await addCategory(db, 'hangers')
  for (const name of ['Fern', 'Ivy', 'Moss', 'Palm', 'Reed', 'Sage & co'])
    await addItem(db, name.slice(0, 4).trim(), category, { name, pictures: [{ colors: ['ash', 'red'] }, { colors: ['ash'] }] })

  const html = await owner.page('/manage/colors/')
  const card = cardOf(html, 'Ash grey')
  expect(card).toContain('Delete the color Ash grey?')
  expect(card).toContain('Used by 6 pieces.')
  expect([...card.matchAll(/href="(\/manage\/item\/[^"]*)"[^>]*>([^<]*)</g)].map(([, ...link]) => link)).toEqual(
    ['Fern', 'Ivy', 'Moss', 'Palm', 'Reed'].map((name) => [`/manage/item/${name}`, name]),
  )
  expect(card).toContain('and 1 more')
  expect(card).toContain('5% OFF')
  await db.deleteFrom('items').where('id', '!=', 'Fern').execute()
  expect(cardOf(await owner.page('/manage/colors/'), 'Red')).toContain('Used by 1 piece.')

  const item = () => visitor().page('/item/Fern/')
  expect(await item()).toContain('Ash grey')
  await owner.act('/manage/colors/', { intent: 'delete', id: 'ash', confirm: 'Yes' })
  const after = await item()
  expect([after.includes('Ash grey'), after.includes('Red')]).toEqual([false, true])
  expect(await db.selectFrom('itemPictureColors').select('colorId').distinct().execute()).toEqual([{ colorId: 'red' }])
})

test('S-102 S-103 an empty name is refused, a doubled one is not, and spaces are stored as underscores', async () => {
  const { db, owner } = await open()
  const bytes = new Uint8Array(await image())
  for (const [name, text] of [
    ['  ', NO_COLOR_NAME],
    ['', NO_COLOR_NAME],
    ['x'.repeat(LONGEST_NAME + 1), NAME_TOO_LONG],
  ] as const) {
    const refused = await owner.act('/manage/colors/', await addForm(name, file(bytes)))
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(text)])
  }
  for (const name of ['Sea green', 'Sea  green ', 'Sea_green']) await owner.act('/manage/colors/', await addForm(name, file(bytes)))
  expect(await db.selectFrom('colors').select('name').execute()).toEqual(Array(3).fill({ name: 'Sea_green' }))
})

test('COLOR-15 COLOR-16 COLOR-17 ERR-08 the picker says what is missing, and nothing is written', async () => {
  const { db, owner } = await open()
  const tooBig = file(new Uint8Array(10_485_761))
  const texts = ['select file', 'select image', 'too big']
  for (const [picked, text] of [
    [null, 'select file'],
    [file(new Uint8Array([1]), 'a.txt', 'text/plain'), 'select image'],
    [file(new Uint8Array([1, 2, 3])), 'select image'],
    [tooBig, 'too big'],
  ] as const) {
    const refused = await owner.act('/manage/colors/', await addForm('Ash', picked))
    expect([refused.status, texts.filter((one) => refused.text.includes(one))]).toEqual([422, [text]])
  }
  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
})

test('COLOR-18 a failure is only logged, and leaves no file', async () => {
  const { db, files, owner, logged } = await open()
  await addColor(db, 'ash')
  await db.schema.dropTable('audit').execute()

  const marked = await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isAvailable' })
  const added = await owner.act('/manage/colors/', await addForm('Rose', file(new Uint8Array(await image()))))
  const changed = await owner.act('/manage/colors/', await changeForm('ash', 'Rose', 'ash', file(new Uint8Array(await image()))))
  const deleted = await owner.act('/manage/colors/', { intent: 'delete', id: 'ash', confirm: 'Yes' })

  for (const { status, text } of [marked, added, changed, deleted]) {
    expect(status).toBe(500)
    expect(text).not.toMatch(/toasts|error/i)
  }
  expect(await db.selectFrom('colors').select(['id', 'name', 'isAvailable']).execute()).toEqual([
    { id: 'ash', name: 'ash', isAvailable: 1 },
  ])
  expect(await files.list()).toEqual([])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(4)
})

test('unknown colours and unreadable forms give no 500', async () => {
  const { owner } = await open()

  expect((await owner.act('/manage/colors/', { intent: 'mark', id: 'gone', mark: 'isAvailable' })).status).toBe(404)
  expect((await owner.act('/manage/colors/', { intent: 'delete', id: 'gone', confirm: 'Yes' })).status).toBe(404)
  expect((await owner.act('/manage/colors/', { intent: 'mark', id: 'x', mark: 'name' })).status).toBe(400)
  expect((await owner.act('/manage/colors/', await changeForm('gone', 'x', 'y'))).status).toBe(404)
  expect((await owner.act('/manage/colors/', {})).status).toBe(400)
})

test('decision 019: a colour can be given another name and another picture, and keeps its marks and its pieces', async () => {
  const { db, files, owner, heard } = await open()
  await owner.act('/manage/colors/', await addForm('Mustrad', file(new Uint8Array(await image()))))
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  await owner.act('/manage/colors/', { intent: 'mark', id, mark: 'isLowOnStock', on: 'on' })
  const stored = () =>
    db
      .selectFrom('colors')
      .innerJoin('pictures', 'pictures.id', 'colors.pictureId')
      .select(['colors.id', 'name', 'isLowOnStock', 'path'])
      .executeTakeFirstOrThrow()
  const before = await stored()
  heard.length = 0

  expect((await owner.act('/manage/colors/', await changeForm(id, 'Mustard yellow', 'Mustrad'))).status).toBe(200)
  expect(await stored()).toEqual({ ...before, name: 'Mustard_yellow' })
  await owner.act('/manage/colors/', await changeForm(id, 'Mustrad', 'Mustrad', file(new Uint8Array(await image()))))
  const after = await stored()
  // The second window only changed the picture: the name that the first has corrected stays.
  expect(after).toEqual({ ...before, name: 'Mustard_yellow', path: after.path })
  expect([(await owner.get(`/pictures/${before.path}`)).status, (await owner.get(`/pictures/${after.path}`)).status]).toEqual([404, 200])
  expect(heard).toEqual(['catalogue', 'catalogue'])

  const kept = await files.list()
  for (const [form, text] of [
    [await changeForm(id, ' ', 'Mustard_yellow'), NO_COLOR_NAME],
    [await changeForm(id, 'x', 'Mustard_yellow', file(new Uint8Array([1, 2, 3]))), 'select image'],
  ] as const)
    expect(await owner.act('/manage/colors/', form)).toEqual({ status: 422, text: expect.stringContaining(text) })
  expect([await stored(), await files.list()]).toEqual([after, kept])
  const acts = await db.selectFrom('audit').select('act').orderBy('seq').execute()
  expect(acts.map(({ act }) => act)).toEqual(['add-color', 'mark-color', 'change-color', 'change-color'])
  const history = (await owner.page('/manage/history/')).replaceAll(/<!--.*?-->|<[^>]*>/g, '')
  expect(history).toContain('Name: from Mustrad →  to Mustard yellow')
  expect(history.match(/Name: from/g)).toHaveLength(1)
})

test('the filter finds a colour by words of its shown name, and those that are low or not available', () => {
  const [all, low, gone] = [{ isAvailable: true, isLowOnStock: false }, { isLowOnStock: true }, { isAvailable: false }]
  const colors = [
    { ...all, name: 'Dusty_Rose' },
    { ...all, ...low, name: 'Rosé' },
    { ...all, ...gone, name: 'Navy' },
  ]
  const found = (words: string, only: 'all' | 'low' | 'gone' = 'all') => filterColors(colors, { words, only }).map(({ name }) => name)
  expect([found(''), found(' rose '), found('rose dust'), found('DUSTY_R'), found('x')]).toEqual([
    ['Dusty_Rose', 'Rosé', 'Navy'],
    ['Dusty_Rose', 'Rosé'],
    ['Dusty_Rose'],
    ['Dusty_Rose'],
    [],
  ])
  expect([found('', 'low'), found('', 'gone'), found('rose', 'gone')]).toEqual([['Rosé'], ['Navy'], []])
})
