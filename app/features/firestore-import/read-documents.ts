import type { ItemState } from '#catalog/catalog.ts'
import { optionalItemTexts } from '#catalog/item-fields.ts'
import { itemKinds } from '#item-editor/item-form.ts'
import { MAX_QUANTITY } from '#offers/offer.ts'
import { recordOf } from '#lib/record-of.ts'
import { newId15 } from '#lib/text/ids.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import {
  type Collection,
  type FieldReader,
  type ImportContext,
  type ReadInto,
  reportValue,
  toText,
  UNSORTED,
} from './documents.ts'

const stamps = (reader: FieldReader, now: number) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  return { createdAt, firstCreatedAt: createdAt }
}

/** Values are in hundredths of a percent, or in cents. [DATA-047 to DATA-049, DATA-064] */
function discountColumns(reader: FieldReader) {
  const part = reader.part('discount')
  const type = part?.text('type')
  const value = part?.cents('price')
  part?.end()
  if (value && (type === 'amount' || (type === 'percent' && value <= 10_000))) {
    return { discountType: type, discountValue: value } as const
  }
  if (reader.has('discount')) {
    reader.noteInvalid('discount', reader.raw('discount'), 'not a discount', 'imported without one')
  }
  return { discountType: null, discountValue: null }
}

function imageOf(reader: FieldReader, { images }: ImportContext) {
  const url = reader.text('url')
  const id = images.get(url) ?? null
  if (url !== '' && id === null) {
    reader.note('url', `the picture ${reportValue(url)} is missing`, 'imported without a picture')
  }
  return id
}

const readCategory: ReadInto = ({ id, reader, context, place }) => {
  const color = reader.text('color').toLowerCase()
  const isColor = /^#[0-9a-f]{6}$/.test(color)
  if (!isColor) {
    reader.noteInvalid('color', color, 'not a color like #a1b2c3', `read as ${UNSORTED.color}`)
  }
  context.rows.categories.push({
    id,
    title: reader.text('title', id),
    color: isColor ? color : UNSORTED.color,
    imageId: imageOf(reader, context),
    position: place,
    ...stamps(reader, context.now),
  })
  return true
}

const readColor: ReadInto = ({ id, reader, context }) => {
  const name = reader.text('name', id)
  if (/\s/.test(name)) {
    reader.note('name', `${reportValue(name)} has spaces`, 'they become underscores')
  }
  context.rows.colors.push({
    id,
    name: name.replace(/\s/g, '_'),
    imageId: imageOf(reader, context),
    isAvailable: reader.flag('isAvailable', true),
    isLowOnStock: reader.flag('isLowOnStock', false),
    ...discountColumns(reader),
    ...stamps(reader, context.now),
  })
  return true
}

const itemStates = ['listed', 'draft', 'retired', 'sold'] as const satisfies ItemState[]

/**
 * Skips an item without a price. Only this shop exports `state`, `kind` and `soldSaleId`.
 * [DATA-039]
 */
const readItem: ReadInto = ({ id, reader, context }) => {
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
  if (!isKnown) {
    reader.noteInvalid('category', category, 'not a category', `the item is in “${UNSORTED.title}”`)
  }
  const categoryId = isKnown ? category : UNSORTED.id
  if (
    !documents.category.has(categoryId) &&
    !rows.categories.some((row) => row.id === UNSORTED.id)
  ) {
    rows.categories.push({
      ...UNSORTED,
      imageId: null,
      position: documents.category.size,
      createdAt: now,
      firstCreatedAt: now,
    })
  }
  rows.items.push({
    id,
    name: reader.text('name', 'Unnamed'),
    categoryId,
    priceCents,
    description: reader.text('description', ''),
    ...recordOf(optionalItemTexts, (name) => reader.text(name)),
    state,
    kind: reader.choice('kind', itemKinds),
    soldSaleId: reader.text('soldSaleId') || null,
    ...discountColumns(reader),
    ...stamps(reader, now),
  })
  readImages(id, reader, context)
  if (state !== 'draft' && !rows.itemImages.some(({ itemId }) => itemId === id)) {
    reader.note('images', 'the item has no picture', 'the shop shows it without one')
  }
  return true
}

function readImages(
  itemId: string,
  reader: FieldReader,
  { rows, documents, images }: ImportContext,
) {
  for (const [position, { place, part }] of reader.parts('images').entries()) {
    const url = part.text('url')
    const imageId = images.get(url)
    const colorIds = part.ids('colors')
    const isAvailable = part.flag('isAvailable', true)
    // The former shop stored these fields, too. The report would list fields that nobody reads.
    for (const name of ['id', 'index', 'file', 'src']) part.raw(name)
    part.end()
    if (imageId === undefined) {
      reader.note(
        place,
        url === '' ? 'has no address' : `the picture ${reportValue(url)} is missing`,
        'the picture was not imported',
      )
      continue
    }
    const id = newId15()
    rows.itemImages.push({ id, itemId, imageId, position, isAvailable })
    for (const colorId of colorIds) {
      if (documents.colors.has(colorId)) rows.itemImageColors.push({ itemImageId: id, colorId })
      else part.noteInvalid('colors', colorId, 'not a color', 'the picture was imported without it')
    }
  }
}

