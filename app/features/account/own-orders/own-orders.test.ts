import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { completeSale, cancelSale } from '#orders/orders.server.ts'

const ORDERS = '/account/orders/'

async function openShopWithCustomers() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addColor(shop.db, 'sage', { name: 'Sage_Green' })
  const sage = [{ colors: ['sage'] }]
  await addItem(shop.db, 'moon', 'walls', {
    name: 'Moon wall',
    priceCents: 8900,
    images: sage,
    discountType: 'percent',
    discountValue: 5000,
  })
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  const ann = await shop.customer()
  const bea = await shop.customer('bea@mail.test')
  return { shop, ann, bea, words: async () => wordsOf(await ann.page(ORDERS)) }
}

test('"Your orders" shows a customer her requested items at the prices that she saw, and her purchases grouped by receipt [OWN-80]', async () => {
  const { shop, ann, words } = await openShopWithCustomers()
  expect(await words()).toContain('Nothing is requested at the moment. Browse the gallery')
  expect(await words()).not.toContain('Your receipts')

  await ann.act('/order-request', { itemId: 'moon', message: '', color: 'sage' })
  await ann.act('/order-request', { itemId: 'sun', message: '' })
  expect(await words()).toContain(
    'Moon wall Sage Green Requested on March 04, 2026 $44.50 Sun wall Requested on March 04, 2026 $12.00',
  )

  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '40' })
  const { receiptTag } = await shop.db
    .selectFrom('sales')
    .select('receiptTag')
    .executeTakeFirstOrThrow()
  await shop.db
    .insertInto('invoices')
    .values({ number: 7, receiptKey: receiptTag!, shippingCents: 450, createdAt: shop.now() })
    .execute()
  await shop.db.deleteFrom('items').where('id', '=', 'moon').execute()

  expect(await words()).not.toContain('Moon wall Sage Green Requested')
  expect(await words()).toContain(
    `March 04, 2026 Receipt ${receiptTag}, Invoice 0007 Moon wall Sage Green Original price: $89.00 $40.00 Shipping $4.50 Total $44.50`,
  )

  const { id } = await shop.db.selectFrom('sales').select('id').executeTakeFirstOrThrow()
  await cancelSale(shop.shop, id)
  expect(await words()).toMatch(
    /Receipt \w+, Invoice 0007 Moon wall Sage Green Canceled Original price: \$89\.00 \$40\.00 (?!Shipping|Total)/,
  )
})

test('"Your orders" shows a guest her requests, says that they are only in this browser, and has no empty groups [OWN-139]', async () => {
  const { shop } = await openShopWithCustomers()
  const guest = await shop.guest()
  await guest.act('/order-request', { itemId: 'sun', message: '' })
  const words = wordsOf(await guest.page(ORDERS))
  expect(words).toContain('this page is only in this browser')
  expect(words).toContain('Sun wall Requested on March 04, 2026 $12.00')
  expect(words).not.toContain('Your receipts')
  expect((await shop.visitor().get(ORDERS)).headers.get('location')).toBe('/login')
})

test('"Your orders" says that an offer waits for an answer, and after the acceptance the request card in the conversation shows the agreed price [S-306, S-310]', async () => {
  const { ann, send, customerAct, clock } = await openShopWithOffers()
  const waiting = 'An offer waits for your answer in the conversation.'
  const offer = await send()
  expect(wordsOf(await ann.page(ORDERS))).toContain(waiting)
  clock.now += 10 * 86_400_000
  expect(wordsOf(await ann.page(ORDERS))).not.toContain(waiting)
  clock.now -= 10 * 86_400_000
  await customerAct('accept', offer)
  expect(wordsOf(await ann.page(ORDERS))).not.toContain(waiting)
  expect(wordsOf(await ann.page('/?messages='))).toMatch(
    /Order request .{1,40} \$80\.00 In an accepted offer/,
  )
})

test('"Your orders" strikes the original price through only if the customer paid less [OWN-132]', async () => {
  const { shop, ann } = await openShopWithCustomers()
  await addItem(shop.db, 'star', 'walls', { name: 'Star wall', priceCents: 1200 })
  for (const [itemId, price] of Object.entries({ moon: '88.99', sun: '15', star: '12' })) {
    await ann.act('/order-request', { itemId, message: '' })
    await completeSale(shop.shop, ann.id, { itemId, price })
  }
  const page = pageOf(await ann.page(ORDERS))
  const purchase = (name: string) => page.getByText(name).closest('li')!
  const struckIn = (name: string) =>
    Array.from(purchase(name).querySelectorAll('s'), ({ textContent }) => textContent)
  expect(struckIn('Moon wall')).toEqual([expect.stringContaining('$89.00')])
  expect(purchase('Moon wall').textContent).toContain('$88.99')
  expect(struckIn('Sun wall')).toEqual([])
  expect(purchase('Sun wall').textContent).toMatch(/\$15\.00(?!.*\$)/)
  expect(struckIn('Star wall')).toEqual([])
  expect(purchase('Star wall').textContent).toMatch(/\$12\.00(?!.*\$)/)
})

test('"Your orders" shows nothing of another customer [OWN-80]', async () => {
  const { shop, bea, words } = await openShopWithCustomers()
  for (const itemId of ['moon', 'sun']) await bea.act('/order-request', { itemId, message: '' })
  await completeSale(shop.shop, bea.id, { itemId: 'moon', price: '' })

  expect(wordsOf(await bea.page(ORDERS))).toMatch(/Sun wall Requested on .*Moon wall/)
  expect(await words()).toContain('Nothing is requested at the moment.')
  expect(await words()).not.toMatch(/Moon wall|Sun wall|Receipt/)
})

