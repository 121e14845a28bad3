/** Undoes a sale whose invoice has no number yet. Cancels a sale with a numbered invoice by a separate entry with negative prices. [S-301] */
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Tables, Tx } from '#db/schema.ts'
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { unsellItem } from '#app/features/catalog/holds.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { customerName, receiptKey, type UndoRefusal } from './order.ts'
import { addSoldDifference, lockOrder, newReceiptTag } from './orders.server.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
type Sale = Selectable<Tables['sales']>
type UndoResult = { ok: true } | { ok: false; refusal: UndoRefusal | 'failed' }

/**
 * Locks the conversation and the sales of a receipt until the transaction ends, so that the sales of the receipt cannot change while its
 * invoice gets a number. Returns the ids of the sales.
 */
export async function lockReceipt(tx: Tx, key: string): Promise<string[]> {
  await tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb.ref('lastSeq') }))
    .where('receiptTag', '=', key)
    .execute()
  const locked = await tx
    .updateTable('sales')
    .set((eb) => ({ createdAt: eb.ref('createdAt') }))
    .where(({ or, and, eb }) =>
      or([
        eb('receiptTag', '=', key),
        and([eb('id', '=', key), sql<SqlBool>`coalesce("receiptTag", '') = ''`]),
      ]),
    )
    .returning('id')
    .execute()
  return locked.map(({ id }) => id)
}

/** Deletes the sale, so that its item is unsold again. A sale whose invoice has a number cannot be deleted. */
export const undoSale = (app: Deps, saleId: string): Promise<UndoResult> =>
  takeBack(app, saleId, 'a sale could not be undone', async (tx, sale, invoice, now) => {
    if (sale.cancels !== null) return 'is-cancellation'
    if (invoice !== null) return 'numbered'
    await tx.deleteFrom('sales').where('id', '=', sale.id).execute()
    await removeFromTicket(tx, sale)
    await recordTakeBack(tx, 'undo-sale', sale, now, {})
    return null
  })

/** Cancels a sale. Adds an entry with negative prices under a new receipt and leaves the sale unchanged, because the numbered invoice and the sums of earlier days must not change. */
export const cancelSale = (app: Deps, saleId: string): Promise<UndoResult> =>
  takeBack(app, saleId, 'a sale could not be canceled', async (tx, sale, invoice, now) => {
    if (sale.cancels !== null) return 'is-cancellation'
    if (invoice === null) return 'not-numbered'
    const entry = {
      ...sale,
      id: newId15(),
      itemPriceCents: sale.itemPriceCents === null ? null : 0 - sale.itemPriceCents,
      salePriceCents: 0 - sale.salePriceCents,
      receiptTag: await newReceiptTag(tx),
      createdAt: now,
      cancels: sale.id,
    }
    const added = await tx
      .insertInto('sales')
      .values(entry)
      .onConflict((conflict) =>
        conflict.column('cancels').where('cancels', 'is not', null).doNothing(),
      )
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows === 0n) return 'canceled'
    await removeFromTicket(tx, sale)
    await recordTakeBack(tx, 'cancel-sale', sale, now, { number: invoice, entry: entry.id })
    return null
  })

/** Undoes or cancels a sale. Locks the conversation before the sales, as `completeSale` does, to avoid a deadlock. */
async function takeBack(
  app: Deps,
  saleId: string,
  failed: string,
  write: (tx: Tx, sale: Sale, invoice: number | null, now: number) => Promise<UndoRefusal | null>,
): Promise<UndoResult> {
  let orderId = ''
  let isBackInShop = false
  const done = await tryWrite(app.log, failed, () =>
    inTransaction(app.db, async (tx): Promise<UndoResult> => {
      const readSale = () =>
        tx.selectFrom('sales').selectAll().where('id', '=', saleId).executeTakeFirst()
      const seen = await readSale()
      if (!seen) return { ok: false, refusal: 'undone' }
      // The conversation of an imported sale can have another id than its buyer.
      orderId = (await findSoldLine(tx, seen))?.orderId ?? seen.buyerId
      await lockOrder(tx, orderId)
      await lockReceipt(tx, receiptKey(seen))
      // The owner may have undone the sale in another tab before this transaction got the lock.
      const sale = await readSale()
      if (!sale) return { ok: false, refusal: 'undone' }
      if (await isAgreedAgain(tx, sale)) return { ok: false, refusal: 'agreed-again' }
      const invoice = await tx
        .selectFrom('invoices')
        .select('number')
        .where('receiptKey', '=', receiptKey(sale))
        .executeTakeFirst()
      const refusal = await write(tx, sale, invoice?.number ?? null, app.now())
      if (refusal !== null) return { ok: false, refusal }
      await unsellLine(tx, sale, app.now())
      isBackInShop = await unsellItem(tx, { itemId: sale.itemId, saleId })
      return { ok: true }
    }),
  )
  // A sale outside a conversation has an empty buyer id.
  const ofOrder = orderId === '' ? [] : [`order:${orderId}` as const]
  if (done.ok)
    app.live.changed(
      'sales',
      'tickets',
      'orders',
      ...ofOrder,
      ...(isBackInShop ? (['catalog'] as const) : []),
    )
  return done
}

