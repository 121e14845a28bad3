import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { paleShare, readPdf, scanPage, withoutBlanks } from '#test/printed.ts'
import { readPapersFile } from './papers.server.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'

const ALL = ['Invoice', 'Thank you card', 'Testimony Ticket']

/** A shop whose owner asks for the file of one receipt as the page does: first the act, then the file that it names. */
async function openPrintShop() {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const ask = async (paper: string[], fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ receipt: 'TAG00001', shipping: '', output: 'pdf', back: '/manage/sales/', ...fields }))
      form.set(name, value)
    for (const one of paper) form.append('paper', one)
    return owner.post('/manage/sales/', form)
  }
  const file = async (paper: string[], fields?: Record<string, string>) => {
    const asked = await ask(paper, fields)
    expect(asked.status).toBe(303)
    const response = await owner.get(asked.headers.get('location')!)
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  return { ...shop, owner, ask, file }
}

test('SALES-38 SALES-41 SALES-42 SALES-43 SALES-44 SALES-45 SALES-46 SALES-47 SALES-48 SALES-49 SALES-50 SALES-51 SALES-52 SALES-53 SALES-54 SALES-55 SALES-57 SALES-58 S-117 S-193 the three papers as one file of three pages, whose code a phone reads', async () => {
  const shop = await openPrintShop()
  await saveSettings(shop.db, { city: 'Asheville', ownerName: 'Marisol' }, 0)
  await addSale(shop.db, { salePriceCents: 3000 })
  await addSale(shop.db, { itemName: 'Coaster', itemPriceCents: null, salePriceCents: 800 })

  const { response, bytes } = await shop.file(ALL, { shipping: '4.50', size: 'Letter' })
  const { pages, sizes, info } = await readPdf(bytes)

  expect(
    Object.fromEntries(['content-type', 'content-disposition', 'cache-control'].map((name) => [name, response.headers.get(name)])),
  ).toEqual({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="invoice-0001.pdf"',
    'cache-control': 'private, no-store',
  })
  expect(sizes).toEqual(['Letter', 'Letter', 'Letter'])
  expect(info).toMatchObject({ Title: 'Invoice 0001 – Knots & Love', Author: 'Knots & Love' })
  const has = (page: number, ...parts: string[]) => parts.filter((part) => !pages[page]!.includes(withoutBlanks(part)))
  expect(has(0, 'Knots & Love', 'Asheville', 'INVOICE', 'March 04, 2026', 'TAG00001', '0001', 'Ann Buyer', 'ann@mail.test')).toEqual([])
  expect(has(0, 'Plant hanger $35.00 $30.00', 'Coaster — $8.00', 'Shipping $4.50', 'Total $42.50', 'PAYMENT TOTAL $42.50')).toEqual([])
  expect(has(1, 'Dear Ann Buyer,', 'Thank you for letting something made by my hands', 'With love,', 'Marisol')).toEqual([])
  const { id } = await shop.db.selectFrom('testimonies').select('id').executeTakeFirstOrThrow()
  const link = `http://shop.test/writetestimonials/${id}`
  expect(has(2, '$5 OFF', 'your next purchase for writing a testimony', link)).toEqual([])
  const scanned = (await scanPage(bytes, 3))!
  expect(scanned.text).toBe(link)
  // From corner to corner of the code; the 300 px are with its white border of four modules on each side.
  const { size } = encode(link, { ecc: 'M', border: 0 })
  expect(Math.abs(scanned.width - (300 * size) / (size + 8))).toBeLessThan(3)
})

test('SALES-54 SALES-56 SALES-57 S-115 the code leads to PUBLIC_URL wherever the owner is, and without it to where she is', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  await shop.file(['Testimony Ticket'])
  const { id } = await shop.db.selectFrom('testimonies').select('id').executeTakeFirstOrThrow()
  const address = new URL('http://inside.test/manage/papers.pdf?receipt=TAG00001&paper=Testimony+Ticket')
  for (const [publicUrl, link] of [
    ['https://knots.test', `https://knots.test/writetestimonials/${id}`],
    [null, `http://inside.test/writetestimonials/${id}`],
  ] as const) {
    const file = await readPapersFile({ ...shop.shop, publicUrl }, address, address.origin)
    expect((await scanPage(file!.bytes, 1))!.text).toBe(link)
  }
})

test('SALES-38 S-193 free shipping says so, and without a wish the file is cut as the shop’s country writes', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const { bytes } = await shop.file(['Invoice'], { shipping: '-1' })
  const { pages, sizes } = await readPdf(bytes)
  expect(sizes).toEqual(['A4'])
  expect(pages[0]).toMatch(/ShippingFREETotal\$35\.00/)
})

