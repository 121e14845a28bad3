import { expect, test } from 'vitest'
import { documentOf, refuseWrites, type TestShop } from '#test/fixtures/test-shop.ts'
import { verifyEmail } from '#test/fixtures/accounts.ts'
import { descriptionOf, hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'

async function addContact(shop: TestShop) {
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  await shop.visitor().act('/contact/', {
    stamp,
    name: 'Cleo',
    email: 'cleo@mail.test',
    phone: '0123456789',
    message: 'Hi!',
  })
  return (
    await shop.db
      .selectFrom('orders')
      .select('id')
      .where('fromContactPage', '=', true)
      .executeTakeFirstOrThrow()
  ).id
}
const ok = (...texts: string[]) => ({
  status: 200,
  text: expect.stringMatching(new RegExp(texts.join('.*'))),
})

test('the owner sees the conversation list with counters, next to the chosen conversation [MSG-01, MSG-02, MSG-03, MSG-05, ROLES-22, ROLES-24]', async () => {
  const { owner, path } = await openShopWithOrder()

  const page = pageOf(await owner.page(path))

  const list = within(page.getByRole('navigation', { name: 'Conversations' }))
  expect(list.getByText('ann').closest('a')!.textContent).toMatch(/And the sun.*2 unread$/)
  expect(page.getByRole('log').textContent).toMatch(/The moon, please.*And the sun/s)
  expect(page.getByRole('button', { name: 'Select Message' })).toBeTruthy()
  expect(page.getByRole('button', { name: 'mark as read' })).toBeTruthy()
  expect(await owner.page('/manage/messages/')).not.toContain('Select Message')
})

test('the page of an unknown conversation shows the conversation list, and the shop refuses all actions on the conversation', async () => {
  const { owner } = await openShopWithOrder()
  expect(await owner.page('/manage/messages/unknown')).toContain(
    'This conversation no longer exists. Choose a conversation',
  )
  expect(await owner.page('/manage/messages/')).not.toContain('no longer exists')
  const acts: Record<string, string>[] = [
    { intent: 'send', message: 'x' },
    { intent: 'close', confirm: 'Yes' },
    { intent: 'complete', itemId: 'moon' },
  ]
  for (const form of acts) {
    expect((await owner.act('/manage/messages/unknown', form)).status).toBe(404)
  }
  const deletion = await owner.act('/manage/messages/unknown', { intent: 'delete', confirm: 'Yes' })
  expect(deletion.text).toContain('There was an error Deleting the Record: it no longer exists')
  expect((await owner.act('/manage/messages/unknown', { intent: 'unheard of' })).status).toBe(400)
})

test('the owner can mark messages as read [MSG-06]', async () => {
  const { act, read } = await openShopWithOrder()
  expect((await read())!.unread).toBe(2)
  expect((await act({ intent: 'read', seq: '2' })).status).toBe(200)
  expect((await read())!.unread).toBe(0)
})

test('the owner is the sender of her reply, and a reply that is too long stays in the field [MSG-07, ROLES-25, S-133]', async () => {
  const { shop, owner, path, act, read } = await openShopWithOrder()
  expect((await act({ intent: 'send', message: 'With joy', sender: 'another-user' })).status).toBe(
    200,
  )
  expect((await read())!.messages.at(-1)).toMatchObject({
    message: 'With joy',
    sender: 'owner',
    createdAt: shop.now(),
    seq: 3,
  })
  const response = await owner.post(path, {
    intent: 'send',
    message: `${'x'.repeat(10_000)} the end`,
    back: path,
  })
  expect(response.status).toBe(422)
  const page = pageOf(await response.text())
  expect(page.getByLabelText('Message').textContent).toMatch(/x the end$/)
  expect(descriptionOf(page, 'Message')).toContain('at most 10,000 characters')
})

test('the owner must confirm before she closes an order, and the order keeps its items and messages [MSG-08, MSG-09, MSG-10, MSG-11, MSG-14, S-079]', async () => {
  const { shop, ann, act, read, acts, owner, path } = await openShopWithOrder()
  expect((await act({ intent: 'close' })).status).toBe(400)
  expect((await read())!.isClosed).toBe(false)
  const page = pageOf(await owner.page(path))
  expect(page.getByRole('button', { name: 'Close Order' })).toBeTruthy()
  const dialog = within(page.getByText(/^Close this order\?/).closest('dialog')!)
  const answers = dialog.getAllByRole('button', { hidden: true })
  expect(answers.map(({ textContent }) => textContent)).toEqual(['Yes', 'No'])
  shop.clock.now += 1000

  expect(await act({ intent: 'close', confirm: 'Yes' })).toEqual(ok('Order Successfully Closed'))

  const order = (await read())!
  const fields = ['createdAt', 'id', 'isClosed', 'items', 'messages', 'user']
  expect(Object.keys(await documentOf(shop, 'orders', ann.id)).toSorted()).toEqual(fields)
  expect(order).toMatchObject({
    id: ann.id,
    isClosed: true,
    receiptTag: null,
    createdAt: shop.now(),
    items: [{}, {}],
    messages: [{}, {}],
  })
  expect(await acts()).toEqual(['close-order'])
  expect(shop.changedTopics.slice(-2)).toEqual(['orders', `order:${ann.id}`])
})

test('the shop refuses replies, sales and removals in a closed order [MSG-12, MSG-13, S-080]', async () => {
  const { owner, path, act, sales, read } = await openShopWithOrder()
  await act({ intent: 'close', confirm: 'Yes' })

  const field = pageOf(await owner.page(path)).getByPlaceholderText('Order is Closed')
  expect(field.hasAttribute('disabled')).toBe(true)
  expect(await act({ intent: 'send', message: 'x' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('Order is Closed'),
  })
  const order = pageOf(await owner.page(`${path}?view=order`))
  const buttons = order.getAllByRole('button', { name: /^(Sale Complete|Remove)$/ })
  expect(buttons.map((button) => button.hasAttribute('disabled'))).toEqual(Array(4).fill(true))
  expect((await act({ intent: 'complete', itemId: 'moon', price: '' })).status).toBe(409)
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(409)
  expect(await sales()).toEqual([])
  expect((await read())!.items).toHaveLength(2)
})

test('the owner cannot reply to a contact message, but the page has a link to send an email [MSG-16, MSG-17, MSG-18, MSG-19]', async () => {
  const { shop, owner } = await openShopWithOrder()
  const path = `/manage/messages/${await addContact(shop)}`

  const page = pageOf(await owner.page(path))

  expect(page.getByPlaceholderText('No Reply').hasAttribute('disabled')).toBe(true)
  expect(hrefsIn(within(page.getByRole('main')))).toContain('mailto:cleo@mail.test')
  expect(page.getByText(/delete this conversation when done/)).toBeTruthy()
  expect(page.queryByText('Close Order')).toBeNull()
  expect(await owner.act(path, { intent: 'send', message: 'x' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('No Reply'),
  })
  expect((await owner.act(path, { intent: 'close', confirm: 'Yes' })).status).toBe(409)
})

test('the owner must confirm before a conversation is deleted with all its messages [MSG-20, MSG-21, S-083]', async () => {
  const { shop, ann, act, owner, path, read, acts } = await openShopWithOrder()
  expect((await act({ intent: 'delete' })).status).toBe(400)
  expect(await owner.page(path)).toContain('Delete this conversation with all its messages?')

  expect(await act({ intent: 'delete', confirm: 'Yes' })).toEqual(ok('Record Successfully Deleted'))

  expect(await read()).toBe(null)
  expect(await shop.db.selectFrom('messages').select('id').execute()).toEqual([])
  expect(await acts()).toEqual(['delete-conversation'])
  expect((await ann.act('/messages', { intent: 'send', message: 'again' })).status).toBe(200)
})

test('the question before the deletion of a conversation names its accepted offer and its payments, also payments for a canceled offer [MSG-20, AGREE-103]', async () => {
  const { ann, owner, send, customerAct, ownerAct, pay } = await openShopWithPayments()
  const id = await send()
  const page = () => owner.page(`/manage/messages/${ann.id}`)
  const question = 'Its offers, recorded payments and pieces to make are deleted, too.'
  expect(await page()).not.toContain(question)
  await customerAct('accept', id)
  expect(await page()).toContain(question)
  await pay('pay-deposit', id)
  await ownerAct('cancel', id)
  expect(await page()).toContain(question)
  await pay('undo-deposit', id)
  expect(await page()).not.toContain(question)
})

test('the conversation of a customer says that her email address is not confirmed, because a stranger may have registered with it [S-390]', async () => {
  const { shop, ann, owner, path } = await openShopWithOrder()
  expect(wordsOf(await owner.page(path))).toContain('ann@mail.test (email not confirmed yet)')
  await verifyEmail(shop, ann.id)
  expect(pageOf(await owner.page(path)).getByText('ann@mail.test')).toBeTruthy()
})

test.each([
  ['close', 'There was an error Closing the Order', 'MSG-15'],
  ['delete', 'There was an error Deleting the Record', 'MSG-22'],
])(
  'if the action %s fails, the page shows the reason (%s) and nothing changes [%s]',
  async (intent, error) => {
    const { shop, act, read } = await openShopWithOrder()
    await shop.db.schema.dropTable('audit').execute()

    const failed = await act({ intent, confirm: 'Yes' })

    expect(failed).toEqual({
      status: 500,
      text: expect.stringContaining(`${error}: the shop could not save it`),
    })
    expect(await read()).toMatchObject({ isClosed: false, messages: [{}, {}] })
    expect(shop.logged).toHaveLength(1)
  },
)

test('the order panel lists the items of an order with the original and the current price [MSG-04, MSG-23, MSG-25, MSG-26, S-068]', async () => {
  const { shop, owner, path } = await openShopWithOrder()
  await shop.db
    .updateTable('items')
    .set({ discountType: 'percent', discountValue: 5000 })
    .where('id', '=', 'moon')
    .execute()
  const views = within(pageOf(await owner.page(path)).getByRole('group', { name: 'Show' }))
  expect(views.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Messages',
    'Order',
  ])
  expect(wordsOf(await owner.page(`${path}?view=order`))).toMatch(
    /Moon wall.*Original price \$89\.00.*now \$44\.50.*Sale price.*Sale Complete.*Remove.*Sun wall/,
  )
})

test('the shop stores a completed sale, marks its item as sold and shows two confirmations [MSG-24, MSG-28, MSG-29, MSG-33, MSG-34, S-088]', async () => {
  const { act, read, sales } = await openShopWithOrder()
  expect((await read())!.items[0]!.isSold).toBe(false)

  const sold = await act({ intent: 'complete', itemId: 'moon', price: '80' })

  expect(sold).toEqual(
    ok(
      'Successfully Added Sales Record\\.\\.\\.',
      'Sale Completed! Invoice Management will show at Sales',
    ),
  )
  expect(await sales()).toMatchObject([
    { itemId: 'moon', itemName: 'Moon wall', itemPriceCents: 8900, salePriceCents: 8000 },
  ])
  expect((await read())!.items.map((item) => item.isSold)).toEqual([true, false])
})

test('a negative sale price is refused with an error beside its field [S-087]', async () => {
  const { act, sales } = await openShopWithOrder()
  expect(await act({ intent: 'complete', itemId: 'moon', price: '-5' })).toEqual({
    status: 422,
    text: expect.stringMatching(
      /"field","price","error","Please type a price from 0 to 9,999,999\.99/,
    ),
  })
  expect(await sales()).toEqual([])
})

test('the order panel shows a sold item with its price and receipt, and the item cannot be removed from the order [MSG-30, MSG-31, ROLES-20, S-179]', async () => {
  const { owner, path, act, read } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '70' })

  const page = pageOf(await owner.page(`${path}?view=order`))

  const button = page.getByRole('button', { name: 'Sale Completed' })
  expect(button.hasAttribute('disabled')).toBe(true)
  const item = within(button.closest('li')!)
  expect(item.getByRole('link', { name: 'Moon wall' })).toBeTruthy()
  expect(item.getByText('Sold for $70.00')).toBeTruthy()
  expect(item.getByRole('link', { name: 'See the receipt' }).getAttribute('href')).toContain(
    `receipt=${(await read())!.receiptTag}`,
  )
  expect(page.queryByText('Remove Moon wall from this order?')).toBeNull()
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(409)
  expect((await read())!.items).toHaveLength(2)
})