const findUnsoldLine = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('orderItems')
    .select(['position', 'offerId'])
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .where('isSold', '=', 0)
    .executeTakeFirst()

const findSoldLine = (tx: Tx, sale: Sale) =>
  tx
    .selectFrom('orderItems')
    .select(['orderId', 'position', 'offerId', 'agreedCents'])
    .where('saleId', '=', sale.id)
    .executeTakeFirst()

/** Returns whether the customer accepted an offer for the sold piece, requested the piece again and accepted another offer. An order contains an unsold piece only once, so it cannot keep both agreements. */
async function isAgreedAgain(tx: Tx, sale: Sale): Promise<boolean> {
  const sold = await findSoldLine(tx, sale)
  return Boolean(sold?.offerId && (await findUnsoldLine(tx, sold.orderId, sale.itemId))?.offerId)
}

/**
 * Marks the item as unsold again. If the customer has requested the item again, the order already has an unsold line of the item. Then the line with
 * the accepted offer stays, and the other line is deleted.
 */
async function unsellLine(tx: Tx, sale: Sale, now: number): Promise<void> {
  await tx.updateTable('requests').set({ saleId: null }).where('saleId', '=', sale.id).execute()
  const line = await findSoldLine(tx, sale)
  if (!line) return
  const { orderId, position, offerId, agreedCents } = line
  if (offerId !== null)
    await addSoldDifference(tx, offerId, (agreedCents ?? sale.salePriceCents) - sale.salePriceCents)
  const requested = await findUnsoldLine(tx, orderId, sale.itemId)
  const isSoldLineKept = !requested || line.offerId !== null
  const deleted = isSoldLineKept ? requested : line
  if (deleted)
    await tx
      .deleteFrom('orderItems')
      .where('orderId', '=', orderId)
      .where('position', '=', deleted.position)
      .execute()
  if (isSoldLineKept)
    await tx
      .updateTable('orderItems')
      .set({ isSold: 0, saleId: null })
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute()
  await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
}

/** Removes the piece of an undone or canceled sale from the unused testimony ticket of its receipt. Deletes the ticket if no sale is left, so that the buyer gets no $5 discount without a purchase. [S-114] */
async function removeFromTicket(tx: Tx, sale: Sale): Promise<void> {
  const key = receiptKey(sale)
  const unused = tx
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', key)
    .where('isAvailable', '=', 1)
  const sales = tx
    .selectFrom('sales')
    .select('itemId')
    .where('receiptTag', '=', key)
    .where('id', 'not in', canceledSaleIds(tx))
  const left = (await sales.execute()).map(({ itemId }) => itemId)
  if (left.length === 0) await tx.deleteFrom('testimonies').where('id', 'in', unused).execute()
  else if (!left.includes(sale.itemId))
    await tx
      .deleteFrom('testimonyItems')
      .where('testimonyId', 'in', unused)
      .where('itemId', '=', sale.itemId)
      .execute()
}

function recordTakeBack(
  tx: Tx,
  act: 'undo-sale' | 'cancel-sale',
  sale: Sale,
  at: number,
  more: Record<string, unknown>,
) {
  const buyer = customerName({ name: sale.buyerName, email: sale.buyerEmail })
  const { id, itemId, salePriceCents, receiptTag } = sale
  const detail = { sale: id, itemId, buyer, salePriceCents, receiptTag, ...more }
  return recordAuditEvent(tx, {
    at,
    actor: ADMIN_ID,
    act,
    subject: sale.buyerId,
    name: sale.itemName,
    also: buyer,
    detail,
  })
}
