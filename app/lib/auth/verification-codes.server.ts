/** Creates the codes that the shop sends by email. The database contains only the hash of each code, and the id of the email from which the shop derives the code. */
import { createHash, createHmac } from 'node:crypto'
import { groupByFour } from './human-readable-codes.ts'

/** A stored email contains this placeholder instead of the code. The shop inserts the code only when it sends the email, so that the outbox never contains a code. */
export const CODE_PLACEHOLDER = '{code}'

/** An email message of this kind contains a verification code. */
export const VERIFICATION_EMAIL = 'verification'

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

/** This is Crockford's alphabet, which has no characters that look alike. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 28

export function createVerificationCodes(secret: string) {
  /** The code has 140 bits, and cannot be computed without the shop's secret. */
  const codeOf = (emailId: string) => {
    const bytes = createHmac('sha256', secret).update(emailId).digest()
    // The 256 values of a byte are a multiple of the 32 characters, so each character is equally likely.
    return groupByFour(
      Array.from(
        bytes.subarray(0, CODE_LENGTH),
        (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length],
      ).join(''),
    )
  }
  const fill = ({ id, kind, text }: { id: string; kind: string; text: string }) =>
    kind === VERIFICATION_EMAIL ? text.replaceAll(CODE_PLACEHOLDER, codeOf(id)) : text
  return { codeOf, fill }
}

/** Returns the hash by which the database finds a typed code, or null if the text is not a code. Dashes, spaces and upper or lower case do not matter. */
export function hashCode(typed: string): string | null {
  if (typed.length > 200) return null
  const plain = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return plain.length === CODE_LENGTH ? createHash('sha256').update(plain).digest('hex') : null
}
