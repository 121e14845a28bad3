/** Everything the shop keeps, in the document shapes of the specification's section 3: the owner's own copy of her data (S-134, 028). */
import { isAdminId } from '#app/platform/admin-id.ts'
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
import type { Shop } from '#app/platform/context.ts'
import { readDocument, readParts } from '#app/platform/documents.server.ts'
import { jsonText, type Parts } from '#app/platform/json-text.ts'
import { spooledDownload } from '#app/platform/spooled-download.server.ts'
import type { Db } from '#db/schema.ts'

type Document = { id?: string }
type Collection = { parts: (db: Db) => Parts<Document>; find: (db: Db, id: string) => Promise<Document | null> }

const PART = 500

/** What grows with the customers: read by the ids of the newest, a part at a time, and one by its id. */
const growing = (table: 'orders' | 'testimonies' | 'sales', read: (db: Db, ids: string[]) => Parts<Document>): Collection => ({
  async *parts(db) {
    const ids = (await db.selectFrom(table).select('id').orderBy('createdAt', 'desc').orderBy('id').execute()).map((row) => row.id)
    for (let from = 0; from < ids.length; from += PART) yield* read(db, ids.slice(from, from + PART))
  },
  async find(db, id) {
    for await (const [found] of read(db, [id])) return found ?? null
    return null
  },
})

/** What one person keeps up by hand. */
const whole = (list: (db: Db) => Promise<Document[]>, find?: Collection['find']): Collection => ({
  async *parts(db) {
    yield await list(db)
  },
  find: find ?? (async (db, id) => (await list(db)).find((document) => document.id === id) ?? null),
})

const collections = {
  users: whole(
    (db) => listUserDocuments(db),
    async (db, id) => (await listUserDocuments(db, id))[0] ?? null,
  ),
  orders: growing('orders', async function* (db, ids) {
    for await (const { fields } of eachOrder(db, ids)) yield [fields]
  }),
  items: whole(listItemDocuments),
  colors: whole(listColorDocuments),
  category: whole(listCategoryDocuments),
  showcase: whole(listShowcaseDocuments),
  testimony: growing('testimonies', async function* (db, ids) {
    yield await listTestimonyDocuments(db, ids)
  }),
  sales: growing('sales', async function* (db, ids) {
    const rows = new Map((await db.selectFrom('sales').selectAll().where('id', 'in', ids).execute()).map((row) => [row.id, row]))
    yield ids.flatMap((id) => rows.get(id) ?? []).map(saleDocument)
  }),
} satisfies Record<string, Collection>

const isCollection = (name: string): name is keyof typeof collections => Object.hasOwn(collections, name)

type Source = Pick<Shop, 'db' | 'log'>

const download = (text: AsyncIterable<string>, more: Record<string, string> = {}) =>
  spooledDownload(text, { 'Content-Type': 'application/json', ...more })

/** Every collection as a file of this name; ERR-01 when one cannot be read. */
export const downloadAllDocuments = ({ db, log }: Source, fileName: string): Promise<Response> =>
  download(jsonText(Object.fromEntries(Object.entries(collections).map(([name, { parts }]) => [name, readParts(log, name, parts(db))]))), {
    'Content-Disposition': `attachment; filename="${fileName}"`,
  })

/** One document; ERR-02 for one that is not there, ERR-03 when it cannot be read. */
export const downloadDocument = ({ db, log }: Source, name: string, id: string): Promise<Response> =>
  readDocument(log, name, async () => {
    const document = isCollection(name) ? await collections[name].find(db, id) : null
    return document && download(jsonText(document))
  })

/** The export is the owner's alone: the gate of /manage stands before it, and it says so itself as well. */
export const mayExport = (userId: string | undefined): boolean => userId !== undefined && isAdminId(userId)
