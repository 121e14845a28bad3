import { groupByFour } from '#app/lib/auth/human-readable-codes.ts'
import { twoFactorSetUpTexts } from './texts.ts'

/** A code of an authenticator app, or a recovery code, that the owner typed. Spaces, dashes and case do not matter. */
type TypedCode = { kind: 'app' | 'recovery'; code: string }
export function parseCode(typed: string): TypedCode | null {
  const plain = typed.slice(0, 100).toLowerCase().replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(plain)) return { kind: 'app', code: plain }
  return /^[a-z0-9]{12}$/.test(plain) ? { kind: 'recovery', code: groupByFour(plain) } : null
}

/** Returns the secret in the URL that better-auth creates. The secret consists of base32 characters. */
export const secretFromUrl = (address: string): string =>
  new URL(address).searchParams.get('secret') ?? ''
export const isSecret = (text: string): boolean => /^[A-Z2-7]{16,128}$/.test(text)

/** The shop's name is in the URL twice. With a longer name, a phone could not scan the QR code. [S-431] */
const MAX_ISSUER_LENGTH = 24

/** Returns a URL whose spaces are percent-encoded, because authenticator apps would show a plus sign for a space. */
export function authenticatorUrl({
  shopName,
  email,
  key,
}: {
  shopName: string
  email: string
  key: string
}): string {
  const name = [...shopName.replaceAll(':', ' ').trim()].slice(0, MAX_ISSUER_LENGTH).join('').trim()
  const issuer = encodeURIComponent(name || twoFactorSetUpTexts.unnamedShop)
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${key}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}
