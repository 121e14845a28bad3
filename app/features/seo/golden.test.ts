/** The whole head of an item's page, kept beside this test; after a change that is meant: vitest --update. */
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { readHead } from '#test/page-head.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import type { ItemTable } from '#db/schema.ts'
import type { Insertable } from 'kysely'

async function headOfTote(changed: Partial<Insertable<ItemTable>>) {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags', { title: 'Bags & Totes' })
  await addColor(db, 'rust_red')
  await addColor(db, 'sage', { isLowOnStock: 1 })
  const pictures = [{ colors: ['rust_red'] }, { colors: ['sage'] }]
  const description = 'A wide net of soft cotton that carries a melon,\nthree books and a coat. "Everything" & more.'
  await addItem(db, 'tote', 'bags', { name: 'Market Tote', priceCents: 123_450, description, size: '14 x 16 in', pictures, ...changed })
  return readHead(await visitor().page('/item/tote'))
}

/** One tag a line, the data spread out; without the files that the build names. */
const readable = ({ title, tags, data }: Awaited<ReturnType<typeof headOfTote>>) =>
  [
    `<title>${title}</title>`,
    ...tags.filter((tag) => !/rel="(preload|modulepreload|stylesheet)"/.test(tag)).map((tag) => tag.replace(/ nonce="[^"]*"/, '')),
    ...Object.values(data).map((document) => JSON.stringify(document, null, 2)),
    '',
  ].join('\n')

test('CONST-01 the head of an item at its full price', async () => {
  await expect(readable(await headOfTote({}))).toMatchFileSnapshot('golden/item.txt')
})

test('CONST-01 DISC-55 the head of an item on sale: the price to be paid, and the struck one', async () => {
  await expect(readable(await headOfTote({ discountType: 'percent', discountValue: 1050 }))).toMatchFileSnapshot('golden/item-on-sale.txt')
})
