import { expect, test } from 'vitest'
import { descriptionOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { readReadyNote, formatReadyDay, readyDay, weeklyTenths } from './production-queue.server.ts'

const suggestedDay = (html: string) =>
  pageOf(html).getByLabelText('Ready by (optional)').getAttribute('value')

/** Opens a shop with a made-to-order piece, whose owner makes `perWeek` pieces in a week. */
async function open(perWeek = '') {
  const shop = await openShopWithOffers()
  await shop.db
    .updateTable('items')
    .set({ kind: 'made-to-order' })
    .where('id', '=', 'sun')
    .execute()
  await saveSettings(
    shop.db,
    { leadTime: 'Made in 2 weeks', shipsFrom: 'Lisbon', piecesPerWeek: perWeek },
    1,
  )
  shop.services.live.changed('settings', 'catalog')
  const note = async (item = 'sun') =>
    /(?:Ready about|Made in).*?Ships from Lisbon/
      .exec(wordsOf(await shop.visitor().page(`/item/${item}`)))?.[0]
      .replace(/\s+/g, ' ')
  return { ...shop, note }
}

test('a made-to-order item shows the day on which it would be ready, and other items show the lead time [AGREE-35]', async () => {
  const { note, send, customerAct, owner, ownerAct, db, services } = await open('7')
  // The queue is empty, and the owner needs one day for one piece, so the day after March 4.
  expect(await note()).toBe('Ready about March 5 · Ships from Lisbon')
  expect(await note('moon')).toBe('Made in 2 weeks · Ships from Lisbon')
  const id = await send()
  await customerAct('accept', id)
  expect(await note()).toBe('Ready about March 8 · Ships from Lisbon')
  for (const intent of ['start', 'finish']) {
    await owner.act('/manage/queue/', { intent, id: `${id}-2` })
  }
  expect(await note()).toBe('Ready about March 6 · Ships from Lisbon')
  await ownerAct('cancel', id)
  expect(await note()).toBe('Ready about March 5 · Ships from Lisbon')
  await db.updateTable('items').set({ state: 'retired' }).where('id', '=', 'sun').execute()
  services.live.changed('catalog')
  expect(await note()).toBe('Made in 2 weeks · Ships from Lisbon')
})

test('without a number of pieces per week, a made-to-order item shows the lead time, and the offer form suggests no day [AGREE-35]', async () => {
  const { note, owner, path } = await open()
  expect(await note()).toBe('Made in 2 weeks · Ships from Lisbon')
  expect(suggestedDay(await owner.page(path))).toBe('')
})

test('the ready date counts from the last day on which the owner is away, on the item page and in the offer form [AGREE-145]', async () => {
  const { note, owner, path, db, services } = await open('7')
  const away = async (awayFrom: string, awayUntil: string) => {
    await saveSettings(db, { awayFrom, awayUntil }, 1)
    services.live.changed('settings')
  }
  await away('2026-03-01', '2026-03-20')
  expect(await note()).toBe('Ready about March 21 · Ships from Lisbon')
  expect(suggestedDay(await owner.page(path))).toBe('2026-03-22')
  expect(wordsOf(await owner.page('/manage/queue/'))).toContain('March 21')
  // The owner leaves on the day on which the piece would be ready, and is away for two days.
  await away('2026-03-05', '2026-03-06')
  expect(await note()).toBe('Ready about March 7 · Ships from Lisbon')
  await away('2026-03-06', '2026-03-20')
  expect(await note()).toBe('Ready about March 5 · Ships from Lisbon')
  await away('2026-03-01', '2026-03-03')
  expect(await note()).toBe('Ready about March 5 · Ships from Lisbon')
  await away('2026-03-01', '')
  expect(await note()).toBe('Ready about March 5 · Ships from Lisbon')
})

test('the offer form suggests the day on which the requested pieces would be ready [AGREE-37]', async () => {
  const { owner, path, post } = await open('2')
  // Ann has requested two pieces, and the owner makes two pieces per week. So the form suggests the
  // day in one week.
  expect(suggestedDay(await owner.page(path))).toBe('2026-03-11')
  const refusal = await post({ readyBy: '', price: ['x', '5'] })
  expect(suggestedDay(await refusal.text())).toBe('')
})

test('the offer form suggests a day without counting pieces that are already in the queue or one-of-a-kind pieces, and is blank if all are one of a kind [AGREE-34, AGREE-37, AGREE-97]', async () => {
  const { owner, path, send, customerAct, ownerAct, db } = await open('7')
  const suggested = async () => suggestedDay(await owner.page(path))
  const id = await send()
  await customerAct('accept', id)
  // The queue contains the moon wall and two tags, and the owner still has to offer the sun wall.
  expect(await suggested()).toBe('2026-03-08')
  await ownerAct('cancel', id)
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  expect(await suggested()).toBe('2026-03-05')
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'sun').execute()
  expect(await suggested()).toBe('')
})

