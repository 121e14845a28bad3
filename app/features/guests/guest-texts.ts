/** What a guest is told on the way to a lasting account (033); section 8 has no texts for it. */

export const KEPT = 'Your account is kept. Welcome!'
export const MOVED = 'Everything has moved to your account. Welcome back!'
export const NOT_MOVED = 'Nothing has moved. You are still a guest.'

export type MoveRefusal = 'not-a-guest' | 'unproven' | 'changed' | 'failed'

export const moveTexts: Record<MoveRefusal, string> = {
  'not-a-guest': 'You are no guest any more, so there is nothing to move.',
  unproven: 'Please log in to your account once more, so that nobody else can take your things over.',
  changed: 'Something has changed meanwhile. Please look at the list again.',
  failed: 'Nothing has moved, and nothing is lost. Please try again.',
}

/** S-212: said before any password is looked at, so that it tells nothing about it. */
export const OWNERS_OWN = "The owner's account takes nothing over. To log in as the owner, log out as a guest first."

const count = (number: number, one: string, many: string) => `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`

export type WhatMoves = {
  /** of the account it moves to */
  email: string
  favourites: number
  /** of them, those that are among the account's already */
  favouritesThere: number
  messages: number
  pictures: number
  /** names of the unsold pieces of an open order */
  asked: string[]
  sold: number
  /** the account has a conversation of its own, which goes on with the guest's messages */
  hasConversation: boolean
  /** says whether what was shown is still what there is */
  version: string
}

const alreadyThere = (all: number, there: number) =>
  there === 0 ? '' : there < all ? `, ${there.toLocaleString('en-US')} of them there already` : ', already there'

/** One line for each kind; none for what there is none of. */
export function linesOf({ favourites, favouritesThere, messages, pictures, asked, sold }: WhatMoves): string[] {
  const lines: string[] = []
  if (favourites > 0) lines.push(count(favourites, 'favorite', 'favorites') + alreadyThere(favourites, favouritesThere))
  if (messages > 0) lines.push(count(messages, 'message', 'messages'))
  if (pictures > 0) lines.push(count(pictures, 'picture', 'pictures'))
  if (asked.length > 0) lines.push(`${count(asked.length, 'piece', 'pieces')} you asked for: ${asked.join(', ')}`)
  if (sold > 0) lines.push(count(sold, 'piece that you bought', 'pieces that you bought'))
  return lines
}
