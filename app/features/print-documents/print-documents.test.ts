import { describe, expect, test } from 'vitest'
import { addSale } from '#test/fixtures/orders.ts'
import { NOON, ORIGIN, type ShopOptions, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { readPdf } from '#test/fixtures/pdf.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { pageOf, within, wordsOf as words } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { issueDocuments, readPdfFile, readPrintData } from './print-documents.server.ts'

const DAY = 86_400_000
const SCREEN = '/manage/sales/'

type Fields = Partial<
  Record<'receipt' | 'shipping' | 'buyerName' | 'buyerAddress' | 'output' | 'size' | 'back', string>
> & {
  paper?: string[]
}
const PDF_URL = new URL(`${ORIGIN}/manage/print-documents.pdf?receipt=TAG00001&paper=Invoice`)
const asForm = ({ paper = [], ...fields }: Fields) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ receipt: 'TAG00001', shipping: '', ...fields })) {
    form.set(name, value)
  }
  for (const name of paper) form.append('paper', name)
  return form
}

type PapersShop = Awaited<ReturnType<typeof openPapersShop>>

async function openPapersShop(options: ShopOptions = {}) {
  const { shop, owner } = await openShopWithOwner(options)
  return {
    ...shop,
    owner,
    print: (fields: Fields) => owner.act(SCREEN, asForm(fields)),
    invoices: () => shop.db.selectFrom('invoices').selectAll().orderBy('number').execute(),
    tickets: () => shop.db.selectFrom('testimonies').select(['id', 'receiptTag']).execute(),
    acts: async () =>
      (
        await shop.db
          .selectFrom('audit')
          .select(['act', 'subject', 'name'])
          .orderBy('seq')
          .execute()
      ).map((row) => ({ ...row })),
  }
}

const readOverlay = async ({ owner }: Pick<PapersShop, 'owner'>, receipt = 'TAG00001') =>
  within(pageOf(await owner.page(`${SCREEN}?month=3&receipt=${receipt}`)).getByRole('dialog'))
const valueOf = (field: HTMLElement) => field.getAttribute('value')

describe('the print overlay', () => {
  const shop = shared(async (onCleanup) => {
    const shop = await openPapersShop({ onCleanup })
    await addSale(shop.db)
    await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'Ben Other' })
    return shop
  })

  test('opens when the owner opens a receipt on the Sales screen [SALES-26, SALES-27, SALES-28]', async () => {
    const list = pageOf(await shop().owner.page(SCREEN))
    expect(list.queryByRole('dialog')).toBeNull()
    const receipt = list.getByRole('link', { name: /^Ben Other .* Print$/ })
    expect(receipt.getAttribute('href')).toBe(`${SCREEN}?month=3&receipt=TAG00002`)

    const page = pageOf(await shop().owner.page(receipt.getAttribute('href')!))
    expect(page.getByRole('dialog', { name: 'Print for Ben Other' })).toBeTruthy()
  })

  test('shows an unchecked box for each of three documents [SALES-29, SALES-30, SALES-31, S-111]', async () => {
    const boxes = (await readOverlay(shop())).getAllByRole('checkbox')
    expect(boxes.map((box) => box.closest('label')!.textContent)).toEqual([
      'Invoice',
      'Thank you card',
      'Testimony Ticket',
    ])
    expect(boxes.filter((box) => box.hasAttribute('checked'))).toEqual([])
  })

  test.each([
    { name: 'Print', id: 'SALES-33' },
    { name: 'Download PDF', id: 'SALES-33' },
  ])('has a button “$name” [$id]', async ({ name }) => {
    expect((await readOverlay(shop())).getByRole('button', { name })).toBeTruthy()
  })

  test('has an empty field for the shipping fee [SALES-34]', async () => {
    const fee = (await readOverlay(shop())).getByRole('textbox', { name: 'Shipping fee' })
    expect(fee.getAttribute('placeholder')).toBe('Enter Shipping Price, 0 for FREE')
    expect(valueOf(fee)).toBe('')
  })

  test('has a link “Close” to the list of receipts [SALES-35]', async () => {
    const close = (await readOverlay(shop())).getByRole('link', { name: 'Close' })
    expect(close.getAttribute('href')).toBe(`${SCREEN}?month=3`)
  })
})

test('the owner cannot print a testimony ticket for a buyer without an email address [SALES-32]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db, { buyerEmail: '' })
  const boxes = (await readOverlay(shop)).getAllByRole('checkbox')
  expect(boxes.map((box) => valueOf(box))).toEqual(['Invoice', 'Thank you card'])

  const forged = await shop.print({ paper: ['Invoice', 'Testimony Ticket'] })

  expect(forged.status).toBe(409)
  expect(forged.text).toContain('"Erro Creating Testimony Ticket"')
  expect(await shop.tickets()).toEqual([])
  expect(await shop.invoices()).toEqual([])
})

