/** Reads the texts of the offer form, on the server and in the browser. */
import { type Credit, type CreditValues, parseCreditCode } from '#app/features/credits/credit.ts'
import { type Cents, parseMoney } from '#app/features/pricing/money.ts'

export type LineValues = {
  itemId: string
  name: string
  price: string
  quantity: string
  color: string
  notes: string
  isIncluded: boolean
}
/** The texts that the owner typed. `itemId` is empty for a line that is no item. */
export type OfferValues = CreditValues & {
  id: string
  lines: LineValues[]
  shipping: string
  readyBy: string
  validUntil: string
  isShipped: boolean
  message: string
}

/** An empty line of the offer form, for something that is no item, such as an engraved tag. */
export const blankLine: LineValues = {
  itemId: '',
  name: '',
  price: '',
  quantity: '1',
  color: '',
  notes: '',
  isIncluded: true,
}

/** Returns the texts that the owner typed, so that a refused form keeps them. */
export function readOfferForm(form: FormData): OfferValues {
  const all = (name: string) =>
    form.getAll(name).map((value) => (typeof value === 'string' ? value : ''))
  const one = (name: string) => all(name)[0] ?? ''
  const [names, prices, quantities, colors, notes] = [
    all('name'),
    all('price'),
    all('quantity'),
    all('color'),
    all('notes'),
  ]
  const included = new Set(all('include'))
  return {
    id: one('id'),
    lines: all('itemId').map((itemId, at) => ({
      itemId,
      name: names[at] ?? '',
      price: prices[at] ?? '',
      quantity: quantities[at] ?? '',
      color: colors[at] ?? '',
      notes: notes[at] ?? '',
      isIncluded: itemId === '' || included.has(itemId),
    })),
    ...{
      shipping: one('shipping'),
      readyBy: one('readyBy'),
      validUntil: one('validUntil'),
      isShipped: form.has('isShipped'),
    },
    ...{ credit: one('credit'), creditCode: one('creditCode'), message: one('message') },
  }
}

/** A line that the owner added counts only once she has typed something. */
export const isBlank = ({ itemId, name, price, notes, color }: LineValues): boolean =>
  itemId === '' && `${name}${price}${notes}${color}`.trim() === ''

type Summed = Pick<OfferValues, 'lines' | 'shipping' | keyof CreditValues>

/**
 * Returns the sum of the included lines with shipping in cents, less the credit that the owner has ticked or whose code she has typed. `credits` contains the
 * customer's unused credits. Returns null while a price or quantity is invalid. [AGREE-126]
 */
export function typedTotal(
  { lines, shipping, credit: ticked, creditCode }: Summed,
  credits: Credit[],
): Cents | null {
  let pieces = 0
  for (const line of lines) {
    if (!line.isIncluded || isBlank(line)) continue
    pieces +=
      (parseMoney(line.price) ?? Number.NaN) *
      (/^\d{1,3}$/.test(line.quantity.trim()) ? Number(line.quantity) : Number.NaN)
  }
  const used = credits.find(({ code }) => code === ticked || code === parseCreditCode(creditCode))
  const total =
    pieces -
    Math.min(used?.cents ?? 0, pieces) +
    (shipping.trim() === '' ? 0 : (parseMoney(shipping) ?? Number.NaN))
  return Number.isNaN(total) ? null : total
}
