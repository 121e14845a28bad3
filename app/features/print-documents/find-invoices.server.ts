/** Finds the numbered invoices of receipts. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import type { ReceiptPayments } from '#app/features/payments/payment.ts'
import type { Receipt } from '#app/features/sales/receipt.ts'
import type { BillTo, NumberedInvoice, Seller } from './print-document.ts'

export async function findInvoice(db: Db | Tx, key: string): Promise<NumberedInvoice | null> {
  const found = await db
    .selectFrom('invoices')
    .selectAll()
    .where('receiptKey', '=', key)
    .executeTakeFirst()
  if (!found) return null
  const { number, shippingCents, createdAt, buyerName, buyerAddress, seller, payments } = found
  const billTo = { name: buyerName, address: buyerAddress }
  return {
    number,
    shippingCents,
    createdAt,
    billTo,
    seller: JSON.parse(seller) as Partial<Seller>,
    payments: payments ? (JSON.parse(payments) as ReceiptPayments) : null,
  }
}

/** Returns the invoice that the receipt cancels, or null if the receipt is not a cancellation. */
export async function findCanceled(
  db: Db | Tx,
  { cancels }: Receipt,
): Promise<NumberedInvoice | null> {
  if (!cancels) return null
  const sale = await db
    .selectFrom('sales')
    .select(['id', 'receiptTag'])
    .where('id', '=', cancels)
    .executeTakeFirst()
  return sale ? findInvoice(db, receiptKey(sale)) : null
}

/** Returns the name and address on the buyer's last invoice that has an address, so that the owner need not type name and address again. */
export async function findLastBillTo(db: Db, { buyerid, buyerName }: Receipt): Promise<BillTo> {
  const last = await db
    .selectFrom('invoices')
    .innerJoin('sales', 'sales.receiptTag', 'invoices.receiptKey')
    .select(['invoices.buyerName as name', 'invoices.buyerAddress as address'])
    .where('sales.buyerId', '=', buyerid)
    .where('sales.buyerId', '!=', '')
    .where('invoices.buyerAddress', '!=', '')
    .orderBy('invoices.number', 'desc')
    .executeTakeFirst()
  return last ?? { name: buyerName.trim(), address: '' }
}

export async function invoiceNumbers(
  db: Db,
  receiptKeys: readonly string[],
): Promise<Map<string, number>> {
  const found = await db
    .selectFrom('invoices')
    .select(['receiptKey', 'number'])
    .where('receiptKey', 'in', receiptKeys)
    .execute()
  return new Map(found.map((invoice) => [invoice.receiptKey, invoice.number]))
}

/** Returns a map from the receipt key of each cancellation to the number of the invoice that was canceled. */
export async function canceledInvoices(
  db: Db,
  receiptKeys: readonly string[],
): Promise<Map<string, number>> {
  const found = await db
    .selectFrom('sales as entry')
    .innerJoin('sales as sale', 'sale.id', 'entry.cancels')
    .innerJoin('invoices', (join) =>
      join.on(
        'invoices.receiptKey',
        '=',
        sql<string>`coalesce(nullif("sale"."receiptTag", ''), "sale"."id")`,
      ),
    )
    .select(['entry.receiptTag', 'invoices.number'])
    .where('entry.receiptTag', 'in', receiptKeys)
    .execute()
  return new Map(found.map(({ receiptTag, number }) => [receiptTag!, number]))
}
