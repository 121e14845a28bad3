import type { ShownStep } from '#conversation/agreement.ts'
import type { SaleTable } from '#db/schema.ts'
import type { Cents } from '#pricing/money.ts'
import { customerName } from '#conversation/people.ts'
import { receiptKey } from '#conversation/receipt-key.ts'

export type { SaleTable as Sale }

/** The prices are for all pieces of the item together. */
type ReceiptItem = {
  id: string
  name: string
  color?: string
  price: Cents | null
  salePrice: Cents
  quantity?: number
  isCanceled?: true
  step?: ShownStep
}

export type Receipt = {
  key: string
  receiptTag: string | null
  createdAt: number
  buyerid: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  items: ReceiptItem[]
  cancels?: string
  method?: string
}

type SaleRow = SaleTable & {
  canceledBy?: string | null
  color?: string
  method?: string
  quantity?: number
  step?: ShownStep | undefined
}

export function groupReceipts(sales: readonly SaleRow[]) {
  const receipts = new Map<string, Receipt>()
  for (const sale of sales.toSorted((left, right) => right.createdAt - left.createdAt)) {
    const key = receiptKey(sale)
    const line: ReceiptItem = {
      id: sale.itemId,
      name: sale.itemName,
      price: sale.itemPriceCents,
      salePrice: sale.salePriceCents,
      ...(sale.canceledBy && { isCanceled: true }),
      ...(sale.color && { color: sale.color }),
      ...((sale.quantity ?? 1) > 1 && { quantity: sale.quantity! }),
      ...(sale.step && { step: sale.step }),
    }
    const receipt = receipts.get(key)
    if (receipt) receipt.items.push(line)
    else {
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
  }
  return [...receipts.values()]
}

export const itemWithColor = ({ name, color }: { name: string; color?: string }) =>
  color ? `${name}, ${color}` : name

export const totalCents = (receipts: readonly Receipt[]) =>
  receipts.flatMap((receipt) => receipt.items).reduce((sum, item) => sum + item.salePrice, 0)

export const buyerDisplayName = (buyer: Pick<Receipt, 'buyerName' | 'buyerEmail'>) =>
  customerName({ name: buyer.buyerName, email: buyer.buyerEmail })

export const originalPrice = ({ price, salePrice }: Pick<ReceiptItem, 'price' | 'salePrice'>) =>
  price === salePrice ? null : price

/** Exports prices in units of the currency, not in cents. [DATA-084] */
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
