import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { corners } from '#test/fixtures/images.ts'
import { applyTable, downloadTable, rowCounts, uploadTable } from '#test/fixtures/csv.ts'
import { MAX_CSV_BYTES } from './item-columns.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Wände' })
  await addItem(shop.db, 'm', 'walls', {
    name: 'Moon wall',
    priceCents: 4500,
    description: 'Round.',
  })
  return { ...shop, owner: await shop.owner() }
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}
const readable = {
  'with a byte order mark': '\uFEFFid,name,price\r\nm,Möon,"48,00"\r\n',
  'with line feeds only': 'id,name,price\nm,Möon,48\n',
  'with carriage returns only': 'id,name,price\rm,Möon,48\r',
  'without an end of the last line': 'id,name,price\nm,Möon,48',
  'with semicolons and decimal commas': 'id;name;price\r\nm;Möon;48,00\r\n',
  'with tabs': 'id\tname\tprice\r\nm\tMöon\t48\r\n',
  'with the delimiter named by Excel': 'sep=;\r\nid;name;price\r\nm;Möon;48\r\n',
  'all in quotation marks': '"id","name","price"\r\n"m","Möon","48"\r\n',
  'with spaces around ids and numbers': 'id,name,price\n m ,Möon, 48 \n',
  'in UTF-16, little end first': utf16('id;name;price\r\nm;Möon;48\r\n', false),
  'in UTF-16, big end first': utf16('id;name;price\r\nm;Möon;48\r\n', true),
  'in Windows-1252': new Uint8Array(Buffer.from('id;name;price\r\nm;Möon;48\r\n', 'latin1')),
}
test.for(Object.entries(readable))('the import reads a CSV file %s', async ([kind, body]) => {
  const shop = await open()
  const { check, page } = await uploadTable(shop.owner, body)
  expect(page).toContain('name Moon wall → Möon price $45.00 → $48.00')
  expect(page.includes('It was read as Windows-1252')).toBe(kind.includes('1252'))
  expect(page.includes('read as UTF-16')).toBe(kind.includes('UTF-16'))
  await applyTable(shop.owner, check)
  expect(
    await shop.db.selectFrom('items').select(['name', 'priceCents']).executeTakeFirst(),
  ).toEqual({ name: 'Möon', priceCents: 4800 })
})

const bad: Record<string, [body: string | Uint8Array<ArrayBuffer>, text: string]> = {
  'an empty file': ['', 'This file is empty'],
  'a file that contains only a byte order mark': ['\uFEFF', 'This file is empty'],
  'a file with only a first row': ['id,name\r\n', 'column names but no rows'],
  'a renamed picture': [
    new Uint8Array(await corners().jpeg().toBuffer()),
    'This is not a CSV file',
  ],
  'the beginning of a picture': [
    new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]),
    'This is not a CSV file',
  ],
  'an Excel workbook': [
    new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]),
    'This is an Excel workbook. In Excel choose “Save As” and “CSV UTF-8”',
  ],
  'a text that is not a table': [
    'hello\nthere',
    'The first row does not name the columns. They are: id, name, category, price',
  ],
  'a file of Etsy with too many columns': [
    `TITLE,DESCRIPTION,PRICE,CURRENCY_CODE${',X'.repeat(300)}\na,b,1,USD`,
    'columns',
  ],
  'an unknown column': ['id,prise\nm,48', 'There is no column “prise”. The columns are: id,'],
  'a repeated column': ['id,price,price\nm,1,2', 'The file has more than one column “price”.'],
  'a file without ids': ['name,price\nMoon,48', 'The column “id” is missing.'],
  'a quotation mark that is never closed': [
    'id,name\nm,"Moon\nwall\ns,Sun\n',
    'Line 2: a quotation mark is opened and never closed',
  ],
  'a quotation mark inside a cell': [
    'id,name\nm,"two\nlines"\nm,Mo"on\n',
    'Line 4: a quotation mark is in the middle of a cell',
  ],
  'characters behind a closing mark': [
    'id,name\nm,x\nm,"Moon"wall\n',
    'Line 3: there is text after the quotation mark',
  ],
  'a row without end': [`id,name\nm,"${'x'.repeat(1_100_000)}"\n`, 'Line 2: this row has no end'],
  'too many rows': [`id\n${'x\n'.repeat(200_001)}`, 'A file may have at most 200,000 rows'],
}
test.for(Object.entries(bad))(
  'the import refuses %s with a message, and stores no preview',
  async ([, [body, text]]) => {
    const shop = await open()
    const { status, page } = await uploadTable(shop.owner, body, 'photo.csv')
    expect(status).toBe(422)
    expect(page).toContain(text)
    expect(await shop.db.selectFrom('importPreviews').select('part').execute()).toEqual([])
    expect(shop.logged).toEqual([])
  },
)

test('the import refuses a form without a file', async () => {
  const { owner } = await open()
  const form = new FormData()
  form.set('intent', 'check')
  for (const body of [
    form,
    { intent: 'check' } as Record<string, string>,
    { intent: 'check', file: 'text' },
  ]) {
    const refused = await owner.post('/manage/import-export/', body)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toEqual(expect.stringContaining('Please choose a file'))
  }
  expect((await owner.post('/manage/import-export/', { intent: 'nonsense' })).status).toBe(404)
})

test('the import refuses a file larger than 32 MB', async () => {
  const { owner } = await open()
  expect((await uploadTable(owner, new Uint8Array(MAX_CSV_BYTES + 1).fill(10))).page).toContain(
    'This file is larger than 32 MB',
  )
})

test.each(['comma', 'semicolon'])(
  'importing an unedited export (%s) restores the exported values of the items',
  async (style) => {
    const shop = await open()
    const odd = [
      '=1+1',
      '+1',
      '-1',
      '@a',
      "'=1",
      '"quoted"',
      'a,b;c',
      'two\r\nlines',
      'a\tb',
      '€ 🧶 é',
      '|',
    ]
    for (const [at, text] of odd.entries()) {
      const texts = { name: text, description: text, width: text, soleType: text, size: text }
      const sale = at % 2 ? ({ discountType: 'percent', discountValue: 1 + at * 333 } as const) : {}
      await addItem(shop.db, `odd${at}`, 'walls', {
        ...texts,
        ...sale,
        priceCents: 1 + at * 12_345_678,
      })
    }
    const out = await downloadTable(shop.owner, style)
    expect(rowCounts((await uploadTable(shop.owner, out)).page)).toEqual([0, 0, 0, 12])

    const texts = { name: 'other', description: 'other', width: 'w', soleType: 's', size: 's' }
    const changed = { ...texts, priceCents: 777, discountType: 'amount', discountValue: 7 } as const
    await shop.db.updateTable('items').set(changed).execute()
    await applyTable(shop.owner, (await uploadTable(shop.owner, out)).check)
    expect(await downloadTable(shop.owner, style)).toBe(out)
  },
)
