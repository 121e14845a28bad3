import { expect, test } from 'vitest'
import { fieldErrorOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { addItem } from '#test/fixtures/catalog.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { unzipped } from '#test/fixtures/backups.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { deleteAccount } from '#account/delete-account/delete-account.server.ts'
import { openSmtp } from '#test/fixtures/email.ts'
import { type Person } from '#test/fixtures/test-shop.ts'
import { carriers, mayDo, parcelState, parcelTransitions, trackingLink } from './parcel.ts'
import { addressErrors, parcelMessages, parcelRefusals } from './texts.ts'
import { trackingErrors } from './owner-texts.ts'

const STREET = 'Secret Street 5'
const HOME = { recipient: 'Ann Buyer', address: `${STREET}\nAsheville, NC 28801` }

/** Opens a shop in which Ann has accepted an offer whose pieces are shipped. */
async function openShopWithParcel(options: Parameters<typeof openShopWithOffers>[0] = {}) {
  const shop = await openShopWithOffers(options)
  const { ann, owner, path, db, customerAct, send } = shop
  const id = await send({ isShipped: 'on' })
  await customerAct('accept', id)
  const parcel = () =>
    db.selectFrom('parcels').selectAll().where('offerId', '=', id).executeTakeFirst()
  return {
    ...shop,
    id,
    parcel,
    give: (form: Partial<typeof HOME> = {}, who: Person = ann) =>
      who.act('/offer', { intent: 'give-address', offerId: id, ...HOME, ...form }),
    ship: async (form: Record<string, string> = {}) =>
      owner.act(path, {
        intent: 'ship-parcel',
        offerId: id,
        seen: String((await parcel())?.changedAt ?? 0),
        ...form,
      }),
    correct: (form: Record<string, string>) =>
      owner.act(path, { intent: 'correct-tracking', offerId: id, ...form }),
    arrive: () => customerAct('confirm-arrival', id),
    customerPage: () => ann.page('/?messages='),
    ownerPage: () => owner.page(`/manage/messages/${ann.id}`),
    emails: () => db.selectFrom('outbox').selectAll().where('kind', '=', 'shipped').execute(),
  }
}

test('the customer gives an address for an accepted offer, and corrects it until the parcel is shipped [AGREE-50]', async () => {
  const { give, ship, parcel, acts, messages, customerPage, ownerPage } = await openShopWithParcel()
  const page = pageOf(await customerPage())
  expect(page.getByText(/^Where should the package go\?/)).toBeTruthy()
  expect(page.getByLabelText('Name on the package').getAttribute('name')).toBe('recipient')
  expect(page.getByLabelText('Address').getAttribute('name')).toBe('address')
  expect(await ownerPage()).toContain('The customer has not given an address yet.')

  expect(await give()).toMatchObject({
    status: 200,
    text: expect.stringContaining('Address saved.'),
  })
  for (const page of [await customerPage(), await ownerPage()]) expect(page).toContain(STREET)
  expect(await give({ address: ' 7 Elm Road \r\n\r\n Boone ' })).toMatchObject({ status: 200 })
  await give({ address: '7 Elm Road\nBoone' })
  expect(await parcel()).toMatchObject({
    recipient: 'Ann Buyer',
    address: '7 Elm Road\nBoone',
    shippedAt: null,
  })
  expect((await messages()).slice(-2)).toEqual([
    parcelMessages['give-address'],
    parcelMessages['change-address'],
  ])

  await ship()
  expect(await give({ address: 'Too late' })).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals.shipped),
  })
  expect((await parcel())?.address).toBe('7 Elm Road\nBoone')
  expect((await acts()).filter((act) => act === 'give-address')).toHaveLength(2)
})

test('the shop asks for no address if the offer is not accepted, is canceled or needs no parcel [AGREE-50]', async () => {
  const { ann, send, customerAct, ownerAct, db } = await openShopWithOffers()
  const give = (offerId: string) => ann.act('/offer', { intent: 'give-address', offerId, ...HOME })
  const asksForAddress = async () => (await ann.page('/?messages=')).includes('Name on the package')
  const open = await send({ isShipped: 'on' })
  expect(await asksForAddress()).toBe(false)
  expect(await give(open)).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals['not-accepted']),
  })
  await customerAct('accept', open)
  await ownerAct('cancel', open)
  expect(await give(open)).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals['not-accepted']),
  })
  const handedOver = await send()
  await customerAct('accept', handedOver)
  expect(await asksForAddress()).toBe(false)
  expect(await give(handedOver)).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals['not-shipped']),
  })
  expect(await db.selectFrom('parcels').selectAll().execute()).toEqual([])
})

