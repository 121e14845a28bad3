import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { addSale } from '#test/fixtures/orders.ts'
import { shared } from '#test/fixtures/shared.ts'
import { type ShopOptions, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { optionsOf, pageOf, within } from '#test/fixtures/html.ts'
import { readPdf, scanPage, withoutBlanks } from '#test/fixtures/pdf.ts'
import { divideLongWords, loadTextFilter } from './pdf-parts.server.tsx'
import { readPdfFile } from './print-documents.server.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { saveSettings } from '#settings/settings.server.ts'

const ALL = ['Invoice', 'Thank you card', 'Testimony Ticket']

/**
 * Opens a shop. The returned function `file` sends the print form as the owner, and then follows
 * the redirect to the PDF.
 */
async function openPrintShop(options: ShopOptions = {}) {
  const { shop, owner } = await openShopWithOwner(options)
  const file = async (paper: string[], fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({
      receipt: 'TAG00001',
      shipping: '',
      output: 'pdf',
      back: '/manage/sales/',
      ...fields,
    })) {
      form.set(name, value)
    }
    for (const name of paper) form.append('paper', name)
    const asked = await owner.post('/manage/sales/', form)
    expect(asked.status).toBe(303)
    const response = await owner.get(asked.headers.get('location')!)
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  return { ...shop, owner, file }
}

describe('the PDF with invoice, thank-you card and testimony ticket', () => {
  const file = shared(async (onCleanup) => {
    const shop = await openPrintShop({ onCleanup })
    await saveSettings(shop.db, { city: 'Asheville', ownerName: 'Marisol' }, 0)
    await addSale(shop.db, { salePriceCents: 3000 })
    await addSale(shop.db, { itemName: 'Coaster', itemPriceCents: null, salePriceCents: 800 })
    const { response, bytes } = await shop.file(ALL, { shipping: '4.50', size: 'Letter' })
    const { id } = await shop.db.selectFrom('testimonies').select('id').executeTakeFirstOrThrow()
    const link = `http://shop.test/writetestimonials/${id}`
    return { response, bytes, link, ...(await readPdf(bytes)) }
  })

  test('the PDF is a private download with three pages of the chosen paper size [S-193]', () => {
    const { sizes, info, response } = file()
    expect(sizes).toEqual(['Letter', 'Letter', 'Letter'])
    expect(info).toMatchObject({ Title: 'Invoice 0001 – Knots & Love', Author: 'Knots & Love' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="invoice-0001.pdf"',
      'cache-control': 'private, no-store',
    })
  })

  test.each([
    [
      'the shop, the title and the date',
      'SALES-41, SALES-42, SALES-43, SALES-44',
      0,
      ['Knots & Love', 'Asheville', 'INVOICE', 'March 04, 2026'],
    ],
    [
      'the buyer and what to pay',
      'SALES-45, SALES-46, SALES-47',
      0,
      ['Ann Buyer', 'ann@mail.test', 'PAYMENT TOTAL $42.50'],
    ],
    [
      'each item with its prices',
      'SALES-48, SALES-49',
      0,
      ['Plant hanger $35.00 $30.00', 'Coaster — $8.00'],
    ],
    [
      'the shipping fee and the total',
      'SALES-50, SALES-51',
      0,
      ['Shipping $4.50', 'Total $42.50', 'Made by hand, knot by knot.'],
    ],
    [
      'the names of buyer and owner on the thank-you card',
      'SALES-52, S-117',
      1,
      ['Dear Ann Buyer,', 'Marisol'],
    ],
    [
      'the discount on the testimony ticket',
      'SALES-53',
      2,
      ['$5 OFF', 'your next purchase for writing a testimony'],
    ],
  ])('the PDF shows %s [%s]', (_, __, page, texts) => {
    for (const text of texts) expect(file().pages[page]).toContain(withoutBlanks(text))
  })

  test('the testimony ticket shows the link of the testimony ticket, and a readable QR code of 300 pixels [SALES-54, SALES-55, SALES-57, SALES-58]', async () => {
    const { pages, link, bytes } = file()
    expect(pages[2]).toContain(link)
    const scanned = (await scanPage(bytes, 3))!
    expect(scanned.text).toBe(link)
    // The 300 pixels include a white border on each side, which is as wide as four squares of the
    // code. The scanner measures the code without this border.
    const { size } = encode(link, { ecc: 'M', border: 0 })
    expect(Math.abs(scanned.width - (300 * size) / (size + 8))).toBeLessThan(3)
  })
})

test('the link in the QR code begins with PUBLIC_URL, or otherwise with the origin of the HTTP request [SALES-54, SALES-56, SALES-57, S-115]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  await shop.file(['Testimony Ticket'])
  const { id } = await shop.db.selectFrom('testimonies').select('id').executeTakeFirstOrThrow()
  const address = new URL(
    'http://inside.test/manage/print-documents.pdf?receipt=TAG00001&paper=Testimony+Ticket',
  )
  for (const [publicUrl, link] of [
    ['https://knots.test', `https://knots.test/writetestimonials/${id}`],
    [null, `http://inside.test/writetestimonials/${id}`],
  ] as const) {
    const file = await readPdfFile({ ...shop.shop, publicUrl }, address, address.origin)
    expect((await scanPage(file!.bytes, 1))!.text).toBe(link)
  }
})

