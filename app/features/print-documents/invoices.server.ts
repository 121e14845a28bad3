/** The series of invoice numbers: 1, 2, 3 … without a gap, each receipt's own for ever (029). */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { Numbered } from './paper.ts'

export async function findInvoice(db: Db | Tx, receiptKey: string): Promise<Numbered | null> {
  const found = await db
    .selectFrom('invoices')
    .select(['number', 'shippingCents', 'createdAt'])
    .where('receiptKey', '=', receiptKey)
    .executeTakeFirst()
  return found ?? null
}

/** Of those among the receipts that have one. */
export async function numbersOf(db: Db, receiptKeys: readonly string[]): Promise<Map<string, number>> {
  const found = await db.selectFrom('invoices').select(['receiptKey', 'number']).where('receiptKey', 'in', receiptKeys).execute()
  return new Map(found.map((invoice) => [invoice.receiptKey, invoice.number]))
}

/**
 * S-190, S-191: the receipt's number, given now if it has none, and the shipping fee that stands on the paper now. Who prints at the same moment
 * waits at the unique number or receipt, and then finds what the other has written; what is taken back leaves its number to the next.
 */
export async function numberInvoice(
  tx: Tx,
  { receiptKey, shippingCents, now }: { receiptKey: string; shippingCents: Cents; now: number },
): Promise<{ number: number; before: Cents | null }> {
  for (;;) {
    const found = await findInvoice(tx, receiptKey)
    if (found) {
      if (found.shippingCents !== shippingCents)
        await tx.updateTable('invoices').set({ shippingCents }).where('receiptKey', '=', receiptKey).execute()
      return { number: found.number, before: found.shippingCents }
    }
    const made = await tx
      .insertInto('invoices')
      .values({ number: sql<number>`(select coalesce(max(number), 0) + 1 from invoices)`, receiptKey, shippingCents, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .executeTakeFirst()
    if (made) return { number: made.number, before: null }
  }
}