test('the owner must confirm before an unsold item is removed from an order [MSG-32, S-084]', async () => {
  const { act, read, acts } = await openShopWithOrder()
  expect((await act({ intent: 'remove', itemId: 'moon' })).status).toBe(400)

  const removed = await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })

  expect(removed.status).toBe(200)
  expect((await read())!.items.map((item) => item.id)).toEqual(['sun'])
  expect(await acts()).toEqual(['remove-order-item'])
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(404)
})

test.for([
  [
    'MSG-35',
    'orderItems',
    'update',
    'An Error has Occured while updating Item State',
    'adding Sales Record',
  ],
  [
    'MSG-36',
    'audit',
    'insert',
    'An Error has Occured while adding Sales Record...',
    'updating Item State',
  ],
  [
    'MSG-36',
    'sales',
    'insert',
    'An Error has Occured while adding Sales Record...',
    'updating Item State',
  ],
] as const)(
  'when one write of a sale fails, nothing is stored, and the page says which write failed [%s, S-086]',
  async ([, table, kind, message, messageOfOtherWrite]) => {
    const { shop, act, read, sales } = await openShopWithOrder()
    await refuseWrites(shop.db, shop.dialect, table, kind)

    const failed = await act({ intent: 'complete', itemId: 'moon', price: '' })

    expect(failed).toEqual({ status: 500, text: expect.stringContaining(message) })
    expect(failed.text).not.toMatch(new RegExp(`${messageOfOtherWrite}|Successfully|refused`))
    expect((await read())!.items[0]!.isSold).toBe(false)
    expect(await sales()).toEqual([])
  },
)
