/** What buyers write about what they bought, and the texts of the page on which they write it. */

/** TESTI-02, TESTI-03, TESTI-18: milliseconds */
export const TURN_EVERY = 7000
export const STEP_EVERY = 1000
export const MAX_TESTIMONY = 10_000

/** DATA-083: the carousel reads of an item only id and name. */
export type TestimonyItem = { id: string; name: string }
export type ShownTestimony = { id: string; writerName: string; writerPhotoURL: string; testimony: string; items: TestimonyItem[] }

export type Ticket =
  | { state: 'unknown' }
  | { state: 'taken'; writerName: string; writerPhotoURL: string }
  | { state: 'open'; writerName: string; writerPhotoURL: string }

export const testimonyTexts = {
  unknown: 'Nothing here but Knots and Love',
  allSet: "You're All set!",
  mismatch: 'This is not the e-mail of the purchase. Type it exactly as you gave it, capital letters included.',
  tooMany: 'Too many tries. Please wait a few minutes and try again.',
  tooLong: 'Please keep the text under 10,000 characters',
  reward: 'The writer received $5 OFF for this review.',
} as const

/** TESTI-24, S-047 */
export const thanksText = (name: string): string => `Thank you ${name || 'Guest'}, you qualify for $5 OFF!`

/** What the write page's action answers. */
export type WriteAnswer = { isMatched: boolean; email?: string; items?: TestimonyItem[]; testimony?: string; error?: string }
