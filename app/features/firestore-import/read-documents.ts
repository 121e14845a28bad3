/** Converts Firestore documents to database rows and reports problems. A function returns false if it has skipped the document. [DATA-002 to DATA-094] */
import { MAX_QUANTITY } from '#app/features/offers/offer.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { Collection, FieldReader, ImportContext, AddFinding, ReadInto } from './documents.ts'
import { reportValue } from './documents.ts'
import { readCategory, readColor, readItem, readShowcase } from './read-catalog-documents.ts'

/** A document of a contact conversation has the sender's name and email at its top level. [DATA-016 to DATA-038, S-032] */
const readOrder: ReadInto = ({ id: hostedId, reader, note, context }) => {
  const { rows, uid, hasAccount, now } = context
  const id = uid(hostedId)
  if (id === ADMIN_ID && rows.orders.some((row) => row.id === id)) {
    note('id', 'another conversation of the owner with herself is imported', 'NOT IMPORTED')
    return false
  }
  const fromContactPage = reader.flag('fromContactPage', false, true)
  const user = reader.part('user')
  const top = {
    name: reader.text('name'),
    email: reader.text('email'),
    photoURL: reader.text('photoURL'),
  }
  if (!user && !fromContactPage)
    note('user', 'missing', 'read from the top of the document, or left empty')
  const userId = user?.text('id')
  if (userId && userId !== hostedId)
    note(
      'user.id',
      `${reportValue(userId)} is not the conversation's id`,
      'the conversation’s id counts',
    )
  readOrderItems(reader, id, note, context)
  const messages = readMessages(reader, id, note, context)
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
    isClosed: reader.flag('isClosed', false) ? 1 : 0,
    fromContactPage: fromContactPage ? 1 : 0,
    lastSeq: messages.length,
    lastMessageAt: messages.at(-1)?.createdAt ?? createdAt,
    createdAt,
    firstCreatedAt: Math.min(createdAt, messages[0]?.createdAt ?? createdAt),
  })
  // Records a reminder for all imported messages, so that the shop sends no reminder emails about these old messages.
  for (const person of new Set(fromContactPage || !hasAccount(id) ? [ADMIN_ID] : [ADMIN_ID, id]))
    rows.reminders.push({ orderId: id, reader: person, seq: messages.length, at: now, emailId: '' })
  // Favorites in the document of a conversation are not imported, because they belong to no account.
  if (reader.has('favItems') && reader.ids('favItems').length > 0)
    note('favItems', 'favorites of a conversation', 'not imported')
  user?.end()
  return true
}

/** Reads the items of an order. Skips an item that the order contains a second time. [DATA-019 to DATA-023] */
function readOrderItems(
  reader: FieldReader,
  orderId: string,
  note: AddFinding,
  { rows }: ImportContext,
): void {
  const taken = new Set<string>()
  for (const [position, { place, part }] of reader.parts('items').entries()) {
    const itemId = part.text('id')
    const row = {
      orderId,
      itemId,
      name: part.text('name', ''),
      priceCents: part.cents('price', 'read as 0.00') ?? 0,
      position,
    }
    const isSold = part.flag('isSold', false, true) ? (1 as const) : (0 as const)
    part.end()
    if (itemId === '') note(place, 'an entry without an id', 'not imported')
    else if (taken.has(itemId))
      note(place, `the item ${reportValue(itemId)} occurs twice`, 'imported once')
    else rows.orderItems.push({ ...row, isSold })
    taken.add(itemId)
  }
}

