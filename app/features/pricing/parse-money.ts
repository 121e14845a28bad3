import type { Cents } from './money.ts'

const MAX_PRICE: Cents = 999_999_999
/** The regular expressions below would take seconds on a longer text. */
const MAX_AMOUNT_LENGTH = 40
const GROUPED = /^\d{1,3}([.,'’\s])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{0,2})?$/

/**
 * Parses '45', '$45', '12,50' or '1.000,50'. Returns null if the text is invalid, or ambiguous like
 * '1,234'. [OWN-37]
 */
export function parseMoney(typed: string, max = MAX_PRICE): Cents | null {
  const trimmed = typed.trim()
  if (trimmed.length > MAX_AMOUNT_LENGTH) return null
  const text = trimmed
    .replace(/^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,4}\.?)\s*(?=[\d.,])/u, '')
    .replace(/\s*(?:\p{Sc}|\p{L}{2,4}\.?)$/u, '')
  const isGrouped = GROUPED.test(text) && !/^\d+[.,]\d+$/.test(text)
  const plain = isGrouped ? text.replaceAll(/[.,'’\s](?=\d{3}(?!\d))/g, '') : text
  const [, whole = '', rest = ''] = /^(\d*)(?:[.,](\d{0,2}))?$/.exec(plain) ?? []
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  return whole + rest !== '' && cents <= max ? cents : null
}
