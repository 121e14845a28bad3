import { expect, test } from 'vitest'
import { openShopWithUniqueItem } from '#test/fixtures/offers.ts'

const sell = { intent: 'complete', price: '80', otherPrice: 'on' }

test('the sale of a retired one-of-a-kind piece marks the piece as sold, so that it cannot be sold twice [AGREE-26]', async () => {
  const { db, forAnn, forBea, stateOf, sales } = await openShopWithUniqueItem()
  await db.updateTable('items').set({ state: 'retired' }).where('id', '=', 'moon').execute()
  expect((await forAnn(sell)).status).toBe(200)
  expect(await stateOf('moon')).toBe('sold')
  expect((await forBea(sell)).status).toBe(409)
  expect(await sales()).toHaveLength(1)
})

test('undoing a mistaken sale lists a piece again, even if the piece had an earlier sale [AGREE-26]', async () => {
  const { db, owner, sales, stateOf } = await openShopWithUniqueItem()
  const states: unknown[] = []
  const sellAs = async (id: string) => {
    await owner.act('/manage/sales/add', {
      id,
      piece: 'Moon wall',
      price: '80',
      method: 'cash',
      day: '2026-03-04',
    })
    states.push(await stateOf('moon'))
  }
  const undo = async (saleId: string) => {
    await owner.act('/manage/sales/', { intent: 'undo-sale', saleId })
    states.push(await stateOf('moon'))
  }
  await db.updateTable('items').set({ kind: 'made-to-order' }).where('id', '=', 'moon').execute()
  await sellAs('MadeToOrderSale')
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  await sellAs('SoldByMistake11')
  await undo('SoldByMistake11')
  await sellAs('SoldAndListed22')
  await owner.act('/manage/item/moon', { intent: 'state', state: 'listed' })
  await sellAs('SoldByMistake33')
  await undo('SoldByMistake33')
  expect(states).toEqual(['listed', 'sold', 'listed', 'sold', 'sold', 'listed'])
  expect((await sales()).map(({ id }) => id).toSorted()).toEqual([
    'MadeToOrderSale',
    'SoldAndListed22',
  ])
})

test.each([
  ['was retired', { state: 'retired' }],
  ['was not yet one of a kind', { kind: '' }],
] as const)(
  'if a piece %s when a customer accepted its offer, the owner can neither offer nor sell the piece to another customer [AGREE-21]',
  async (_, then) => {
    const { db, bea, owner, send, customerAct, forBea, sales } = await openShopWithUniqueItem()
    await db.updateTable('items').set(then).where('id', '=', 'moon').execute()
    await customerAct('accept', await send())
    await db
      .updateTable('items')
      .set({ state: 'listed', kind: 'unique' })
      .where('id', '=', 'moon')
      .execute()
    expect(await forBea(sell)).toMatchObject({
      status: 409,
      text: expect.stringContaining('on hold for another customer'),
    })
    const form = {
      itemId: 'moon',
      include: 'moon',
      name: 'Moon wall',
      price: '80',
      quantity: '1',
      color: '',
      notes: '',
    }
    const dates = { shipping: '', readyBy: '2026-03-20', validUntil: '2026-03-10', message: '' }
    expect((await owner.act(`/manage/offer/${bea.id}`, { ...form, ...dates })).status).toBe(409)
    expect(await sales()).toEqual([])
    expect((await db.selectFrom('offers').select('orderId').execute()).length).toBe(1)
  },
)

test('an offer does not shorten a longer hold, and the owner cannot offer a piece that she has sold meanwhile [AGREE-22, AGREE-26]', async () => {
  const { ann, forAnn, owner, post, send, offers, holds, changedTopics } =
    await openShopWithUniqueItem()
  const held = { itemId: 'moon', orderId: ann.id, offerId: null, until: Date.UTC(2026, 2, 19) }
  await forAnn({ intent: 'hold', until: '2026-03-18' })
  changedTopics.length = 0
  const id = await send()
  expect(await holds()).toEqual([held])
  expect(changedTopics.includes('catalog')).toBe(false)

  await owner.act('/manage/sales/add', {
    id: 'SoldAtTheMarket',
    piece: 'Moon wall',
    price: '80',
    method: 'cash',
    day: '2026-03-04',
  })
  const refused = await post()
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Moon wall has already been sold.')
  expect((await offers()).map((offer) => offer.id)).toEqual([id])
  expect(await holds()).toEqual([held])
})