/** A message lists the people who have read it. A person has read all messages up to the newest message that lists her and that she did not send. [DATA-034 to DATA-038, CHAT-11] */
function readMessages(
  reader: FieldReader,
  orderId: string,
  note: AddFinding,
  { rows, uid, now }: ImportContext,
): { createdAt: number }[] {
  const messages: { createdAt: number }[] = []
  const ids = new Set<string>()
  const receipts = new Map<string, number>()
  for (const { place, part } of reader.parts('messages')) {
    const seq = messages.length + 1
    const written = part.text('id')
    const id = written === '' || ids.has(written) ? newId15() : written
    if (id !== written)
      note(
        `${place}.id`,
        written === '' ? 'missing' : `${reportValue(written)} stands twice`,
        `read as ${id}`,
      )
    ids.add(id)
    const sender = uid(part.text('sender')) || orderId
    if (!part.has('sender')) note(`${place}.sender`, 'missing', 'read as the customer')
    const createdAt = part.time(
      'createdAt',
      messages.at(-1)?.createdAt ?? now,
      'the time of the message before stands for it',
    )
    rows.messages.push({ orderId, seq, id, message: part.text('message', ''), sender, createdAt })
    messages.push({ createdAt })
    for (const person of part.ids('read', true).map(uid))
      if (person !== sender) receipts.set(person, seq)
    part.end()
  }
  for (const [person, seq] of receipts) rows.readReceipts.push({ orderId, reader: person, seq })
  return messages
}

/** Reads the favorites of a user, the newest favorite first. Two users with the same email address share one list of favorites. [DATA-002, DATA-003] */
const readUser: ReadInto = ({ id, reader, note, context }) => {
  const { rows, documents, uid, accountOf, hasAccount, now } = context
  const itemIds = reader.ids('favItems', true)
  // Ignores these fields of users of the contact form, because the documents of their conversations contain these fields, too. [DATA-004 to DATA-010]
  for (const name of [
    'email',
    'name',
    'photoURL',
    'items',
    'messages',
    'fromContactPage',
    'createdAt',
    'uid',
    'displayName',
  ])
    reader.raw(name)
  const userId = accountOf(uid(id))
  if (itemIds.length > 0 && !hasAccount(userId)) {
    const why =
      'NOT IMPORTED: no one could sign in to see them (a file given with --accounts may contain the email)'
    note('favItems', 'no email of this person is known', why)
    return false
  }
  for (const [index, itemId] of itemIds.entries()) {
    if (!documents.items.has(itemId))
      note('favItems', `${reportValue(itemId)} is not an item`, 'not imported')
    else rows.favorites.push({ userId, itemId, createdAt: now - index })
  }
  return true
}

/**
 * Reads a sale. The field `item` of a sale is a map, or only the name of the item. Only exports of this shop contain `cancels` and `quantity`: an entry with `cancels` has negative prices.
 * Skips an entry that cancels no sale, because its price would change the sum of all sales. [DATA-084 to DATA-094, S-109, S-301]
 */
const readSale: ReadInto = ({ id, reader, note, context: { rows, documents, uid, now } }) => {
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
    note(
      'cancels',
      `${reportValue(cancels)} is not a sale that this entry can cancel`,
      'THE ENTRY WAS NOT IMPORTED',
    )
    return false
  }
  const found = reader.raw('quantity') ?? 1
  const quantity =
    typeof found === 'number' && Number.isInteger(found) && found > 0 && found <= MAX_QUANTITY
      ? found
      : 1
  if (quantity !== found)
    note('quantity', `${reportValue(found)} is not a number of pieces`, 'read as 1')
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
    isAvailable: isAvailable ? 1 : 0,
    isValidated: reader.flag('isValidated', false) ? 1 : 0,
    showOnPage: reader.flag('showOnPage', false) ? 1 : 0,
    createdAt,
    writtenAt: isAvailable ? null : createdAt,
  })
  for (const [position, { part }] of reader.parts('items').entries()) {
    const price = (name: string) =>
      part.cents(name, part.has(name) ? 'imported without it' : undefined)
    const [itemId, name, priceCents, salePriceCents] = [
      part.text('id', ''),
      part.text('name', ''),
      price('price'),
      price('salePrice'),
    ]
    rows.testimonyItems.push({
      testimonyId: id,
      position,
      itemId,
      name,
      priceCents,
      salePriceCents,
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
