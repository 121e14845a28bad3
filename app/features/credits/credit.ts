/** Contains the rules of credits. A customer earns a credit with a testimony, and uses it once, in an offer. */
import type { Cents } from '#app/features/pricing/money.ts'

/** The amount of the credit that a testimony earns. */
export const REWARD_CENTS: Cents = 500

type CreditState = 'open' | 'used'
export type CreditAction = 'use' | 'release'
type Transition = { by: 'customer' | 'owner'; from: CreditState; to: CreditState }

/** Lists every action that changes the state of a credit: the customer accepts an offer that uses the credit, or the owner cancels this agreement or deletes its conversation. docs/states.md draws this table. [AGREE-65] */
export const creditTransitions: Record<CreditAction, Transition> = {
  use: { by: 'customer', from: 'open', to: 'used' },
  release: { by: 'owner', from: 'used', to: 'open' },
}

export type Credit = { code: string; cents: Cents; state: CreditState }

export const creditState = ({ usedAt }: { usedAt: number | null }): CreditState =>
  usedAt === null ? 'open' : 'used'

/** Returns the code as it is stored, such as "K7QM-4XPD", or null if the text is not a code. Dashes, spaces and upper or lower case do not matter. */
export function parseCreditCode(typed: string): string | null {
  const plain = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')
  return /^[2-9A-HJKMNP-Z]{8}$/.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : null
}

/** `credit` is the code of the credit that the owner has ticked, and `creditCode` is a code that she has typed. */
export type CreditValues = { credit: string; creditCode: string }
