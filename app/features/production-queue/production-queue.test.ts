import { expect, test } from 'vitest'
import { ask, move, openGuestAndAccount } from '#test/fixtures/accounts.ts'
import { addColor } from '#test/fixtures/catalog.ts'
import { formOf, hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { actionsAt, queueTransitions } from './queue.ts'
import { queueErrors } from './owner-texts.ts'

const PATH = '/manage/queue/'
const MOON_AND_TAG = ['Moon wall waiting', 'Engraved tag waiting']

/** Opens a shop in which Ann has accepted an offer for "Moon wall" and two engraved tags. */
async function openQueue() {
  const shop = await openShopWithOffers()
  const { db, owner, send, customerAct } = shop
  const accept = async (form: Parameters<typeof send>[0] = {}) => {
    const id = await send(form)
    expect((await customerAct('accept', id)).status).toBe(200)
    return id
  }
  const queue = async () =>
    (
      await db
        .selectFrom('queueEntries as q')
        .innerJoin('offerLines as l', (join) =>
          join.onRef('l.offerId', '=', 'q.offerId').onRef('l.position', '=', 'q.line'),
        )
        .select(['l.name', 'q.step'])
        .orderBy('q.position')
        .execute()
    ).map(({ name, step }) => `${name} ${step}`)
  const offerId = await accept()
  const step = (intent: string, id = `${offerId}-1`) => owner.act(PATH, { intent, id })
  return {
    ...shop,
    offerId,
    accept,
    queue,
    step,
    page: async () => wordsOf(await owner.page(PATH)),
  }
}

test('the queue contains the lines of accepted offers only [AGREE-30]', async () => {
  const { send, queue, page, owner, ann, db } = await openQueue()
  await addColor(db, 'teal', { name: 'Teal', isLowOnStock: true })
  await send({ itemId: ['sun', ''], include: ['sun'], name: ['Sun wall', ''], price: ['10', ''] })
  expect(await queue()).toEqual(MOON_AND_TAG)
  expect(await page()).toMatch(
    /Moon wall For ann Teal, 60 cm · Low on stock Step: Waiting Ready by March 20, 2026 .*2 × Engraved tag/,
  )
  const moon = within(
    pageOf(await owner.page(PATH))
      .getByText('Moon wall')
      .closest('li')!,
  )
  expect(moon.getByRole('link', { name: /ann/ }).getAttribute('href')).toBe(
    `/manage/messages/${ann.id}`,
  )
  const pictures = moon.getAllByAltText('').map((picture) => picture.getAttribute('src'))
  expect(pictures).toContainEqual(expect.stringContaining('color-teal'))
})

test('the page of an empty queue explains when pieces appear in it [AGREE-30]', async () => {
  const { owner } = await openShopWithOffers()
  expect(await owner.page(PATH)).toContain(
    'When a customer accepts an offer, its pieces appear here.',
  )
})

test('the production queue marks a piece as late from the day after its ready-by date until the piece is ready [AGREE-30]', async () => {
  const { clock, step, page } = await openQueue()
  clock.now = Date.UTC(2026, 2, 20, 23)
  expect(await page()).not.toContain('Late')
  clock.now = Date.UTC(2026, 2, 21)
  expect((await page()).match(/Late/g)).toHaveLength(2)
  await step('start')
  await step('finish')
  expect((await page()).match(/Late/g)).toHaveLength(1)
})

test('while an offer is accepted, the owner cannot remove its pieces from the order; canceling the offer removes them from the queue [AGREE-31]', async () => {
  const { queue, act, lines, ownerAct, offerId } = await openQueue()
  expect((await act({ intent: 'remove', itemId: 'sun', confirm: 'Yes' })).status).toBe(200)
  for (const itemId of ['moon', (await lines()).find(({ name }) => name === 'Engraved tag')!.id]) {
    expect(await act({ intent: 'remove', itemId, confirm: 'Yes' })).toMatchObject({
      status: 409,
      text: expect.stringContaining(
        'the customer has accepted an offer for it. Cancel that agreement first',
      ),
    })
  }
  expect(await queue()).toEqual(MOON_AND_TAG)
  expect((await ownerAct('cancel', offerId)).status).toBe(200)
  expect(await queue()).toEqual([])
  expect((await act({ intent: 'remove', itemId: 'moon', confirm: 'Yes' })).status).toBe(200)
})

test('the owner moves a piece to the next or previous step with one tap, and both sides see the step live [AGREE-32]', async () => {
  const { step, queue, page, acts, ann, changedTopics, messages } = await openQueue()
  const before = await messages()
  changedTopics.length = 0
  for (const [action, to] of [
    ['start', 'making'],
    ['back-to-waiting', 'waiting'],
    ['start', 'making'],
    ['finish', 'ready'],
    ['back-to-making', 'making'],
    ['finish', 'ready'],
    ['hand-over', 'handed-over'],
  ] as const) {
    expect((await step(action)).status).toBe(200)
    expect(await queue()).toEqual([`Moon wall ${to}`, 'Engraved tag waiting'])
  }
  expect(await page()).toMatch(
    /To make .*Engraved tag .*Done .*Moon wall For ann , picked up on March 04, 2026/,
  )
  await step('back-to-ready')
  expect(await page()).toMatch(/Moon wall .* Step: Ready/)
  expect(await page()).not.toContain('Done')
  expect((await acts()).filter((act) => act === 'move-piece')).toHaveLength(8)
  expect(changedTopics.slice(0, 2)).toEqual(['orders', `order:${ann.id}`])
  expect(await messages()).toEqual(before)
})

test('when two tabs move the same piece, the later tab changes nothing and shows the current step [AGREE-32]', async () => {
  const { step, queue, acts } = await openQueue()
  const [first, second] = await Promise.all([step('start'), step('start')])
  expect(first.status).toBe(200)
  expect(second.status).toBe(200)
  expect((await acts()).filter((act) => act === 'move-piece')).toHaveLength(1)
  await step('finish')
  expect(await step('start')).toMatchObject({
    status: 409,
    text: expect.stringContaining(queueErrors.changed('Moon wall', 'ready')),
  })
  const race = await Promise.all([step('hand-over'), step('back-to-making')])
  expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await queue()).toContain(
    race[0]!.status === 200 ? 'Moon wall handed-over' : 'Moon wall making',
  )
})

