/** Contains what a packing slip says: sender, address and contents, without prices. */
import type { Offer, Parcel } from '#app/features/orders/order.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { shopLines } from './print-document.ts'

export type PackingSlip = {
  from: string
  fromLines: string[]
  to: string
  toLines: string[]
  lines: { quantity: number; name: string; more: string }[]
}

/** Collects what a packing slip shows. [AGREE-57] */
export function packingSlip(
  { lines }: Pick<Offer, 'lines'>,
  { recipient, address }: Pick<Parcel, 'recipient' | 'address'>,
  settings: Pick<ShopSettings, 'name' | 'address' | 'city'>,
): PackingSlip {
  return {
    from: settings.name,
    fromLines: shopLines({ ...settings, taxNumber: '' }),
    to: recipient,
    toLines: address.split('\n'),
    lines: lines.map(({ quantity, name, color, notes }) => ({
      quantity,
      name,
      more: [color, notes].filter(Boolean).join(', '),
    })),
  }
}

/** Returns all texts of the packing slip, because the PDF needs a font that has all their characters. */
export const slipTextsOf = ({ from, fromLines, to, toLines, lines }: PackingSlip): string[] => [
  ...[from, to, ...fromLines, ...toLines],
  ...lines.flatMap(({ name, more }) => [name, more]),
]
