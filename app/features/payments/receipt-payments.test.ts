import { expect, test } from 'vitest'
import { hiddenFieldsOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { readPdf } from '#test/fixtures/pdf.ts'
import { ORIGIN } from '#test/fixtures/test-shop.ts'
import { issueDocuments, readPdfFile } from '#print-documents/print-documents.server.ts'
import type { PaymentSettings } from '#settings/payment-settings.ts'
import { paymentReference } from './payments.server.ts'

const shippingOf = (html: string) =>
  pageOf(html).getByLabelText('Shipping fee').getAttribute('value')
/** The fields of the form that sends this intent. */
const fieldsOf = (html: string, intent: string) =>
  hiddenFieldsOf(html, `form:has([name=intent][value=${intent}])`)

/** Opens a shop in which the owner has sold all pieces of an accepted offer. */
async function openSoldOffer(settings?: Partial<PaymentSettings>) {
  const shop = await openShopWithPayments(settings)
  const id = await shop.accepted({ isShipped: 'on' })
  const sell = async (form: Record<string, string>) =>
    expect(
      (await shop.owner.act(`/manage/messages/${shop.ann.id}`, { intent: 'complete', ...form }))
        .status,
    ).toBe(200)
  const key = async () => (await shop.sales())[0]!.receiptTag!
  return {
    ...shop,
    id,
    sell,
    sellAll: async () => {
      await sell({ itemId: 'moon', price: '80' })
      await sell({ itemId: `offer-${id}-2`, price: '11' })
    },
    number: async () =>
      issueDocuments(shop.services, { receipt: await key(), papers: ['Invoice'], shipping: 600 }),
    overlay: async () => shop.owner.page(`/manage/sales/?receipt=${await key()}`),
    pdf: async () => {
      const file = await readPdfFile(
        shop.services,
        new URL(`${ORIGIN}/manage/print-documents.pdf?receipt=${await key()}&paper=Invoice`),
        ORIGIN,
      )
      return (await readPdf(file!.bytes)).pages.join('')
    },
  }
}

test('a payment that is recorded after the invoice got its number does not change the invoice [AGREE-48]', async () => {
  const { id, sellAll, overlay, number, pdf, pay } = await openSoldOffer()
  await pay('pay-deposit', id)
  await sellAll()
  expect(shippingOf(await overlay())).toBe('6.00')
  await number()
  const printed = `Total$97.00DepositpaidonMarch04,2026,PayPal-$29.10Amountdue(reference${paymentReference(id)})$67.90`
  expect(await pdf()).toContain(printed)
  await pay('pay-balance', id)
  expect(await pdf()).toContain(printed)
})

test('the sales of an accepted offer form one receipt with its shipping and payments, also if nobody has requested an item [AGREE-48]', async () => {
  const shop = await openShopWithPayments()
  const { db, owner, ann } = shop
  await db.deleteFrom('orderItems').execute()
  await db.updateTable('orders').set({ receiptTag: null }).execute()
  const twoLines = {
    name: ['Wall', 'Tag'],
    price: ['80', '20'],
    quantity: ['1', '1'],
    color: ['', ''],
    notes: ['', ''],
  }
  const id = await shop.accepted({ itemId: ['', ''], include: [], ...twoLines })
  await shop.pay('pay-total', id)
  for (const [number, price] of Object.entries({ 1: '80', 2: '20' })) {
    await owner.act(`/manage/messages/${ann.id}`, {
      intent: 'complete',
      itemId: `offer-${id}-${number}`,
      price,
    })
  }
  const tags = (await shop.sales()).map(({ receiptTag }) => receiptTag)
  expect(tags).toEqual([expect.any(String), tags[0]])
  expect(shippingOf(await owner.page(`/manage/sales/?receipt=${tags[0]}`))).toBe('6.00')
})

test('the agreed shipping is on one invoice only, also if the offer is sold on two receipts or sold again after a cancellation [AGREE-48]', async () => {
  const { db, id, sell, overlay, number, sales, services, owner } = await openSoldOffer()
  await sell({ itemId: 'moon', price: '80' })
  expect(shippingOf(await overlay())).toBe('6.00')
  await number()
  await sell({ itemId: `offer-${id}-2`, price: '11' })
  const second = (await sales()).find(({ itemId }) => itemId !== 'moon')!.receiptTag
  expect(shippingOf(await owner.page(`/manage/sales/?receipt=${second}`))).toBe('0')

  await issueDocuments(services, { receipt: second!, papers: ['Invoice'], shipping: 0 })
  const sale = await db
    .selectFrom('sales')
    .select('id')
    .where('itemId', '=', 'moon')
    .executeTakeFirstOrThrow()
  await owner.act('/manage/sales/', { intent: 'cancel-sale', saleId: sale.id, confirm: 'Yes' })
  await sell({ itemId: 'moon', price: '80' })
  const again = (await sales())
    .filter(({ itemId }) => itemId === 'moon')
    .map(({ receiptTag }) => receiptTag)
  expect(shippingOf(await owner.page(`/manage/sales/?receipt=${again.at(-1)}`))).toBe('0')
})

test('a numbered invoice with a later sale of the same item does not contain the shipping of an offer [AGREE-115]', async () => {
  const { db, ann, owner, clock, sell, services } = await openSoldOffer()
  await sell({ itemId: 'moon', price: '80' })
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'close', confirm: 'Yes' })
  clock.now += 60_000
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  await sell({ itemId: 'moon', price: '' })
  const [first, second] = await db
    .selectFrom('sales')
    .select('receiptTag')
    .orderBy('createdAt')
    .execute()
  await issueDocuments(services, {
    receipt: second!.receiptTag!,
    papers: ['Invoice'],
    shipping: 700,
  })
  expect(shippingOf(await owner.page(`/manage/sales/?receipt=${first!.receiptTag}`))).toBe('6.00')
})

