import { describe, expect, test } from 'vitest'
import { FEW, growShop } from '#bench/growth-data.ts'
import { addCategory, addItem, itemNames } from '#test/fixtures/catalog.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { openTestShop, type ShopOptions } from '#test/fixtures/test-shop.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { readGallery } from './gallery.server.ts'
import { getVocabularyCached, isWithinOneTypo, namesFrom, singular } from './search-terms.server.ts'

async function openNamedShop(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
  await addCategory(shop.db, 'keys', { title: 'Key Chains' })
  await addCategory(shop.db, 'plants', { title: 'Plant Hangers', position: 1 })
  await addCategory(shop.db, 'walls', { title: 'Wall Hangings', position: 2 })
  await addItem(shop.db, 'fish', 'keys', { name: 'Fishbone', createdAt: 4 })
  await addItem(shop.db, 'sun', 'plants', { name: 'Morning Sun', createdAt: 3 })
  await addItem(shop.db, 'moon', 'walls', { name: 'Little Dream Catcher', createdAt: 2 })
  await addItem(shop.db, 'glass', 'walls', { name: 'Berry Glass', createdAt: 1 })
  await addCategory(shop.db, 'hair', { title: 'Hair', position: 3 })
  await addItem(shop.db, 'leaf', 'hair', {
    name: 'Leaf Scrunchie',
    description: 'Worn across the hair.',
    createdAt: 0,
  })
  return shop
}

describe('the gallery search', () => {
  const shop = shared((onCleanup) => openNamedShop({ onCleanup }))

  test.for([
    ['keychain', ['Fishbone'], 'two words as one'],
    ['key-chains', ['Fishbone'], 'a hyphen between two words'],
    ['dreamcatchers', ['Little Dream Catcher'], 'one word in the plural'],
    ['wallhanging', ['Little Dream Catcher', 'Berry Glass'], 'a category as one word'],
    ['wall hangings', ['Little Dream Catcher', 'Berry Glass'], 'a category as two words'],
    ['planters', ['Morning Sun'], 'a synonym in the plural'],
    ['morning planter', ['Morning Sun'], 'a synonym and another word'],
    ['key ring', ['Fishbone'], 'a synonym of two words'],
    ['berries', ['Berry Glass'], 'an irregular plural'],
    [
      'Macramé glass',
      ['Berry Glass'],
      'a word that few texts contain, although it is true of every piece',
    ],
    [
      'handmade',
      ['Fishbone', 'Morning Sun', 'Little Dream Catcher', 'Berry Glass', 'Leaf Scrunchie'],
      'only such a word',
    ],
    ['glasses', ['Berry Glass'], 'a plural with es'],
    ['leaves', ['Leaf Scrunchie'], 'a plural with another consonant'],
    ['scrunchies', ['Leaf Scrunchie'], 'a plural of a word with ie'],
    ['roses', [], 'a plural whose first letters are a part of other words'],
    ['keychian', ['Fishbone'], 'two exchanged characters'],
    ['dreamcacher', ['Little Dream Catcher'], 'a missing character'],
    ['plannter', ['Morning Sun'], 'one added character in a synonym'],
    ['gless', ['Berry Glass'], 'one different character'],
    ['dremcacher', [], 'two typos'],
  ] as const)(
    'the search %s finds the items %s (%s) [OWN-90, OWN-91, OWN-92, S-419]',
    async ([text, expected]) => {
      const html = await shop()
        .visitor()
        .page(`/gallery/?q=${encodeURIComponent(text)}`)
      expect(itemNames(html)).toEqual(expected)
    },
  )
})

test('a search tolerates typos only if nothing matches exactly, and then shows “No exact matches” [OWN-92]', async () => {
  const shop = await openNamedShop()
  await addItem(shop.db, 'grass', 'walls', { name: 'Tall Grass' })
  const visitor = shop.visitor()

  const exact = await visitor.page('/gallery/?q=glass')
  expect(itemNames(exact)).toEqual(['Berry Glass'])
  expect(exact).not.toContain('No exact matches')
  expect(await visitor.page('/gallery/?q=glasz')).toContain('No exact matches')
})

