/** Random words to be typed from paper or from a terminal: without signs that look alike, in groups of four. */
import { customAlphabet } from 'nanoid'

export const inFours = (text: string, between = '-'): string => text.replace(/(.{4})(?=.)/g, `$1${between}`)

const readable = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz')

/** 12 characters of 31 hold 59 bits, and tries are few. */
export const newRecoveryCode = (): string => inFours(readable(12))
export const newReadablePassword = (): string => inFours(readable(16))
