/** What React wrote before, put into a page, makes the very page that React would have written (040). */
import { expect, test } from 'vitest'
import { forgetKept } from '#app/platform/kept.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { keptMain, learnMain, MOST_BYTES, putIn, withMain } from './kept-gallery.server.ts'

const ids = ['moon', 'sun', 'tide', 'fern', 'plain']

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  const colors = ['rust', 'sand', 'sea', 'snow', 'soot', 'sage']
  for (const color of colors) await addColor(shop.db, color)
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon <b>"wall"</b> & $& $1', priceCents: 8900, pictures: [{ colors }] })
  await addItem(shop.db, 'sun', 'walls', { name: '</article></li></ul>', priceCents: 1200 })
  await addItem(shop.db, 'tide', 'walls', { name: 'Tide ‘n’ 🌊', priceCents: 100, pictures: [{ colors: ['sea'] }] })
  for (const id of ['fern', 'plain']) await addItem(shop.db, id, 'walls', { name: `${id} <li><article`, priceCents: 1 })
  return shop
}
type Customer = Awaited<ReturnType<Awaited<ReturnType<typeof openStockedShop>>['customer']>>

const withoutNonce = (html: string) => html.replaceAll(/nonce="[^"]+"/g, 'nonce=""')
const page = async (person: Customer, path: string) => withoutNonce(await person.page(path))

test('whatever is among whose favourites, at whichever address: byte for byte the page that React writes with all cards', async () => {
  const shop = await openStockedShop()
  const before = putIn.count
  const wanted = [[], ids, ['moon'], ['sun', 'plain'], ['fern'], ['tide', 'moon', 'fern']]
  const people: Customer[] = []
  for (const [at, favourites] of wanted.entries()) {
    const person = await shop.customer(`person${at}@mail.test`)
    for (const itemId of favourites) await person.act('/favourite', { itemId, wanted: 'yes' })
    people.push(person)
  }
  for (const path of [
    '/gallery/',
    '/gallery/walls',
    '/gallery/?colors=sea&x=%3C%22',
    '/gallery/?favorites',
    '/gallery/none',
    '/gallery/?chat=open',
  ]) {
    const plain: string[] = []
    for (const person of people) {
      // Other lists, for which nothing was written yet.
      forgetKept(shop.live)
      plain.push(await page(person, path))
    }
    forgetKept(shop.live)
    for (const [at, person] of people.entries()) expect(await page(person, path)).toBe(plain[at])
  }
  // From the third person on; the favourites and a category that is none are never put together.
  expect(putIn.count - before).toBeGreaterThanOrEqual(2 * (people.length - 2))
})

test('a piece that has changed is seen at once by everybody, and a heart on by its owner alone', async () => {
  const shop = await openStockedShop()
  const [ann, bea, owner] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test'), await shop.owner()]
  await ann.act('/favourite', { itemId: 'moon', wanted: 'yes' })
  for (const person of [ann, bea, owner, ann]) await person.page('/gallery/')
  await shop.db.updateTable('items').set({ name: 'Night wall' }).where('id', '=', 'moon').execute()
  shop.live.changed('catalogue')
  for (const person of [ann, bea, owner]) {
    const html = await person.page('/gallery/')
    expect(html).toContain('Night wall')
    expect(html).not.toContain('Moon')
  }
  const hearts = async (person: Pick<Customer, 'page'>) => [...(await person.page('/gallery/')).matchAll(/aria-pressed="true"/g)].length
  expect([await hearts(ann), await hearts(bea), await hearts(owner)]).toEqual([1, 0, 0])
})

test('a gallery counts for the very list it was written for; a list of one person, and a page that looks otherwise, teach nothing', () => {
  const items = Object.freeze([{ id: 'a' }, { id: 'b' }])
  const main = '<main class="page"><ul><li><article>a</article></li><li><article>b</article></li></ul><p>end</p></main>'
  const html = `<body>Ann${main}<footer></footer></body>`
  const cards = { items, favouriteIds: [] }
  learnMain('/1', cards, html)
  expect(keptMain('/1', cards)).toBe(main)
  expect(keptMain('/1', { ...cards, favouriteIds: ['b'] })).toBeNull()
  expect(keptMain('/1', { ...cards, favouriteIds: null })).toBeNull()
  expect(keptMain('/2', cards)).toBeNull()
  expect(keptMain('/1', { ...cards, items: Object.freeze([...items]) })).toBeNull()
  const own = { ...cards, items: [...items] }
  learnMain('/3', own, html)
  expect(keptMain('/3', own)).toBeNull()
  learnMain('/4', cards, html.replace('<li><article>b</article></li>', ''))
  expect(keptMain('/4', cards)).toBeNull()
  learnMain('/5', { ...cards, favouriteIds: null }, html)
  expect(keptMain('/5', cards)).toBeNull()
  expect(withMain(html, 'x')).toBeNull()
  expect(withMain('<body>Bea<main id="main"></main></body>', main)).toBe(`<body>Bea${main}</body>`)
})

test('what is kept is bounded by its bytes: who grows, with hearts on beside hearts off, drives out who was asked for longest ago', () => {
  const items = Object.freeze([{ id: 'large' }])
  // Two bytes a letter: two fifths of the room.
  const html = `<main class="page"><ul><li><article>${'x'.repeat(MOST_BYTES / 5)}</article></li></ul></main>`
  const [off, on] = [[], ['large']].map((favouriteIds) => ({ items, favouriteIds }))
  const isKept = (address: string, pieces = off!) => keptMain(address, pieces) !== null
  learnMain('/first', off!, html)
  learnMain('/second', off!, html)
  expect([isKept('/first'), isKept('/second')]).toEqual([true, true])
  learnMain('/second', on!, html)
  expect([isKept('/first'), isKept('/second'), isKept('/second', on)]).toEqual([false, true, true])
  // What would take all the room by itself is not kept at all, and leaves the others in peace.
  learnMain('/huge', off!, html.replace('</article>', `${'y'.repeat(MOST_BYTES / 2)}</article>`))
  expect([isKept('/huge'), isKept('/second')]).toEqual([false, true])
})
