/** Creates random ids: of 15 characters for users and messages, of 8 for receipt tags and file names, and of 22 for ids that must be unguessable. [S-139] */
import { customAlphabet } from 'nanoid'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newId15 = customAlphabet(alphabet, 15)
export const newId8 = customAlphabet(alphabet, 8)
/** Returns an id of 130 random bits. */
export const newSecretId = customAlphabet(alphabet, 22)

export const isId15 = (text: string): boolean => /^[A-Za-z0-9]{15}$/.test(text)
