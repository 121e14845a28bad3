import { expect, test } from 'vitest'
import {
  type Availability,
  type AvailabilityAction,
  availabilityTransitions,
  NO_END,
  availabilityAt,
} from '#catalog/availability.ts'
import { insert, itemIds } from '#test/fixtures/catalog.ts'
import { descriptionOf, hrefOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { sendOffer } from '#offers/offers.server.ts'
import { offerErrors } from '#offers/owner-texts.ts'
import { openShopWithUniqueItem } from '#test/fixtures/offers.ts'
import { endHolds } from './holds.server.ts'
import { holdErrors } from './owner-texts.ts'

const DAY = 86_400_000
/**
 * The clock of these tests starts on Wednesday, March 4, 2026. So this Friday is two days later.
 */
const FRIDAY = '2026-03-06'
const END_OF_FRIDAY = Date.UTC(2026, 2, 7)

const hold = { intent: 'hold', until: FRIDAY }
const sell = { intent: 'complete', price: '80', otherPrice: 'on' }

test('an offer holds its one-of-a-kind piece until the offer expires, is withdrawn or is replaced [AGREE-21]', async () => {
  const { ann, send, ownerAct, holds, forBea } = await openShopWithUniqueItem()
  const first = await send()
  expect(await holds()).toEqual([
    { itemId: 'moon', orderId: ann.id, offerId: first, until: Date.UTC(2026, 2, 11) },
  ])
  const second = await send({ validUntil: FRIDAY })
  expect(await holds()).toEqual([
    { itemId: 'moon', orderId: ann.id, offerId: second, until: END_OF_FRIDAY },
  ])
  await ownerAct('withdraw', second)
  expect(await holds()).toEqual([])

  await send()
  await send({ itemId: ['', ''], include: [] })
  expect(await holds()).toEqual([])
  expect((await forBea(hold)).status).toBe(200)
})

test('the hold of an accepted offer lasts until the sale or the cancellation, and the owner cannot change it [AGREE-21]', async () => {
  const { ann, forAnn, send, ownerAct, customerAct, holds, clock, orderPage, services } =
    await openShopWithUniqueItem()
  const id = await send()
  await customerAct('accept', id)
  clock.now += 30 * DAY
  await endHolds(services)
  expect(await holds()).toEqual([{ itemId: 'moon', orderId: ann.id, offerId: id, until: NO_END }])
  const page = await orderPage(ann.id)
  expect(page).toContain('On hold for this customer')
  expect(page).not.toContain('Hold until')
  for (const form of [{ ...hold, until: '2026-04-20' }, { intent: 'release' }]) {
    expect(await forAnn(form)).toMatchObject({
      status: 409,
      text: expect.stringContaining(holdErrors.agreed),
    })
  }
  expect(await holds()).toMatchObject([{ offerId: id, until: NO_END }])
  await ownerAct('cancel', id)
  expect(await holds()).toEqual([])
})

test('the owner cannot send an offer for a piece that is on hold for another customer, and the error names this customer [AGREE-22]', async () => {
  const { forBea, post, offers, ann, orderPage } = await openShopWithUniqueItem()
  await forBea(hold)
  const refused = await post()
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Moon wall is on hold for bea until Friday.')
  expect(await offers()).toEqual([])
  expect(await orderPage(ann.id)).toContain('On hold for bea until Friday')
})

test('a customer cannot accept an offer whose piece is now on hold for another customer, and the error does not name the other customer [AGREE-22]', async () => {
  const { forAnn, forBea, send, customerAct, state } = await openShopWithUniqueItem()
  const id = await send()
  await forAnn({ intent: 'release' })
  await forBea(hold)
  const refused = await customerAct('accept', id)
  expect(refused.status).toBe(409)
  expect(refused.text).not.toContain('bea')
  expect(await state(id)).toBe('sent')
})

test('if 50 conversations request a hold of one piece at the same time, exactly one conversation gets the hold [AGREE-22]', async () => {
  const { db, owner, holds, logged } = await openShopWithUniqueItem()
  const ids = Array.from({ length: 50 }, (_, at) => `racer${at}`)
  const stamped = { createdAt: 1, firstCreatedAt: 1, lastMessageAt: 1, lastSeq: 0 }
  const about = {
    userId: null,
    userEmail: '',
    userPhotoURL: '',
    receiptTag: null,
    isClosed: false,
    fromContactPage: false,
  } as const
  await insert(db, 'orders', ...ids.map((id) => ({ id, userName: id, ...about, ...stamped })))
  const line = {
    itemId: 'moon',
    name: 'Moon wall',
    priceCents: 100,
    shownPriceCents: 100,
    isSold: false,
    position: 1,
  } as const
  await insert(db, 'orderItems', ...ids.map((orderId) => ({ orderId, ...line })))

  const answers = await Promise.all(
    ids.map((id) => owner.act(`/manage/messages/${id}`, { itemId: 'moon', ...hold })),
  )

  const [got, ...others] = answers.toSorted((a, b) => a.status - b.status)
  expect(got!.status).toBe(200)
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]))
  const [held] = await holds()
  for (const { text } of others) expect(text).toContain(`on hold for ${held!.orderId} until Friday`)
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('the owner holds a requested piece until a day, changes the day and releases the piece [AGREE-23]', async () => {
  const { ann, forAnn, holds, orderPage, acts, owner } = await openShopWithUniqueItem()
  expect(await orderPage(ann.id)).toContain('Hold until')
  expect((await forAnn(hold)).text).toContain('On hold.')
  expect(await orderPage(ann.id)).toContain('On hold for this customer until Friday')
  await forAnn({ ...hold, until: '2026-03-20' })
  expect(await orderPage(ann.id)).toContain('On hold for this customer until March 20')
  for (let times = 0; times < 2; times++) {
    expect((await forAnn({ intent: 'release' })).status).toBe(200)
  }
  expect(await holds()).toEqual([])
  expect((await acts()).toSorted()).toEqual(['hold-item', 'hold-item', 'release-item'])
  expect(wordsOf(await owner.page('/manage/history/'))).toContain('Put Moon wall on hold for ann')
})

