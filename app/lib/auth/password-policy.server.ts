import { createHash } from 'node:crypto'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#app/lib/auth/account-limits.ts'

/**
 * Hashes of Django's list of common passwords and of the 100,000 most frequent of ten million breached passwords (SecLists). The file contains only
 * the passwords with at least 8 characters, and only the first six characters of each SHA-256 hash.
 */
const commonHashes = ` ${commonPasswords.join(' ')} `
// Searching this text takes less than a millisecond. A Set of all hashes would take 20 ms at each start of the process, and 3 MB.
const isListed = (plain: string) =>
  commonHashes.includes(` ${createHash('sha256').update(plain).digest('base64url').slice(0, 6)} `)

/** Returns true if the password is common, is a common password with punctuation added at its end, or only repeats the same one to four characters. [S-236, S-241] */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase()
  return (
    isListed(plain) ||
    isListed(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    /^(.{1,4})\1+$/u.test(plain)
  )
}

const shopWords = [
  'knotsandlove',
  'knots',
  'macrame',
  'password',
  'shop',
  'admin',
  'owner',
  'login',
]

/** Pages show these explanations below the error text that the specification requires. [S-243] */
export const passwordErrors = {
  short: `It needs at least ${MIN_PASSWORD_LENGTH} characters.`,
  long: `It may have at most ${MAX_PASSWORD_LENGTH} characters.`,
  common: 'It is one of the most common passwords. Try a few words of your own.',
  own: 'It is too similar to your email or the name of the shop. Try a few words of your own.',
} as const

/** Returns the reason for refusing a password, or null if the password is valid. Digits and signs are not required, because such rules do not make passwords better. [LOGIN-45, S-241] */
export function validatePassword(password: string, email = ''): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return passwordErrors.short
  if (password.length > MAX_PASSWORD_LENGTH) return passwordErrors.long
  const plain = password.toLowerCase()
  if (isCommonPassword(plain)) return passwordErrors.common
  const [name = ''] = email.toLowerCase().split('@')
  let rest = plain
  for (const word of [email.toLowerCase(), name, ...shopWords].filter((word) => word.length > 2))
    rest = rest.replaceAll(word, '')
  return rest === plain || /\p{L}/u.test(rest) ? null : passwordErrors.own
}

export const isValidPassword = (password: string, email = ''): boolean =>
  validatePassword(password, email) === null
