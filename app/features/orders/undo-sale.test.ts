import { expect, test } from 'vitest'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { ensureTicket } from '#testimonials/testimonies.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'

const complete = (itemId = 'moon', price = '') => ({ intent: 'complete', itemId, price })

async function openShopWithSale(price = '80') {
  const opened = await openShopWithOrder()
  await opened.act(complete('moon', price))
  const [sale] = await opened.sales()
  const number = () =>
    issueDocuments(opened.shop.shop, {
      receipt: sale!.receiptTag!,
      papers: ['Invoice', 'Testimony Ticket'],
    })
  const take = (intent: 'undo-sale' | 'cancel-sale', saleId = sale!.id) =>
    opened.act({ intent, saleId, confirm: 'Yes' })
  const lines = async () =>
    (await opened.read())!.items.map(({ id, isSold }) => `${id} ${isSold ? 'sold' : 'unsold'}`)
  const soldRequests = async () =>
    (
      await opened.shop.db
        .selectFrom('requests')
        .select('saleId')
        .where('saleId', 'is not', null)
        .execute()
    ).length
  const sumOf = async () =>
    (await opened.sales()).reduce((sum, { salePriceCents }) => sum + salePriceCents, 0)
  return { ...opened, sale: sale!, number, take, lines, soldRequests, sumOf }
}

test('the sale price field contains the price that the customer was shown, and a blank field means the original price [OWN-60]', async () => {
  const { shop, ann, owner, path, act, read, sales } = await openShopWithOrder()
  const readPrice = async () => {
    const panel = pageOf(await owner.page(`${path}?view=order`))
    return panel.getAllByRole('textbox', { name: 'Sale price' })[0]!.getAttribute('value')
  }
  expect(await readPrice()).toBe('89.00')

  await shop.db
    .updateTable('items')
    .set({ discountType: 'percent', discountValue: 2000 })
    .where('id', '=', 'moon')
    .execute()
  await ann.act('/order-request', { itemId: 'moon', message: 'Still there?' })
  await shop.db.updateTable('items').set({ discountType: null, discountValue: null }).execute()

  expect(
    (await read())!.items.map(({ id, priceCents, shownCents }) => [id, priceCents, shownCents]),
  ).toEqual([
    ['moon', 8900, 7120],
    ['sun', 1200, 1200],
  ])
  expect(await readPrice()).toBe('71.20')
  expect(wordsOf(await owner.page(`${path}?view=order`))).toContain(
    'Original price $89.00 · shown to the customer: $71.20 Sale price',
  )
  await act(complete('moon', ''))
  expect((await sales()).map(({ salePriceCents }) => salePriceCents)).toEqual([8900])
})

test('with one click, the owner undoes a sale that has no numbered invoice, and the piece is unsold again [OWN-61]', async () => {
  const { shop, owner, path, act, take, lines, soldRequests, sales, sale, acts } =
    await openShopWithSale()
  await issueDocuments(shop.shop, { receipt: sale.receiptTag!, papers: ['Testimony Ticket'] })
  for (const url of [`${path}?view=order`, `/manage/sales/?receipt=${sale.receiptTag}`]) {
    const button = { name: 'Undo the sale of Moon wall' }
    expect(pageOf(await owner.page(url)).getByRole('button', button)).toBeTruthy()
  }

  expect(await take('undo-sale')).toEqual({
    status: 200,
    text: expect.stringContaining('The sale was undone. The piece is unsold again.'),
  })

  expect(await sales()).toEqual([])
  expect(await lines()).toEqual(['moon unsold', 'sun unsold'])
  expect(await soldRequests()).toBe(0)
  expect(await shop.db.selectFrom('testimonies').select('id').execute()).toEqual([])
  expect((await acts()).toSorted()).toEqual(['complete-sale', 'create-ticket', 'undo-sale'])
  expect(wordsOf(await owner.page('/manage/history/'))).toContain(
    'Undid the sale of Moon wall to ann for $80.00',
  )
  expect((await act(complete('moon', '70'))).status).toBe(200)
  expect(
    (await sales()).map(({ receiptTag, salePriceCents }) => [receiptTag, salePriceCents]),
  ).toEqual([[sale.receiptTag, 7000]])
})

