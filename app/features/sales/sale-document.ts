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

/** DATA-092, S-109, S-128: both shapes of an item are read; a missing text reads as empty. */
export function saleOf(document: Partial<SaleDocument> & Pick<SaleDocument, 'id' | 'createdAt' | 'item' | 'salePrice'>): Sale {
  return {
    id: document.id,
    buyerId: document.buyerid ?? '',
    buyerName: document.buyerName ?? '',
    buyerEmail: document.buyerEmail ?? '',
    buyerPhotoURL: document.buyerPhotoURL ?? '',
    itemId: document.itemid ?? '',
    itemName: typeof document.item === 'string' ? document.item : document.item.name,
    itemPriceCents: typeof document.item === 'string' ? null : Math.round(document.item.price * 100),
    salePriceCents: Math.round(document.salePrice * 100),
    receiptTag: document.receiptTag || null,
    createdAt: document.createdAt,
  }
}