test('a hold is refused with a reason for an invalid day and for a piece that is sold, not unique or not requested [AGREE-23]', async () => {
  const { forAnn, forBea, holds } = await openShopWithUniqueItem()
  const refusals = [
    [{ until: '' }, 422, holdErrors.badDay],
    [{ until: '2026-02-30' }, 422, holdErrors.badDay],
    [{ until: '2026-03-03' }, 422, holdErrors.pastDay],
    [{ until: '2028-03-03' }, 422, holdErrors.lateDay],
    [{ itemId: 'sun' }, 409, holdErrors['not-unique']],
    [{ itemId: 'nothing' }, 404, holdErrors['not-found']],
  ] as const
  for (const [form, status, error] of refusals) {
    expect(await forAnn({ ...hold, ...form }), error).toMatchObject({
      status,
      text: expect.stringContaining(error),
    })
  }
  await forBea(sell)
  expect(await forAnn(hold)).toMatchObject({
    status: 409,
    text: expect.stringContaining('Moon wall has already been sold.'),
  })
  expect(await holds()).toEqual([])
})

test('a hold has no effect after its end, even if the job that deletes it has not run [AGREE-24]', async () => {
  const { ann, bea, forAnn, forBea, clock, services, changedTopics, holds, acts } =
    await openShopWithUniqueItem()
  await forAnn(hold)
  clock.now = END_OF_FRIDAY - 1
  expect((await forBea(hold)).status).toBe(409)
  expect(wordsOf(await bea.page('/item/moon'))).toContain('On hold until Friday')
  clock.now = END_OF_FRIDAY
  expect(wordsOf(await bea.page('/item/moon'))).not.toContain('On hold')
  changedTopics.length = 0
  await endHolds(services)
  expect(await holds()).toEqual([])
  expect(changedTopics).toEqual(['catalog', 'orders', `order:${ann.id}`])
  expect((await acts()).includes('end-hold')).toBe(true)

  await forAnn({ ...hold, until: '2026-03-07' })
  clock.now += DAY
  expect((await forBea({ ...hold, until: '2026-03-08' })).status).toBe(200)
  expect((await holds())[0]).toMatchObject({ orderId: bea.id })
})

