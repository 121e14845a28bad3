// The demo shop's records fit together: enough of everything, and every id that is named exists.
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { slideTexts } from '#app/features/about/slides.server.ts'
import {
  categories,
  colors,
  customers,
  isAvailable,
  itemImage,
  items,
  photo,
  receipts,
  showcase,
  testimonials,
  type DemoDiscount,
} from './catalogue.ts'
import { imageFolder, readImageRecords } from './images.server.ts'

const itemIds = new Set(items.map((item) => item.id))
const colorIds = new Set(colors.map((color) => color.id))
const categoryIds = new Set(categories.map((category) => category.id))
const priceOf = new Map(items.map((item) => [item.id, item.priceCents]))

function isSensible(discount: DemoDiscount | undefined, priceCents: number): boolean {
  if (!discount) return true
  return discount.value > 0 && discount.value < (discount.type === 'percent' ? 10_000 : priceCents)
}

test('ids are slugs and never repeat', () => {
  for (const list of [items, colors, categories, customers, testimonials]) {
    const ids = list.map((record) => record.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  }
})

test('there are eighteen colors, two low on stock, one or two unavailable, two discounted', () => {
  expect(colors).toHaveLength(18)
  expect(colors.filter((color) => color.isLowOnStock)).toHaveLength(2)
  expect([1, 2]).toContain(colors.filter((color) => !color.isAvailable).length)
  expect(colors.filter((color) => color.discount)).toHaveLength(2)
  for (const color of colors) expect(color.name).not.toContain(' ')
})

test('there are at least six categories and forty items, and every category has items', () => {
  expect(categories.length).toBeGreaterThanOrEqual(6)
  expect(items.length).toBeGreaterThanOrEqual(40)
  for (const category of categories) {
    const own = items.filter((item) => item.categoryId === category.id)
    expect(own.length).toBeGreaterThan(0)
  }
})

test('every item has a fair price, a description and two to four pictures in known colors', () => {
  for (const item of items) {
    expect(categoryIds).toContain(item.categoryId)
    expect(Number.isInteger(item.priceCents)).toBe(true)
    expect(item.priceCents).toBeGreaterThanOrEqual(600)
    expect(item.priceCents).toBeLessThanOrEqual(18_000)
    expect(item.description.length).toBeGreaterThan(60)
    expect(item.images.length).toBeGreaterThanOrEqual(2)
    expect(item.images.length).toBeLessThanOrEqual(4)
    for (const image of item.images) {
      expect(image.length).toBeGreaterThan(0)
      expect(new Set(image).size).toBe(image.length)
      for (const id of image) expect(colorIds).toContain(id)
    }
  }
})

test('some images are sold out, and each item has one that is not', () => {
  expect(items.some((item) => item.images.some((image) => !isAvailable(image)))).toBe(true)
  for (const item of items) expect(item.images.some(isAvailable)).toBe(true)
})

test('discounts come in both types and leave a price above nothing', () => {
  const discounted = items.filter((item) => item.discount)
  expect(discounted.length).toBeGreaterThanOrEqual(6)
  expect(new Set(discounted.map((item) => item.discount?.type)).size).toBe(2)
  for (const item of items) expect(isSensible(item.discount, item.priceCents)).toBe(true)
  for (const color of colors) expect(isSensible(color.discount, 600)).toBe(true)
})

test('the showcase holds eight categories at eight different places', () => {
  expect(showcase).toHaveLength(8)
  expect(new Set(showcase.map((circle) => circle.deg)).size).toBe(8)
  for (const circle of showcase) expect(categoryIds).toContain(circle.categoryId)
})

test('six testimonials are shown, one waits, and all name items that exist', () => {
  expect(testimonials.filter((one) => one.isShownOnPage && one.isValidated)).toHaveLength(6)
  expect(testimonials.filter((one) => !one.isShownOnPage)).toHaveLength(1)
  for (const one of testimonials) {
    expect(one.writerEmail).toMatch(/@example\.com$/)
    expect(one.items.length).toBeGreaterThan(0)
    for (const { itemId } of one.items) expect(itemIds).toContain(itemId)
  }
})

test('three customers have conversations in time order between both sides, one of them closed', () => {
  expect(customers).toHaveLength(3)
  expect(customers.filter((customer) => customer.conversation.isClosed)).toHaveLength(1)
  for (const { email, favouriteItemIds, conversation } of customers) {
    expect(email).toMatch(/@example\.com$/)
    for (const id of [...favouriteItemIds, ...conversation.itemIds]) expect(itemIds).toContain(id)
    for (const id of conversation.soldItemIds) expect(conversation.itemIds).toContain(id)
    const { messages } = conversation
    expect(messages.length).toBeGreaterThanOrEqual(4)
    expect(messages.length).toBeLessThanOrEqual(8)
    messages.forEach((message, i) => {
      expect(message.from).toBe(i % 2 === 0 ? 'customer' : 'owner')
      if (i > 0) expect(message.minutesAgo).toBeLessThan(messages[i - 1]?.minutesAgo ?? 0)
    })
  }
})

test('receipts cover more than a month, and no line costs more than its item', () => {
  expect(receipts.length).toBeGreaterThanOrEqual(28)
  expect(new Set(receipts.map((receipt) => receipt.tag)).size).toBe(receipts.length)
  for (const { buyer, daysAgo, lines } of receipts) {
    expect(daysAgo).toBeGreaterThanOrEqual(0)
    expect(daysAgo).toBeLessThanOrEqual(45)
    expect(lines.length).toBeGreaterThanOrEqual(1)
    expect(lines.length).toBeLessThanOrEqual(3)
    if ('customerId' in buyer) expect(customers.map((customer) => customer.id)).toContain(buyer.customerId)
    for (const { itemId, salePriceCents } of lines) expect(salePriceCents).toBeLessThanOrEqual(priceOf.get(itemId) ?? 0)
  }
})

test('every sold item of a conversation is on one of its customer’s receipts', () => {
  for (const { id, conversation } of customers) {
    const bought = receipts
      .filter(({ buyer }) => 'customerId' in buyer && buyer.customerId === id)
      .flatMap(({ lines }) => lines.map(({ itemId }) => itemId))
    for (const itemId of conversation.soldItemIds) expect(bought).toContain(itemId)
  }
})

test('every record has its image file, each file has the size and the placeholder of its record, and no file is without a record', async () => {
  const records = await readImageRecords()
  const wanted = [
    ...items.flatMap((item) => item.images.map((_, index) => itemImage(item, index))),
    ...colors.map(({ id }) => `colors/${id}`),
    ...categories.map(({ id }) => `category/${id}`),
    ...['owner', ...customers.map(({ id }) => id), ...testimonials.map(({ id }) => id)].map(photo),
    ...slideTexts.map(({ path }) => path.replace('.avif', '')),
    ...['scenes/wallpaper-dark', 'scenes/wallpaper-light'],
  ]
  expect(Object.keys(records).sort()).toEqual(wanted.sort())

  const files = (await readdir(imageFolder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.map(({ parentPath, name }) => relative(imageFolder, join(parentPath, name)).replaceAll(sep, '/')).sort()).toEqual(
    wanted.map((key) => `${key}.avif`).sort(),
  )
  let total = 0
  for (const [key, { width, height, placeholder }] of Object.entries(records)) {
    const bytes = await readFile(join(imageFolder, `${key}.avif`))
    const about = await sharp(bytes).metadata()
    expect([about.format, about.compression, about.width, about.height], key).toEqual(['heif', 'av1', width, height])
    expect(placeholder, key).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/)
    total += bytes.length
  }
  expect(total).toBeLessThan(13_000_000)
})
