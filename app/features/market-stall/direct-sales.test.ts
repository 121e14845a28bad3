import { expect, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { completeSale } from '#orders/orders.server.ts'
import { readMarket } from './direct-sales.server.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import {
  descriptionOf,
  hiddenValueOf,
  pageOf,
  readHead,
  within,
  wordsOf,
} from '#test/fixtures/html.ts'
import { NOON, openShopWithOwner, type ShopOptions } from '#test/fixtures/test-shop.ts'

const DAY = '2026-03-04'

async function openStall(options: ShopOptions = {}) {
  const { shop, owner } = await openShopWithOwner(options)
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addItem(shop.db, 'moon', 'walls', {
    name: 'Moon wall',
    priceCents: 8900,
    discountType: 'amount',
    discountValue: 900,
  })
  await addItem(shop.db, 'draft', 'walls', { name: 'Secret wall', state: 'draft' })
  const form = (given: Record<string, string> = {}) => ({
    ...{
      id: newId15(),
      piece: 'moon WALL',
      price: '',
      method: 'cash',
      day: DAY,
      buyerName: '',
      ...given,
    },
  })
  const queued = (given: Record<string, string> = {}) => ({
    ...{
      id: newId15(),
      itemId: 'moon',
      name: 'Moon wall',
      cents: '7500',
      method: 'card',
      age: '0',
      ...given,
    },
  })
  return {
    ...shop,
    owner,
    form,
    queued,
    add: (given?: Record<string, string>) => owner.act('/manage/sales/add', form(given)),
    sell: async (sale: Record<string, string>) => {
      const answer = await owner.post('/manage/market/sales', sale)
      return { status: answer.status, answer: (await answer.json()) as unknown }
    },
    sales: () =>
      shop.db.selectFrom('sales').selectAll().orderBy('createdAt').orderBy('id').execute(),
    words: async (path: string) => wordsOf(await owner.page(path)),
  }
}

test('a sale of a piece outside a conversation has its own receipt, category and payment method [AGREE-70]', async () => {
  const shop = await openStall()
  expect(await shop.words('/manage/sales/')).toContain('Add a sale')

  await shop.add({ buyerName: ' Dora  Day ', method: 'paypal' })
  await shop.add({ piece: 'Key chain', price: '12,50' })

  const sales = await shop.sales()
  expect(sales).toHaveLength(2)
  expect(sales.find(({ itemId }) => itemId === 'moon')).toMatchObject({
    ...{
      itemName: 'Moon wall',
      itemPriceCents: 8900,
      salePriceCents: 8000,
      categoryId: 'walls',
      categoryTitle: 'Walls',
    },
    ...{
      buyerId: '',
      buyerName: 'Dora Day',
      buyerEmail: '',
      method: 'paypal',
      createdAt: NOON,
      cancels: null,
    },
  })
  expect(sales.find(({ itemId }) => itemId === '')).toMatchObject({
    itemName: 'Key chain',
    itemPriceCents: null,
    salePriceCents: 1250,
  })
  expect(new Set(sales.map(({ receiptTag }) => receiptTag)).size).toBe(2)
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
  expect(shop.changedTopics).toContain('sales')
})

test('a sale outside a conversation appears in Sales, Reports, the CSV file, the documents and the audit log [AGREE-71]', async () => {
  const shop = await openStall()
  await shop.add({ buyerName: 'Dora Day', method: 'card' })
  const [sale] = await shop.sales()
  const receipt = `/manage/sales/?receipt=${sale!.receiptTag}`

  expect(await shop.words('/manage/sales/')).toContain(
    'Dora Day March 04, 2026 · Card reader Moon wall Original price: $89.00 Sold for: $80.00',
  )
  expect(await shop.words('/manage/reports/')).toContain('Revenue $80.00 1 piece')
  expect(await (await shop.owner.get('/manage/sales.csv')).text()).toContain(
    `,${sale!.id},moon,,,Card reader,1,\r\n`,
  )
  expect(await shop.words('/manage/history/')).toContain(
    'Sold Moon wall to Dora Day for $80.00, outside a conversation',
  )

  const papers = await shop.owner.act('/manage/sales/', {
    receipt: sale!.receiptTag!,
    paper: 'Invoice',
    shipping: '',
  })
  expect(papers.status).toBe(200)
  expect(await shop.words(receipt)).toContain('Dora Day')
  await shop.owner.act('/manage/sales/', {
    intent: 'cancel-sale',
    saleId: sale!.id,
    confirm: 'Yes',
  })
  expect(
    (await shop.sales()).map(({ salePriceCents, method }) => [salePriceCents, method]).toSorted(),
  ).toEqual([
    [-8000, 'card'],
    [8000, 'card'],
  ])

  await shop.add({ piece: 'Star', price: '5' })
  const star = (await shop.sales()).find(({ itemName }) => itemName === 'Star')
  await shop.owner.act('/manage/sales/', { intent: 'undo-sale', saleId: star!.id })
  expect((await shop.sales()).some(({ itemName }) => itemName === 'Star')).toBe(false)
  expect(await shop.words('/manage/history/')).toContain('Undid the sale of Star')
})

