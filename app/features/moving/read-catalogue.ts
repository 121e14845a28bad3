/** The catalogue's documents as rows (DATA-039 to DATA-072); whatever is odd is noted, whatever cannot be kept gives null. */
import type { Insertable } from 'kysely'
import type { CategoryTable, ColorTable, ItemPictureTable, ItemTable, ShowcaseTable } from '#db/tables.ts'
import type { Discount } from '#app/features/money/money.ts'
import { openFields, type Reader } from './fields.ts'
import { shown, UNSORTED, wordOf, type FoundDocument, type Note } from './moving.ts'

/** What the documents refer to. */
export type Known = {
  has: (collection: 'category' | 'colors' | 'items', id: string) => boolean
  /** id of the kept picture; null when there is none */
  picture: (url: string) => string | null
  /** a new id for a picture's place in an item; `wanted` when that is free */
  placeId: (wanted: string) => string
  now: number
}

/** The document's own name counts; a field `id` that says otherwise is noted. */
export function openDocument({ id, fields }: FoundDocument, note: Note): Reader {
  const reader = openFields(fields, note)
  const written = reader.raw('id')
  if (written !== undefined && written !== null && written !== id)
    note('id', `${shown(written)} is not the document's id`, 'the document’s id counts')
  return reader
}

const stamps = (reader: Reader, shop: Reader | null, { now }: Known) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  return { createdAt, firstCreatedAt: shop?.time('firstCreatedAt', createdAt) ?? createdAt }
}

/** DATA-047 to DATA-049, DATA-064: hundredths of a percent or cents. */
function discountColumns(reader: Reader, note: Note): { discountType: Discount['type'] | null; discountValue: number | null } {
  const none = { discountType: null, discountValue: null }
  if (!reader.has('discount')) {
    reader.raw('discount')
    return none
  }
  const part = reader.part('discount')
  const refuse = (what: string) => {
    note('discount', what, 'taken without a discount')
    return none
  }
  if (!part) return refuse('is no map')
  const [type, value] = [part.text('type', ''), part.cents('price', 0)]
  part.end()
  if (type !== 'percent' && type !== 'amount') return refuse(`${shown(type)} is neither percent nor amount`)
  if (value === null || value === 0) return refuse('its value is no number above 0')
  if (type === 'percent' && value > 10_000) return refuse(`${value / 100} percent is more than the whole price`)
  return { discountType: type, discountValue: value }
}

function pictureOf(reader: Reader, note: Note, known: Known): string | null {
  const url = reader.text('url')
  const id = url === '' ? null : known.picture(url)
  if (url !== '' && id === null) note('url', `the picture ${shown(url)} is missing`, 'taken without a picture')
  return id
}

/** DATA-065 to DATA-068 */
export function readCategory(document: FoundDocument, note: Note, known: Known, place: number): CategoryTable {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const color = reader.text('color').toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(color)) note('color', `${shown(color)} is no colour like #a1b2c3`, `read as ${UNSORTED.color}`)
  const row = {
    id: document.id,
    title: reader.text('title', document.id),
    color: /^#[0-9a-f]{6}$/.test(color) ? color : UNSORTED.color,
    pictureId: pictureOf(reader, note, known),
    position: wholeOr(shop?.raw('position'), place),
    ...stamps(reader, shop, known),
  }
  shop?.end()
  reader.end()
  return row
}

const wholeOr = (value: unknown, otherwise: number) =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : otherwise

/** DATA-059 to DATA-064 */
export function readColor(document: FoundDocument, note: Note, known: Known): ColorTable {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const name = reader.text('name', document.id)
  if (/\s/.test(name)) note('name', `${shown(name)} has spaces`, 'they are kept as underscores')
  const row = {
    id: document.id,
    name: name.replace(/\s/g, '_'),
    pictureId: pictureOf(reader, note, known),
    isAvailable: reader.flag('isAvailable', true) ? (1 as const) : (0 as const),
    isLowOnStock: reader.flag('isLowOnStock', false) ? (1 as const) : (0 as const),
    ...discountColumns(reader, note),
    ...stamps(reader, shop, known),
  }
  shop?.end()
  reader.end()
  return row
}

