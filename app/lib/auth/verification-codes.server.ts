import { createHash, createHmac } from 'node:crypto'
import { groupByFour } from './human-readable-codes.ts'

/** The code replaces this text when the email is sent, so that the outbox never contains it. */
export const CODE_PLACEHOLDER = '{code}'

export const VERIFICATION_EMAIL = 'verification'

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 28

export function createVerificationCodes(secret: string) {
  const codeOf = (emailId: string) => {
    const bytes = createHmac('sha256', secret).update(emailId).digest()
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

export function hashCode(typed: string) {
  if (typed.length > 200) return null
  const plain = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return plain.length === CODE_LENGTH ? createHash('sha256').update(plain).digest('hex') : null
}