test('S-195 forty items take as many pages as they need, each with the head of the table and its number; every line is there once', async () => {
  const shop = await openPrintShop()
  for (let at = 0; at < 40; at++) await addSale(shop.db, { itemName: `Piece<${at}>`, salePriceCents: 100 + at, itemPriceCents: 5000 })
  for (const size of ['A4', 'Letter']) {
    const { bytes } = await shop.file(['Invoice', 'Thank you card'], { size })
    const { pages, sizes } = await readPdf(bytes)
    const ofInvoice = pages.slice(0, -1)
    expect([ofInvoice.length > 1, new Set(sizes)]).toEqual([true, new Set([size])])
    expect(ofInvoice.filter((page) => !page.includes('ITEMPRICEAMOUNT'))).toEqual([])
    expect(pages.map((page) => /Invoice0001·Page\dof\d/.exec(page)?.[0])).toEqual([
      ...ofInvoice.map((_, at) => `Invoice0001·Page${at + 1}of${ofInvoice.length}`),
      undefined,
    ])
    for (let at = 0; at < 40; at++) expect(pages.join('').split(`Piece<${at}>$50.00$1.`).length).toBe(2)
    expect(ofInvoice.at(-1)).toMatch(/Piece<\d+>.*Total\$47\.80/)
  }
})

test('S-195 long names and addresses stay on the page, undivided where they can be', async () => {
  const shop = await openPrintShop()
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.example`
  await addSale(shop.db, {
    buyerName: 'Maximiliane-Theodora Wolkenstein-Ķēniņš von und zu Hohenlohe-Schillingsfürst Nguyễn',
    buyerEmail: email,
    itemName: 'X'.repeat(150),
    itemPriceCents: 999_999_999,
    salePriceCents: 999_999_999,
  })
  const { bytes } = await shop.file(ALL, { shipping: '1e12', size: 'Letter' })
  const { pages } = await readPdf(bytes)
  expect(pages).toHaveLength(3)
  expect(pages[0]).toContain(email)
  expect(pages[0]).toContain('X'.repeat(150))
  expect(pages[0]).toContain('Total$1,000,009,999,999.99')
  for (const page of [pages[0], pages[1]])
    expect(page).toContain('Maximiliane-TheodoraWolkenstein-ĶēniņšvonundzuHohenlohe-SchillingsfürstNguyễn')
})

test('S-194 emoji are left out of the file; a name in another alphabet is refused before a number is given, and Print has it', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db, { buyerName: 'Zoë 🧶 Knot' })
  expect((await readPdf((await shop.file(['Thank you card'])).bytes)).pages[0]).toContain('DearZoëKnot,')

  await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'Λυδία' })
  const form = new FormData()
  for (const [name, value] of [
    ['receipt', 'TAG00002'],
    ['paper', 'Invoice'],
    ['output', 'pdf'],
  ] as const)
    form.set(name, value)
  const refused = await shop.owner.act('/manage/sales/', form)
  expect([refused.status, refused.text.includes('Print writes every letter.')]).toEqual([422, true])
  expect(await shop.db.selectFrom('invoices').select('number').execute()).toEqual([])
  form.set('output', 'print')
  expect((await shop.owner.act('/manage/sales/', form)).status).toBe(200)
})

test('S-194 what nobody sees, such as the soft hyphens of a pasted text, breaks no file', async () => {
  const shop = await openPrintShop()
  await saveSettings(shop.db, { city: '\u00ad', thankYouLetter: '\u00ad\u00adThank\u00adful\u200b\n\u00ad\n\ufeffyours' }, 1)
  await addSale(shop.db, { buyerName: 'Zo\u00adë', itemName: '\u00ad' })
  const [invoice, card] = (await readPdf((await shop.file(ALL)).bytes)).pages
  expect(invoice).toContain('Zoë')
  expect(card).toContain('DearZoë,Thankful')
})

test('readable in grey: hardly a pixel of any paper is so pale that a bad printer loses it', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const { bytes } = await shop.file(ALL)
  for (const page of [1, 2, 3]) expect(await paleShare(bytes, page)).toBeLessThan(0.02)
})

test('S-190 a file is only of what was printed before: asking for it writes nothing, and leads to the overlay instead', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  for (const paper of ['Invoice', 'Testimony+Ticket', 'nothing', '']) {
    const response = await shop.owner.get(`/manage/papers.pdf?receipt=TAG00001&paper=${paper}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/manage/sales/?receipt=TAG00001'])
  }
  expect(await shop.db.selectFrom('invoices').select('number').execute()).toEqual([])
  const card = await shop.owner.get('/manage/papers.pdf?receipt=TAG00001&paper=Thank+you+card&size=nonsense&show')
  expect([card.status, card.headers.get('content-disposition')]).toEqual([200, 'inline; filename="thank-you-card.pdf"'])
})

test('S-192 a reprint on another day keeps the number and the fee, shows the current date and the day of the first printing', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  await shop.file(['Invoice'], { shipping: '7' })
  shop.clock.now += 3 * 86_400_000
  const response = await shop.owner.get('/manage/papers.pdf?receipt=TAG00001&paper=Invoice')
  const { pages } = await readPdf(new Uint8Array(await response.arrayBuffer()))
  expect(pages[0]).toMatch(/NUMBER0001DATEMarch07,2026FIRSTISSUEDMarch04,2026RECEIPTTAG00001PAYMENTTOTAL\$42\.00/)
})

test('without script Print shows the file, which the browser prints', async () => {
  const shop = await openPrintShop()
  await addSale(shop.db)
  const { response } = await shop.file(['Invoice'], { output: 'print' })
  expect(response.headers.get('content-disposition')).toBe('inline; filename="invoice-0001.pdf"')
})
