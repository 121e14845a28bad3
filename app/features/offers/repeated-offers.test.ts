import { expect, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { offerTotal } from './offer.ts'
import { sendOffer } from './offers.server.ts'

const DAY = 86_400_000

test('an offer form that is sent again with other terms is refused, because the customer may have accepted the first terms [AGREE-03]', async () => {
  const { post, send, cards } = await openShopWithOffers()
  await send({ id: 'SameOfferIdTwic' })
  for (const changed of [
    { price: ['90', '5.50'] },
    { shipping: '7' },
    { notes: ['70 cm', ''] },
    { validUntil: '2026-03-11' },
  ]) {
    const refused = await post({ id: 'SameOfferIdTwic', ...changed })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('This offer was already sent, with other terms.')
  }
  expect((await cards()).map((card) => [card.state, offerTotal(card)])).toEqual([['sent', 9700]])
})

test('if a customer requests a sold piece again, undoing the sale keeps the price that she has accepted [AGREE-06]', async () => {
  const { ann, owner, db, send, customerAct, lines } = await openShopWithOffers()
  const act = (form: Record<string, string>) => owner.act(`/manage/messages/${ann.id}`, form)
  await customerAct('accept', await send())
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  await ann.act('/order-request', { itemId: 'moon', message: 'Another one' })
  const { id } = await db.selectFrom('sales').select('id').executeTakeFirstOrThrow()
  expect((await act({ intent: 'undo-sale', saleId: id })).status).toBe(200)
  expect((await lines()).filter((line) => line.id === 'moon')).toEqual([
    expect.objectContaining({ agreedCents: 8000, isSold: false }),
  ])

  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  await ann.act('/order-request', { itemId: 'moon', message: 'Another one' })
  await customerAct('accept', await send({ price: ['70', '5'] }))
  const again = await db.selectFrom('sales').select('id').executeTakeFirstOrThrow()
  expect(await act({ intent: 'undo-sale', saleId: again.id })).toMatchObject({
    status: 409,
    text: expect.stringContaining('The customer has accepted another offer for this piece.'),
  })
  expect(await db.selectFrom('sales').select('id').execute()).toHaveLength(1)
})

test('of offers with the same id that arrive at the same time in two conversations, one is stored and the other is refused [AGREE-03]', async () => {
  const shop = await openShopWithOffers()
  const bea = await shop.customer('bea@mail.test')
  await bea.act('/order-request', { itemId: 'moon', message: '' })
  const lines = [{ itemId: '', name: 'Tag', color: '', notes: '', quantity: 1, cents: 500 }]
  const terms = {
    shippingCents: 0,
    depositCents: null,
    readyBy: '',
    validUntil: shop.now() + DAY,
    isShipped: false,
    creditCode: null,
    message: '',
  }
  for (let round = 0; round < 5; round++) {
    const id = newId15()
    const send = (orderId: string) => sendOffer(shop.services, orderId, { id, lines, ...terms })
    const results = await Promise.all([send(shop.ann.id), send(bea.id)])
    expect(results.toSorted((left, right) => Number(right.ok) - Number(left.ok))).toEqual([
      { ok: true },
      { ok: false, refusal: 'already-sent' },
    ])
    expect((await shop.offers()).filter((offer) => offer.id === id)).toHaveLength(1)
  }
})

test('a long change request counts as several messages in the rate limit [S-237]', async () => {
  const { send, customerAct } = await openShopWithOffers({ rateLimits: true })
  const id = await send()
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) {
    const text = `${n}${'諾'.repeat(9_999)}`
    statuses.push((await customerAct('request-change', id, { text })).status)
  }
  expect(statuses).toEqual([...Array<number>(6).fill(200), 429])
})
