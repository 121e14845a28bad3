import { expect, test } from 'vitest'
import { allWays, IBAN, openShopWithPayments } from '#test/fixtures/payments.ts'
import { errorsOf, fieldErrorOf, hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { changeSettings, readPaymentSettings } from '#settings/settings.server.ts'
import { defaultPaymentSettings, defaultSettings } from '#settings/setting-declarations.server.ts'
import { parseIban, parsePaymentName, parseRoutingNumber } from '#settings/payment-settings.ts'
import { paymentRefusals, paymentResults } from './owner-texts.ts'
import { epcText, paymentReference, waysToPay } from './payments.server.ts'

test('only the owner and customers with an accepted offer see the ways to pay [AGREE-40]', async () => {
  const { owner, ann, customer, visitor, db, send, customerAct } = await openShopWithPayments({})
  const typed = {
    ...{
      ...allWays,
      payPal: 'https://www.paypal.me/marisol',
      venmo: '@mari-sol',
      cashApp: '$marisol',
    },
    ...{
      iban: 'de89 3704 0044 0532 0130 00',
      depositPercent: '30 %',
      routingNumber: '021 000 021',
    },
  }
  expect((await owner.act('/manage/settings/', { ...defaultSettings, ...typed })).text).toContain(
    'Settings saved',
  )
  expect(await readPaymentSettings(db)).toEqual(allWays)
  const settings = pageOf(await owner.page('/manage/settings/'))
  for (const [label, value] of Object.entries({
    'PayPal.me': 'marisol',
    Venmo: 'mari-sol',
    'Cash App': 'marisol',
    IBAN,
    'Account number (US)': '123456789',
    'Another way to pay': 'Or a check.',
    'Deposit in percent': '30',
  })) {
    expect(settings.getByLabelText<HTMLInputElement>(label).value, label).toEqual(value)
  }
  const bea = await customer('bea@mail.test')
  await bea.act('/order-request', { itemId: 'moon', message: 'Me too' })
  const secrets = /DE89|mari-?sol|021000021|123456789|Or a check/
  const offerId = await send()
  const pages = ['/', '/contact/', '/about/', '/item/moon', '/gallery/']
  for (const path of pages) expect(await visitor().page(path)).not.toMatch(secrets)
  for (const path of [...pages, '/?messages=', '/account/orders/']) {
    expect(await ann.page(path)).not.toMatch(secrets)
  }
  await customerAct('accept', offerId)
  expect(await bea.page('/?messages=')).not.toMatch(secrets)

  const payment = within(
    pageOf(await ann.page('/?messages=')).getByRole('region', { name: 'Payment' }),
  )
  const hrefOf = (name: string) => payment.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('Pay with PayPal')).toContain('paypal.me/marisol')
  expect(hrefOf('Pay with Venmo')).toContain('mari-sol')
  expect(hrefOf('Pay with Cash App')).toContain('cash.app/$marisol')
  const texts = ['DE89 3704 0044 0532 0130 00', '021000021', '123456789', 'Or a check.', '$29.10']
  for (const text of texts) expect(payment.getByText(text)).toBeTruthy()
  expect(payment.getByText('Cash at handover')).toBeTruthy()
})

test.each([
  ['payPal', '@marisol', 'marisol'],
  ['payPal', 'paypal.me/marisol/25', 'marisol'],
  ['payPal', 'https://www.paypal.com/paypalme/marisol', 'marisol'],
  ['payPal', 'https://evil.test/marisol', null],
  ['payPal', 'paypal.me.evil.test/marisol', null],
  ['venmo', '@mari-sol_1', 'mari-sol_1'],
  ['venmo', 'venmo.com/u/mari-sol', 'mari-sol'],
  ['venmo', 'https://account.venmo.com/u/mari-sol?x=1', 'mari-sol'],
  ['venmo', 'two words', null],
  ['cashApp', '$marisol', 'marisol'],
  ['cashApp', 'https://cash.app/$marisol', 'marisol'],
  ['cashApp', 'cash.app/pay', null],
] as const)(
  'in the settings of %s, the text %s becomes the account name %s [AGREE-40]',
  (app, typed, name) => {
    expect(parsePaymentName(app, typed)).toBe(name)
  },
)