test('if the owner confirms another price, total and open amount of the offer match the invoice until the sale is undone [AGREE-101]', async () => {
  const shop = await openSoldOffer()
  await shop.pay('pay-deposit', shop.id)
  await shop.sell({ itemId: 'moon', price: '70', otherPrice: 'on' })
  await shop.sell({ itemId: `offer-${shop.id}-2`, price: '11' })
  await shop.number()
  expect(await shop.pdf()).toMatch(/Total\$87\.00.*Amountdue.*\$57\.90/)
  expect((await shop.payment())?.due).toMatchObject({ kind: 'balance', cents: 5790 })
  expect(wordsOf(await shop.owner.page(`/manage/messages/${shop.ann.id}`))).toMatch(
    /Change of price since the offer -\$10\.00 Total \$87\.00/,
  )
  expect(await shop.owner.page('/manage/')).toContain('$57.90')

  const [sale] = await shop.db
    .selectFrom('sales')
    .select('id')
    .where('itemId', '=', 'moon')
    .execute()
  await shop.owner.act('/manage/sales/', {
    intent: 'cancel-sale',
    saleId: sale!.id,
    confirm: 'Yes',
  })
  expect((await shop.payment())?.due).toMatchObject({ kind: 'balance', cents: 6790 })
  await shop.pay('pay-balance', shop.id)
  await shop.sell({ itemId: 'moon', price: '85', otherPrice: 'on' })
  expect((await shop.payment())?.due).toMatchObject({ kind: 'balance', cents: 500 })
  expect((await shop.pay('pay-balance', shop.id, { position: '3' })).status).toBe(200)
  expect(await shop.payment()).toMatchObject({ state: 'paid', due: null })
})

test('the owner can undo the last payment after a sale at another price has changed the state [AGREE-113]', async () => {
  const shop = await openSoldOffer()
  await shop.pay('pay-deposit', shop.id)
  await shop.pay('pay-balance', shop.id)
  await shop.sell({ itemId: 'moon', price: '85', otherPrice: 'on' })
  expect((await shop.payment())?.state).toBe('deposit-paid')
  expect((await shop.pay('undo-balance', shop.id)).status).toBe(200)
  expect(await shop.payments()).toMatchObject([{ kind: 'deposit', cents: 2910 }])

  const [sale] = await shop.sales()
  await shop.owner.act('/manage/sales/', { intent: 'undo-sale', saleId: sale!.id, confirm: 'Yes' })
  await shop.sell({ itemId: 'moon', price: '10', otherPrice: 'on' })
  expect((await shop.payment())?.state).toBe('paid')
  expect((await shop.pay('undo-deposit', shop.id)).status).toBe(200)
  expect(await shop.payments()).toEqual([])
})

