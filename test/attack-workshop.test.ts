/** The owner's own forms, forged: nothing of another piece, of another table or of another person moves, and nothing breaks. */
import { expect, test } from 'vitest'
import { listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { corners } from './drawn-pictures.ts'
import { openTestShop, ORIGIN, type TestShop } from './open-test-shop.ts'
import { addCategory, addColor, addItem } from './sample-catalogue.ts'
import { uploadTable } from './upload-table.ts'

const png = new Uint8Array(await corners(32, 32).png().toBuffer())
const typed = { intent: 'save', name: 'Moon', categoryId: 'walls', price: '25', description: 'Round.', width: '', soleType: '', size: '' }

async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags'].entries()) await addCategory(shop.db, id, { position })
  await addColor(shop.db, 'ash')
  await addItem(shop.db, 'm', 'walls', { description: 'x', pictures: [{ colors: ['ash'] }, {}] })
  await addItem(shop.db, 'other', 'bags', { description: 'x', pictures: [{ colors: ['ash'] }] })
  return { shop, owner: await shop.owner() }
}

async function keep(shop: TestShop, folder: 'colors' | 'category' | 'people' | 'scenes' | 'items/walls') {
  const prepared = await shop.pictures.prepare(folder, png)
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.pictures.keep(shop.db, prepared.picture)
  return prepared.picture
}

const formOf = (fields: [string, string | File][]) => {
  const form = new FormData()
  for (const [name, value] of [...Object.entries(typed), ...fields]) form.append(name, value)
  return form
}
/** Everything of the catalogue, but the times. */
const stateOf = async ({ db }: TestShop) =>
  JSON.stringify([
    await db.selectFrom('items').select(['id', 'name', 'categoryId', 'priceCents', 'discountValue']).orderBy('id').execute(),
    await db.selectFrom('itemPictures').selectAll().orderBy('id').execute(),
    await db.selectFrom('itemPictureColors').selectAll().orderBy('itemPictureId').execute(),
    await db.selectFrom('pictures').select(['id', 'path']).orderBy('id').execute(),
    await db.selectFrom('colors').select(['id', 'name', 'pictureId', 'discountValue']).orderBy('id').execute(),
    await db.selectFrom('categories').select(['id', 'title', 'color', 'pictureId', 'position']).orderBy('id').execute(),
    await db.selectFrom('discountChanges').select('seq').orderBy('seq').execute(),
  ])
const numbers = ['-1', '0', '1', '999999999999999', '9999999999999999999999', '1e308', 'NaN', '\u0660', '', 'x', '1;drop table items', '%']

test('images of other pieces, pictures of colours, people and pages, and keys of nothing become no image of a piece', async () => {
  const { shop, owner } = await open()
  const foreign = [await keep(shop, 'colors'), await keep(shop, 'category'), await keep(shop, 'people'), await keep(shop, 'scenes')]
  const hung = await keep(shop, 'items/walls')
  await shop.db.updateTable('categories').set({ pictureId: hung.id }).where('id', '=', 'bags').execute()
  const keys = [
    'other-0',
    'upload-other-0',
    ...[...foreign, hung].map(({ id }) => `upload-${id}`),
    'upload-',
    'upload-upload-',
    '__proto__',
    "' or 1=1 --",
    'x'.repeat(100_000),
  ]
  const before = await stateOf(shop)
  for (const key of keys)
    for (const address of ['/manage/item', '/manage/item/m']) {
      const { status } = await owner.act(address, formOf([['picture', key]]))
      expect([key.slice(0, 40), address, status >= 400 && status < 500]).toEqual([key.slice(0, 40), address, true])
    }
  expect(await stateOf(shop)).toBe(before)

  // Beside images of its own: foreign ones are passed over, whatever is said of them.
  const fields: [string, string][] = [
    ['picture', 'm-0'],
    ['picture', 'm-1'],
    ['picture', 'other-0'],
    ['remove:other-0', 'on'],
    ['color:other-0', 'ash'],
    ['available:other-0', 'on'],
    ['color:m-0', 'nothing'],
    ['color:m-0', 'ash'],
    ['remove:__proto__', 'on'],
    ['revision', '1'],
  ]
  expect((await owner.act('/manage/item/m', formOf(fields))).status).toBe(200)
  const images = await shop.db.selectFrom('itemPictures').select(['id', 'itemId', 'isAvailable']).orderBy('id').execute()
  expect(images).toEqual([
    { id: 'm-0', itemId: 'm', isAvailable: 0 },
    { id: 'm-1', itemId: 'm', isAvailable: 0 },
    { id: 'other-0', itemId: 'other', isAvailable: 1 },
  ])
})

