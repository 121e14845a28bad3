import type { SaleTable } from '#db/schema.ts'
import type { QueueStep } from '#db/schema-agreements.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import { customerName, receiptKey } from '#app/features/orders/order.ts'

export type { SaleTable as Sale }

/** `quantity` is present only if the line has more than one piece. The name contains the quantity, and both prices are for all pieces together. */
type ReceiptItem = {
  id: string
  name: string
  color?: string
  price: Cents | null
  salePrice: Cents
  quantity?: number
} & {
  isCanceled?: true
  step?: QueueStep
}

/** The shop does not store receipts, but computes them from sales. [DATA-095 to DATA-099] */
export type Receipt = {
  /** the receipt tag, or the id of a sale without a tag */
  key: string
  receiptTag: string | null
  /** the time of the newest sale in the receipt [S-110] */
  createdAt: number
  buyerid: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  items: ReceiptItem[]
  /** the id of the sale that this receipt cancels. If this field is set, all prices of the receipt are negative. [S-301] */
  cancels?: string
  /** how the buyer paid, present only for a sale outside a conversation */
  method?: string
}

/** `canceledBy` is the id of the entry that cancels the sale, and null or missing if no entry cancels the sale. */
type SaleRow = SaleTable & {
  canceledBy?: string | null
  color?: string
  method?: string
  quantity?: number
  step?: QueueStep | undefined
}

/** Groups sales with the same tag into a receipt. A sale without a tag has a receipt of its own. The newest receipt is first. [SALES-17, S-110] */
export function groupReceipts(sales: readonly SaleRow[]): Receipt[] {
  const receipts = new Map<string, Receipt>()
  for (const sale of sales.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const key = receiptKey(sale)
    const line: ReceiptItem = {
      ...{
        id: sale.itemId,
        name: sale.itemName,
        price: sale.itemPriceCents,
        salePrice: sale.salePriceCents,
      },
      ...(sale.canceledBy && { isCanceled: true }),
      ...(sale.color && { color: sale.color }),
      ...((sale.quantity ?? 1) > 1 && { quantity: sale.quantity! }),
      ...(sale.step && { step: sale.step }),
    }
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
        ...(sale.cancels && { cancels: sale.cancels }),
        ...(sale.method && { method: sale.method }),
      })
  }
  return [...receipts.values()]
}

/** Returns the name of an item and its color if it has one, such as "Moon wall, Sage". */
export const itemWithColor = ({ name, color }: { name: string; color?: string }): string =>
  color ? `${name}, ${color}` : name

export const totalCents = (receipts: readonly Receipt[]): Cents =>
  receipts.flatMap((receipt) => receipt.items).reduce((sum, item) => sum + item.salePrice, 0)

export const buyerDisplayName = (buyer: Pick<Receipt, 'buyerName' | 'buyerEmail'>): string =>
  customerName({ name: buyer.buyerName, email: buyer.buyerEmail })

/** Returns the original price if the shop must strike it through, because the sale price is different. Otherwise returns null. [SALES-20, SALES-21, S-109] */
export const originalPrice = (
  item: Pick<Receipt['items'][number], 'price' | 'salePrice'>,
): Cents | null => (item.price !== null && item.price !== item.salePrice ? item.price : null)

/** Returns a sale in the format of the export, with prices in dollars. `item` is only the name if the original price is unknown. `quantity` is present only for several pieces. An entry that cancels a sale has negative prices. [DATA-084 to DATA-094, S-134, S-301] */
export const saleDocument = (sale: SaleTable & { quantity?: number }) => ({
  id: sale.id,
  buyerid: sale.buyerId,
  buyerName: sale.buyerName,
  buyerEmail: sale.buyerEmail,
  buyerPhotoURL: sale.buyerPhotoURL,
  createdAt: sale.createdAt,
  itemid: sale.itemId,
  item:
    sale.itemPriceCents === null
      ? sale.itemName
      : { name: sale.itemName, price: sale.itemPriceCents / 100 },
  salePrice: sale.salePriceCents / 100,
  ...(sale.receiptTag && { receiptTag: sale.receiptTag }),
  ...(sale.cancels && { cancels: sale.cancels }),
  ...((sale.quantity ?? 1) > 1 && { quantity: sale.quantity }),
})
