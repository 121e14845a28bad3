import { expect, test } from 'vitest'
import { addColor } from '#test/fixtures/catalog.ts'
import { descriptionOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { type OfferForm, offerForm, openShopWithOffers } from '#test/fixtures/offers.ts'
import { offerTransitions, offerTotal } from './offer.ts'
import { expireOffers } from './offers.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { offerErrors, ownerOfferRefusals } from './owner-texts.ts'
import { offerRefusals } from './texts.ts'

const DAY = 86_400_000

const fieldIn = (page: ReturnType<typeof pageOf>, line: number, label: string) =>
  within(page.getByRole('group', { name: `Line ${line}` }))
    .getByLabelText(label)
    .getAttribute('value')

const valuesOf = (form: Element, name: string) =>
  Array.from(form.querySelectorAll<HTMLInputElement>(`[name=${name}]`), ({ value }) => value)

test('the owner sends an offer with lines, shipping and dates, which both sides see in the conversation [AGREE-01]', async () => {
  const { ann, owner, path, post, cards } = await openShopWithOffers()
  expect(wordsOf(await owner.page(path))).toMatch(/Offer for .*Moon wall.*Sun wall/)

  expect((await post()).status).toBe(302)

  const [card] = await cards()
  expect(card).toMatchObject({
    state: 'sent',
    lines: [
      {
        itemId: 'moon',
        name: 'Moon wall',
        color: 'Teal',
        notes: '60 cm',
        quantity: 1,
        cents: 8000,
      },
      { itemId: '', name: 'Engraved tag', quantity: 2, cents: 550 },
    ],
    ...{ shippingCents: 600, readyBy: '2026-03-20', validUntil: Date.UTC(2026, 2, 11) },
  })
  expect(offerTotal(card!)).toBe(9700)
  for (const page of [
    await ann.page('/?messages='),
    await owner.page(`/manage/messages/${ann.id}`),
  ]) {
    expect(page).toMatch(
      /Offer[\s\S]*Moon wall[\s\S]*Engraved tag[\s\S]*\$97\.00[\s\S]*March 20, 2026[\s\S]*March 10, 2026[\s\S]*For you/,
    )
  }
})

test('an offer becomes seen when the customer reads it, and the audit log records each change of its state [AGREE-02]', async () => {
  const { ann, send, state, ownerAct, acts } = await openShopWithOffers()
  const id = await send()
  await ann.act('/messages', { intent: 'read', seq: '99' })
  expect(await state(id)).toBe('seen')
  expect((await ownerAct('withdraw', id)).status).toBe(200)
  expect(await state(id)).toBe('withdrawn')
  expect((await acts()).toSorted()).toEqual(['send-offer', 'withdraw-offer'])
})

test('an offer becomes seen when the customer answers below it [AGREE-02]', async () => {
  const { ann, send, state } = await openShopWithOffers()
  const id = await send()
  await ann.act('/messages', { message: 'Thanks', seen: '99' })
  expect(await state(id)).toBe('seen')
})

test('a newer offer replaces the open offer, and a form that is sent twice creates one offer [AGREE-03]', async () => {
  const { post, send, offers, cards } = await openShopWithOffers()
  const first = await send({ id: 'SameOfferIdTwic' })
  await post({ id: 'SameOfferIdTwic' })
  expect(await offers()).toHaveLength(1)
  await send({ price: ['70', '5'] })
  expect((await cards()).map(({ state }) => state)).toEqual(['replaced', 'sent'])
  expect((await cards())[0]!.id).toBe(first)
})

test('the customer accepts an offer with one click, and a second click changes nothing [AGREE-04]', async () => {
  const { send, customerAct, state, messages } = await openShopWithOffers()
  const id = await send()
  for (const answer of [await customerAct('accept', id), await customerAct('accept', id)]) {
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Offer accepted') })
  }
  expect(await state(id)).toBe('accepted')
  expect((await messages()).filter((message) => message === 'I accept this offer.')).toHaveLength(1)
})

test('the customer can still accept an offer after asking for a change [AGREE-05]', async () => {
  const { send, customerAct, state, messages } = await openShopWithOffers()
  const id = await send()
  expect(await customerAct('request-change', id, { text: ' ' })).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please write'),
  })
  expect(await state(id)).toBe('sent')
  await customerAct('request-change', id, { text: 'Longer, please' })
  expect(await state(id)).toBe('change-requested')
  expect((await messages()).at(-1)).toBe('Longer, please')
  await customerAct('accept', id)
  expect(await state(id)).toBe('accepted')
})

