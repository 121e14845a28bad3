/** Stores sales that the owner makes outside a conversation, for example at a market. */
import type { Db, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { lockItem, sellUniqueItem } from '#app/features/catalog/holds.server.ts'
import { readThumbnails } from '#app/features/catalog/catalog.server.ts'
import { isListed, lastChangedFirst } from '#app/features/catalog/shown-items.server.ts'
import { categoryOf } from '#app/features/orders/requests.server.ts'
import { type Cents, discountedPrice, readDiscount } from '#app/features/pricing/money.ts'
import type { SaleMethod } from '#app/features/sales/payment-method.ts'
import { startOfDay } from '#app/features/sales/period.ts'
import { dayAndTime } from '#app/ui/format-date.ts'
import { MAX_PIECES, type MarketSale, type Piece } from './direct-sale.ts'

/** `id` was created by the browser. `itemId` is empty for a piece whose name the owner typed. */
type NewDirectSale = {
  id: string
  itemId: string
  itemName: string
  salePriceCents: Cents
  createdAt: number
  buyerName: string
  method: SaleMethod
}
/** 'known': this sale was sent before. 'undone': the owner has undone this sale. 'used': a different sale has this id. */
type AddSaleResult = 'added' | 'known' | 'undone' | 'used' | 'failed'

/** Stores a sale with its own receipt. A sale that the browser sends twice is stored once. [AGREE-70, AGREE-73] */
export async function addDirectSale(
  app: Pick<AppServices, 'db' | 'live' | 'now' | 'log'>,
  sale: NewDirectSale,
): Promise<AddSaleResult> {
  let hasLeftShop = false
  const done = await tryWrite(app.log, 'a sale could not be added', () =>
    inTransaction(app.db, async (tx) => {
      if (await insertDirectSale(tx, sale, app.now())) {
        const sold = await sellUniqueItem(
          tx,
          { itemId: sale.itemId, orderId: null, saleId: sale.id },
          app.now(),
        )
        hasLeftShop = sold.refusal === null && sold.isChanged
        return 'added'
      }
      const stored = await tx
        .selectFrom('sales')
        .selectAll()
        .where('id', '=', sale.id)
        .executeTakeFirst()
      if (!stored) return 'undone'
      const isSamePiece =
        stored.itemId === '' || sale.itemId === ''
          ? stored.itemName === sale.itemName
          : stored.itemId === sale.itemId
      const isSame =
        stored.salePriceCents === sale.salePriceCents &&
        stored.method === sale.method &&
        stored.buyerName === sale.buyerName
      return isSamePiece && isSame ? 'known' : 'used'
    }),
  )
  if (typeof done !== 'string') return done.refusal
  if (done === 'added')
    app.live.changed('sales', ...(hasLeftShop ? (['catalog', 'orders'] as const) : []))
  return done
}

/** Returns false if a sale with this id was stored before, even if the owner has undone that sale. */
async function insertDirectSale(
  tx: Tx,
  { itemId, itemName, ...sale }: NewDirectSale,
  now: number,
): Promise<boolean> {
  const before = await tx
    .selectFrom('audit')
    .select('seq')
    .where('subject', '=', sale.id)
    .where('act', '=', 'add-sale')
    .executeTakeFirst()
  if (before) return false
  // The owner has already handed the piece over. So the sale is stored with the name of the piece that she saw, even if the piece was deleted or sold while the browser was offline.
  const isSold = (await lockItem(tx, itemId, now))?.availability === 'sold'
  const item =
    itemId === '' || isSold
      ? undefined
      : await tx
          .selectFrom('items')
          .select(['name', 'priceCents'])
          .where('id', '=', itemId)
          .executeTakeFirst()
  const row = {
    ...sale,
    ...{ buyerId: '', buyerEmail: '', buyerPhotoURL: '', cancels: null, color: '' },
    ...(item ? await categoryOf(tx, '', itemId) : { categoryId: '', categoryTitle: '' }),
    ...{
      itemId: item ? itemId : '',
      itemName: item?.name ?? itemName,
      itemPriceCents: item?.priceCents ?? null,
    },
    // The receipt contains only this sale, so the id of the sale is also the receipt tag.
    receiptTag: sale.id,
  }
  const added = await tx
    .insertInto('sales')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) return false
  const { id, buyerName: buyer, salePriceCents, method } = sale
  const detail = { sale: id, itemId: row.itemId, buyer, salePriceCents, method }
  await recordAuditEvent(tx, {
    at: now,
    actor: ADMIN_ID,
    act: 'add-sale',
    subject: id,
    name: row.itemName,
    also: buyer,
    detail,
  })
  return true
}

const pieceColumns = [
  'items.id',
  'items.name',
  'items.priceCents',
  'items.discountType',
  'items.discountValue',
] as const
type PieceRow = Parameters<typeof readDiscount>[0] & { id: string; name: string; priceCents: Cents }
const toPiece = ({ id, name, priceCents, ...off }: PieceRow) => ({
  id,
  name,
  cents: discountedPrice(priceCents, readDiscount(off)),
})

/** Lists the newest listed pieces, sorted by name. */
export async function listPieces(db: Db): Promise<Omit<Piece, 'image'>[]> {
  const rows = await db
    .selectFrom('items')
    .select(pieceColumns)
    .where(isListed)
    .orderBy(lastChangedFirst)
    .limit(MAX_PIECES)
    .execute()
  return rows.map(toPiece).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Finds the listed piece with this name. Ignores case and accents. If several pieces have the name, returns the newest piece. */
export async function findPiece(db: Db, name: string): Promise<Omit<Piece, 'image'> | null> {
  const named = db
    .selectFrom('items')
    .select(pieceColumns)
    .where(isListed)
    .where('searchName', '=', normalizeForSearch(name))
  const row = await named.orderBy(lastChangedFirst).limit(1).executeTakeFirst()
  return row ? toPiece(row) : null
}

/** The market-stall page lists at most this many sales of one day. */
const MAX_SALES = 500

/** Reads the pieces with their images, and today's sales outside a conversation. [AGREE-74] */
export async function readMarket({
  db,
  now,
  timeZone,
}: Pick<AppServices, 'db' | 'now' | 'timeZone'>) {
  const pieces = await listPieces(db)
  const images = await readThumbnails(db, pieces)
  return {
    pieces: pieces.map((piece): Piece => ({ ...piece, image: images.get(piece.id) ?? null })),
    sales: await listMarketSales(db, now(), timeZone),
  }
}

async function listMarketSales(db: Db, now: number, timeZone: string): Promise<MarketSale[]> {
  const [year, month, day] = dayAndTime(now, timeZone)[0].split('-').map(Number) as [
    number,
    number,
    number,
  ]
  const rows = await db
    .selectFrom('sales')
    .select([
      'id',
      'itemId',
      'itemName as name',
      'salePriceCents as cents',
      'method',
      'createdAt as at',
    ])
    .where('createdAt', '>=', startOfDay(year, month, day, timeZone))
    .where('method', '<>', '')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MAX_SALES)
    .execute()
  return rows.map((row) => ({ ...row, method: row.method as SaleMethod }))
}
