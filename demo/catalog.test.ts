import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { defaultScenePaths } from '#images/scenes.server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import {
  categories,
  colors,
  customers,
  itemImage,
  items,
  photo,
  receipts,
  testimonials,
} from './catalog.ts'
import { fillSales } from './fill-people.server.ts'
import { imageFolder, readImageRecords } from './images.server.ts'

test('each image in the demo data has a file of the size in images.json, and there are no other image files', async () => {
  const records = await readImageRecords()
  const wanted = new Set([
    ...items.flatMap((item) => item.images.map((_, index) => itemImage(item, index))),
    ...colors.map(({ id }) => `colors/${id}`),
    ...categories.map(({ id }) => `category/${id}`),
    ...['owner', ...customers.map(({ id }) => id), ...testimonials.map(({ id }) => id)].map(photo),
    ...defaultScenePaths.map((path) => path.replace('.avif', '')),
  ])
  expect(Object.keys(records).sort()).toEqual([...wanted].sort())

  const files = (await readdir(imageFolder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  )
  expect(
    files
      .map(({ parentPath, name }) =>
        relative(imageFolder, join(parentPath, name)).replaceAll(sep, '/'),
      )
      .sort(),
  ).toEqual([...wanted].map((key) => `${key}.avif`).sort())
  let total = 0
  for (const [key, { width, height, placeholder }] of Object.entries(records)) {
    const bytes = await readFile(join(imageFolder, `${key}.avif`))
    const about = await sharp(bytes).metadata()
    expect([about.format, about.compression, about.width, about.height], key).toEqual([
      'heif',
      'av1',
      width,
      height,
    ])
    expect(placeholder, key).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/)
    total += bytes.length
  }
  expect(total).toBeLessThan(13_000_000)
})

test('each demo receipt has one buyer, and a buyer has the same uid on all receipts [S-200]', async () => {
  const shop = await openTestShop()
  const uids = new Map(customers.map(({ id }) => [id, `uid-${id}`]))
  await shop.db.transaction().execute((tx) => fillSales(tx, uids, shop.now()))
  const sales = await shop.db
    .selectFrom('sales')
    .select(['buyerId', 'buyerEmail', 'receiptTag'])
    .execute()

  const buyersOf = (chosen: typeof sales) => new Set(chosen.map(({ buyerId }) => buyerId)).size
  for (const { tag } of receipts) {
    expect(buyersOf(sales.filter(({ receiptTag }) => receiptTag === tag))).toBe(1)
  }
  const emails = new Set(sales.map(({ buyerEmail }) => buyerEmail).filter((email) => email !== ''))
  expect(emails.size).toBeGreaterThan(5)
  for (const email of emails) {
    expect(buyersOf(sales.filter(({ buyerEmail }) => buyerEmail === email))).toBe(1)
  }
})
