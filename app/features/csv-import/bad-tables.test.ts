import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { applyTable, downloadTable, uploadTable } from '#test/upload-table.ts'
import { MAX_TABLE_BYTES } from './item-table.ts'
import { openTable } from './read-table.server.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Wände' })
  await addItem(shop.db, 'm', 'walls', { name: 'Moon wall', priceCents: 4500, description: 'Round.' })
  return { ...shop, owner: await shop.owner() }
}

const found = (page: string) => /What would change.*?([\d,]+) changed ([\d,]+) new ([\d,]+) refused ([\d,]+) unchanged/.exec(page)?.slice(1)

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
test.for(Object.entries(readable))('a table %s is read', async ([kind, body]) => {
  const shop = await open()
  const { check, page } = await uploadTable(shop.owner, body)
  expect(page).toContain('name Moon wall → Möon price $45.00 → $48.00')
  expect(page.includes('It was read as Windows-1252')).toBe(kind.includes('1252'))
  expect(page.includes('read as UTF-16')).toBe(kind.includes('UTF-16'))
  await applyTable(shop.owner, check)
  expect(await shop.db.selectFrom('items').select(['name', 'priceCents']).executeTakeFirst()).toEqual({ name: 'Möon', priceCents: 4800 })
})

const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()
const bad: Record<string, [body: string | Uint8Array<ArrayBuffer>, text: string]> = {
  'an empty file': ['', 'This file is empty'],
  'a file of a byte order mark only': ['\uFEFF', 'This file is empty'],
  'a first row only': ['id,name\r\n', 'nothing below it'],
  'a picture renamed': [new Uint8Array(picture), 'This is not a table but some other kind of file'],
  'the beginning of a picture': [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]), 'This is not a table'],
  'an Excel workbook': [
    new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]),
    'This is an Excel workbook. In Excel choose “Save As” and “CSV UTF-8”',
  ],
  'nonsense in letters': ['hello\nthere', 'The first row does not name the columns. They are: id, name, category, price'],
  'an unknown column': ['id,prise\nm,48', 'There is no column “prise”. The columns are: id,'],
  'a doubled column': ['id,price,price\nm,1,2', 'The file has more than one column “price”.'],
  'no id': ['name,price\nMoon,48', 'The column “id” is missing.'],
  'a quotation mark that is never closed': ['id,name\nm,"Moon\nwall\ns,Sun\n', 'Line 2: a quotation mark is opened and never closed'],
  'a quotation mark inside a cell': ['id,name\nm,"two\nlines"\nm,Mo"on\n', 'Line 4: a quotation mark stands in the middle of a cell'],
  'letters behind a closing mark': ['id,name\nm,x\nm,"Moon"wall\n', 'Line 3: something stands behind the quotation mark'],
  'a row without end': [`id,name\nm,"${'x'.repeat(1_100_000)}"\n`, 'Line 2: this row has no end'],
  'too many rows': [`id\n${'x\n'.repeat(200_001)}`, 'A file may have at most 200,000 rows'],
}
test.for(Object.entries(bad))('%s is refused in words, and nothing is kept of it', async ([, [body, text]]) => {
  const shop = await open()
  const { status, page } = await uploadTable(shop.owner, body, 'photo.csv')
  expect(status).toBe(422)
  expect(page).toContain(text)
  expect(await shop.db.selectFrom('tableChecks').select('part').execute()).toEqual([])
  expect(shop.logged).toEqual([])
})

test('no file at all, and a form that is none', async () => {
  const { owner } = await open()
  const form = new FormData()
  form.set('intent', 'check')
  for (const body of [form, { intent: 'check' } as Record<string, string>, { intent: 'check', file: 'text' }]) {
    const refused = await owner.post('/manage/tables/', body)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Please choose a file')])
  }
  expect((await owner.post('/manage/tables/', { intent: 'nonsense' })).status).toBe(404)
})

test('one byte more than 32 MB is told', async () => {
  const shop = await open()
  const { owner } = shop
  const long = `id,name\n${'x,y\n'.repeat(10)}`
  const padded = (size: number) => new Uint8Array(Buffer.concat([Buffer.from(long), Buffer.alloc(size - long.length, '\n')]))
  expect((await uploadTable(owner, padded(MAX_TABLE_BYTES + 1))).page).toContain('This file is larger than 32 MB')
})

test('a table is looked through in pieces, never held in memory whole', async () => {
  const file = new File([`id,name\r\n${'m,Möon\r\n'.repeat(50_000)}`], 'items.csv')
  const whole = vi.spyOn(file, 'arrayBuffer')
  expect((await openTable(file)).notice).toBeNull()
  expect(whole).not.toHaveBeenCalled()
})

test('out, in and out again: nothing would change, and after other writes the same bytes come back', async () => {
  const shop = await open()
  const { db, owner } = shop
  const text = fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'\'"=+-@\t\r\n,; aé€|') },
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
    ),
  })
  const clean = text.map((one) => one.replaceAll(/[\0\uFFFD]/g, '').trim()).filter((one) => one.isWellFormed())
  const item = fc.record({
    name: clean.filter((one) => one !== '' && one.length <= 200),
    description: clean.filter((one) => one !== ''),
    width: clean,
    soleType: clean,
    size: clean,
    priceCents: fc.integer({ min: 1, max: 999_999_999 }),
    discount: fc.option(
      fc.record({ discountType: fc.constantFrom('percent' as const, 'amount' as const), discountValue: fc.integer({ min: 1, max: 9999 }) }),
    ),
  })
  let round = 0
  const property = fc.asyncProperty(
    fc.array(item, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('comma', 'semicolon'),
    async (items, style) => {
      round += 1
      await db.deleteFrom('items').execute()
      for (const [at, { discount, ...one }] of items.entries())
        await addItem(db, `r${round}-${at}`, 'walls', { ...one, ...(discount ?? { discountType: null, discountValue: null }) })
      const out = await downloadTable(owner, style)
      expect(found((await uploadTable(owner, out)).page)).toEqual(['0', '0', '0', String(items.length)])

      await db
        .updateTable('items')
        .set({
          name: 'other',
          description: 'other',
          width: 'w',
          soleType: 's',
          size: 's',
          priceCents: 777,
          discountType: 'amount',
          discountValue: 7,
        })
        .execute()
      await applyTable(owner, (await uploadTable(owner, out)).check)
      expect(await downloadTable(owner, style)).toBe(out)
    },
  )
  await fc.assert(property, { numRuns: 25, endOnFailure: true })
})

test('100,000 rows are read in parts: others are answered meanwhile', async () => {
  const shop = await open()
  const rows = Array.from({ length: 100_000 }, (_, at) => `nobody${at},Name ${at}`)
  const upload = uploadTable(shop.owner, `id,name\nm,New moon\n${rows.join('\n')}`)
  let isDone = false
  void upload.finally(() => (isDone = true))
  let answered = 0
  while (!isDone) {
    await (await shop.visitor().get('/robots.txt')).text()
    // In one process neither side may keep the other from its turn.
    await nextTurn()
    if (!isDone) answered += 1
  }
  const { page, check } = await upload
  expect(found(page)).toEqual(['1', '0', '100,000', '0'])
  expect(answered).toBeGreaterThan(5)
  const report = await (await shop.owner.get(`/manage/check.csv?check=${check}`)).text()
  expect(report.split('\r\n')).toHaveLength(100_003)
})
