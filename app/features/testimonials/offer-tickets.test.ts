import { expect, test } from 'vitest'
import { completeSale, undoSale } from '#orders/orders.server.ts'
import { deleteConversation } from '#messaging/messages.server.ts'
import { changeSettings } from '#settings/settings.server.ts'
import { descriptionOf, pageOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { openShopWithOwner, ORIGIN } from '#test/fixtures/test-shop.ts'
import { handoverOf, offerTickets } from './offer-tickets.server.ts'

const DAY = 86_400_000
const WORDS = 'Your words earn you $5 OFF your next purchase:'

async function openShopWithBuyer({ days = '14' }: { days?: string } = {}) {
  const withOffers = await openShopWithOffers()
  const { services, clock, db, ann, messages } = withOffers
  await changeSettings(services, 'owner', { ticketDays: days })
  const offerDueTickets = (after = 0, emailLinkOrigin: string | null = ORIGIN) => {
    clock.now += after
    return offerTickets({ ...services, emailLinkOrigin })
  }
  const sell = (itemId = 'moon') =>
    completeSale(services, ann.id, { itemId, price: '', isOtherPrice: true })
  const offered = async () => (await messages()).filter((message) => message.includes(WORDS))
  const tickets = () => db.selectFrom('testimonies').select(['id', 'offeredAt']).execute()
  return { ...withOffers, offerDueTickets, sell, offered, tickets }
}

test('the buyer gets one message with the link to her testimony ticket, some days after the sale [AGREE-60]', async () => {
  const { offerDueTickets, sell, offered, tickets, acts, ann, clock } = await openShopWithBuyer()
  await sell()
  await offerDueTickets(14 * DAY - 1)
  expect(await offered()).toEqual([])
  expect(await tickets()).toEqual([])

  await Promise.all([offerDueTickets(1), offerDueTickets(), offerDueTickets()])
  await offerDueTickets(DAY)

  const [ticket, ...moreTickets] = await tickets()
  expect(moreTickets).toEqual([])
  expect(await offered()).toEqual([
    `How do you like Moon wall? I would love to read it. ${WORDS} ${ORIGIN}/writetestimonials/${ticket!.id}`,
  ])
  expect(ticket!.offeredAt).toBe(clock.now - DAY)
  expect((await acts()).filter((act) => act.endsWith('-ticket')).toSorted()).toEqual([
    'create-ticket',
    'offer-ticket',
  ])
  expect(await ann.page(`/writetestimonials/${ticket!.id}`)).toContain(
    'Your words earn you $5 OFF.',
  )
})

test.each(['', '0'])(
  'with the setting %j for the days, the shop sends no testimony ticket [AGREE-60]',
  async (days) => {
    const { offerDueTickets, sell, tickets } = await openShopWithBuyer({ days })
    await sell()
    await offerDueTickets(400 * DAY)
    expect(await tickets()).toEqual([])
  },
)

test.each(['-1', '1.5', '366', 'soon'])(
  'the settings refuse %j as a number of days and show the error next to the field [AGREE-60]',
  async (days) => {
    const { owner } = await openShopWithOwner()
    const answer = await owner.post('/manage/settings/', { ticketDays: days })
    const page = pageOf(await answer.text())
    expect(descriptionOf(page, /^Offer the testimony ticket/)).toContain(
      'a number of days from 0 to 365',
    )
  },
)

test('a printed testimony ticket is also sent as a message, but not after its testimony was written [AGREE-61]', async () => {
  const { offerDueTickets, sell, offered, services, db, owner, ann, clock } =
    await openShopWithBuyer({ days: '' })
  const print = async () => {
    const { receiptTag } = await db
      .selectFrom('sales')
      .select('receiptTag')
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    await owner.act('/manage/papers', {
      receipt: receiptTag!,
      paper: 'Testimony Ticket',
      shipping: '',
      output: 'print',
    })
  }
  await sell()
  clock.now += 20 * DAY
  await changeSettings(services, 'owner', { ticketDays: '14' })
  await offerDueTickets(DAY)
  expect(await offered()).toEqual([])

  await owner.act(`/manage/messages/${ann.id}`, { intent: 'close' })
  await ann.act('/order-request', { itemId: 'sun', message: '' })
  await sell('sun')
  await print()
  await offerDueTickets(14 * DAY)
  expect(await offered()).toHaveLength(1)

  await owner.act(`/manage/messages/${ann.id}`, { intent: 'close' })
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  await sell('moon')
  await print()
  await db.updateTable('testimonies').set({ isAvailable: false }).execute()
  await offerDueTickets(14 * DAY)
  expect(await offered()).toHaveLength(1)
  await offerTickets({ ...services, emailLinkOrigin: null })
})

test('no testimony ticket is sent for an offer that was handed over long before the owner turned these tickets on [AGREE-61]', async () => {
  const { offerDueTickets, sell, offered, send, customerAct, clock, db, services } =
    await openShopWithBuyer({ days: '' })
  const offerId = await send()
  await customerAct('accept', offerId)
  await db.updateTable('queueEntries').set({ handedOverAt: clock.now }).execute()
  await sell()
  await sell(`offer-${offerId}-2`)
  clock.now += 20 * DAY
  await changeSettings(services, 'owner', { ticketDays: '14' })
  await offerDueTickets(DAY)
  expect(await offered()).toEqual([])
})

test('no testimony ticket is sent for an undone sale, to a deleted account, to a guest, or without a known URL of the shop [AGREE-61]', async () => {
  const { offerDueTickets, sell, offered, tickets, db, services } = await openShopWithBuyer()
  await sell()
  await offerDueTickets(14 * DAY, null)
  expect(await tickets()).toEqual([])
  await db.updateTable('sales').set({ buyerEmail: 'x@guest.invalid' }).execute()
  await offerDueTickets()
  await db.updateTable('sales').set({ buyerEmail: 'ann@mail.test' }).execute()
  await db.updateTable('orders').set({ userId: null }).execute()
  await offerDueTickets()
  const { id } = await db.selectFrom('sales').select('id').executeTakeFirstOrThrow()
  await undoSale(services, id)
  await offerDueTickets()
  expect(await offered()).toEqual([])
  expect(await tickets()).toEqual([])

  const secondShop = await openShopWithBuyer()
  await secondShop.sell()
  await deleteConversation(secondShop.services, secondShop.ann.id)
  await secondShop.offerDueTickets(14 * DAY)
  expect(await secondShop.tickets()).toEqual([])
})

test('the days until the testimony ticket count from the handover of all lines of the offer [AGREE-62]', async () => {
  const { offerDueTickets, sell, offered, send, customerAct, clock, db } = await openShopWithBuyer()
  const offerId = await send()
  await customerAct('accept', offerId)
  await sell()
  await offerDueTickets(20 * DAY)
  await db.updateTable('queueEntries').set({ handedOverAt: clock.now }).execute()
  await offerDueTickets(14 * DAY)
  expect(await offered()).toEqual([])

  await sell(`offer-${offerId}-2`)
  await offerDueTickets()
  expect(await offered()).toEqual([expect.stringContaining('How do you like your pieces?')])
})

test.each([
  {
    what: 'the arrival of the parcel',
    handover: { arrivedAt: 70, shippedAt: 60, handedOver: [null] },
    at: 70,
  },
  { what: 'the last line that was handed over', handover: { handedOver: [20, 40] }, at: 40 },
  {
    what: 'the parcel that left after the last line',
    handover: { handedOver: [20, 40], isShipped: true, shippedAt: 50 },
    at: 50,
  },
  { what: 'the parcel if there is no queue', handover: { isShipped: true, shippedAt: 60 }, at: 60 },
  { what: 'the sale if there is neither', handover: {}, at: 10 },
  {
    what: 'nothing while a line is not handed over',
    handover: { handedOver: [20, null] },
    at: null,
  },
  { what: 'nothing before the parcel leaves', handover: { isShipped: true }, at: null },
  {
    what: 'nothing while a line is not sold',
    handover: { isSold: false, arrivedAt: 70 },
    at: null,
  },
])('the days until a testimony ticket count from $what [AGREE-62]', ({ handover, at }) => {
  expect(
    handoverOf(
      {
        isSold: true,
        isShipped: false,
        shippedAt: null,
        arrivedAt: null,
        handedOver: [],
        ...handover,
      },
      10,
    ),
  ).toBe(at)
})