test.each([
  { what: 'without a name', form: { recipient: ' ' }, error: addressErrors.noRecipient },
  {
    what: 'with an invisible name',
    form: { recipient: '\u200B' },
    error: addressErrors.noRecipient,
  },
  { what: 'of emoji only', form: { address: '🏠\u200D🏡' }, error: addressErrors.noAddress },
  {
    what: 'of 9 lines of an old computer',
    form: { address: 'x\r'.repeat(9) },
    error: 'under 300 characters and 8 lines',
  },
  { what: 'without an address', form: { address: ' \n ' }, error: addressErrors.noAddress },
  { what: 'with a long name', form: { recipient: 'x'.repeat(121) }, error: 'under 120 characters' },
  {
    what: 'of 10,000 characters',
    form: { address: 'x'.repeat(10_000) },
    error: 'under 300 characters and 8 lines',
  },
  {
    what: 'of 9 lines',
    form: { address: 'x\n'.repeat(9) },
    error: 'under 300 characters and 8 lines',
  },
])(
  'an address $what is refused with an error next to the field, and without JavaScript the response contains the typed text [AGREE-51]',
  async ({ form, error }) => {
    const { ann, id, give, parcel } = await openShopWithParcel()
    const refused = await give(form)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(error)
    expect(refused.text).toMatch(fieldErrorOf(Object.keys(form)[0]!))
    const typed = { ...HOME, ...form }
    const plain = await ann.post('/offer', {
      intent: 'give-address',
      offerId: id,
      ...typed,
      back: '/?messages=',
    })
    const text = await plain.text()
    expect(plain.status).toBe(422)
    for (const part of [error, typed.recipient.trim(), typed.address.trim()]) {
      expect(text).toContain(part)
    }
    expect(await parcel()).toBeUndefined()
  },
)

test.each([
  { recipient: 'منى الحسيني', address: 'شارع الورد ١٢\nعمّان 11181' },
  { recipient: '山田 花子', address: '〒150-0001\n東京都渋谷区神宮前1-2-3' },
  { recipient: 'Λυδία Ķēniņš', address: 'Οδός Ερμού 5\n105 63 Αθήνα' },
])('an address in another alphabet is stored as typed: $recipient [AGREE-51]', async (home) => {
  const { give, parcel, ownerPage } = await openShopWithParcel()
  await give(home)
  expect(await parcel()).toMatchObject(home)
  expect(await ownerPage()).toContain(home.address.split('\n')[1])
})

test('the shop removes control characters from an address [AGREE-51]', async () => {
  const { give, parcel } = await openShopWithParcel()
  await give({ recipient: 'Ann\nBuyer\u0007', address: 'Elm\u202E Road\t5\nBoone\u0000' })
  expect(await parcel()).toMatchObject({ recipient: 'Ann Buyer', address: 'Elm Road 5\nBoone' })
})

test('the address of a guest is deleted when she logs out, and her conversation stays [AGREE-50, AGREE-59]', async () => {
  const { guest, db, clock, owner } = await openShopWithOffers()
  await addItem(db, 'star', 'walls', { name: 'A star' })
  const gina = await guest()
  await gina.act('/order-request', { itemId: 'star', message: 'The star' })
  await gina.act('/messages', { intent: 'send', message: 'Hello' })
  const form = {
    itemId: '',
    name: 'A star',
    price: '30',
    quantity: '1',
    color: '',
    notes: '',
    validUntil: '2026-03-10',
    isShipped: 'on',
  }
  expect((await owner.post(`/manage/offer/${gina.id}`, form)).status).toBe(302)
  const { id } = await db.selectFrom('offers').select('id').executeTakeFirstOrThrow()
  await gina.act('/offer', { intent: 'accept', offerId: id })
  expect(pageOf(await gina.page('/?messages=')).getByLabelText('Name on the package')).toBeTruthy()
  clock.now += 1
  expect((await gina.act('/offer', { intent: 'give-address', offerId: id, ...HOME })).status).toBe(
    200,
  )
  expect(await gina.page('/?messages=')).toContain(STREET)
  await gina.post('/logout', { confirm: 'Yes' })
  expect(await owner.page(`/manage/messages/${gina.id}`)).toContain(parcelMessages['give-address'])
  expect(await db.selectFrom('parcels').selectAll().execute()).toEqual([])
})

