/** The catalog's documents as rows (DATA-039 to DATA-072); whatever is odd is noted. Each reader returns false for what cannot be kept. */
import type { Discount } from '#app/features/pricing/money.ts'
import { UNSORTED, shown, wordOf, type Note } from './documents.ts'
import { readFields, type FieldReader } from './field-reader.ts'
import type { ImportContext, ReadInto } from './import-context.ts'

const stamps = (reader: FieldReader, now: number) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  return { createdAt, firstCreatedAt: createdAt }
}

/** DATA-047 to DATA-049, DATA-064: hundredths of a percent, or cents. */
function discountColumns(reader: FieldReader, note: Note): { discountType: Discount['type'] | null; discountValue: number | null } {
  const refuse = (what: string | null) => {
    if (what !== null) note('discount', what, 'taken without a discount')
    return { discountType: null, discountValue: null }
  }
  const part = reader.part('discount')
  if (!part) return refuse(reader.has('discount') ? 'is no map' : null)
  const [type, value] = [part.text('type', ''), part.cents('price')]
  part.end()
  if (type !== 'percent' && type !== 'amount') return refuse(`${shown(type)} is neither percent nor amount`)
  if (value === null || value === 0) return refuse('its value is no number above 0')
  if (type === 'percent' && value > 10_000) return refuse(`${value / 100} percent is more than the whole price`)
  return { discountType: type, discountValue: value }
}

function imageOf(reader: FieldReader, note: Note, { image }: ImportContext): string | null {
  const url = reader.text('url')
  const id = url === '' ? null : image(url)
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
export const readItem: ReadInto = ({ id, reader, note, context, report }) => {
  const priceCents = reader.cents('price', 'THE ITEM WAS NOT TAKEN: no price can be made up', 1)
  if (priceCents === null) return false
  const { rows, has, now } = context
  const category = reader.text('category', '')
  const isKnown = has('category', category) || category === UNSORTED.id
  if (!isKnown) note('category', `${shown(category)} is no category`, `the item stands under “${UNSORTED.title}”`)
  const categoryId = isKnown ? category : UNSORTED.id
  if (!has('category', categoryId) && !rows.categories.some((row) => row.id === UNSORTED.id)) {
    rows.categories.push({ ...UNSORTED, pictureId: null, position: context.categories, createdAt: now, firstCreatedAt: now })
    const done = `the category “${UNSORTED.title}” was made for them`
    report({ where: `category/${UNSORTED.id}`, field: '', what: 'items of no known category', done })
  }
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
  const images = reader.list('images').filter((image, index) => readImage(image, index, id, note, context))
  if (images.length === 0) note('images', 'the item has no picture', 'the shop shows it without one')
  return true
}

/** DATA-052 to DATA-056; false: the picture is not there. */
function readImage(raw: unknown, position: number, itemId: string, note: Note, { rows, has, image, imagePlaceId }: ImportContext): boolean {
  const path = `images[${position}]`
  const isUrl = typeof raw === 'string'
  const reader = readFields(isUrl ? { url: raw } : raw, note, `${path}.`)
  if (isUrl) note(path, 'only an address, no map', 'read as a picture without colours')
  const url = reader.text('url')
  const pictureId = url === '' ? null : image(url)
  const colorIds = reader.ids('colors', isUrl).filter((color) => {
    if (!has('colors', color)) note(`${path}.colors`, `${shown(color)} is no colour`, 'the picture stands without it')
    return has('colors', color)
  })
  const isAvailable = reader.flag('isAvailable', true, isUrl) ? 1 : 0
  const wanted = reader.text('id')
  // What an editor may have left beside it (DATA-055, DATA-057, DATA-058).
  for (const name of ['index', 'file', 'src']) reader.raw(name)
  reader.end()
  if (pictureId === null) {
    note(path, url === '' ? 'has no address' : `the picture ${shown(url)} is missing`, 'the picture was not taken')
    return false
  }
  const id = imagePlaceId(wanted)
  rows.itemPictures.push({ id, itemId, pictureId, position, isAvailable })
  rows.itemPictureColors.push(...colorIds.map((colorId) => ({ itemPictureId: id, colorId })))
  return true
}

/** DATA-069 to DATA-072: deg is a number of degrees, also inside a class name. */
export const readShowcase: ReadInto = ({ id, reader, note, context, place }) => {
  const categoryId = reader.text('categoryID', '')
  const deg = reader.raw('deg')
  const found = typeof deg === 'number' ? deg : Number(/-?\d+/.exec(wordOf(deg))?.[0] ?? Number.NaN)
  const degrees = Number.isFinite(found) ? ((Math.round(found) % 360) + 360) % 360 : (place * 45) % 360
  if (degrees !== deg) note('deg', `${shown(deg)} is no number of degrees`, `read as ${degrees}`)
  const row = { id, title: reader.text('title', ''), pictureId: imageOf(reader, note, context), categoryId, deg: degrees, position: place }
  if (!context.has('category', categoryId)) {
    note('categoryID', `${shown(categoryId)} is no category`, 'NOT TAKEN: it leads nowhere')
    return false
  }
  context.rows.showcase.push(row)
  return true
}