test('the settings page shows each error in the payment settings and the email address next to its field, and saves nothing [AGREE-41]', async () => {
  const { owner, db } = await openShopWithPayments({})
  const typed = {
    ...{
      payPal: 'a b',
      venmo: 'https://x.test/',
      iban: 'DE89370400440532013001',
      bic: 'NO',
      routingNumber: '021000022',
      accountNumber: '12',
    },
    ...{ depositPercent: '101', city: 'Knotville', email: 'ida@' },
  }
  const answer = await owner.post('/manage/settings/', {
    ...defaultSettings,
    ...defaultPaymentSettings,
    ...typed,
  })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(Object.keys(errorsOf(pageOf(html)))).toEqual([
    'Email',
    'PayPal.me',
    'Venmo',
    'Account holder',
    'IBAN',
    'BIC',
    'Routing number (US)',
    'Account number (US)',
    'Deposit in percent',
  ])
  expect(pageOf(html).getByDisplayValue('DE89370400440532013001')).toBeTruthy()
  expect(await db.selectFrom('settings').select('key').execute()).toEqual([])

  const lonely = await owner.post('/manage/settings/', {
    ...defaultSettings,
    ...defaultPaymentSettings,
    iban: IBAN,
    routingNumber: '021000021',
    email: 'ida@',
  })
  expect(Object.keys(errorsOf(pageOf(await lonely.text())))).toEqual([
    'Email',
    'Account holder',
    'Account number (US)',
  ])
  expect(
    [
      'GB82 WEST 1234 5698 7654 32',
      'FR14 2004 1010 0505 0001 3M02 606',
      'GB82 TEST 1234 5698 7654 32',
      '89',
      '',
    ].map(parseIban),
  ).toEqual([...['GB82WEST12345698765432', 'FR1420041010050500013M02606', null, null, '']])
  expect(['021000021', '000000000', '12345678', '121000358'].map(parseRoutingNumber)).toEqual([
    '021000021',
    null,
    null,
    '121000358',
  ])
})

test('an offer keeps the deposit percentage of the day on which it was sent [AGREE-42]', async () => {
  const { ann, services, send, cards, offers } = await openShopWithPayments()
  await send({ price: ['33.35', '0'], quantity: ['1', '1'], shipping: '' })
  expect((await cards())[0]).toMatchObject({ depositCents: 1001 })
  expect(wordsOf(await ann.page('/?messages='))).toContain('Deposit due when you accept $10.01')
  await changeSettings(services, 'owner', { depositPercent: '50' })
  await send()
  expect((await offers()).map(({ depositCents }) => depositCents).toSorted()).toEqual([1001, 4850])
})

test('a shop without ways to be paid shows no payments for an accepted offer [AGREE-42]', async () => {
  const { ann, owner, path, accepted, cards } = await openShopWithPayments({})
  await accepted()
  expect((await cards())[0]).toMatchObject({ depositCents: 0 })
  expect((await cards())[0]).not.toHaveProperty('payment')
  for (const page of [
    await ann.page('/?messages='),
    await owner.page(path.replace('offer', 'messages')),
  ]) {
    expect(page).not.toMatch(/KL-|Mark as paid|To pay/)
  }
  expect(await owner.page('/manage/')).not.toContain('Unpaid amounts')
})

