/** The words of the discounts section (DISC-11 to DISC-15, DISC-45 to DISC-54). */
import { formatMoney, parseMoney, type Discount } from '#app/features/money/money.ts'

export const discountTexts = {
  noColor: 'Please select a color to put on sale...',
  notAboveZero: 'Please Enter a number above 0',
  noColorToRemove: 'Please select a color to remove',
  colorOnSale: 'Successfully put Color on Sale',
  colorRemoved: 'Successfully Removed Color Sale',
  noItems: 'Please select some items to put on sale',
  itemsOnSale: 'Successfully put Items on Sale',
  itemsRemoved: 'Successfully Removed Item Discount',
  failed: 'An error occured while updating the database',
} as const

/** DISC-45 */
export const refusedValue = (value: string, type: Discount['type']): string => `Cannot put item on sale with ${value} ${type}`

/** "10%" or "$10"; cents only where there are some (S-124). */
const shortly = ({ type, value }: Discount): string =>
  type === 'percent' ? `${value / 100}%` : value % 100 === 0 ? formatMoney(value).replace(/\.00$/, '') : formatMoney(value)

/** DISC-47, S-124 */
export const applyQuestion = (count: number, discount: Discount): string =>
  `Put ${count} item(s) on sale with ${shortly(discount)} discount.`
/** DISC-48 */
export const removeQuestion = (count: number): string => `Remove the discount of ${count} item(s)?`

export const readType = (typed: string, standard: Discount['type']): Discount['type'] =>
  typed === 'percent' || typed === 'amount' ? typed : standard

/** What was typed as a discount; null when it is not a number above 0 (DISC-12, DISC-45). */
export function readTypedDiscount(type: Discount['type'], value: string): Discount | null {
  const hundredths = parseMoney(value)
  return hundredths === null || hundredths === 0 ? null : { type, value: hundredths }
}

/** A discount's value as a field shows it. */
export const valueText = (discount: Discount): string => String(discount.value / 100)
