import { expect, test } from 'vitest'
import { addCategory, addColor, addItem, itemIds } from '#test/fixtures/catalog.ts'
import { applyTable, uploadTable } from '#test/fixtures/csv.ts'
import { formOf, pageOf, within } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

/**
 * The shop has these five items, with the last changed item first. This order differs from the
 * order by id.
 */
const NEWEST_FIRST = ['m', 'z', 'b', 'x', 'a']

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  for (const [index, id] of NEWEST_FIRST.toReversed().entries()) {
    await addItem(shop.db, id, 'walls', { createdAt: 1000 + index, description: 'Soft' })
  }
  const gallery = async () => itemIds(await shop.visitor().page('/gallery/'))
  const owner = await shop.owner()
  const discount = (items: string[]) => {
    shop.clock.now += 1000
    return owner.act(
      '/manage/discount/',
      formOf({ intent: 'items-apply', type: 'amount', value: '5', confirm: 'Yes', item: items }),
    )
  }
  return { ...shop, gallery, owner, discount }
}

test('a bulk discount and its undo move the changed items to the top of the gallery, where they keep their sequence [OWN-56]', async () => {
  const { gallery, owner, discount, clock, db } = await open()
  await discount(['a', 'x'])
  expect(await gallery()).toEqual(['x', 'a', 'm', 'z', 'b'])
  await discount(['a', 'b', 'm', 'x', 'z'])
  expect(await gallery()).toEqual(['x', 'a', 'm', 'z', 'b'])
  await discount(['b', 'z'])
  const { seq } = await db
    .selectFrom('discountChanges')
    .select('seq')
    .where('isOffered', '=', true)
    .executeTakeFirstOrThrow()
  clock.now += 1000
  await owner.act('/manage/discount/', { intent: 'undo', seq: String(seq) })
  expect(await gallery()).toEqual(['z', 'b', 'x', 'a', 'm'])
})

test('a CSV import moves the changed items to the top of the gallery, where they keep their sequence [OWN-56]', async () => {
  const { gallery, owner, clock } = await open()
  clock.now += 1000
  const { check } = await uploadTable(owner, 'id,price\na,7\nb,7\nz,7\n')
  await applyTable(owner, check)
  expect(await gallery()).toEqual(['z', 'b', 'a', 'm', 'x'])
})

test('the row “Fresh from the workshop” shows the available items that were added last, not those changed last [OWN-57]', async () => {
  const { db, visitor, owner } = await openTestShop().then(async (shop) => ({
    ...shop,
    owner: await shop.owner(),
  }))
  await addCategory(db, 'walls')
  await addColor(db, 'gone', { isAvailable: false })
  for (const [index, id] of ['old', 'p1', 'p2', 'p3', 'p4'].entries()) {
    await addItem(db, id, 'walls', { firstCreatedAt: 1000 + index, createdAt: 1000 + index })
  }
  await addItem(db, 'sold-out', 'walls', { firstCreatedAt: 5000, images: [{ colors: ['gone'] }] })
  await addItem(db, 'draft', 'walls', { firstCreatedAt: 5000, state: 'draft' })
  const form = {
    name: 'old',
    categoryId: 'walls',
    price: '9',
    description: 'New text',
    width: '',
    soleType: '',
    size: '',
    image: 'old-0',
  }
  expect((await owner.act('/manage/item/old', formOf({ ...form, intent: 'save' }))).status).toBe(
    200,
  )
  const row = pageOf(await visitor().page('/')).getByRole('region', {
    name: 'Fresh from the workshop',
  })
  const links = within(row).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['p4', 'p3', 'p2', 'p1'])
})
