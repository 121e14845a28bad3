/**
 * Sends forged forms to the owner's pages. The shop must refuse the forms, or ignore their forged
 * fields.
 */
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { uploadTable } from '#test/fixtures/csv.ts'
import { addUpload, errorsOf } from '#test/fixtures/fuzz.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'

const typed = {
  intent: 'save',
  name: 'Moon',
  categoryId: 'walls',
  price: '25',
  description: 'Round.',
  width: '',
  soleType: '',
  size: '',
}

async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags'].entries()) {
    await addCategory(shop.db, id, { position })
  }
  await addColor(shop.db, 'ash')
  await addItem(shop.db, 'm', 'walls', { description: 'x', images: [{ colors: ['ash'] }, {}] })
  await addItem(shop.db, 'other', 'bags', { description: 'x', images: [{ colors: ['ash'] }] })
  return { shop, owner: await shop.owner() }
}

const stateOf = async ({ db }: TestShop) => [
  await db
    .selectFrom('items')
    .select(['id', 'name', 'categoryId', 'priceCents', 'discountValue'])
    .orderBy('id')
    .execute(),
  await db.selectFrom('itemImages').selectAll().orderBy('id').execute(),
  await db.selectFrom('itemImageColors').selectAll().orderBy('itemImageId').execute(),
  await db.selectFrom('images').select(['id', 'path']).orderBy('id').execute(),
  await db
    .selectFrom('colors')
    .select(['id', 'name', 'imageId', 'discountValue'])
    .orderBy('id')
    .execute(),
  await db
    .selectFrom('categories')
    .select(['id', 'title', 'color', 'imageId', 'position'])
    .orderBy('id')
    .execute(),
  await db.selectFrom('discountChanges').select('seq').orderBy('seq').execute(),
]

test('the item form refuses images of other items and of other records, and unknown image keys', async () => {
  const { shop, owner } = await open()
  const foreign: string[] = []
  for (const folder of ['colors', 'category', 'people', 'scenes'] as const) {
    foreign.push((await addUpload(shop, folder)).id)
  }
  const ofCategory = await addUpload(shop)
  await shop.db
    .updateTable('categories')
    .set({ imageId: ofCategory.id })
    .where('id', '=', 'bags')
    .execute()
  const uploads = [...foreign, ofCategory.id, 'other-0', '', 'upload-'].map((id) => `upload-${id}`)
  const before = await stateOf(shop)
  for (const image of ['other-0', ...uploads, '__proto__', "' or 1=1 --", 'x'.repeat(100_000)]) {
    for (const address of ['/manage/item', '/manage/item/m']) {
      const { status } = await owner.act(address, formOf({ ...typed, image }))
      expect(status >= 400 && status < 500, `${address} ${image.slice(0, 40)} ${status}`).toBe(true)
    }
  }
  expect(await stateOf(shop)).toEqual(before)

  // This form also contains an image of another item. The shop ignores this image.
  const more = {
    'remove:other-0': 'on',
    'color:other-0': 'ash',
    'available:other-0': 'on',
    'remove:__proto__': 'on',
    revision: '1',
  }
  const image = ['m-0', 'm-1', 'other-0']
  expect(
    (
      await owner.act(
        '/manage/item/m',
        formOf({ ...typed, ...more, image, 'color:m-0': ['nothing', 'ash'] }),
      )
    ).status,
  ).toBe(200)
  expect(
    await shop.db
      .selectFrom('itemImages')
      .select(['id', 'itemId', 'isAvailable'])
      .orderBy('id')
      .execute(),
  ).toEqual([
    { id: 'm-0', itemId: 'm', isAvailable: false },
    { id: 'm-1', itemId: 'm', isAvailable: false },
    { id: 'other-0', itemId: 'other', isAvailable: true },
  ])
})

const numbers = [
  '-1',
  '0',
  '1',
  '999999999999999',
  '9999999999999999999999',
  '1e308',
  'NaN',
  '\u0660',
  '',
  'x',
  '1;drop table items',
  '%',
]

