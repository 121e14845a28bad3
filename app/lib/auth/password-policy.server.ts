import { createHash } from 'node:crypto'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './account-limits.ts'

/** Contains six characters of the SHA-256 hash of each common password (Django, SecLists). */
const commonHashes = ` ${commonPasswords.join(' ')} `
// A Set would take 3 MB, and 20 ms at each start.
const isListed = (plain: string) =>
  commonHashes.includes(` ${createHash('sha256').update(plain).digest('base64url').slice(0, 6)} `)

/** Ignores punctuation at the end. A repetition of 1 to 4 characters counts as common. [S-241] */
export function isCommonPassword(password: string) {
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

export const passwordErrors = {
  short: `It needs at least ${MIN_PASSWORD_LENGTH} characters.`,
  long: `It may have at most ${MAX_PASSWORD_LENGTH} characters.`,
  common: 'It is one of the most common passwords. Try a few words of your own.',
  own: 'It is too similar to your email or the name of the shop. Try a few words of your own.',
} as const

export function validatePassword(password: string, email = '') {
  if (password.length < MIN_PASSWORD_LENGTH) return passwordErrors.short
  if (password.length > MAX_PASSWORD_LENGTH) return passwordErrors.long
  const plain = password.toLowerCase()
  if (isCommonPassword(plain)) return passwordErrors.common
  const [name = ''] = email.toLowerCase().split('@')
  let rest = plain
  for (const word of [email.toLowerCase(), name, ...shopWords].filter((word) => word.length > 2)) {
    rest = rest.replaceAll(word, '')
  }
  return rest === plain || /\p{L}/u.test(rest) ? null : passwordErrors.own
}