test('after the acceptance, the order contains the agreed prices and the lines that the owner typed [AGREE-06]', async () => {
  const { owner, ann, send, customerAct, lines } = await openShopWithOffers()
  await customerAct('accept', await send())
  expect(
    (await lines()).map(({ name, agreedCents, quantity, color }) => ({
      name,
      agreedCents,
      quantity,
      color,
    })),
  ).toEqual([
    { name: 'Moon wall', agreedCents: 8000, quantity: 1, color: 'Teal' },
    { name: 'Sun wall', agreedCents: null, quantity: 1, color: '' },
    { name: 'Engraved tag', agreedCents: 1100, quantity: 2, color: '' },
  ])
  const order = pageOf(await owner.page(`/manage/messages/${ann.id}?view=order`))
  const row = order.getByText(/accepted by the customer: \$80\.00/).closest('li')!
  expect(within(row).getByLabelText('Sale price').getAttribute('value')).toBe('80.00')
  expect(order.getAllByText('2 × Engraved tag')).not.toEqual([])
})

test('the owner can cancel an accepted offer unless one of its pieces is sold [AGREE-07]', async () => {
  const { owner, ann, path, send, customerAct, ownerAct, state, lines } = await openShopWithOffers()
  const id = await send()
  expect((await ownerAct('cancel', id)).text).toContain(ownerOfferRefusals.sent)
  await customerAct('accept', id)
  expect((await owner.act(path, { intent: 'cancel', offerId: id })).status).toBe(400)
  const isOffered = async () =>
    (await owner.page(`/manage/messages/${ann.id}`)).includes('Cancel agreement')
  expect(await isOffered()).toBe(true)
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'complete', itemId: 'moon', price: '80' })
  expect(await isOffered()).toBe(false)
  expect(await ownerAct('cancel', id)).toMatchObject({
    status: 409,
    text: expect.stringContaining(offerRefusals.sold),
  })
  expect(await state(id)).toBe('accepted')

  const again = await openShopWithOffers()
  const unsold = await again.send()
  await again.customerAct('accept', unsold)
  await again.ownerAct('cancel', unsold)
  expect(await again.state(unsold)).toBe('canceled')
  expect((await again.lines()).map(({ name, agreedCents }) => [name, agreedCents])).toEqual([
    ['Moon wall', null],
    ['Sun wall', null],
  ])
  expect(await lines()).toHaveLength(3)
})

test('the owner cannot make an offer to a guest who has left [S-004]', async () => {
  const { owner, ann, db, path } = await openShopWithOffers()
  const view = `/manage/messages/${ann.id}?view=order`
  expect(await owner.page(view)).toContain('Make an offer')
  await db.updateTable('orders').set({ userId: null }).where('id', '=', ann.id).execute()
  expect(await owner.page(view)).not.toContain('Make an offer')
  expect((await owner.get(path)).status).toBe(302)
})

test('an offer expires exactly at its time, even if the job that stores this has not run [AGREE-08]', async () => {
  const { clock, services, send, customerAct, state, acts } = await openShopWithOffers()
  const id = await send()
  clock.now = Date.UTC(2026, 2, 11)
  expect(await customerAct('accept', id)).toMatchObject({
    status: 409,
    text: expect.stringContaining(offerRefusals.expired),
  })
  await expireOffers(services)
  expect(await state(id)).toBe('expired')
  expect(await acts()).toContain('expire-offer')

  const second = await send({ validUntil: '2026-03-12' })
  clock.now += 2 * DAY - 1
  expect((await customerAct('accept', second)).status).toBe(200)
})

