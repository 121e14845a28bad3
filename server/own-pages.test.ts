/** Pages kept for the person who looked at them, and what is kept for all: nobody ever gets another's, nor what was (040). */
import { expect, test } from 'vitest'
import type { Page, User } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'
import { openLive } from '#app/platform/live.server.ts'
import { sheetOf, withText } from '#app/platform/whole-text.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openOwnPages } from './own-pages.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addColor(shop.db, 'rust')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900, pictures: [{ colors: ['rust'] }] })
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  return shop
}
type Shop = Awaited<ReturnType<typeof openStockedShop>>
type Customer = Awaited<ReturnType<Shop['customer']>>

/** Differs for each page that is made. */
const nonceOf = (html: string) => /nonce="([^"]+)"/.exec(html)?.[1]
const hearts = (html: string) => [...html.matchAll(/aria-pressed="true"[^>]*aria-label="Favorite: ([^"]+)"/g)].map(([, name]) => name)
/** The page twice: the second time it is the kept one. */
async function known(person: Customer, path: string) {
  const first = await person.page(path)
  expect(nonceOf(await person.page(path))).toBe(nonceOf(first))
  return first
}

test('the same page is made once for one person, and for nobody else: each sees the own name, hearts and session', async () => {
  const shop = await openStockedShop()
  const people = await Promise.all(['ann', 'bea', 'cleo', 'dora'].map((name) => shop.customer(`${name}@mail.test`)))
  const [ann, bea] = people as [Customer, Customer]
  await ann.act('/favourite', { itemId: 'moon', wanted: 'yes' })
  await bea.act('/favourite', { itemId: 'sun', wanted: 'yes' })
  const names = ['ann', 'bea', 'cleo', 'dora']
  // All at once, again and again, in turns: whoever asks gets the own page.
  const asked = Array.from({ length: 40 }, (_none, at) => at % 4)
  const pages = await Promise.all(asked.map((at) => people[at]!.page('/gallery/')))
  for (const [at, page] of pages.entries()) {
    const shown = names.filter((name) => page.includes(`${name}@mail.test`))
    expect(shown).toEqual([names[asked[at]!]])
    expect(hearts(page)).toEqual([['Moon wall'], ['Sun wall'], [], []][asked[at]!])
  }
  const nonces = await Promise.all(people.map(async (person) => nonceOf(await known(person, '/gallery/'))))
  expect(new Set(nonces).size).toBe(4)
  expect(await shop.visitor().page('/gallery/')).not.toMatch(/@mail\.test/)
})

test('another theme, address, encoding, cookie or method is another page; forms, panels and what must be told once are none', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const dark = await known(ann, '/gallery/')
  ann.cookies.set('theme', 'light')
  expect(await ann.page('/gallery/')).toContain('data-theme="light"')
  ann.cookies.delete('theme')
  expect(await ann.page('/gallery/')).toBe(dark)
  const headers = { cookie: [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; '), 'accept-encoding': 'br' }
  expect(nonceOf(await (await ann.send('/gallery/', { headers })).text())).not.toBe(nonceOf(dark))
  expect(await (await ann.send('/gallery/', { method: 'HEAD' })).text()).toBe('')
  expect((await (await ann.send('/gallery/_.data')).text()).startsWith('[')).toBe(true)
  for (const path of ['/gallery/?messages', '/contact/'])
    expect([path, nonceOf(await ann.page(path))]).not.toEqual([path, nonceOf(await ann.page(path))])
  await ann.post('/favourite', { itemId: 'no-such', wanted: 'yes', back: '/gallery/' })
  expect(ann.cookies.has('flash')).toBe(true)
  await ann.page('/gallery/')
  expect(ann.cookies.has('flash')).toBe(false)
})

test('what anybody changes is on the next page: hearts, prices, names, settings, messages, the person herself', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  await ann.post('/messages/', { message: 'Hello', messageId: 'hello-000000000001' })
  const steps: [string, () => Promise<unknown>, (page: string) => void][] = [
    ['/gallery/', () => ann.act('/favourite', { itemId: 'moon', wanted: 'yes' }), (page) => expect(hearts(page)).toEqual(['Moon wall'])],
    ['/gallery/', () => ann.act('/favourite', { itemId: 'moon', wanted: 'no' }), (page) => expect(hearts(page)).toEqual([])],
  ]
  for (const [path, act, look] of steps) {
    const before = await known(ann, path)
    await act()
    const after = await ann.page(path)
    look(after)
    expect(nonceOf(after)).not.toBe(nonceOf(before))
  }
  // Whatever says that it has changed anything is believed, by all.
  for (const topic of ['catalogue', 'testimonials', 'settings', 'orders', 'sales', `user:${ann.id}`] as const) {
    const before = await known(ann, '/gallery/')
    shop.shop.live.changed(topic)
    expect(nonceOf(await ann.page('/gallery/'))).not.toBe(nonceOf(before))
  }
  await known(ann, '/')
  await shop.shop.db.updateTable('settings').set({ value: '"x"' }).execute()
  await shop.shop.db.insertInto('settings').values({ key: 'name', value: '"Loops"', updatedAt: 1 }).execute()
  shop.shop.live.changed('settings')
  expect(await ann.page('/')).toContain('Loops')
})

