import { sql, type Selectable } from 'kysely'
import type { Tx, Db, Tables } from '#db/schema.ts'
import { newId15 } from '#lib/text/ids.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { readExistingIds, readPieceImages } from '#catalog/catalog.server.ts'
import type { Message, RequestedPiece } from './message.ts'

export async function recordRequest(
  tx: Tx,
  orderId: string,
  { id: itemId, categoryId }: { id: string; categoryId: string },
  at: number,
) {
  const category = await tx
    .selectFrom('categories')
    .select('title')
    .where('id', '=', categoryId)
    .executeTakeFirst()
  await tx
    .insertInto('requests')
    .values({
      id: newId15(),
      orderId,
      itemId,
      categoryId,
      categoryTitle: category?.title ?? '',
      at,
      saleId: null,
    })
    .execute()
}

/** For a deleted item, returns the category of the customer's newest request. [S-197] */
export async function categoryOf(tx: Tx, orderId: string, itemId: string) {
  const category = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select([
      'items.categoryId',
      sql<string>`coalesce("categories"."title", '')`.as('categoryTitle'),
    ])
    .executeTakeFirst()
  if (category) return category
  const request = await newestRequest(tx, orderId, itemId)
    .select(['categoryId', 'categoryTitle'])
    .executeTakeFirst()
  return request ?? { categoryId: '', categoryTitle: '' }
}

export async function markSold(tx: Tx, orderId: string, itemId: string, saleId: string) {
  await tx
    .updateTable('requests')
    .set({ saleId })
    .where('id', '=', newestRequest(tx, orderId, itemId).where('saleId', 'is', null).select('id'))
    .execute()
}

const newestRequest = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('requests')
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(1)

export async function linkSoldItems(tx: Tx) {
  await sql`update "orderItems" set "saleId" = (select "id" from "sales"
      where "sales"."buyerId" = "orderItems"."orderId" and "sales"."itemId" = "orderItems"."itemId"
        and "sales"."cancels" is null and "sales"."id" not in ${canceledSaleIds(tx)}
      order by "createdAt" desc, "id" limit 1)
    where "isSold" = 1 and "saleId" is null`.execute(tx)
}

export const requestColumns = ['itemId', 'itemName', 'itemColor', 'itemPriceCents'] as const
type Row = Message & Pick<Selectable<Tables['messages']>, (typeof requestColumns)[number]>

/** Of several cards of one request, only the current one has the request's state. [S-306, S-490] */
export async function withRequestedPieces(db: Db, orderId: string, rows: readonly Row[]) {
  const ids = [...new Set(rows.flatMap(({ itemId }) => itemId ?? []))]
  const pieces = ids.length > 0 ? await readPieces(db, orderId, ids) : nothing
  return rows.map((row) => {
    const { itemId, itemName, itemColor, itemPriceCents, ...message } = row
    if (itemId === null) return message
    const { line, sale, isCurrent, isLast } = stateOfCard(pieces, itemId, row.seq)
    const color = (isCurrent && (sale?.color || line?.color)) || (itemColor ?? '')
    const quantity = isCurrent ? (sale?.quantity ?? line?.quantity ?? 1) : 1
    const shownCents = (itemPriceCents ?? 0) * quantity
    const agreedCents = isCurrent ? line?.agreedCents : null
    const request: RequestedPiece = {
      itemId,
      name: itemName ?? '',
      color,
      quantity,
      cents: isCurrent && sale ? sale.salePriceCents : (agreedCents ?? shownCents),
      state: requestState({ line, sale, isCurrent, isLast }),
      isInShop: pieces.existingIds.has(itemId),
      image: pieces.imageOf({ itemId, color }),
    }
    return { ...message, request }
  })
}

type Pieces = Awaited<ReturnType<typeof readPieces>>
type CardState = {
  line: Pieces['lines'][number] | undefined
  sale: Pieces['sales'][number] | undefined
  isCurrent: boolean
  isLast: boolean
}

function requestState({ line, sale, isCurrent, isLast }: CardState) {
  if (isCurrent && sale) return 'sold'
  if (!isCurrent && !isLast) return 'replaced'
  if (!line || line.isSold) return 'removed'
  return isCurrent && line.agreedCents !== null ? 'agreed' : 'requested'
}

/** An imported request is only a message. Its sale is the first later sale without a request. */
function saleIdOf({ requests, sales }: Pieces, { itemId, createdAt }: Pieces['cards'][number]) {
  const request = requests.find((row) => row.itemId === itemId && row.at <= createdAt)
  if (request) return request.saleId
  const firstSale = sales.find(
    (sale) =>
      sale.itemId === itemId &&
      sale.createdAt >= createdAt &&
      !requests.some(({ saleId }) => saleId === sale.id),
  )
  return firstSale?.id ?? null
}

/** All cards of a piece without a sale belong to its unsold line. */
function stateOfCard(pieces: Pieces, itemId: string, seq: number) {
  const { cards, lines, sales } = pieces
  const ofPiece = cards.filter((card) => card.itemId === itemId)
  const saleId = saleIdOf(
    pieces,
    ofPiece.find((card) => card.seq === seq)!,
  )
  const ofRequest = ofPiece.filter((card) => saleIdOf(pieces, card) === saleId)
  const line = lines.find(
    (candidate) =>
      candidate.itemId === itemId &&
      (saleId === null ? !candidate.isSold : candidate.saleId === saleId),
  )
  const offeredAt = line?.offeredAt ?? Infinity
  const last = ofRequest.at(-1)!
  // An offer answers the requests that were there when it was sent.
  const current = ofRequest.findLast(({ createdAt }) => createdAt <= offeredAt) ?? last
  return {
    line,
    sale: sales.find(({ id }) => id === saleId),
    isCurrent: current.seq === seq,
    isLast: last.seq === seq,
  }
}

async function readPieces(db: Db, orderId: string, ids: string[]) {
  const cards = await db
    .selectFrom('messages')
    .select(['seq', 'itemId', 'createdAt'])
    .where('orderId', '=', orderId)
    .where('itemId', 'in', ids)
    .orderBy('seq')
    .execute()
  const requests = await db
    .selectFrom('requests')
    .select(['itemId', 'at', 'saleId'])
    .where('orderId', '=', orderId)
    .where('itemId', 'in', ids)
    .orderBy('at', 'desc')
    // Of two requests at the same time, the sold one comes first.
    .orderBy(sql`"saleId" is null`)
    .execute()
  const lines = await db
    .selectFrom('orderItems as line')
    .leftJoin('offers', 'offers.id', 'line.offerId')
    .select(['line.itemId', 'line.saleId', 'line.isSold', 'line.agreedCents', 'line.color'])
    .select(['line.quantity', 'offers.createdAt as offeredAt'])
    .where('line.orderId', '=', orderId)
    .where('line.itemId', 'in', ids)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'itemId', 'createdAt', 'salePriceCents', 'color', 'quantity'])
    .where('buyerId', '=', orderId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(db))
    .where('itemId', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return {
    cards,
    requests,
    lines,
    sales,
    existingIds: await readExistingIds(db, ids),
    imageOf: await readPieceImages(db, ids),
  }
}

const nothing: Pieces = {
  cards: [],
  requests: [],
  lines: [],
  sales: [],
  existingIds: new Set(),
  imageOf: () => null,
}