test('an offer cannot contain a piece or typed line of an accepted offer [AGREE-82]', async () => {
  const { post, send, customerAct, ownerAct, state, lines } = await openShopWithOffers()
  const first = await send()
  await customerAct('accept', first)
  const tag = `offer-${first}-2`
  for (const itemId of ['moon', tag]) {
    const answer = await post({
      itemId,
      include: itemId,
      name: 'Piece',
      price: '7',
      quantity: '1',
      color: '',
      notes: '',
    })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain(offerErrors.agreed)
  }
  await ownerAct('cancel', first)
  const second = await send()
  expect((await customerAct('accept', second)).status).toBe(200)
  expect(await state(first)).toBe('canceled')
  expect(await state(second)).toBe('accepted')
  expect(await lines()).toHaveLength(3)
})

test.each<{ what: string; form: OfferForm; error: string; label?: string; line?: number }>([
  {
    what: 'no lines',
    form: { include: [], name: ['Moon wall', ''], price: ['80', ''] },
    error: 'Please add at least one line.',
  },
  {
    what: 'a price that is no price',
    form: { price: ['80', 'ten'] },
    error: 'Please type a price from 0 to 9,999,999.99, such as 45.50.',
    label: 'Price each',
    line: 2,
  },
  {
    what: 'a quantity of 0',
    form: { quantity: ['0', '1'] },
    error: 'Please type a whole number from 1 to 99.',
    label: 'Quantity',
    line: 1,
  },
  {
    what: 'a quantity of 100',
    form: { quantity: ['1', '100'] },
    error: 'Please type a whole number from 1 to 99.',
    label: 'Quantity',
    line: 2,
  },
  {
    what: 'a typed line without a name',
    form: { name: ['Moon wall', ''] },
    error: 'Please say what it is.',
    label: 'What it is',
    line: 2,
  },
  {
    what: 'a day in the past',
    form: { validUntil: '2026-03-03' },
    error: 'This day has passed.',
    label: 'Valid through',
  },
  {
    what: 'a day that does not exist',
    form: { readyBy: '2026-02-30' },
    error: 'Please choose a day.',
    label: 'Ready by (optional)',
  },
  {
    what: 'a date in two years',
    form: { validUntil: '2028-03-03' },
    error: 'At most 365 days from today.',
    label: 'Valid through',
  },
  {
    what: 'a long note',
    form: { notes: ['x'.repeat(201), ''] },
    error: 'At most 200 characters.',
    label: 'Size or notes',
    line: 1,
  },
  {
    what: 'a long message',
    form: { message: 'x'.repeat(10_001) },
    error: 'Please keep the message under 10,000 characters.',
    label: 'Message (optional)',
  },
  {
    what: '51 lines',
    form: { itemId: Array<string>(51).fill(''), name: Array<string>(51).fill('Tag') },
    error: 'An offer has at most 50 lines.',
  },
  {
    what: 'an item that is not requested',
    form: { itemId: ['star', ''], include: ['star'] },
    error: offerErrors['not-requested'],
  },
  {
    what: 'the same item twice',
    form: { itemId: ['moon', 'moon'] },
    error: offerErrors['not-requested'],
  },
  {
    what: 'shipping that is no price',
    form: { shipping: 'much' },
    error: 'Please type the price of shipping, such as 6.50, or leave it blank.',
    label: 'Shipping',
  },
  {
    what: 'a deposit that is no price',
    form: { deposit: 'half' },
    error: 'Please type the deposit, such as 20.00, or leave it blank.',
    label: 'Deposit',
  },
  {
    what: 'a deposit above the total',
    form: { deposit: '97.01' },
    error: 'The deposit is more than the total.',
    label: 'Deposit',
  },
])(
  'refuses an offer with $what next to the field, and keeps what the owner typed [AGREE-09]',
  async ({ form, error, label, line }) => {
    const { post, offers } = await openShopWithOffers()
    const sent = { ...offerForm, readyBy: '2026-03-21', ...form }
    const answer = await post(sent)
    expect(answer.status).toBeGreaterThanOrEqual(409)
    const page = pageOf(await answer.text())
    const alert = page.getByText(error)
    if (label) {
      const fields = line ? within(page.getByRole('group', { name: `Line ${line}` })) : page
      expect(descriptionOf(fields, label)).toBe(error)
    } else {
      expect(alert.getAttribute('role')).toBe('alert')
    }
    const fields = alert.closest('form')!
    for (const name of ['name', 'price', 'quantity', 'color', 'notes'] as const) {
      expect(valuesOf(fields, name).slice(0, sent[name].length)).toEqual(sent[name])
    }
    for (const name of ['shipping', 'deposit', 'readyBy', 'validUntil', 'message'] as const) {
      expect(valuesOf(fields, name)).toEqual([sent[name]])
    }
    const isIncluded = (box: Element) => box.hasAttribute('checked')
    const boxes = Array.from(fields.querySelectorAll('input[name=include]'))
    expect(boxes.every(isIncluded)).toBe(sent.include.length > 0)
    expect(await offers()).toEqual([])
  },
)

