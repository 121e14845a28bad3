import { customAlphabet } from 'nanoid'

export const groupByFour = (text: string, between = '-') =>
  text.replace(/(.{4})(?=.)/g, `$1${between}`)

const readable = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz')

/** 59 random bits are enough, because attempts are limited. */
export const newRecoveryCode = () => groupByFour(readable(12))
/** 39 random bits are enough, because only the owner of the credit can use the code. */
export const newCreditCode = () => groupByFour(readable(8)).toUpperCase()
export const newReadablePassword = () => groupByFour(readable(16))
