import { optionalItemTexts } from '#catalog/item-fields.ts'
import { expect, test } from 'vitest'
import { addCategory, addItem, addImage } from '#test/fixtures/catalog.ts'
import { applyTable, downloadTable, rowCounts, uploadTable, wordsOf } from '#test/fixtures/csv.ts'
import {
  previewIds,
  openTableShop as open,
  rowsOf,
  type TableShop,
} from '#test/fixtures/prepared-shops.ts'
import { refuseWrites } from '#test/fixtures/test-shop.ts'

const itemOf = ({ db }: TableShop, id: string) =>
  db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst()

const HEAD = `id,name,category,price,description,${optionalItemTexts},discount type,discount value,pictures,kind`

test('the export is a UTF-8 file with a byte order mark, CRLF line ends and doubled quotation marks, sorted by category', async () => {
  const shop = await open()
  await addItem(shop.db, 'x', 'walls', {
    name: '=cmd|calc',
    description: '-',
    firstCreatedAt: 2000,
    size: '@a',
    width: '+1',
    soleType: '\tb',
  })
  const response = await shop.owner.get('/manage/items.csv')

  expect(response.headers.get('content-type')).toContain('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="items-2026-03-04.csv"',
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await downloadTable(shop.owner)).toBe(
    `\uFEFF${HEAD}\r\n` +
      's,Sun bag,Bags,12.50,Warm.,,,,percent,12.50,/pictures/items/s-0.webp,\r\n' +
      'm,Moon wall,Wall Hangings,45.00,"Round, ""soft"".\r\nBig.",30 cm,,,,,/pictures/items/m-0.webp,\r\n' +
      `x,'=cmd|calc,Wall Hangings,25.00,'-,'+1,"'\tb",'@a,,,/pictures/items/x-0.webp,\r\n`,
  )
  expect(await downloadTable(shop.owner, 'semicolon')).toContain(
    '\r\ns;Sun bag;Bags;12,50;Warm.;;;;percent;12,50;/',
  )
})

