/** Everything the shop keeps, in the document shapes of the specification's section 3: the owner's own copy of her data (S-134). */
import { isAdminId, ADMIN_ID } from '#app/features/accounts/admin.ts'
import { listUserDocuments } from '#app/features/accounts/user-documents.server.ts'
import {
  listCategoryDocuments,
  listColorDocuments,
  listItemDocuments,
  listShowcaseDocuments,
} from '#app/features/catalog/catalog-documents.server.ts'
import { readConversation, WHOLE } from '#app/features/conversations/conversations.server.ts'
import { orderDocument, type OrderDocument } from '#app/features/orders/order-document.ts'
import { saleDocument } from '#app/features/sales/sale-document.ts'
import { listSales } from '#app/features/sales/sales.server.ts'
import { listTestimonyDocuments } from '#app/features/testimonials/testimony-documents.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readCollection, readDocument } from '#app/platform/documents.server.ts'
import type { Db } from '#db/tables.ts'

type Document = { id?: string }

async function listOrderDocuments(db: Db): Promise<OrderDocument[]> {
  const documents: OrderDocument[] = []
  for (const { id } of await db.selectFrom('orders').select('id').orderBy('createdAt', 'desc').execute()) {
    const conversation = await readConversation(db, id, ADMIN_ID, WHOLE)
    if (conversation) documents.push(orderDocument(conversation))
  }
  return documents
}

const collections = {
  users: listUserDocuments,
  orders: listOrderDocuments,
  items: listItemDocuments,
  colors: listColorDocuments,
  category: listCategoryDocuments,
  showcase: listShowcaseDocuments,
  testimony: listTestimonyDocuments,
  sales: async (db: Db) => (await listSales(db, { from: 0, to: Number.MAX_SAFE_INTEGER })).map(saleDocument),
} satisfies Record<string, (db: Db) => Promise<Document[]>>

type Collection = keyof typeof collections
const isCollection = (name: string): name is Collection => Object.hasOwn(collections, name)

type Source = Pick<Shop, 'db' | 'log'>

const read = (shop: Source, name: Collection) => readCollection<Document>(shop.log, name, () => collections[name](shop.db))

/** Every collection; ERR-01 when one cannot be read. */
export async function listAllDocuments(shop: Source): Promise<Record<Collection, Document[]>> {
  const all: Partial<Record<Collection, Document[]>> = {}
  for (const name of Object.keys(collections).filter(isCollection)) all[name] = await read(shop, name)
  return all as Record<Collection, Document[]>
}

/** One document; ERR-02 for one that is not there, ERR-03 when it cannot be read. */
export const findDocument = (shop: Source, name: string, id: string): Promise<Document> =>
  readDocument<Document>(shop.log, name, async () => {
    if (!isCollection(name)) return null
    const documents: Document[] = await collections[name](shop.db)
    return documents.find((document) => document.id === id) ?? null
  })

/** The export is the owner's alone: the gate of /manage stands before it, and it says so itself as well. */
export const mayExport = (userId: string | undefined): boolean => userId !== undefined && isAdminId(userId)
