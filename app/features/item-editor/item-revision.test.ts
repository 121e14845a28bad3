import { expect, test } from 'vitest'
import { addCategory, addColor, addItem, addImage } from '#test/fixtures/catalog.ts'
import { formOf, pageOf } from '#test/fixtures/html.ts'
import { photo } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { setItemsDiscount } from '#discounts/discount-changes.server.ts'
import { findEditedItem } from './edit-items.server.ts'

const typed = {
  name: 'Moon',
  categoryId: 'walls',
  price: '25.00',
  description: 'Round.',
  width: '',
  soleType: '',
  size: '',
}

/**
 * Returns the fields of an item form that was loaded with this revision. By default, the item has
 * two available images.
 */
const form = (
  revision: number | null,
  changed: Record<string, string> = {},
  image = ['m-0', 'm-1'],
  files: File[] = [],
) => {
  const available = Object.fromEntries(image.map((key) => [`available:${key}`, 'on']))
  return formOf({
    intent: 'save',
    ...typed,
    revision: revision === null ? [] : String(revision),
    ...changed,
    image,
    ...available,
    files,
  })
}

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addItem(shop.db, 'm', 'walls', { name: 'Moon', description: 'Round.', images: [{}, {}] })
  const read = () => findEditedItem(shop.db, 'm')
  return { ...shop, owner: await shop.owner(), read }
}
const readPage = async (response: Response) => pageOf(await response.text())
const differencesOn = (page: ReturnType<typeof pageOf>) =>
  page
    .getAllByRole('term')
    .map((term) => [...term.parentElement!.children].map(({ textContent }) => textContent))

test('without JavaScript, a conflict with another tab shows the typed values beside the stored values [MERCH-36]', async () => {
  const { owner, read } = await open()
  await owner.act('/manage/item/m', form(1, { name: 'Sun', price: '30', categoryId: 'bags' }))
  const refused = await owner.post(
    '/manage/item/m',
    form(1, { name: 'Star <b>', width: '5 cm' }, ['m-1', 'm-0'], [photo()]),
  )
  const page = await readPage(refused)

  expect(refused.status).toBe(409)
  expect(await read()).toMatchObject({ name: 'Sun', priceCents: 3000, width: '', revision: 2 })
  expect(differencesOn(page)).toEqual([
    ['Name', 'Yours: Star <b>', 'Stored: Sun'],
    ['Category', 'Yours: Walls', 'Stored: Bags'],
    ['Price', 'Yours: $25.00', 'Stored: $30.00'],
    ['Width', 'Yours: 5 cm', 'Stored: –'],
    ['Images', 'Yours: 2 images, in another order', 'Stored: 2 images, in another order'],
  ])
  const keepMine = page.getByRole<HTMLButtonElement>('button', { name: 'Keep mine' })
  expect(keepMine.name).toBe('keep')
  expect(keepMine.value).toBe('2')
  const valuesOf = (name: string) =>
    [...keepMine.closest('form')!.querySelectorAll(`[name="${name}"]`)].map((field) =>
      field.getAttribute('value'),
    )
  expect(valuesOf('name')).toEqual(['Star <b>'])
  expect(valuesOf('revision')).toEqual(['1'])
  expect(valuesOf('image')).toEqual(['m-1', 'm-0'])
  expect(page.getByText(/choose them again/)).toBeTruthy()
  const link = page.getByRole('link', { name: 'Use the stored one' })
  expect(link.getAttribute('href')).toBe('/manage/item/m')

  const saved = await owner.post(
    '/manage/item/m',
    form(1, { name: 'Star', keep: '2', back: '/manage/item/m' }),
  )
  expect(saved.status).toBe(303)
  expect(await read()).toMatchObject({ name: 'Star', categoryId: 'walls', revision: 3 })
})

test('the button "Keep mine" overwrites only the stored version that the page has shown', async () => {
  const { owner, read } = await open()
  await owner.act('/manage/item/m', form(1, { name: 'Sun' }))
  await owner.act('/manage/item/m', form(2, { name: 'Sea' }))

  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: '2' }))).status).toBe(409)
  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: 'x' }))).status).toBe(409)
  expect((await read())!.name).toBe('Sea')
  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: '3' }))).status).toBe(200)
  expect((await read())!.name).toBe('Star')
})

test('when the owner saves an item several times concurrently, one save succeeds and all other saves are refused', async () => {
  const { owner, read } = await open()
  const answers = await Promise.all(
    ['Sun', 'Star'].map((name) => owner.act('/manage/item/m', form(1, { name }))),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await read()).toMatchObject({
    name: answers[0]!.status === 200 ? 'Sun' : 'Star',
    revision: 2,
  })
})

