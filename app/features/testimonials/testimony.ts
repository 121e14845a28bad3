/** What buyers write about what they bought: its rules, what the owner may do with it (S-039), and the texts of the pages on which it is read, written and moderated. */

/** TESTI-02, TESTI-18: milliseconds; the fade of TESTI-03 stands in the carousel's styles */
export const TURN_EVERY = 7000
export const STEP_EVERY = 1000
const MAX_TESTIMONY = 10_000

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
  tooLong: 'Please keep the text under 10,000 characters',
  notReached: 'The shop could not be reached. Please try again in a moment.',
  reward: 'The writer received $5 OFF for this review.',
} as const

/** TESTI-24, S-047 */
export const thanksText = (name: string): string => `Thank you ${name || 'Guest'}, you qualify for $5 OFF!`

/** What the write page's action answers. Where it holds a testimony, that is a text to keep. */
export type WriteAnswer = { isMatched: boolean; email?: string; items?: TestimonyItem[]; testimony?: string; error?: string }

export const isTooLong = (testimony: string): boolean => testimony.length > MAX_TESTIMONY

/** S-044: nothing that anybody could read. */
export const isBlank = (testimony: string): boolean => testimony.trim() === ''

/** The lines that a card has room for, and the letters that surely fit into one. */
const ROOM = { lines: 8, onPhone: 25, onDesk: 48 }

/** Where a text does not fit into its card, so that the rest has to be opened; rather too early than too late. */
export function overflowOf(testimony: string): 'nowhere' | 'phone' | 'everywhere' {
  const paragraphs = testimony.trim().split('\n')
  const linesAt = (letters: number) => paragraphs.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / letters)), 0)
  if (linesAt(ROOM.onDesk) > ROOM.lines) return 'everywhere'
  return linesAt(ROOM.onPhone) > ROOM.lines ? 'phone' : 'nowhere'
}

export const moderations = ['validate', 'show', 'hide'] as const
export type Moderation = (typeof moderations)[number]
export type ModerationRefusal = 'gone' | 'changed' | 'blank'

export type Looked = { isValidated: boolean; isShown: boolean }

export const moderationTexts: Record<Moderation | ModerationRefusal, string> = {
  validate: 'Validated. It is not shown yet.',
  show: 'Shown on the Testimonials page',
  hide: 'No longer shown',
  gone: 'This testimony does not exist any more',
  changed: 'This testimony was changed meanwhile. Here is how it stands now.',
  blank: 'There is nothing to show: the writer left it blank',
}

/** What is shown has been looked at, so showing validates as well; a blank one is never shown (S-044). */
export function possibleActs({ testimony, isValidated, isShown }: Looked & { testimony: string }): Moderation[] {
  if (isShown) return ['hide']
  return moderations.filter((act) => (act === 'validate' ? !isValidated : act === 'show' && !isBlank(testimony)))
}

export const stateOf = ({ isValidated, isShown }: Looked): string => (isShown ? 'Shown' : isValidated ? 'Not shown' : 'Waiting')
