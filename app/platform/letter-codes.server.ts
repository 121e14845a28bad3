/** Codes that go out in letters and nowhere else: at rest there is what they are made from, and by what they are known again. */
import { createHash, createHmac } from 'node:crypto'
import { inFours } from './readable-codes.ts'

/** Where the code stands in a text of the outbox; the code itself is in the letter only. */
export const LETTER_CODE = '{code}'

/** The kind of letters whose text has a code in it; in any other the mark stands for itself. */
export const PROOF = 'proof'

export type LetterCodes = ReturnType<typeof openLetterCodes>

/** Without those that are taken for one another (Crockford's). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 28

export function openLetterCodes(secret: string) {
  /** 140 bits that nobody without the shop's secret can work out. */
  const codeOf = (letterId: string) => {
    const bytes = createHmac('sha256', secret).update(letterId).digest()
    // 256 is a multiple of 32: each sign is as likely as any other.
    return inFours(Array.from(bytes.subarray(0, LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join(''))
  }
  const fill = ({ id, kind, text }: { id: string; kind: string; text: string }) =>
    kind === PROOF ? text.replaceAll(LETTER_CODE, codeOf(id)) : text
  return { codeOf, fill }
}

/** By what a code that somebody brings is found: as read, typed or pasted, with other dashes, or small letters. null: it is none. */
export function markOfCode(typed: string): string | null {
  if (typed.length > 200) return null
  const plain = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return plain.length === LENGTH ? createHash('sha256').update(plain).digest('hex') : null
}
