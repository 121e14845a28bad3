import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { ask, move, openGuestAndAccount } from '#test/fixtures/accounts.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { offerForm } from '#test/fixtures/offers.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { readConversation } from './messages.server.ts'
import { invoiceContent } from '#print-documents/print-document.ts'
import { findReceipt } from '#sales/sales.server.ts'
import { cancelSale, completeSale, removeOrderItem, undoSale } from '#orders/orders.server.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'

/** Opens a shop with one item in two colors, and one customer. */
async function openShopWithColors() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  for (const id of ['sage', 'blush', 'rust']) await addColor(shop.db, id, { name: `Deep_${id}` })
  const images = [{ colors: ['sage'] }, { colors: ['blush'] }]
  await addItem(shop.db, 'moon', 'walls', {
    name: 'Moon wall',
    priceCents: 8900,
    images,
    discountType: 'percent',
    discountValue: 5000,
  })
  const ann = await shop.customer()
  const request = (fields: Record<string, string> = {}) =>
    ann.act('/order-request', { itemId: 'moon', message: '', color: 'sage', ...fields })
  const cards = async () => {
    const { messages } = (await readConversation(shop.db, ann.id, ann.id))!
    return messages.flatMap(({ request }) => request ?? [])
  }
  const firstCard = async () => (await cards())[0]
  const lastCard = async () => (await cards()).at(-1)
  return { shop, ann, request, cards, firstCard, lastCard }
}

test('the order panel and the invoice show the color that the customer chose for her request [OWN-77]', async () => {
  const { shop, ann, request } = await openShopWithColors()
  await request({ color: 'blush' })
  await request({ color: 'sage' })
  await request({ color: '' })
  const her = await shop.owner()

  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([{ id: 'moon', color: 'Deep sage' }])
  expect(wordsOf(await her.page(`/manage/messages/${ann.id}?view=order`))).toContain(
    'Moon wall Deep sage Original price $89.00',
  )

  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '' })
  const { receiptTag } = await shop.db
    .selectFrom('sales')
    .select('receiptTag')
    .executeTakeFirstOrThrow()
  expect(wordsOf(await her.page('/manage/sales/'))).toContain('Moon wall, Deep sage')
  const receipt = (await findReceipt(shop.db, receiptTag!))!
  expect(
    invoiceContent({
      receipt,
      number: 1,
      billTo: { name: '', address: '' },
      email: '',
      cancels: null,
      issuedOn: null,
      today: '',
      shipping: 0,
      currency: US_DOLLAR,
    }).lines,
  ).toMatchObject([{ name: 'Moon wall, Deep sage' }])
})

test('the shop refuses an order request for a color in which the piece does not exist [OWN-77]', async () => {
  const { shop, request } = await openShopWithColors()

  const refused = await request({ color: 'rust' })

  expect(refused).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please choose another.'),
  })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('customer and owner see an order request without a text as a card with picture, name, color, price and state [OWN-78, OWN-132, S-306]', async () => {
  const { shop, ann, request, firstCard, lastCard } = await openShopWithColors()
  await request()

  const card = 'Order request Moon wall Deep sage $44.50 Requested'
  for (const html of [
    await ann.page('/?messages='),
    await (await shop.owner()).page(`/manage/messages/${ann.id}`),
  ]) {
    expect(wordsOf(html)).toContain(card)
    const link = within(pageOf(html).getByRole('log')).getByText('Order request').closest('a')!
    expect(link.getAttribute('href')).toBe('/item/moon')
    expect(link.querySelector('img')!.getAttribute('src')).toContain('moon-0')
    expect(html).not.toContain('(no text)')
  }
  expect(wordsOf(await (await shop.owner()).page('/manage/messages/'))).toContain(
    'Order request: Moon wall',
  )

  expect(await removeOrderItem(shop.shop, ann.id, 'moon')).toEqual({ ok: true })
  expect(await firstCard()).toMatchObject({ state: 'removed', cents: 4450 })

  shop.clock.now += 1000
  await request()
  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '40' })
  expect(await firstCard()).toMatchObject({ state: 'removed' })
  expect(await lastCard()).toMatchObject({ state: 'sold', cents: 4000 })
  for (const html of [
    await ann.page('/?messages='),
    await (await shop.owner()).page(`/manage/messages/${ann.id}`),
  ]) {
    expect(wordsOf(html)).toContain('Order request Moon wall Deep sage $40.00 Sold')
  }
  shop.clock.now += 1000
  await request()
  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '35' })
  expect(await lastCard()).toMatchObject({ state: 'sold', cents: 3500 })
  const { messages } = (await readConversation(shop.db, ann.id, ann.id))!
  expect(messages.at(-2)).toMatchObject({ request: { state: 'sold', cents: 4000 } })

  await shop.db.deleteFrom('items').execute()
  expect(await lastCard()).toMatchObject({
    state: 'sold',
    isInShop: false,
    image: null,
    name: 'Moon wall',
    color: 'Deep sage',
  })
})

