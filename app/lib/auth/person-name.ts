import { MAX_NAME_LENGTH } from './account-limits.ts'

/** The longest input that is checked; no name is longer. */
const MAX_TYPED_NAME_LENGTH = 1000

/** The stored name, '' for none [S-009]; null: invalid. [LOGIN-16] */
export function parseName(typed: string): string | null {
  // Checked before normalizing, because normalizing a million combining marks takes half an hour and blocks the process.
  if (typed.length > MAX_TYPED_NAME_LENGTH) return null
  // Reduces the name to one visible line: control characters would reach email headers, and bidirectional marks would garble the owner's lists. Joiners stay, because emoji need them.
  const name = typed
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()
  if (name.length > MAX_NAME_LENGTH) return null
  // A name that consists only of joiners and variation selectors is invisible.
  return /[^\p{Cf}\p{Mn}\s]/u.test(name) ? name : ''
}
