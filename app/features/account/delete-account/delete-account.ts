/** Leaving the shop: what goes with an account, what stays, and the texts that say so (035). */
import { countText } from '#app/ui/amounts.ts'
import type { Belongings } from '#app/features/auth/belongings.server.ts'

/** What books and history call somebody who has left. */
export const GONE = 'Deleted account'

/** LOGIN-54 */
export const DELETE_FAILED = 'An Error Occured while deleting the User'
export const DELETED = 'Your account and everything in it is deleted. Take care!'
/** ROLES-16 */
export const OWNER_STAYS = 'The owner’s account cannot be deleted: nobody could run the shop without it.'

const many = (count: number, ...words: [one: string, many?: string]): string[] => (count > 0 ? [countText(count, ...words)] : [])

/** "1 favorite, 12 messages with 3 pictures and 1 testimony"; empty for an account without anything. */
export function goesText({ favourites, messages, pictures, testimonies }: Belongings): string {
  const parts = [
    ...many(favourites, 'favorite'),
    ...many(messages, 'message').map((text) => [text, ...many(pictures, 'picture')].join(' with ')),
    ...many(testimonies, 'testimony', 'testimonies'),
  ]
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

const MOST_NAMED = 3

export function askedText(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `What is asked for is withdrawn: ${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

export const staysText = (purchases: number, whose: 'your' | 'their'): string =>
  `This stays, as the law asks: the record of ${countText(purchases, 'purchase')}, with what was paid and without ${whose} name, address and photo.`

/** What the owner sees of the account that a customer asks about. */
export type DataRequest = {
  email: string
  found: { id: string; name: string; email: string; since: number; belongings: Belongings } | null
  refusal: string | null
}

export const NO_ACCOUNT = 'No account has this e-mail address.'
export const requestTexts = {
  own: 'This is your own account. It stays, and your own data stand on your account page.',
  done: 'The account is deleted.',
}