test('undoing an imported sale makes the piece unsold in the conversation that contains it and updates that page live, even if the buyer has another conversation with the same item [OWN-61]', async () => {
  const { shop, ann, take, lines } = await openShopWithSale()
  const bea = await shop.customer('bea@mail.test')
  await bea.act('/order-request', { itemId: 'moon', message: 'The moon, too' })
  await shop.db.updateTable('sales').set({ buyerId: bea.id }).execute()
  shop.changedTopics.length = 0
  await take('undo-sale')
  expect((await lines()).toSorted()).toEqual(['moon unsold', 'sun unsold'])
  expect(shop.changedTopics).toContain(`order:${ann.id}`)
})

test('the owner cannot undo a sale twice or after its invoice got a number, and the page shows the reason [OWN-62]', async () => {
  const { take, number, sales } = await openShopWithSale()
  const twice = await Promise.all([take('undo-sale'), take('undo-sale')])
  expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(twice.map(({ text }) => text).join()).toContain('This sale was already undone.')

  expect(await sales()).toEqual([])
  expect(await number()).toEqual({ ok: false, refusal: 'not-found' })

  const numbered = await openShopWithSale()
  expect((await numbered.take('cancel-sale')).text).toContain(
    'Its invoice has no number yet, so this sale can simply be undone.',
  )
  await numbered.number()
  expect(await numbered.take('undo-sale')).toEqual({
    status: 409,
    text: expect.stringContaining('You can cancel it instead.'),
  })
  expect(await numbered.sales()).toHaveLength(1)
})

test('the owner can cancel a sale with a numbered invoice once, and the cancellation does not change the invoice [OWN-63]', async () => {
  const { shop, owner, path, take, number, sales, sale, lines, soldRequests, sumOf } =
    await openShopWithSale()
  await number()
  const invoices = () => shop.db.selectFrom('invoices').selectAll().orderBy('number').execute()
  const numbered = await invoices()
  const unconfirmed = await owner.act('/manage/sales/', {
    intent: 'cancel-sale',
    saleId: sale.id,
    confirm: 'No',
  })
  expect(unconfirmed).toEqual({
    status: 409,
    text: expect.stringContaining(
      'The sale was not canceled, because the question was not answered with “Yes”.',
    ),
  })
  expect(await owner.page(`${path}?view=order`)).toContain(
    'Cancel the sale of Moon wall? Invoice 0001 stays as it is',
  )
  shop.clock.now += 86_400_000

  const answers = await Promise.all([take('cancel-sale'), take('cancel-sale')])

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.map(({ text }) => text).join()).toContain('This sale was already canceled.')
  const entry = (await sales()).find(({ cancels }) => cancels !== null)!
  expect(entry).toMatchObject({
    cancels: sale.id,
    itemPriceCents: -8900,
    salePriceCents: -8000,
    createdAt: shop.now(),
    buyerId: sale.buyerId,
  })
  expect(entry.receiptTag).not.toBe(sale.receiptTag)
  expect(await invoices()).toEqual(numbered)
  expect(await sumOf()).toBe(0)
  expect(await lines()).toEqual(['moon unsold', 'sun unsold'])
  expect(await soldRequests()).toBe(0)
  expect((await take('cancel-sale', entry.id)).text).toContain(
    'This entry cancels a sale and stays.',
  )
  expect((await take('undo-sale', entry.id)).text).toContain('This entry cancels a sale and stays.')
})

test.each(['undo-sale', 'cancel-sale'] as const)(
  'after "%s", an unused testimony ticket no longer lists the piece; if no piece remains, the receipt has no ticket and earns no credit [S-114]',
  async (intent) => {
    const { shop, owner, act, take, number, sale } = await openShopWithSale()
    const tickets = () => shop.db.selectFrom('testimonies').select('receiptTag').execute()
    const pieces = async () =>
      (await shop.db.selectFrom('testimonyItems').select('itemId').execute()).map(
        ({ itemId }) => itemId,
      )
    const print = () =>
      issueDocuments(shop.shop, { receipt: sale.receiptTag!, papers: ['Testimony Ticket'] })
    await act(complete('sun', '12'))
    await (intent === 'cancel-sale' ? number() : print())
    const second = (
      await shop.db
        .selectFrom('sales')
        .select('id')
        .where('itemId', '=', 'sun')
        .executeTakeFirstOrThrow()
    ).id
    expect((await pieces()).toSorted()).toEqual(['moon', 'sun'])
    await take(intent, second)
    expect(await pieces()).toEqual(['moon'])
    expect(await print()).toMatchObject({ ok: true })
    expect(await pieces()).toEqual(['moon'])

    await take(intent)
    expect(await tickets()).toEqual([])
    const overlay = pageOf(await owner.page(`/manage/sales/?receipt=${sale.receiptTag}`))
    expect(overlay.queryByRole('checkbox', { name: 'Testimony Ticket' })).toBeNull()
    expect((await print()).ok).toBe(false)
    expect(
      await inTransaction(shop.db, (tx) => ensureTicket(tx, sale.receiptTag!, shop.now())),
    ).toEqual({
      ok: false,
      refusal: 'not-found',
    })
    expect(await tickets()).toEqual([])
  },
)