test('the shop refuses to save an item if this would overwrite images that another tab has added, removed or moved', async () => {
  const { db, owner, read } = await open()
  await addImage(db, 'new')
  await owner.act('/manage/item/m', form(1, {}, ['upload-new', 'm-1']))
  const refused = await readPage(await owner.post('/manage/item/m', form(1)))

  expect(differencesOn(refused)).toContainEqual([
    'Images',
    'Yours: 2 images, 1 of them only here',
    'Stored: 2 images, 1 of them only here',
  ])
  expect((await read())!.images).toHaveLength(2)
  await owner.act('/manage/item/m', form(2, {}, ['m-1', (await read())!.images[0]!.id]))
  expect((await owner.act('/manage/item/m', form(2, {}, ['m-1']))).status).toBe(409)
  expect((await read())!.images.map(({ id }) => id)).toEqual(['m-1', expect.any(String)])
})

test('when the form of an item arrives twice, the shop reports no conflict, and adds a new image only once', async () => {
  const { db, owner, read } = await open()
  await addImage(db, 'new')
  const sent = () => form(1, { name: 'Sun', price: ' 30,0 ' }, ['upload-new', 'm-1', 'm-0'])
  expect((await owner.act('/manage/item/m', sent())).status).toBe(200)
  expect((await owner.act('/manage/item/m', sent())).status).toBe(200)

  expect((await read())!.images).toHaveLength(3)
})

test('when the form of a new item arrives twice, the shop adds the item once, but refuses a form with other texts', async () => {
  const { db, owner } = await open()
  await addImage(db, 'new')
  const items = () => db.selectFrom('items').select('id').execute()
  const sent = (name: string) => form(null, { name }, ['upload-new'])
  expect((await owner.act('/manage/item/', sent('Sun'))).text).toContain('Item Successfully Added!')
  expect((await owner.act('/manage/item/', sent(' Sun'))).text).toContain(
    'Item Successfully Added!',
  )
  expect(await items()).toHaveLength(2)

  expect((await owner.act('/manage/item/', sent('Star'))).status).toBe(409)
  await addImage(db, 'more')
  const withMore = form(null, { name: 'Sun' }, ['upload-new', 'upload-more'])
  expect((await owner.act('/manage/item/', withMore)).status).toBe(409)
  expect(await items()).toHaveLength(2)
})

test('the owner can save an item after its discount was changed or its color was deleted on another page', async () => {
  const { db, shop, owner, read } = await open()
  await addColor(db, 'ash')
  await setItemsDiscount(
    shop,
    'owner',
    { ids: ['m'] },
    { type: 'percent', value: 1000 },
    { count: 1, free: 0 },
  )
  await db.deleteFrom('colors').where('id', '=', 'ash').execute()
  const first = form(1, { name: 'Sun' })
  first.append('color:m-0', 'ash')
  expect((await owner.act('/manage/item/m', first)).status).toBe(200)
  expect(await read()).toMatchObject({
    discount: { type: 'percent', value: 1000 },
    revision: 2,
    colors: [],
  })
})

test('the owner can save the typed values as a new item after the item was deleted in another tab', async () => {
  const { db, owner } = await open()
  await owner.act('/manage/item/m', { intent: 'delete', confirm: 'Yes' })
  const refused = await owner.post('/manage/item/m', form(1, { name: 'Star' }))
  const page = await readPage(refused)

  expect(refused.status).toBe(404)
  expect(page.getByText(/^This item was deleted in the meantime/)).toBeTruthy()
  const name = page.getByRole('textbox', { name: 'Name *' })
  expect(name.getAttribute('value')).toBe('Star')
  expect(name.closest('form')!.getAttribute('action')).toBe('/manage/item')
  expect(page.queryByAltText(/^Preview of/)).toBeNull()
  expect((await owner.act('/manage/item/', form(1, { name: 'Star' }))).text).toContain(
    'Please Add Atleast 1 Image for the Item',
  )
  expect(
    (await owner.act('/manage/item/', form(1, { name: 'Star' }, ['m-0'], [photo()]))).text,
  ).toContain('Item Successfully Added!')
  expect(await db.selectFrom('items').select(['name', 'revision']).execute()).toEqual([
    { name: 'Star', revision: 1 },
  ])
  expect(await owner.page('/manage/item/m')).toContain('This item no longer exists')
})
