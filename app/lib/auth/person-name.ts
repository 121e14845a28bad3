import { MAX_NAME_LENGTH } from './account-limits.ts'

const MAX_TYPED_NAME_LENGTH = 1000

/** Returns '' if nothing is visible, null if invalid. [S-009] */
export function parseName(typed: string) {
  // Normalizing a million combining marks would block the process for half an hour.
  if (typed.length > MAX_TYPED_NAME_LENGTH) return null
  // Control characters break email headers, bidirectional marks garble lists.
  const name = typed
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()
  if (name.length > MAX_NAME_LENGTH) return null
  return /[^\p{Cf}\p{Mn}\s]/u.test(name) ? name : ''
}