test('a written testimony keeps the pieces of its ticket after their sales were undone [S-114]', async () => {
  const { shop, act, take, sale } = await openShopWithSale()
  await act(complete('sun', '12'))
  const second = (
    await shop.db
      .selectFrom('sales')
      .select('id')
      .where('itemId', '=', 'sun')
      .executeTakeFirstOrThrow()
  ).id
  await issueDocuments(shop.shop, { receipt: sale.receiptTag!, papers: ['Testimony Ticket'] })
  await shop.db.updateTable('testimonies').set({ isAvailable: false, testimony: 'Soft' }).execute()
  for (const id of [second, sale.id]) await take('undo-sale', id)
  expect(await shop.db.selectFrom('testimonyItems').select('itemId').execute()).toHaveLength(2)
})

test('the owner can undo or cancel a sale on the Sales screen even after she has deleted its conversation [OWN-61, OWN-63]', async () => {
  for (const intent of ['undo-sale', 'cancel-sale'] as const) {
    const { owner, act, number, sale, sumOf } = await openShopWithSale()
    if (intent === 'cancel-sale') await number()
    await act({ intent: 'delete', confirm: 'Yes' })
    expect(
      (await owner.act('/manage/sales/', { intent, saleId: sale.id, confirm: 'Yes' })).status,
    ).toBe(200)
    expect(await sumOf()).toBe(0)
  }
})

test('the customer sees the piece of a canceled sale as requested, and the purchase as canceled [OWN-63]', async () => {
  const { ann, take, number, read } = await openShopWithSale()
  const state = async () => (await read())!.messages[0]!.request?.state
  const orders = async () => wordsOf(await ann.page('/account/orders/'))
  await number()
  expect(await state()).toBe('sold')
  expect(await orders()).toContain('$80.00')

  await take('cancel-sale')

  expect(await state()).toBe('requested')
  expect(await orders()).toContain('Canceled')
})

test('the Sales screen, dashboard, reports and CSV files show a cancellation with negative prices [OWN-64]', async () => {
  const { shop, owner, take, number, sales, sale } = await openShopWithSale()
  await number()
  shop.clock.now += 1000
  await take('cancel-sale')
  const { id, receiptTag } = (await sales()).find(({ cancels }) => cancels !== null)!
  const words = async (path: string) => wordsOf(await owner.page(path))

  const list = await words('/manage/sales/')
  expect(list).toMatch(
    /· Cancellation Moon wall .*-\$80\.00.*Moon wall \(canceled\).*\$80\.00.*Total \$0\.00/,
  )
  expect(await words('/manage/')).toMatch(/Moon wall -\$80\.00 Cancellation, for ann/)
  expect(await words('/manage/reports/')).toMatch(
    /Revenue \$0\.00 0 pieces, without shipping Receipts 0 .* March 0 \$0\.00/,
  )
  expect(await words('/manage/reports/sales/?month=3')).toMatch(
    /0 pieces, \$0\.00 .*Cancellation.*-\$80\.00/,
  )
  expect(await (await owner.get('/manage/sales.csv')).text()).toContain(
    `-89.00,-80.00,-9.00,ann,ann@mail.test,${id},moon,${sale.buyerId},${sale.id},,-1,\r\n`,
  )
  expect(await (await owner.get('/manage/receipts.csv')).text()).toMatch(
    /,-1,Moon wall,-89\.00,-9\.00,-80\.00,\w+,0001,,,,,,\r\n/,
  )

  const open = `/manage/sales/?receipt=${receiptTag}`
  const receipt = pageOf(await owner.page(open))
  expect(receipt.queryByRole('button', { name: /Thank you card|Testimony Ticket/ })).toBe(null)
  expect(receipt.queryByLabelText(/shipping/i)).toBe(null)
  const print = { receipt: receiptTag!, paper: 'Invoice' }
  expect((await owner.act(open, { ...print, paper: 'Thank you card' })).status).toBe(409)
  expect((await owner.act(open, { ...print, shipping: '9', output: 'pdf' })).status).toBe(200)
  expect(
    await shop.db
      .selectFrom('invoices')
      .select(['number', 'shippingCents'])
      .where('receiptKey', '=', receiptTag!)
      .execute(),
  ).toEqual([{ number: 2, shippingCents: 0 }])
})

