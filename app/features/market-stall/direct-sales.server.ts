import type { Db, Tx } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { change, type ChangeServices } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import { refuse } from '#lib/refusal.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { lockItem, sellUniqueItem } from '#catalog/item-holds.server.ts'
import { readThumbnails } from '#catalog/catalog.server.ts'
import { isListed, lastChangedFirst } from '#catalog/shown-items.server.ts'
import { categoryOf } from '#conversation/requests.server.ts'
import { readSaleUndos } from '#orders/sale-undo.server.ts'
import { type Cents, discountedPrice, readDiscount } from '#pricing/money.ts'
import type { SaleMethod } from '#sales/texts.ts'
import { startOfDay } from '#sales/period.ts'
import { dayAndTime } from '#ui/format-date.ts'
import type { MarketSale } from './direct-sale.ts'

/** The browser creates `id`. `itemId` is '' for a piece whose name the owner typed. */
type NewDirectSale = Omit<MarketSale, 'name' | 'cents' | 'at'> & {
  itemName: string
  salePriceCents: Cents
  createdAt: number
  buyerName: string
}

export const addDirectSale = (app: ChangeServices, sale: NewDirectSale) =>
  change(app, { failure: 'a sale could not be added' }, async (tx, now) => {
    const row = await insertDirectSale(tx, sale, now)
    if (!row) {
      const conflict = await findConflict(tx, sale)
      return conflict ? refuse(conflict) : {}
    }
    const { id: saleId, itemId, buyerName: buyer, salePriceCents, method } = sale
    const result = await sellUniqueItem(tx, { itemId, orderId: null, saleId }, now)
    const hasLeftShop = result.ok && result.isChanged
    return {
      audit: {
        actor: OWNER_ID,
        act: 'add-sale' as const,
        subject: saleId,
        name: row.itemName,
        also: buyer,
        detail: { sale: saleId, itemId: row.itemId, buyer, salePriceCents, method },
      },
      topics: hasLeftShop ? (['sales', 'catalog', 'orders'] as const) : (['sales'] as const),
    }
  })

async function findConflict(tx: Tx, sale: NewDirectSale) {
  const existing = await tx
    .selectFrom('sales')
    .selectAll()
    .where('id', '=', sale.id)
    .executeTakeFirst()
  if (!existing) return 'undone'
  const isSamePiece =
    existing.itemId === '' || sale.itemId === ''
      ? existing.itemName === sale.itemName
      : existing.itemId === sale.itemId
  const isSame =
    isSamePiece &&
    existing.salePriceCents === sale.salePriceCents &&
    existing.method === sale.method &&
    existing.buyerName === sale.buyerName
  return isSame ? null : 'used'
}

/** Returns null if the sale was stored before, even if the owner has undone it. */
async function insertDirectSale(tx: Tx, { itemId, itemName, ...sale }: NewDirectSale, now: number) {
  const earlierEvent = await tx
    .selectFrom('audit')
    .select('seq')
    .where('subject', '=', sale.id)
    .where('act', '=', 'add-sale')
    .executeTakeFirst()
  if (earlierEvent) return null
  // The piece was handed over, even if it was deleted or sold meanwhile.
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
    buyerId: '',
    buyerEmail: '',
    buyerPhotoURL: '',
    cancels: null,
    color: '',
    ...(item ? await categoryOf(tx, '', itemId) : { categoryId: '', categoryTitle: '' }),
    itemId: item ? itemId : '',
    itemName: item?.name ?? itemName,
    itemPriceCents: item?.priceCents ?? null,
    receiptTag: sale.id,
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sales')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 0n ? null : row
}

const selectPieces = (db: Db) =>
  db
    .selectFrom('items')
    .select(['id', 'name', 'priceCents', 'discountType', 'discountValue'])
    .where(isListed)
    .orderBy(lastChangedFirst)

type PieceRow = Awaited<ReturnType<ReturnType<typeof selectPieces>['executeTakeFirstOrThrow']>>

const toPiece = ({ id, name, priceCents, ...discount }: PieceRow) => ({
  id,
  name,
  cents: discountedPrice(priceCents, readDiscount(discount)),
})

export async function listPieces(db: Db) {
  const rows = await selectPieces(db).limit(MAX_PIECES).execute()
  return rows.map(toPiece).toSorted((left, right) => left.name.localeCompare(right.name, 'en'))
}

export async function findPiece(db: Db, name: string) {
  const row = await selectPieces(db)
    .where('searchName', '=', normalizeForSearch(name))
    .limit(1)
    .executeTakeFirst()
  return row && toPiece(row)
}

const MAX_PIECES = 200
const MAX_SALES_OF_DAY = 500

/** `sales` is null in a copy that the browser stores. */
export async function readMarket({ db, now, timeZone }: AppServices, { isCopy = false } = {}) {
  const pieces = await listPieces(db)
  const images = await readThumbnails(db, pieces)
  return {
    pieces: pieces.map((piece) => ({ ...piece, image: images.get(piece.id) ?? null })),
    sales: isCopy ? null : await listMarketSales(db, now(), timeZone),
  }
}

async function listMarketSales(db: Db, now: number, timeZone: string) {
  const [today] = dayAndTime(now, timeZone)
  const [year, month, day] = today.split('-').map(Number)
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
    .where('createdAt', '>=', startOfDay(year!, month!, day!, timeZone))
    .where('method', '<>', '')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MAX_SALES_OF_DAY)
    .execute()
  const undos = await readSaleUndos(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, method: row.method as SaleMethod, undo: undos[row.id] }))
}