test('the owner changes the sequence of the pieces by dragging or with buttons [AGREE-33]', async () => {
  const { owner, queue, accept, offerId, acts, step, db } = await openQueue()
  const [moon, tag] = [`${offerId}-1`, `${offerId}-2`]
  const order = (...ids: string[]) => owner.act(PATH, formOf({ intent: 'order', order: ids }))
  expect((await order(tag, moon, 'forged-9')).status).toBe(200)
  expect(await queue()).toEqual(MOON_AND_TAG.toReversed())
  await owner.act(PATH, { intent: 'move', id: moon, by: 'up' })
  expect(await queue()).toEqual(MOON_AND_TAG)
  expect((await acts()).filter((act) => act === 'order-queued-pieces')).toHaveLength(2)

  await accept({ itemId: ['', ''], include: [], name: ['Fringe', ''], price: ['5', ''] })
  await Promise.all([order(tag, moon), step('start')])
  expect(await queue()).toEqual(['Engraved tag waiting', 'Moon wall making', 'Fringe waiting'])
  const positions = await db
    .selectFrom('queueEntries')
    .select('position')
    .orderBy('position')
    .execute()
  expect(positions.map(({ position }) => position)).toEqual([1, 2, 3])

  const fringe = (
    await db
      .selectFrom('queueEntries')
      .selectAll()
      .where('position', '=', 3)
      .executeTakeFirstOrThrow()
  ).offerId
  const names = new Map([
    [moon, 'Moon wall making'],
    [tag, 'Engraved tag waiting'],
    [`${fringe}-1`, 'Fringe waiting'],
  ])
  const [a = '', b = '', c = ''] = names.keys()
  const orders = [
    [a, b, c],
    [c, b, a],
    [b, c, a],
    [c, a, b],
  ]
  await Promise.all(orders.map((ids) => order(...ids)))
  expect(orders.map((ids) => ids.map((id) => names.get(id)))).toContainEqual(await queue())
})