test('without JavaScript, the browser shows the PDF with "FREE" for a negative shipping fee [SALES-38, SALES-39, S-193]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const { response, bytes } = await shop.file(['Invoice'], { shipping: '-1', output: 'print' })
  expect(response.headers.get('content-disposition')).toBe('inline; filename="invoice-0001.pdf"')
  const { pages, sizes } = await readPdf(bytes)
  expect(sizes).toEqual(['A4'])
  expect(pages[0]).toMatch(/ShippingFREETotal\$35\.00/)
})

test('the shipping fee of an invoice is free unless the owner types a fee [SALES-37]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const receipt = pageOf(await shop.owner.page('/manage/sales/?receipt=TAG00001'))
  const shipping = receipt.getByPlaceholderText('Enter Shipping Price, 0 for FREE')
  expect(shipping.getAttribute('value')).toBe('')
  const { bytes } = await shop.file(['Invoice'], { shipping: '' })
  expect((await readPdf(bytes)).pages[0]).toMatch(/ShippingFREETotal\$35\.00/)
})

test('an invoice shows the name of the shop at the top [SALES-41]', async () => {
  const shop = await openPrintShop()
  await saveSettings(shop.db, { name: 'Rope and Cord' }, 0)
  await addSale(shop.db)
  const { bytes } = await shop.file(['Invoice'])
  expect((await readPdf(bytes)).pages[0]).toMatch(/^RopeandCord/)
})

test('every page of a long invoice has the table header and a page number [S-195]', async () => {
  const shop = await openPrintShop()
  for (let n = 0; n < 40; n++) {
    await addSale(shop.db, {
      itemName: `Piece<${n}>`,
      salePriceCents: 100 + n,
      itemPriceCents: 5000,
    })
  }
  for (const size of ['A4', 'Letter']) {
    const { bytes } = await shop.file(['Invoice', 'Thank you card'], { size })
    const { pages, sizes } = await readPdf(bytes)
    const ofInvoice = pages.slice(0, -1)
    expect(ofInvoice.length).toBeGreaterThan(1)
    expect(new Set(sizes)).toEqual(new Set([size]))
    expect(ofInvoice.filter((page) => !page.includes('ITEMPRICEAMOUNT'))).toEqual([])
    expect(pages.map((page) => /Invoice0001·Page\dof\d/.exec(page)?.[0])).toEqual([
      ...ofInvoice.map((_, index) => `Invoice0001·Page${index + 1}of${ofInvoice.length}`),
      undefined,
    ])
    for (let n = 0; n < 40; n++) {
      expect(pages.join('').split(`Piece<${n}>$50.00$1.`)).toHaveLength(2)
    }
    expect(ofInvoice.at(-1)).toMatch(/Piece<\d+>.*Total\$47\.80/)
  }
})