test('a session that has ended anywhere, also in another process, is over with the next page; so is the name of before', async () => {
  const shop = await openStockedShop()
  const [ann, bea] = [await shop.customer(), await shop.customer('bea@mail.test')]
  await known(ann, '/gallery/')
  await known(bea, '/gallery/')
  // Nobody tells this process of it.
  await shop.shop.db.updateTable('user').set({ name: 'Beatrice' }).where('id', '=', bea.id).execute()
  await shop.shop.db.deleteFrom('session').where('userId', '=', ann.id).execute()
  expect(await ann.page('/gallery/')).toContain('Login | Register')
  expect(await bea.page('/gallery/')).toContain('Beatrice')
})

const nobody = { name: 'Ann', email: '', image: null, role: 'customer', id: 'ann', sessionId: 's' } satisfies User
const page = (): Page => ({ nonce: 'n', origin: 'http://shop.test', clientAddress: '', theme: 'dark', cookies: [] })
const asking = (path = '/gallery/') => ({ request: new Request(`http://shop.test${path}`), page: page(), user: nobody })
const answered = (text: string) => Promise.resolve(withText(new Response(text, { headers: { 'content-type': 'text/html' } }), text))

test('a page that was begun before a change is not kept, nor one older than a minute, nor while changes are not heard; memory has an end', async () => {
  const clock = { now: 1_000_000 }
  let isHearing = true
  const live = { ...openLive(), isHearing: () => isHearing }
  const own = openOwnPages({ live, now: () => clock.now }, 5000)
  let made = 0
  const ask = async (path?: string, meanwhile = () => {}) => {
    const before = made
    await own.answer(asking(path), () => {
      made += 1
      meanwhile()
      return answered('x'.repeat(1000))
    })
    return made > before
  }
  expect(await ask('/gallery/', () => live.changed('catalogue'))).toBe(true)
  expect(await ask()).toBe(true)
  expect(await ask()).toBe(false)
  clock.now += 60_000
  expect(await ask()).toBe(true)
  clock.now -= 3_600_000
  expect(await ask()).toBe(true)
  isHearing = false
  expect([await ask(), await ask()]).toEqual([true, true])
  isHearing = true
  for (let number = 1; number < 20; number++) {
    await ask(`/item/${number}`)
    expect(own.bytes()).toBeLessThanOrEqual(5000)
  }
})

