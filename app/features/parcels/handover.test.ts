import { expect, test } from 'vitest'
import { openShopWithOffers } from '#test/fixtures/offers.ts'

test('shipping a parcel hands over its pieces in the production queue [AGREE-93]', async () => {
  const { db, owner, path, send, customerAct, clock } = await openShopWithOffers()
  const offerId = await send({ isShipped: 'on' })
  await customerAct('accept', offerId)
  const steps = () => db.selectFrom('queueEntries').select(['line', 'step', 'handedOverAt']).orderBy('line').execute()
  expect((await steps()).map(({ step }) => step)).toEqual(['waiting', 'waiting'])
  expect((await owner.act(path, { intent: 'ship-parcel', offerId, seen: '0', carrier: '', trackingNumber: '' })).status).toBe(200)
  expect(await steps()).toEqual([1, 2].map((line) => ({ line, step: 'handed-over', handedOverAt: clock.now })))
})
