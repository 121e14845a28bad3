/** Random words to be typed from paper or from a terminal: without signs that look alike. */
import { customAlphabet } from 'nanoid'
import { inFours } from './in-fours.ts'

const readable = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz')

/** 12 characters of 31 hold 59 bits, and tries are few. */
export const newRecoveryCode = (): string => inFours(readable(12))
/** 79 bits */
export const newReadablePassword = (): string => inFours(readable(16))