test('a page that is kept counts with the bytes it is sent in, not with its text', async () => {
  const own = openOwnPages({ live: openLive(), now: () => 1 }, 40_000)
  const asked = (path: string) => own.answer(asking(path), () => answered('x'.repeat(9000)))
  for (let number = 0; number < 10; number++) {
    const sheet = sheetOf(await asked(`/item/${number}`))!
    sheet.whenPacked({ bytes: Buffer.alloc(65_536).subarray(0, 500), encoding: 'zstd' })
  }
  for (let number = 0; number < 10; number++) {
    const { packed } = sheetOf(await asked(`/item/${number}`))!.sheet
    // All ten are still there, and hold no more than they need.
    expect([packed?.bytes.length, packed?.bytes.buffer.byteLength]).toEqual([500, 500])
  }
  expect(own.bytes()).toBeLessThan(10 * 2000)
})

test('a small page counts with all that is kept beside it: its heads, its name, whose it is', async () => {
  const own = openOwnPages({ live: openLive(), now: () => 1 }, 100_000)
  const page = () => Promise.resolve(withText(new Response('x', { headers: { 'content-security-policy': 'p'.repeat(4000) } }), 'x'))
  const kept = new Set<unknown>()
  for (let number = 0; number < 100; number++) await own.answer(asking(`/item/${number}`), page)
  for (let number = 0; number < 100; number++) {
    let isMade = false
    await own.answer(asking(`/item/${number}`), () => {
      isMade = true
      return Promise.resolve(new Response('not kept'))
    })
    if (!isMade) kept.add(number)
  }
  expect(kept.size).toBeGreaterThan(5)
  expect(kept.size).toBeLessThanOrEqual(100_000 / 4000)
})

test('what is kept for all is bounded by its size', async () => {
  const shop = { live: openLive(), db: null }
  let reads = 0
  const read = (key: number) =>
    keep(shop, ['catalogue'], String(key), () => {
      reads += 1
      return Promise.resolve('x'.repeat(1_000_000))
    })
  for (let key = 0; key < 40; key++) await read(key)
  await read(39)
  expect(reads).toBe(40)
  await read(0)
  expect(reads).toBe(41)
  // Strangers choose what stands in a name.
  const long = (number: number) => keep(shop, ['catalogue'], `${number} ${'x'.repeat(1_000_000)}`, () => Promise.resolve(++reads))
  for (let number = 0; number < 20; number++) await long(number)
  reads = 0
  await long(0)
  expect(reads).toBe(1)
})

test('what is kept for all is read once, is never what was read before a change, cannot be changed, and failures are not kept', async () => {
  const live = openLive()
  const shop = { live, db: null }
  let value = 1
  const read = () => keep(shop, ['catalogue'], 'key', () => Promise.resolve({ value }))
  expect(await read()).toEqual({ value: 1 })
  value = 2
  expect(await read()).toEqual({ value: 1 })
  live.changed('settings', 'orders')
  expect(await read()).toEqual({ value: 1 })
  live.changed('catalogue')
  const slow = keep(shop, ['catalogue'], 'slow', async () => {
    const seen = value
    await Promise.resolve()
    return seen
  })
  value = 3
  live.changed('catalogue')
  expect([await slow, await keep(shop, ['catalogue'], 'slow', () => Promise.resolve(value))]).toEqual([2, 3])
  const kept = await read()
  expect(() => Object.assign(kept, { value: 9 })).toThrow(TypeError)
  await expect(keep(shop, ['catalogue'], 'fails', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await keep(shop, ['catalogue'], 'fails', () => Promise.resolve('back'))).toBe('back')
})

test('043 a change counts also where the version comes back to what it was, as when its echo from the database is late', async () => {
  const live = { ...openLive(), version: () => 'the same' }
  const own = openOwnPages({ live, now: () => 0 })
  const user = { id: 'ann', sessionId: 's' } as User
  const asking = {
    request: new Request('http://shop.test/gallery/'),
    page: { origin: 'http://shop.test', cookies: [] } as unknown as Page,
    user,
  }
  let made = 0
  const look = () => own.answer(asking, async () => withText(new Response(`page ${++made}`), `page ${made}`)).then((page) => page.text())
  expect([await look(), await look()]).toEqual(['page 1', 'page 1'])
  live.changed('orders')
  expect([await look(), await look()]).toEqual(['page 2', 'page 2'])
})
