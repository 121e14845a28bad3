/** Exports that were made to break in: what moves in with one runs nowhere, leads nowhere, and breaks no page. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { corners } from './drawn-pictures.ts'
import { importInto, newFolder } from './moving-shops.ts'
import { openTestShop, OWNER, type TestShop } from './open-test-shop.ts'

const MARK = `"'><script>alert(1)</script><img src=x onerror=alert(2)></script><!--{{7*7}}`
const EVIL = 'javascript:alert(3)'
const ids = [
  '__proto__',
  'constructor',
  'a/b',
  '../../manage',
  '.',
  '..',
  '%2e%2e',
  'x?y#z',
  ' ',
  '\u202e😀',
  MARK,
  'i'.repeat(400),
  "o'h",
  'a\\b',
  '<b>',
  'a~b',
  'open=1',
]

const hostile = (): Record<string, Record<string, unknown>> => {
  const image = { id: '../x', url: EVIL, colors: ids, isAvailable: 1e308 }
  const each = (make: (id: string, at: number) => unknown) => {
    const documents: Record<string, unknown> = Object.create(null)
    for (const [at, id] of ids.entries()) documents[id] = make(id, at)
    return documents
  }
  const user = { name: MARK, email: `"<script>"@x.test`, photoURL: EVIL, id: MARK }
  const message = { id: '../m', message: MARK, sender: MARK, createdAt: 1e308, read: ids }
  const sold = { id: EVIL, name: MARK, price: 12, salePrice: 10 }
  return {
    category: each(() => ({ title: MARK, color: 'red;background:url(//evil.test)', url: EVIL, createdAt: -1e308 })),
    colors: each(() => ({ name: MARK, url: EVIL, discount: { type: '__proto__', price: 1e308 }, isAvailable: true })),
    items: each((id, at) => ({
      id: EVIL,
      name: MARK,
      category: ids[at],
      price: [1e308, -1e308, 0.001, '1e400', 5e-324, '12,50', 9_999_999.99, 12][at % 8],
      description: MARK.repeat(300),
      width: MARK,
      soleType: { toString: EVIL },
      size: [MARK],
      images: {
        0: image,
        1: `https://x.test/v0/b/${'b'.repeat(300)}/o/..%2F..%2Fsecrets%2Fsession`,
        2: 'items/walls/leak.png',
        3: '/pictures/o/linked/leak.png',
      },
      discount: { type: 'percent', price: 100 },
      createdAt: { _seconds: 1e300, _nanoseconds: 'x' },
      hasOwnProperty: 1,
    })),
    showcase: each((id) => ({ title: MARK, url: EVIL, categoryID: id, deg: '1e999999' })),
    users: each((id, at) => ({ favItems: ids, name: MARK, email: at % 2 ? OWNER.email : `u${at}@x.test`, photoURL: EVIL })),
    orders: each(() => ({ user, items: [sold, ...ids], messages: [message, message, { message: 5 }], receiptTag: MARK, createdAt: 1e16 })),
    sales: each(() => ({ buyer: user, item: sold, salePrice: 1e300, receiptTag: MARK, createdAt: '+275760-09-13T00:00:00.001Z' })),
    testimony: each(() => ({
      user,
      writer: user,
      testimony: MARK,
      showOnPage: true,
      isValidated: true,
      isAvailable: false,
      items: [sold],
      receiptTag: MARK,
      writtenAt: 1,
    })),
    settings: each(() => ({ value: MARK, shopName: MARK, address: MARK, email: MARK })),
  }
}

async function move(shop: TestShop, text: string, files: string | null = null) {
  const path = join(await newFolder(), 'export.json')
  await writeFile(path, text)
  return importInto(shop.shop, path, { adminIds: [], files })
}

/** Markup of texts must stand there as text, and no address may be one that runs. */
function expectHarmless(address: string, html: string) {
  const page = html.replaceAll(/<script nonce="[^"]*"[^>]*>[\s\S]*?<\/script>/g, '')
  expect([address, /<script>alert|<img src=x|onerror=alert\(2\)>/.exec(page)?.index ?? null]).toEqual([address, null])
  expect([address, html.match(/<script>alert\(1\)<\/script>/)?.index ?? null]).toEqual([address, null])
  expect([
    address,
    html.match(
      /\b(href|action|formaction|src|srcset|poster)="\s*(javascript(?!:throw new Error\(&#x27;React has blocked)|data:text|vbscript)[^"]*"/i,
    )?.[0] ?? null,
  ]).toEqual([address, null])
  expect([address, html.match(/style="[^"]*evil/)?.[0] ?? null]).toEqual([address, null])
}