test('the owner changes the deposit of an offer, and its replacement keeps this deposit [AGREE-130]', async () => {
  const { db, owner, path, send, offers } = await openShopWithOffers()
  await saveSettings(db, { depositPercent: '30' }, 1)
  const sendAndReadDeposit = async (deposit: string) => {
    const sentId = await send({ deposit })
    return (await offers()).find(({ id }) => id === sentId)!.depositCents
  }
  const depositField = async () =>
    pageOf(await owner.page(path)).getByLabelText<HTMLInputElement>('Deposit')

  expect(await sendAndReadDeposit('')).toBe(2910)
  expect((await depositField()).value).toBe('')
  expect(await sendAndReadDeposit('97')).toBe(9700)
  expect((await depositField()).value).toBe('97.00')
  expect(await sendAndReadDeposit('0')).toBe(0)
  expect((await depositField()).value).toBe('0.00')
})

test('the owner adds an empty line to the offer form without losing the texts that she has typed [AGREE-09]', async () => {
  const { post, offers } = await openShopWithOffers()
  const answer = await post({ add: 'line', price: ['ten', '5'] })
  const page = pageOf(await answer.text())
  expect(fieldIn(page, 1, 'Price each')).toBe('ten')
  expect(fieldIn(page, 2, 'What it is')).toBe('Engraved tag')
  expect(fieldIn(page, 3, 'What it is')).toBe('')
  expect(await offers()).toEqual([])
})

test('"Sale Complete" uses the accepted price, and asks before it uses another price [AGREE-10]', async () => {
  const { act, sales, send, customerAct } = await openShopWithOffers()
  await customerAct('accept', await send())
  const complete = { intent: 'complete', itemId: 'moon', price: '60' }
  expect(await act(complete)).toMatchObject({
    status: 409,
    text: expect.stringContaining('The customer accepted $80.00.'),
  })
  expect(await sales()).toEqual([])
  expect((await act({ ...complete, otherPrice: 'on' })).status).toBe(200)
  expect((await sales()).map(({ salePriceCents }) => salePriceCents)).toEqual([6000])
})

