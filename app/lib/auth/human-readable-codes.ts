/** Creates random codes for people who read the codes from paper or a terminal: groups of four characters, without characters that look alike. */
import { customAlphabet } from 'nanoid'

export const groupByFour = (text: string, between = '-'): string =>
  text.replace(/(.{4})(?=.)/g, `$1${between}`)

const readable = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz')

/** Twelve characters of an alphabet of 31 contain 59 random bits, which is enough because attempts are limited. */
export const newRecoveryCode = (): string => groupByFour(readable(12))
/** Returns a code of eight characters, which contain 39 random bits. Only the customer to whom the credit belongs can use the code. */
export const newCreditCode = (): string => groupByFour(readable(8)).toUpperCase()
export const newReadablePassword = (): string => groupByFour(readable(16))
