/**
 * Imports hostile Firestore exports. Their content must never run as code, redirect a visitor or
 * cause an error on a page.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listOrphanedImages } from '#images/edit-images.server.ts'
import { importInto, newFolder } from '#test/fixtures/data-folders.ts'
import { errorsOf, expectHarmless, listed, png } from '#test/fixtures/fuzz.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openTestShop, OWNER, type TestShop } from '#test/fixtures/test-shop.ts'

const MARK = `"'><script>alert(1)</script><img src=x onerror=alert(2)></script><!--{{7*7}}`
const EVIL = 'javascript:alert(3)'
const plain = listed`__proto__ constructor a/b ../../manage . .. %2e%2e x?y#z o'h a\b <b> a~b open=1`
const ids = [...plain, ' ', '\u202e😀', MARK, 'i'.repeat(400)]

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
  const written = {
    testimony: MARK,
    showOnPage: true,
    isValidated: true,
    isAvailable: false,
    receiptTag: MARK,
  }
  return {
    category: each(() => ({
      title: MARK,
      color: 'red;background:url(//evil.test)',
      url: EVIL,
      createdAt: -1e308,
    })),
    colors: each(() => ({
      name: MARK,
      url: EVIL,
      discount: { type: '__proto__', price: 1e308 },
      isAvailable: true,
    })),
    items: each((id, at) => ({
      ...{
        id: EVIL,
        name: MARK,
        category: ids[at],
        description: MARK.repeat(300),
        width: MARK,
        soleType: { toString: EVIL },
        size: [MARK],
      },
      price: [1e308, -1e308, 0.001, '1e400', 5e-324, '12,50', 9_999_999.99, 12][at % 8],
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
    users: each((id, at) => ({
      favItems: ids,
      name: MARK,
      email: at % 2 ? OWNER.email : `u${at}@x.test`,
      photoURL: EVIL,
    })),
    orders: each(() => ({
      user,
      items: [sold, ...ids],
      messages: [message, message, { message: 5 }],
      receiptTag: MARK,
      createdAt: 1e16,
    })),
    sales: each(() => ({
      buyer: user,
      item: sold,
      salePrice: 1e300,
      receiptTag: MARK,
      createdAt: '+275760-09-13T00:00:00.001Z',
    })),
    testimony: each(() => ({ ...written, user, writer: user, items: [sold] })),
    settings: each(() => ({ value: MARK, shopName: MARK, address: MARK, email: MARK })),
  }
}

async function importText(shop: TestShop, text: string, files: string | null = null) {
  const path = join(await newFolder(), 'export.json')
  await writeFile(path, text)
  return importInto(shop.shop, path, { adminIds: [], files })
}

test('pages show hostile content of an export as text, without errors and without URLs that run code [S-128]', async () => {
  const shop = await openTestShop()
  // The export contains a field named __proto__.
  const { done } = await importText(shop, JSON.stringify({ __collections__: hostile() }))
  expect(done).toMatchObject({ ok: true })
  const [visitor, owner] = [shop.visitor(), await shop.owner()]
  const found = async (table: 'items' | 'categories' | 'orders') =>
    (await shop.db.selectFrom(table).select('id').execute()).map(({ id }) => encodeURIComponent(id))
  const [items, categories, orders] = [
    await found('items'),
    await found('categories'),
    await found('orders'),
  ]
  expect(items.length > 4).toBe(true)
  expect(categories.length > 10).toBe(true)
  expect(orders.length > 10).toBe(true)
  const pages = [
    ...listed`/ /gallery/ /about/ /contact/ /testimonials/ /sitemap.xml /manifest.webmanifest /contact/card.vcf`,
    ...items.map((id) => `/item/${id}`),
    ...categories.map((id) => `/gallery/${id}`),
  ]
  const managed = [
    '/manage/',
    ...listed`category colors item messages sales testimonials discount mail history settings tables moved`.map(
      (name) => `/manage/${name}`,
    ),
    ...items.map((id) => `/manage/item/${id}?open=1~${categories[0]}`),
    ...orders.map((id) => `/manage/messages/${id}`),
    '/manage/items.csv',
  ]
  for (const [client, addresses] of [
    [visitor, pages],
    [owner, [...pages, ...managed]],
  ] as const) {
    for (const address of addresses) {
      const response = await client.get(address)
      expect(response.status < 500, address).toBe(true)
      const text = await response.text()
      if (!address.endsWith('.csv')) expectHarmless(address, text)
    }
  }
  expect((await owner.post('/manage/documents.json', { password: OWNER.password })).status).toBe(
    200,
  )
  expect(errorsOf(shop)).toEqual([])
  expect(({} as Record<string, unknown>).value).toBeUndefined()
  for (const id of items) {
    const { status } = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
    expect(status, id).toBe(200)
  }
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
})

test.each([
  [
    'objects a hundred thousand levels deep',
    `{"items":{"a":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
  ],
  ['lists a hundred thousand levels deep, not closed', `{"items":{"a":${'['.repeat(100_000)}`],
  ['lists instead of documents, not closed', `{"items":${'['.repeat(50_000)}`],
  ['odd values', '{"items":{"a":{"price":1e999999,"name":"\\ud800","images":[null,[],{},"",0]}}}'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['nothing', ''],
  ['half an object', '{'],
  ['null for a collection', '{"items":null}'],
  ['documents that are none', '{"items":{"a":null,"b":[],"c":"x","":{}}}'],
  ['a byte order mark', '\ufeff{"items":{}}'],
  ['two values', '{"items":{"a":{"price":5}}}{}'],
])(
  'the import accepts or refuses an export of %s, and never throws an error',
  async (_what, text) => {
    const shop = await openTestShop()
    const outcome = await importText(shop, text).then(
      ({ done }) => done.ok,
      (error: Error) => error.constructor.name,
    )
    expect([true, 'UnreadableExportError']).toContain(outcome)
  },
)

test('an import reads no image outside the folder of images, neither by a path nor by a symbolic link', async () => {
  const shop = await openTestShop()
  const [outside, files] = [await newFolder(), await newFolder()]
  await writeFile(join(outside, 'secret.png'), png)
  for (const folder of ['items', 'people']) await mkdir(join(files, folder), { recursive: true })
  await symlink(outside, join(files, 'items', 'walls'))
  await symlink(join(outside, 'secret.png'), join(files, 'items', 'direct.png'))
  await symlink(join(outside, 'secret.png'), join(files, 'people', 'someone.png'))
  const from = `${'..%2F'.repeat(12)}${outside.slice(1).replaceAll('/', '%2F')}%2Fsecret.png`
  const images = [
    ...[
      'items/walls/secret.png',
      'items/direct.png',
      `https://x.test/v0/b/../o/${from}`,
      `https://x.test/v0/b/b/o/items%2F${from}`,
    ],
    ...[
      `gs://../${from}`,
      `/pictures/../../${outside}/secret.png`,
      join(outside, 'secret.png'),
      `file://${outside}/secret.png`,
    ],
  ]
  const items = {
    a: { name: 'A', category: 'c', price: 5, images: images.map((url) => ({ url })) },
  }
  const { done, lines } = await importText(
    shop,
    JSON.stringify({ items, category: { c: { title: 'C' } } }),
    files,
  )
  expect(done.ok).toBe(true)
  expect(await shop.db.selectFrom('images').select('path').execute()).toEqual([])
  expect(await shop.storage.list()).toEqual([])
  expect(lines.filter((line) => line.startsWith('pictures'))).toHaveLength(images.length)
})

test('pictures of an imported category work even if the category’s id is not a valid folder name [FILES-01]', async () => {
  const [shop, files] = [await openTestShop(), await newFolder()]
  const categories = ['wall hangings', 'wall.art', 'a/b', '../x', 'ü', 'c'.repeat(300), 'plain-1']
  const items: Record<string, unknown> = {}
  for (const [at, category] of categories.entries()) {
    const folder = at < 3 ? `items/${category}` : `items/n${at}`
    await mkdir(join(files, folder), { recursive: true })
    await writeFile(join(files, folder, `p${at}.png`), png)
    items[`i${at}`] = {
      name: 'N',
      category,
      price: 5,
      description: 'x',
      images: [{ url: `${folder}/p${at}.png` }],
    }
  }
  const documents = {
    items,
    category: Object.fromEntries(categories.map((id) => [id, { title: id.slice(0, 20) }])),
  }
  expect((await importText(shop, JSON.stringify(documents), files)).done.ok).toBe(true)
  const owner = await shop.owner()
  for (const categoryId of categories) {
    const file = new File([png], 'a.png', { type: 'image/png' })
    const response = await owner.post('/manage/item-picture', formOf({ categoryId, file }))
    expect(response.status, categoryId).toBe(200)
  }
  const images = await shop.db.selectFrom('images').select('path').execute()
  expect(images).toHaveLength(2 * categories.length)
  for (const { path } of images) {
    expect((await shop.visitor().get(`/pictures/${path}`)).status, path).toBe(200)
  }
  expect(images.filter(({ path }) => path.startsWith('items/plain-1/'))).toHaveLength(1)
})