test('the form "Add a sale" stores the current time for today, and noon in the shop’s time zone for an earlier day [AGREE-72]', async () => {
  const shop = await openStall({ timeZone: 'America/New_York', now: Date.UTC(2026, 2, 9, 2, 30) })
  // The clock of the test is in the evening of March 8 in New York. So March 9 is still in the
  // future.
  expect((await shop.add({ day: '2026-03-09', piece: 'Tomorrow', price: '1' })).status).toBe(422)
  await shop.add({ day: '2026-03-08', piece: 'Today', price: '1' })
  await shop.add({ day: '2026-03-07', piece: 'Yesterday', price: '1' })
  const added = await shop.owner.post(
    '/manage/sales/add',
    shop.form({ day: '2026-01-05', piece: 'In January', price: '1' }),
  )
  expect(await shop.words(added.headers.get('location')!)).toContain('In January')
  await shop.add({ day: '2024-02-29', piece: 'Long ago', price: '1' })
  expect(
    (await shop.sales()).map(({ itemName, createdAt }) => [
      itemName,
      new Date(createdAt).toISOString(),
    ]),
  ).toEqual([
    ['Long ago', '2024-02-29T17:00:00.000Z'],
    ['In January', '2026-01-05T17:00:00.000Z'],
    ['Yesterday', '2026-03-07T17:00:00.000Z'],
    ['Today', '2026-03-09T02:30:00.000Z'],
  ])
})

test.for<[wrong: Record<string, string>, field: string, text: string]>([
  [{ piece: '  ' }, 'Piece', 'Please choose or type what you sold.'],
  [{ piece: 'x'.repeat(201) }, 'Piece', 'Please use at most 200 characters.'],
  [
    { piece: 'Secret wall' },
    'Price',
    'Please type a price, such as 45.50. You can leave it blank only for one of your pieces.',
  ],
  [{ price: '-5' }, 'Price', 'Please type a price from 0 to 9,999,999.99, such as 45.50.'],
  [{ price: '10000000' }, 'Price', 'Please type a price from 0 to 9,999,999.99, such as 45.50.'],
  [{ method: 'gold' }, 'Paid by', 'Please choose how it was paid.'],
  [{ day: '2026-02-29' }, 'Day', 'Please choose a day, such as 2026-03-04.'],
  [{ day: '1926-03-04' }, 'Day', 'Please choose a day, such as 2026-03-04.'],
  [{ day: '2026-03-05' }, 'Day', 'This day is in the future.'],
  [{ buyerName: 'n'.repeat(121) }, 'Buyer’s name (optional)', 'Please use at most 120 characters.'],
])(
  'a sale with %j is refused next to the field %s, and keeps what was typed [AGREE-72]',
  async ([wrong, field, text]) => {
    const shop = await openStall()
    const fields = shop.form({ buyerName: 'Dora', method: 'card', ...wrong })
    const answer = await shop.owner.post('/manage/sales/add', fields)
    expect(answer.status).toBe(422)
    const page = pageOf(await answer.text())
    const errors = page.getAllByRole('alert').filter(({ textContent }) => textContent !== '')
    expect(errors.map(({ textContent }) => textContent)).toEqual([text])
    if (field === 'Paid by') {
      expect(within(page.getByRole('group', { name: field })).getByText(text)).toBeTruthy()
    } else {
      expect(descriptionOf(page, field)).toBe(text)
    }
    for (const [label, typed] of [
      ['Piece', fields.piece],
      ['Price', fields.price],
      ['Day', fields.day],
      ['Buyer’s name (optional)', fields.buyerName],
    ] as const) {
      expect(page.getByLabelText(label).getAttribute('value'), label).toEqual(typed)
    }
    const isCard = page.getByRole('radio', { name: 'Card reader' }).hasAttribute('checked')
    expect(isCard).toBe(fields.method === 'card')
    expect(await shop.sales()).toEqual([])
  },
)

