/**
 * Ids of users and messages have 15 characters, of receipts and files 8, and secret ids 22. [S-139]
 */
import { customAlphabet } from 'nanoid'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newId15 = customAlphabet(alphabet, 15)
export const newId8 = customAlphabet(alphabet, 8)
export const newSecretId = customAlphabet(alphabet, 22)

export const isId15 = (text: string) => /^[A-Za-z0-9]{15}$/.test(text)