test('printing a testimony ticket shows a confirmation if it is created, and a second print creates no second testimony ticket [SALES-60, SALES-61, TESTI-26, S-114]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)

  const first = await shop.print({ paper: ['Testimony Ticket'] })
  const again = await shop.print({ paper: ['Testimony Ticket', 'Thank you card'] })
  const unknown = await shop.print({ paper: ['Testimony Ticket'], receipt: 'UNKNOWN1' })
  const card = await shop.print({ paper: ['Thank you card'] })

  expect(first.status).toBe(200)
  expect(first.text).toContain('"Created Testimony Ticket"')
  expect(again.status).toBe(200)
  expect(again.text).not.toContain('Created Testimony Ticket')
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('"Erro Creating Testimony Ticket"')
  expect(card.status).toBe(200)
  expect(card.text).not.toContain('Testimony Ticket')
  expect(await shop.tickets()).toHaveLength(1)
  expect(await shop.invoices()).toEqual([])
})

test('if the testimony ticket cannot be created, the page shows an error and the invoice gets no number [SALES-61]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await shop.db.schema.dropTable('testimonyItems').execute()

  const failed = await shop.print({ paper: ['Invoice', 'Testimony Ticket'] })

  expect(failed.status).toBe(500)
  expect(failed.text).toContain('"Erro Creating Testimony Ticket"')
  expect(failed.text).not.toContain('testimonyItems')
  expect(shop.logged.filter((line) => line.level === 'error')).toHaveLength(1)
  expect(await shop.tickets()).toEqual([])
  expect(await shop.invoices()).toEqual([])
  expect(await shop.acts()).toEqual([])
})

test('invoices get their numbers in the sequence of their first print, and a second print keeps the number [S-190]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'Ben Other', createdAt: NOON - DAY })
  await addSale(shop.db)
  const loose = await addSale(shop.db, { receiptTag: null, buyerName: 'Cleo' })
  const before = await shop.owner.page(`${SCREEN}?receipt=TAG00002`)

  for (const receipt of ['TAG00002', 'TAG00001', 'TAG00002', loose.id]) {
    shop.clock.now += 1000
    expect((await shop.print({ receipt, paper: ['Invoice'] })).status).toBe(200)
  }

  expect(
    (await shop.invoices()).map(({ number, receiptKey, createdAt }) => [
      number,
      receiptKey,
      createdAt - NOON,
    ]),
  ).toEqual([
    [1, 'TAG00002', 1000],
    [2, 'TAG00001', 2000],
    [3, loose.id, 4000],
  ])
  expect(await shop.acts()).toEqual([
    { act: 'number-invoice', subject: 'TAG00002', name: 'Ben Other' },
    { act: 'number-invoice', subject: 'TAG00001', name: 'Ann Buyer' },
    { act: 'number-invoice', subject: loose.id, name: 'Cleo' },
  ])
  expect(words(before)).toContain('An invoice gets its number when it is first printed.')
  expect(words(await shop.owner.page(`${SCREEN}?receipt=TAG00002`))).toContain(
    'This invoice keeps its number',
  )
  expect(words(await shop.owner.page('/manage/history/'))).toContain(
    'Printed invoice 0002 for Ann Buyer',
  )
})

test('fifty simultaneous prints of ten receipts create ten testimony tickets and ten invoice numbers without a gap [S-190]', async () => {
  const shop = await openPapersShop()
  const tags = Array.from({ length: 10 }, (_, index) => `TAG0000${index}`)
  for (const receiptTag of tags) await addSale(shop.db, { receiptTag })

  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      issueDocuments(shop.shop, {
        receipt: tags[index % 10]!,
        papers: ['Invoice', 'Testimony Ticket'],
        shipping: 500,
      }),
    ),
  )

  expect(results.filter(({ ok }) => !ok)).toEqual([])
  const invoices = await shop.invoices()
  expect(invoices.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(invoices.map(({ receiptKey }) => receiptKey).toSorted()).toEqual(tags)
  expect((await shop.tickets()).map(({ receiptTag }) => receiptTag).toSorted()).toEqual(tags)
  expect((await shop.acts()).map(({ act, subject }) => `${act} ${subject}`).toSorted()).toEqual(
    ['create-ticket', 'number-invoice'].flatMap((act) => tags.map((tag) => `${act} ${tag}`)),
  )
})

test('the shipping fee is stored with the invoice, and a fee that is not a number is refused [SALES-36, SALES-38, SALES-39, SALES-40, S-191]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  for (const [shipping, status, shippingCents] of [
    ['abc', 422, undefined],
    ['', 200, 0],
    ['0.01', 200, 1],
    ['-1', 200, 0],
    ['1000000000000', 200, 100_000_000_000_000],
    ['1,5', 200, 150],
  ] as const) {
    await shop.db.deleteFrom('invoices').execute()
    expect((await shop.print({ paper: ['Invoice'], shipping })).status, shipping).toBe(status)
    expect((await shop.invoices())[0]?.shippingCents).toBe(shippingCents)
  }
  expect((await shop.print({ paper: ['Invoice'], shipping: 'abc' })).text).toContain(
    'Please enter the shipping fee as a number, such as 12.50.',
  )
  expect(valueOf((await readOverlay(shop)).getByLabelText('Shipping fee'))).toBe('1.50')
  expect(await shop.invoices()).toHaveLength(1)
})

