/** Random codes without ambiguous characters, in groups of four, to be read from paper and terminals. */
import { customAlphabet } from 'nanoid'

export const groupByFour = (text: string, between = '-'): string => text.replace(/(.{4})(?=.)/g, `$1${between}`)

const readable = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz')

/** 12 of 31 characters are 59 random bits, which is enough with limited attempts. */
export const newRecoveryCode = (): string => groupByFour(readable(12))
export const newReadablePassword = (): string => groupByFour(readable(16))
