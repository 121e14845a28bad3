import type { Tx, Tables } from '#db/schema.ts'
import { refuse, isRefusal, type Refusal } from '#lib/refusal.ts'
import { type ChangeServices, change } from '#services/change.server.ts'
import { releaseHolds, sellUniqueItem, unsellItem } from '#catalog/item-holds.server.ts'
import {
  changeConversation,
  openClosedOrder,
  addSoldDifference,
  type Order,
  lockOrder,
  updateOrder,
  newReceiptTag,
  lockReceipt,
} from '#conversation/conversation.server.ts'
import { replyBlockedReason } from '#conversation/conversation.ts'
import {
  deleteLine,
  findLine,
  findUnsoldLine,
  updateLine,
} from '#conversation/order-lines.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { customerOf, customerName } from '#conversation/people.ts'
import { categoryOf, markSold } from '#conversation/requests.server.ts'
import type { Cents } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import type { Selectable } from 'kysely'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { readSaleUndos } from './sale-undo.server.ts'

export const closeOrder = (app: ChangeServices, orderId: string) =>
  changeConversation(
    app,
    orderId,
    { actor: OWNER_ID, act: 'close-order' },
    async ({ tx, order, now }) => {
      const reason = replyBlockedReason(order)
      if (reason) return refuse(reason)
      await updateOrder(tx, orderId, { isClosed: true, receiptTag: null, createdAt: now })
      return { audit: {} }
    },
  )

export const reopenOrder = (app: ChangeServices, orderId: string) =>
  changeConversation(
    app,
    orderId,
    { actor: OWNER_ID, act: 'reopen-order' },
    async ({ tx, order, now }) => {
      if (order.fromContactPage) return refuse('no-reply')
      if (!order.isClosed) return refuse('open')
      await openClosedOrder(tx, orderId)
      await updateOrder(tx, orderId, { createdAt: now })
      return { audit: {} }
    },
  )

/** Refuses to remove an item of an accepted offer. [MSG-31] */
export const removeOrderItem = (app: ChangeServices, orderId: string, itemId: string) =>
  changeConversation(
    app,
    orderId,
    { actor: OWNER_ID, act: 'remove-order-item' },
    async ({ tx, order, now }) => {
      if (order.isClosed) return refuse('closed')
      const line = await findLine(tx, orderId, itemId)
      if (!line) return refuse('not-found')
      if (line.isSold) return refuse('already-sold')
      if (line.offerId !== null) return refuse('agreed')
      await deleteLine(tx, line)
      const isHoldReleased = await releaseHolds(tx, orderId, itemId)
      await updateOrder(tx, orderId, { createdAt: now })
      return {
        audit: { also: line.name, detail: { itemId, item: line.name } },
        isCatalogChanged: isHoldReleased,
      }
    },
  )

type SaleForm = { itemId: string; price: string; isOtherPrice?: boolean }

/** Returns null if the price is invalid. [S-087] */
export const parseSalePrice = (typed: string, original: Cents) =>
  typed.trim() === '' ? original : parseMoney(typed)

