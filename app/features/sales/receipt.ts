import type { SaleTable } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import { nameOf, receiptKey } from '#app/features/orders/order.ts'

export type { SaleTable as Sale }

/** DATA-095 to DATA-099: derived, never stored. Prices in cents. */
export type Receipt = {
  /** what addresses and tickets call it: the tag, or the record's id where there is none */
  key: string
  receiptTag: string | null
  /** its newest line's (S-110) */
  createdAt: number
  buyerid: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  items: { id: string; name: string; price: Cents | null; salePrice: Cents }[]
}

/** SALES-17, S-110: lines with one tag make one receipt, a line without a tag is one of its own; newest first. */
export function groupReceipts(sales: readonly SaleTable[]): Receipt[] {
  const receipts = new Map<string, Receipt>()
  for (const sale of sales.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const key = receiptKey(sale)
    const line = { id: sale.itemId, name: sale.itemName, price: sale.itemPriceCents, salePrice: sale.salePriceCents }
    const begun = receipts.get(key)
    if (begun) begun.items.push(line)
    else
      receipts.set(key, {
        key,
        receiptTag: sale.receiptTag || null,
        createdAt: sale.createdAt,
        buyerid: sale.buyerId,
        buyerName: sale.buyerName,
        buyerEmail: sale.buyerEmail,
        buyerPhotoURL: sale.buyerPhotoURL,
        items: [line],
      })
  }
  return [...receipts.values()]
}

/** SALES-25 */
export const totalOf = (receipts: readonly Receipt[]): Cents =>
  receipts.flatMap((receipt) => receipt.items).reduce((sum, item) => sum + item.salePrice, 0)

/** S-009, S-118: as in the conversations. */
export const shownName = (buyer: Pick<Receipt, 'buyerName' | 'buyerEmail'>): string =>
  nameOf({ name: buyer.buyerName.trim(), email: buyer.buyerEmail })

/** SALES-20, SALES-21, S-109: the original to strike through, or null when there is none to show. */
export const struckPrice = (item: Pick<Receipt['items'][number], 'price' | 'salePrice'>): Cents | null =>
  item.price !== null && item.price !== item.salePrice ? item.price : null

/** DATA-084 to DATA-094, S-134: prices in dollars; the item is its plain name where only that was kept (DATA-092). */
export const saleDocument = (sale: SaleTable) => ({
  id: sale.id,
  buyerid: sale.buyerId,
  buyerName: sale.buyerName,
  buyerEmail: sale.buyerEmail,
  buyerPhotoURL: sale.buyerPhotoURL,
  createdAt: sale.createdAt,
  itemid: sale.itemId,
  item: sale.itemPriceCents === null ? sale.itemName : { name: sale.itemName, price: sale.itemPriceCents / 100 },
  salePrice: sale.salePriceCents / 100,
  ...(sale.receiptTag && { receiptTag: sale.receiptTag }),
})
