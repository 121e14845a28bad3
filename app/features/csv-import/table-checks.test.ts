import { expect, test } from 'vitest'
import { keptChecks as kept, openTableShop as open, rowsOf } from '#test/open-table-shop.ts'
import { addItem } from '#test/sample-catalogue.ts'
import { applyTable, uploadTable, wordsOf } from '#test/upload-table.ts'

test('a check is kept for an hour under an id that nobody guesses, and deleted with the next one, also what a killed process has left half', async () => {
  const shop = await open()
  const { check, address } = await uploadTable(shop.owner, 'id,price\nm,48')
  expect(check).toMatch(/^\d{13}-[A-Za-z0-9]{22}$/)
  shop.clock.now += 3_600_000
  expect(await shop.owner.page(address)).toContain('What would change')

  shop.clock.now += 1
  expect(wordsOf(await shop.owner.page(address))).toContain('That check is no longer kept. Please upload the file again')
  expect(await applyTable(shop.owner, check)).toMatchObject({ status: 404, page: expect.stringContaining('no longer kept') })
  const half = `${'0'.repeat(13)}-${'h'.repeat(22)}`
  await shop.db.insertInto('tableChecks').values({ checkId: half, part: 'changes', page: 1, content: '[]' }).execute()
  const next = await uploadTable(shop.owner, 'id,price\nm,48')
  expect(await kept(shop)).toEqual([next.check])
  for (const odd of ['', '..', '../..', '1'.repeat(13), '%00', `${check}/..`]) {
    expect((await shop.owner.get(`/manage/tables/?check=${odd}`)).status).toBe(200)
    expect((await shop.owner.get(`/manage/check.csv?check=${odd}`)).status).toBe(302)
    expect((await applyTable(shop.owner, odd)).status).toBe(404)
  }
})

test('a check of which a part is gone is written not at all, rather than in part', async () => {
  const shop = await open()
  for (let at = 0; at < 60; at++) await addItem(shop.db, `i${at}`, 'walls', { description: 'x' })
  const before = await rowsOf(shop)
  const { check } = await uploadTable(shop.owner, `id,price\n${Array.from({ length: 60 }, (_, at) => `i${at},31`).join('\n')}`)
  await shop.db.deleteFrom('tableChecks').where('part', '=', 'changes').where('page', '=', 2).execute()
  expect(await applyTable(shop.owner, check)).toMatchObject({ status: 500, page: expect.stringContaining('Nothing has been changed') })
  expect(await rowsOf(shop)).toEqual(before)
})

test('a long file is shown page by page', async () => {
  const shop = await open()
  const lines = Array.from({ length: 120 }, (_, at) => `nobody${at},x`)
  const { address, page } = await uploadTable(shop.owner, `id,name\nm,New moon\n${lines.join('\n')}`)
  expect(page).toContain('Refused (120)')

  const last = wordsOf(await shop.owner.page(`${address}&show=refused&page=3`))
  expect(last).toContain('Page 3 of 3')
  expect(last.match(/Row \d+/g)).toEqual(Array.from({ length: 20 }, (_, at) => `Row ${at + 103}`))
  for (const page of ['0', '-1', '99', 'x']) expect((await shop.owner.get(`${address}&show=refused&page=${page}`)).status).toBe(200)
})
