import { expect, test } from 'vitest'
import { pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'

/** Opens a shop in which Ann has accepted an offer of $97.00 that is shipped. */
async function openUnpaid(settings?: Parameters<typeof openShopWithPayments>[0]) {
  const shop = await openShopWithPayments(settings)
  const { owner, ann, db, path } = shop
  const offerId = await shop.accepted({ isShipped: 'on' })
  return {
    ...shop,
    offerId,
    ship: (form: Record<string, string> = {}) =>
      owner.act(path, { intent: 'ship-parcel', offerId, seen: '0', ...form }),
    isShipped: async () =>
      Boolean(await db.selectFrom('parcels').select('shippedAt').executeTakeFirst()),
    conversation: () => owner.page(`/manage/messages/${ann.id}`),
  }
}

test('the owner ships an unpaid parcel only after a question that names the open amount, also without JavaScript [AGREE-133]', async () => {
  const { offerId, pay, ship, isShipped, conversation } = await openUnpaid()
  await pay('pay-deposit', offerId)
  const page = pageOf(await conversation())
  const question = page.getByText('$67.90 are not paid yet. Ship anyway?').closest('dialog')!
  const yes = within(question).getByRole('button', { name: 'Yes', hidden: true })
  expect([yes.getAttribute('name'), yes.getAttribute('value')]).toEqual(['confirm', 'Yes'])
  const form = yes.closest('form')!
  expect(within(form).getByLabelText('Tracking number')).toBeTruthy()
  // Enter in a field presses the first button of its form that sends it.
  const first = [...form.querySelectorAll('button')].find(({ type }) => type === 'submit')!
  expect(first.hasAttribute('name')).toBe(false)

  for (const confirm of ['', 'No']) {
    expect(await ship({ confirm })).toEqual({
      status: 409,
      text: expect.stringContaining('$67.90 are not paid yet, so the package is not marked'),
    })
  }
  expect(await isShipped()).toBe(false)
  expect((await ship({ confirm: 'Yes' })).status).toBe(200)
  expect(await isShipped()).toBe(true)
  expect(await conversation()).not.toContain('Ship anyway?')
})

test('a paid parcel, and a parcel in a shop without payments, is shipped without a question [AGREE-133]', async () => {
  const paid = await openUnpaid()
  await paid.pay('pay-total', paid.offerId)
  const unused = await openUnpaid({})
  for (const { ship, isShipped, conversation } of [paid, unused]) {
    expect(await conversation()).not.toContain('Ship anyway?')
    expect((await ship()).status).toBe(200)
    expect(await isShipped()).toBe(true)
  }
})

test('once all pieces of an agreement are ready, the list "To make" offers a prepared message about the balance, which the owner sends herself [AGREE-134]', async () => {
  const { owner, ann, customer, offerId, pay, messages } = await openUnpaid()
  await pay('pay-deposit', offerId)
  const step = async (intent: string, line: number) =>
    (await owner.act('/manage/queue/', { intent, id: `${offerId}-${line}` })).text
  const tells = async () =>
    pageOf(await owner.page('/manage/queue/')).queryAllByRole('link', {
      name: 'Tell ann: ready, $67.90 to pay',
    })
  const box = async (offer = offerId, person = ann.id) =>
    pageOf(await owner.page(`/manage/messages/${person}?ready=${offer}`))
      .getByLabelText('Message')
      .textContent!.trim()
  await step('start', 1)
  expect(await step('finish', 1)).not.toContain('not paid')
  expect(await tells()).toEqual([])
  expect(await box()).toBe('')

  await step('start', 2)
  expect(await tells()).toEqual([])
  const before = await messages()
  expect(await step('finish', 2)).toContain('Everything for ann is ready. $67.90 are not paid yet.')
  const links = await tells()
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/manage/messages/${ann.id}?ready=${offerId}`,
    `/manage/messages/${ann.id}?ready=${offerId}`,
  ])
  expect(await box()).toBe('Your order is ready. The balance to pay is $67.90.')
  const bea = await customer('bea@mail.test')
  await bea.act('/order-request', { itemId: 'sun', message: 'The sun, please' })
  expect(await box(offerId, bea.id)).toBe('')
  expect(await box('another')).toBe('')
  expect(await messages()).toEqual(before)

  await pay('pay-balance', offerId)
  expect(await tells()).toEqual([])
  expect(await box()).toBe('')
  expect(wordsOf(await owner.page('/manage/queue/'))).toContain('Step: Ready')
})