test('a customer and a guest can act only on offers in their own conversations [AGREE-11]', async () => {
  const shop = await openShopWithOffers()
  const { owner, ann, offers, send, state, messages, customerAct } = shop
  const hers = await send({ isShipped: 'on' })
  const before = await messages()
  const address = { recipient: 'Bea', address: 'Elm Road 5' }
  const others = [await shop.customer('bea@mail.test'), await shop.guest()]
  for (const other of others) {
    await other.act('/order-request', { itemId: 'moon', message: 'Me too' })
    for (const intent of ['accept', 'request-change', 'give-address', 'confirm-arrival']) {
      const answer = await other.act('/offer', { intent, offerId: hers, text: 'Mine', ...address })
      expect(answer.status, intent).toBe(404)
    }
    const line = { itemId: '', name: 'Tag', price: '5', quantity: '1', color: '', notes: '' }
    await owner.act(`/manage/offer/${other.id}`, { ...line, validUntil: '2026-03-10' })
    const own = (await offers()).find(({ orderId }) => orderId === other.id)!.id
    expect((await customerAct('accept', own)).status).toBe(404)
    expect((await other.act('/offer', { intent: 'accept', offerId: own })).status).toBe(200)
    expect(await state(own)).toBe('accepted')
  }
  expect(await state(hers)).toBe('sent')
  expect(await messages()).toEqual(before)
  expect(await ann.page('/?messages=')).not.toContain('Elm Road 5')
})

test(
  'if the customer accepts an offer while the owner withdraws it, one action wins and the other person reads which one [AGREE-12]',
  { tags: ['random'] },
  async () => {
    const { send, customerAct, ownerAct, state } = await openShopWithOffers()
    for (let round = 0; round < 6; round++) {
      const id = await send({ itemId: ['', ''], include: [] })
      const [accepted, withdrawn] = await Promise.all([
        customerAct('accept', id),
        ownerAct('withdraw', id),
      ])
      expect([accepted.status, withdrawn.status].toSorted()).toEqual([200, 409])
      expect(await state(id)).toBe(accepted.status === 200 ? 'accepted' : 'withdrawn')
      if (accepted.status === 200) expect(withdrawn.text).toContain(ownerOfferRefusals.accepted)
      else expect(accepted.text).toContain(offerRefusals.withdrawn)
    }
  },
)

test('an offer whose piece was sold to another customer cannot be accepted [AGREE-13]', async () => {
  const { act, send, customerAct, state } = await openShopWithOffers()
  const id = await send()
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  expect(await customerAct('accept', id)).toMatchObject({
    status: 409,
    text: expect.stringContaining(offerRefusals.outdated),
  })
  expect(await state(id)).toBe('sent')
})

test('no action changes an offer that is in a final state', () => {
  const final = ['withdrawn', 'expired', 'replaced', 'canceled']
  for (const { from } of Object.values(offerTransitions)) {
    expect(from.filter((state) => final.includes(state))).toEqual([])
  }
})

test('a customer who too often asks for a change of an offer, or too often changes the address of a parcel, must wait [AGREE-05, AGREE-51]', async () => {
  const { ann, send, customerAct, messages } = await openShopWithOffers({ rateLimits: true })
  const id = await send({ isShipped: 'on' })
  for (let n = 0; n < 120; n++) await customerAct('request-change', id, { text: `No. ${n}` })
  const before = await messages()
  const refused = await customerAct('request-change', id, { text: 'One more' })
  expect(refused).toMatchObject({
    status: 429,
    text: expect.stringContaining('That was a lot in a short time'),
  })
  const typed = await ann.post('/offer', {
    intent: 'request-change',
    offerId: id,
    text: 'My long text',
    back: '/',
  })
  expect(typed.status).toBe(429)
  expect(await typed.text()).toContain('My long text')
  expect(typed.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await messages()).toEqual(before)
})

