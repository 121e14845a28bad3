import type { ActionResult } from '#ui/action-result.ts'
import { REWARD_CENTS } from '#credits/credit.ts'
import { type Currency, withSymbol } from '#lib/text/currency.ts'

export const rewardText = (currency: Currency) => withSymbol(String(REWARD_CENTS / 100), currency)

const MAX_TESTIMONY = 10_000

export type TestimonyItem = { id: string; name: string }

export type WriteAnswer = ActionResult & {
  isMatched: boolean
  email?: string
  items?: TestimonyItem[]
  testimony?: string
}

export const isTooLong = (testimony: string) => testimony.length > MAX_TESTIMONY

export const isBlank = (testimony: string) => testimony.trim() === ''

const CARD_CAPACITY = { lines: 8, onPhone: 25, onDesk: 48 }

const WIDE_CHARACTER = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g
const widthOf = (text: string) => text.length + (text.match(WIDE_CHARACTER)?.length ?? 0)

export function overflowingScreens(testimony: string) {
  const widths = testimony.trim().split('\n').map(widthOf)
  const linesAt = (lineWidth: number) =>
    widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / lineWidth)), 0)
  if (linesAt(CARD_CAPACITY.onDesk) > CARD_CAPACITY.lines) return 'everywhere'
  return linesAt(CARD_CAPACITY.onPhone) > CARD_CAPACITY.lines ? 'phone' : 'nowhere'
}

export const moderations = ['validate', 'show', 'hide'] as const
export type Moderation = (typeof moderations)[number]

type ModerationState = { isValidated: boolean; showOnPage: boolean }

export function possibleModerations({
  testimony,
  isValidated,
  showOnPage,
}: ModerationState & { testimony: string }): Moderation[] {
  if (showOnPage) return ['hide']
  return moderations.filter((act) =>
    act === 'validate' ? !isValidated : act === 'show' && !isBlank(testimony),
  )
}

export function moderationState({ isValidated, showOnPage }: ModerationState) {
  if (showOnPage) return 'shown'
  return isValidated ? 'notShown' : 'waiting'
}
