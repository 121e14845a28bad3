/**
 * Imports and exports texts that a spreadsheet program could run as formulas when somebody opens an
 * exported CSV file.
 */
import { expect, test } from 'vitest'
import { bareCell, guardCell } from '#lib/text/csv.ts'
import { addItem } from '#test/fixtures/catalog.ts'
import { cpuTimeOf } from '#test/fixtures/cpu-time.ts'
import { downloadTable, uploadTable } from '#test/fixtures/csv.ts'
import { errorsOf } from '#test/fixtures/fuzz.ts'
import { openTableShop } from '#test/fixtures/prepared-shops.ts'

test('an exported cell never runs as a formula, and an import reads the cell back unchanged [S-201]', async () => {
  const { db, owner } = await openTableShop()
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
  const before = [
    '',
    ' ',
    '\t',
    '\r',
    '\n',
    '   ',
    '\u00a0',
    '\u3000',
    '\ufeff',
    "'",
    "''",
    " '",
    "' ",
    '\u200b',
    '\u0001',
    '"',
  ]
  before.push('x;', 'x,', 'x\t', 'x\n', "x; '", 'x;"', ';,', 'x;\u200b', ",'\t'")
  const texts = signs.flatMap((sign) => before.map((start) => `${start}${sign}cmd|' /C calc'!A0`))
  for (const text of [...texts, '\tx', '\rx', "'x", 'x=1', '', ' ', "'", 'Moon - Sun']) {
    expect(bareCell(guardCell(text)), JSON.stringify(text)).toBe(text)
    // Removes white space and control characters, because spreadsheet programs ignore them at the
    // start of a cell.
    expect(guardCell(text).replace(/^[\s\p{C}]+/u, ''), JSON.stringify(text)).not.toMatch(
      /^[=+\-@＝＋－＠\t\r\n]/,
    )
  }
  for (const [at, name] of texts.entries()) {
    await addItem(db, `i${at}`, 'walls', { name, description: name })
  }
  for (const [style, otherSeparator] of [
    ['comma', ';'],
    ['semicolon', ','],
  ] as const) {
    const table = await downloadTable(owner, style)
    for (const cell of table.split(new RegExp(`[\r\n\t${otherSeparator}]`))) {
      expect(cell).not.toMatch(/^[\s\p{C}"]*[=+\-@＝＋－＠]/u)
    }
    expect((await uploadTable(owner, table)).page).toContain(
      `0 changed 0 new 0 refused ${texts.length + 2} unchanged`,
    )
  }
})

const rows = 'm,Sun\n'.repeat(3)
/** The CPU time for an ordinary file of three megabytes. */
let usual: number | undefined

test.each<[name: string, table: string | Uint8Array<ArrayBuffer>]>([
  ['a quote as delimiter', `sep="\nid,name\n${rows}`],
  ['a line end as delimiter', `sep=\r\nid,name\r\n${rows}`],
  ['a carriage return as delimiter', `sep=\r\r\nid,name\r\n${rows}`],
  ['an emoji as delimiter', `sep=😀\nid😀name\nm😀Sun\n`],
  [
    'half an emoji as delimiter',
    new Uint8Array([0xff, 0xfe, ...Buffer.from('sep=\ud83d\nid,name\nm,Sun\n', 'utf16le')]),
  ],
  ['ten thousand columns', `id${','.repeat(10_000)}\nm${','.repeat(10_000)}\n`],
  ['a million columns before the names', `${','.repeat(900_000)}id,name\n${'m\n'.repeat(2000)}`],
  ['a million columns after the names', `id,name${','.repeat(900_000)}\n${'m,Sun\n'.repeat(2000)}`],
  ['one endless row', `id,name\nm,${'a'.repeat(30_000_000)}\n`],
  ['an endless header', 'a'.repeat(30_000_000)],
  ['an open quote', `id,name\nm,"Sun\n${'m,Sun\n'.repeat(100_000)}`],
  ['a million quotes', `id,name\nm,${'"'.repeat(1_000_001)}\n`],
  ['a zero byte', `id,name\nm,Su\0n\n`],
  ['a zero byte at the end', `id,name\n${'m,Sun\n'.repeat(20_000)}m,Su\0n\n`],
  ['a column __proto__', 'id,__proto__\nm,x\n'],
  ['a discount constructor', 'id,discount type,discount value\nm,constructor,5\n'],
  ['a category __proto__', 'id,category\nm,__proto__\n'],
  ['an endless id', `id,name\n${'i'.repeat(900_000)},x\n`],
  ['control characters', 'id,name\n\u0007m,\u0000\n'],
])('the shop reads or refuses a CSV file with %s within seconds', async (name, table) => {
  const { owner, logged } = await openTableShop()
  const upload = async () =>
    expect((await uploadTable(owner, table, `${name}\u0000<b>.csv`)).status).toBeLessThan(500)
  usual ??= await cpuTimeOf(() => uploadTable(owner, `id,name\n${'m,Sun\n'.repeat(500_000)}`))
  expect((await cpuTimeOf(upload)) / usual).toBeLessThan(20)
  expect(errorsOf({ logged })).toEqual([])
})