/** Refuses with 'item-failed' if the item cannot be marked as sold. [S-086] */
export const completeSale = (
  app: ChangeServices,
  orderId: string,
  { itemId, price, isOtherPrice }: SaleForm,
) =>
  changeConversation(
    app,
    orderId,
    { actor: OWNER_ID, act: 'complete-sale' },
    async ({ tx, order, now }) => {
      const line = await findLine(tx, orderId, itemId)
      if (!line) return refuse('not-found')
      if (line.isSold) return refuse('already-sold')
      if (order.isClosed) return refuse('closed')
      const itemPriceCents = line.priceCents * line.quantity
      const salePriceCents = parseSalePrice(price, itemPriceCents)
      if (salePriceCents === null) return refuse('bad-price')
      const agreedCents = line.agreedCents ?? salePriceCents
      if (salePriceCents !== agreedCents && !isOtherPrice) return refuse('differs', { agreedCents })
      const saleId = newId15()
      const unique = await sellUniqueItem(tx, { itemId, orderId, saleId }, now)
      if (isRefusal(unique)) return unique

      const receiptTag = await receiptTagForNextSale(tx, order)
      const sale = {
        id: saleId,
        buyerId: order.userId ?? order.id,
        buyerName: order.userName,
        buyerEmail: order.userEmail,
        buyerPhotoURL: order.userPhotoURL,
        itemId,
        itemName: line.quantity > 1 ? `${line.name} × ${line.quantity}` : line.name,
        itemPriceCents,
        salePriceCents,
        receiptTag,
        createdAt: now,
        ...(await categoryOf(tx, orderId, itemId)),
        color: line.color,
        quantity: line.quantity,
      }
      await tx.insertInto('sales').values(sale).execute()
      const marking = await tryWrite(
        app.log,
        'a sold item could not be marked as sold',
        async () => {
          await markSold(tx, orderId, itemId, saleId)
          await updateLine(tx, line, { isSold: true, saleId })
        },
      )
      if (isRefusal(marking)) return refuse('item-failed')
      if (line.offerId !== null) {
        await addSoldDifference(tx, line.offerId, salePriceCents - agreedCents)
      }
      await updateOrder(tx, orderId, { receiptTag, createdAt: now })
      const buyer = customerOf(order)
      const detail = { sale: saleId, itemId, buyer, salePriceCents, receiptTag }
      return {
        audit: { name: line.name, also: buyer, detail },
        topics: ['sales'] as const,
        isCatalogChanged: unique.isChanged,
      }
    },
  )

async function receiptTagForNextSale(tx: Tx, { receiptTag }: Order) {
  const isNumbered = receiptTag !== null && (await findInvoiceNumber(tx, receiptTag)) !== null
  return isNumbered ? newReceiptTag(tx) : receiptTag
}

async function findInvoiceNumber(tx: Tx, receipt: string) {
  const invoice = await tx
    .selectFrom('invoices')
    .select('number')
    .where('receiptKey', '=', receipt)
    .executeTakeFirst()
  return invoice?.number ?? null
}

type Sale = Selectable<Tables['sales']>
type SaleChange = { tx: Tx; sale: Sale; invoice: number | null; now: number }

export const undoSale = (app: ChangeServices, saleId: string) =>
  takeBack(app, saleId, 'undo-sale', async ({ tx, sale, invoice }) => {
    if (invoice !== null) return refuse('numbered')
    await tx.deleteFrom('sales').where('id', '=', sale.id).execute()
    return {}
  })

/** Adds a negative entry, because numbered invoices and earlier sums must not change. */
export const cancelSale = (app: ChangeServices, saleId: string) =>
  takeBack(app, saleId, 'cancel-sale', async ({ tx, sale, invoice, now }) => {
    if (invoice === null) return refuse('not-numbered')
    const entry = {
      ...sale,
      id: newId15(),
      itemPriceCents: sale.itemPriceCents === null ? null : 0 - sale.itemPriceCents,
      salePriceCents: 0 - sale.salePriceCents,
      receiptTag: await newReceiptTag(tx),
      createdAt: now,
      cancels: sale.id,
    }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('sales')
      .values(entry)
      .onConflict((conflict) =>
        conflict.column('cancels').where('cancels', 'is not', null).doNothing(),
      )
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return refuse('canceled')
    return { number: invoice, entry: entry.id }
  })