test('long names, email addresses and amounts fit on the pages of the PDF [S-195]', async () => {
  const shop = await openPrintShop()
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.example`
  await addSale(shop.db, {
    buyerName:
      'Maximiliane-Theodora Wolkenstein-Ķēniņš von und zu Hohenlohe-Schillingsfürst Nguyễn',
    buyerEmail: email,
    itemName: 'X'.repeat(150),
    itemPriceCents: 999_999_999,
    salePriceCents: 999_999_999,
  })
  await saveSettings(shop.db, { name: 'Żółte Węzły & Donaudampfschifffahrtsgesellschaft' }, 0)
  const { bytes } = await shop.file(ALL, { shipping: '1000000000000', size: 'Letter' })
  const { pages, rightEdges, boxes } = await readPdf(bytes)
  expect(pages).toHaveLength(3)
  // The side margin is 42.5 points.
  rightEdges.forEach((edge, index) => expect(edge).toBeLessThanOrEqual(boxes[index]![0]! - 42))
  expect(pages[0]).toContain(email)
  expect(pages[0]).toContain('X'.repeat(150))
  expect(pages[0]).toContain('Total$1,000,009,999,999.99')
  for (const page of [pages[0], pages[1]]) {
    expect(page).toContain(
      'Maximiliane-TheodoraWolkenstein-ĶēniņšvonundzuHohenlohe-SchillingsfürstNguyễn',
    )
  }
})

test('a word that is longer than its line breaks after a hyphen if possible [S-195]', async () => {
  await loadTextFilter()
  const broken = (word: string) => divideLongWords(word, 150, { fontSize: 14 }).split('\n')
  expect(broken('Theodora-Wolkensteinhausen')).toEqual(['Theodora-', 'Wolkensteinhausen'])
  expect(broken(`-${'W'.repeat(20)}`).join('')).toHaveLength(21)
  expect(broken('Wolkensteinhausenberg')).toHaveLength(2)
})

test('the shop refuses a PDF if its fonts lack letters of a name, but only leaves out emoji [S-194]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db, { buyerName: 'Zoë 🧶 Λυδία Ярослава' })
  expect((await readPdf((await shop.file(['Thank you card'])).bytes)).pages[0]).toContain(
    'DearZoëΛυδίαЯрослава,',
  )

  await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'منى' })
  const form = { receipt: 'TAG00002', paper: 'Invoice' }
  const refused = await shop.owner.act('/manage/sales/', { ...form, output: 'pdf' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Print shows all characters.')
  // Without JavaScript, the button "Print" opens the PDF too.
  const withoutScript = await shop.owner.post('/manage/sales/', {
    ...form,
    output: 'print',
    back: '/manage/sales/',
  })
  expect(withoutScript.headers.get('location')).toBe('/manage/sales/')
  expect(decodeURIComponent(withoutScript.headers.getSetCookie().join())).toContain(
    'Please turn on JavaScript, and then press Print.',
  )
  expect(await shop.db.selectFrom('invoices').select('number').execute()).toEqual([])
  expect((await shop.owner.act('/manage/sales/', { ...form, output: 'print' })).status).toBe(200)
})

test('the shop refuses a PDF that would leave out a whole name [S-194]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db, { buyerName: '❤️ 👩🏽‍🎨' })
  await addSale(shop.db, { receiptTag: 'TAG00002', itemName: '✨🧶 × 6' })
  const send = async (receipt: string, paper: string, buyerName: string) =>
    (await shop.owner.act('/manage/sales/', { receipt, paper, buyerName, output: 'pdf' })).status
  const refused = [
    await send('TAG00001', 'Invoice', ''),
    await send('TAG00001', 'Thank you card', 'Ann'),
    await send('TAG00002', 'Invoice', ''),
  ]
  expect([...refused, await send('TAG00001', 'Invoice', '🧶🧶')]).toEqual([422, 422, 422, 422])
  expect(await send('TAG00001', 'Invoice', 'Ann 🧶')).toBe(200)
  expect(await send('TAG00002', 'Thank you card', '')).toBe(200)
})

test('a name with letters that the PDF font lacks is refused only for documents that print this name [S-194]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db, { buyerName: 'منى Μαρία 🧶' })
  const send = async (paper: string, buyerName: string) =>
    (
      await shop.owner.act('/manage/sales/', {
        receipt: 'TAG00001',
        paper,
        buyerName,
        output: 'pdf',
      })
    ).status
  expect(await send('Thank you card', 'Μαρία')).toBe(422)
  expect(await send('Invoice', '')).toBe(422)
  expect(await send('Testimony Ticket', 'منى')).toBe(200)
  expect(await send('Invoice', 'Μαρία')).toBe(200)
})

test('the PDF leaves out invisible characters of names and texts [S-194]', async () => {
  const shop = await openPrintShop()
  await saveSettings(
    shop.db,
    { city: '\u00ad', thankYouLetter: '\u00ad\u00adThank\u00adful\u200b\n\u00ad\n\ufeffyours' },
    1,
  )
  await addSale(shop.db, { buyerName: 'Zo\u00adë', itemName: '\u00ad' })
  const [invoice, card] = (await readPdf((await shop.file(ALL)).bytes)).pages
  expect(invoice).toContain('Zoë')
  expect(card).toContain('DearZoë,Thankful')
})

test('the URL of an invoice or testimony ticket returns a PDF only after the owner has printed the document [S-190]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  for (const paper of ['Invoice', 'Testimony+Ticket', 'nothing', '']) {
    const response = await shop.owner.get(
      `/manage/print-documents.pdf?receipt=TAG00001&paper=${paper}`,
    )
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/manage/sales/?receipt=TAG00001')
  }
  expect(await shop.db.selectFrom('invoices').select('number').execute()).toEqual([])
  const card = await shop.owner.get(
    '/manage/print-documents.pdf?receipt=TAG00001&paper=Thank+you+card&size=nonsense&show',
  )
  expect(card.status).toBe(200)
  expect(card.headers.get('content-disposition')).toBe('inline; filename="thank-you-card.pdf"')
})

test('a reprinted invoice has the same number and shipping fee, and shows the current date and the date of its first print [S-192]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  await shop.file(['Invoice'], { shipping: '7' })
  shop.clock.now += 3 * 86_400_000
  const response = await shop.owner.get(
    '/manage/print-documents.pdf?receipt=TAG00001&paper=Invoice',
  )
  const { pages } = await readPdf(new Uint8Array(await response.arrayBuffer()))
  expect(pages[0]).toMatch(
    /NUMBER0001DATEMarch07,2026FIRSTISSUEDMarch04,2026RECEIPTTAG00001PAYMENTTOTAL\$42\.00/,
  )
})

test('the PDF shows the symbol of the currency, or the code of the currency if the fonts lack the symbol [OWN-36]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db, { salePriceCents: 123_450 })
  const totalWith = async (currencyCode: string, currencySymbol = '') => {
    await saveSettings(shop.db, { currencyCode, currencySymbol }, 0)
    // A numbered invoice never changes its currency, so the test deletes the invoice of the
    // previous currency.
    await shop.db.deleteFrom('invoices').execute()
    return /Total(\D*)1,234\.50/.exec(
      (await readPdf((await shop.file(['Invoice'])).bytes)).pages[0]!,
    )?.[1]
  }
  expect(await totalWith('EUR')).toBe('€')
  expect(await totalWith('SEK')).toBe('kr')
  expect(await totalWith('PLN')).toBe('zł')
  expect(await totalWith('THB')).toBe('THB')
})

test.each(['A4', 'Letter'])(
  'a PDF has the paper size %s after the owner has chosen it in the settings [OWN-41]',
  async (paperSize) => {
    const shop = await openPrintShop()
    await addSale(shop.db)
    const section = pageOf(await shop.owner.page('/manage/settings/'))
      .getByText('Printed documents')
      .closest('details')!
    expect(optionsOf(within(section), 'Paper size').all).toContain(paperSize)
    await shop.owner.act('/manage/settings/', { ...defaultSettings, paperSize })
    expect((await readPdf((await shop.file(['Invoice'])).bytes)).sizes).toEqual([paperSize])
  },
)

test('the invoice has the address, tax number, footer, usual shipping fee and paper size from the settings [OWN-42, OWN-43, OWN-44]', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const address = '12 Knot Lane\nAsheville, NC 28801'
  const settings = {
    address,
    city: 'Asheville',
    taxNumber: 'US-1234',
    invoiceFooter: 'No refunds on custom colors',
    defaultShipping: '€ 4,50',
  }
  const readOverlay = async () =>
    within(pageOf(await shop.owner.page('/manage/sales/?receipt=TAG00001')).getByRole('dialog'))
  const readFee = async () =>
    (await readOverlay()).getByLabelText('Shipping fee').getAttribute('value')
  expect((await readOverlay()).queryByText(/Tax number/)).toBeNull()
  expect(await readFee()).toBe('')
  await saveSettings(shop.db, { ...settings, paperSize: 'Letter' }, 0)
  expect(await readFee()).toBe('€ 4,50')
  await shop.db.updateTable('sales').set({ method: 'cash' }).execute()
  expect(await readFee()).toBe('')

  const { pages, sizes } = await readPdf(
    (await shop.file(['Invoice'], { shipping: settings.defaultShipping })).bytes,
  )
  expect(sizes).toEqual(['Letter'])
  expect(pages[0]).toMatch(/12KnotLaneAsheville,NC28801Taxnumber:US-1234INVOICE/)
  expect(pages[0]).toContain('Total$39.50')
  expect(pages[0]).toContain('Norefundsoncustomcolors')
  expect(pages[0]).not.toContain('knotbyknot')
})
