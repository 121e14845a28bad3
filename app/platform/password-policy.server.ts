import { createHash } from 'node:crypto'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './account-limits.ts'

/** Django's list of the most common passwords, as the first six characters of each SHA-256, so that the file shows no password. */
const common = new Set(commonPasswords.flatMap((line) => line.split(' ')))
const isListed = (plain: string) => common.has(createHash('sha256').update(plain).digest('base64url').slice(0, 6))

/** S-236, S-241: one of the first guesses of anybody, with signs behind it or not, or the same few characters again and again. */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase()
  return isListed(plain) || isListed(plain.replace(/[^\p{L}\p{N}]+$/u, '')) || /^(.{1,4})\1+$/u.test(plain)
}

/** What anybody would try first here: the shop's own words. */
const ownWords = ['knotsandlove', 'knots', 'macrame', 'password', 'shop', 'admin', 'owner', 'login']

/** S-243: what is told below the text of section 8. */
export const passwordFaults = {
  short: `It needs at least ${SHORTEST_PASSWORD} characters.`,
  long: `It may have at most ${LONGEST_PASSWORD} characters.`,
  common: 'It is one of those that everybody guesses first. A few words of your own make a good one.',
  own: 'It is little more than your e-mail or the name of the shop. A few words of your own make a good one.',
} as const

/** LOGIN-45, S-241: no rule says which characters, since people with password managers have the better ones. null: it will do. */
export function faultOfPassword(password: string, email = ''): string | null {
  if (password.length < SHORTEST_PASSWORD) return passwordFaults.short
  if (password.length > LONGEST_PASSWORD) return passwordFaults.long
  const plain = password.toLowerCase()
  if (isCommonPassword(plain)) return passwordFaults.common
  const [name = ''] = email.toLowerCase().split('@')
  let rest = plain
  for (const word of [email.toLowerCase(), name, ...ownWords].filter((word) => word.length > 2)) rest = rest.replaceAll(word, '')
  // Nothing taken out, or letters left.
  return rest === plain || /\p{L}/u.test(rest) ? null : passwordFaults.own
}

export const isFitPassword = (password: string, email = ''): boolean => faultOfPassword(password, email) === null
