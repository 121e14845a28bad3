import { expect, test } from 'vitest'
import { optionsOf, pageOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'

test('the item form asks for the kind of a piece, and a copy of the piece and the CSV file have the same kind [AGREE-20]', async () => {
  const { db, owner } = await openShopWithOffers()
  const save = (kind: string) => {
    const form = new FormData()
    const typed = {
      name: 'Moon wall',
      categoryId: 'walls',
      price: '89',
      description: 'Round.',
      image: 'moon-0',
      'available:moon-0': 'on',
    }
    for (const [name, value] of Object.entries({ ...typed, kind })) form.append(name, value)
    return owner.post('/manage/item/moon', form)
  }
  const kinds = async () =>
    (await db.selectFrom('items').select('kind').where('name', 'like', 'Moon%').execute()).map(
      ({ kind }) => kind,
    )
  const readKinds = async () => optionsOf(pageOf(await owner.page('/manage/item/moon')), 'Kind')
  expect(await readKinds()).toEqual({
    all: ['Not specified', 'One of a kind', 'Made to order'],
    selected: 'Not specified',
  })
  expect((await save('rare')).status).toBe(422)
  expect((await save('unique')).status).toBe(200)
  expect((await readKinds()).selected).toBe('One of a kind')
  await owner.act('/manage/item/moon', { intent: 'duplicate' })
  expect(await kinds()).toEqual(['unique', 'unique'])
  expect(await (await owner.get('/manage/items.csv')).text()).toMatch(
    /moon,Moon wall,.*,unique\r\n/,
  )
})
