import { expect, test } from 'vitest'
import { documentOf } from '#test/document-of.ts'
import type { TestShop } from '#test/open-test-shop.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { openShopWithOrder } from '#test/shop-with-order.ts'

/** What the contact page leaves (S-032). */
async function addContact(shop: TestShop) {
  const id = 'c'.repeat(15)
  const user = { userId: null, userName: 'Cleo', userEmail: 'cleo@mail.test', userPhotoURL: '' }
  await shop.db
    .insertInto('orders')
    .values({ id, ...user, receiptTag: null, isClosed: 0, fromContactPage: 1, lastSeq: 1, createdAt: 1, firstCreatedAt: 1 })
    .execute()
  await shop.db
    .insertInto('messages')
    .values({ orderId: id, seq: 1, id: 'm'.repeat(15), message: 'Hi!', sender: id, createdAt: 1 })
    .execute()
  return id
}
const ok = (...texts: string[]) => ({ status: 200, text: expect.stringMatching(new RegExp(texts.join('.*'))) })

test('MSG-01 MSG-02 MSG-03 MSG-05 ROLES-22 ROLES-24 the screen shows the list with counters and the chosen conversation', async () => {
  const { owner, path } = await openShopWithOrder()

  const html = await owner.page(path)

  expect(html).toMatch(/<nav[^>]*aria-label="Conversations".*ann.*And the sun.*>2<span class="unseen"> unread/s)
  expect(html).toMatch(/role="log".*The moon, please.*And the sun/s)
  expect(html).toContain('Select Message')
  expect(html).toContain('mark as read')
})

test('an unknown conversation shows the list, and acts on it are refused', async () => {
  const { owner } = await openShopWithOrder()
  expect(await owner.page('/manage/messages/nobody')).toContain('This conversation is not here any more. Choose a conversation')
  expect(await owner.page('/manage/messages/')).not.toContain('not here any more')
  const acts: Record<string, string>[] = [
    { intent: 'send', message: 'x' },
    { intent: 'close', confirm: 'Yes' },
    { intent: 'complete', itemId: 'moon' },
  ]
  for (const form of acts) expect((await owner.act('/manage/messages/nobody', form)).status).toBe(404)
  expect((await owner.act('/manage/messages/nobody', { intent: 'unheard of' })).status).toBe(400)
})

test('MSG-06 "mark as read" marks them for the owner', async () => {
  const { act, read } = await openShopWithOrder()
  expect((await read())!.unread).toBe(2)
  expect((await act({ intent: 'read', seq: '2' })).status).toBe(200)
  expect((await read())!.unread).toBe(0)
})

test('MSG-07 ROLES-25 a reply joins the messages, the owner is its sender', async () => {
  const { shop, act, read } = await openShopWithOrder()
  expect((await act({ intent: 'send', message: 'With joy', sender: 'somebody' })).status).toBe(200)
  expect((await read())!.messages.at(-1)).toMatchObject({ message: 'With joy', sender: 'owner', createdAt: shop.now(), seq: 3 })
  expect((await act({ intent: 'send', message: 'x'.repeat(10_001) })).status).toBe(422)
})

test('S-133 without script a refused reply is shown again, whole', async () => {
  const { owner, path } = await openShopWithOrder()
  const response = await owner.post(path, { intent: 'send', message: `${'x'.repeat(10_000)} the end`, back: path })
  expect(response.status).toBe(422)
  expect(await response.text()).toMatch(/x the end<\/textarea>.*at most 10,000 characters/s)
})

test('MSG-09 closing without the Yes of the question changes nothing', async () => {
  const { act, read, owner, path } = await openShopWithOrder()
  expect((await act({ intent: 'close' })).status).toBe(400)
  expect((await read())!.isClosed).toBe(false)
  expect(await owner.page(path)).toMatch(/Close Order.*<dialog.*Close this order\?.*Yes.*No/s)
})

test('MSG-08 MSG-10 MSG-11 MSG-14 S-079 closing keeps id, items, messages, user and isClosed, and stamps the time', async () => {
  const { shop, ann, act, read, acts } = await openShopWithOrder()
  shop.clock.now += 1000

  expect(await act({ intent: 'close', confirm: 'Yes' })).toEqual(ok('Order Successfully Closed'))

  const order = (await read())!
  expect(Object.keys(await documentOf(shop, 'orders', ann.id)).toSorted()).toEqual([
    'createdAt',
    'id',
    'isClosed',
    'items',
    'messages',
    'user',
  ])
  expect(order).toMatchObject({ id: ann.id, isClosed: true, receiptTag: null, createdAt: shop.now(), items: [{}, {}], messages: [{}, {}] })
  expect(await acts()).toEqual(['close-order'])
  expect(shop.heard.slice(-2)).toEqual(['orders', `order:${ann.id}`])
})

