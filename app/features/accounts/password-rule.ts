/** What a password must be, wherever one is chosen: at registration, for a guest's new account, on the account page, after a reset (LOGIN-45). */
import { createHash } from 'node:crypto'
import { commonPasswords } from './common-passwords.server.ts'

export const SHORTEST = 8
export const LONGEST = 128

/** What guessing programs try first, with or without figures and signs around it. */
const commonWords = new Set(
  (
    'password passwort passwords passwd pass p@ssword p@ssw0rd passw0rd pa$$word qwerty qwertz qwertyuiop qwertyui qwerasdf azerty azertyuiop asdf asdfgh asdfghjk ' +
    'asdfghjkl zxcvbn zxcvbnm zaq qazwsx qazwsxedc abc abcd abcdef abcdefg abcdefgh abcdefghi aaa admin administrator root user guest test tester testing ' +
    'login letmein welcome hello changeme default secret master access iloveyou loveyou iloveu love lovely lover sunshine princess prince angel angels ' +
    'dragon monkey tigger tiger butterfly flower football soccer basketball baseball hockey superman batman spiderman pokemon pikachu naruto starwars ' +
    'jordan michael michelle jennifer jessica ashley daniel charlie thomas robert andrew joshua nicole shadow killer hunter ranger trustno computer internet ' +
    'samsung google facebook youtube iphone whatever nothing freedom forever blink myspace fuckyou summer winter spring autumn january december chocolate cookie macrame knots knotsandlove shop owner'
  ).split(' '),
)
/** Rows of keys and figures, in the order in which fingers go along them. */
const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const backwards = (text: string) => [...text].reverse().join('')
const isAlongARow = (text: string) => rows.some((row) => row.includes(text) || backwards(row).includes(text))
const MARK = 6
const packed = commonPasswords.replaceAll('\n', '')
const commonest = new Set(Array.from({ length: packed.length / MARK }, (_, at) => packed.slice(at * MARK, at * MARK + MARK)))
const isCommonest = (text: string) => commonest.has(createHash('sha256').update(text).digest('base64url').slice(0, MARK))
/** aaaaaaaa, 12121212, abcabcabc */
const isRepeated = (text: string) => /^(.{1,4})\1+$/u.test(text)

/** One of the first guesses of anybody: told as too weak, like a short one. */
export function isCommonPassword(typed: string): boolean {
  const plain = typed.normalize('NFKC').toLowerCase().trim()
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return isRepeated(plain) || isAlongARow(plain) || commonWords.has(core) || isCommonest(plain)
}

/** `email`: a password that is the address itself is the first guess of whoever knows it. */
export function isFitPassword(typed: string, email = ''): boolean {
  if (typed.length < SHORTEST || typed.length > LONGEST) return false
  return typed.toLowerCase() !== email.toLowerCase() && !isCommonPassword(typed)
}