test('"Your orders" shows an accepted offer with its total, the amount to pay, the ready date and its parcel, and no longer shows its pieces as requested [AGREE-110]', async () => {
  const { ann, owner, path, accepted, customerAct, ownerAct, pay, now } =
    await openShopWithPayments()
  const words = async () => wordsOf(await ann.page(ORDERS))
  const offerId = await accepted({ isShipped: 'on' })
  expect(await words()).toMatch(
    /Agreed .* Accepted on March 04, 2026 Ready by March 20, 2026 Moon wall Teal, 60 cm Waiting \$80\.00 2 × Engraved tag Waiting \$11\.00 Shipping \$6\.00 Total \$97\.00 Deposit to pay \$29\.10 .*still needs the address/,
  )
  expect(await words()).not.toMatch(/Moon wall Teal Requested|Moon wall .* Moon wall/)

  await pay('pay-deposit', offerId)
  await customerAct('give-address', offerId, { recipient: 'Ann Buyer', address: 'Main Street 1' })
  await owner.act(path, {
    intent: 'ship-parcel',
    offerId,
    seen: String(now()),
    carrier: '',
    trackingNumber: '',
    confirm: 'Yes',
  })
  expect(await words()).toMatch(
    /Moon wall Teal, 60 cm Sent .* Ann Buyer Main Street 1 On its way since March 04, 2026 .* Balance to pay \$67\.90/,
  )
  expect(await words()).not.toContain('still needs the address')

  await ownerAct('cancel', offerId)
  expect(await words()).toMatch(/Requested .* Moon wall Teal Requested on March 04, 2026/)
  expect(await words()).not.toContain('Agreed')
})

test('"Your orders" shows an accepted offer until all of its pieces are sold and paid [AGREE-110]', async () => {
  const { ann, owner, path, accepted, pay } = await openShopWithPayments()
  const isShown = async () => (await ann.page(ORDERS)).includes('Accepted on')
  const sell = (itemId: string, price: string) =>
    owner.act(path.replace('offer', 'messages'), { intent: 'complete', itemId, price })
  const soldFirst = await accepted()
  await sell('moon', '80')
  expect(await isShown()).toBe(true)
  await sell(`offer-${soldFirst}-2`, '11')
  expect(await isShown()).toBe(true)
  await pay('pay-total', soldFirst)
  expect(await isShown()).toBe(false)

  const paidFirst = await accepted({ itemId: ['sun', ''], include: 'sun', name: ['Sun', 'Tag'] })
  await pay('pay-total', paidFirst)
  await sell('sun', '80')
  expect(await isShown()).toBe(true)
  await sell(`offer-${paidFirst}-2`, '11')
  expect(await isShown()).toBe(false)
})

test('"Your orders" shows a sold and paid agreement with its shipping, its total, its payments and the open amount, as on the invoice [AGREE-111]', async () => {
  const { ann, owner, db, accepted, pay, now } = await openShopWithPayments()
  const words = async () => wordsOf(await ann.page(ORDERS))
  const offerId = await accepted()
  await pay('pay-deposit', offerId)
  const [moon, tag] = await db
    .selectFrom('orderItems')
    .select('itemId')
    .where('offerId', '=', offerId)
    .orderBy('itemId')
    .execute()
  const sell = (itemId: string, price: string) =>
    owner.act(`/manage/messages/${ann.id}`, { intent: 'complete', itemId, price })
  await sell(moon!.itemId, '80')
  expect(await words()).toMatch(
    /Agreed .* Balance to pay \$67\.90 .* Bought .* Shipping \$6\.00 Total \$86\.00 $/,
  )

  await sell(tag!.itemId, '11')
  expect(await words()).toMatch(
    /Agreed .* Balance to pay \$67\.90 .* Bought .* Shipping \$6\.00 Total \$97\.00 $/,
  )

  const { receiptTag } = await db.selectFrom('sales').select('receiptTag').executeTakeFirstOrThrow()
  await db
    .insertInto('invoices')
    .values({ number: 7, receiptKey: receiptTag!, shippingCents: 800, createdAt: now() })
    .execute()
  await pay('pay-balance', offerId)
  expect(await words()).toMatch(
    /Shipping \$8\.00 Total \$99\.00 Deposit paid .* Balance paid .* -\$67\.90 Amount due .* \$2\.00/,
  )
  expect(await words()).not.toContain('Agreed')
})

test('"Your orders" shows an agreement whose pieces are on two receipts until the agreement is paid, and counts its shipping once [AGREE-115]', async () => {
  const { ann, owner, clock, accepted, pay } = await openShopWithPayments()
  const words = async () => wordsOf(await ann.page(ORDERS))
  const offerId = await accepted()
  await pay('pay-deposit', offerId)
  const act = (form: Record<string, string>) =>
    owner.act(`/manage/messages/${ann.id}`, { confirm: 'Yes', ...form })
  await act({ intent: 'complete', itemId: `offer-${offerId}-2`, price: '11' })
  for (const intent of ['close', 'reopen']) await act({ intent })
  clock.now += 60_000
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  expect(await words()).toMatch(
    /Agreed .* Deposit paid .* Balance to pay \$67\.90 .* Bought .* Moon wall .* Total \$80\.00 .* Engraved tag .* Shipping \$6\.00 Total \$17\.00 $/,
  )
  await pay('pay-balance', offerId)
  expect(await words()).not.toContain('Agreed')
})
