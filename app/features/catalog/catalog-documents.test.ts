import { expect, test } from 'vitest'
import { addCategory, addColor, addItem, addImage } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import {
  listCategoryDocuments,
  listColorDocuments,
  listItemDocuments,
  listShowcaseDocuments,
} from './catalog-documents.server.ts'

async function openMoon() {
  const { db } = await openTestShop()
  await addCategory(db, 'walls')
  await addColor(db, 'ash')
  await addItem(db, 'm', 'walls', {
    name: 'Moon',
    description: 'Round.',
    width: '30 cm',
    soleType: 'jute',
    size: 'large',
    discountType: 'percent',
    discountValue: 1250,
    priceCents: 1999,
    createdAt: 5000,
    images: [{ colors: ['ash'] }, { isAvailable: false }],
  })
  return db
}

test.each([
  { id: 'DATA-039', field: 'id', value: 'm' },
  { id: 'DATA-040', field: 'name', value: 'Moon' },
  { id: 'DATA-041', field: 'category', value: 'walls' },
  { id: 'DATA-042', field: 'price', value: 19.99 },
  { id: 'DATA-043', field: 'description', value: 'Round.' },
  { id: 'DATA-044', field: 'width', value: '30 cm' },
  { id: 'DATA-045', field: 'soleType', value: 'jute' },
  { id: 'DATA-046', field: 'size', value: 'large' },
  { id: 'DATA-047', field: 'discount', value: { type: 'percent', price: 12.5 } },
  { id: 'DATA-048', field: 'discount.type', value: 'percent' },
  { id: 'DATA-049', field: 'discount.price', value: 12.5 },
  { id: 'DATA-050', field: 'images.length', value: 2 },
  { id: 'DATA-051', field: 'createdAt', value: 5000 },
  { id: 'DATA-052', field: 'images[0].url', value: '/pictures/items/m-0.webp' },
  { id: 'DATA-053', field: 'images[0].colors', value: ['ash'] },
  { id: 'DATA-054', field: 'images[1].isAvailable', value: false },
])('the exported item document has the field $field [$id]', async ({ field, value }) => {
  const [moon] = await listItemDocuments(await openMoon())
  expect(moon).toHaveProperty(field, value)
})

test('the exported document of an item without a discount has no field “discount” [DATA-047, DATA-108]', async () => {
  const db = await openMoon()
  await addItem(db, 'n', 'walls')
  const documents = await listItemDocuments(db)
  expect(documents.map((item) => [item.id, 'discount' in item])).toEqual([
    ['m', true],
    ['n', false],
  ])
})

test.each([
  { id: 'DATA-059', field: 'id', value: 'ash' },
  { id: 'DATA-060', field: 'name', value: 'Ash_grey' },
  { id: 'DATA-061', field: 'url', value: '/pictures/items/color-ash.webp' },
  { id: 'DATA-062', field: 'isAvailable', value: true },
  { id: 'DATA-063', field: 'isLowOnStock', value: true },
  { id: 'DATA-064', field: 'discount', value: { type: 'amount', price: 2.5 } },
])('the exported color document has the field $field [DATA-107, $id]', async ({ field, value }) => {
  const { db } = await openTestShop()
  await addColor(db, 'ash', {
    name: 'Ash_grey',
    isLowOnStock: true,
    discountType: 'amount',
    discountValue: 250,
  })
  const [ash] = await listColorDocuments(db)
  expect(ash).toHaveProperty(field, value)
})

test('the exported category document has id, title, color and image [DATA-065, DATA-066, DATA-067, DATA-068, DATA-109]', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'walls', { title: 'Walls', color: '#c98a5e' })
  const none = { id: 'walls', title: 'Walls', color: '#c98a5e', createdAt: 1000 }
  expect(await listCategoryDocuments(db)).toEqual([{ ...none, url: '' }])
  await db
    .updateTable('categories')
    .set({ imageId: await addImage(db, 'wall') })
    .execute()
  expect(await listCategoryDocuments(db)).toEqual([{ ...none, url: '/pictures/items/wall.webp' }])
})

test('the exported showcase document has title, image, category and place [DATA-069, DATA-070, DATA-071, DATA-072]', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'walls')
  const imageId = await addImage(db, 'wall')
  const row = {
    id: 's',
    title: 'On the wall',
    imageId,
    categoryId: 'walls',
    deg: 60,
    position: 0,
  }
  await db.insertInto('showcase').values(row).execute()
  expect(await listShowcaseDocuments(db)).toEqual([
    {
      id: 's',
      title: 'On the wall',
      url: '/pictures/items/wall.webp',
      categoryID: 'walls',
      deg: 60,
    },
  ])
})
