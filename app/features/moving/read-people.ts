/** The documents of customers as rows (DATA-002 to DATA-038, DATA-073 to DATA-094); whatever is odd is noted. */
import type {
  MessagePictureTable,
  MessageTable,
  OrderItemTable,
  OrderTable,
  ReadMarkTable,
  RequestTable,
  SaleTable,
  TestimonyItemTable,
  TestimonyTable,
} from '#db/tables.ts'
import { openFields, type Reader } from './fields.ts'
import { openDocument } from './read-catalogue.ts'
import { shown, type FoundDocument, type Note } from './moving.ts'

export type People = {
  /** the hosted shop's owner under her id here; everybody else as they are */
  uid: (uid: string) => string
  /** whether somebody can sign in under this uid */
  hasAccount: (uid: string) => boolean
  /** id of a message's picture by its address; null: it was not brought along */
  picture: (url: string) => string | null
  now: number
}

export type ReadOrder = {
  row: OrderTable
  items: OrderItemTable[]
  messages: MessageTable[]
  pictures: MessagePictureTable[]
  marks: ReadMarkTable[]
}

/** DATA-016 to DATA-038; a conversation from the contact page carries its sender at the top (S-032). */
export function readOrder(document: FoundDocument, note: Note, people: People): ReadOrder {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const id = people.uid(document.id)
  // A closed order has lost these two (MSG-11); our own export keeps them beside it.
  const fromContactPage = reader.flag('fromContactPage', shop?.flag('fromContactPage', false, true) ?? false, true)
  const receiptTag = reader.text('receiptTag') || shop?.text('receiptTag') || null
  const user = reader.part('user')
  const top = { name: reader.text('name'), email: reader.text('email'), photoURL: reader.text('photoURL') }
  if (!user && !fromContactPage) note('user', 'missing', 'read from the top of the document, or left empty')
  const uid = user?.text('id')
  if (uid && uid !== document.id) note('user.id', `${shown(uid)} is not the conversation's id`, 'the conversation’s id counts')
  const items = readOrderItems(reader, id, note)
  const { messages, pictures, marks } = readMessages(reader, id, note, people)
  const createdAt = reader.time('createdAt', messages.at(-1)?.createdAt ?? people.now, 'the time of its newest message stands for it')
  const row: OrderTable = {
    id,
    userId: fromContactPage || shop?.flag('isAbandoned', false, true) || !people.hasAccount(id) ? null : id,
    userName: user?.text('name') || top.name,
    userEmail: user?.text('email') || top.email,
    userPhotoURL: user?.text('photoURL') || top.photoURL,
    receiptTag,
    isClosed: reader.flag('isClosed', false) ? 1 : 0,
    fromContactPage: fromContactPage ? 1 : 0,
    lastSeq: messages.length,
    createdAt,
    firstCreatedAt: shop?.time('firstCreatedAt', createdAt) ?? Math.min(createdAt, messages[0]?.createdAt ?? createdAt),
  }
  // A contact document may hold favourites of nobody.
  if (reader.has('favItems') && reader.texts('favItems').length > 0) note('favItems', 'favourites of a conversation', 'not taken')
  for (const part of [user, shop, reader]) part?.end()
  return { row, items, messages, pictures, marks }
}

/** DATA-019 to DATA-023: each piece once. */
function readOrderItems(reader: Reader, orderId: string, note: Note): OrderItemTable[] {
  const items = new Map<string, OrderItemTable>()
  for (const [position, raw] of reader.list('items').entries()) {
    const path = `items[${position}]`
    const item = openFields(raw, note, `${path}.`)
    const itemId = item.text('id')
    const priceCents = item.cents('price')
    const entry: OrderItemTable = {
      orderId,
      itemId,
      name: item.text('name', ''),
      priceCents: priceCents ?? 0,
      isSold: item.flag('isSold', false, true) ? 1 : 0,
      position,
    }
    if (priceCents === null)
      note(`${path}.price`, item.has('price') ? `${shown(item.raw('price'))} is no price` : 'missing', 'read as 0.00')
    item.end()
    if (itemId === '') note(path, 'an entry without an id', 'not taken')
    else if (items.has(itemId)) note(path, `the item ${shown(itemId)} stands twice`, 'taken once')
    else items.set(itemId, entry)
  }
  return [...items.values()]
}