test('MSG-12 MSG-13 S-080 a closed order disables the reply box and the sales', async () => {
  const { owner, path, act, sales, read } = await openShopWithOrder()
  await act({ intent: 'close', confirm: 'Yes' })

  expect(await owner.page(path)).toMatch(/<textarea[^>]*placeholder="Order is Closed"[^>]*disabled/)
  expect(await act({ intent: 'send', message: 'x' })).toMatchObject({ status: 409, text: expect.stringContaining('Order is Closed') })
  const order = await owner.page(`${path}?view=order`)
  expect(order.match(/<button[^>]*disabled=""[^>]*>(Sale Complete|Remove)</g)).toHaveLength(4)
  expect((await act({ intent: 'complete', itemId: 'moon', price: '' })).status).toBe(409)
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(409)
  expect([await sales(), (await read())!.items.length]).toEqual([[], 2])
})

test('MSG-15 a failed closing tells why, and closes nothing', async () => {
  const { shop, act, read } = await openShopWithOrder()
  await shop.db.schema.dropTable('audit').execute()

  const failed = await act({ intent: 'close', confirm: 'Yes' })

  expect(failed).toEqual({ status: 500, text: expect.stringContaining('There was an error Closing the Order: the shop could not save it') })
  expect((await read())!.isClosed).toBe(false)
  expect(shop.logged.map((line) => line.message)).toEqual(['an order could not be closed'])
})

test('two closings at once: one closes, the other is told', async () => {
  const { act, acts } = await openShopWithOrder()
  const both = await Promise.all([act({ intent: 'close', confirm: 'Yes' }), act({ intent: 'close', confirm: 'Yes' })])
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  expect(both.find((one) => one.status === 409)!.text).toContain('There was an error Closing the Order: it is closed already')
  expect(await acts()).toEqual(['close-order'])
})

test('MSG-16 MSG-17 MSG-18 MSG-19 a conversation from the contact page takes no reply and gives a mail link', async () => {
  const { shop, owner } = await openShopWithOrder()
  const path = `/manage/messages/${await addContact(shop)}`

  const html = await owner.page(path)

  expect(html).toMatch(/<textarea[^>]*placeholder="No Reply"[^>]*disabled/)
  expect(html).toContain('href="mailto:cleo@mail.test"')
  expect(html).toContain('delete this conversation when done')
  expect(html).not.toContain('Close Order')
  expect(await owner.act(path, { intent: 'send', message: 'x' })).toMatchObject({ status: 409, text: expect.stringContaining('No Reply') })
  expect((await owner.act(path, { intent: 'close', confirm: 'Yes' })).status).toBe(409)
})

test('DATA-032 S-032 the document of a contact conversation says so and carries its sender at the top', async () => {
  const { shop } = await openShopWithOrder()
  const id = await addContact(shop)
  const cleo = { id, name: 'Cleo', email: 'cleo@mail.test', photoURL: '' }
  expect(await documentOf(shop, 'orders', id)).toEqual({
    ...cleo,
    user: cleo,
    items: [],
    messages: [{ id: 'm'.repeat(15), message: 'Hi!', sender: id, createdAt: 1, read: [id] }],
    isClosed: false,
    fromContactPage: true,
    createdAt: 1,
  })
})

test('MSG-20 MSG-21 S-083 deleting a conversation asks first, then takes all of it', async () => {
  const { shop, ann, act, owner, path, read, acts } = await openShopWithOrder()
  expect((await act({ intent: 'delete' })).status).toBe(400)
  expect(await owner.page(path)).toContain('Delete this conversation with all its messages?')

  expect(await act({ intent: 'delete', confirm: 'Yes' })).toEqual(ok('Record Successfully Deleted'))

  expect(await read()).toBe(null)
  expect(await shop.db.selectFrom('messages').select('id').execute()).toEqual([])
  expect(await acts()).toEqual(['delete-conversation'])
  expect((await ann.act('/messages', { intent: 'send', message: 'anew' })).status).toBe(200)
})

test('MSG-22 a failed deletion tells why, and deletes nothing', async () => {
  const { shop, owner, act, read } = await openShopWithOrder()
  expect((await owner.act('/manage/messages/nobody', { intent: 'delete', confirm: 'Yes' })).text).toContain(
    'There was an error Deleting the Record: it is no longer there',
  )
  await shop.db.schema.dropTable('audit').execute()
  const failed = await act({ intent: 'delete', confirm: 'Yes' })
  expect(failed).toEqual({
    status: 500,
    text: expect.stringContaining('There was an error Deleting the Record: the shop could not save it'),
  })
  expect(await read()).not.toBe(null)
})

