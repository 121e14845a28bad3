/** Contains the rules of one-of-a-kind items: who can buy an item, and which actions change this. */
import type { ItemKind, ItemState } from '#db/schema.ts'
import { dayAndTime, formatDay } from '#app/ui/format-date.ts'
import { availabilityTexts as texts } from './availability-texts.ts'

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

/**
 * Lists every action that changes the availability of a one-of-a-kind item. While the item is on hold for one customer, actions of other conversations
 * are refused. docs/states.md draws this table. [AGREE-29]
 */
export const availabilityTransitions: Record<AvailabilityAction, Transition> = {
  // The owner sends an offer that contains the item, or presses the button "Hold" in the order panel.
  hold: { by: 'owner', from: ['available', 'on-hold'], to: 'on-hold' },
  // The customer accepts an offer that contains the item.
  keep: { by: 'customer', from: ['available', 'on-hold'], to: 'on-hold' },
  release: { by: 'owner', from: ['on-hold'], to: 'available' },
  end: { by: 'time', from: ['on-hold'], to: 'available' },
  sell: { by: 'owner', from: ['available', 'on-hold'], to: 'sold' },
  'undo-sale': { by: 'owner', from: ['sold'], to: 'available' },
  'sell-again': { by: 'owner', from: ['sold'], to: 'available' },
}

/** `until` is the first millisecond at which the item is no longer on hold. */
export type Hold = { orderId: string; until: number }
/** The end of a hold that has no end. The hold of an accepted offer lasts until the sale, or until the owner cancels the agreement. */
export const NO_END = Date.UTC(9999, 11, 31)

/** A hold ends at its time, even if the job has not deleted it yet. Only one-of-a-kind items can be on hold. [AGREE-24] */
export function availabilityAt(
  item: { kind: ItemKind; state: ItemState; hold: Hold | null },
  now: number,
): Availability {
  if (item.state === 'sold') return 'sold'
  return item.kind === 'unique' && item.hold !== null && item.hold.until > now
    ? 'on-hold'
    : 'available'
}

const DAY_MS = 86_400_000

/** Returns for example "Friday" for a hold that ends within a week, "March 20" for a hold that ends later, and '' for a hold without end. [AGREE-25] */
export function holdDay(until: number, now: number, timeZone: string): string {
  if (until >= NO_END) return ''
  const last = until - 1
  const noonOf = (at: number) => Date.parse(`${dayAndTime(at, timeZone)[0]}T12:00:00Z`)
  return formatDay(last, timeZone, noonOf(last) - noonOf(now) < 7 * DAY_MS)
}

export function holdText({ until }: Hold, isOwn: boolean, now: number, timeZone: string): string {
  const day = holdDay(until, now, timeZone)
  return isOwn ? texts.onHoldForYou(day) : texts.onHold(day)
}