const statesOf = (cards: { color: string; state: string }[]) =>
  cards.map(({ color, state }) => `${color} ${state}`)

test('a request in another color changes the line of the order, and both sides see that it replaced the older request [AGREE-140]', async () => {
  const { shop, ann, request, cards } = await openShopWithColors()
  for (const color of ['sage', 'blush', 'sage', 'blush']) {
    shop.clock.now += 1000
    await request({ color })
  }
  expect(await ann.page('/item/moon?color=sage')).toContain(
    'This changes the color of your request from Deep blush to Deep sage',
  )

  expect(statesOf(await cards())).toEqual([
    'Deep sage replaced',
    'Deep blush replaced',
    'Deep sage replaced',
    'Deep blush requested',
  ])
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([
    { color: 'Deep blush', quantity: 1 },
  ])
  expect(await shop.db.selectFrom('requests').select('id').execute()).toHaveLength(1)
  expect(wordsOf(await ann.page('/?messages='))).toContain('Replaced by your newer request')
  const her = await shop.owner()
  expect(wordsOf(await her.page(`/manage/messages/${ann.id}`))).toContain(
    'Replaced by a newer request',
  )

  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '' })
  expect(statesOf(await cards()).filter((card) => card.endsWith('sold'))).toEqual([
    'Deep blush sold',
  ])
})

test('one of each puts both colors into one line with two pieces, but not for a one-of-a-kind piece [AGREE-140]', async () => {
  const { shop, ann, request, lastCard } = await openShopWithColors()
  await request()
  shop.clock.now += 1000
  await request({ color: 'blush', colors: 'both' })
  await request({ color: 'blush', colors: 'both' })

  const both = { color: 'Deep sage + Deep blush', quantity: 2 }
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([both])
  expect(await lastCard()).toMatchObject({ ...both, cents: 8900, state: 'requested' })
  expect(wordsOf(await ann.page('/?messages='))).toContain(
    '2 × Moon wall Deep sage + Deep blush $89.00 Requested',
  )

  shop.clock.now += 1000
  await request({ color: 'sage' })
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([{ color: 'Deep sage', quantity: 1 }])
  await shop.db.updateTable('items').set({ kind: 'unique' }).execute()
  await request({ color: 'blush', colors: 'both' })
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([
    { color: 'Deep blush', quantity: 1 },
  ])
})

test('a request in another color after an offer does not change what the offer agreed on [AGREE-140]', async () => {
  const { shop, ann, request, cards } = await openShopWithColors()
  await request()
  shop.clock.now += 1000
  const her = await shop.owner()
  await her.act(`/manage/offer/${ann.id}`, {
    ...offerForm,
    itemId: 'moon',
    include: 'moon',
    name: 'Moon wall',
    price: '80',
    quantity: '1',
    color: 'Deep sage',
    notes: '',
  })
  const offer = await shop.db.selectFrom('offers').select('id').executeTakeFirstOrThrow()
  await ann.act('/offer', { intent: 'accept', offerId: offer.id })
  shop.clock.now += 1000
  await request({ color: 'blush' })

  expect(statesOf(await cards())).toEqual(['Deep sage agreed', 'Deep blush requested'])
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([{ color: 'Deep sage' }])
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '80' })
  expect(statesOf(await cards())).toEqual(['Deep sage sold', 'Deep blush removed'])
})

test('of two sales of the same piece, canceling or undoing one changes only the card of its request [AGREE-136]', async () => {
  const { shop, ann, request } = await openShopWithColors()
  const states = async () =>
    (await readConversation(shop.db, ann.id, ann.id))!.messages.flatMap((message) =>
      message.request ? [[message.request.state, message.request.cents]] : [],
    )
  for (const price of ['40', '35']) {
    shop.clock.now += 1000
    await request()
    shop.clock.now += 1000
    await completeSale(shop.shop, ann.id, { itemId: 'moon', price })
  }
  const sold = (cents: number) => ['sold', cents]
  expect(await states()).toEqual([sold(4000), sold(3500)])
  const sales = await shop.db
    .selectFrom('sales')
    .select(['id', 'receiptTag'])
    .orderBy('createdAt')
    .execute()

  await undoSale(shop.shop, sales[0]!.id)
  expect(await states()).toEqual([['requested', 4450], sold(3500)])
  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '41' })
  expect(await states()).toEqual([sold(4100), sold(3500)])

  const papers = ['Invoice'] as const
  await issueDocuments(shop.shop, { receipt: sales[1]!.receiptTag!, papers })
  await cancelSale(shop.shop, sales[1]!.id)
  expect(await states()).toEqual([sold(4100), ['requested', 4450]])

  // An imported conversation has no requests, so its newest card shows the first later sale.
  await shop.db.deleteFrom('requests').execute()
  expect((await states()).at(-1)).toEqual(sold(4100))
})

