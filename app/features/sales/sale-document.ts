/** The sale record in the shape of the specification's section 3 (S-134). */
import type { Sale } from './receipt.ts'

export type SaleDocument = {
  id: string
  buyerid: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  /** UTC milliseconds */
  createdAt: number
  itemid: string
  /** price in dollars; or the plain name (DATA-092) */
  item: { name: string; price: number } | string
  /** in dollars */
  salePrice: number
  receiptTag?: string
}

/** DATA-084 to DATA-094 */
export const saleDocument = (sale: Sale): SaleDocument => ({
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