test('the form "Add a sale" adds one sale if it is sent twice [AGREE-73]', async () => {
  const shop = await openStall()
  const form = shop.form()
  await Promise.all([1, 2, 3].map(() => shop.owner.act('/manage/sales/add', form)))
  expect(await shop.sales()).toHaveLength(1)

  const refusal = await shop.owner.post('/manage/sales/add', { ...form, price: '70' })
  const html = await refusal.text()
  expect(refusal.status).toBe(409)
  expect(wordsOf(html)).toContain('This form has already added a sale.')
  const id = hiddenValueOf(html, 'id')!
  expect(id).toMatch(/^\w{15}$/)
  expect(id).not.toBe(form.id)
  await shop.owner.act('/manage/sales/add', { ...form, id, price: '70' })
  expect((await shop.sales()).map(({ salePriceCents }) => salePriceCents).toSorted()).toEqual([
    7000, 8000,
  ])

  // After the owner has undone the sale, the same form from the browser's history adds nothing, and
  // the page says so.
  await shop.owner.act('/manage/sales/', { intent: 'undo-sale', saleId: form.id })
  expect((await shop.owner.act('/manage/sales/add', form)).status).toBe(409)
  expect(await shop.sales()).toHaveLength(1)
})

test('the market-stall page shows listed pieces with picture and current price, a free amount, and today’s sales outside conversations [AGREE-74]', async () => {
  const shop = await openStall({ timeZone: 'America/New_York' })
  await shop.add({ piece: 'Of yesterday', price: '3', day: '2026-03-03' })
  await shop.sell(shop.queued({ age: '60000' }))
  const ann = await shop.customer()
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  expect(await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '81.23' })).toMatchObject({
    ok: true,
  })

  const page = pageOf(await shop.owner.page('/manage/market/'))
  const choice = within(page.getByRole('list', { name: 'Pieces' })).getAllByRole('button')
  expect(choice.map(({ textContent }) => textContent)).toEqual(['Other amount', 'Moon wall$80.00'])
  expect(within(choice[1]!).getByAltText('').getAttribute('src')).toContain('moon-0')
  // Only the browser draws the list of today's sales.
  const data = await (await shop.owner.get('/manage/market.data')).text()
  expect(data).toContain('7500')
  expect(data).not.toMatch(/Secret wall|Of yesterday|8123/)
  expect(await shop.words('/manage/sales/')).toContain('Market stall')
})

test('a sale of the market stall that is sent several times is stored once, with the time of the sale [AGREE-75]', async () => {
  const shop = await openStall()
  const sale = shop.queued({ age: '3600000' })
  const answers = await Promise.all([1, 2, 3].map(() => shop.sell(sale)))
  expect(answers).toEqual(Array.from({ length: 3 }, () => ({ status: 200, answer: { ok: true } })))
  expect(await shop.sales()).toEqual([
    expect.objectContaining({
      id: sale.id,
      salePriceCents: 7500,
      createdAt: NOON - 3_600_000,
      method: 'card',
    }),
  ])

  await shop.db.updateTable('items').set({ name: 'Full moon' }).where('id', '=', 'moon').execute()
  expect((await shop.sell({ ...sale, age: '3700000' })).status).toBe(200)
  await shop.owner.act('/manage/sales/', { intent: 'undo-sale', saleId: sale.id })
  expect((await shop.sell(sale)).status).toBe(200)
  expect(await shop.sales()).toEqual([])
})

test('a piece that was deleted while the market stall was offline is sold under the name that the owner saw [AGREE-75]', async () => {
  const shop = await openStall()
  await shop.db.deleteFrom('items').where('id', '=', 'moon').execute()
  expect((await shop.sell(shop.queued())).status).toBe(200)
  expect(await shop.sales()).toEqual([
    expect.objectContaining({
      itemId: '',
      itemName: 'Moon wall',
      itemPriceCents: null,
      salePriceCents: 7500,
    }),
  ])
})

test.for<Record<string, string>>([
  { cents: '-1' },
  { cents: '1e3' },
  { id: 'short' },
  { method: '' },
  { name: ' ' },
  { age: '-1' },
  { name: 'x'.repeat(201) },
])('the market stall refuses a sale with %j with a reason [AGREE-75]', async (wrong) => {
  const shop = await openStall()
  const { status, answer } = await shop.sell(shop.queued(wrong))
  expect(status).toBe(422)
  expect(answer).toEqual({ ok: false, error: 'The shop could not read this sale.' })
  expect(await shop.sales()).toEqual([])
})

