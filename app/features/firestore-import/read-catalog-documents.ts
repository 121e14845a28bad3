/** Converts Firestore documents of categories, colors, items and the showcase to database rows. See read-documents.ts. [DATA-039 to DATA-072] */
import type { ItemState } from '#app/features/catalog/catalog.ts'
import { itemKinds } from '#app/features/item-editor/item-form.ts'
import type { Discount } from '#app/features/pricing/money.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { AddFinding, FieldReader, ImportContext, ReadInto } from './documents.ts'
import { reportValue, toText, UNSORTED } from './documents.ts'

const stamps = (reader: FieldReader, now: number) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  return { createdAt, firstCreatedAt: createdAt }
}

/** Returns the value of a discount in hundredths of a percent, or in cents. [DATA-047 to DATA-049, DATA-064] */
function discountColumns(
  reader: FieldReader,
  note: AddFinding,
): { discountType: Discount['type'] | null; discountValue: number | null } {
  const part = reader.part('discount')
  const [type, value] = [part?.text('type'), part?.cents('price')]
  part?.end()
  const isKnown = type === 'amount' || (type === 'percent' && (value ?? 0) <= 10_000)
  if (isKnown && value) return { discountType: type, discountValue: value }
  if (reader.has('discount'))
    note(
      'discount',
      `${reportValue(reader.raw('discount'))} is not a discount`,
      'imported without one',
    )
  return { discountType: null, discountValue: null }
}

function imageOf(reader: FieldReader, note: AddFinding, { images }: ImportContext): string | null {
  const url = reader.text('url')
  const id = images.get(url) ?? null
  if (url !== '' && id === null)
    note('url', `the picture ${reportValue(url)} is missing`, 'imported without a picture')
  return id
}

export const readCategory: ReadInto = ({ id, reader, note, context, place }) => {
  const color = reader.text('color').toLowerCase()
  const isColor = /^#[0-9a-f]{6}$/.test(color)
  if (!isColor)
    note('color', `${reportValue(color)} is not a color like #a1b2c3`, `read as ${UNSORTED.color}`)
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

export const readColor: ReadInto = ({ id, reader, note, context }) => {
  const name = reader.text('name', id)
  if (/\s/.test(name)) note('name', `${reportValue(name)} has spaces`, 'they become underscores')
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

const itemStates = ['listed', 'draft', 'retired', 'sold'] as const satisfies ItemState[]

/** Reads an item. Skips an item without a price, unless it is a draft. Only exports of this shop contain `state`, `kind` and `soldSaleId`. [DATA-039 to DATA-054, S-294] */
export const readItem: ReadInto = ({ id, reader, note, context }) => {
  const state = reader.choice('state', itemStates)
  const priceCents = reader.cents(
    'price',
    'THE ITEM WAS NOT IMPORTED: it needs a price',
    state === 'draft' ? 0 : 1,
  )
  if (priceCents === null) return false
  const { rows, documents, now } = context
  const category = reader.text('category', '')
  const isKnown = documents.category.has(category) || category === UNSORTED.id
  if (!isKnown)
    note(
      'category',
      `${reportValue(category)} is not a category`,
      `the item is in “${UNSORTED.title}”`,
    )
  const categoryId = isKnown ? category : UNSORTED.id
  if (!documents.category.has(categoryId) && !rows.categories.some((row) => row.id === UNSORTED.id))
    rows.categories.push({
      ...UNSORTED,
      pictureId: null,
      position: documents.category.size,
      createdAt: now,
      firstCreatedAt: now,
    })
  rows.items.push({
    id,
    name: reader.text('name', 'Unnamed'),
    categoryId,
    priceCents,
    description: reader.text('description', ''),
    width: reader.text('width'),
    soleType: reader.text('soleType'),
    size: reader.text('size'),
    state,
    kind: reader.choice('kind', itemKinds),
    soldSaleId: reader.text('soldSaleId') || null,
    ...discountColumns(reader, note),
    ...stamps(reader, now),
  })
  readImages(id, reader, note, context)
  if (state !== 'draft' && !rows.itemPictures.some(({ itemId }) => itemId === id))
    note('images', 'the item has no picture', 'the shop shows it without one')
  return true
}

function readImages(
  itemId: string,
  reader: FieldReader,
  note: AddFinding,
  { rows, documents, images }: ImportContext,
): void {
  for (const [position, { place, part }] of reader.parts('images').entries()) {
    const url = part.text('url')
    const pictureId = images.get(url)
    const colorIds = part.ids('colors')
    const isAvailable = part.flag('isAvailable', true) ? 1 : 0
    // The item editor of the hosted shop stored these fields, which this shop does not need. Reading them prevents a report about them.
    for (const name of ['id', 'index', 'file', 'src']) part.raw(name)
    part.end()
    if (pictureId === undefined) {
      note(
        place,
        url === '' ? 'has no address' : `the picture ${reportValue(url)} is missing`,
        'the picture was not imported',
      )
      continue
    }
    const id = newId15()
    rows.itemPictures.push({ id, itemId, pictureId, position, isAvailable })
    for (const colorId of colorIds) {
      if (documents.colors.has(colorId)) rows.itemPictureColors.push({ itemPictureId: id, colorId })
      else
        note(
          `${place}.colors`,
          `${reportValue(colorId)} is not a color`,
          'the picture was imported without it',
        )
    }
  }
}

/** The field `deg` may be a number, or a class name that contains the number. [DATA-069 to DATA-072] */
export const readShowcase: ReadInto = ({ id, reader, note, context, place }) => {
  const categoryId = reader.text('categoryID', '')
  const deg = reader.raw('deg')
  const found = typeof deg === 'number' ? deg : Number(/-?\d+/.exec(toText(deg))?.[0] ?? Number.NaN)
  const degrees = Number.isFinite(found)
    ? ((Math.round(found) % 360) + 360) % 360
    : (place * 45) % 360
  if (degrees !== deg)
    note('deg', `${reportValue(deg)} is not a number of degrees`, `read as ${degrees}`)
  const row = {
    id,
    title: reader.text('title', ''),
    pictureId: imageOf(reader, note, context),
    categoryId,
    deg: degrees,
    position: place,
  }
  if (!context.documents.category.has(categoryId)) {
    note(
      'categoryID',
      `${reportValue(categoryId)} is not a category`,
      'NOT IMPORTED: it would link to nothing',
    )
    return false
  }
  context.rows.showcase.push(row)
  return true
}
