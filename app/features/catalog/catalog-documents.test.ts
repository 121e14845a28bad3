import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listCategoryDocuments, listColorDocuments, listItemDocuments, listShowcaseDocuments } from './catalog-documents.server.ts'

test('DATA-039 DATA-040 DATA-041 DATA-042 DATA-043 DATA-044 DATA-045 DATA-046 DATA-047 DATA-048 DATA-049 DATA-050 DATA-051 DATA-052 DATA-053 DATA-054 the item document', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'walls')
  await addColor(db, 'ash')
  const sale = { discountType: 'percent', discountValue: 1250 } as const
  const texts = { name: 'Moon', description: 'Round.', width: '30 cm', soleType: 'jute', size: 'large' }
  await addItem(db, 'm', 'walls', {
    ...texts,
    ...sale,
    priceCents: 1999,
    createdAt: 5000,
    pictures: [{ colors: ['ash'] }, { isAvailable: 0 }],
  })
  await addItem(db, 'n', 'walls')

  const [moon, plain] = await listItemDocuments(db)

  expect(moon).toEqual({
    id: 'm',
    category: 'walls',
    price: 19.99,
    ...texts,
    discount: { type: 'percent', price: 12.5 },
    images: [
      { url: '/pictures/items/m-0.webp', colors: ['ash'], isAvailable: true },
      { url: '/pictures/items/m-1.webp', colors: [], isAvailable: false },
    ],
    createdAt: 5000,
  })
  expect(plain).not.toHaveProperty('discount')
})

test('DATA-059 DATA-060 DATA-061 DATA-062 DATA-063 DATA-064 DATA-107 the colour document', async () => {
  const { db } = await openTestShop()
  await addColor(db, 'ash', { name: 'Ash_grey', isLowOnStock: 1, discountType: 'amount', discountValue: 250 })

  expect(await listColorDocuments(db)).toEqual([
    {
      id: 'ash',
      name: 'Ash_grey',
      url: '/pictures/items/color-ash.webp',
      isAvailable: true,
      isLowOnStock: true,
      discount: { type: 'amount', price: 2.5 },
      createdAt: 1000,
    },
  ])
})

test('DATA-065 DATA-066 DATA-067 DATA-068 DATA-109 DATA-069 DATA-070 DATA-071 DATA-072 category and showcase documents', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'walls', { title: 'Walls', color: '#c98a5e' })
  await addColor(db, 'ash')
  await db
    .insertInto('showcase')
    .values({ id: 's', title: 'On the wall', pictureId: 'color-ash', categoryId: 'walls', deg: 60, position: 0 })
    .execute()

  expect(await listCategoryDocuments(db)).toEqual([{ id: 'walls', title: 'Walls', color: '#c98a5e', url: '', createdAt: 1000 }])
  expect(await listShowcaseDocuments(db)).toEqual([
    { id: 's', title: 'On the wall', url: '/pictures/items/color-ash.webp', categoryID: 'walls', deg: 60 },
  ])
})