test('a second request of an item page computes its date without a query [AGREE-35]', async () => {
  const { services } = await open('7')
  const withoutDatabase: typeof services = { ...services, db: null! }
  const note = (app: typeof services) =>
    readReadyNote(app, { kind: 'made-to-order', state: 'listed' })
  expect(await note(services)).toBe('Ready about March 5')
  expect(await note(withoutDatabase)).toBe('Ready about March 5')
  services.live.changed('orders')
  await expect(note(withoutDatabase)).rejects.toThrow()
  expect(await note(services)).toBe('Ready about March 5')
})

test('the ready date counts days of the shop’s calendar, even when the clocks change [AGREE-36]', async () => {
  const { services, clock } = await open('7')
  const note = (at: string, timeZone: string) => {
    clock.now = Date.parse(at)
    return readReadyNote(
      { ...services, timeZone },
      {
        kind: 'made-to-order',
        state: 'listed',
      },
    )
  }
  // In New York, March 8 has 23 hours and November 1 has 25 hours. These times are close to the
  // midnights of these two days.
  expect(await note('2026-03-08T04:30:00Z', 'America/New_York')).toBe('Ready about March 8')
  expect(await note('2026-03-08T05:30:00Z', 'America/New_York')).toBe('Ready about March 9')
  expect(await note('2026-03-09T03:30:00Z', 'America/New_York')).toBe('Ready about March 9')
  expect(await note('2026-11-01T04:30:00Z', 'America/New_York')).toBe('Ready about November 2')
  expect(await note('2026-11-02T04:30:00Z', 'America/New_York')).toBe('Ready about November 2')
  expect(await note('2026-12-31T12:00:00Z', 'America/New_York')).toBe('Ready about January 1, 2027')
})

test.for([
  [1, '5', '2026-03-06'],
  [5, '5', '2026-03-11'],
  [6, '5', '2026-03-13'],
  [1, '0.5', '2026-03-18'],
  [1, '0.7', '2026-03-14'],
  [99_999, '0.1', '2036-03-01'],
] as const)(
  'with %d pieces to make and %s a week, the last one is ready on %s [AGREE-36]',
  ([pieces, perWeek, day]) => {
    expect(readyDay(pieces, weeklyTenths(perWeek)!, '2026-03-04')).toBe(day)
  },
)

test('parses the number of pieces per week, and shows the year of a day that is not in the current year [AGREE-36]', () => {
  expect(['', '0', '0.0', 'x', '-1', '1000', '1e3', '2.5'].map(weeklyTenths)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    25,
  ])
  expect(formatReadyDay('2026-12-01', '2026-03-04')).toBe('December 1')
  expect(formatReadyDay('2027-01-05', '2026-12-31')).toBe('January 5, 2027')
})

test.each(['0', '0,0', 'five', '-1', '1.25', '1000'])(
  'refuses "%s" pieces per week next to the field [AGREE-35]',
  async (typed) => {
    const { owner, db } = await open('7')
    const { defaultSettings } = await import('#settings/setting-declarations.server.ts')
    const answer = await owner.post('/manage/settings/', {
      ...defaultSettings,
      piecesPerWeek: typed,
    })
    expect(answer.status).toBe(422)
    const page = pageOf(await answer.text())
    expect(descriptionOf(page, 'Pieces per week')).toBe(
      'Please enter a number such as 5 or 0.5, or leave it empty',
    )
    expect(page.getByLabelText('Pieces per week').getAttribute('value')).toBe(typed)
    expect(
      (await owner.act('/manage/settings/', { ...defaultSettings, piecesPerWeek: ' 2,5 ' })).status,
    ).toBe(200)
    const stored = await db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'piecesPerWeek')
      .executeTakeFirstOrThrow()
    expect(stored.value).toBe('"2.5"')
  },
)
