import type { ItemKind, ItemState } from '#db/schema.ts'
import { dayAndTime, formatDay } from '#ui/format-date.ts'

export type Availability = 'available' | 'on-hold' | 'sold'
export type AvailabilityAction =
  | 'hold'
  | 'keep'
  | 'release'
  | 'end'
  | 'sell'
  | 'undo-sale'
  | 'sell-again'
type Transition = {
  by: 'owner' | 'customer' | 'time'
  from: readonly Availability[]
  to: Availability
}

/** A conversation can only hold or sell an item that no other conversation holds. [AGREE-29] */
export const availabilityTransitions: Record<AvailabilityAction, Transition> = {
  hold: { by: 'owner', from: ['available', 'on-hold'], to: 'on-hold' },
  keep: { by: 'customer', from: ['available', 'on-hold'], to: 'on-hold' },
  release: { by: 'owner', from: ['on-hold'], to: 'available' },
  end: { by: 'time', from: ['on-hold'], to: 'available' },
  sell: { by: 'owner', from: ['available', 'on-hold'], to: 'sold' },
  'undo-sale': { by: 'owner', from: ['sold'], to: 'available' },
  'sell-again': { by: 'owner', from: ['sold'], to: 'available' },
}

/** The server writes these texts into a page's data, so browsers do not load this file. */
export const availabilityTexts = {
  onHold: (day: string) => (day ? `On hold until ${day}` : 'On hold'),
  onHoldForYou: (day: string) => (day ? `On hold for you until ${day}` : 'On hold for you'),
  oneOfAKind: 'One of a kind',
  canStillAsk:
    'One of a kind. You can still ask for it: if the hold ends, the maker can offer it to you.',
  sold: 'Sold',
  soldCard: 'Sold · ask for one like it',
}

/** `until` is the first millisecond after the hold. */
export type Hold = { orderId: string; until: number }

/** The hold of an accepted offer lasts until the sale or the end of the agreement. */
export const NO_END = Date.UTC(9999, 11, 31)

/** A hold ends at its time, even if its row still exists. [AGREE-24] */
export function availabilityAt(
  { kind, state, hold }: { kind: ItemKind; state: ItemState; hold: Hold | null },
  now: number,
): Availability {
  if (state === 'sold') return 'sold'
  return kind === 'unique' && hold !== null && hold.until > now ? 'on-hold' : 'available'
}

const DAY_MS = 86_400_000

/** Returns 'Friday' within a week, 'March 20' later, and '' without an end. [AGREE-25] */
export function holdDay(until: number, now: number, timeZone: string) {
  if (until >= NO_END) return ''
  const last = until - 1
  const noonOf = (at: number) => Date.parse(`${dayAndTime(at, timeZone)[0]}T12:00:00Z`)
  return formatDay(last, timeZone, noonOf(last) - noonOf(now) < 7 * DAY_MS)
}