test('the shop exports and imports more items than fit into one batch', async () => {
  const shop = await open()
  const ids = Array.from({ length: 251 }, (_, index) => `i${index}`)
  for (const id of ids) await addItem(shop.db, id, 'walls', { description: 'Soft' })

  const downloaded = (await downloadTable(shop.owner)).match(/^i\d+(?=,)/gm)
  expect(downloaded!.toSorted()).toEqual(ids.toSorted())

  const { check, page } = await uploadTable(
    shop.owner,
    ['id,price', ...ids.map((id) => `${id},7`)].join('\n'),
  )
  expect(rowCounts(page)).toEqual([251, 0, 0, 0])
  await applyTable(shop.owner, check)
  const changed = (await rowsOf(shop)).filter(({ priceCents }) => priceCents === 700)
  expect(changed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

test('an import changes items only after the owner has applied its preview', async () => {
  const shop = await open()
  const before = await rowsOf(shop)
  const csv =
    'id,name,price,discount type,discount value\r\nm,Full moon wall,48,percent,10\r\ns,Sun bag,12.50,percent,12.5\r\n'
  const { status, check, page } = await uploadTable(shop.owner, csv)

  expect(status).toBe(303)
  expect(rowCounts(page)).toEqual([1, 0, 0, 1])
  expect(page).toContain(
    'Row 2 Moon wall Changed name Moon wall → Full moon wall price $45.00 → $48.00 discount empty → 10% OFF',
  )
  expect(page).not.toContain('Row 3')
  expect(page).toContain(
    `Not in this file, and not changed: category, description, ${optionalItemTexts.join(', ')}, pictures, kind.`,
  )
  expect(page).toContain('Apply 1 change ')
  expect(await rowsOf(shop)).toEqual(before)
  expect(shop.changedTopics).not.toContain('catalog')

  const result = await applyTable(shop.owner, check)
  expect(result.page).toContain('What was changed')
  expect(result.page).toContain('1 item updated.')
  expect(await itemOf(shop, 'm')).toEqual({
    ...before[0]!,
    name: 'Full moon wall',
    searchName: 'full moon wall',
    searchText: `full moon wall ${before[0]!.description.toLowerCase()}`,
    priceCents: 4800,
    discountType: 'percent',
    discountValue: 1000,
    createdAt: shop.clock.now,
    revision: before[0]!.revision + 1,
  })
  expect(await itemOf(shop, 's')).toEqual(before[1])
  expect(shop.changedTopics).toContain('catalog')
  expect(await shop.visitor().page('/gallery/walls/')).toContain('Full moon wall')
  const audit = await shop.db
    .selectFrom('audit')
    .select('detail')
    .where('act', '=', 'import-items')
    .execute()
  expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([
    { updated: 1, added: 0, leftOut: 0, ids: ['m'] },
  ])
})

test('when the owner applies the same import twice at the same time, the items change only once', async () => {
  const shop = await open()
  await addImage(shop.db, 'free')
  const csv = `id,name,category,price,description,pictures\n,Star,Bags,9,Bright.,/pictures/items/free.webp\nm,Moon wall,Bags,50,Round.,`
  const { check, page } = await uploadTable(shop.owner, csv)
  expect(rowCounts(page)).toEqual([1, 1, 0, 0])

  await Promise.all([applyTable(shop.owner, check), applyTable(shop.owner, check)])
  const again = await applyTable(shop.owner, check)

  expect(again).toMatchObject({
    status: 409,
    page: expect.stringContaining('nothing was done twice'),
  })
  const rows = await rowsOf(shop)
  expect(rows.map(({ name, priceCents }) => [name, priceCents]).sort()).toEqual([
    ['Moon wall', 5000],
    ['Star', 900],
    ['Sun bag', 1250],
  ])
  expect(
    await shop.db.selectFrom('itemImages').select('id').where('imageId', '=', 'free').execute(),
  ).toHaveLength(1)
  expect(
    await shop.db.selectFrom('audit').select('act').where('act', '=', 'import-items').execute(),
  ).toHaveLength(1)
})

test('the preview of an import lists each refused row with the reason, and the import skips these rows', async () => {
  const shop = await open()
  await addItem(shop.db, 't', 'bags')
  const csv = [
    'id,name,category,price,description,discount type,discount value',
    'm,,Bags,1,x,,',
    's,Sun bag,Bagz,1,x,,',
    'unknown,a,Bags,1,x,,',
    's,Sun bag,Bags,13,x,,',
    's,Sun bag',
    's,Sun bag,Bags,13,x,,,more',
    't,Moon \uFFFD,Bags,13,x,,',
  ].join('\n')
  const { check, address } = await uploadTable(shop.owner, csv)
  const page = wordsOf(await shop.owner.page(`${address}&show=refused`))

  for (const text of [
    'Row 2 m Refused Please Enter Item Name name: empty',
    'Row 3 Sun bag Refused Please Select a Category: There is no category “Bagz” category: “Bagz”',
    'Row 4 a Refused There is no item with this id. For a new item leave the id empty id: “unknown”',
    'Row 5 Sun bag Refused This id is already used in row 3 id: “s”',
    'Row 6 Sun bag Refused This row has 2 cells, the first row 7',
    'Row 7 Sun bag Refused This row has 8 cells, the first row 7',
    'Row 8 Moon \uFFFD Refused Some of the characters could not be read name: “Moon \uFFFD”',
  ]) {
    expect(page).toContain(text)
  }
  expect(rowCounts(page)).toEqual([0, 0, 7, 0])
  expect(page).toContain('There is nothing to change.')
  expect(await applyTable(shop.owner, check)).toMatchObject({ status: 409 })

  const report = await (await shop.owner.get(`/manage/import-report.csv?check=${check}`)).text()
  expect(report).toContain('\r\n2,Refused,m,,name,,,Please Enter Item Name\r\n')
})

test('an import never deletes items that the file does not contain', async () => {
  const shop = await open()
  const { check, page } = await uploadTable(shop.owner, 'id,price\r\n\r\n,\r\nm,48\r\n\r\n')
  expect(rowCounts(page)).toEqual([1, 0, 0, 0])
  expect(page).toContain('Row 4 Moon wall')
  await applyTable(shop.owner, check)
  expect((await rowsOf(shop)).map(({ id, priceCents }) => [id, priceCents])).toEqual([
    ['m', 4800],
    ['s', 1250],
  ])
})

test('an import skips items that were changed or deleted after the preview, and writes the other items', async () => {
  const shop = await open()
  await addItem(shop.db, 't', 'walls', { name: 'Tide', description: 'x' })
  await addItem(shop.db, 'u', 'walls', { name: 'Umbra', description: 'x' })
  await addCategory(shop.db, 'gone', { title: 'Gone' })
  const csv = 'id,price,category\nm,48,Wall Hangings\ns,13,Bags\nt,14,Wall Hangings\nu,15,Gone'
  const { check } = await uploadTable(shop.owner, csv)
  await shop.db.updateTable('items').set({ priceCents: 9900 }).where('id', '=', 'm').execute()
  await shop.db.deleteFrom('items').where('id', '=', 't').execute()
  await shop.db.deleteFrom('categories').where('id', '=', 'gone').execute()

  const { page } = await applyTable(shop.owner, check)

  expect(page).toContain('1 item updated. 3 rows left out:')
  expect(page).toContain('Row 2 · Moon wall: The item was changed in the meantime')
  expect(page).toContain('Row 4 · Tide: The item was deleted in the meantime')
  expect(page).toContain('Row 5 · Umbra: Its category was deleted in the meantime')
  expect((await rowsOf(shop)).map(({ id, priceCents }) => [id, priceCents])).toEqual([
    ['m', 9900],
    ['s', 1300],
    ['u', 2500],
  ])
})

test('an import that fails halfway changes nothing', async () => {
  const shop = await open()
  await addImage(shop.db, 'free')
  const csv =
    'id,name,category,price,description,pictures\nm,Moon,Bags,48,x,\n,Star,Bags,9,x,/pictures/items/free.webp'
  const { check } = await uploadTable(shop.owner, csv)
  const before = await rowsOf(shop)
  await refuseWrites(shop.db, shop.dialect, 'itemImages', 'insert')

  const failed = await applyTable(shop.owner, check)
  expect(failed).toMatchObject({
    status: 500,
    page: expect.stringContaining('Nothing has been changed'),
  })
  expect(await rowsOf(shop)).toEqual(before)
  expect(shop.logged.filter(({ level }) => level === 'error')).toHaveLength(1)
})

test('the preview of an import expires after an hour, and is deleted when the owner uploads the next file', async () => {
  const shop = await open()
  const { check, address } = await uploadTable(shop.owner, 'id,price\nm,48')
  expect(check).toMatch(/^\d{13}-[A-Za-z0-9]{22}$/)
  shop.clock.now += 3_600_000
  expect(await shop.owner.page(address)).toContain('What would change')

  shop.clock.now += 1
  expect(wordsOf(await shop.owner.page(address))).toContain(
    'This preview has expired. Please upload the file again',
  )
  expect(await applyTable(shop.owner, check)).toMatchObject({
    status: 404,
    page: expect.stringContaining('This preview has expired'),
  })
  const incompleteId = `${'0'.repeat(13)}-${'h'.repeat(22)}`
  await shop.db
    .insertInto('importPreviews')
    .values({ checkId: incompleteId, part: 'changes', page: 1, content: '[]' })
    .execute()
  const next = await uploadTable(shop.owner, 'id,price\nm,48')
  expect(await previewIds(shop)).toEqual([next.check])
})

test('an import changes nothing if rows of its preview are missing in the database', async () => {
  const shop = await open()
  for (let n = 0; n < 60; n++) await addItem(shop.db, `i${n}`, 'walls', { description: 'x' })
  const before = await rowsOf(shop)
  const { check } = await uploadTable(
    shop.owner,
    `id,price\n${Array.from({ length: 60 }, (_, index) => `i${index},31`).join('\n')}`,
  )
  await shop.db
    .deleteFrom('importPreviews')
    .where('part', '=', 'changes')
    .where('page', '=', 2)
    .execute()
  expect(await applyTable(shop.owner, check)).toMatchObject({
    status: 500,
    page: expect.stringContaining('Nothing has been changed'),
  })
  expect(await rowsOf(shop)).toEqual(before)
})

test('the preview of an import shows a long file page by page', async () => {
  const shop = await open()
  const lines = Array.from({ length: 120 }, (_, index) => `unknown${index},x`)
  const { address, page } = await uploadTable(
    shop.owner,
    `id,name\nm,New moon\n${lines.join('\n')}`,
  )
  expect(page).toContain('Refused (120)')

  const last = wordsOf(await shop.owner.page(`${address}&show=refused&page=3`))
  expect(last).toContain('Page 3 of 3')
  expect(last.match(/Row \d+/g)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Row ${index + 103}`),
  )
  for (const page of ['0', '-1', '99', 'x']) {
    expect((await shop.owner.get(`${address}&show=refused&page=${page}`)).status).toBe(200)
  }
})
