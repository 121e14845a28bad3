/** Contains the rules of testimonies that server and browser share. [S-039] */
import { type Credit, REWARD_CENTS } from '#app/features/credits/credit.ts'
import { type Currency, withSymbol } from '#app/lib/text/currency.ts'

/** Returns the discount that a buyer gets for a testimony, such as "$5". */
export const rewardText = (currency: Currency): string =>
  withSymbol(String(REWARD_CENTS / 100), currency)

/** The carousel shows each testimony for SLIDE_MS. In the testimony form, the next step opens after STEP_MS. [TESTI-02, TESTI-18] */
export const SLIDE_MS = 7000
export const STEP_MS = 1000
const MAX_TESTIMONY = 10_000

export type TestimonyItem = { id: string; name: string }
export type ShownTestimony = {
  id: string
  writerName: string
  writerPhotoURL: string
  testimony: string
  items: TestimonyItem[]
}

export type Ticket =
  | { state: 'unknown' }
  | { state: 'taken'; writerName: string; writerPhotoURL: string; credit: Credit | null }
  | { state: 'open'; writerName: string; writerPhotoURL: string }

/** `testimony` is the text of a refused testimony, so that the form can show the text again. */
export type WriteAnswer = {
  isMatched: boolean
  email?: string
  items?: TestimonyItem[]
  testimony?: string
  error?: string
}

export const isTooLong = (testimony: string): boolean => testimony.length > MAX_TESTIMONY

export const isBlank = (testimony: string): boolean => testimony.trim() === ''

/** A card shows at most `lines` lines of a testimony. `onPhone` and `onDesk` are the characters that fit into a line on a phone and on a wide screen. */
const CARD_CAPACITY = { lines: 8, onPhone: 25, onDesk: 48 }

/** A Chinese, Japanese or Korean character is as wide as two other characters. */
const WIDE_CHARACTER = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g
const widthOf = (text: string): number => text.length + (text.match(WIDE_CHARACTER)?.length ?? 0)

/** Returns on which screens the text may be too long for the card. On these screens, the card has a button that shows the full text. */
export function overflowingScreens(testimony: string): 'nowhere' | 'phone' | 'everywhere' {
  const widths = testimony.trim().split('\n').map(widthOf)
  const linesAt = (lineWidth: number) =>
    widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / lineWidth)), 0)
  if (linesAt(CARD_CAPACITY.onDesk) > CARD_CAPACITY.lines) return 'everywhere'
  return linesAt(CARD_CAPACITY.onPhone) > CARD_CAPACITY.lines ? 'phone' : 'nowhere'
}

export const moderations = ['validate', 'show', 'hide'] as const
export type Moderation = (typeof moderations)[number]
export type ModerationRefusal = 'gone' | 'changed' | 'blank'

type ModerationState = { isValidated: boolean; isShown: boolean }

/** Returns the actions that the owner can take on a testimony. She cannot show a blank testimony to visitors. [S-044] */
export function possibleModerations({
  testimony,
  isValidated,
  isShown,
}: ModerationState & { testimony: string }): Moderation[] {
  if (isShown) return ['hide']
  return moderations.filter((act) =>
    act === 'validate' ? !isValidated : act === 'show' && !isBlank(testimony),
  )
}

export const moderationState = ({ isValidated, isShown }: ModerationState) =>
  isShown ? 'shown' : isValidated ? 'notShown' : 'waiting'
