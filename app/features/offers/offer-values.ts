import { type Credit, type CreditValues, parseCreditCode } from '#credits/credit.ts'
import type { Cents } from '#pricing/money.ts'
import { depositOf } from '#payments/payment.ts'
import { recordOf } from '#lib/record-of.ts'
import { parseMoney } from '#pricing/parse-money.ts'

export const blankLine = {
  itemId: '',
  name: '',
  price: '',
  quantity: '1',
  color: '',
  notes: '',
  isIncluded: true,
}
export type LineValues = typeof blankLine

const offerFields = [
  'id',
  'shipping',
  'deposit',
  'readyBy',
  'validUntil',
  'credit',
  'creditCode',
  'message',
] as const

export type OfferValues = ReturnType<typeof readOfferForm>

export function readOfferForm(form: FormData) {
  const all = (name: string) =>
    form.getAll(name).map((value) => (typeof value === 'string' ? value : ''))
  const first = (name: string) => all(name)[0] ?? ''
  const included = all('include')
  return {
    lines: all('itemId').map((itemId, index) => {
      const ofLine = (name: string) => all(name)[index] ?? ''
      return {
        itemId,
        ...recordOf(['name', 'price', 'quantity', 'color', 'notes'], ofLine),
        isIncluded: itemId === '' || included.includes(itemId),
      }
    }),
    isShipped: form.has('isShipped'),
    ...recordOf(offerFields, first),
  }
}

export const isBlank = ({ itemId, name, price, notes, color }: LineValues) =>
  itemId === '' && `${name}${price}${notes}${color}`.trim() === ''

/** Returns cents, or null while a price or quantity is invalid. [AGREE-126] */
export function typedTotal(
  {
    lines,
    shipping,
    credit: ticked,
    creditCode,
  }: Pick<OfferValues, 'lines' | 'shipping' | keyof CreditValues>,
  credits: Credit[],
) {
  let pieces = 0
  for (const line of lines) {
    if (!line.isIncluded || isBlank(line)) continue
    const quantity = /^\d{1,3}$/.test(line.quantity.trim()) ? Number(line.quantity) : NaN
    pieces += quantity * (parseMoney(line.price) ?? NaN)
  }
  const used = credits.find(({ code }) => code === ticked || code === parseCreditCode(creditCode))
  const shippingCents = shipping.trim() === '' ? 0 : (parseMoney(shipping) ?? NaN)
  const total = pieces - Math.min(used?.cents ?? 0, pieces) + shippingCents
  return Number.isNaN(total) ? null : total
}

/** A blank field means the default deposit. Returns cents, or null while an amount is invalid. */
export function typedDeposit(
  { deposit }: Pick<OfferValues, 'deposit'>,
  total: Cents | null,
  percent: number,
) {
  if (deposit.trim() !== '') return parseMoney(deposit)
  return total === null ? null : depositOf(total, percent)
}