/** `deg` is a number, or a class name that contains it. [DATA-069] */
const readShowcase: ReadInto = ({ id, reader, context, place }) => {
  const categoryId = reader.text('categoryID', '')
  const deg = reader.raw('deg')
  const number =
    typeof deg === 'number' ? deg : Number(/-?\d+/.exec(toText(deg))?.[0] ?? Number.NaN)
  const degrees = Number.isFinite(number)
    ? ((Math.round(number) % 360) + 360) % 360
    : (place * 45) % 360
  if (degrees !== deg) {
    reader.noteInvalid('deg', deg, 'not a number of degrees', `read as ${degrees}`)
  }
  const row = {
    id,
    title: reader.text('title', ''),
    imageId: imageOf(reader, context),
    categoryId,
    deg: degrees,
    position: place,
  }
  if (!context.documents.category.has(categoryId)) {
    reader.noteInvalid(
      'categoryID',
      categoryId,
      'not a category',
      'NOT IMPORTED: it would link to nothing',
    )
    return false
  }
  context.rows.showcase.push(row)
  return true
}

const readOrder: ReadInto = ({ id: hostedId, reader, context }) => {
  const { rows, uid, hasAccount, now } = context
  const id = uid(hostedId)
  if (id === OWNER_ID && rows.orders.some((row) => row.id === id)) {
    reader.note('id', 'another conversation of the owner with herself is imported', 'NOT IMPORTED')
    return false
  }
  const fromContactPage = reader.flag('fromContactPage', false, true)
  const user = reader.part('user')
  const top = {
    name: reader.text('name'),
    email: reader.text('email'),
    photoURL: reader.text('photoURL'),
  }
  if (!user && !fromContactPage) {
    reader.note('user', 'missing', 'read from the top of the document, or left empty')
  }
  const userId = user?.text('id')
  if (userId && userId !== hostedId) {
    reader.noteInvalid(
      'user.id',
      userId,
      "not the conversation's id",
      'the conversation’s id counts',
    )
  }
  readOrderItems(reader, id, context)
  const messages = readMessages(reader, id, context)
  const createdAt = reader.time(
    'createdAt',
    messages.at(-1)?.createdAt ?? now,
    'the time of its newest message stands for it',
  )
  rows.orders.push({
    id,
    userId: fromContactPage || !hasAccount(id) ? null : id,
    userName: user?.text('name') || top.name,
    userEmail: user?.text('email') || top.email,
    userPhotoURL: user?.text('photoURL') || top.photoURL,
    receiptTag: reader.text('receiptTag') || null,
    isClosed: reader.flag('isClosed', false),
    fromContactPage,
    lastSeq: messages.length,
    lastMessageAt: messages.at(-1)?.createdAt ?? createdAt,
    createdAt,
    firstCreatedAt: Math.min(createdAt, messages[0]?.createdAt ?? createdAt),
  })
  // These rows keep the shop from sending reminders about old messages.
  for (const person of new Set(fromContactPage || !hasAccount(id) ? [OWNER_ID] : [OWNER_ID, id])) {
    rows.reminders.push({ orderId: id, reader: person, seq: messages.length, at: now, emailId: '' })
  }
  if (reader.has('favItems') && reader.ids('favItems').length > 0) {
    reader.note('favItems', 'favorites of a conversation', 'not imported')
  }
  user?.end()
  return true
}

function readOrderItems(reader: FieldReader, orderId: string, { rows }: ImportContext) {
  const itemIds = new Set<string>()
  for (const [position, { place, part }] of reader.parts('items').entries()) {
    const itemId = part.text('id')
    const row = {
      orderId,
      itemId,
      name: part.text('name', ''),
      priceCents: part.cents('price', 'read as 0.00') ?? 0,
      position,
    }
    const isSold = part.flag('isSold', false, true)
    part.end()
    if (itemId === '') reader.note(place, 'an entry without an id', 'not imported')
    else if (itemIds.has(itemId)) {
      reader.note(place, `the item ${reportValue(itemId)} occurs twice`, 'imported once')
    } else rows.orderItems.push({ ...row, isSold })
    itemIds.add(itemId)
  }
}