test('a balance payment on another day or by another method is stored beside the first balance payment, and each can be undone [AGREE-113]', async () => {
  const shop = await openSoldOffer()
  await shop.pay('pay-deposit', shop.id)
  await shop.pay('pay-balance', shop.id)
  await shop.sell({ itemId: 'moon', price: '85', otherPrice: 'on' })
  await shop.sell({ itemId: `offer-${shop.id}-2`, price: '11' })
  const cash = { position: '3', paidOn: '2026-03-03', method: 'cash' }
  shop.clock.now += 1
  for (let click = 0; click < 2; click++) {
    expect((await shop.pay('pay-balance', shop.id, cash)).status).toBe(200)
  }
  const paid = [
    'Balance paid on March 04, 2026, PayPal $67.90',
    'Balance paid on March 03, 2026, cash $5.00',
  ]
  const owners = await shop.owner.page(`/manage/messages/${shop.ann.id}`)
  for (const page of [owners, await shop.ann.page('/?messages=')]) {
    expect(wordsOf(page)).toContain(
      `Paid Deposit paid on March 04, 2026, PayPal $29.10 ${paid.join(' ')}`,
    )
  }
  await shop.number()
  expect(await shop.pdf()).toMatch(
    /Total\$102\.00.*PayPal-\$67\.90BalancepaidonMarch03,2026,cash-\$5\.00Amountdue\$0\.00/,
  )
  expect(fieldsOf(owners, 'undo-balance')).toMatchObject({ paidOn: '2026-03-03', method: 'cash' })
  for (let click = 0; click < 2; click++) {
    expect((await shop.pay('undo-balance', shop.id, cash)).status).toBe(200)
  }
  expect(await shop.payments()).toMatchObject([{ cents: 2910 }, { cents: 6790 }])
})

test('two balance payments on the same day by the same method are stored as two, and a form that is sent again stores no payment [AGREE-120]', async () => {
  const shop = await openSoldOffer()
  await shop.pay('pay-deposit', shop.id)
  await shop.pay('pay-balance', shop.id)
  await shop.sell({ itemId: 'moon', price: '85', otherPrice: 'on' })
  const page = () => shop.owner.page(`/manage/messages/${shop.ann.id}`)
  expect(fieldsOf(await page(), 'pay-balance').position).toBe('3')
  const changed = 'The payments of this offer have changed.'
  expect(await shop.pay('pay-balance', shop.id, { position: '2', method: 'cash' })).toMatchObject({
    status: 409,
    text: expect.stringContaining(changed),
  })
  for (const position of ['2', '3', '3', '2']) {
    expect((await shop.pay('pay-balance', shop.id, { position })).status).toBe(200)
  }
  expect((await shop.acts()).filter((act) => act === 'record-payment')).toHaveLength(3)
  expect(await shop.payments()).toMatchObject([{ cents: 2910 }, { cents: 6790 }, { cents: 500 }])
  expect(wordsOf(await page())).toMatch(
    /Balance paid on March 04, 2026, PayPal \$67\.90 Balance paid on March 04, 2026, PayPal \$5\.00/,
  )

  expect(fieldsOf(await page(), 'undo-balance').position).toBe('3')
  expect((await shop.pay('undo-balance', shop.id, { position: '2' })).status).toBe(409)
  expect(await shop.pay('undo-balance', shop.id, { position: '3', method: 'cash' })).toMatchObject({
    status: 409,
    text: expect.stringContaining(changed),
  })
  for (let click = 0; click < 2; click++) {
    expect((await shop.pay('undo-balance', shop.id, { position: '3' })).status).toBe(200)
  }
  expect(await shop.payments()).toMatchObject([{ cents: 2910 }, { cents: 6790 }])
})

test('an overpaid amount appears in the conversation for both sides, on the invoice and in "Your orders" until the owner records a payment of the lower total [AGREE-114]', async () => {
  const shop = await openSoldOffer()
  const ownersPage = async () => wordsOf(await shop.owner.page(`/manage/messages/${shop.ann.id}`))
  await shop.pay('pay-total', shop.id)
  await shop.sell({ itemId: 'moon', price: '70', otherPrice: 'on' })
  await shop.sell({ itemId: `offer-${shop.id}-2`, price: '11' })
  expect(await ownersPage()).toContain(
    'Paid on March 04, 2026, PayPal $97.00 Return $10.00 to the customer.',
  )
  expect(wordsOf(await shop.ann.page('/?messages='))).toContain(
    'PayPal $97.00 Paid above this total $10.00',
  )
  expect(wordsOf(await shop.ann.page('/account/orders/'))).toContain(
    'PayPal -$97.00 Paid above this total $10.00',
  )
  await shop.number()
  expect(await shop.pdf()).toMatch(
    /Total\$87\.00PaidonMarch04,2026,PayPal-\$97\.00Paidabovethistotal\$10\.00/,
  )
  for (const action of ['undo-total', 'pay-total']) {
    expect((await shop.pay(action, shop.id)).status).toBe(200)
  }
  expect(await shop.payments()).toMatchObject([{ cents: 8700 }])
  expect(await ownersPage()).not.toContain('to the customer.')
})

