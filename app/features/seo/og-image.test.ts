import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { readHead } from '#test/fixtures/html.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { itemSubject } from './og-image.server.ts'
import { renderOgImage } from './render-og-image.server.ts'

const photo = (background: string) =>
  sharp({ create: { width: 960, height: 960, channels: 3, background } })
    .webp()
    .toBuffer()

async function openShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addItem(shop.db, 'tote', 'bags', { name: 'Market Tote' })
  await shop.storage.put('items/tote-0.960.webp', await photo('#b4532f'))
  return shop
}
const storedImages = async ({ storage }: TestShop) =>
  (await storage.list('share/')).map(({ path }) => path)
const addressOf = async ({ visitor }: TestShop, path = '/item/tote') =>
  readHead(await visitor().page(path)).meta('og:image')
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const colorAt = async (bytes: Buffer, left: number, top: number) => {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

test('12 simultaneous requests for the share image of an item render the image only once', async () => {
  const shop = await openShop()
  const address = await addressOf(shop)
  const put = vi.spyOn(shop.storage, 'put')
  const answers = await Promise.all(Array.from({ length: 12 }, () => shop.visitor().get(address)))
  const [bytes, ...others] = await Promise.all(answers.map(bytesOf))
  for (const copy of others) expect(copy.equals(bytes!)).toBe(true)
  expect(put).toHaveBeenCalledTimes(1)
  const { width, height, format } = await sharp(bytes).metadata()
  expect(width).toBe(1200)
  expect(height).toBe(630)
  expect(format).toBe('jpeg')
  expect(bytes!.length).toBeLessThan(200_000)
  const [red, green, blue] = await colorAt(bytes!, 300, 300)
  expect(Math.abs(red! - 0xb4)).toBeLessThan(12)
  expect(Math.abs(green! - 0x53)).toBeLessThan(12)
  expect(Math.abs(blue! - 0x2f)).toBeLessThan(12)
  expect(await storedImages(shop)).toHaveLength(1)
  expect(answers[0]!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answers[0]!.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('a change of an item’s name, price, discount or photo, or of the shop’s name replaces the share image', async () => {
  const shop = await openShop()
  const { db, visitor } = shop
  await shop.storage.put('items/other.960.webp', await photo('#5e7350'))
  const seen = new Set<string>()
  for (const change of [
    db.updateTable('items').set({ name: 'Net Tote' }),
    db.updateTable('items').set({ priceCents: 2600 }),
    db.updateTable('items').set({ discountType: 'percent', discountValue: 1000 }),
    db.updateTable('images').set({ path: 'items/other.webp' }).where('id', '=', 'tote-0'),
    db.insertInto('settings').values({ key: 'name', value: '"Loops"', updatedAt: 1 }),
  ]) {
    await change.execute()
    const address = await addressOf(shop)
    const bytes = (await bytesOf(await visitor().get(address))).toString('base64')
    expect(seen).not.toContain(address)
    expect(seen.has(bytes)).toBe(false)
    expect(await storedImages(shop)).toHaveLength(1)
    seen.add(address).add(bytes)
  }
  await db.updateTable('items').set({ description: 'Another text.' }).execute()
  expect(seen.has(await addressOf(shop))).toBe(true)
})

test('a share image shows the code of a currency whose symbol the font lacks [S-290]', () => {
  const item = {
    id: 'moon',
    name: 'Moon wall',
    priceCents: 4500,
    discount: null,
    images: [],
    state: 'listed' as const,
  }
  const priceIn = (currencyCode: string) =>
    itemSubject(item, { ...defaultSettings, currencyCode }, false).words.price?.now
  expect(['USD', 'EUR', 'PHP', 'PLN'].map(priceIn)).toEqual([
    '$45.00',
    '€45.00',
    'PHP\u00a045.00',
    'PLN\u00a045.00',
  ])
})

test('a share image URL with an outdated version returns the current image', async () => {
  const shop = await openShop()
  const address = new URL(await addressOf(shop))
  const current = await bytesOf(await shop.visitor().get(address.href))
  const put = vi.spyOn(shop.storage, 'put')
  for (const query of [
    '',
    '?v=',
    '?v=000000000000',
    '?v=%3Cscript%3E',
    `?v=${'x'.repeat(5000)}`,
    `${address.search}&v=2`,
  ]) {
    const response = await shop.visitor().get(`/share/item/tote.jpg${query}`)
    expect((await bytesOf(response)).equals(current), query).toBe(true)
    if (!query.startsWith(address.search)) {
      expect(response.headers.get('cache-control'), query).toBe('public, max-age=300')
    }
  }
  expect(put).not.toHaveBeenCalled()
  expect(await storedImages(shop)).toHaveLength(1)
})

test('a request with the ETag of an unchanged share image gets the status 304', async () => {
  const shop = await openShop()
  const ask = (etag: string) =>
    shop.visitor().send('/share/item/tote.jpg', { headers: { 'if-none-match': etag } })
  const first = await ask('"another"')
  const etag = first.headers.get('etag')!
  const again = await ask(etag)
  expect(first.status).toBe(200)
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  await shop.db.updateTable('items').set({ priceCents: 2600 }).execute()
  expect((await ask(etag)).status).toBe(200)
})

test('the URL of a share image for an unknown item or category returns 404', async () => {
  const shop = await openShop()
  for (const path of [
    'item/no.jpg',
    'item/tote',
    'item/tote.png',
    'category/no.jpg',
    'item/tote/more.jpg',
    '..%2f..%2fx.jpg',
    '%25.jpg',
    'item/%2500.jpg',
  ]) {
    expect((await shop.visitor().get(`/share/${path}`)).status, path).toBe(404)
  }
  expect((await shop.visitor().get('/share/category/bags.jpg')).status).toBe(200)
  expect((await shop.visitor().get('/share/shop.jpg')).status).toBe(200)
  await shop.db.deleteFrom('items').execute()
  expect((await shop.visitor().get('/share/item/tote.jpg')).status).toBe(404)
})

test('if the photo of an item is damaged, its share image is rendered without the photo', async () => {
  const shop = await openShop()
  await shop.storage.put('items/tote-0.960.webp', Buffer.from('no picture at all'))
  expect((await shop.visitor().get(await addressOf(shop))).status).toBe(200)
  expect(shop.logged.map(({ message }) => message)).toEqual([
    'a share image was rendered without its photo',
  ])
})

test.for([
  'M',
  'Tote '.repeat(60),
  'W'.repeat(200),
  '<span size="900000">&amp;</span> "x" \'y\'',
  '🧶🧵',
  '\u0627\u0644\u0639\u0642\u062f',
  'Łódź čaj\n\n\tand\u0000more',
])('the text of a share image fits on the image for an item with the name %j', async (title) => {
  const price = { now: '$9,999,999.99', was: '$9,999,999.99' }
  const drawn = await renderOgImage({ shopName: title, title, line: title, price, images: [] })
  const { width, height } = await sharp(drawn).metadata()
  expect(width).toBe(1200)
  expect(height).toBe(630)
  expect(drawn.length < 200_000).toBe(true)
  const edge = await sharp(drawn)
    .extract({ left: 1160, top: 0, width: 40, height: 630 })
    .greyscale()
    .raw()
    .toBuffer()
  expect(Math.min(...edge)).toBeGreaterThan(200)
})

test('the text of a share image has the same size on a computer without fonts as on a computer with fonts', async () => {
  const { folder } = await openTestShop()
  const conf = join(folder, 'fonts.conf')
  await writeFile(
    conf,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>',
  )
  const program = `
    const { drawText } = await import('./app/features/seo/render-og-image.server.ts')
    const { input } = await drawText('Market Tote, $25.00', 60, { color: '#000000', width: 400 })
    console.log(input.toString('base64'))`
  const draw = async (env: Record<string, string>) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        env: { ...process.env, ...env },
      },
    )
    return Buffer.from(stdout, 'base64')
  }
  const [bare, here] = await Promise.all([
    draw({ FONTCONFIG_FILE: conf, FONTCONFIG_PATH: '/nowhere' }),
    draw({}),
  ])
  const [a, b] = await Promise.all([sharp(bare).metadata(), sharp(here).metadata()])
  // Because of font hinting, the sizes of the two images may differ by a few pixels. With a
  // different font, the text would be much wider.
  expect(Math.abs(a.width - b.width)).toBeLessThan(4)
  expect(Math.abs(a.height - b.height)).toBeLessThan(4)
  expect(a.width).toBeGreaterThan(300)
})
