import { expect, test } from 'vitest'
import { sumMonths } from '#reports/reports.server.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { addSale, addTestimonyTicket, placeOrder } from '#test/fixtures/orders.ts'
import { optionsOf, pageOf, readHead, within } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { parseTimeZone } from './regional-settings.server.ts'
import { defaultSettings as typed } from './setting-declarations.server.ts'
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
  const euros = { ...typed, currencyCode: 'EUR', currencyPosition: 'after' }
  expect((await owner.act('/manage/settings/', euros)).text).toContain('Settings saved')
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
    expect(words, path).toContain(price)
    expect(/.{0,20}\$ ?\d.{0,20}/.exec(words)?.[0], path).toBeUndefined()
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
  expect(readHead(html).meta('product:price:currency')).toBe('EUR')
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
  const page = pageOf(await response.text())
  expect(response.status).toBe(422)
  const errors = page.getAllByRole('alert').filter(({ textContent }) => textContent !== '')
  expect(errors.map(({ id }) => id.replace('-error', '')).toSorted()).toEqual(
    Object.keys(wrong).toSorted(),
  )
  const timeZone = { name: 'Time zone', description: /^Please select a time zone/ }
  expect(page.getByRole('combobox', timeZone)).toBeTruthy()
  const fee = { name: 'Usual shipping fee', description: /^Enter a price such as 12.50/ }
  expect(page.getByRole('textbox', fee)).toBeTruthy()
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})

test('the owner finds her time zone by its country [OWN-39]', async () => {
  const shop = await openTestShop({ timeZone: 'America/New_York' })
  const owner = await shop.owner()
  const readZones = async () => {
    const section = pageOf(await owner.page('/manage/settings/')).getByText('Money and time')
    return optionsOf(within(section.closest('details')!), 'Time zone')
  }
  const { all, selected } = await readZones()
  expect(selected).toBe('Not chosen yet: United States: New York (Eastern Time)')
  expect(all[0]).toBe(selected)
  expect(all).toContain('Portugal: Lisbon (Western European Time)')
  expect(all.filter((label) => !label.includes(': '))).toEqual(['UTC'])
  await owner.act('/manage/settings/', { ...typed, timeZone: 'Europe/Lisbon' })
  expect((await readZones()).selected).toBe('Portugal: Lisbon (Western European Time)')
})

test('the shop knows a time zone by its older and newer name, and refuses other words [OWN-39]', () => {
  expect(['Asia/Kolkata', 'Europe/Kyiv', 'UTC', ''].map(parseTimeZone)).toEqual([
    'Asia/Calcutta',
    'Europe/Kiev',
    'UTC',
    '',
  ])
  for (const word of ['Mars', 'Porto', '+02:00', 'Europe', '__proto__']) {
    expect(parseTimeZone(word)).toBeNull()
  }
})

test('days begin at midnight in the time zone from the settings, or in SHOP_TIME_ZONE if none is set [OWN-40]', async () => {
  const shop = await openTestShop({ now: Date.UTC(2026, 0, 1, 2), timeZone: 'UTC' })
  const owner = await shop.owner()
  await addSale(shop.db, { createdAt: shop.now() })
  const yearOf = async () =>
    /(?:January|December) \d\d, (\d{4})/.exec(wordsOf(await owner.page('/manage/sales/')))?.[1]
  expect(await yearOf()).toBe('2026')
  await owner.act('/manage/settings/', { ...typed, timeZone: 'America/New_York' })
  expect(await yearOf()).toBe('2025')
  expect((await sumMonths(shop.db, 2025, 'America/New_York'))[11]!.sales).toBe(1)
  await owner.act('/manage/settings/', typed)
  expect(await yearOf()).toBe('2026')
})