test('the security headers allow the service worker of the market stall to send requests, and the manifest opens the market stall [AGREE-79]', async () => {
  const shop = await openStall()
  const worker = await shop.owner.get('/manage/market/sw.js')
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(worker.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const manifest = (await (
    await shop.owner.get('/manage/market/app.webmanifest')
  ).json()) as Record<string, unknown>
  expect(manifest).toMatchObject({
    start_url: '/manage/market/',
    scope: '/manage/market/',
    short_name: 'Stall',
  })
  expect(manifest).toMatchObject({ id: '/manage/market/', display: 'standalone' })
  expect(manifest.icons).not.toEqual([])
  // The browser uses the first manifest of a page.
  expect(readHead(await shop.owner.page('/manage/market/')).link('manifest')).toBe(
    '/manage/market/app.webmanifest',
  )
  expect(readHead(await shop.owner.page('/manage/sales/')).link('manifest')).toBe(
    '/manifest.webmanifest',
  )
})

test('after the login, the owner returns to the market-stall page from which she came [AGREE-77]', async () => {
  const shop = await openStall()
  const from = `/login/?from=${encodeURIComponent('/manage/market/')}`
  expect((await shop.owner.get(from)).headers.get('location')).toBe('/manage/market/')
  const customer = await shop.customer()
  expect((await customer.get(from)).headers.get('location')).toBe('/')
})

test('on the market-stall page, the owner undoes a sale of today or cancels it if its invoice has a number, and reads what becomes of the piece [AGREE-135]', async () => {
  const { owner, db, shop, sell, sales, queued } = await openStall()
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  const take = (intent: string, saleId: string) =>
    owner.act('/manage/market/', { intent, saleId, confirm: 'Yes' })
  const moon = queued()
  const typed = queued({ itemId: '', name: 'Keychain' })
  const numbered = queued({ itemId: '', name: 'Tassel' })
  for (const sale of [moon, typed, numbered]) await sell(sale)
  await issueDocuments(shop, { receipt: numbered.id, papers: ['Invoice'] })
  const undosOf = async (id: string) =>
    (await readMarket(shop)).sales!.filter((sale) => sale.id === id).map(({ undo }) => undo)
  expect(await undosOf(moon.id)).toMatchObject([{ piece: 'for-sale', invoice: null, cents: 7500 }])

  expect((await take('undo-sale', moon.id)).text).toContain(
    'The sale was undone. The piece is for sale again.',
  )
  const { text } = await take('undo-sale', typed.id)
  expect(text).toContain('The sale was undone.')
  expect(text).not.toContain('The piece')
  expect(await take('undo-sale', numbered.id)).toMatchObject({ status: 409 })
  expect((await take('cancel-sale', numbered.id)).text).toContain(
    'The sale was canceled. Sales shows the canceling entry.',
  )
  const [entry, canceled] = await sales()
  expect(await undosOf(entry!.id)).toEqual([undefined])
  expect(await undosOf(canceled!.id)).toEqual([undefined])
  expect(await sales()).toHaveLength(2)
})

test('a one-of-a-kind piece is marked as sold when it is sold outside a conversation, even if it is on hold [AGREE-26]', async () => {
  const { ann, owner, db, services, send, customerAct, changedTopics } = await openShopWithOffers()
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  const offer = await send()
  const sell = (id: string) =>
    owner.act('/manage/market/sales', {
      id,
      itemId: 'moon',
      name: 'Moon wall',
      cents: '8000',
      method: 'cash',
      age: '0',
    })
  const moon = () =>
    db.selectFrom('items').select('state').where('id', '=', 'moon').executeTakeFirst()

  for (let sent = 0; sent < 2; sent++) expect((await sell('SoldAtTheMarket')).status).toBe(200)
  expect(await moon()).toEqual({ state: 'sold' })
  expect(changedTopics).toContain('catalog')
  expect((await customerAct('accept', offer)).status).toBe(409)
  expect(await completeSale(services, ann.id, { itemId: 'moon', price: '80' })).toEqual({
    ok: false,
    refusal: 'sold-elsewhere',
  })

  // Another buyer has paid for the piece, too, so the second sale is stored. Undoing this sale does
  // not make the piece available.
  await sell('SoldOnceMoreNow')
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'itemId', 'itemName'])
    .orderBy('id')
    .execute()
  expect(sales).toEqual([
    { id: 'SoldAtTheMarket', itemId: 'moon', itemName: 'Moon wall' },
    { id: 'SoldOnceMoreNow', itemId: '', itemName: 'Moon wall' },
  ])
  await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: 'SoldOnceMoreNow' })
  expect(await moon()).toEqual({ state: 'sold' })
  await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: 'SoldAtTheMarket' })
  expect(await moon()).toEqual({ state: 'listed' })
  expect((await customerAct('accept', offer)).status).toBe(200)
})