function readMessages(reader: FieldReader, orderId: string, { rows, uid, now }: ImportContext) {
  const messages: { createdAt: number }[] = []
  const ids = new Set<string>()
  const receipts = new Map<string, number>()
  for (const { part } of reader.parts('messages')) {
    const seq = messages.length + 1
    const fieldId = part.text('id')
    const id = fieldId === '' || ids.has(fieldId) ? newId15() : fieldId
    if (id !== fieldId) {
      const what = fieldId === '' ? 'missing' : `${reportValue(fieldId)} stands twice`
      part.note('id', what, `read as ${id}`)
    }
    ids.add(id)
    const sender = uid(part.text('sender')) || orderId
    if (!part.has('sender')) part.note('sender', 'missing', 'read as the customer')
    const createdAt = part.time(
      'createdAt',
      messages.at(-1)?.createdAt ?? now,
      'the time of the message before stands for it',
    )
    rows.messages.push({ orderId, seq, id, message: part.text('message', ''), sender, createdAt })
    messages.push({ createdAt })
    for (const person of part.ids('read', true).map(uid)) {
      if (person !== sender) receipts.set(person, seq)
    }
    part.end()
  }
  for (const [person, seq] of receipts) rows.readReceipts.push({ orderId, reader: person, seq })
  return messages
}

const CONTACT_FIELDS = [
  'email',
  'name',
  'photoURL',
  'items',
  'messages',
  'fromContactPage',
  'createdAt',
  'uid',
  'displayName',
]

const readUser: ReadInto = ({ id, reader, context }) => {
  const { rows, documents, uid, accountOf, hasAccount, now } = context
  const itemIds = reader.ids('favItems', true)
  for (const name of CONTACT_FIELDS) reader.raw(name)
  const userId = accountOf(uid(id))
  if (itemIds.length > 0 && !hasAccount(userId)) {
    const why =
      'NOT IMPORTED: no one could sign in to see them (a file given with --accounts may contain the email)'
    reader.note('favItems', 'no email of this person is known', why)
    return false
  }
  for (const [index, itemId] of itemIds.entries()) {
    if (!documents.items.has(itemId)) {
      reader.noteInvalid('favItems', itemId, 'not an item', 'not imported')
    } else rows.favorites.push({ userId, itemId, createdAt: now - index })
  }
  return true
}

/** Skips an entry that cancels no sale, because it would change the sum of all sales. */
const readSale: ReadInto = ({ id, reader, context: { rows, documents, uid, now } }) => {
  const cancels = reader.text('cancels') || null
  const lowest = cancels === null ? 0 : -Infinity
  const item = reader.part('item')
  const itemPriceCents = item?.cents('price', 'imported without it', lowest) ?? null
  const salePriceCents =
    reader.cents(
      'salePrice',
      `read as ${((itemPriceCents ?? 0) / 100).toFixed(2)}, the price of the item`,
      lowest,
    ) ??
    itemPriceCents ??
    0
  const isWrong =
    cancels !== null &&
    (salePriceCents > 0 ||
      !documents.sales.has(cancels) ||
      rows.sales.some((row) => row.cancels === cancels))
  if (isWrong) {
    reader.noteInvalid(
      'cancels',
      cancels,
      'not a sale that this entry can cancel',
      'THE ENTRY WAS NOT IMPORTED',
    )
    return false
  }
  const number = reader.raw('quantity') ?? 1
  const quantity =
    typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_QUANTITY
      ? number
      : 1
  if (quantity !== number) {
    reader.noteInvalid('quantity', number, 'not a number of pieces', 'read as 1')
  }
  rows.sales.push({
    id,
    buyerId: uid(reader.text('buyerid', '')),
    buyerName: reader.text('buyerName', ''),
    buyerEmail: reader.text('buyerEmail'),
    buyerPhotoURL: reader.text('buyerPhotoURL'),
    itemId: reader.text('itemid', ''),
    itemName: item ? item.text('name', '') : reader.text('item', ''),
    itemPriceCents,
    salePriceCents,
    cancels,
    quantity,
    receiptTag: reader.text('receiptTag') || null,
    createdAt: reader.time('createdAt', now, 'THE DAY OF THE IMPORT stands for it'),
    categoryId: '',
    categoryTitle: '',
  })
  item?.end()
  return true
}

const readTestimonial: ReadInto = ({ id, reader, context: { rows, uid, accountOf, now } }) => {
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  const testimony = reader.text('testimony', '')
  const isAvailable = reader.flag('isAvailable', testimony === '')
  rows.testimonies.push({
    id,
    receiptTag: null,
    writerId: accountOf(uid(reader.text('writerid'))),
    writerName: reader.text('writerName', ''),
    writerEmail: reader.text('writerEmail'),
    writerPhotoURL: reader.text('writerPhotoURL'),
    testimony,
    isAvailable,
    isValidated: reader.flag('isValidated', false),
    showOnPage: reader.flag('showOnPage', false),
    createdAt,
  })
  for (const [position, { part }] of reader.parts('items').entries()) {
    const price = (name: string) =>
      part.cents(name, part.has(name) ? 'imported without it' : undefined)
    rows.testimonyItems.push({
      testimonyId: id,
      position,
      itemId: part.text('id', ''),
      name: part.text('name', ''),
      priceCents: price('price'),
      salePriceCents: price('salePrice'),
    })
    part.end()
  }
  return true
}

export const readers: Record<Collection, ReadInto> = {
  category: readCategory,
  colors: readColor,
  items: readItem,
  showcase: readShowcase,
  users: readUser,
  orders: readOrder,
  sales: readSale,
  testimony: readTestimonial,
}
