import { expect, test } from 'vitest'
import { sumMonths } from '#app/features/reports/reports.server.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { addSale, addTestimonyTicket, placeOrder } from '#test/fixtures/orders.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { parseTimeZone } from './regional-settings.server.ts'
import { defaultSettings as typed } from './setting-values.server.ts'
import { currencyOf } from './shop-settings.ts'

/** Returns the visible text and the JSON-LD of a page. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<script(?! type="application\/ld\+json")[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[^\S\u00a0]+/g, ' ')

async function openEuroShop() {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect(
    (
      await owner.act('/manage/settings/', {
        ...typed,
        currencyCode: 'EUR',
        currencyPosition: 'after',
      })
    ).text,
  ).toContain('Settings saved')
  await addCategory(shop.db, 'bags')
  await addItem(shop.db, 'tote', 'bags', {
    priceCents: 4000,
    discountType: 'amount',
    discountValue: 500,
  })
  await placeOrder(shop.db, [{ itemId: 'tote', name: 'tote', priceCents: 4000 }])
  await addSale(shop.db, { salePriceCents: 2000 })
  await addTestimonyTicket(shop.db, 'ticket')
  return { ...shop, owner }
}

test('every page shows prices in the currency that the owner has chosen [OWN-35]', async () => {
  const { owner, visitor } = await openEuroShop()
  const pages: [string, string][] = [
    ['/', '35.00\u00a0€'],
    ['/gallery/?from=5', 'From 5.00\u00a0€'],
    ['/item/tote', '40.00\u00a0€'],
    ['/writetestimonials/ticket', '5\u00a0€ OFF'],
    ['/manage/', '20.00\u00a0€'],
    ['/manage/item/?open=1~bags', '5.00\u00a0€ OFF'],
    ['/manage/discount/', '35.00\u00a0€'],
    ['/manage/messages/ann-uid?view=order', 'Original price 40.00\u00a0€'],
    ['/manage/sales/', '20.00\u00a0€'],
    ['/manage/sales/?receipt=TAG00001', '20.00\u00a0€'],
    ['/manage/reports/', 'The best month was March: 20.00\u00a0€.'],
    ['/manage/reports/sales?year=2026', '20.00\u00a0€'],
  ]
  for (const [path, price] of pages) {
    const words = wordsOf(await (path.startsWith('/manage') ? owner : visitor()).page(path))
    expect([path, words]).toEqual([path, expect.stringContaining(price)])
    expect([path, /.{0,20}\$ ?\d.{0,20}/.exec(words)?.[0]]).toEqual([path, undefined])
  }
  const question = { intent: 'items-apply', type: 'amount', value: '40', item: 'tote' }
  const asked = await owner.act('/manage/discount/', question)
  expect(asked.text).toContain('Put 1 item(s) on sale with 40\u00a0€ discount.')
  expect(asked.text).toContain('1 of them would cost 0.00\u00a0€: tote.')
})

test('structured data and link previews contain the code of the currency [OWN-35]', async () => {
  const { visitor } = await openEuroShop()
  const html = await visitor().page('/item/tote')
  expect(html.match(/"priceCurrency":"\w+"/g)).toEqual([
    '"priceCurrency":"EUR"',
    '"priceCurrency":"EUR"',
  ])
  expect(html).toContain('<meta property="product:price:currency" content="EUR"/>')
})

test('if the owner types no symbol, prices show the usual symbol or the code of the currency [OWN-35]', () => {
  const symbol = (currencyCode: string, currencySymbol = '') =>
    currencyOf({ currencyCode, currencySymbol, currencyPosition: 'before' }).symbol
  expect(['USD', 'EUR', 'SEK', 'CHF'].map((code) => symbol(code))).toEqual(['$', '€', 'kr', 'CHF'])
  expect(symbol('AUD', 'A$')).toBe('A$')
})

test('the settings page shows an error at each invalid field, such as the currency or the time zone [OWN-39, OWN-45]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const wrong = {
    currencyCode: 'XYZ',
    currencySymbol: '<b>',
    currencyPosition: 'around',
    timeZone: 'Mars',
    paperSize: 'A3',
    defaultShipping: '1,234',
  }
  const response = await owner.post('/manage/settings/', { ...typed, ...wrong })
  const html = await response.text()
  expect(response.status).toBe(422)
  const refused = [...html.matchAll(/id="(\w+)-error"[^>]*>[^<]/g)].map(([, field]) => field)
  expect(refused.toSorted()).toEqual(Object.keys(wrong).toSorted())
  expect(html).toContain('Please select a time zone')
  expect(html).toContain('Enter a price such as 12.50')
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})

test('the owner finds her time zone by its country [OWN-39]', async () => {
  const shop = await openTestShop({ timeZone: 'America/New_York' })
  const owner = await shop.owner()
  const options = async () => {
    const [list] = /<select[^>]*name="timeZone".*?<\/select>/s.exec(
      await owner.page('/manage/settings/'),
    )!
    return [...list.matchAll(/<option value="([^"]*)"( selected="")?>([^<]*)/g)].map(
      ([, value, chosen, label]) => ({
        value,
        label,
        chosen: chosen !== undefined,
      }),
    )
  }
  const all = await options()
  expect(all[0]).toEqual({
    value: '',
    label: 'Not chosen yet: United States: New York (Eastern Time)',
    chosen: true,
  })
  expect(all).toContainEqual({
    value: 'Europe/Lisbon',
    label: 'Portugal: Lisbon (Western European Time)',
    chosen: false,
  })
  expect(all.filter(({ label }) => !label!.includes(': ')).map(({ label }) => label)).toEqual([
    'UTC',
  ])
  await owner.act('/manage/settings/', { ...typed, timeZone: 'Europe/Lisbon' })
  expect((await options()).filter(({ chosen }) => chosen).map(({ value }) => value)).toEqual([
    'Europe/Lisbon',
  ])
  expect(['Asia/Kolkata', 'Europe/Kyiv', 'UTC', ''].map(parseTimeZone)).toEqual([
    'Asia/Calcutta',
    'Europe/Kiev',
    'UTC',
    '',
  ])
  expect(['Mars', 'Porto', '+02:00', 'Europe', '__proto__'].map(parseTimeZone)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

test('days begin at midnight in the time zone from the settings, or in SHOP_TIME_ZONE if none is set [OWN-40]', async () => {
  const shop = await openTestShop({ now: Date.UTC(2026, 0, 1, 2), timeZone: 'UTC' })
  const owner = await shop.owner()
  await addSale(shop.db, { createdAt: shop.now() })
  const yearOf = async () =>
    /<time[^>]*>|(?:January|December) \d\d, (\d{4})/.exec(
      wordsOf(await owner.page('/manage/sales/')),
    )?.[1]
  expect(await yearOf()).toBe('2026')
  await owner.act('/manage/settings/', { ...typed, timeZone: 'America/New_York' })
  expect(await yearOf()).toBe('2025')
  expect((await sumMonths(shop.db, 2025, 'America/New_York'))[11]!.sales).toBe(1)
  await owner.act('/manage/settings/', typed)
  expect(await yearOf()).toBe('2026')
})