test('an accepted offer is first unpaid, then its deposit is paid, then everything is paid [AGREE-43]', async () => {
  const { ann, owner, path, accepted, pay, payment, payments, acts, changedTopics } =
    await openShopWithPayments()
  const id = await accepted()
  expect(await payment()).toMatchObject({
    state: 'unpaid',
    due: { kind: 'deposit', cents: 2910, rest: 6790 },
  })

  expect((await pay('pay-deposit', id)).text).toContain(paymentResults.marked)
  expect(await payment()).toMatchObject({
    state: 'deposit-paid',
    due: { kind: 'balance', cents: 6790, rest: 0 },
  })
  await pay('pay-balance', id, { method: 'cash', paidOn: '2026-03-03' })
  expect(await payment()).toMatchObject({ state: 'paid', due: null })
  expect(await payments()).toEqual([
    { kind: 'deposit', cents: 2910, paidOn: '2026-03-04', method: 'payPal' },
    { kind: 'balance', cents: 6790, paidOn: '2026-03-03', method: 'cash' },
  ])
  for (const page of [
    await ann.page('/?messages='),
    await owner.page(path.replace('offer', 'messages')),
  ]) {
    expect(wordsOf(page)).toMatch(
      /Paid Deposit paid on March 04, 2026, PayPal \$29\.10 Balance paid on March 03, 2026, cash \$67\.90/,
    )
  }

  for (const [undo, state] of [
    ['undo-balance', 'deposit-paid'],
    ['undo-deposit', 'unpaid'],
  ] as const) {
    const [cash] = (await payments()).filter(({ kind }) => kind === 'balance')
    expect(
      (await pay(undo, id, cash && { paidOn: cash.paidOn, method: cash.method })).text,
    ).toContain(paymentResults.takenBack)
    expect((await payment())?.state).toBe(state)
  }
  await pay('pay-total', id)
  expect(await payments()).toEqual([
    { kind: 'balance', cents: 9700, paidOn: '2026-03-04', method: 'payPal' },
  ])
  await pay('undo-total', id)
  expect(await payments()).toEqual([])
  const paid = (await acts()).filter((act) => act.endsWith('payment')).toSorted()
  expect(paid).toEqual([
    ...Array<string>(3).fill('record-payment'),
    ...Array<string>(3).fill('take-back-payment'),
  ])
  expect(changedTopics).toContain(`order:${ann.id}`)
  expect(wordsOf(await owner.page('/manage/history/'))).toContain('Marked $97.00 from')
})

test('an accepted offer shows amount, reference, and a link or bank data for each way to pay [AGREE-44]', async () => {
  const { ann, services, accepted, payment } = await openShopWithPayments(allWays)
  const id = await accepted()
  const reference = paymentReference(id)
  expect(reference).toMatch(/^KL-[2-9A-Z]{5}$/)
  const html = await ann.page('/?messages=')
  const page = pageOf(html)
  expect(hrefsIn(page)).toEqual(
    expect.arrayContaining([
      'https://paypal.me/marisol/29.10USD',
      `https://venmo.com/mari-sol?txn=pay&amount=29.10&note=${reference}`,
      'https://cash.app/$marisol/29.10',
    ]),
  )
  const words = wordsOf(html)
  expect(words).toContain(
    `Deposit to pay $29.10 The remaining $67.90 is due later. Reference ${reference}`,
  )
  expect(words).toMatch(
    /Marisol Knot IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX.*Routing number 021000021.*Cash at handover.*Or a check\./,
  )
  expect(page.getAllByLabelText(/^QR code: /)).toHaveLength(3)
  await changeSettings(services, 'owner', { name: 'Another name' })
  expect((await payment())?.reference).toBe(reference)
})

test('bank transfers have a QR code only in euros, and Venmo and Cash App need US dollars [AGREE-44]', () => {
  const asked = { cents: 2910, reference: 'KL-7F3K2' }
  const euros = waysToPay(allWays, {
    ...asked,
    currency: { code: 'EUR', symbol: '€', position: 'after' },
  })
  expect(euros.map(({ way, qr }) => [way, qr !== undefined])).toEqual([
    ...[
      ['payPal', true],
      ['bank', true],
      ['usBank', false],
      ['cash', false],
      ['other', false],
    ],
  ])
  expect(epcText({ ...allWays, amount: '29.10', reference: 'KL-7F3K2' })).toBe(
    `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMarisol Knot\n${IBAN}\nEUR29.10\n\n\nKL-7F3K2`,
  )
  const pesos = waysToPay(allWays, {
    ...asked,
    currency: { code: 'COP', symbol: '$', position: 'before' },
  })
  expect(pesos[0]?.href).toBe('https://paypal.me/marisol')
  expect(pesos.find(({ way }) => way === 'bank')?.qr).toBeUndefined()
})

