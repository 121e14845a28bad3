/** What stands in a NOTIFY on the shop's channel (043). Whoever may connect to the database may say anything there. */

/** Topics end in ids, greetings in UUIDs; PostgreSQL takes 8000 bytes in all. */
const LONGEST_WORD = 200

/** The words of a message; null: the shop has not said it. */
export function readTold(text: string): [string, ...(string | null)[]] | null {
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(told) || !isWord(told[0])) return null
  return told.every((word) => word === null || isWord(word)) ? (told as [string, ...(string | null)[]]) : null
}

const isWord = (word: unknown) => typeof word === 'string' && word.length > 0 && word.length <= LONGEST_WORD

export const areWords = (words: (string | null)[]): words is string[] => !words.includes(null)
