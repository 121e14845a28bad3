/** Tables that were made to break the shop, or the spreadsheet of whoever opens what the shop wrote. */
import { expect, test } from 'vitest'
import { bareCell, guardCell } from '#app/lib/csv.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'
import { downloadTable, uploadTable } from './upload-table.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addItem(shop.db, 'm', 'walls', { name: 'Moon', description: 'x' })
  return { ...shop, owner: await shop.owner() }
}

test('no cell runs as a formula, however it hides its beginning, and each comes back as it was', async () => {
  const { db, owner } = await open()
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
  const before = ['', ' ', '\t', '\r', '\n', '   ', '\u00a0', '\u3000', '\ufeff', "'", "''", " '", "' ", '\u200b', '\u0001', '"']
  const texts = signs.flatMap((sign) => before.map((start) => `${start}${sign}cmd|' /C calc'!A0`))
  const unharmed = /^[=+\-@＝＋－＠\t\r\n]/
  for (const text of [...texts, '\tx', '\rx', "'x", 'x=1', '', ' ', "'", 'Moon - Sun']) {
    expect(bareCell(guardCell(text)), JSON.stringify(text)).toBe(text)
    // What spreadsheets leave out at the start of a cell counts for nothing.
    expect(guardCell(text).replace(/^[\s\p{C}]+/u, ''), JSON.stringify(text)).not.toMatch(unharmed)
  }
  for (const [at, name] of texts.entries()) await addItem(db, `i${at}`, 'walls', { name, description: name })
  const table = await downloadTable(owner)
  const { page } = await uploadTable(owner, table)
  expect(page).toContain(`0 changed 0 new 0 refused ${texts.length + 1} unchanged`)
})

test('a table is never a reason to fail: odd delimiters, a million columns, one endless line, open quotes, zero bytes', async () => {
  const { owner, logged } = await open()
  const rows = 'm,Sun\n'.repeat(3)
  const bombs: Record<string, string | Uint8Array<ArrayBuffer>> = {
    quote: `sep="\nid,name\n${rows}`,
    newline: `sep=\r\nid,name\r\n${rows}`,
    return: `sep=\r\r\nid,name\r\n${rows}`,
    emoji: `sep=😀\nid😀name\nm😀Sun\n`,
    half: new Uint8Array([0xff, 0xfe, ...Buffer.from('sep=\ud83d\nid,name\nm,Sun\n', 'utf16le')]),
    columns: `id${','.repeat(10_000)}\nm${','.repeat(10_000)}\n`,
    million: `${','.repeat(900_000)}id,name\n${'m\n'.repeat(2000)}`,
    trailing: `id,name${','.repeat(900_000)}\n${'m,Sun\n'.repeat(2000)}`,
    line: `id,name\nm,${'a'.repeat(30_000_000)}\n`,
    header: 'a'.repeat(30_000_000),
    open: `id,name\nm,"Sun\n${'m,Sun\n'.repeat(100_000)}`,
    quotes: `id,name\nm,${'"'.repeat(1_000_001)}\n`,
    zero: `id,name\nm,Su\0n\n`,
    later: `id,name\n${'m,Sun\n'.repeat(20_000)}m,Su\0n\n`,
    proto: 'id,__proto__\nm,x\n',
    constructor: 'id,discount type,discount value\nm,constructor,5\n',
    category: 'id,category\nm,__proto__\n',
    long: `id,name\n${'i'.repeat(900_000)},x\n`,
    bell: 'id,name\n\u0007m,\u0000\n',
  }
  for (const [name, bomb] of Object.entries(bombs)) {
    const began = performance.now()
    const { status } = await uploadTable(owner, bomb, `${name}\u0000<b>.csv`)
    expect([name, status < 500 ? 'fine' : status]).toEqual([name, 'fine'])
    expect([name, performance.now() - began < 10_000]).toEqual([name, true])
  }
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})
