/** Compares the values before and after an action that the audit log records. */
import { isDiscount } from './audit-log.ts'
import { fieldLabels } from './field-labels.ts'
import { type AuditDetail, isAuditDetail } from '#app/services/audit-detail.ts'
import { shortDiscountText } from '#app/features/discounts/discount.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { formatIsoDay, isDay } from '#app/ui/format-date.ts'
import type { Currency } from '#app/lib/text/currency.ts'

export type FieldChange = { what: string; before: string; after: string }

/** Lists the fields whose values differ in `before` and `after`. Events contain no secrets, but fields with names such as `password` are skipped to be safe. Changed settings have the labels of their forms. [OWN-134] */
export function fieldChanges(
  { before, after }: AuditDetail,
  currency: Currency,
  act = '',
): FieldChange[] {
  const labels = act === 'change-settings' ? fieldLabels : {}
  if (!isAuditDetail(after) || !isAuditDetail(before)) return []
  return Object.keys(after)
    .filter((key) => !/password|secret|token|key$/i.test(key))
    .map((key) => ({
      what: Object.hasOwn(labels, key) ? labels[key]! : labelOf(key),
      before: formatValue(key, before[key], currency),
      after: formatValue(key, after[key], currency),
    }))
    .filter((change) => change.before !== change.after)
}

/** Turns 'priceCents' into "Price" and 'isPromoShown' into "Promo shown". */
const labelOf = (key: string): string => {
  const words = key
    .replace(/^is(?=[A-Z])|Cents$|Id$/g, '')
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MAX_VALUE_LENGTH = 140

function formatValue(key: string, value: unknown, currency: Currency): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (key === 'logo') return 'a picture'
  if (isDiscount(value)) return shortDiscountText(value, currency)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number')
    return key.endsWith('Cents') ? formatMoney(value, currency) : String(value)
  if (typeof value === 'string' && isDay(value)) return formatIsoDay(value)
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.filter((one) => typeof one === 'string').join(', ')
        : ''
  return text.length > MAX_VALUE_LENGTH
    ? `${text.slice(0, MAX_VALUE_LENGTH).trimEnd()}…`
    : text || 'something else'
}
