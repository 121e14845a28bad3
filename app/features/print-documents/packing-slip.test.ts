import { expect, test } from 'vitest'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { readPdf, withoutBlanks } from '#test/fixtures/pdf.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { SLIP_SIZES } from '#parcels/parcel.ts'

const HOME = { recipient: 'Zoë Nguyễn', address: '5 Elm Road\nAsheville, NC 28801\nUSA' }

/**
 * Opens a shop in which Ann has accepted an offer and given an address. `slip` opens the packing
 * slip as the owner.
 */
async function openShopWithSlip(
  home: Partial<typeof HOME> = {},
  offer: Parameters<Awaited<ReturnType<typeof openShopWithOffers>>['send']>[0] = {},
) {
  const shop = await openShopWithOffers()
  const { ann, owner, send, customerAct } = shop
  await saveSettings(
    shop.db,
    { address: '12 Knot Lane\nBoone, NC', city: 'Boone', taxNumber: 'US-1234' },
    0,
  )
  const id = await send({ isShipped: 'on', ...offer })
  await customerAct('accept', id)
  const give = () => ann.act('/offer', { intent: 'give-address', offerId: id, ...HOME, ...home })
  const slip = (size: string) => owner.get(`/manage/packing-slip/${id}?size=${size}`)
  return { ...shop, id, give, slip }
}
const pdfOf = async (response: Response) => readPdf(new Uint8Array(await response.arrayBuffer()))

test('the packing slip shows sender, address and contents with quantities and colors, but no prices, in four sizes [AGREE-57]', async () => {
  const { give, slip, owner, ann, id } = await openShopWithSlip()
  await give()
  const conversation = pageOf(await owner.page(`/manage/messages/${ann.id}`))
  const links = conversation.getAllByRole('link', { name: /^Packing slip, / })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    SLIP_SIZES.map((size) => `/manage/packing-slip/${id}?size=${size}`),
  )
  const points = { '4x6': [288, 432], A6: [298, 420], Letter: [612, 792], A4: [595, 842] }
  for (const size of SLIP_SIZES) {
    const response = await slip(size)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline',
      'cache-control': 'private, no-store',
    })
    const { pages, boxes } = await pdfOf(response)
    expect(pages).toHaveLength(1)
    expect(boxes[0]!.map(Math.round)).toEqual(points[size])
    for (const text of [
      ...Object.values(HOME).join('\n').split('\n'),
      'Knots & Love',
      '12 Knot Lane',
      'Boone, NC',
      '1 × Moon wall Teal, 60 cm',
      '2 × Engraved tag',
    ]) {
      expect(pages[0]).toContain(withoutBlanks(text))
    }
    expect(pages[0]).not.toMatch(/\$|80\.00|5\.50|6\.00|US-1234/)
  }
})

test('a packing slip with long texts and 50 lines has several pages that contain all lines [AGREE-57]', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `Tag ${index} ${'x'.repeat(90)}`)
  const many = {
    itemId: names.map(() => ''),
    include: [],
    name: names,
    price: names.map(() => '1'),
    quantity: names.map(() => '99'),
  }
  const blank = { color: names.map(() => ''), notes: names.map(() => 'y'.repeat(200)) }
  const address = `${'z'.repeat(280)}\n12345 Boone`
  const { give, slip } = await openShopWithSlip(
    { recipient: 'w'.repeat(120), address },
    { ...many, ...blank },
  )
  expect((await give()).status).toBe(200)
  const { pages } = await pdfOf(await slip('4x6'))
  const all = pages.join('')
  for (const text of [...names, 'w'.repeat(120), ...address.split('\n')]) {
    expect(all).toContain(withoutBlanks(text))
  }
  expect(all.match(/99×/g)).toHaveLength(50)
})

test.each([
  { recipient: 'منى الحسيني', address: 'شارع الورد ١٢\nعمّان 11181' },
  { recipient: '山田 花子', address: '〒150-0001\n東京都渋谷区神宮前1-2-3' },
])(
  'if the PDF fonts lack letters of the address, the slip is a page of the same size to print: $recipient [AGREE-58]',
  async (home) => {
    const { give, slip } = await openShopWithSlip(home)
    await give()
    const response = await slip('4x6')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
    })
    const html = await response.text()
    expect(html).toContain('@page{size:4in 6in;')
    for (const line of [home.recipient, ...home.address.split('\n')]) {
      expect(pageOf(html).getByText(line).getAttribute('dir')).toBe('auto')
    }
    expect(wordsOf(html)).toContain('1 × Moon wall')
    expect(html).not.toMatch(/\$\d|80\.00/)
  },
)

test('the texts of a packing slip are never interpreted as HTML [AGREE-58]', async () => {
  const { give, slip } = await openShopWithSlip({ recipient: '<script>山</script>' })
  await give()
  expect(await (await slip('A6')).text()).toContain('&lt;script&gt;山')
})

test('the URL of a packing slip redirects to the conversations if the offer is not accepted or has no address [AGREE-57]', async () => {
  const { give, slip, id, owner, ownerAct } = await openShopWithSlip()
  const goesAway = async (response: Response) => {
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/manage/messages')
  }
  await goesAway(await slip('A4'))
  await give()
  expect((await owner.get(`/manage/packing-slip/${id}`)).status).toBe(200)
  await ownerAct('cancel', id)
  for (const response of [await slip('A4'), await owner.get('/manage/packing-slip/none')]) {
    await goesAway(response)
  }
})
