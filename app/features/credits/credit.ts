import type { Cents } from '#pricing/money.ts'

export const REWARD_CENTS: Cents = 500

type CreditState = 'open' | 'used'
export type CreditAction = 'use' | 'release'
type Transition = { by: 'customer' | 'owner'; from: CreditState; to: CreditState }

export const creditTransitions: Record<CreditAction, Transition> = {
  use: { by: 'customer', from: 'open', to: 'used' },
  release: { by: 'owner', from: 'used', to: 'open' },
}

export type Credit = { code: string; cents: Cents; state: CreditState }

export const creditState = ({ usedAt }: { usedAt: number | null }): CreditState =>
  usedAt === null ? 'open' : 'used'

/** Returns for example "K7QM-4XPD", or null. */
export function parseCreditCode(typed: string): string | null {
  const plain = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')
  return /^[2-9A-HJKMNP-Z]{8}$/.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : null
}

export type CreditValues = { credit: string; creditCode: string }
