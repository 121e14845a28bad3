import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Market Bags', color: '#a08a5f' })
  await addCategory(shop.db, 'coasters', { title: 'Round Coasters', position: 1 })
  await addColor(shop.db, 'sage', { name: 'Sage_Green' })
  await addItem(shop.db, 'tote', 'bags', { name: 'Sunday Tote', priceCents: 4200, createdAt: 10, pictures: [{ colors: ['sage'] }, {}] })
  await addItem(shop.db, 'net', 'bags', { name: 'Net Bag', createdAt: 20, discountType: 'percent', discountValue: 1000 })
  await addItem(shop.db, 'round', 'coasters', { name: 'Tea Coaster', priceCents: 900, createdAt: 15 })
  return shop
}

/** What stands between the first `from` and the next `to`. */
const part = (html: string, from: string, to: string) => html.split(from)[1]?.split(to)[0] ?? ''
const names = (html: string) => [...html.matchAll(/<h2[^>]*><a[^>]*>([^<]*)</g)].map((match) => match[1])
const title = (html: string) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]

test('NAV-17 ROLES-01 S-052 DATA-113 a visitor sees all items without a category, the newest first', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/')

  expect(names(html)).toEqual(['Net Bag', 'Tea Coaster', 'Sunday Tote'])
})

test('NAV-18 GALLERY-02 GALLERY-06 GALLERY-07 DATA-112 DATA-113 a category shows its title and its items only, the newest first', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags')

  expect(names(html)).toEqual(['Net Bag', 'Sunday Tote'])
  expect(title(html)).toBe('Market Bags')
  expect(part(part(html, '<main', '</main>'), '<header', '</header>')).toContain('--tint:#a08a5f')
})

test('DATA-112 a new item appears as soon as it is there', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  await visitor.page('/gallery/coasters')
  await addItem(shop.db, 'star', 'coasters', { name: 'Star Coaster', createdAt: 99 })

  expect(names(await visitor.page('/gallery/coasters'))).toEqual(['Star Coaster', 'Tea Coaster'])
})

test('GALLERY-08 GALLERY-09 GALLERY-10 CONST-01 COLOR-04 a card shows first picture, name, price and colours, and leads to the item', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags')
  const [net, tote] = html
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0])

  expect(tote).toContain('/pictures/items/tote-0.480.webp')
  expect(tote).not.toContain('tote-1')
  expect(tote).toContain('Sunday Tote')
  expect(tote).toContain('$42.00')
  expect(tote).toContain('Sage Green')
  expect(tote).toContain('href="/item/tote"')
  // S-054
  expect(net).toMatch(/<s[ >].*\$25\.00.*<\/s>.*\$22\.50/)
  expect(net).toContain('10% OFF')
  expect(tote).not.toMatch(/<s[ >]/)
  expect(tote).not.toContain('OFF')
})

test('GALLERY-01 the gallery lists the categories, each leading to its items', async () => {
  const shop = await openStockedShop()
  const list = part(await shop.visitor().page('/gallery/'), '<nav aria-label="Categories"', '</nav>')

  expect([...list.matchAll(/href="([^"]+)"/g)].map((match) => match[1])).toEqual(['/gallery/', '/gallery/bags', '/gallery/coasters'])
  expect(list).toContain('Round Coasters')
})

test('GALLERY-03 GALLERY-04 GALLERY-05 the Categories panel is open only while no category is chosen', async () => {
  const shop = await openStockedShop()
  const panel = async (path: string) => /<details[^>]*>/.exec(await shop.visitor().page(path))?.[0]

  expect(await panel('/gallery/')).toContain('open')
  expect(await panel('/gallery/?q=tote')).toContain('open')
  expect(await panel('/gallery/bags')).not.toContain('open')
  expect(await panel('/gallery/bags?q=tote')).not.toContain('open')
  expect(/<details[^>]*>/.exec(await (await shop.guest()).page('/gallery/?favorites'))?.[0]).toContain('open')
  expect(part(await shop.visitor().page('/gallery/bags'), '<summary', '</summary>')).toContain('Categories')
})

test('S-061 a card says when none of its pictures can be had', async () => {
  const shop = await openStockedShop()
  await shop.db.updateTable('itemPictures').set({ isAvailable: 0 }).where('itemId', '=', 'net').execute()
  const card = async (name: string) => (await shop.visitor().page('/gallery/')).split('<article').find((html) => html.includes(name))
  expect(await card('Net Bag')).toContain('Not available')
  expect(await card('Sunday Tote')).not.toContain('Not available')

  await shop.db.updateTable('colors').set({ isAvailable: 0 }).execute()
  // its second picture wears no colour
  expect(await card('Sunday Tote')).not.toContain('Not available')
  await shop.db.updateTable('itemPictures').set({ isAvailable: 0 }).where('id', '=', 'tote-1').execute()
  expect(await card('Sunday Tote')).toContain('Not available')
})

test('GALLERY-11 GALLERY-12 ITEM-25 ITEM-26 only those who are signed in have a heart, guests among them', async () => {
  const shop = await openStockedShop()
  const [visitor, guest] = [shop.visitor(), await shop.guest()]

  for (const path of ['/gallery/', '/item/tote']) {
    expect(await visitor.page(path)).not.toContain('aria-pressed')
    expect(await guest.page(path)).toContain('aria-label="Favorite: Sunday Tote"')
  }
})

test('S-053 unknown and empty categories say so without an error', async () => {
  const shop = await openStockedShop()
  await addCategory(shop.db, 'empty', { title: 'Nothing Yet' })
  for (const path of ['/gallery/empty', '/gallery/who-knows', "/gallery/'%22;--"]) {
    const response = await shop.visitor().get(path)

    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).toContain('There are no items here yet.')
  }
})

test('NAV-19 any other path goes home', async () => {
  const shop = await openTestShop()
  for (const path of ['/nowhere', '/gallery/a/b', '/item/', '/item/a/b']) {
    const response = await shop.visitor().get(path)

    expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/'])
  }
})
