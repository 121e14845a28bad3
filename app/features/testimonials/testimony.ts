/** Rules of testimonies. [S-039] */
import { type Currency, withSymbol } from '#app/lib/text/currency.ts'

/** Returns "$5", the discount on the next purchase that a buyer gets for a testimony. */
export const rewardText = (currency: Currency): string => withSymbol('5', currency)

/** Milliseconds [TESTI-02, TESTI-18]; the fade of TESTI-03 is in the carousel's CSS. */
export const SLIDE_MS = 7000
export const STEP_MS = 1000
const MAX_TESTIMONY = 10_000

export type TestimonyItem = { id: string; name: string }
export type ShownTestimony = { id: string; writerName: string; writerPhotoURL: string; testimony: string; items: TestimonyItem[] }

export type Ticket =
  | { state: 'unknown' }
  | { state: 'taken'; writerName: string; writerPhotoURL: string }
  | { state: 'open'; writerName: string; writerPhotoURL: string }

/** The response returns an unsent testimony to the form. */
export type WriteAnswer = { isMatched: boolean; email?: string; items?: TestimonyItem[]; testimony?: string; error?: string }

export const isTooLong = (testimony: string): boolean => testimony.length > MAX_TESTIMONY

export const isBlank = (testimony: string): boolean => testimony.trim() === ''

/** A card shows this many lines; this many characters surely fit into a line. */
const CARD_CAPACITY = { lines: 8, onPhone: 25, onDesk: 48 }

/** Says on which screens the card cuts the text, too early rather than too late. */
export function overflowIndex(testimony: string): 'nowhere' | 'phone' | 'everywhere' {
  const paragraphs = testimony.trim().split('\n')
  const linesAt = (lineLength: number) => paragraphs.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)), 0)
  if (linesAt(CARD_CAPACITY.onDesk) > CARD_CAPACITY.lines) return 'everywhere'
  return linesAt(CARD_CAPACITY.onPhone) > CARD_CAPACITY.lines ? 'phone' : 'nowhere'
}

export const moderations = ['validate', 'show', 'hide'] as const
export type Moderation = (typeof moderations)[number]
export type ModerationRefusal = 'gone' | 'changed' | 'blank'

export type ModerationState = { isValidated: boolean; isShown: boolean }

/** Showing a testimony also validates it; a blank one is never shown. [S-044] */
export function possibleModerations({ testimony, isValidated, isShown }: ModerationState & { testimony: string }): Moderation[] {
  if (isShown) return ['hide']
  return moderations.filter((act) => (act === 'validate' ? !isValidated : act === 'show' && !isBlank(testimony)))
}

export const moderationState = ({ isValidated, isShown }: ModerationState) => (isShown ? 'shown' : isValidated ? 'notShown' : 'waiting')