test.for([
  { when: 'in the last millisecond of the hold', now: END_OF_FRIDAY - 1, isOnHold: true },
  { when: 'at the end of the hold', now: END_OF_FRIDAY, isOnHold: false },
])(
  '$when, filter, card, item page and order panel agree whether the piece is on hold [AGREE-24]',
  async ({ now, isOnHold }) => {
    const { ann, bea, forBea, clock, orderPage } = await openShopWithUniqueItem()
    await forBea(hold)
    clock.now = now
    const card = wordsOf(await ann.page('/gallery/'))
    const filtered = await ann.page('/gallery/?available=on')
    expect(itemIds(filtered).includes('moon')).toBe(!isOnHold)
    expect(card.includes('On hold')).toBe(isOnHold)
    expect(wordsOf(await ann.page('/item/moon')).includes('On hold')).toBe(isOnHold)
    expect((await orderPage(ann.id)).includes('On hold for bea')).toBe(isOnHold)
    expect(wordsOf(await bea.page('/gallery/')).includes('On hold for you')).toBe(isOnHold)
  },
)

test('a piece is available again in the millisecond in which its hold ends [AGREE-24]', () => {
  const item = { kind: 'unique', state: 'listed', hold: { orderId: 'ann', until: 1000 } } as const
  expect(availabilityAt(item, 999)).toBe('on-hold')
  expect(availabilityAt(item, 1000)).toBe('available')
})

test('a hold ends at midnight in the shop’s time zone, even on a day with 23 hours [AGREE-24]', async () => {
  const { forAnn, holds } = await openShopWithUniqueItem('America/New_York')
  const ends = []
  for (const until of ['2026-03-07', '2026-03-08']) {
    await forAnn({ ...hold, until })
    ends.push((await holds())[0]!.until)
  }
  expect(ends).toEqual([Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4)])
})

test('item page and gallery say until when a piece is on hold, and say "for you" only to the customer who has the hold [AGREE-25]', async () => {
  const { ann, bea, forAnn, visitor } = await openShopWithUniqueItem()
  await forAnn(hold)
  const guest = visitor()
  for (const path of ['/item/moon', '/gallery/', '/gallery/walls']) {
    const pages = [await ann.page(path), await bea.page(path), await guest.page(path)].map((html) =>
      wordsOf(html),
    )
    expect(pages, path).toEqual([
      expect.stringContaining('On hold for you until Friday'),
      expect.stringContaining('On hold until Friday'),
      expect.stringContaining('On hold until Friday'),
    ])
    for (const html of [await bea.page(path), await guest.page(path)]) {
      expect(html).not.toContain(ann.id)
    }
  }
  expect(
    (await bea.act('/order-request', { itemId: 'moon', message: 'If it becomes free' })).status,
  ).toBe(200)
})

test('the availability filter, the structured data and the share image show whether a piece is on hold [AGREE-25]', async () => {
  const { forAnn, visitor } = await openShopWithUniqueItem()
  const read = async () => {
    const html = await visitor().page('/item/moon')
    const filtered = wordsOf(await visitor().page('/gallery/?available=on'))
    return [
      /schema.org\/(InStock|OutOfStock)/.exec(html)![1],
      /moon\.jpg\?v=\w+/.exec(html)![0],
      filtered.includes('Moon wall'),
    ]
  }
  const before = await read()
  expect(before).toEqual(['InStock', expect.any(String), true])
  await forAnn(hold)
  const held = await read()
  expect(held).toEqual(['OutOfStock', expect.any(String), false])
  expect(held[1]).not.toBe(before[1])
  await forAnn({ intent: 'release' })
  expect(await read()).toEqual(before)
})