test('the queue refuses forged ids, unknown steps and forms of other users [AGREE-32]', async () => {
  const { step, queue, owner, ann, offerId } = await openQueue()
  for (const id of [
    '',
    '-',
    'none-1',
    `${offerId}-9`,
    `${offerId}-1 `,
    `${offerId}-1e0`,
    'x'.repeat(10_000),
  ]) {
    expect((await step('start', id)).status).toBe(404)
  }
  for (const form of [
    { intent: 'move', by: 'left' },
    { intent: 'jump', by: '' },
    { intent: 'toString', by: 'up' },
    { intent: '', by: 'up' },
  ]) {
    expect((await owner.act(PATH, form)).status).toBe(400)
  }
  expect((await owner.act(PATH, { intent: 'move', id: 'none-1', by: 'up' })).status).toBe(404)
  await ann.post(PATH, { intent: 'start', id: `${offerId}-1` })
  expect(await queue()).toEqual(MOON_AND_TAG)
})

test('a one-of-a-kind piece has the step "ready" when its offer is accepted [AGREE-34]', async () => {
  const { db, queue, accept } = await openQueue()
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'sun').execute()
  await accept({
    itemId: ['sun', ''],
    include: ['sun'],
    name: ['Sun wall', 'Engraved tag'],
    price: ['10', '7'],
  })
  expect(await queue()).toEqual([...MOON_AND_TAG, 'Sun wall ready', 'Engraved tag waiting'])
})

test('when a customer requests a sold piece again and accepts a new offer, the piece is a new entry of the queue [AGREE-34]', async () => {
  const { act, ann, queue, accept, step } = await openQueue()
  const again = {
    itemId: ['moon', ''],
    include: ['moon'],
    name: ['Moon wall', ''],
    price: ['70', ''],
  }
  for (const action of ['start', 'finish', 'hand-over']) await step(action)
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  await ann.act('/order-request', { itemId: 'moon', message: 'Another one' })
  await accept(again)
  expect(await queue()).toEqual([
    'Moon wall handed-over',
    'Engraved tag waiting',
    'Moon wall waiting',
  ])
})

test('completing the sale of a piece does not change the production step of the piece [AGREE-39]', async () => {
  const { act, queue, step } = await openQueue()
  await step('start')
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  expect(await queue()).toEqual(['Moon wall making', 'Engraved tag waiting'])
})

test('a sold piece is not shown as waiting: the owner reads that it is sold, and the customer sees no step until the owner starts it [AGREE-122]', async () => {
  const { ann, owner, act, page, queue, step } = await openQueue()
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  expect(await queue()).toEqual(MOON_AND_TAG)
  expect(await page()).toMatch(/Moon wall .*Step: Sold, not started .*Engraved tag .*Step: Waiting/)
  const shown = async () =>
    Promise.all([
      ann.page('/?messages='),
      owner.page(`/manage/messages/${ann.id}`),
      ann.page('/account/orders/'),
    ])
  const [card, ownersCard, orders] = (await shown()).map(wordsOf)
  for (const words of [card, ownersCard]) {
    expect(words).toMatch(/Moon wall \$80\.00 Teal, 60 cm 2 × Engraved tag \$11\.00 Waiting/)
  }
  expect(orders).toMatch(
    /Moon wall Teal, 60 cm \$80\.00 2 × Engraved tag Waiting .*Bought .*Moon wall Teal .*\$80\.00/,
  )
  expect(orders!.match(/Waiting/g)).toHaveLength(1)
  await step('start')
  for (const words of (await shown()).map(wordsOf)) expect(words).toMatch(/Moon wall .*Being made/)
  expect(await page()).toMatch(/Moon wall .*Step: Making/)
})

