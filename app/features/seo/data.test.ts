import { expect, test } from 'vitest'
import { changeSettings, defaultSettings } from '#app/features/settings/settings.server.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { readHead } from '#test/page-head.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { availabilityOf } from './structured-data.server.ts'

const color = { id: 'c', name: 'c', picture: null, isAvailable: true, isLowOnStock: false, discount: null }
const picture = {
  id: 'p',
  picture: { url: '', width: 1, height: 1, widths: [], placeholder: '' },
  isAvailable: true,
  colorIds: ['c'],
}
const bare = { ...picture, colorIds: [] }

test.for([
  { what: 'nothing marked', colors: [color], pictures: [picture], is: 'InStock' },
  { what: 'no colours', colors: [], pictures: [bare], is: 'InStock' },
  { what: 'nothing to show', colors: [], pictures: [], is: 'OutOfStock' },
  { what: 'one colour of two gone', colors: [{ ...color, id: 'gone', isAvailable: false }, color], pictures: [picture], is: 'InStock' },
  { what: 'every colour gone', colors: [{ ...color, isAvailable: false, isLowOnStock: true }], pictures: [picture], is: 'OutOfStock' },
  {
    what: 'what is left is low',
    colors: [
      { ...color, id: 'gone', isAvailable: false },
      { ...color, isLowOnStock: true },
    ],
    pictures: [picture],
    is: 'LimitedAvailability',
  },
  { what: 'one of two is low', colors: [color, { ...color, isLowOnStock: true }], pictures: [picture], is: 'InStock' },
  { what: 'no colours, every picture gone', colors: [], pictures: [{ ...bare, isAvailable: false }], is: 'OutOfStock' },
  { what: 'the only picture gone, its colour there', colors: [color], pictures: [{ ...picture, isAvailable: false }], is: 'OutOfStock' },
])('S-061 S-062 $what: $is', ({ colors, pictures, is }) => {
  expect(availabilityOf({ colors, pictures })).toBe(`https://schema.org/${is}`)
})

test('the offer follows the item: its price, its discount, its colours', async () => {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags', { title: 'Bags' })
  await addColor(db, 'rust')
  await addItem(db, 'tote', 'bags', { priceCents: 999, pictures: [{ colors: ['rust'] }] })
  const read = async () => readHead(await visitor().page('/item/tote'))
  const offer = async () => (await read()).data.Product?.offers as Record<string, unknown>
  expect(await offer()).toMatchObject({ price: '9.99', priceCurrency: 'USD', availability: 'https://schema.org/InStock' })
  expect(Object.keys(await offer())).not.toContain('priceSpecification')
  expect(Object.keys(await offer())).not.toContain('priceValidUntil')

  await db.updateTable('items').set({ discountType: 'amount', discountValue: 500 }).execute()
  await db.updateTable('colors').set({ isAvailable: 0 }).execute()
  const { meta, data } = await read()
  expect(data.Product?.offers).toMatchObject({
    price: '4.99',
    availability: 'https://schema.org/OutOfStock',
    priceSpecification: { price: '9.99', priceType: 'https://schema.org/StrikethroughPrice' },
  })
  expect([meta('product:price:amount'), meta('product:price:currency')]).toEqual(['4.99', 'USD'])

  await db.updateTable('items').set({ discountValue: 5000 }).execute()
  expect(await offer()).toMatchObject({ price: '0.00' })
})

test('breadcrumbs lead from home through the category, by addresses that answer', async () => {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags', { title: 'Bags' })
  await addItem(db, 'tote', 'bags', { name: 'Market Tote' })
  const { data } = readHead(await visitor().page('/item/tote'))
  const steps = data.BreadcrumbList?.itemListElement as { position: number; name: string; item: string }[]
  expect(steps.map(({ position, name }) => [position, name])).toEqual([
    [1, 'Home'],
    [2, 'Gallery'],
    [3, 'Bags'],
    [4, 'Market Tote'],
  ])
  for (const { item } of steps) expect((await visitor().get(item)).status, item).toBe(200)
})

test('S-029 the business is what the owner has written about it; what she left open is not told', async () => {
  const shop = await openTestShop()
  const business = async (path: string) => readHead(await shop.visitor().page(path)).data.LocalBusiness
  expect(await business('/')).toEqual({
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    '@id': `${ORIGIN}/#shop`,
    name: 'Knots & Love',
    description: 'Macrame, knotted by hand',
    url: `${ORIGIN}/`,
    logo: `${ORIGIN}/icon-512.png`,
    image: expect.stringMatching(/\/share\/shop\.jpg\?v=\w+$/),
  })
  const told = { city: 'Asheville', phone: '828 555 0142', email: 'hello@knots.example', instagramUrl: 'https://www.instagram.com/knots' }
  await changeSettings(shop.shop, 'owner', { ...defaultSettings, ...told })
  const expected = {
    telephone: told.phone,
    email: told.email,
    sameAs: [told.instagramUrl],
    address: { '@type': 'PostalAddress', addressLocality: 'Asheville' },
  }
  expect(await business('/')).toMatchObject(expected)
  expect(await business('/contact/')).toMatchObject(expected)
  expect(await business('/about/')).toBeUndefined()
})