test('"Sale Complete" marks a one-of-a-kind piece as sold, and undoing the sale makes it available again [AGREE-26]', async () => {
  const { forAnn, stateOf, sales, changedTopics } = await openShopWithUniqueItem()
  changedTopics.length = 0
  await forAnn(sell)
  await forAnn({ ...sell, itemId: 'sun' })
  expect(await stateOf('moon')).toBe('sold')
  expect(await stateOf('sun')).toBe('listed')
  expect(changedTopics.includes('catalog')).toBe(true)
  const sale = (await sales()).find(({ itemId }) => itemId === 'moon')!
  await forAnn({ intent: 'undo-sale', saleId: sale.id })
  expect(await stateOf('moon')).toBe('listed')
})

test('the shop refuses to sell a one-of-a-kind piece that is sold or on hold for another customer [AGREE-26]', async () => {
  const { forAnn, forBea, sales } = await openShopWithUniqueItem()
  await forAnn(hold)
  expect(await forBea(sell)).toMatchObject({
    status: 409,
    text: expect.stringContaining('on hold for another customer'),
  })
  expect((await forAnn(sell)).status).toBe(200)
  expect(await forBea(sell)).toMatchObject({
    status: 409,
    text: expect.stringContaining('already sold to someone else'),
  })
  expect(await sales()).toHaveLength(1)
})

test.each([
  ['later', '2026-03-05'],
  ['with an earlier date', '2026-03-03'],
])(
  'undoing a sale of a piece does not make it available if it was sold again %s [AGREE-26]',
  async (_, day) => {
    const { owner, forAnn, sales, stateOf, clock } = await openShopWithUniqueItem()
    await forAnn(sell)
    const [old] = await sales()
    await owner.act('/manage/item/moon', { intent: 'state', state: 'listed' })
    clock.now += DAY
    await owner.act('/manage/sales/add', {
      id: 'SoldAtTheMarket',
      piece: 'Moon wall',
      price: '80',
      method: 'cash',
      day,
    })
    await forAnn({ intent: 'undo-sale', saleId: old!.id })
    expect((await sales()).map(({ id }) => id)).toEqual(['SoldAtTheMarket'])
    expect(await stateOf('moon')).toBe('sold')
    await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: 'SoldAtTheMarket' })
    expect(await stateOf('moon')).toBe('listed')
  },
)

test('sold pieces leave the gallery, or stay at its end if the owner wants that [AGREE-27]', async () => {
  const { db, forAnn, visitor, services } = await openShopWithUniqueItem()
  await forAnn(sell)
  const found = async (query: string) => {
    const words = wordsOf(await visitor().page(`/gallery/${query}`))
    return [words.indexOf('Moon wall'), words.indexOf('Sun wall')] as const
  }
  expect((await found(''))[0]).toBe(-1)
  await insert(db, 'settings', { key: 'soldPieces', value: JSON.stringify('shown'), updatedAt: 1 })
  services.live.changed('settings')
  for (const query of [
    '',
    '?sort=newest',
    '?sort=price-up',
    '?sort=price-down',
    '?sort=name',
    '?q=wall',
  ]) {
    const [sold, available] = await found(query)
    expect(sold, query).toBeGreaterThan(available)
  }
  expect(wordsOf(await visitor().page('/gallery/'))).toContain('Sold · ask for one like it')
  expect((await found('?available=on'))[0]).toBe(-1)
  expect(await visitor().page('/sitemap.xml')).toContain('/item/moon')
})