test('the shop ignores amounts and references that a browser sends, and records only payments from the owner [AGREE-45]', async () => {
  const { ann, customerAct, accepted, pay, payments } = await openShopWithPayments()
  const id = await accepted()
  await pay('pay-deposit', id, {
    cents: '1',
    amount: '0.01',
    reference: 'KL-00000',
    kind: 'balance',
  })
  expect(await payments()).toMatchObject([{ kind: 'deposit', cents: 2910 }])
  expect(
    (await customerAct('pay-balance', id, { paidOn: '2026-03-04', method: 'cash' })).status,
  ).toBe(400)
  expect(
    (
      await ann.act(`/manage/offer/${ann.id}`, {
        intent: 'pay-balance',
        offerId: id,
        method: 'cash',
      })
    ).status,
  ).not.toBe(200)
  expect(await payments()).toHaveLength(1)
})

test('a double click on the form records one payment [AGREE-45]', async () => {
  const { accepted, pay, payments, acts } = await openShopWithPayments()
  const id = await accepted()
  const answers = await Promise.all([pay('pay-deposit', id), pay('pay-deposit', id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await pay('pay-deposit', id, { method: 'cash' })).toMatchObject({
    status: 409,
    text: expect.stringContaining(paymentRefusals['deposit-paid']),
  })
  expect((await pay('pay-total', id)).text).toContain(paymentRefusals['deposit-paid'])
  await pay('pay-balance', id)
  for (const [undo, position] of Object.entries({ 'undo-deposit': '1', 'undo-total': '2' })) {
    expect((await pay(undo, id, { position })).text).toContain(paymentRefusals['not-last'])
  }
  expect((await acts()).filter((act) => act === 'record-payment')).toHaveLength(2)
  expect((await pay('undo-balance', id)).status).toBe(200)
  expect((await pay('undo-balance', id)).status).toBe(200)
  expect(await payments()).toHaveLength(1)
})

test('the payment form shows an error next to a future or invalid day and next to an unknown method [AGREE-46]', async () => {
  const { accepted, pay, payments, send } = await openShopWithPayments()
  const id = await accepted()
  for (const [form, error] of [
    [{ paidOn: '2026-03-05' }, paymentResults.futureDay],
    [{ paidOn: 'soon' }, paymentResults.badDay],
    [{ method: 'gold' }, paymentResults.badMethod],
  ] as const) {
    const refused = await pay('pay-deposit', id, form)
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(error) })
    expect(refused.text).toMatch(fieldErrorOf(Object.keys(form)[0]!))
  }
  expect((await pay('undo-deposit', id, { confirm: 'No' })).status).toBe(400)
  expect(await payments()).toEqual([])
  await pay('pay-deposit', id, { paidOn: '' })
  expect(await payments()).toMatchObject([{ paidOn: '2026-03-04' }])
  expect((await pay('pay-deposit', 'no-such-offer')).status).toBe(404)
  const open = await send({ itemId: ['', ''], include: [] })
  expect((await pay('pay-total', open)).text).toContain(paymentRefusals['not-accepted'])
})

test('an offer that costs nothing counts as paid, and a deposit of the whole amount counts as the total payment [AGREE-46]', async () => {
  const { accepted, pay, payment, payments, ann } = await openShopWithPayments({
    depositPercent: '100',
  })
  const free = await accepted({ price: ['0', '0'], shipping: '' })
  expect(await payment()).toMatchObject({ state: 'paid', due: null })
  expect(wordsOf(await ann.page('/?messages='))).toContain('Nothing to pay')
  expect((await pay('pay-total', free)).status).toBe(409)
  expect(await payments()).toEqual([])

  const shopWithFullDeposit = await openShopWithPayments({ depositPercent: '100' })
  const id = await shopWithFullDeposit.accepted()
  expect(await shopWithFullDeposit.payment()).toMatchObject({
    due: { kind: 'total', cents: 9700, rest: 0 },
  })
  expect((await shopWithFullDeposit.pay('pay-deposit', id)).status).toBe(409)
  await shopWithFullDeposit.pay('pay-total', id)
  expect((await shopWithFullDeposit.payment())?.state).toBe('paid')
})