test('if the receipt of an order has a numbered invoice, the next sale of the order starts a new receipt [OWN-65]', async () => {
  const { act, number, sales, read } = await openShopWithSale()
  await number()
  await act(complete('sun'))

  const tags = (await sales()).map(({ receiptTag }) => receiptTag)
  expect(new Set(tags).size).toBe(2)
  expect((await read())!.receiptTag).toBe(
    (await sales()).find(({ itemId }) => itemId === 'sun')!.receiptTag,
  )
})

test.each([0, 1])(
  'if a sale is completed while an invoice gets its number, the sale does not change the numbered invoice (run %i) [OWN-65]',
  async (turn) => {
    const { shop, act, number, sale } = await openShopWithSale()
    const both = [() => act(complete('sun')), number]
    await Promise.all((turn ? both.toReversed() : both).map((write) => write()))
    const salesOfReceipt = () =>
      shop.db
        .selectFrom('sales')
        .select('itemId')
        .where('receiptTag', '=', sale.receiptTag)
        .execute()
    const before = await salesOfReceipt()
    await act({ intent: 'close', confirm: 'Yes' })
    expect(await salesOfReceipt()).toEqual(before)
    expect((await number()).ok).toBe(true)
  },
)

test('if a customer requests a sold piece again, her open order contains the piece as a new unsold item [OWN-67]', async () => {
  const { shop, ann, act, take, lines, sales, read } = await openShopWithSale()
  await ann.act('/order-request', { itemId: 'moon', message: 'One more, please' })
  await ann.act('/order-request', { itemId: 'moon', message: 'Really' })

  expect(await lines()).toEqual(['moon sold', 'sun unsold', 'moon unsold'])
  expect(
    (await shop.db.selectFrom('requests').select('id').where('itemId', '=', 'moon').execute())
      .length,
  ).toBe(2)
  await act(complete('moon', '85'))
  expect(await lines()).toEqual(['moon sold', 'sun unsold', 'moon sold'])
  expect((await read())!.items.map((item) => item.sale?.cents)).toEqual([8000, undefined, 8500])

  // The customer has requested the piece again, so undoing the sale does not add a second unsold
  // line of the piece.
  await ann.act('/order-request', { itemId: 'moon', message: 'And a third' })
  await take('undo-sale')
  expect(await lines()).toEqual(['sun unsold', 'moon sold', 'moon unsold'])
  expect((await sales()).length).toBe(1)
})

test('the owner can reopen a closed order, and its unsold items are then sold under a new receipt [OWN-69]', async () => {
  const { owner, path, act, read, sale, acts } = await openShopWithSale()
  const reopen = () => act({ intent: 'reopen' })
  expect(await reopen()).toEqual({
    status: 409,
    text: expect.stringContaining('The order could not be reopened: it is already open.'),
  })
  await act({ intent: 'close', confirm: 'Yes' })
  const closed = pageOf(await owner.page(path))
  expect(closed.getByRole('button', { name: 'Reopen order' }).getAttribute('value')).toBe('reopen')
  expect(closed.getByPlaceholderText('Order is Closed').hasAttribute('disabled')).toBe(true)

  expect(await reopen()).toEqual({
    status: 200,
    text: expect.stringContaining('The order is open again.'),
  })

  expect(await read()).toMatchObject({
    isClosed: false,
    items: [
      { id: 'moon', isSold: true },
      { id: 'sun', isSold: false },
    ],
  })
  expect((await act(complete('sun'))).status).toBe(200)
  expect((await read())!.receiptTag).not.toBe(sale.receiptTag)
  expect((await acts()).toSorted()).toEqual([
    'close-order',
    'complete-sale',
    'complete-sale',
    'reopen-order',
  ])
})