test('FILES-06 only an upload that nothing uses is deleted by its address, whatever the address looks like', async () => {
  const { shop, owner } = await open()
  await addItem(shop.db, 'real', 'walls', { pictures: [] })
  const hung = await keep(shop, 'items/walls')
  await shop.db
    .insertInto('itemPictures')
    .values({ id: 'real-0', itemId: 'real', pictureId: hung.id, position: 0, isAvailable: 1 })
    .execute()
  const [color, face] = [await keep(shop, 'colors'), await keep(shop, 'people')]
  await shop.files.put('notes.txt', png)
  const before = [await stateOf(shop), (await shop.files.list()).length]
  const urls = [
    hung.path,
    color.path,
    face.path,
    'notes.txt',
    '../shop.db',
    'items/../notes.txt',
    'items/%',
    'items/',
    '',
    '\\',
    'a'.repeat(100_000),
  ]
  for (const url of urls.flatMap((path) => [path, `/pictures/${path}`, `${ORIGIN}/pictures/${path}`, `/pictures//pictures/${path}`]))
    expect([url.slice(0, 60), (await owner.post('/manage/item-picture', { intent: 'delete', url })).status]).toEqual([
      url.slice(0, 60),
      422,
    ])
  expect([await stateOf(shop), (await shop.files.list()).length]).toEqual(before)

  const free = await keep(shop, 'items/walls')
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => owner.post('/manage/item-picture', { intent: 'delete', url: `/pictures/${free.path}` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422])
  expect(await shop.files.read(free.path)).toBeNull()
})

test('forged numbers, ids and searches of discounts, history and lists change nothing and break nothing', async () => {
  const { shop, owner } = await open()
  const discount = { intent: 'items-apply', type: 'percent', value: '10', confirm: 'Yes', item: 'm' }
  expect((await owner.act('/manage/discount', discount)).status).toBe(200)
  // An act that is no discount.
  await owner.act(
    '/manage/item/m',
    formOf([
      ['picture', 'm-0'],
      ['picture', 'm-1'],
    ]),
  )
  const acts = await shop.db.selectFrom('audit').select(['seq', 'act']).execute()
  const wrong = [...acts.filter(({ act }) => !act.startsWith('discount')).map(({ seq }) => String(seq)), ...numbers]
  const seq = String(acts.find(({ act }) => act === 'discount-items')!.seq)
  const before = await stateOf(shop)
  for (const number of wrong.filter((one) => one !== seq)) {
    for (const intent of ['undo', 'dismiss'])
      expect((await owner.act('/manage/discount', { intent, seq: number })).status).toBeLessThan(500)
    const forged: Record<string, string>[] = [
      { ...discount, value: number === '1' ? '0' : number, count: number, free: number },
      { ...discount, all: 'on', count: '1', free: number },
      { ...discount, item: number },
      { intent: 'items-remove', all: 'on', except: number, confirm: 'Yes', count: number },
      { intent: 'color-go', color: number, type: number, value: '5' },
      { intent: 'color-remove', color: `ash${number}x` },
      { intent: number },
    ]
    for (const form of forged)
      for (const address of [
        '/manage/discount',
        `/manage/discount?name=${encodeURIComponent(number)}&price=${encodeURIComponent(number)}&category=%27&compare=%3D`,
      ])
        expect((await owner.act(address, form)).status).toBeLessThan(500)
    const typedNumber = encodeURIComponent(number)
    for (const address of [
      `/manage/discount/?parts=${typedNumber}&columns=${typedNumber}&price=${typedNumber}&name=%25%5C_${typedNumber}&category=${typedNumber}&sale=on`,
      `/manage/history/?before=${typedNumber}&kind=${typedNumber}&name=%25${typedNumber}`,
      `/manage/item/?page=${typedNumber}&q=%5C${typedNumber}&open=${typedNumber}~walls&open=1~${typedNumber}`,
      `/manage/tables/?check=${typedNumber}&show=${typedNumber}&page=${typedNumber}`,
      `/manage/check.csv?check=..%2F..%2F${typedNumber}`,
      `/manage/items.csv?style=${typedNumber}`,
    ])
      expect([address, (await owner.get(address)).status < 500]).toEqual([address, true])
  }
  expect(await stateOf(shop)).toBe(before)
  const undone = await Promise.all(Array.from({ length: 8 }, () => owner.act('/manage/discount', { intent: 'undo', seq })))
  expect(undone.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)])
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('nothing is deleted or applied without the Yes that the page asks for', async () => {
  const { shop, owner } = await open()
  const before = await stateOf(shop)
  for (const confirm of ['', 'No', 'yes', 'Yes ', 'YES', 'true'])
    for (const [address, form] of [
      ['/manage/item/m', { intent: 'delete' }],
      ['/manage/colors', { intent: 'delete', id: 'ash' }],
      ['/manage/discount', { intent: 'items-apply', type: 'percent', value: '10', item: 'm' }],
      ['/manage/discount', { intent: 'items-remove', all: 'on' }],
    ] as const) {
      await owner.act(address, { ...form, confirm })
      await owner.act(address, form)
    }
  expect(await stateOf(shop)).toBe(before)
})