test('no log, audit row, email, message or live update contains the address of a parcel [AGREE-52]', async () => {
  const smtp = await openSmtp()
  const shop = await openShopWithParcel({ smtpUrl: smtp.url })
  const { customer, guest, visitor, give, ship, arrive, parcel, db, logged } = shop
  await give()
  const before = await parcel()
  for (const other of [await customer('bea@mail.test'), await guest()]) {
    await other.act('/messages', { intent: 'send', message: 'Mine' })
    expect(await give({ address: 'Stolen' }, other)).toMatchObject({ status: 404 })
    expect(
      await other.act('/offer', { intent: 'confirm-arrival', offerId: shop.id }),
    ).toMatchObject({ status: 404 })
    expect((await other.get(`/messages/earlier/${shop.ann.id}?before=99`)).status).toBe(404)
    expect(await other.page('/?messages=')).not.toContain(STREET)
    expect((await other.get(`/manage/packing-slip/${shop.id}`)).status).toBe(302)
  }
  expect(
    (await visitor().post('/offer', { intent: 'give-address', offerId: shop.id, ...HOME })).status,
  ).toBe(401)
  expect(await parcel()).toEqual(before)
  await ship({ carrier: 'ups', trackingNumber: '1Z999' })
  await arrive()
  await shop.outbox.deliverDue()
  const rows = [
    await db.selectFrom('audit').selectAll().execute(),
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('messages').selectAll().execute(),
  ]
  expect(rows.map((table) => table.length > 2 || table.length === 1)).toEqual([true, true, true])
  expect(JSON.stringify([rows, smtp.received, logged, shop.changedTopics])).not.toMatch(
    /Secret|Asheville/,
  )
})

test('the owner marks the parcel as shipped once, and its card then links to the page of the carrier [AGREE-53]', async () => {
  const { give, ship, correct, arrive, parcel, messages, acts, customerPage, ownerPage } =
    await openShopWithParcel()
  await give()
  const tracking = { carrier: 'usps', trackingNumber: '9400 1000 0000' }
  for (const answer of [await ship(tracking), await ship(tracking)]) expect(answer.status).toBe(200)
  expect(await ship({ carrier: 'ups', trackingNumber: '1Z' })).toMatchObject({ status: 409 })
  expect(
    (await messages()).filter((message) => message === parcelMessages['ship-parcel']),
  ).toHaveLength(1)
  for (const page of [await customerPage(), await ownerPage()]) {
    const link = pageOf(page)
      .getByText(/USPS 940010000000/)
      .closest('a')!
    expect(link.getAttribute('href')).toBe(
      'https://tools.usps.com/go/TrackConfirmAction?tLabels=940010000000',
    )
    expect(wordsOf(page)).toMatch(/On its way since.*USPS 940010000000/)
  }

  expect(
    (await correct({ carrier: 'other', trackingUrl: 'https://track.example/?id=5' })).status,
  ).toBe(200)
  expect(await parcel()).toMatchObject({
    carrier: 'other',
    trackingNumber: '',
    trackingUrl: 'https://track.example/?id=5',
  })
  const link = pageOf(await customerPage())
    .getByText(/track\.example/)
    .closest('a')!
  expect(link.getAttribute('href')).toBe('https://track.example/?id=5')

  await arrive()
  expect(await correct({ carrier: 'ups', trackingNumber: '1' })).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals.arrived),
  })
  expect(await parcel()).toMatchObject({ carrier: 'other' })
  expect((await acts()).toSorted()).toEqual([
    'accept-offer',
    'confirm-arrival',
    'correct-tracking',
    'give-address',
    'send-offer',
    'ship-parcel',
  ])
})

test.each([
  { form: { carrier: 'pigeon', trackingNumber: '1' }, error: trackingErrors.badCarrier },
  { form: { carrier: '', trackingNumber: '1Z999' }, error: trackingErrors.badCarrier },
  { form: { carrier: 'ups' }, error: trackingErrors.noNumber },
  { form: { carrier: 'ups', trackingNumber: '1Z<b>' }, error: trackingErrors.badNumber(40) },
  { form: { carrier: 'ups', trackingNumber: '1'.repeat(41) }, error: trackingErrors.badNumber(40) },
  { form: { carrier: 'other', trackingUrl: '' }, error: trackingErrors.badLink },
  {
    form: { carrier: 'other', trackingUrl: 'http://track.example/5' },
    error: trackingErrors.badLink,
  },
  { form: { carrier: 'other', trackingUrl: 'javascript:alert(1)' }, error: trackingErrors.badLink },
  {
    form: { carrier: 'other', trackingUrl: 'https://ups.com@evil.example/' },
    error: trackingErrors.badLink,
  },
  {
    form: { carrier: 'other', trackingUrl: `https://track.example/${'x'.repeat(500)}` },
    error: trackingErrors.longLink(500),
  },
] as { form: Record<string, string>; error: string }[])(
  'invalid tracking data such as $form is refused, and the parcel is not marked as shipped [AGREE-53]',
  async ({ form, error }) => {
    const { give, ship, parcel } = await openShopWithParcel()
    await give()
    const answer = await ship(form)
    expect(answer.status).toBe(422)
    expect(answer.text.includes(error)).toBe(true)
    expect((await parcel())?.shippedAt).toBeNull()
  },
)