/** Must lock in the same sequence as `completeSale`, or both could deadlock. */
const takeBack = <Refused extends Refusal>(
  app: ChangeServices,
  saleId: string,
  act: 'undo-sale' | 'cancel-sale',
  write: (change: SaleChange) => Promise<Refused | { ok?: never; number?: number; entry?: string }>,
) =>
  change(app, { failure: `a sale could not be taken back (${act})` }, async (tx, now) => {
    const readSale = () =>
      tx.selectFrom('sales').selectAll().where('id', '=', saleId).executeTakeFirst()
    const unlockedSale = await readSale()
    if (!unlockedSale) return refuse('undone')
    // An imported sale's conversation can have another id than its buyer.
    const orderId = (await findSoldLine(tx, unlockedSale))?.orderId ?? unlockedSale.buyerId
    await lockOrder(tx, orderId)
    await lockReceipt(tx, receiptKey(unlockedSale))
    const sale = await readSale()
    if (!sale) return refuse('undone')
    if (sale.cancels !== null) return refuse('is-cancellation')
    if (await isAgreedAgain(tx, sale)) return refuse('agreed-again')
    const undo = (await readSaleUndos(tx, [saleId]))[saleId]
    const invoice = await findInvoiceNumber(tx, receiptKey(sale))
    const result = await write({ tx, sale, invoice, now })
    if (isRefusal(result)) return result as Refused

    await removeFromTicket(tx, sale)
    await unsellLine(tx, sale, now)
    const isBackInShop = await unsellItem(tx, { itemId: sale.itemId, saleId })
    const { itemId, salePriceCents, receiptTag } = sale
    const buyer = customerName({ name: sale.buyerName, email: sale.buyerEmail })
    return {
      value: undo?.piece ?? 'nothing',
      audit: {
        actor: OWNER_ID,
        act,
        subject: sale.buyerId,
        name: sale.itemName,
        also: buyer,
        detail: { sale: saleId, itemId, buyer, salePriceCents, receiptTag, ...result },
      },
      topics: [
        'sales',
        'tickets',
        'orders',
        ...(orderId === '' ? [] : [`order:${orderId}` as const]),
        ...(isBackInShop ? (['catalog'] as const) : []),
      ] as const,
    }
  })

const findSoldLine = (tx: Tx, sale: Sale) =>
  tx
    .selectFrom('orderItems')
    .select(['orderId', 'position', 'offerId', 'agreedCents'])
    .where('saleId', '=', sale.id)
    .executeTakeFirst()

/** Such a sale cannot be undone, because an order can have only one unsold line of an item. */
async function isAgreedAgain(tx: Tx, sale: Sale) {
  const soldLine = await findSoldLine(tx, sale)
  if (!soldLine?.offerId) return false
  return Boolean((await findUnsoldLine(tx, soldLine.orderId, sale.itemId))?.offerId)
}

/** If the item was requested again, only the line with the accepted offer stays. */
async function unsellLine(tx: Tx, sale: Sale, now: number) {
  await tx.updateTable('requests').set({ saleId: null }).where('saleId', '=', sale.id).execute()
  const line = await findSoldLine(tx, sale)
  if (!line) return
  const { orderId, offerId, agreedCents } = line
  if (offerId !== null) {
    await addSoldDifference(tx, offerId, (agreedCents ?? sale.salePriceCents) - sale.salePriceCents)
  }
  const requested = await findUnsoldLine(tx, orderId, sale.itemId)
  if (requested && offerId === null) {
    await deleteLine(tx, line)
  } else {
    if (requested) await deleteLine(tx, requested)
    await updateLine(tx, line, { isSold: false, saleId: null })
  }
  await updateOrder(tx, orderId, { createdAt: now })
}

async function removeFromTicket(tx: Tx, sale: Sale) {
  const key = receiptKey(sale)
  const unused = tx
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', key)
    .where('isAvailable', '=', true)
  const sales = tx
    .selectFrom('sales')
    .select('itemId')
    .where('receiptTag', '=', key)
    .where('id', 'not in', canceledSaleIds(tx))
  const itemIds = (await sales.execute()).map(({ itemId }) => itemId)
  if (itemIds.length === 0) {
    await tx.deleteFrom('testimonies').where('id', 'in', unused).execute()
  } else if (!itemIds.includes(sale.itemId)) {
    await tx
      .deleteFrom('testimonyItems')
      .where('testimonyId', 'in', unused)
      .where('itemId', '=', sale.itemId)
      .execute()
  }
}