test('a canceled offer shows what was paid, and asks for no further payment [AGREE-46]', async () => {
  const { ownerAct, accepted, pay, payment } = await openShopWithPayments()
  const id = await accepted()
  await pay('pay-deposit', id)
  await ownerAct('cancel', id)
  expect(await payment()).toMatchObject({ due: null, payments: [{ kind: 'deposit' }] })
  expect((await pay('pay-balance', id)).status).toBe(409)
  await pay('undo-deposit', id)
  expect(await payment()).toBeUndefined()
})

test('the dashboard and Reports show number and sum of the accepted offers that are not fully paid [AGREE-47]', async () => {
  const { owner, ann, clock, accepted, pay, ownerAct } = await openShopWithPayments()
  const pages = async () =>
    [wordsOf(await owner.page('/manage/')), wordsOf(await owner.page('/manage/reports/'))] as const
  for (const page of await pages()) expect(page).not.toContain('Unpaid amounts')
  const first = await accepted({
    include: [],
    itemId: '',
    name: 'Tag',
    price: '10',
    quantity: '1',
    color: '',
    notes: '',
  })
  clock.now += 60_000
  const second = await accepted()
  await pay('pay-deposit', second)
  const [, reports] = await pages()
  expect(reports).toContain('2 accepted offers, not fully paid: $83.90 in total.')
  const amounts = pageOf(await owner.page('/manage/')).getByRole('region', {
    name: 'Unpaid amounts',
  })
  for (const text of ['$16.00', '$67.90', paymentReference(second), 'All unpaid amounts: $83.90']) {
    expect(amounts.textContent).toContain(text)
  }
  expect(hrefsIn(within(amounts))).toContain(`/manage/messages/${ann.id}`)

  await pay('pay-balance', second)
  await ownerAct('cancel', first)
  for (const page of await pages()) expect(page).not.toContain('Unpaid amounts')
})

test('the owner reads before and after she cancels an agreement how much she must return, and the customer reads what is not returned yet [AGREE-07, AGREE-43, AGREE-121, AGREE-125]', async () => {
  const { owner, ann, accepted, pay, ownerAct } = await openShopWithPayments()
  const id = await accepted()
  const page = async () => wordsOf(await owner.page(`/manage/messages/${ann.id}`))
  expect(await page()).not.toContain('You must return this money yourself.')
  await pay('pay-deposit', id)
  expect(await page()).toContain('$29.10 is marked as paid. You must return this money yourself.')
  await pay('pay-balance', id)
  await ownerAct('cancel', id)
  expect(await page()).toMatch(
    /Offer Canceled .*aid on March 04, 2026, PayPal \$67\.90 Return \$97\.00 to the customer, and then undo each payment\./,
  )
  await pay('undo-balance', id)
  expect(await page()).toContain('Return $29.10 to the customer')
  const annsCard = wordsOf(await ann.page('/?messages='))
  expect(annsCard).not.toContain('Return $')
  expect(annsCard).toContain('PayPal $29.10 Not returned yet $29.10')
  await pay('undo-deposit', id)
  expect(await page()).not.toContain('Return $')
})

test('at the top of the conversation, the customer reads what to do next after she has accepted an offer [AGREE-147]', async () => {
  const { ann, send, customerAct, pay } = await openShopWithPayments()
  const steps = async () => {
    const page = pageOf(await ann.page('/?messages='))
    const links = page.queryByRole('navigation', { name: 'What to do next' })?.querySelectorAll('a')
    return Array.from(links ?? [], (link) => {
      const anchor = link.getAttribute('href')!.slice(1)
      return `${link.textContent} in ${page.getByRole('log').querySelector(`[id="${anchor}"]`)?.getAttribute('aria-label')}`
    })
  }
  const id = await send({ isShipped: 'on' })
  expect(await steps()).toEqual([])
  await customerAct('accept', id)
  expect(await steps()).toEqual([
    'Pay the deposit $29.10 in Payment',
    'Give your address in Package',
  ])
  await pay('pay-deposit', id)
  await customerAct('give-address', id, { recipient: 'Ann', address: 'Main Street 1' })
  expect(await steps()).toEqual(['Pay the balance $67.90 in Payment'])
  await pay('pay-balance', id)
  expect(await steps()).toEqual([])
})