test('a tracking number cannot change the protocol, host or fragment of its link', () => {
  for (const carrier of Object.keys(carriers)) {
    const tracking = { carrier, trackingUrl: '' }
    const host = new URL(trackingLink({ ...tracking, trackingNumber: '1' })!).host
    const url = new URL(trackingLink({ ...tracking, trackingNumber: '@evil.test/?&x=1#y' })!)
    expect(url.protocol).toBe('https:')
    expect(url.host).toEqual(host)
    expect(url.hash).toBe('')
  }
})

test('the owner cannot ship to an address that the customer has changed meanwhile [AGREE-54]', async () => {
  const { give, ship, parcel, clock } = await openShopWithParcel()
  await give()
  const seen = String((await parcel())!.changedAt)
  await give({ address: '7 Elm Road' })
  expect(await ship({ seen })).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals['other-address']),
  })
  expect((await parcel())?.shippedAt).toBeNull()

  clock.now += 1
  const [changed, shipped] = await Promise.all([give({ address: '8 Elm Road' }), ship()])
  expect([changed.status, shipped.status].toSorted()).toEqual([200, 409])
  expect(await parcel()).toMatchObject(
    changed.status === 200
      ? { address: '8 Elm Road', shippedAt: null }
      : { address: '7 Elm Road', shippedAt: clock.now },
  )
})

test('the owner can ship a parcel whose address the customer has not typed [AGREE-53]', async () => {
  const { ship, give, parcel } = await openShopWithParcel()
  expect((await ship()).status).toBe(200)
  expect(await parcel()).toMatchObject({
    recipient: '',
    trackingNumber: '',
    shippedAt: expect.any(Number),
  })
  expect((await give()).status).toBe(409)
})

test('a customer with an email address gets one email when her parcel is on its way, without a name that a stranger may have typed [AGREE-55, S-425]', async () => {
  const smtp = await openSmtp()
  const withMail = await openShopWithParcel({ smtpUrl: smtp.url })
  await withMail.db
    .updateTable('user')
    .set({ name: 'Win at evil.test' })
    .where('id', '=', withMail.ann.id)
    .execute()
  await withMail.give()
  await withMail.ship({ carrier: 'ups', trackingNumber: '1Z999' })
  await withMail.ship({ carrier: 'ups', trackingNumber: '1Z999' })
  const [email, ...others] = await withMail.emails()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    toAddress: 'ann@mail.test',
    subject: expect.stringContaining('On its way'),
  })
  expect(email!.text).toMatch(/^Hello ann,[\s\S]*is on its way/)
  expect(email!.text).not.toMatch(/1Z999|Secret/)
  await withMail.outbox.deliverDue()
  expect(smtp.received.map(({ to }) => to)).toEqual([['ann@mail.test']])

  const asGuest = await openShopWithParcel({ smtpUrl: smtp.url })
  await asGuest.db
    .updateTable('user')
    .set({ email: 'x1@guest.invalid' })
    .where('id', '=', asGuest.ann.id)
    .execute()
  const withoutMail = await openShopWithParcel({ hasMailServer: false })
  for (const shop of [asGuest, withoutMail]) {
    expect((await shop.ship()).status).toBe(200)
    expect(await shop.emails()).toEqual([])
  }
})