test('the page of a sold piece says that it is sold and has a link to the owner [AGREE-28]', async () => {
  const { bea, forAnn, visitor } = await openShopWithUniqueItem()
  await bea.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await forAnn(sell)
  const html = await visitor().page('/item/moon')
  expect(html).toMatch(/schema.org\/SoldOut/)
  expect(hrefOf(pageOf(html), 'Ask for one like it')).toBe('/contact/')
  expect(wordsOf(html)).toContain('Sold')
  expect(hrefOf(pageOf(await bea.page('/item/moon')), 'Ask for one like it')).toBe(
    '/item/moon?messages=',
  )
  expect((await bea.act('/order-request', { itemId: 'moon', message: '' })).status).toBe(409)
  expect(wordsOf(await bea.page('/item/sun'))).not.toContain('Moon wall')
  expect(await visitor().page('/sitemap.xml')).not.toContain('/item/moon')
})

test('the availability of a piece changes only as the table of transitions allows [AGREE-29]', async () => {
  const { ann, forAnn, forBea, owner, sales, stateOf, holds, clock, services } =
    await openShopWithUniqueItem()
  const availability = async (): Promise<Availability> => {
    if ((await stateOf('moon')) === 'sold') return 'sold'
    return (await holds()).some(({ until }) => until > clock.now) ? 'on-hold' : 'available'
  }
  const day = () => new Date(clock.now).toISOString().slice(0, 10)
  const acts: Partial<Record<AvailabilityAction, () => Promise<unknown>>> = {
    hold: () => forAnn({ intent: 'hold', until: day() }),
    release: () => forAnn({ intent: 'release' }),
    sell: () => forAnn(sell),
    'undo-sale': async () =>
      forAnn({
        intent: 'undo-sale',
        saleId: (await sales()).toSorted((a, b) => b.createdAt - a.createdAt)[0]?.id ?? '',
      }),
    async 'sell-again'() {
      await owner.act('/manage/item/moon', { intent: 'state', state: 'listed' })
      await ann.act('/order-request', { itemId: 'moon', message: 'Again' })
    },
    async end() {
      clock.now += DAY
      await endHolds(services)
    },
  }
  const names = Object.keys(acts) as AvailabilityAction[]
  for (let step = 0, seed = 7; step < 120; step++) {
    seed = (seed * 48_271) % 2_147_483_647
    const name = names[seed % names.length]!
    const before = await availability()
    await acts[name]!()
    const { from, to } = availabilityTransitions[name]
    const after = await availability()
    // After its last sale is undone, the piece may return to the hold that it had before.
    const expected = name === 'undo-sale' && after === 'on-hold' ? 'on-hold' : to
    expect(after, `${step} ${name} ${before}`).toEqual(from.includes(before) ? expected : before)
    // While Ann has the piece, Bea's attempt to hold it is refused.
    if (after !== 'available') expect((await forBea(hold)).status).not.toBe(200)
    clock.now += 1000
  }
})

test('an offer of several pieces of a one-of-a-kind item shows an error next to the quantity [AGREE-09]', async () => {
  const { post, offers, services, ann, holds, send } = await openShopWithUniqueItem()
  const refused = await post({ quantity: ['3', '2'] })
  expect(refused.status).toBe(422)
  const page = pageOf(await refused.text())
  const errorIn = (line: string) =>
    descriptionOf(within(page.getByRole('group', { name: line })), 'Quantity')
  expect(errorIn('Line 1')).toEqual(offerErrors.onlyOne)
  expect(errorIn('Line 2')).toBe('')
  // The kind of the item may also change after the form was checked.
  const line = { itemId: 'moon', name: 'Moon wall', color: '', notes: '', quantity: 2, cents: 8000 }
  const offer = {
    id: 'TwoPiecesOfMoon',
    lines: [line],
    shippingCents: 0,
    depositCents: null,
    isShipped: false,
    readyBy: '',
    creditCode: null,
    message: '',
  }
  const sent = await sendOffer(services, ann.id, { ...offer, validUntil: END_OF_FRIDAY })
  expect(sent).toEqual({ ok: false, refusal: 'only-one', itemIds: ['moon'] })
  expect(await offers()).toEqual([])
  expect(await holds()).toEqual([])
  await send({ quantity: ['1', '2'] })
})
