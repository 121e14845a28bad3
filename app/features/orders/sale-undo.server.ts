import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { receiptKeySql } from '#conversation/conversation.server.ts'
import type { Cents } from '#pricing/money.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'

/** What becomes of the piece if its sale is undone. Nothing, if it is not in the shop any more. */
export type PieceAfterUndo = 'agreed' | 'requested' | 'for-sale' | 'nothing'

export type SaleUndo = {
  cents: Cents
  invoice: { number: number; shippingCents: Cents } | null
  piece: PieceAfterUndo
  paidCents: Cents
  creditCents: Cents
}

/**
 * Returns, by sale id, what undoing each sale would change. Omits canceled sales and cancellations,
 * which cannot be undone.
 */
export async function readSaleUndos(db: Db, saleIds: readonly string[]) {
  if (saleIds.length === 0) return {}
  const rows = await db
    .selectFrom('sales')
    .leftJoin('orderItems as line', 'line.saleId', 'sales.id')
    .leftJoin('offers', 'offers.id', 'line.offerId')
    .leftJoin('items', 'items.id', 'sales.itemId')
    .leftJoin('invoices', (join) => join.on('invoices.receiptKey', '=', receiptKeySql))
    .select([
      'sales.id',
      'sales.salePriceCents',
      'line.orderId',
      'line.offerId',
      'offers.creditCents',
      'items.state',
      'items.soldSaleId',
      'invoices.number',
      'invoices.shippingCents',
    ])
    .select(
      sql<number>`coalesce((
        select sum("cents") from "payments" where "payments"."offerId" = "line"."offerId"
      ), 0)`.as('paidCents'),
    )
    .where('sales.id', 'in', saleIds)
    .where('sales.cancels', 'is', null)
    .where('sales.id', 'not in', canceledSaleIds(db))
    .execute()
  return Object.fromEntries(
    rows.map((row): [string, SaleUndo] => [
      row.id,
      {
        cents: row.salePriceCents,
        invoice:
          row.number === null ? null : { number: row.number, shippingCents: row.shippingCents! },
        piece: pieceAfterUndo(row),
        paidCents: Number(row.paidCents),
        creditCents: row.creditCents ?? 0,
      },
    ]),
  )
}

type UndoneRow = {
  id: string
  orderId: string | null
  offerId: string | null
  state: string | null
  soldSaleId: string | null
}

function pieceAfterUndo({ id, orderId, offerId, state, soldSaleId }: UndoneRow): PieceAfterUndo {
  if (offerId !== null) return 'agreed'
  if (orderId !== null) return 'requested'
  const isSoldHere = state === 'sold' && soldSaleId === id
  return state === 'listed' || isSoldHere ? 'for-sale' : 'nothing'
}