test('a new request for an agreed piece in another color does not change the agreed color [AGREE-06]', async () => {
  const { db, ann, send, customerAct, lines } = await openShopWithOffers()
  await customerAct('accept', await send())
  await addColor(db, 'rust', { name: 'Rust' })
  const { id: itemImageId } = await db
    .selectFrom('itemImages')
    .select('id')
    .where('itemId', '=', 'moon')
    .executeTakeFirstOrThrow()
  await db.insertInto('itemImageColors').values({ itemImageId, colorId: 'rust' }).execute()
  await ann.act('/order-request', { itemId: 'moon', message: 'Rather in rust', color: 'rust' })
  expect((await lines()).find(({ id }) => id === 'moon')).toMatchObject({
    color: 'Teal',
    agreedCents: 8000,
  })
})

test('the form for a new offer includes only the lines of the open offer, not the other requested pieces [AGREE-16]', async () => {
  const { owner, path, send } = await openShopWithOffers()
  await send({ isShipped: 'on' })
  const page = pageOf(await owner.page(path))
  const isIncluded = (name: string) =>
    page.getByRole('checkbox', { name: `Part of this offer: ${name}` }).hasAttribute('checked')
  expect(isIncluded('Moon wall')).toBe(true)
  expect(isIncluded('Sun wall')).toBe(false)
  expect(fieldIn(page, 1, 'Price each')).toBe('80.00')
  expect(fieldIn(page, 1, 'Size or notes')).toBe('60 cm')
  const tag = page.getByDisplayValue('Engraved tag').closest('fieldset')!
  expect(within(tag).getByLabelText('Price each').getAttribute('value')).toBe('5.50')
  expect(page.getByLabelText('Shipping').getAttribute('value')).toBe('6.00')
  expect(page.getByLabelText('Ready by (optional)').getAttribute('value')).toBe('2026-03-20')
})

test('the owner removes a line that she has added, and the offer form shows total and deposit [AGREE-95]', async () => {
  const { db, owner, path, post, offers } = await openShopWithOffers()
  await saveSettings(db, { depositPercent: '30' }, Date.now())
  expect(wordsOf(await owner.page(path))).toMatch(/Total \$[\d.]+ · Deposit \$[\d.]+/)
  const page = pageOf(await (await post({ remove: '1' })).text())
  expect(page.getAllByRole('group', { name: /^Line / })).toHaveLength(1)
  expect(fieldIn(page, 1, 'Price each')).toBe('80')
  expect(page.getByText('Total $86.00 · Deposit $25.80')).toBeTruthy()
  expect(wordsOf(await (await post({ add: 'line', price: ['ten', '5'] })).text())).toContain(
    'Total – · Deposit –',
  )
  expect(await offers()).toEqual([])
})

test('the form for a newer offer leaves out sold pieces and past days, and names these pieces [AGREE-96]', async () => {
  const { owner, ann, path, send, clock } = await openShopWithOffers()
  await send({ readyBy: '2026-03-05', validUntil: '2026-03-30' })
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'complete', itemId: 'moon', price: '80' })
  clock.now += 2 * DAY
  const page = pageOf(await owner.page(path))
  const note = 'Not offered again, because it is sold or no longer requested: Moon wall.'
  expect(page.getByText(note)).toBeTruthy()
  expect(page.queryByRole('checkbox', { name: /Moon wall/ })).toBeNull()
  expect(page.getByDisplayValue('Engraved tag')).toBeTruthy()
  expect(page.getByLabelText('Ready by (optional)').getAttribute('value')).toBe('')
})

test('the form of a first offer suggests the usual shipping fee, and asks for an address if there is such a fee [AGREE-100]', async () => {
  const { db, owner, path } = await openShopWithOffers()
  const read = async () => {
    const page = pageOf(await owner.page(path))
    const question = { name: 'Ask for an address when the offer is accepted' }
    return {
      shipping: page.getByLabelText('Shipping').getAttribute('value'),
      isAddressAsked: page.getByRole('checkbox', question).hasAttribute('checked'),
    }
  }
  expect(await read()).toEqual({ shipping: '', isAddressAsked: false })
  await saveSettings(db, { defaultShipping: '6.50' }, 1)
  expect(await read()).toEqual({ shipping: '6.50', isAddressAsked: true })
})
