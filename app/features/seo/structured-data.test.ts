import { expect, test } from 'vitest'
import { changeSettings } from '#settings/settings.server.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'
import type { ItemTable } from '#db/schema.ts'
import type { Insertable } from 'kysely'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { readHead } from '#test/fixtures/html.ts'
import { availability } from './structured-data.server.ts'

const color = {
  id: 'c',
  name: 'c',
  image: null,
  isAvailable: true,
  isLowOnStock: false,
  discount: null,
}
const image = {
  id: 'p',
  image: { url: '', width: 1, height: 1, widths: [], placeholder: '' },
  isAvailable: true,
  colorIds: ['c'],
}
const bare = { ...image, colorIds: [] }

test.for([
  { what: 'an available color', colors: [color], images: [image], is: 'InStock' },
  { what: 'no colors', colors: [], images: [bare], is: 'InStock' },
  { what: 'no colors and no pictures', colors: [], images: [], is: 'OutOfStock' },
  {
    what: 'one unavailable and one available color',
    colors: [{ ...color, id: 'gone', isAvailable: false }, color],
    images: [image],
    is: 'InStock',
  },
  {
    what: 'only an unavailable color',
    colors: [{ ...color, isAvailable: false, isLowOnStock: true }],
    images: [image],
    is: 'OutOfStock',
  },
  {
    what: 'only one available color, which is low on stock',
    colors: [
      { ...color, id: 'gone', isAvailable: false },
      { ...color, isLowOnStock: true },
    ],
    images: [image],
    is: 'LimitedAvailability',
  },
  {
    what: 'one of two available colors low on stock',
    colors: [color, { ...color, isLowOnStock: true }],
    images: [image],
    is: 'InStock',
  },
  {
    what: 'no colors and only an unavailable picture',
    colors: [],
    images: [{ ...bare, isAvailable: false }],
    is: 'OutOfStock',
  },
  {
    what: 'an available color but only an unavailable picture',
    colors: [color],
    images: [{ ...image, isAvailable: false }],
    is: 'OutOfStock',
  },
])(
  'the availability in structured data is $is for an item with $what [S-061, S-062]',
  ({ colors, images, is }) => {
    expect(availability({ colors, images, state: 'listed' })).toBe(`https://schema.org/${is}`)
  },
)

test('structured data contains the owner’s business details [S-029]', async () => {
  const shop = await openTestShop()
  const business = async (path: string) =>
    readHead(await shop.visitor().page(path)).data.LocalBusiness
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
  const settings = {
    city: 'Asheville',
    phone: '828 555 0142',
    email: 'hello@knots.example',
    instagram: 'https://www.instagram.com/knots',
  }
  await changeSettings(shop.shop, 'owner', { ...defaultSettings, ...settings })
  const expected = {
    telephone: settings.phone,
    email: settings.email,
    sameAs: [settings.instagram],
    address: { '@type': 'PostalAddress', addressLocality: 'Asheville' },
  }
  expect(await business('/')).toMatchObject(expected)
  expect(await business('/contact/')).toMatchObject(expected)
  expect(await business('/about/')).toBeUndefined()
})

// The folder golden/ contains the expected HTML head of the item page. If you change the head on
// purpose, run vitest --update.
async function headOfTote(changed: Partial<Insertable<ItemTable>>) {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags', { title: 'Bags & Totes' })
  await addColor(db, 'rust_red')
  await addColor(db, 'sage', { isLowOnStock: true })
  const images = [{ colors: ['rust_red'] }, { colors: ['sage'] }]
  const description =
    'A wide net of soft cotton that carries a melon,\nthree books and a coat. "Everything" & more.'
  await addItem(db, 'tote', 'bags', {
    name: 'Market Tote',
    priceCents: 123_450,
    description,
    size: '14 x 16 in',
    images,
    ...changed,
  })
  return readHead(await visitor().page('/item/tote'))
}

/**
 * Formats the head of a page for the golden file: one tag per line, indented structured data, and
 * no links to build files.
 */
const readable = ({ title, tags, data }: Awaited<ReturnType<typeof headOfTote>>) =>
  [
    `<title>${title}</title>`,
    ...tags
      .filter((tag) => !/rel="(preload|modulepreload|stylesheet)"/.test(tag))
      .map((tag) => tag.replace(/ nonce="[^"]*"/, '')),
    ...Object.values(data).map((document) => JSON.stringify(document, null, 2)),
    '',
  ].join('\n')

test('structured data of an item without a discount contains the price of the item [CONST-01]', async () => {
  await expect(readable(await headOfTote({}))).toMatchFileSnapshot('golden/item.txt')
})

test('structured data of a discounted item contains the original and the reduced price [CONST-01, DISC-55]', async () => {
  await expect(
    readable(await headOfTote({ discountType: 'percent', discountValue: 1050 })),
  ).toMatchFileSnapshot('golden/item-on-sale.txt')
})