test('forged numbers, ids and searches on the owner’s pages change nothing and cause no error', async () => {
  const { shop, owner } = await open()
  const discount = {
    intent: 'items-apply',
    type: 'percent',
    value: '10',
    confirm: 'Yes',
    item: 'm',
  }
  expect((await owner.act('/manage/discount', discount)).status).toBe(200)
  await owner.act('/manage/item/m', formOf({ ...typed, image: ['m-0', 'm-1'] }))
  const acts = await shop.db.selectFrom('audit').select(['seq', 'act']).execute()
  const seq = String(acts.find(({ act }) => act === 'discount-items')!.seq)
  const wrong = [
    ...acts.filter(({ act }) => !act.startsWith('discount')).map((act) => String(act.seq)),
    ...numbers,
  ]
  const before = await stateOf(shop)
  for (const number of wrong.filter((one) => one !== seq)) {
    const forged: Record<string, string>[] = [
      { ...discount, value: number === '1' ? '0' : number, count: number, free: number },
      { ...discount, all: 'on', count: '1', free: number },
      { ...discount, item: number },
      { intent: 'items-remove', all: 'on', except: number, confirm: 'Yes', count: number },
      { intent: 'color-go', color: number, type: number, value: '5' },
      { intent: 'color-remove', color: `ash${number}x` },
      { intent: number },
      { intent: 'undo', seq: number },
      { intent: 'dismiss', seq: number },
    ]
    const typedNumber = encodeURIComponent(number)
    for (const form of forged) {
      for (const query of [
        '',
        `?name=${typedNumber}&price=${typedNumber}&category=%27&compare=%3D`,
      ]) {
        const { status } = await owner.act(`/manage/discount${query}`, form)
        expect(status, `${query} ${JSON.stringify(form)}`).toBeLessThan(500)
      }
    }
    for (const address of [
      `/manage/discount/?parts=${typedNumber}&columns=${typedNumber}&price=${typedNumber}&name=%25%5C_${typedNumber}&category=${typedNumber}&sale=on`,
      `/manage/history/?before=${typedNumber}&kind=${typedNumber}&name=%25${typedNumber}`,
      `/manage/item/?page=${typedNumber}&q=%5C${typedNumber}&open=${typedNumber}~walls&open=1~${typedNumber}`,
      `/manage/import-export/?check=${typedNumber}&show=${typedNumber}&page=${typedNumber}`,
      `/manage/import-report.csv?check=..%2F..%2F${typedNumber}`,
      `/manage/items.csv?style=${typedNumber}`,
    ]) {
      expect((await owner.get(address)).status, address).toBeLessThan(500)
    }
  }
  expect(await stateOf(shop)).toEqual(before)
  const undone = await Promise.all(
    Array.from({ length: 8 }, () => owner.act('/manage/discount', { intent: 'undo', seq })),
  )
  expect(undone.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)])
  expect(errorsOf(shop)).toEqual([])
})

test('without the owner’s confirmation, the shop deletes nothing and changes no discount', async () => {
  const { shop, owner } = await open()
  const before = await stateOf(shop)
  for (const confirm of ['', 'No', 'yes', 'Yes ', 'YES', 'true']) {
    for (const [address, form] of [
      ['/manage/item/m', { intent: 'delete' }],
      ['/manage/colors', { intent: 'delete', id: 'ash' }],
      ['/manage/discount', { intent: 'items-apply', type: 'percent', value: '10', item: 'm' }],
      ['/manage/discount', { intent: 'items-remove', all: 'on' }],
    ] as const) {
      await owner.act(address, { ...form, confirm })
      await owner.act(address, form)
    }
  }
  expect(await stateOf(shop)).toEqual(before)
})

test('only the owner can apply an import preview, and only with its complete id and within an hour', async () => {
  const { shop, owner } = await open()
  const { check } = await uploadTable(owner, 'id,name\nm,Sun')
  const before = await stateOf(shop)
  const applied = async (id: string) =>
    (await owner.act('/manage/import-export', { intent: 'apply', check: id })).status
  const longer = [
    `${check}x`,
    `${check}/`,
    `${check}/../${check}`,
    `../tables/${check}`,
    `${check}\n`,
  ]
  for (const id of [check.slice(0, -1), ...longer, check.toLowerCase(), '', '.']) {
    expect(await applied(id), id).toBe(404)
  }
  for (const client of [shop.visitor(), await shop.guest(), await shop.customer()]) {
    await client.post('/manage/import-export/', { intent: 'apply', check })
    expect(await client.page(`/manage/import-report.csv?check=${check}`)).not.toContain('Sun')
  }
  shop.clock.now += 3_600_001
  expect(await applied(check)).toBe(404)
  expect(await stateOf(shop)).toEqual(before)
})
