import { expect, test } from 'vitest'
import { addCategory, addItem, addPicture } from '#test/sample-catalogue.ts'
import { keptChecks as kept, openTableShop as open, rowsOf, type TableShop } from '#test/open-table-shop.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { applyTable, downloadTable, uploadTable, wordsOf } from '#test/upload-table.ts'

const itemOf = ({ db }: TableShop, id: string) => db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst()
const found = (page: string) => /What would change.*?(\d+) changed (\d+) new (\d+) refused (\d+) unchanged/.exec(page)?.slice(1).map(Number)

const HEAD = 'id,name,category,price,description,width,soleType,size,discount type,discount value,pictures'

test('the download: UTF-8 with its mark, CRLF, quotes doubled, category by category', async () => {
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
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="items-2026-03-04.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await downloadTable(shop.owner)).toBe(
    `\uFEFF${HEAD}\r\n` +
      's,Sun bag,Bags,12.50,Warm.,,,,percent,12.50,/pictures/items/s-0.webp\r\n' +
      'm,Moon wall,Wall Hangings,45.00,"Round, ""soft"".\r\nBig.",30 cm,,,,,/pictures/items/m-0.webp\r\n' +
      `x,'=cmd|calc,Wall Hangings,25.00,'-,'+1,"'\tb",'@a,,,/pictures/items/x-0.webp\r\n`,
  )
  expect(await downloadTable(shop.owner, 'semicolon')).toContain('\r\ns;Sun bag;Bags;12,50;Warm.;;;;percent;12,50;/')
})

test('NAV-05 ROLES-08 ROLES-15 nobody but the owner downloads, checks or applies a table', async () => {
  const shop = await open()
  const { check } = await uploadTable(shop.owner, 'id,price\nm,48')
  const before = await rowsOf(shop)
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer()]) {
    for (const path of ['/manage/items.csv', `/manage/check.csv?check=${check}`, `/manage/tables/?check=${check}`])
      expect((await somebody.get(path)).headers.get('location')).toBe('/')
    for (const file of ['id,price\nm,1', 'nonsense']) expect((await uploadTable(somebody, file)).address).toBe('/')
    expect((await somebody.post('/manage/tables/', { intent: 'apply', check })).headers.get('location')).toBe('/')
  }
  expect(await rowsOf(shop)).toEqual(before)
  expect(await kept(shop)).toEqual([check])
})

test('the page leads on to the file with everything and to what was moved here', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const page = await owner.page('/manage/tables/')
  expect(page).toMatch(/<form action="\/manage\/documents.json" method="post"><input type="hidden" name="back" value="\/manage\/tables\/"/)
  expect(page).toContain('href="/manage/moved/"')
  expect(await owner.page('/manage/moved/')).toMatch(/<p><a href="\/manage\/tables\/"[^>]*>Import and export/)
})

test('a dry run shows row by row what would change and writes nothing; applying it writes all, and visitors see it', async () => {
  const shop = await open()
  const before = await rowsOf(shop)
  const csv = 'id,name,price,discount type,discount value\r\nm,Full moon wall,48,percent,10\r\ns,Sun bag,12.50,percent,12.5\r\n'
  const { status, check, page } = await uploadTable(shop.owner, csv)

  expect(status).toBe(303)
  expect(found(page)).toEqual([1, 0, 0, 1])
  expect(page).toContain('Row 2 Moon wall Changed name Moon wall → Full moon wall price $45.00 → $48.00 discount empty → 10% OFF')
  expect(page).not.toContain('Row 3')
  expect(page).toContain('Not in this file, and left as it is: category, description, width, soleType, size, pictures.')
  expect(page).toContain('Apply 1 change ')
  expect(await rowsOf(shop)).toEqual(before)
  expect(shop.heard).not.toContain('catalogue')

  const done = await applyTable(shop.owner, check)
  expect(done.page).toContain('What was changed')
  expect(done.page).toContain('1 item updated.')
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
  expect(shop.heard).toContain('catalogue')
  expect(await shop.visitor().page('/gallery/walls/')).toContain('Full moon wall')
  const audit = await shop.db.selectFrom('audit').select('detail').where('act', '=', 'import-items').execute()
  expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([{ updated: 1, added: 0, leftOut: 0, ids: ['m'] }])
  expect(wordsOf(await shop.owner.page('/manage/history/'))).toMatch(/Changed an item by the table “ ?items.csv ?”/)
})

test('applying twice, also in two tabs at once, does nothing twice', async () => {
  const shop = await open()
  await addPicture(shop.db, 'free')
  const csv = `id,name,category,price,description,pictures\n,Star,Bags,9,Bright.,/pictures/items/free.webp\nm,Moon wall,Bags,50,Round.,`
  const { check, page } = await uploadTable(shop.owner, csv)
  expect(found(page)).toEqual([1, 1, 0, 0])

  await Promise.all([applyTable(shop.owner, check), applyTable(shop.owner, check)])
  const again = await applyTable(shop.owner, check)

  expect(again).toMatchObject({ status: 409, page: expect.stringContaining('nothing was done twice') })
  const rows = await rowsOf(shop)
  expect(rows.map(({ name, priceCents }) => [name, priceCents]).sort()).toEqual([
    ['Moon wall', 5000],
    ['Star', 900],
    ['Sun bag', 1250],
  ])
  const star = rows.find(({ name }) => name === 'Star')!
  expect(
    await shop.db.selectFrom('itemPictures').select(['pictureId', 'position', 'isAvailable']).where('itemId', '=', star.id).execute(),
  ).toEqual([{ pictureId: 'free', position: 0, isAvailable: 1 }])
  expect(await shop.db.selectFrom('audit').select('act').where('act', '=', 'import-items').execute()).toHaveLength(1)
})

