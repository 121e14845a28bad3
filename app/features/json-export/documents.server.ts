/** Exports the documents of the shop in the format that section 3 of the specification defines. [S-134] */
import { isAdminId } from '#app/services/admin-id.ts'
import { listUserDocuments } from '#app/features/auth/user-documents.server.ts'
import {
  listCategoryDocuments,
  listColorDocuments,
  listItemDocuments,
  listShowcaseDocuments,
} from '#app/features/catalog/catalog-documents.server.ts'
import { eachOrder } from '#app/features/orders/order-documents.server.ts'
import { saleDocument } from '#app/features/sales/receipt.ts'
import { listTestimonyDocuments } from '#app/features/testimonials/testimonies.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { readDocumentOrThrow, readCollectionOrThrow } from '#app/services/document-errors.server.ts'
import { streamJson, type Batches } from '#app/lib/http/streamed-json.ts'
import { bufferedDownload } from '#app/lib/http/buffered-download.server.ts'
import type { Db } from '#db/schema.ts'

type Document = { id?: string }
type Collection = {
  parts: (db: Db) => Batches<Document>
  find: (db: Db, id: string) => Promise<Document | null>
}

const BATCH_SIZE = 500

/** The export reads the documents of this collection in batches, because their number grows with the number of customers. */
const batchedCollection = (
  table: 'orders' | 'testimonies' | 'sales',
  read: (db: Db, ids: string[]) => Batches<Document>,
): Collection => ({
  async *parts(db) {
    const ids = (
      await db.selectFrom(table).select('id').orderBy('createdAt', 'desc').orderBy('id').execute()
    ).map((row) => row.id)
    for (let from = 0; from < ids.length; from += BATCH_SIZE)
      yield* read(db, ids.slice(from, from + BATCH_SIZE))
  },
  async find(db, id) {
    for await (const [found] of read(db, [id])) return found ?? null
    return null
  },
})

/** The export reads all documents of this collection at once, because this collection is small. */
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
  orders: batchedCollection('orders', async function* (db, ids) {
    for await (const { fields } of eachOrder(db, ids)) yield [fields]
  }),
  items: smallCollection(listItemDocuments),
  colors: smallCollection(listColorDocuments),
  category: smallCollection(listCategoryDocuments),
  showcase: smallCollection(listShowcaseDocuments),
  testimony: batchedCollection('testimonies', async function* (db, ids) {
    yield await listTestimonyDocuments(db, ids)
  }),
  sales: batchedCollection('sales', async function* (db, ids) {
    const rows = new Map(
      (await db.selectFrom('sales').selectAll().where('id', 'in', ids).execute()).map((row) => [
        row.id,
        row,
      ]),
    )
    yield ids.flatMap((id) => rows.get(id) ?? []).map(saleDocument)
  }),
} satisfies Record<string, Collection>

const isCollection = (name: string): name is keyof typeof collections =>
  Object.hasOwn(collections, name)

type Source = Pick<AppServices, 'db' | 'log'>

const download = (text: AsyncIterable<string>, more: Record<string, string> = {}) =>
  bufferedDownload(text, { 'Content-Type': 'application/json', ...more })

/** Returns a response with all documents as a file. If the database cannot be read, throws an error with the text that the specification prescribes. [ERR-01] */
export const downloadAllDocuments = ({ db, log }: Source, fileName: string): Promise<Response> =>
  download(
    streamJson(
      Object.fromEntries(
        Object.entries(collections).map(([name, { parts }]) => [
          name,
          readCollectionOrThrow(log, name, parts(db)),
        ]),
      ),
    ),
    {
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  )

/** Returns a response with one document as a file. If the database cannot be read, throws an error with the text that the specification prescribes. [ERR-02, ERR-03] */
export const downloadDocument = (
  { db, log }: Source,
  name: string,
  id: string,
): Promise<Response> =>
  readDocumentOrThrow(log, name, async () => {
    const document = isCollection(name) ? await collections[name].find(db, id) : null
    return document && download(streamJson(document))
  })

/** Returns true only for the owner. The middleware of the owner's pages makes the same check. */
export const canExport = (userId: string | undefined): boolean =>
  userId !== undefined && isAdminId(userId)