export type ReadItem = { row: Insertable<ItemTable>; images: (ItemPictureTable & { colorIds: string[] })[] }

/** DATA-039 to DATA-054; an item without a price cannot be in a shop and is left out. */
export function readItem(document: FoundDocument, note: Note, known: Known): ReadItem | null {
  const reader = openDocument(document, note)
  const written = reader.raw('price')
  const priceCents = reader.cents('price', 1)
  if (priceCents === null) {
    note('price', written === undefined ? 'missing' : `${shown(written)} is no price`, 'THE ITEM WAS NOT TAKEN: no price can be made up')
    return null
  }
  const shop = reader.part('shop')
  const categoryId = reader.text('category', '')
  const isUnsorted = !known.has('category', categoryId) && categoryId !== UNSORTED.id
  if (isUnsorted) note('category', `${shown(categoryId)} is no category`, `the item stands under “${UNSORTED.title}”`)
  const row = {
    id: document.id,
    name: reader.text('name', 'Unnamed'),
    categoryId: isUnsorted ? UNSORTED.id : categoryId,
    priceCents,
    description: reader.text('description', ''),
    width: reader.text('width'),
    soleType: reader.text('soleType'),
    size: reader.text('size'),
    ...discountColumns(reader, note),
    ...stamps(reader, shop, known),
  }
  const images = reader.list('images').flatMap((image, index) => readImage(image, index, document.id, note, known) ?? [])
  shop?.end()
  reader.end()
  if (images.length === 0) note('images', 'the item has no picture', 'the shop shows it without one')
  return { row, images }
}

/** DATA-052 to DATA-056 */
function readImage(raw: unknown, index: number, itemId: string, note: Note, known: Known): ReadItem['images'][number] | null {
  const path = `images[${index}]`
  const image = openFields(typeof raw === 'string' ? { url: raw } : raw, note, `${path}.`)
  if (typeof raw === 'string') note(path, 'only an address, no map', 'read as a picture without colours')
  const url = image.text('url')
  const pictureId = url === '' ? null : known.picture(url)
  const colorIds = image.texts('colors', typeof raw === 'string').filter((id) => {
    if (known.has('colors', id)) return true
    note(`${path}.colors`, `${shown(id)} is no colour`, 'the picture stands without it')
    return false
  })
  const isAvailable = image.flag('isAvailable', true, typeof raw === 'string') ? (1 as const) : (0 as const)
  const wanted = image.text('id')
  // What an editor may have left beside it (DATA-055, DATA-057, DATA-058).
  for (const name of ['index', 'file', 'src']) image.raw(name)
  image.end()
  if (pictureId === null) {
    note(path, url === '' ? 'has no address' : `the picture ${shown(url)} is missing`, 'the picture was not taken')
    return null
  }
  return { id: known.placeId(wanted), itemId, pictureId, position: index, isAvailable, colorIds: colorIds.toSorted() }
}

/** DATA-069 to DATA-072: deg is a number of degrees, also inside a class name. */
export function readShowcase(document: FoundDocument, note: Note, known: Known, place: number): ShowcaseTable | null {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const categoryId = reader.text('categoryID', '')
  const deg = reader.raw('deg')
  const found = typeof deg === 'number' ? deg : Number(/-?\d+/.exec(wordOf(deg))?.[0] ?? Number.NaN)
  const degrees = Number.isFinite(found) ? ((Math.round(found) % 360) + 360) % 360 : (place * 45) % 360
  if (degrees !== deg) note('deg', `${shown(deg)} is no number of degrees`, `read as ${degrees}`)
  const row = {
    id: document.id,
    title: reader.text('title', ''),
    pictureId: pictureOf(reader, note, known),
    categoryId,
    deg: degrees,
    position: wholeOr(shop?.raw('position'), place),
  }
  shop?.end()
  reader.end()
  if (known.has('category', categoryId)) return row
  note('categoryID', `${shown(categoryId)} is no category`, 'NOT TAKEN: it leads nowhere')
  return null
}
