/** Accounts, favourites, conversations, sales and testimonies as documents of section 3, with a field `shop` for what it has none for (022). */
import type { Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { MessageDocument } from '#app/features/orders/order-document.ts'
import { eachOrder } from '#app/features/orders/order-documents.server.ts'
import { saleDocument } from '#app/features/sales/sale-document.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import type { Parts } from '#app/platform/json-text.ts'
import { libraryTime } from '#app/platform/library-date.ts'
import { timestamp } from './moment.ts'
import type { FoundDocument } from './moving.ts'
import { inChunks, inOrder, sortedIds } from './sorted-ids.ts'

type Documents = AsyncGenerator<FoundDocument>

/** DATA-011 to DATA-015. No password leaves the shop, and of the owner only what the other shop may take over. */
export async function* exportAccounts(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'user'))) {
    const rows = await tx.selectFrom('user').selectAll().where('id', 'in', ids).execute()
    for (const row of inOrder(ids, rows)) {
      const who = { uid: row.id, displayName: row.name, photoURL: row.image ?? '' }
      const isTrue = (value: unknown) => value === true || value === 1
      const createdAt = timestamp(libraryTime(row.createdAt))
      const how = { email: row.email, isAnonymous: isTrue(row.isAnonymous), emailVerified: isTrue(row.emailVerified), createdAt }
      yield { id: row.id, fields: row.id === ADMIN_ID ? who : { ...who, ...how } }
    }
  }
}

/** DATA-002, DATA-003, S-132 */
export async function* exportUsers(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'user'))) {
    const rows = await tx.selectFrom('favourites').selectAll().where('userId', 'in', ids).execute()
    const byUser = Map.groupBy(rows, (row) => row.userId)
    for (const id of ids) {
      const own = (byUser.get(id) ?? []).toSorted((a, b) => b.createdAt - a.createdAt || (a.itemId < b.itemId ? -1 : 1))
      if (own.length === 0) continue
      const shop = { favouredAt: own.map((row) => timestamp(row.createdAt)) }
      yield { id, fields: { id, favItems: own.map((row) => row.itemId), shop } }
    }
  }
}

/** DATA-016 to DATA-038 */
export async function* exportOrders(tx: Tx): Documents {
  for await (const { row, fields } of eachOrder(tx, await sortedIds(tx, 'orders'))) {
    const { id, receiptTag, createdAt } = row
    const { createdAt: _, messages, ...document } = fields
    const shop = {
      firstCreatedAt: timestamp(row.firstCreatedAt),
      ...(row.userId === null && row.fromContactPage === 0 && { isAbandoned: true }),
      ...(row.isClosed === 1 && receiptTag && { receiptTag }),
      ...(row.isClosed === 1 && row.fromContactPage === 1 && { fromContactPage: true }),
    }
    yield { id, fields: { ...document, messages: movedMessages(tx, id, messages), createdAt: timestamp(createdAt), shop } }
  }
}

async function* movedMessages(tx: Tx, orderId: string, messages: Parts<MessageDocument>): AsyncGenerator<object[]> {
  for await (const part of messages) {
    const pictures = await readPictures(tx, orderId, part)
    yield part.map((message) => {
      const shown = pictures.get(message.id)?.map(({ path }) => (path === null ? '' : pictureUrl(path)))
      return { ...message, createdAt: timestamp(message.createdAt), ...(shown && { shop: { pictures: shown } }) }
    })
  }
}

/** 025: of each message in their order; null where a picture is gone. */
async function readPictures(tx: Tx, orderId: string, messages: readonly MessageDocument[]) {
  if (messages.length === 0) return new Map<string, { path: string | null }[]>()
  const ids = messages.map((message) => message.id)
  const rows = await tx
    .selectFrom('messagePictures as m')
    .leftJoin('pictures as p', 'p.id', 'm.pictureId')
    .select(['m.messageId', 'p.path'])
    .where('m.orderId', '=', orderId)
    .where('m.messageId', 'in', ids)
    .orderBy('m.position')
    .execute()
  return Map.groupBy(rows, (row) => row.messageId)
}

/** DATA-084 to DATA-094 */
export async function* exportSales(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'sales'))) {
    const rows = await tx.selectFrom('sales').selectAll().where('id', 'in', ids).execute()
    for (const row of inOrder(ids, rows)) {
      const shop = row.categoryId && { shop: { category: { id: row.categoryId, title: row.categoryTitle } } }
      yield { id: row.id, fields: { ...saleDocument(row), createdAt: timestamp(row.createdAt), ...shop } }
    }
  }
}

/** S-196: what was asked for, and what came of it. */
export async function* exportRequests(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'requests'))) {
    const rows = await tx.selectFrom('requests').selectAll().where('id', 'in', ids).execute()
    for (const { id, orderId, itemId, categoryId, categoryTitle, at, saleId } of inOrder(ids, rows)) {
      const category = { id: categoryId, title: categoryTitle }
      yield {
        id,
        fields: { orderid: orderId, itemid: itemId, category, createdAt: timestamp(at), ...(saleId !== null && { saleid: saleId }) },
      }
    }
  }
}

/** DATA-073 to DATA-083 */
export async function* exportTestimonies(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'testimonies'))) {
    const rows = await tx.selectFrom('testimonies').selectAll().where('id', 'in', ids).execute()
    const lines = await tx.selectFrom('testimonyItems').selectAll().where('testimonyId', 'in', ids).orderBy('position').execute()
    const linesOf = Map.groupBy(lines, (line) => line.testimonyId)
    for (const row of inOrder(ids, rows)) {
      const fields = {
        id: row.id,
        writerid: row.writerId,
        writerName: row.writerName,
        writerEmail: row.writerEmail,
        writerPhotoURL: row.writerPhotoURL,
        items: (linesOf.get(row.id) ?? []).map(({ itemId, name, priceCents, salePriceCents }) => ({
          ...{ id: itemId, name },
          ...(priceCents !== null && { price: priceCents / 100 }),
          ...(salePriceCents !== null && { salePrice: salePriceCents / 100 }),
        })),
        testimony: row.testimony,
        isAvailable: row.isAvailable === 1,
        isValidated: row.isValidated === 1,
        showOnPage: row.showOnPage === 1,
        createdAt: timestamp(row.createdAt),
        shop: {
          ...(row.receiptTag !== null && { receiptTag: row.receiptTag }),
          ...(row.writtenAt !== null && { writtenAt: timestamp(row.writtenAt) }),
        },
      }
      yield { id: row.id, fields }
    }
  }
}