test('a check of a table is found by the owner alone, and by its whole id alone', async () => {
  const { shop, owner } = await open()
  const { check } = await uploadTable(owner, 'id,name\nm,Sun')
  const before = await stateOf(shop)
  const forged = [
    check.slice(0, -1),
    `${check}x`,
    `${check}/`,
    `${check}/../${check}`,
    `../tables/${check}`,
    check.toLowerCase(),
    '',
    '.',
    `${check}\n`,
  ]
  for (const id of forged) expect([id, (await owner.act('/manage/tables', { intent: 'apply', check: id })).status]).toEqual([id, 404])
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer()]) {
    await somebody.post('/manage/tables/', { intent: 'apply', check })
    expect(await somebody.page(`/manage/check.csv?check=${check}`)).not.toContain('Sun')
  }
  expect(await stateOf(shop)).toBe(before)
  shop.clock.now += 3_600_001
  expect((await owner.act('/manage/tables', { intent: 'apply', check })).status).toBe(404)
  expect(await stateOf(shop)).toBe(before)
})

test('FILES-01 a file is named by the shop, whatever name and type it comes with, and hidden programs do not come along', async () => {
  const { shop, owner } = await open()
  const script = '<script>alert(1)</script><?php echo 1 ?>'
  const withText = await corners(64, 64)
    .withExif({ IFD0: { ImageDescription: script, Copyright: script } })
    .jpeg()
    .toBuffer()
  const polyglots = {
    exif: withText,
    gifar: Buffer.concat([await corners(64, 64).gif().toBuffer(), Buffer.from(`PK\u0003\u0004${script}`)]),
    tail: Buffer.concat([png, Buffer.from(script)]),
  }
  const names = [
    '../../../etc/passwd.png',
    'a\u0000.php.png',
    `${'n'.repeat(10_240)}.png`,
    '<img src=x>.svg',
    'CON',
    '.htaccess',
    'x.html',
    '\u202egnp.exe',
  ]
  for (const [at, name] of names.entries()) {
    const bytes = Object.values(polyglots)[at % 3]!
    const form = new FormData()
    form.set('categoryId', 'walls')
    form.set('file', new File([new Uint8Array(bytes)], name, { type: 'image/svg+xml' }))
    const response = await owner.post('/manage/item-picture', form)
    expect([name.slice(0, 30), response.status]).toEqual([name.slice(0, 30), 200])
    const { url } = (await response.json()) as { url: string }
    expect(url).toMatch(/^\/pictures\/items\/walls\/\w{16}\.(jpg|gif|png)$/)
    const shown = await shop.visitor().get(url)
    expect([shown.headers.get('content-type'), shown.headers.get('x-content-type-options')]).toEqual([
      expect.stringMatching(/^image\/(jpeg|gif|png)$/),
      'nosniff',
    ])
    expect(Buffer.from(await shown.arrayBuffer()).includes('script>')).toBe(false)
  }
  for (const [name, text] of Object.entries({
    svg: `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`,
    html: `<!--\xff\xd8\xff-->${script}`,
    js: `GIF89a=1;${script}`,
  })) {
    const form = new FormData()
    form.set('categoryId', 'walls')
    form.set('file', new File([text], `${name}.png`, { type: 'image/png' }))
    expect([name, (await owner.post('/manage/item-picture', form)).status]).toEqual([name, 422])
  }
  await shop.pictures.finish()
  expect((await listOrphans(shop)).files).toEqual([])
})