test('MERCH-27 a new row without a picture of its own is refused by the form’s own text; so is one whose picture hangs elsewhere', async () => {
  const shop = await open()
  await addPicture(shop.db, 'free')
  const item = 'Star,Bags,9,Bright.'
  const csv = `id,name,category,price,description,pictures\n,${item},\n,${item},/pictures/items/m-0.webp\n,${item},/pictures/items/free.webp\n,${item},/pictures/items/free.webp`
  const { page } = await uploadTable(shop.owner, csv)

  expect(found(page)).toEqual([0, 1, 3, 0])
  expect(page).toContain('Row 4 Star New name Star category Bags price $9.00 description Bright.')
})

test('rows that cannot be taken are told with row, column and text, and left out', async () => {
  const shop = await open()
  const csv = [
    'id,name,category,price,description,discount type,discount value',
    'm,,Bags,1,x,,',
    's,Sun bag,Bagz,1,x,,',
    'nobody,a,Bags,1,x,,',
    's,Sun bag,Bags,13,x,,',
    's,Sun bag',
    's,Sun bag,Bags,13,x,,,more',
    'm,Moon \uFFFD,Bags,13,x,,',
  ].join('\n')
  const { check, address } = await uploadTable(shop.owner, csv)
  const page = wordsOf(await shop.owner.page(`${address}&show=refused`))

  for (const text of [
    'Row 2 m Refused Please Enter Item Name name: empty',
    'Row 3 Sun bag Refused Please Select a Category: There is no category “Bagz” category: “Bagz”',
    'Row 4 a Refused There is no item with this id. For a new item leave the id empty id: “nobody”',
    'Row 5 Sun bag Refused This id stands already in row 3 id: “s”',
    'Row 6 Sun bag Refused This row has 2 cells, the first row 7',
    'Row 7 Sun bag Refused This row has 8 cells, the first row 7',
    'Row 8 Moon \uFFFD Refused This id stands already in row 2',
  ])
    expect(page).toContain(text)
  expect(found(page)).toEqual([0, 0, 7, 0])
  expect(page).toContain('There is nothing to change.')
  expect(await applyTable(shop.owner, check)).toMatchObject({ status: 409 })

  const report = await (await shop.owner.get(`/manage/check.csv?check=${check}`)).text()
  expect(report).toContain('\r\n2,Refused,m,,name,,,Please Enter Item Name\r\n')
})

test('unreadable characters are refused, not written', async () => {
  const shop = await open()
  const { page } = await uploadTable(shop.owner, 'id,name\nm,Moon \uFFFD\ns,Sun\n')
  expect(found(page)).toEqual([1, 0, 1, 0])
})

test('a file may have any name', async () => {
  const shop = await open()
  for (const [at, name] of ['a\u0000b.csv', `${'x'.repeat(119)}😀.csv`, '"\r\nX: y.csv', '../../etc.csv'].entries()) {
    const { check } = await uploadTable(shop.owner, `id,price\nm,${50 + at}`, name)
    expect((await applyTable(shop.owner, check)).page, name).toContain('1 item updated.')
  }
  expect(shop.logged).toEqual([])
})

test('rows that a file does not have are never deleted; empty rows are passed over', async () => {
  const shop = await open()
  const { check, page } = await uploadTable(shop.owner, 'id,price\r\n\r\n,\r\nm,48\r\n\r\n')
  expect(found(page)).toEqual([1, 0, 0, 0])
  expect(page).toContain('Row 4 Moon wall')
  await applyTable(shop.owner, check)
  expect((await rowsOf(shop)).map(({ id, priceCents }) => [id, priceCents])).toEqual([
    ['m', 4800],
    ['s', 1250],
  ])
})

test('what was changed or deleted since the check is left out and told; the rest is written', async () => {
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
  expect(page).toContain('Row 2 · Moon wall: The item was changed meanwhile')
  expect(page).toContain('Row 4 · Tide: The item was deleted meanwhile')
  expect(page).toContain('Row 5 · Umbra: Its category was deleted meanwhile')
  expect((await rowsOf(shop)).map(({ id, priceCents }) => [id, priceCents])).toEqual([
    ['m', 9900],
    ['s', 1300],
    ['u', 2500],
  ])
})

test('a write that fails halfway leaves nothing half-written, and can be tried again', async () => {
  const shop = await open()
  await addPicture(shop.db, 'free')
  const csv = 'id,name,category,price,description,pictures\nm,Moon,Bags,48,x,\n,Star,Bags,9,x,/pictures/items/free.webp'
  const { check } = await uploadTable(shop.owner, csv)
  const before = await rowsOf(shop)
  // What is added comes after what is updated, and finds no table.
  await shop.db.schema.alterTable('itemPictures').renameTo('elsewhere').execute()
  await shop.db.schema
    .createTable('itemPictures')
    .addColumn('itemId', 'text')
    .addColumn('pictureId', 'text')
    .addColumn('position', 'integer')
    .addColumn('id', 'text')
    .execute()

  const failed = await applyTable(shop.owner, check)
  expect(failed).toMatchObject({ status: 500, page: expect.stringContaining('Nothing has been changed') })
  expect(await rowsOf(shop)).toEqual(before)
  expect(shop.logged.filter(({ level }) => level === 'error')).toHaveLength(1)

  await shop.db.schema.dropTable('itemPictures').execute()
  await shop.db.schema.alterTable('elsewhere').renameTo('itemPictures').execute()
  expect((await applyTable(shop.owner, check)).page).toContain('1 item updated, 1 item added.')
})