test('S-128 whatever an export holds, it is shown as text, breaks no page and leaves no address that runs', async () => {
  const shop = await openTestShop()
  // JSON.stringify writes a key of its own named __proto__ too.
  const { done } = await move(shop, JSON.stringify({ __collections__: hostile() }))
  expect(done).toMatchObject({ ok: true })
  const [visitor, owner] = [shop.visitor(), await shop.owner()]
  const open = ['/', '/gallery/', '/about/', '/contact/', '/testimonials/', '/sitemap.xml', '/manifest.webmanifest', '/contact/card.vcf']
  const found = async (table: 'items' | 'categories' | 'orders') =>
    (await shop.db.selectFrom(table).select('id').execute()).map(({ id }) => encodeURIComponent(id))
  const [items, categories, orders] = [await found('items'), await found('categories'), await found('orders')]
  expect([items.length > 4, categories.length > 10, orders.length > 10]).toEqual([true, true, true])
  const pages = [...open, ...items.map((id) => `/item/${id}`), ...categories.map((id) => `/gallery/${id}`)]
  const sections = [
    '',
    'category',
    'colors',
    'item',
    'messages',
    'sales',
    'testimonials',
    'discount',
    'mail',
    'history',
    'settings',
    'tables',
    'moved',
  ]
  const managed = [
    ...sections.map((name) => `/manage/${name}`),
    ...items.map((id) => `/manage/item/${id}?open=1~${categories[0]}`),
    ...orders.map((id) => `/manage/messages/${id}`),
    '/manage/items.csv',
  ]
  for (const address of pages)
    for (const somebody of [visitor, owner]) {
      const response = await somebody.get(address)
      expect([address, response.status < 500]).toEqual([address, true])
      expectHarmless(address, await response.text())
    }
  for (const address of managed) {
    const response = await owner.get(address)
    expect([address, response.status < 500]).toEqual([address, true])
    const text = await response.text()
    if (response.headers.get('content-type')?.startsWith('text/html')) expectHarmless(address, text)
  }
  const all = await owner.post('/manage/documents.json', { password: OWNER.password })
  expect(all.status).toBe(200)
  expect(shop.logged.filter(({ level }) => level === 'error').map(({ message, error }) => [message, String(error)])).toEqual([])
  expect(({} as Record<string, unknown>).value).toBeUndefined()
  // She can still put everything right.
  for (const id of items) {
    const { status } = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
    expect([id, status]).toEqual([id, 200])
  }
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
})

test('an export nested a hundred thousand levels deep, or not whole, ends in words', async () => {
  for (const text of [
    `{"items":{"a":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
    `{"items":{"a":${'['.repeat(100_000)}`,
    `{"items":${'['.repeat(50_000)}`,
    '{"items":{"a":{"price":1e999999,"name":"\\ud800","images":[null,[],{},"",0]}}}',
    '[]',
    '"x"',
    '',
    '{',
    '{"items":null}',
    '{"items":{"a":null,"b":[],"c":"x","":{}}}',
    '\ufeff{"items":{}}',
    '{"items":{"a":{"price":5}}}{}',
  ]) {
    const shop = await openTestShop()
    const done = await move(shop, text).then(
      ({ done }) => done.ok,
      (error: Error) => `${error.constructor.name}`,
    )
    expect([text.slice(0, 40), done === true || done === 'UnreadableExport' ? 'fine' : done]).toEqual([text.slice(0, 40), 'fine'])
  }
})

test('nothing that lies outside the copy of the bucket becomes a picture of the shop, neither by its address nor by a link in the copy', async () => {
  const shop = await openTestShop()
  const [outside, files] = [await newFolder(), await newFolder()]
  const picture = await corners(64, 64).png().toBuffer()
  await writeFile(join(outside, 'secret.png'), picture)
  await mkdir(join(files, 'items'), { recursive: true })
  await mkdir(join(files, 'people'), { recursive: true })
  await symlink(outside, join(files, 'items', 'walls'))
  await symlink(join(outside, 'secret.png'), join(files, 'items', 'direct.png'))
  await symlink(join(outside, 'secret.png'), join(files, 'people', 'someone.png'))
  const from = `${'..%2F'.repeat(12)}${outside.slice(1).replaceAll('/', '%2F')}%2Fsecret.png`
  const images = [
    'items/walls/secret.png',
    'items/direct.png',
    `https://x.test/v0/b/../o/${from}`,
    `https://x.test/v0/b/b/o/items%2F${from}`,
    `gs://../${from}`,
    `/pictures/../../${outside}/secret.png`,
    join(outside, 'secret.png'),
    `file://${outside}/secret.png`,
  ]
  const items = { a: { name: 'A', category: 'c', price: 5, images: images.map((url) => ({ url })) } }
  const { done, lines } = await move(shop, JSON.stringify({ items, category: { c: { title: 'C' } } }), files)
  expect(done.ok).toBe(true)
  expect(await shop.db.selectFrom('pictures').select('path').execute()).toEqual([])
  expect(await shop.files.list()).toEqual([])
  expect(lines.filter((line) => line.startsWith('pictures'))).toHaveLength(images.length)
})

test('FILES-01 pieces of a category whose id is no name of a folder keep their pictures, and take new ones', async () => {
  const shop = await openTestShop()
  const files = await newFolder()
  const categories = ['wall hangings', 'wall.art', 'a/b', '../x', 'ü', 'c'.repeat(300), 'plain-1']
  const items: Record<string, unknown> = {}
  for (const [at, category] of categories.entries()) {
    const folder = at < 3 ? `items/${category}` : `items/n${at}`
    await mkdir(join(files, folder), { recursive: true })
    await writeFile(join(files, folder, `p${at}.png`), await corners(64, 64).png().toBuffer())
    items[`i${at}`] = { name: 'N', category, price: 5, description: 'x', images: [{ url: `${folder}/p${at}.png` }] }
  }
  const documents = { items, category: Object.fromEntries(categories.map((id) => [id, { title: id.slice(0, 20) }])) }
  const { done } = await move(shop, JSON.stringify(documents), files)
  expect(done.ok).toBe(true)
  const owner = await shop.owner()
  for (const categoryId of categories) {
    const form = new FormData()
    form.set('categoryId', categoryId)
    form.set('file', new File([new Uint8Array(await corners(64, 64).png().toBuffer())], 'a.png', { type: 'image/png' }))
    const response = await owner.post('/manage/item-picture', form)
    expect([categoryId, response.status]).toEqual([categoryId, 200])
  }
  const pictures = await shop.db.selectFrom('pictures').select('path').execute()
  expect(pictures).toHaveLength(2 * categories.length)
  for (const { path } of pictures) expect([path, (await shop.visitor().get(`/pictures/${path}`)).status]).toEqual([path, 200])
  expect(pictures.filter(({ path }) => path.startsWith('items/plain-1/'))).toHaveLength(1)
})
