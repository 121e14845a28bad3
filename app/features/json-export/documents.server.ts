import { data } from 'react-router'
import { readMessageBatches } from '#conversation/message-batches.server.ts'
import type { Message, ReadReceipt } from '#conversation/message.ts'
import {
  listCategoryDocuments,
  listColorDocuments,
  listItemDocuments,
  listShowcaseDocuments,
} from '#catalog/catalog-documents.server.ts'
import { saleDocument } from '#sales/receipt.ts'
import { listTestimonyDocuments } from '#testimonials/testimonies.server.ts'
import type { AppServices } from '#services/context.ts'
import { streamJson, type Batches } from '#lib/http/streamed-json.ts'
import { bufferedDownload } from '#lib/http/download.server.ts'
import type { Log } from '#lib/telemetry/log.server.ts'
import type { Db, OrderTable } from '#db/schema.ts'

type Document = { id?: string }
type Collection = {
  parts: (db: Db) => Batches<Document>
  find: (db: Db, id: string) => Promise<Document | null>
}

const BATCH_SIZE = 500

const batchedCollection = (
  table: 'orders' | 'testimonies' | 'sales',
  read: (db: Db, ids: string[]) => Batches<Document>,
): Collection => ({
  async *parts(db) {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute()
    const ids = rows.map((row) => row.id)
    for (let from = 0; from < ids.length; from += BATCH_SIZE) {
      yield* read(db, ids.slice(from, from + BATCH_SIZE))
    }
  },
  async find(db, id) {
    for await (const [document] of read(db, [id])) return document ?? null
    return null
  },
})

const smallCollection = (
  list: (db: Db) => Promise<Document[]>,
  find?: Collection['find'],
): Collection => ({
  async *parts(db) {
    yield await list(db)
  },
  find: find ?? (async (db, id) => (await list(db)).find((document) => document.id === id) ?? null),
})

const collections = {
  users: smallCollection(
    (db) => listUserDocuments(db),
    async (db, id) => (await listUserDocuments(db, id))[0] ?? null,
  ),
  orders: batchedCollection('orders', orderDocuments),
  items: smallCollection(listItemDocuments),
  colors: smallCollection(listColorDocuments),
  category: smallCollection(listCategoryDocuments),
  showcase: smallCollection(listShowcaseDocuments),
  testimony: batchedCollection('testimonies', async function* (db, ids) {
    yield await listTestimonyDocuments(db, ids)
  }),
  sales: batchedCollection('sales', async function* (db, ids) {
    const sales = await db.selectFrom('sales').selectAll().where('id', 'in', ids).execute()
    const salesById = new Map(sales.map((sale) => [sale.id, sale]))
    yield ids.flatMap((id) => salesById.get(id) ?? []).map(saleDocument)
  }),
} satisfies Record<string, Collection>

const isCollection = (name: string): name is keyof typeof collections =>
  Object.hasOwn(collections, name)

const download = (text: AsyncIterable<string>, fileName: string | null = null) =>
  bufferedDownload(text, 'application/json', fileName)

export const downloadAllDocuments = ({ db, log }: AppServices, fileName: string) =>
  download(
    streamJson(
      Object.fromEntries(
        Object.entries(collections).map(([name, { parts }]) => [
          name,
          readCollectionOrThrow(log, name, parts(db)),
        ]),
      ),
    ),
    fileName,
  )

export const downloadDocument = ({ db, log }: AppServices, name: string, id: string) =>
  readDocumentOrThrow(log, name, async () => {
    const document = isCollection(name) ? await collections[name].find(db, id) : null
    return document && download(streamJson(document))
  })

const COLLECTION_FAILED = 'could not fetch data'
const DOCUMENT_MISSING = 'DOCUMENT_NOT_EXIST'
const DOCUMENT_FAILED = 'FAILED_DOCUMENT'

export async function* readCollectionOrThrow<Document>(
  log: Log,
  name: string,
  parts: Batches<Document>,
) {
  try {
    yield* parts
  } catch (error) {
    log.error(COLLECTION_FAILED, error, { collection: name })
    throw data(COLLECTION_FAILED, { status: 500 })
  }
}

async function readDocumentOrThrow<Document>(
  log: Log,
  name: string,
  read: () => Promise<Document | null>,
): Promise<Document> {
  const document = await read().catch((error: unknown) => {
    log.error(DOCUMENT_FAILED, error, { collection: name })
    throw data(DOCUMENT_FAILED, { status: 500 })
  })
  if (document === null) throw data(DOCUMENT_MISSING, { status: 404 })
  return document
}

/** `createdAt` is the time when the user added the newest favorite. [DATA-122] */
export async function listUserDocuments(db: Db, uid?: string) {
  const rows = await db
    .selectFrom('favorites')
    .select(['userId', 'itemId', 'createdAt'])
    .$if(uid !== undefined, (query) => query.where('userId', '=', uid!))
    .orderBy('userId')
    .orderBy('createdAt', 'desc')
    .orderBy('itemId')
    .execute()
  const byUser = Map.groupBy(rows, (row) => row.userId)
  return [...byUser].map(([id, favorites]) => ({
    id,
    favItems: favorites.map((row) => row.itemId),
    createdAt: favorites[0]!.createdAt,
  }))
}

/**
 * The caller must read all messages of an order before the next order. A closed order has fewer
 * fields. [MSG-11]
 */
async function* orderDocuments(db: Db, ids: readonly string[]) {
  for (const id of ids) {
    const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) continue
    const items = await db
      .selectFrom('orderItems')
      .select(['itemId as id', 'name', 'priceCents', 'isSold'])
      .where('orderId', '=', id)
      .orderBy('position')
      .orderBy('itemId')
      .execute()
    const receipts = await db
      .selectFrom('readReceipts')
      .select(['reader', 'seq'])
      .where('orderId', '=', id)
      .execute()
    const readReceipts = receipts.toSorted((a, b) => (a.reader < b.reader ? -1 : 1))
    const sender = { name: row.userName, email: row.userEmail, photoURL: row.userPhotoURL }
    const document = {
      id,
      items: items.map(({ priceCents, isSold, ...item }) => ({
        ...item,
        price: priceCents / 100,
        ...(isSold && { isSold: true }),
      })),
      messages: messageBatches(db, row, readReceipts),
      user: { ...sender, id },
      isClosed: row.isClosed,
      createdAt: row.createdAt,
      ...(!row.isClosed && {
        ...(row.receiptTag && { receiptTag: row.receiptTag }),
        fromContactPage: row.fromContactPage,
        ...(row.fromContactPage && sender),
      }),
    }
    yield [document]
  }
}

async function* messageBatches(db: Db, order: OrderTable, receipts: ReadReceipt[]) {
  for await (const messages of readMessageBatches(db, order)) {
    yield messages.map(({ seq, ...message }) => ({
      ...message,
      read: readersOfMessage({ seq, ...message }, receipts),
    }))
  }
}

export const readersOfMessage = (message: Message, receipts: readonly ReadReceipt[]) => [
  ...new Set([
    message.sender,
    ...receipts.filter((mark) => mark.seq >= message.seq).map((mark) => mark.reader),
  ]),
]
