import { expect, test } from 'vitest'
import { hrefsIn, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'

test('shipping a parcel hands over its pieces in the production queue [AGREE-93]', async () => {
  const { db, owner, path, send, customerAct, clock } = await openShopWithOffers()
  const offerId = await send({ isShipped: 'on' })
  await customerAct('accept', offerId)
  const steps = () =>
    db.selectFrom('queueEntries').select(['line', 'step', 'handedOverAt']).orderBy('line').execute()
  expect((await steps()).map(({ step }) => step)).toEqual(['waiting', 'waiting'])
  expect(
    (
      await owner.act(path, {
        intent: 'ship-parcel',
        offerId,
        seen: '0',
        carrier: '',
        trackingNumber: '',
      })
    ).status,
  ).toBe(200)
  expect(await steps()).toEqual(
    [1, 2].map((line) => ({ line, step: 'handed-over', handedOverAt: clock.now })),
  )
})

test('the dashboard and the list "To make" name handed-over pieces until their sale is completed [AGREE-112]', async () => {
  const { db, owner, ann, path, send, customerAct } = await openShopWithOffers()
  const offerId = await send({ isShipped: 'on' })
  await customerAct('accept', offerId)
  const card = async () =>
    /Handed over, not yet sold (.*?) All pieces to make/.exec(
      wordsOf(await owner.page('/manage/')),
    )?.[1]
  expect(await card()).toBeUndefined()
  await owner.act(path, {
    intent: 'ship-parcel',
    offerId,
    seen: '0',
    carrier: '',
    trackingNumber: '',
  })
  expect(await card()).toBe('ann March 04, 2026 3 pieces, $91.00')
  for (const page of ['/manage/', '/manage/queue/']) {
    expect(hrefsIn(pageOf(await owner.page(page)))).toContain(
      `/manage/messages/${ann.id}?view=order`,
    )
  }

  const lines = await db
    .selectFrom('orderItems')
    .select(['itemId', 'agreedCents'])
    .where('offerId', '=', offerId)
    .execute()
  for (const { itemId, agreedCents } of lines) {
    await owner.act(`/manage/messages/${ann.id}`, {
      intent: 'complete',
      itemId,
      price: String(agreedCents! / 100),
    })
  }
  expect(await card()).toBeUndefined()
  expect(wordsOf(await owner.page('/manage/queue/'))).not.toContain('Complete the sale')
})