/** DATA-034 to DATA-038: a reader's mark is the newest message of somebody else that names her among its readers (CHAT-11). */
function readMessages(reader: Reader, orderId: string, note: Note, people: People): Pick<ReadOrder, 'messages' | 'pictures' | 'marks'> {
  const messages: MessageTable[] = []
  const pictures: MessagePictureTable[] = []
  const [ids, marks, counts] = [new Set<string>(), new Map<string, number>(), new Map<string, number>()]
  for (const [index, raw] of reader.list('messages').entries()) {
    const path = `messages[${index}]`
    const isText = typeof raw === 'string'
    if (isText) note(path, 'a text, no map', 'read as a message of the customer')
    else if (typeof raw !== 'object' || raw === null) {
      note(path, `${shown(raw)} is no message`, 'not taken')
      continue
    }
    const message = openFields(isText ? { message: raw } : raw, note, `${path}.`)
    const seq = messages.length + 1
    const written = message.text('id')
    let id = written || `moved${seq}`
    if (written === '') note(`${path}.id`, 'missing', `read as ${id}`)
    while (ids.has(id)) id = `${id}-${seq}`
    if (written !== '' && id !== written) note(`${path}.id`, `${shown(written)} stands twice`, `read as ${shown(id)}`)
    ids.add(id)
    const sender = people.uid(message.text('sender')) || orderId
    if (!message.has('sender')) note(`${path}.sender`, 'missing', 'read as the customer')
    const createdAt = message.time('createdAt', messages.at(-1)?.createdAt ?? people.now, 'the time of the message before stands for it')
    messages.push({ orderId, seq, id, message: message.text('message', ''), sender, createdAt })
    for (const [position, url] of readMessagePictures(message).entries()) {
      const pictureId = url === '' ? null : people.picture(url)
      if (url !== '' && pictureId === null) note(path, `its picture ${shown(url)} is not there`, 'its place is kept')
      pictures.push({ orderId, messageId: id, position, pictureId })
    }
    for (const uid of new Set(message.texts('read', true).map(people.uid))) {
      if (uid === sender) continue
      marks.set(uid, seq)
      counts.set(uid, (counts.get(uid) ?? 0) + 1)
    }
    message.end()
  }
  for (const [uid, seq] of marks) {
    const upTo = messages.filter((message) => message.seq <= seq && message.sender !== uid).length
    if (upTo > counts.get(uid)!)
      note('messages', `${shown(uid)} has read a newer message but not all before it`, 'all up to it count as read')
  }
  return { messages, pictures, marks: [...marks].map(([uid, seq]) => ({ orderId, reader: uid, seq })) }
}

/** 025: what our own export tells of a message's pictures; '' for one that is gone, and for what is no address. */
export function readMessagePictures(message: Reader): string[] {
  const shop = message.part('shop')
  const urls = shop?.list('pictures', true) ?? []
  shop?.end()
  return urls.map((url) => (typeof url === 'string' ? url : ''))
}

type Category = { categoryId: string; categoryTitle: string }
export type ReadSale = SaleTable & Category

/** S-197: what only our own export tells. */
function readCategory(part: Reader | null): Category {
  const read = { categoryId: part?.text('id') ?? '', categoryTitle: part?.text('title') ?? '' }
  part?.end()
  return read
}

/** S-196 */
export function readRequest(document: FoundDocument, note: Note, people: People): RequestTable {
  const reader = openDocument(document, note)
  const row: RequestTable = {
    id: document.id,
    orderId: people.uid(reader.text('orderid', '')),
    itemId: reader.text('itemid', ''),
    ...readCategory(reader.part('category')),
    at: reader.time('createdAt', people.now),
    saleId: reader.text('saleid') || null,
  }
  reader.end()
  return row
}