test('cards and the order panel show the picture of the piece in its color [AGREE-141]', async () => {
  const { shop, ann, request, lastCard } = await openShopWithColors()
  await request({ color: 'blush' })

  const url = expect.stringContaining('moon-1')
  expect(await lastCard()).toMatchObject({ image: { url } })
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([{ image: { url } }])
  const page = pageOf(await ann.page('/account/orders/'))
  expect(page.getByText('Moon wall').closest('li')!.querySelector('img')!.src).toContain('moon-1')
})

test('when a guest’s conversation moves into an account, its order request keeps item and color [OWN-78]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await ask(guest, 'star', '')
  await shop.db.updateTable('orderItems').set({ color: 'Rust' }).execute()
  await shop.db.updateTable('messages').set({ itemColor: 'Rust' }).execute()

  await move(guest)

  const { messages } = (await readConversation(shop.db, account.id, account.id))!
  expect(messages).toMatchObject([
    { request: { itemId: 'star', color: 'Rust', state: 'requested' } },
  ])
  expect(await listOrderLines(shop.db, account.id)).toMatchObject([{ color: 'Rust' }])
})

test('if a customer sends a message without a text, the conversation shows an empty message [OWN-81]', async () => {
  const { shop, ann } = await openShopWithColors()
  await ann.act('/messages', { intent: 'send', message: '' })

  for (const html of [
    await ann.page('/?messages='),
    await (await shop.owner()).page(`/manage/messages/${ann.id}`),
  ]) {
    const log = pageOf(html).getByRole('log')
    const texts = Array.from(log.querySelectorAll('li p'), ({ textContent }) => textContent)
    expect(texts).toEqual([''])
    expect(log.querySelectorAll('li time')).toHaveLength(1)
  }
})

test('the shop refuses an order request for a piece that the owner has deleted, and shows an error [OWN-88]', async () => {
  const { shop, request } = await openShopWithColors()
  await shop.db.deleteFrom('items').execute()

  const refused = await request({ message: 'In sand, please' })

  expect(refused).toMatchObject({
    status: 404,
    text: expect.stringContaining('This piece is no longer in the shop, so nothing was sent.'),
  })
  expect(await shop.db.selectFrom('messages').select('id').execute()).toEqual([])
})

test('without JavaScript, the response to a refused order request contains the text that the customer typed [OWN-88]', async () => {
  const { shop, ann } = await openShopWithColors()
  await shop.db.deleteFrom('items').execute()

  const response = await ann.post('/order-request', {
    itemId: 'moon',
    message: 'In sand, please',
    back: '/item/moon',
  })

  expect(response.status).toBe(404)
  expect(await response.text()).toMatch(/no longer in the shop.*In sand, please/s)
})

test('the order request form asks a guest for an optional name, and the conversation shows this name [OWN-85]', async () => {
  const { shop } = await openShopWithColors()
  const guest = await shop.guest()
  const readField = async () =>
    pageOf(await guest.page('/item/moon')).queryByLabelText('Your name (optional)')
  expect((await readField())!.getAttribute('name')).toBe('name')

  const long = await guest.act('/order-request', {
    itemId: 'moon',
    message: '',
    name: 'x'.repeat(81),
  })
  expect(long).toMatchObject({
    status: 422,
    text: expect.stringContaining('at most 80 characters'),
  })

  await guest.act('/order-request', { itemId: 'moon', message: '', name: ' Bea  Braid ' })
  expect(await readConversation(shop.db, guest.id, guest.id)).toMatchObject({
    user: { name: 'Bea Braid' },
  })
  expect(await readField()).toBeNull()
  await guest.act('/order-request', { itemId: 'moon', message: '', name: 'Someone else' })
  expect(await readConversation(shop.db, guest.id, guest.id)).toMatchObject({
    user: { name: 'Bea Braid' },
  })
})
