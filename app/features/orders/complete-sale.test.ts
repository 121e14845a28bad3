import { expect, test } from 'vitest'
import { placeOrder } from '#test/fixtures/orders.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import { completeSale, parseSalePrice } from './orders.server.ts'

test('a completed sale contains buyer, item, price and receipt tag of the order [DATA-125]', async () => {
  const { shop, db } = await openTestShop()
  await placeOrder(db, [{ itemId: 'hanger', name: 'Plant hanger', priceCents: 3500 }])

  await completeSale(shop, 'ann-uid', { itemId: 'hanger', price: '$30.5' })

  expect(await db.selectFrom('sales').selectAll().execute()).toEqual([
    {
      id: expect.stringMatching(/^\w{15}$/),
      buyerId: 'ann-uid',
      buyerName: 'Ann Buyer',
      buyerEmail: 'ann@mail.test',
      buyerPhotoURL: '/pictures/ann.jpg',
      itemId: 'hanger',
      itemName: 'Plant hanger',
      itemPriceCents: 3500,
      salePriceCents: 3050,
      receiptTag: 'TAG00001',
      createdAt: NOON,
      categoryId: '',
      categoryTitle: '',
      color: '',
      method: '',
      cancels: null,
      quantity: 1,
    },
  ])
})

test('a blank sale price means the original price, 0 means a gift, and a text that is no price is refused [MSG-27]', () => {
  expect(
    ['', '  ', '0', '12,50', '$ 9999999.99'].map((typed) => parseSalePrice(typed, 3500)),
  ).toEqual([3500, 3500, 0, 1250, 999_999_999])
  for (const typed of ['-1', 'ten', '1e3']) expect(parseSalePrice(typed, 3500)).toBeNull()
})

const complete = (itemId = 'moon', price = '') => ({ intent: 'complete', itemId, price })

test('50 simultaneous clicks on "Sale Complete" create one sale and 49 errors about the sold item [MSG-28, MSG-29, MSG-35, S-073, S-086, S-176]', async () => {
  const { act, acts, read, sales } = await openShopWithOrder()
  const prices = ['', '80', '0', '12,50', '7']

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => act(complete('moon', prices[n % prices.length]))),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(409)])
  expect(
    answers.filter(({ text }) => text.includes('Successfully Added Sales Record...')),
  ).toHaveLength(1)
  const refused = answers.filter(({ text }) =>
    text.includes('An Error has Occured while updating Item State'),
  )
  expect(refused.filter(({ text }) => text.includes('This item is already sold.'))).toHaveLength(49)
  expect(await sales()).toHaveLength(1)
  expect(await acts()).toEqual(['complete-sale'])
  expect((await read())!.items.map(({ isSold }) => isSold)).toEqual([true, false])
})

test.each([0, 1])(
  'if the owner sells items and closes the order at the same time, each sale is stored completely or refused (run %i) [MSG-10, MSG-28, S-080]',
  async (turn) => {
    const { act, read, sales } = await openShopWithOrder()
    const { receiptTag } = (await read())!
    const forms: Record<string, string>[] = [
      { intent: 'close', confirm: 'Yes' },
      complete(),
      complete('sun', '5'),
    ]
    if (turn) forms.reverse()

    const answers = await Promise.all(forms.map(act))

    const selling = answers.filter((_, index) => forms[index]!.intent === 'complete')
    const sold = selling.filter(({ status }) => status === 200).length
    expect(selling.filter(({ status }) => status === 409)).toHaveLength(2 - sold)
    expect((await sales()).map((sale) => sale.receiptTag)).toEqual(Array(sold).fill(receiptTag))
    const order = (await read())!
    expect(order.isClosed).toBe(true)
    expect(order.items.filter(({ isSold }) => isSold)).toHaveLength(sold)
  },
)
