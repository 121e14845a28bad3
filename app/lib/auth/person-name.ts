import { MAX_NAME_LENGTH } from './account-limits.ts'

/** A typed name with more characters is refused without further checks, because no name is so long. */
const MAX_TYPED_NAME_LENGTH = 1000

/** Returns the name as the shop stores it, '' if the typed text contains nothing visible, or null if the name is invalid. [LOGIN-16, S-009] */
export function parseName(typed: string): string | null {
  // The length is checked before the other rules, because normalizing a million combining marks would block the process for half an hour.
  if (typed.length > MAX_TYPED_NAME_LENGTH) return null
  // Control characters could break email headers, and bidirectional marks would garble the owner's lists. Joiners stay, because emoji need them.
  const name = typed
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()
  if (name.length > MAX_NAME_LENGTH) return null
  // A name that consists only of joiners and variation selectors is invisible.
  return /[^\p{Cf}\p{Mn}\s]/u.test(name) ? name : ''
}
