import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { isDay } from '#ui/format-date.ts'
import { currentVacation, vacationState } from '#settings/vacation.server.ts'
import { vacationStateText } from './vacation-state.server.ts'

const at = (text: string) => Date.parse(text)

test('the first and the last day of an absence count as away, in the time zone of the shop [S-185]', () => {
  const absence = { awayFrom: '2026-03-08', awayUntil: '2026-03-10', awayText: 'At a fair' }
  const state = (time: string, zone: string) => vacationState(absence, at(time), zone)
  // In New York, the clocks go forward on March 8, so these three days last only 71 hours.
  expect(
    [
      '2026-03-08T04:59:59Z',
      '2026-03-08T05:00:00Z',
      '2026-03-11T03:59:59Z',
      '2026-03-11T04:00:00Z',
    ].map((time) => state(time, 'America/New_York')),
  ).toEqual(['planned', 'now', 'now', 'over'])
  expect(state('2026-03-07T11:00:00Z', 'Pacific/Auckland')).toBe('now')
  // In São Paulo, November 4, 2018 begins at 1 a.m., because the clocks go forward at midnight.
  expect(
    vacationState(
      { ...absence, awayFrom: '2018-11-04' },
      at('2018-11-04T03:00:00Z'),
      'America/Sao_Paulo',
    ),
  ).toBe('now')
})

test('an absence needs a valid first day or a valid last day [S-185]', () => {
  const now = at('2026-03-09T12:00:00Z')
  const away = (awayFrom: string, awayUntil: string) =>
    currentVacation({ awayFrom, awayUntil, awayText: 'x' }, now, 'UTC')
  expect(away('2026-03-01', '')).toEqual({ until: null, text: 'x' })
  expect(away('', '2026-03-09')).toEqual({ until: 'March 09, 2026', text: 'x' })
  expect(away('', '')).toBe(null)
  expect(away('2026-03-10', '')).toBe(null)
  expect(away('', '2026-03-08')).toBe(null)
  expect(away('soon', '2026-02-30')).toBe(null)
  expect(['2026-02-28', '2024-02-29'].filter(isDay)).toHaveLength(2)
  expect(['2026-02-29', '2026-13-01', '26-1-1', ''].filter(isDay)).toEqual([])
  expect(
    vacationStateText(
      { awayFrom: '2026-04-01', awayUntil: '2026-04-03', awayText: '' },
      now,
      'UTC',
    ),
  ).toBe('Customers will see this from April 01, 2026 to April 03, 2026.')
})

test('customers and guests see the away message in their chat while the owner is away [S-185]', async () => {
  const shop = await openTestShop({ timeZone: 'America/New_York' })
  const [owner, ann, guest] = [await shop.owner(), await shop.customer(), await shop.guest()]
  expect(await ann.page('/?messages=')).not.toContain('is away')
  const saved = await owner.act('/manage/replies/', {
    intent: 'away',
    awayFrom: '2026-03-04',
    awayUntil: '2026-03-06',
    awayText: 'At the <fair>, back soon',
  })
  expect(saved.text).toContain('Away message saved')
  expect(shop.changedTopics).toContain('settings')

  for (const person of [ann, guest]) {
    const page = pageOf(await person.page('/about?messages='))
    const notice = page.getByText('Knots & Love is away until March 06, 2026.').parentElement!
    expect(notice.textContent).toMatch(/2026\. At the <fair>, back soon/)
  }
  expect(await shop.visitor().page('/?messages=')).not.toContain('fair')
  expect(await ann.page('/')).not.toContain('fair')
  expect(await owner.page('/manage/replies/')).toContain(
    'Customers see this now, and the last time on March 06, 2026.',
  )

  shop.clock.now = at('2026-03-07T05:00:00Z')
  expect(await ann.page('/?messages=')).not.toContain('is away')
})

test('while the owner is away, the item page, the contact page and the answer to a contact message say until when [AGREE-144]', async () => {
  const shop = await openTestShop()
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'))
  const text = 'Knots & Love is away until March 06, 2026.'
  const send = async () =>
    shop.visitor().act('/contact/', {
      name: 'Dora Knott',
      email: 'dora@mail.test',
      phone: '0123456789',
      message: 'Hello',
      stamp: await shop.formTimestamp.stamp(shop.now() - 60_000),
    })
  const pages = () =>
    Promise.all(['/item/moon', '/contact/'].map((path) => shop.visitor().page(path)))
  for (const html of await pages()) expect(html).not.toContain('is away')
  expect((await send()).text).not.toContain('is away')

  const absence = { awayFrom: '2026-03-04', awayUntil: '2026-03-06', awayText: 'At the fair' }
  await saveSettings(shop.db, absence, shop.now())
  shop.shop.live.changed('settings')

  for (const html of await pages()) {
    expect(pageOf(html).getByText(text)).toBeTruthy()
    expect(html).not.toContain('fair')
  }
  expect((await send()).text).toContain(text)
})

test('the form refuses invalid days of an absence, and keeps the days that the owner typed [S-185]', async () => {
  const { shop, owner } = await openShopWithOwner()
  for (const [form, text] of [
    [{ awayFrom: '2026-03-06', awayUntil: '2026-03-04' }, 'The last day is before the first'],
    [{ awayFrom: '2026-02-30', awayUntil: '' }, 'Please choose a day'],
    [{ awayFrom: '', awayUntil: '', awayText: 'x'.repeat(501) }, 'under 500 characters'],
  ] as const) {
    const response = await owner.post('/manage/replies/', {
      intent: 'away',
      awayText: 'Fair',
      ...form,
    })
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(html).toContain(text)
    const field = pageOf(html).getByLabelText('First day')
    expect(field.getAttribute('value')).toBe(form.awayFrom)
  }
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})