test('MSG-04 MSG-23 MSG-25 MSG-26 S-068 the order panel lists the items with original and present price', async () => {
  const { shop, owner, path } = await openShopWithOrder()
  await shop.db.updateTable('items').set({ discountType: 'percent', discountValue: 5000 }).where('id', '=', 'moon').execute()
  expect(await owner.page(path)).toMatch(/>Messages<\/a>.*>Order<\/a>/s)

  const html = (await owner.page(`${path}?view=order`)).replaceAll('<!-- -->', '')

  expect(html).toMatch(/Moon wall.*Original price \$89\.00.*now \$44\.50.*Sale price.*Sale Complete.*Remove.*Sun wall/s)
})

test('MSG-24 MSG-28 MSG-29 MSG-33 MSG-34 S-088 "Sale Complete" adds the sale, then flags the item, and says both in this order', async () => {
  const { act, read, sales } = await openShopWithOrder()
  expect((await read())!.items[0]!.isSold).toBe(false)

  const sold = await act({ intent: 'complete', itemId: 'moon', price: '80' })

  expect(sold).toEqual(ok('Successfully Added Sales Record\\.\\.\\.', 'Sale Completed! Invoice Management will show at Sales'))
  expect(await sales()).toMatchObject([{ itemId: 'moon', itemName: 'Moon wall', itemPriceCents: 8900, salePriceCents: 8000 }])
  expect((await read())!.items.map((item) => item.isSold)).toEqual([true, false])
})

test('MSG-27 S-087 a blank sale price is the original one, 0 is a gift', async () => {
  const { act, sales } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  await act({ intent: 'complete', itemId: 'sun', price: '0' })
  expect((await sales()).map((sale) => sale.salePriceCents).toSorted((a, b) => a - b)).toEqual([0, 8900])
})

test('S-087 a price that is none is refused beside the input', async () => {
  const { act, sales } = await openShopWithOrder()
  const refused = await act({ intent: 'complete', itemId: 'moon', price: '-5' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Please type a price from 0 to 9,999,999.99')])
  expect(await sales()).toEqual([])
})

test('MSG-30 MSG-31 S-179 a sold item shows "Sale Completed", for how much, and its receipt, and cannot be removed', async () => {
  const { owner, path, act, read } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '70' })

  const html = await owner.page(`${path}?view=order`)

  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Sale Completed<\/button>/)
  const { receiptTag } = (await read())!
  expect(html.replaceAll('<!-- -->', '')).toMatch(new RegExp(`Moon wall.*Sold for \\$70\\.00.*receipt=${receiptTag}.*Sun wall`, 's'))
  expect(html).not.toContain('Remove Moon wall from this order?')
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(409)
  expect((await read())!.items).toHaveLength(2)
})

test('MSG-32 S-084 an unsold item is removed after the question, without a toast', async () => {
  const { act, read, acts } = await openShopWithOrder()
  expect((await act({ intent: 'remove', itemId: 'moon' })).status).toBe(400)

  const removed = await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })

  expect(removed.status).toBe(200)
  expect((await read())!.items.map((item) => item.id)).toEqual(['sun'])
  expect(await acts()).toEqual(['remove-order-item'])
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(404)
})

test('MSG-35 S-176 of two "Sale Complete" at once one is told that the item could not be changed, and why', async () => {
  const { act, sales } = await openShopWithOrder()
  const form = { intent: 'complete', itemId: 'moon', price: '' }
  const both = await Promise.all([act(form), act(form)])
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  const { text } = both.find((one) => one.status === 409)!
  expect(text).toContain('An Error has Occured while updating Item State')
  expect(text).toContain('This item is sold already.')
  expect(text).not.toContain('Sales Record')
  expect(await sales()).toHaveLength(1)
})

test.for([
  ['MSG-35', 'orderItems', 'update', 'An Error has Occured while updating Item State', 'adding Sales Record'],
  ['MSG-36', 'sales', 'insert', 'An Error has Occured while adding Sales Record...', 'updating Item State'],
] as const)('%s S-086 a failing %s %s is told by its own text, and neither is written', async ([, table, kind, told, other]) => {
  const { shop, act, read, sales } = await openShopWithOrder()
  await refuseWrites(shop.db, shop.dialect, table, kind)

  const failed = await act({ intent: 'complete', itemId: 'moon', price: '' })

  expect(failed).toEqual({ status: 500, text: expect.stringContaining(told) })
  expect(failed.text).not.toMatch(new RegExp(`${other}|Successfully|refused`))
  expect([(await read())!.items[0]!.isSold, await sales()]).toEqual([false, []])
})

test('S-004 the conversation of a guest who has gone stays, and says that a reply reaches nobody', async () => {
  const { shop, owner } = await openShopWithOrder()
  const guest = await shop.guest()
  await guest.act('/messages', { intent: 'send', message: 'Phone 555' })
  await guest.post('/logout', { confirm: 'Yes' })
  expect(await owner.page(`/manage/messages/${guest.id}`)).toMatch(/This account is gone.*Phone 555/s)
})