test('with a credit, the invoice shows the same open amount as the card of the offer [AGREE-48]', async () => {
  const shop = await openSoldOffer()
  await shop.ownerAct('cancel', shop.id)
  const id = await shop.send({
    itemId: 'moon',
    include: 'moon',
    name: 'Moon wall',
    price: '80',
    quantity: '1',
    color: '',
    notes: '',
  })
  await shop.db.updateTable('offers').set({ creditCents: 500 }).where('id', '=', id).execute()
  await shop.customerAct('accept', id)
  await shop.pay('pay-deposit', id)
  await shop.sell({ itemId: 'moon', price: '75' })
  await shop.number()
  const due = (await shop.cards()).find((card) => card.id === id)?.payment?.due
  expect(due).toMatchObject({ kind: 'balance', cents: 5520 })
  expect(await shop.pdf()).toMatch(/Total\$81\.00Theagreed.*Deposit.*-\$25\.80Amountdue.*\$55\.20/)
})

test.each([
  ['in a shop that shows payments', undefined, /Amountdue/],
  ['in a shop without payments', {}, null],
] as const)(
  'the invoice says that the agreed prices include the credit %s [AGREE-98]',
  async (_, settings, payments) => {
    const shop = await openSoldOffer(settings)
    await shop.db
      .updateTable('offers')
      .set({ creditCents: 500 })
      .where('id', '=', shop.id)
      .execute()
    await shop.sellAll()
    await shop.number()
    const printed = await shop.pdf()
    expect(printed).toContain('Theagreedpricesalreadyincludeacreditof$5.00.')
    if (payments) expect(printed).toMatch(payments)
    else expect(printed).not.toContain('Amountdue')
  },
)

test('an invoice shows no payments if the shop does not use payments [AGREE-48]', async () => {
  const { sellAll, number, pdf, db } = await openSoldOffer({})
  await sellAll()
  await number()
  expect(await pdf()).not.toMatch(/Amountdue|reference/)
  expect(await db.selectFrom('invoices').select('payments').execute()).toEqual([{ payments: '' }])
})

test('if a piece of an offer is unsold or on another receipt, the invoice shows no payments and no credit of this offer [AGREE-48, AGREE-98]', async () => {
  const { db, customerAct, id, pay, sell, overlay, number, pdf, sales, services } =
    await openSoldOffer()
  await db.updateTable('offers').set({ creditCents: 500 }).where('id', '=', id).execute()
  await customerAct('give-address', id, { recipient: 'Ann Knotwell', address: '12 Cord Street' })
  await pay('pay-total', id)
  await sell({ itemId: 'moon', price: '80' })
  const dialog = pageOf(await overlay())
  expect(dialog.getByLabelText('Name on the invoice').getAttribute('value')).toBe('Ann Knotwell')
  const [slip] = dialog.getAllByRole('link', { name: /^Packing slip/ })
  expect(slip!.getAttribute('href')).toContain(`/manage/packing-slip/${id}`)
  await number()
  expect(await pdf()).toMatch(/Total\$86\.00/)
  expect(await pdf()).not.toMatch(/Paid|credit/)
  await sell({ itemId: `offer-${id}-2`, price: '11' })
  const tags = (await sales()).map(({ receiptTag }) => receiptTag!)
  expect(new Set(tags).size).toBe(2)
  for (const receipt of tags) {
    await issueDocuments(services, { receipt, papers: ['Invoice'], shipping: 0 })
  }
  expect(await db.selectFrom('invoices').select('payments').execute()).toEqual([
    { payments: '' },
    { payments: '' },
  ])
})

test('the invoice of shipped pieces suggests the name and address of their parcel [AGREE-94]', async () => {
  const { customerAct, id, sellAll, overlay } = await openSoldOffer()
  await customerAct('give-address', id, {
    recipient: 'Ann Knotwell',
    address: '12 Cord Street\nLisbon',
  })
  await sellAll()
  const dialog = pageOf(await overlay())
  expect(dialog.getByLabelText('Name on the invoice').getAttribute('value')).toBe('Ann Knotwell')
  expect(dialog.getByLabelText('Address on the invoice').textContent).toBe('12 Cord Street\nLisbon')
})

test('the print dialog links to the packing slips as soon as there is an address, also after the invoice got its number [AGREE-99]', async () => {
  const { customerAct, id, sellAll, overlay, number } = await openSoldOffer()
  await sellAll()
  expect(await overlay()).not.toContain('/manage/packing-slip/')
  await customerAct('give-address', id, {
    recipient: 'Ann Knotwell',
    address: '12 Cord Street\nLisbon',
  })
  expect(await overlay()).toContain(`/manage/packing-slip/${id}?size=4x6`)
  await number()
  expect(await overlay()).toContain(`/manage/packing-slip/${id}?size=A4`)
})
