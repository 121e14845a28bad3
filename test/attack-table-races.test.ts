/** Tables and discounts that are written at the same moment: each waits for the other, and nothing is half of both. */
import { expect, test } from 'vitest'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'
import { applyTable, uploadTable } from './upload-table.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  return { shop, owner: await shop.owner() }
}
const statusesOf = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort()

test('a table and discounts of eight hundred pieces at the same moment wait for each other, never for ever', async () => {
  const { shop, owner } = await open()
  const ids = Array.from({ length: 800 }, (_, n) => `i${(n * 7919) % 800}`)
  const texts = { categoryId: 'walls', description: 'x', width: '', soleType: '', size: '', discountType: null, discountValue: null }
  const rows = ids.map((id) => ({ id, name: id, priceCents: 2500, ...texts, createdAt: 1, firstCreatedAt: 1 }))
  const picture = { width: 9, height: 9, widths: '[]', placeholder: '', createdAt: 1, state: 'finished' as const }
  for (let start = 0; start < rows.length; start += 100) {
    const part = rows.slice(start, start + 100)
    await shop.db.insertInto('items').values(part).execute()
    await shop.db
      .insertInto('pictures')
      .values(part.map(({ id }) => ({ id, path: `items/${id}.png`, ...picture })))
      .execute()
    await shop.db
      .insertInto('itemPictures')
      .values(part.map(({ id }) => ({ id, itemId: id, pictureId: id, position: 0, isAvailable: 1 as const })))
      .execute()
  }
  const tables = [ids, [...ids].reverse()].map((list, n) => `id,name,price\n${list.map((id) => `${id},Table ${n},3${n}`).join('\n')}`)
  const checks = [(await uploadTable(owner, tables[0]!)).check, (await uploadTable(owner, tables[1]!)).check]
  const all = (n: number) =>
    owner.act('/manage/discount', {
      intent: 'items-apply',
      type: 'percent',
      value: String(n),
      confirm: 'Yes',
      all: 'on',
      count: '800',
      free: '0',
    })
  const answers = await Promise.all([
    all(1),
    applyTable(owner, checks[0]!),
    all(2),
    applyTable(owner, checks[1]!),
    all(3),
    applyTable(owner, checks[0]!),
  ])
  expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([])
  expect(shop.logged.filter(({ level }) => level === 'error').map(({ error }) => String(error))).toEqual([])
  const found = await shop.db.selectFrom('items').select(['name', 'priceCents', 'discountValue']).distinct().execute()
  expect(new Set(found.map(({ discountValue }) => discountValue)).size).toBe(1)
  // A row that another table or a discount was faster with is left as that one made it: never half of both.
  for (const { name, priceCents } of found) expect(`${name} ${priceCents}`).toMatch(/^(Table 0 3000|Table 1 3100|i\d+ 2500)$/)
})

test('a table that is applied in four tabs at once is told everywhere as it was done', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 20; n++) await addItem(shop.db, `i${round}-${n}`, 'walls', { description: 'x' })
    const { check } = await uploadTable(owner, `id,price\n${Array.from({ length: 20 }, (_, n) => `i${round}-${n},31`).join('\n')}`)
    await Promise.all([1, 2, 3, 4].map(() => applyTable(owner, check)))
    const page = await applyTable(owner, check)
    expect(page.status).toBe(409)
    expect(await owner.page(`/manage/tables/?check=${check}`)).toMatch(/20(<!-- -->)? items? (<!-- -->)?(were )?(updated|changed)/i)
    const acts = await shop.db.selectFrom('audit').select('act').where('act', '=', 'import-items').execute()
    expect(acts).toHaveLength(round + 1)
  }
})
