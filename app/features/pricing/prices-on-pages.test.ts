import { expect, test } from 'vitest'
import { wordsOf } from '#test/fixtures/html.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'

const publicPages = ['/', '/gallery/', '/gallery/walls', '/item/moon']
const pagesOfCustomer = ['/?messages=', '/account/orders/']

test('each page shows prices with two decimals, even if they are whole dollars [CONST-01]', async () => {
  const { db, ann, owner, visitor, path, accepted, pay } = await openShopWithPayments()
  await db.updateTable('items').set({ discountType: 'amount', discountValue: 900 }).execute()
  const offerId = await accepted({ price: ['80', '7'] })
  await pay('pay-deposit', offerId)
  const conversation = path.replace('offer', 'messages')
  await owner.act(conversation, { intent: 'complete', itemId: 'moon', price: '80' })
  const { receiptTag } = await db.selectFrom('sales').select('receiptTag').executeTakeFirstOrThrow()

  const wrong: [path: string, price: string][] = []
  const withoutPrice: string[] = []
  const pages = [
    ...publicPages.map((page) => [visitor(), page] as const),
    ...pagesOfCustomer.map((page) => [ann, page] as const),
    ...[
      ...[path, conversation, `${conversation}?view=order`],
      ...['/manage/item/?open=1~walls', '/manage/discount/', '/manage/market/', '/manage/sales/'],
      ...[`/manage/sales/?receipt=${receiptTag}`, '/manage/reports/', '/manage/history/'],
    ].map((page) => [owner, page] as const),
  ]
  for (const [person, page] of pages) {
    // The axis of a chart shows round amounts, and a badge such as "$9 OFF" shows a discount.
    const html = (await person.page(page)).replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    const prices = wordsOf(html).match(/\$\d[\d.,]*(?!\S* OFF)/g) ?? []
    if (prices.length === 0) withoutPrice.push(page)
    for (const price of prices) {
      if (!/^\$\d{1,3}(,\d{3})*\.\d{2}[.,]?$/.test(price)) wrong.push([page, price])
    }
  }
  expect(wrong).toEqual([])
  expect(withoutPrice).toEqual([])
})