test('the customer confirms once that a shipped parcel has arrived [AGREE-56]', async () => {
  const { give, ship, arrive, correct, parcel, messages, customerPage, acts } =
    await openShopWithParcel()
  await give()
  expect(await arrive()).toMatchObject({
    status: 409,
    text: expect.stringContaining(parcelRefusals['address-given']),
  })
  await ship()
  expect(await customerPage()).toContain('Mark as received')
  for (const answer of [await arrive(), await arrive()]) expect(answer.status).toBe(200)
  expect(parcelState(await parcel())).toBe('arrived')
  expect(
    (await messages()).filter((message) => message === parcelMessages['confirm-arrival']),
  ).toHaveLength(1)
  expect(await customerPage()).toMatch(/Arrived on March 04, 2026/)
  expect((await correct({ carrier: 'ups', trackingNumber: '1' })).status).toBe(409)
  expect((await acts()).filter((act) => /ship|arrival/.test(act)).toSorted()).toEqual([
    'confirm-arrival',
    'ship-parcel',
  ])
})

test('a shipped piece is sent until it has arrived, for customer and owner; without shipping it is picked up [AGREE-146]', async () => {
  const shop = await openShopWithParcel()
  const { give, ship, arrive, owner, customerPage, ownerPage } = shop
  const both = async () => [await customerPage(), await ownerPage()].map(wordsOf)
  const queue = async () => wordsOf(await owner.page('/manage/queue/'))
  await give()
  await ship()
  for (const words of await both()) expect(words).toContain('60 cm Sent')
  expect(await queue()).toContain('sent on March 04, 2026')
  await arrive()
  for (const words of await both()) expect(words).toContain('60 cm Received')
  expect(await queue()).toContain('sent on March 04, 2026, received')

  const pickup = await openShopWithOffers()
  const id = await pickup.send()
  await pickup.customerAct('accept', id)
  for (const intent of ['start', 'finish', 'hand-over']) {
    await pickup.owner.act('/manage/queue/', { intent, id: `${id}-1` })
  }
  expect(wordsOf(await pickup.ann.page('/?messages='))).toContain('60 cm Picked up')
})

test('once a parcel is shipped, its tracking comes before the payments [AGREE-148]', async () => {
  const { give, ship, customerPage, db, services } = await openShopWithParcel({})
  await saveSettings(db, { payPal: 'marisol' }, 1)
  services.live.changed('settings')
  const places = async () => {
    const words = wordsOf(await customerPage())
    return [words.indexOf('Ship to'), words.indexOf('Reference')] as const
  }
  await give()
  const [address, payment] = await places()
  expect(address).toBeGreaterThan(payment)
  expect(payment).toBeGreaterThan(0)
  await ship({ confirm: 'Yes' })
  const [tracking, laterPayment] = await places()
  expect(laterPayment).toBeGreaterThan(tracking)
})

test('the customer’s data export contains her address, and the deletion of her account deletes the address [AGREE-59]', async () => {
  const { ann, give, ship, services, db } = await openShopWithParcel()
  await give()
  await ship({ carrier: 'ups', trackingNumber: '1Z999' })
  const files = await unzipped(await ann.post('/account/data', { back: '/account/' }))
  expect(JSON.parse(files.get('orders.json')!.toString())).toMatchObject({
    offers: [
      {
        state: 'accepted',
        total: 97,
        lines: [{ name: 'Moon wall', price: 80 }, { quantity: 2 }],
        parcel: { ...HOME, arrivedAt: null },
      },
    ],
  })
  expect(files.get('your-data.html')!.toString()).toContain(
    `to be shipped to Ann Buyer, ${STREET}, Asheville`,
  )
  expect(await deleteAccount(services, ann.id, 'herself')).toEqual({ ok: true })
  expect(JSON.stringify(await listAllRows(db))).not.toMatch(/Secret|1Z999/)
})

test('deleting the conversation, or canceling the agreement before shipping, deletes the address [AGREE-59]', async () => {
  const deleted = await openShopWithParcel()
  await deleted.give()
  await deleted.owner.act(`/manage/messages/${deleted.ann.id}`, {
    intent: 'delete',
    confirm: 'Yes',
  })
  const canceled = await openShopWithParcel()
  await canceled.give()
  await canceled.ownerAct('cancel', canceled.id)
  for (const { parcel } of [deleted, canceled]) expect(await parcel()).toBeUndefined()
})

test('no action on a parcel leads back to an earlier state, and no action follows "arrived"', () => {
  const order = ['no-address', 'address-given', 'shipped', 'arrived'] as const
  for (const { from, to } of Object.values(parcelTransitions)) {
    for (const state of from) expect(order.indexOf(state)).toBeLessThanOrEqual(order.indexOf(to))
  }
  for (const action of Object.keys(parcelTransitions) as (keyof typeof parcelTransitions)[]) {
    expect(mayDo(action, 'arrived')).toBe(false)
  }
})
