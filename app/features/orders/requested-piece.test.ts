import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { ask, move, openGuestAndAccount } from '#test/fixtures/accounts.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { US_DOLLAR } from '#app/lib/text/currency.ts'
import { wordsOf } from '#test/fixtures/html.ts'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { invoiceContent } from '#app/features/print-documents/print-document.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { completeSale, removeOrderItem } from './owner-actions.server.ts'
import { listOrderLines } from './order-lines.server.ts'

const owner = {
  id: 'owner',
  name: '',
  email: '',
  image: null,
  role: 'admin' as const,
  sessionId: '',
}

/** Opens a shop with one item in two colors, and one customer. */
async function openShopWithColors() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  for (const id of ['sage', 'blush', 'rust']) await addColor(shop.db, id, { name: `Deep_${id}` })
  const pictures = [{ colors: ['sage'] }, { colors: ['blush'] }]
  await addItem(shop.db, 'moon', 'walls', {
    name: 'Moon wall',
    priceCents: 8900,
    pictures,
    discountType: 'percent',
    discountValue: 5000,
  })
  const ann = await shop.customer()
  const request = (fields: Record<string, string> = {}) =>
    ann.act('/order-request', { itemId: 'moon', message: '', color: 'sage', ...fields })
  const firstCard = async () =>
    (await readConversation(shop.db, ann.id, ann.id))!.messages[0]!.request
  return { shop, ann, request, firstCard }
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

  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Please choose another.'),
  ])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('customer and owner see an order request without a text as a card with picture, name, color, price and state [OWN-78, OWN-132, S-306]', async () => {
  const { shop, ann, request, firstCard } = await openShopWithColors()
  await request()

  const card = 'Order request Moon wall Deep sage $44.50 Requested'
  for (const html of [
    await ann.page('/?messages='),
    await (await shop.owner()).page(`/manage/messages/${ann.id}`),
  ]) {
    expect(wordsOf(html)).toContain(card)
    expect(html).toMatch(/<a[^>]*href="\/item\/moon"[^>]*><picture>.{0,400}moon-0/)
    expect(html).not.toContain('(no text)')
  }
  expect(wordsOf(await (await shop.owner()).page('/manage/messages/'))).toContain(
    'Order request: Moon wall',
  )

  expect(await removeOrderItem(shop.shop, owner, ann.id, 'moon')).toEqual({ ok: true })
  expect(await firstCard()).toMatchObject({ state: 'removed', cents: 4450 })

  await request()
  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '40' })
  expect(await firstCard()).toMatchObject({ state: 'sold', cents: 4000 })
  shop.clock.now += 1000
  await request()
  shop.clock.now += 1000
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '35' })
  expect(await firstCard()).toMatchObject({ state: 'sold', cents: 4000 })
  const { messages } = (await readConversation(shop.db, ann.id, ann.id))!
  expect(messages.at(-1)).toMatchObject({ request: { state: 'sold', cents: 3500 } })

  await shop.db.deleteFrom('items').execute()
  expect(await firstCard()).toMatchObject({
    state: 'sold',
    isInShop: false,
    picture: null,
    name: 'Moon wall',
    color: 'Deep sage',
  })
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
    expect(html).toMatch(/<p class="flush [^"]*" dir="auto"><\/p>/)
    expect(html).not.toContain('(no text)')
  }
})

test('the shop refuses an order request for a piece that the owner has deleted, and shows an error [OWN-88]', async () => {
  const { shop, request } = await openShopWithColors()
  await shop.db.deleteFrom('items').execute()

  const refused = await request({ message: 'In sand, please' })

  expect([refused.status, refused.text]).toEqual([
    404,
    expect.stringContaining('This piece is no longer in the shop, so nothing was sent.'),
  ])
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

  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringMatching(/no longer in the shop.*In sand, please/s),
  ])
})

test('the order request form asks a guest for an optional name, and the conversation shows this name [OWN-85]', async () => {
  const { shop } = await openShopWithColors()
  const guest = await shop.guest()
  const field = /<input[^>]*name="name"/
  expect(await guest.page('/item/moon')).toMatch(field)

  const long = await guest.act('/order-request', {
    itemId: 'moon',
    message: '',
    name: 'x'.repeat(81),
  })
  expect([long.status, long.text]).toEqual([422, expect.stringContaining('at most 80 characters')])

  await guest.act('/order-request', { itemId: 'moon', message: '', name: ' Bea  Braid ' })
  expect(await readConversation(shop.db, guest.id, guest.id)).toMatchObject({
    user: { name: 'Bea Braid' },
  })
  expect(await guest.page('/item/moon')).not.toMatch(field)
  await guest.act('/order-request', { itemId: 'moon', message: '', name: 'Someone else' })
  expect(await readConversation(shop.db, guest.id, guest.id)).toMatchObject({
    user: { name: 'Bea Braid' },
  })
})