/** DATA-084 to DATA-094, S-109: the item as a map or as the plain name. */
export function readSale(document: FoundDocument, note: Note, people: People): ReadSale {
  const reader = openDocument(document, note)
  const plain = reader.raw('item')
  const item = reader.part('item')
  const itemPriceCents = item?.cents('price') ?? null
  if (item && itemPriceCents === null)
    note('item.price', item.has('price') ? `${shown(item.raw('price'))} is no price` : 'missing', 'kept without')
  const salePriceCents = reader.cents('salePrice')
  if (salePriceCents === null) {
    const what = reader.has('salePrice') ? `${shown(reader.raw('salePrice'))} is no price` : 'missing'
    note('salePrice', what, `read as ${((itemPriceCents ?? 0) / 100).toFixed(2)}, the price of the item`)
  }
  const shop = reader.part('shop')
  const row: ReadSale = {
    id: document.id,
    buyerId: people.uid(reader.text('buyerid', '')),
    buyerName: reader.text('buyerName', ''),
    buyerEmail: reader.text('buyerEmail'),
    buyerPhotoURL: reader.text('buyerPhotoURL'),
    itemId: reader.text('itemid', ''),
    itemName: item ? item.text('name', '') : reader.text('item', ''),
    itemPriceCents: typeof plain === 'string' ? null : itemPriceCents,
    salePriceCents: salePriceCents ?? itemPriceCents ?? 0,
    receiptTag: reader.text('receiptTag') || null,
    createdAt: reader.time('createdAt', people.now, 'THE DAY OF THE IMPORT stands for it'),
    ...readCategory(shop?.part('category') ?? null),
  }
  shop?.end()
  item?.end()
  reader.end()
  return row
}

/** Our own export tells it, also that there is none. */
const writtenAt = (shop: Reader | null, otherwise: number | null) =>
  shop ? (shop.has('writtenAt') ? shop.time('writtenAt', otherwise ?? 0) : null) : otherwise

export type ReadTestimony = { row: TestimonyTable; items: TestimonyItemTable[] }

/** DATA-073 to DATA-083 */
export function readTestimony(document: FoundDocument, note: Note, people: People): ReadTestimony {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const createdAt = reader.time('createdAt', people.now, 'the time of the import stands for it')
  const testimony = reader.text('testimony', '')
  const isAvailable = reader.flag('isAvailable', testimony === '')
  const row: TestimonyTable = {
    id: document.id,
    receiptTag: shop?.text('receiptTag') || null,
    writerId: people.uid(reader.text('writerid')),
    writerName: reader.text('writerName', ''),
    writerEmail: reader.text('writerEmail'),
    writerPhotoURL: reader.text('writerPhotoURL'),
    testimony,
    isAvailable: isAvailable ? 1 : 0,
    isValidated: reader.flag('isValidated', false) ? 1 : 0,
    showOnPage: reader.flag('showOnPage', false) ? 1 : 0,
    createdAt,
    writtenAt: writtenAt(shop, isAvailable ? null : createdAt),
  }
  const items = reader.list('items').map((raw, position): TestimonyItemTable => {
    const isName = typeof raw === 'string'
    const item = openFields(isName ? { name: raw } : raw, note, `items[${position}].`)
    const line = {
      testimonyId: document.id,
      position,
      itemId: item.text('id', isName ? undefined : ''),
      name: item.text('name', ''),
      priceCents: item.cents('price'),
      salePriceCents: item.cents('salePrice'),
    }
    for (const name of ['price', 'salePrice'] as const)
      if (item.has(name) && line[`${name}Cents`] === null) note(item.at(name), `${shown(item.raw(name))} is no price`, 'kept without')
    item.end()
    return line
  })
  shop?.end()
  reader.end()
  return { row, items }
}

/** DATA-002, DATA-003: newest first, as this shop lists them; `times` where our own export tells them. */
export function readFavourites(document: FoundDocument, note: Note): { itemIds: string[]; times: unknown[] } {
  const reader = openDocument(document, note)
  const shop = reader.part('shop')
  const found = { itemIds: reader.texts('favItems', true), times: shop?.list('favouredAt', true) ?? [] }
  // Users from the contact page carry these too (DATA-004 to DATA-010); who they are stands in their conversation.
  for (const name of ['email', 'name', 'photoURL', 'items', 'messages', 'fromContactPage', 'createdAt', 'uid', 'displayName'])
    reader.raw(name)
  shop?.end()
  reader.end()
  return found
}
