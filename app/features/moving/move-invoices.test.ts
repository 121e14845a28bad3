import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { importInto, newFolder } from '#test/moving-shops.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { issuePapers } from '#app/features/papers/issue-papers.server.ts'

test('S-190 029 numbers move with the shop, the series goes on after them, and no number or receipt is there twice', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { receiptTag: 'HERE' })
  await issuePapers(shop, { receipt: 'HERE', papers: ['Invoice'], shipping: 300 })
  const createdAt = { __datatype__: 'timestamp', value: { _seconds: 1_700_000_000, _nanoseconds: 0 } }
  const invoice = (number: unknown, receipt: string, shippingCents: unknown = 0) => ({ number, receipt, shippingCents, createdAt })
  const path = join(await newFolder(), 'export.json')
  const invoices = {
    1: invoice(1, 'THERE-1', 500),
    7: invoice(7, 'THERE-7', 500),
    8: invoice(8, 'HERE', 500),
    '07': invoice(7, 'THERE-8', 500),
    9: invoice(9, 'THERE-9', -5),
    a: invoice('10', 'THERE-10'),
    b: invoice(1.5, 'THERE-11'),
    // The database would hold it, and no number after it.
    c: invoice(2_147_483_647, 'THERE-12'),
    d: invoice(0, ''),
  }
  await writeFile(path, JSON.stringify({ __collections__: { invoices } }))

  await importInto(shop, path, { adminIds: [], isMerge: true })
  await addSale(db, { receiptTag: 'NEXT' })
  await issuePapers(shop, { receipt: 'NEXT', papers: ['Invoice'], shipping: 0 })

  expect((await db.selectFrom('invoices').selectAll().orderBy('number').execute()).map((row) => Object.values({ ...row }))).toEqual([
    [1, 'HERE', 300, NOON],
    [7, 'THERE-7', 500, 1_700_000_000_000],
    [9, 'THERE-9', 0, 1_700_000_000_000],
    [10, 'NEXT', 0, NOON],
  ])
  const { report } = await db.selectFrom('imports').select('report').executeTakeFirstOrThrow()
  expect(report).toMatch(/invoices\/8.*NOT TAKEN/)
  expect(report.match(/NOT TAKEN/g)).toHaveLength(6)
})
