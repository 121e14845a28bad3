/** What the forms of the account page may contain. */
import { z } from 'zod'
import { LONGEST_NAME } from '#app/platform/name-length.ts'

/** Far beyond any name, so that nothing here ever works on a book. */
const MOST_TYPED = 1000

/**
 * One line of what can be seen: line ends and other controls would reach the headers of letters, and marks of direction turn the words
 * around it, in the owner's lists above all. Joiners stay, emoji are made of them.
 */
const Name = z
  .string()
  .transform((typed) =>
    typed
      .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
      .trim(),
  )
  .pipe(z.string().max(LONGEST_NAME))

/** LOGIN-16: the name as it is kept, '' for none (S-009); null when it is none that can be. */
export function readName(typed: string): string | null {
  // Before anything else: to put a million accents in their order takes half an hour, with everybody waiting.
  if (typed.length > MOST_TYPED) return null
  const read = Name.safeParse(typed.normalize('NFC'))
  if (!read.success) return null
  // Nothing but joiners and variation marks shows as nothing.
  return /[^\p{Cf}\p{Mn}\s]/u.test(read.data) ? read.data : ''
}
