import { expect, test } from 'vitest'
import { openShopWithUniqueItem } from '#test/fixtures/offers.ts'

const sell = { intent: 'complete', price: '80', otherPrice: 'on' }

test('a retired one-of-a-kind piece is sold after its sale, so that it cannot be sold twice [AGREE-26]', async () => {
  const { db, forAnn, forBea, stateOf, sales } = await openShopWithUniqueItem()
  await db.updateTable('items').set({ state: 'retired' }).where('id', '=', 'moon').execute()
  expect((await forAnn(sell)).status).toBe(200)
  expect(await stateOf('moon')).toBe('sold')
  expect((await forBea(sell)).status).toBe(409)
  expect(await sales()).toHaveLength(1)
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
    await db.updateTable('items').set({ state: 'listed', kind: 'unique' }).where('id', '=', 'moon').execute()
    expect(await forBea(sell)).toMatchObject({ status: 409, text: expect.stringContaining('on hold for another customer') })
    const form = { itemId: 'moon', include: 'moon', name: 'Moon wall', price: '80', quantity: '1', color: '', notes: '' }
    const dates = { shipping: '', readyBy: '2026-03-20', validUntil: '2026-03-10', message: '' }
    expect((await owner.act(`/manage/offer/${bea.id}`, { ...form, ...dates })).status).toBe(409)
    expect([await sales(), (await db.selectFrom('offers').select('orderId').execute()).length]).toEqual([[], 1])
  },
)