const address = 'Ann B. Buyer\nElm Road 5\n12345 Town'

test('the name and address that the owner types are stored with the invoice, and suggested for the buyer’s next invoice [OWN-66]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await addSale(shop.db, { receiptTag: 'TAG00002' })
  const nameOn = async (receipt: string) =>
    valueOf((await readOverlay(shop, receipt)).getByLabelText('Name on the invoice'))
  expect(await nameOn('TAG00001')).toBe('Ann Buyer')

  for (const [typed, error] of [
    [{ buyerName: 'x'.repeat(121) }, 'Please keep the name under 120 characters.'],
    [
      { buyerName: '', buyerAddress: 'a\n'.repeat(9) },
      'Please keep the address under 300 characters and 8 lines.',
    ],
  ] as const) {
    expect(await shop.print({ paper: ['Invoice'], ...typed })).toEqual({
      status: 422,
      text: expect.stringContaining(error),
    })
  }
  expect(await shop.invoices()).toEqual([])

  const typed = {
    paper: ['Invoice'],
    buyerName: ' Buyer &\nSons ',
    buyerAddress: address.replaceAll('\n', '\r\n '),
  }
  expect((await shop.print(typed)).status).toBe(200)

  expect(await shop.invoices()).toMatchObject([
    { buyerName: 'Buyer & Sons', buyerAddress: address },
  ])
  expect(await nameOn('TAG00001')).toBe('Buyer & Sons')
  expect(await nameOn('TAG00002')).toBe('Buyer & Sons')
  const suggested = (await readOverlay(shop, 'TAG00002')).getByLabelText('Address on the invoice')
  expect(suggested.textContent).toBe(address)
})

test('a numbered invoice never changes, and a form with another fee, name or address for this invoice is refused [OWN-65]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await saveSettings(shop.db, { city: 'Old Town' }, 0)
  const first = { paper: ['Invoice'], shipping: '5', buyerName: 'Ann', buyerAddress: address }
  await shop.print(first)
  const before = await shop.invoices()
  const text = async () =>
    (await readPdf((await readPdfFile(shop.shop, PDF_URL, ORIGIN))!.bytes)).pages.join()
  const printed = await text()

  for (const change of [{ shipping: '6' }, { buyerName: 'Bea' }, { buyerAddress: 'Elsewhere' }]) {
    expect(await shop.print({ ...first, ...change })).toEqual({
      status: 409,
      text: expect.stringContaining(
        'Invoice 0001 got its number in the meantime and no longer changes.',
      ),
    })
  }
  expect((await shop.print(first)).status).toBe(200)
  await saveSettings(shop.db, { city: 'New Town' }, 0)

  expect(await shop.invoices()).toEqual(before)
  expect(await text()).toBe(printed)
  expect(printed).toMatch(/OldTown.*ElmRoad5/)
  const fee = (await readOverlay(shop)).getByLabelText('Shipping fee')
  expect(fee.hasAttribute('readonly')).toBe(true)
  expect(valueOf(fee)).toBe('5.00')
})

test('a cancellation has the currency of the invoice that it cancels, and the current address of the shop [OWN-64]', async () => {
  const shop = await openPapersShop()
  const { id } = await addSale(shop.db)
  await saveSettings(shop.db, { currencyCode: 'EUR', city: 'Old Town' }, 0)
  await shop.print({ paper: ['Invoice'] })
  await addSale(shop.db, { receiptTag: 'TAG00002', salePriceCents: -3500, cancels: id })
  await saveSettings(shop.db, { currencyCode: 'CHF', city: 'New Town' }, 0)
  const currency = async () => (await readPrintData(shop.shop, 'TAG00002', ORIGIN))!.currency.symbol
  expect(await currency()).toBe('€')
  await shop.print({ receipt: 'TAG00002', paper: ['Invoice'] })
  expect(await currency()).toBe('€')
  expect(JSON.parse((await shop.invoices())[1]!.seller)).toMatchObject({
    currencyCode: 'EUR',
    city: 'New Town',
  })
})

test('a print form with no document or an unknown document is refused [S-111]', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  const odd = await Promise.all(
    [[], ['invoice'], ['Invoice', '__proto__']].map((paper) => shop.print({ paper })),
  )
  expect(odd.map(({ status }) => status)).toEqual([422, 422, 422])
  expect((await shop.owner.act(SCREEN, { receipt: 'TAG00001' })).status).toBe(422)
  expect(await shop.invoices()).toEqual([])
  expect(await shop.tickets()).toEqual([])
})
