/** The catalog's documents as rows (DATA-039 to DATA-072); whatever is odd is noted. Each reader returns false for what cannot be kept. */
import type { Discount } from '#app/features/pricing/money.ts'
import { newId15 } from '#app/platform/ids.ts'
import { shown, UNSORTED, wordOf, type ImportContext, type Note, type ReadInto } from './documents.ts'
import type { FieldReader } from './field-reader.ts'

const stamps = (reader: FieldReader, now: number) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  return { createdAt, firstCreatedAt: createdAt }
}

/** DATA-047 to DATA-049, DATA-064: hundredths of a percent, or cents. */
function discountColumns(reader: FieldReader, note: Note): { discountType: Discount['type'] | null; discountValue: number | null } {
  const part = reader.part('discount')
  const [type, value] = [part?.text('type'), part?.cents('price')]
  part?.end()
  const isKnown = type === 'amount' || (type === 'percent' && (value ?? 0) <= 10_000)
  if (isKnown && value) return { discountType: type, discountValue: value }
  if (reader.has('discount')) note('discount', `${shown(reader.raw('discount'))} is no discount`, 'taken without one')
  return { discountType: null, discountValue: null }
}

function imageOf(reader: FieldReader, note: Note, { images }: ImportContext): string | null {
  const url = reader.text('url')
  const id = images.get(url) ?? null
  if (url !== '' && id === null) note('url', `the picture ${shown(url)} is missing`, 'taken without a picture')
  return id
}

/** DATA-065 to DATA-068 */
export const readCategory: ReadInto = ({ id, reader, note, context, place }) => {
  const color = reader.text('color').toLowerCase()
  const isColor = /^#[0-9a-f]{6}$/.test(color)
  if (!isColor) note('color', `${shown(color)} is no colour like #a1b2c3`, `read as ${UNSORTED.color}`)
  context.rows.categories.push({
    id,
    title: reader.text('title', id),
    color: isColor ? color : UNSORTED.color,
    pictureId: imageOf(reader, note, context),
    position: place,
    ...stamps(reader, context.now),
  })
  return true
}

/** DATA-059 to DATA-064 */
export const readColor: ReadInto = ({ id, reader, note, context }) => {
  const name = reader.text('name', id)
  if (/\s/.test(name)) note('name', `${shown(name)} has spaces`, 'they are kept as underscores')
  context.rows.colors.push({
    id,
    name: name.replace(/\s/g, '_'),
    pictureId: imageOf(reader, note, context),
    isAvailable: reader.flag('isAvailable', true) ? 1 : 0,
    isLowOnStock: reader.flag('isLowOnStock', false) ? 1 : 0,
    ...discountColumns(reader, note),
    ...stamps(reader, context.now),
  })
  return true
}

/** DATA-039 to DATA-054; an item without a price cannot be in a shop. */
export const readItem: ReadInto = ({ id, reader, note, context }) => {
  const priceCents = reader.cents('price', 'THE ITEM WAS NOT TAKEN: no price can be made up', 1)
  if (priceCents === null) return false
  const { rows, documents, now } = context
  const category = reader.text('category', '')
  const isKnown = documents.category.has(category) || category === UNSORTED.id
  if (!isKnown) note('category', `${shown(category)} is no category`, `the item stands under “${UNSORTED.title}”`)
  const categoryId = isKnown ? category : UNSORTED.id
  if (!documents.category.has(categoryId) && !rows.categories.some((row) => row.id === UNSORTED.id))
    rows.categories.push({ ...UNSORTED, pictureId: null, position: documents.category.size, createdAt: now, firstCreatedAt: now })
  rows.items.push({
    id,
    name: reader.text('name', 'Unnamed'),
    categoryId,
    priceCents,
    description: reader.text('description', ''),
    width: reader.text('width'),
    soleType: reader.text('soleType'),
    size: reader.text('size'),
    ...discountColumns(reader, note),
    ...stamps(reader, now),
  })
  readImages(id, reader, note, context)
  if (!rows.itemPictures.some(({ itemId }) => itemId === id)) note('images', 'the item has no picture', 'the shop shows it without one')
  return true
}

/** DATA-052 to DATA-058 */
function readImages(itemId: string, reader: FieldReader, note: Note, { rows, documents, images }: ImportContext): void {
  for (const [position, { place, part }] of reader.parts('images').entries()) {
    const url = part.text('url')
    const pictureId = images.get(url)
    const colorIds = part.ids('colors')
    const isAvailable = part.flag('isAvailable', true) ? 1 : 0
    // What an editor may have left beside it.
    for (const name of ['id', 'index', 'file', 'src']) part.raw(name)
    part.end()
    if (pictureId === undefined) {
      note(place, url === '' ? 'has no address' : `the picture ${shown(url)} is missing`, 'the picture was not taken')
      continue
    }
    const id = newId15()
    rows.itemPictures.push({ id, itemId, pictureId, position, isAvailable })
    for (const colorId of colorIds) {
      if (documents.colors.has(colorId)) rows.itemPictureColors.push({ itemPictureId: id, colorId })
      else note(`${place}.colors`, `${shown(colorId)} is no colour`, 'the picture stands without it')
    }
  }
}

/** DATA-069 to DATA-072: deg is a number of degrees, also inside a class name. */
export const readShowcase: ReadInto = ({ id, reader, note, context, place }) => {
  const categoryId = reader.text('categoryID', '')
  const deg = reader.raw('deg')
  const found = typeof deg === 'number' ? deg : Number(/-?\d+/.exec(wordOf(deg))?.[0] ?? Number.NaN)
  const degrees = Number.isFinite(found) ? ((Math.round(found) % 360) + 360) % 360 : (place * 45) % 360
  if (degrees !== deg) note('deg', `${shown(deg)} is no number of degrees`, `read as ${degrees}`)
  const row = { id, title: reader.text('title', ''), pictureId: imageOf(reader, note, context), categoryId, deg: degrees, position: place }
  if (!context.documents.category.has(categoryId)) {
    note('categoryID', `${shown(categoryId)} is no category`, 'NOT TAKEN: it leads nowhere')
    return false
  }
  context.rows.showcase.push(row)
  return true
}
