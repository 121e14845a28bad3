/** Creates random ids. Ids of users and messages have 15 characters, receipt tags and file names have 8, and ids that must be unguessable have 22. [S-139] */
import { customAlphabet } from 'nanoid'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newId15 = customAlphabet(alphabet, 15)
export const newId8 = customAlphabet(alphabet, 8)
/** Returns an id of 130 random bits. */
export const newSecretId = customAlphabet(alphabet, 22)

export const isId15 = (text: string): boolean => /^[A-Za-z0-9]{15}$/.test(text)
