/** Random ids (S-139): 15 characters for users and messages, 8 for receipt tags and file names, 22 where nobody may guess. */
import { customAlphabet } from 'nanoid'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** CONST-04, CONST-05: ids of contact users and of messages. */
export const newId15 = customAlphabet(letters, 15)
/** CONST-06, S-071: receipt tags and stored file names. */
export const newId8 = customAlphabet(letters, 8)
/** At least 128 random bits (22 characters of 62 hold 130): tickets. */
export const newSecretId = customAlphabet(letters, 22)

export const isId15 = (text: string): boolean => /^[A-Za-z0-9]{15}$/.test(text)