test('a customer sees the production steps of her pieces in the conversation and in "Your orders" before and after the sale, and other customers do not [AGREE-38]', async () => {
  const { ann, owner, customer, act, step, offerId } = await openQueue()
  const bea = await customer('bea@mail.test')
  await bea.act('/order-request', { itemId: 'moon', message: 'Me too' })
  await step('start')
  const words = async (path: string) => wordsOf(await ann.page(path))
  expect(await words('/?messages=')).toMatch(
    /Moon wall \$80\.00 Teal, 60 cm Being made 2 × Engraved tag \$11\.00 Waiting/,
  )
  expect(wordsOf(await owner.page(`/manage/messages/${ann.id}`))).toContain(
    'Teal, 60 cm Being made',
  )
  expect(await words('/account/orders/')).toMatch(
    /Moon wall Teal, 60 cm Being made .*2 × Engraved tag Waiting .*Sun wall Requested on/,
  )
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  await step('finish')
  expect(await words('/account/orders/')).toMatch(/Bought .*Moon wall Teal Ready/)
  expect(await words('/?messages=')).toMatch(
    /Moon wall \$80\.00 Teal, 60 cm Ready 2 × Engraved tag/,
  )
  await step('start', `${offerId}-2`)
  expect(await words('/account/orders/')).toMatch(/2 × Engraved tag Being made/)
  for (const path of ['/?messages=', '/account/orders/', '/item/moon']) {
    const page = wordsOf(await bea.page(path))
    expect(page).toContain('Moon wall')
    expect(page).not.toMatch(/Being made|Waiting|Ready|Engraved tag/)
  }
})

test('deleting a customer’s account removes her pieces from the queue, and her name from the audit log [AGREE-31]', async () => {
  const { ann, step, queue, db, customer } = await openQueue()
  await customer('bea@mail.test')
  await step('start')
  const said = async () =>
    JSON.stringify(
      await db.selectFrom('audit').selectAll().where('act', '=', 'move-piece').execute(),
    )
  expect(await said()).toMatch(/\bann\b.*"Moon wall".*\bann\b/)
  expect(
    (await ann.post('/account/delete', { password: 'a-good-password', confirm: 'Yes' })).status,
  ).toBe(303)
  expect(await queue()).toEqual([])
  expect(await said()).toContain('Moon wall')
  expect(await said()).not.toMatch(/\bann\b/)
})

test('the actions of each step lead to the next and the previous step, and the next step is first', () => {
  expect(actionsAt('waiting')).toEqual(['start'])
  expect(actionsAt('making')).toEqual(['finish', 'back-to-waiting'])
  expect(actionsAt('ready')).toEqual(['hand-over', 'back-to-making'])
  expect(actionsAt('handed-over')).toEqual(['back-to-ready'])
  for (const { from, to } of Object.values(queueTransitions)) expect(from).not.toContain(to)
})

test('the pieces of a guest stay in the queue with their production steps when the guest’s data moves to an account [AGREE-39]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await ask(guest, 'star', 'The star, please')
  await ask(account, 'star', 'I want it, too')
  const owner = await shop.owner()
  const line = {
    itemId: 'star',
    include: 'star',
    name: 'The star',
    price: '30',
    quantity: '1',
    color: '',
    notes: '',
  }
  await owner.post(`/manage/offer/${guest.id}`, { ...line, validUntil: '2026-03-10' })
  const { id } = await shop.db.selectFrom('offers').select('id').executeTakeFirstOrThrow()
  await guest.act('/offer', { intent: 'accept', offerId: id })
  await owner.act(PATH, { intent: 'start', id: `${id}-1` })

  await move(guest)

  expect(wordsOf(await account.page('/account/orders/'))).toMatch(/The star Being made/)
  expect(hrefsIn(pageOf(await owner.page(PATH)))).toContain(`/manage/messages/${account.id}`)
})
