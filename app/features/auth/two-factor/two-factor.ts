import { inFours } from '#app/platform/readable-codes.ts'

export const CODE_IS_INVALID = 'Code is Invalid'
/** The password was right, but the code took too long, or was wrong too often. */
export const CODE_TOO_LATE = 'Your login took too long, or the codes were wrong too often. Please log in again.'
export const CODE_USED = 'This code was used already. Please log in again with the next one.'
export const TWO_STEP_ON = 'Two-step login is on'
export const TWO_STEP_OFF = 'Two-step login is off'
export const CHANGED_ELSEWHERE = 'Two-step login was changed in another window. This is how it is now.'

/** What was typed, of either kind; null: it can be neither. Spaces, dashes and capitals are the paper's and the keyboard's. */
type TypedCode = { kind: 'app' | 'recovery'; code: string }
export function readCode(typed: string): TypedCode | null {
  const plain = typed.slice(0, 100).toLowerCase().replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(plain)) return { kind: 'app', code: plain }
  return /^[a-z0-9]{12}$/.test(plain) ? { kind: 'recovery', code: inFours(plain) } : null
}

/** The key of an app, as the library's own address gives it: 32 letters in base32. */
export const keyIn = (address: string): string => new URL(address).searchParams.get('secret') ?? ''
export const isKey = (text: string): boolean => /^[A-Z2-7]{16,128}$/.test(text)

/** What the QR code says. Apps show a plus sign where a form would have a space, so everything is escaped as in a path. */
export function appAddress({ shopName, email, key }: { shopName: string; email: string; key: string }): string {
  const issuer = encodeURIComponent(shopName.replaceAll(':', ' ').trim() || 'Shop')
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${key}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}