test('a search finds a word of one item, of 500 items and of 501 items, also after a change of the catalog and in very long texts [OWN-90]', async () => {
  const { db, customer, shop } = await openTestShop()
  await growShop(db, { ...FEW, items: 501 }, { customer: (await customer()).id, now: shop.now() })
  const count = async (q: string) =>
    (
      await readGallery(shop, {
        view: 'everything',
        params: new URLSearchParams({ q }),
        userId: null,
      })
    ).count
  const counts = async () => [
    await count('driftwood'),
    await count('driftwood 499'),
    await count('#499'),
  ]
  expect(await counts()).toEqual([501, 1, 1])
  await db.updateTable('items').set({ description: '' }).where('id', '=', 'i499').execute()
  shop.live.changed('catalog')
  expect(await counts()).toEqual([500, 0, 1])
  await db
    .updateTable('items')
    .set({ description: `driftwood ${'x'.repeat(8500)}` })
    .execute()
  shop.live.changed('catalog')
  expect((await getVocabularyCached(shop)).texts).toBeNull()
  expect(await counts()).toEqual([501, 1, 1])
})

test('visitors find items by the owner’s synonyms, and a line of synonyms with only one word is refused [OWN-91]', async () => {
  const shop = await openNamedShop()
  const owner = await shop.owner()
  const synonyms = 'Sunrise, MORNING sun\r\n\r\nherringbone, loaf, fishbone'

  const refused = await owner.post('/manage/settings/', {
    ...defaultSettings,
    synonyms: 'herringbone',
  })
  expect(refused.status).toBe(422)
  const field = pageOf(await refused.text()).getByRole('textbox', {
    name: 'Words that mean the same',
    description: /^Please put at least two words/,
  })
  expect(field).toBeTruthy()

  expect(itemNames(await shop.visitor().page('/gallery/?q=herringbones'))).toEqual([])
  expect((await owner.post('/manage/settings/', { ...defaultSettings, synonyms })).status).toBe(200)
  expect(itemNames(await shop.visitor().page('/gallery/?q=herringbones'))).toEqual(['Fishbone'])
  expect(itemNames(await shop.visitor().page('/gallery/?q=loaves'))).toEqual(['Fishbone'])
  expect(itemNames(await shop.visitor().page('/gallery/?q=sunrise'))).toEqual(['Morning Sun'])
  expect(itemNames(await shop.visitor().page('/gallery/?q=planter'))).toEqual([])
})

test('the gallery can be searched for a word with 1,500 synonyms [OWN-91]', async () => {
  const shop = await openNamedShop()
  const synonyms = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(',')
  await saveSettings(shop.db, { synonyms }, shop.now())
  expect((await shop.visitor().get('/gallery/?q=w1')).status).toBe(200)
})

test('a search without results shows the most ordered items and links to the categories [OWN-93]', async () => {
  const shop = await openNamedShop()
  const page = pageOf(await shop.visitor().page('/gallery/?q=teapot'))

  const ways = within(page.getByText(/^No items match/).parentElement!)
  expect(ways.getByRole('link', { name: 'Key Chains' }).getAttribute('href')).toBe('/gallery/keys')
  expect(page.getByRole('region', { name: 'Customers Most Ordered' })).toBeTruthy()
  expect(await shop.visitor().page('/gallery/?q=fishbone')).not.toContain('Customers Most Ordered')
})

test('the search converts plurals to the singular and recognizes a word with one typo [OWN-90, OWN-92]', () => {
  const plurals = ['bags', 'glass', 'gas', 'ties', 'brushes', 'boxes', 'vases', 'sizes']
  expect(plurals.map(singular)).toEqual([
    'bag',
    'glass',
    'gas',
    'tie',
    'brush',
    'box',
    'vase',
    'size',
  ])
  expect(namesFrom(['big key-chains']).get('keychain')).toEqual(['key-chains'])
  expect(isWithinOneTypo('bag', 'bog')).toBe(false)
  expect(isWithinOneTypo('coaster', 'coatser')).toBe(true)
  expect(isWithinOneTypo('coaster', 'coasterly')).toBe(false)
})
