import { expect, test } from 'vitest'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { wordsOf } from '#test/fixtures/html.ts'

/** Opens a shop in which Ann has accepted an offer with a credit of $5.00. */
async function openShopWithCredit() {
  const shop = await openShopWithPayments()
  const { owner, ann, db } = shop
  await db
    .insertInto('credits')
    .values({
      code: 'KNTS-2345',
      userId: ann.id,
      receiptTag: 'EARLIER1',
      cents: 500,
      createdAt: 0,
      offerId: null,
      usedAt: null,
    })
    .execute()
  const offerId = await shop.accepted({ creditCode: 'KNTS-2345' })
  const conversation = `/manage/messages/${ann.id}`
  const words = async (search = '') => wordsOf(await owner.page(`${conversation}${search}`))
  return { ...shop, offerId, conversation, words }
}

test('the question before an agreement is canceled says what becomes of the open amount, the credit and the payments [AGREE-135]', async () => {
  const { offerId, pay, words } = await openShopWithCredit()
  const question =
    'Cancel this agreement? The customer will see this. The pieces stay requested, without the agreed prices.'
  const credit = 'The credit of $5.00 can be used again.'
  expect(await words()).toContain(`${question} The open $92.00 is no longer due. ${credit}`)

  await pay('pay-deposit', offerId)
  expect(await words()).toContain(
    `${question} The open $64.40 is no longer due. ${credit} $27.60 is marked as paid. You must return this money yourself. `,
  )
  await pay('pay-balance', offerId)
  expect(await words()).toContain(
    `${question} ${credit} $92.00 is marked as paid. You must return this money yourself: pieces $86.00, shipping $6.00. `,
  )
})

test('the question before a numbered sale is canceled says what the entry returns, and what becomes of agreement, balance and credit [AGREE-135]', async () => {
  const shop = await openShopWithCredit()
  const { offerId, owner, conversation, pay, words } = shop
  await pay('pay-deposit', offerId)
  await owner.act(conversation, { intent: 'complete', itemId: 'moon', price: '75' })
  const [sale] = await shop.sales()
  const receipt = sale!.receiptTag!
  await issueDocuments(shop.services, { receipt, papers: ['Invoice'], shipping: 600 })

  const question =
    "Cancel the sale of Moon wall? Invoice 0001 stays as it is; a canceling entry with today's date is added to Sales and Reports. It returns pieces $75.00, shipping $0.00 of $6.00; you return the money yourself. The agreement stays accepted: its balance stays as it is, its payments of $27.60 stay recorded, its credit of $5.00 stays used. To end it, choose “Cancel agreement” in the conversation."
  expect(await words('?view=order')).toContain(question)
  expect(wordsOf(await owner.page(`/manage/sales/?receipt=${receipt}`))).toContain(question)

  const answer = await owner.act(conversation, {
    intent: 'cancel-sale',
    saleId: sale!.id,
    confirm: 'Yes',
  })
  expect(answer.text).toContain(
    'The sale was canceled. Sales shows the canceling entry. The agreement stays accepted.',
  )
  expect(await shop.state(offerId)).toBe('accepted')
  expect(await words()).toContain('Balance to pay $64.40')
})

test('the question before a numbered sale without an agreement is canceled says that the piece is requested again [AGREE-135]', async () => {
  const { shop, owner, path, act, sales } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  const [sale] = await sales()
  await issueDocuments(shop.shop, { receipt: sale!.receiptTag!, papers: ['Invoice'] })
  expect(wordsOf(await owner.page(`${path}?view=order`))).toContain(
    'It returns pieces $80.00; you return the money yourself. The piece is requested again, as before the sale.',
  )
  expect((await act({ intent: 'cancel-sale', saleId: sale!.id, confirm: 'Yes' })).text).toContain(
    'The piece is requested again.',
  )
})
