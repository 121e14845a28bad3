/** Leaving the shop: what goes with an account, what stays, and the texts that say so (035). */

/** What books and history call somebody who has left. */
export const GONE = 'Deleted account'

/** LOGIN-54 */
export const DELETE_FAILED = 'An Error Occured while deleting the User'
export const DELETED = 'Your account and everything in it is deleted. Take care!'
/** ROLES-16 */
export const OWNER_STAYS = 'The owner’s account cannot be deleted: nobody could run the shop without it.'

/** What would go with an account, counted. */
export type Belongings = { favourites: number; messages: number; pictures: number; testimonies: number; purchases: number; asked: string[] }

const many = (count: number, one: string, more: string): string[] => (count > 0 ? [count === 1 ? `1 ${one}` : `${count} ${more}`] : [])

/** "1 favorite, 12 messages with 3 pictures and 1 testimony"; empty for an account without anything. */
export function goesText({ favourites, messages, pictures, testimonies }: Belongings): string {
  const parts = [
    ...many(favourites, 'favorite', 'favorites'),
    ...many(messages, 'message', 'messages').map((text) => [text, ...many(pictures, 'picture', 'pictures')].join(' with ')),
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
  `This stays, as the law asks: the record of ${purchases === 1 ? '1 purchase' : `${purchases} purchases`}, with what was paid and without ${whose} name, address and photo.`

/** What the owner sees of the account that a customer asks about. */
export type DataRequest = {
  email: string
  found: { id: string; name: string; email: string; since: string; belongings: Belongings } | null
  refusal: string | null
}

export const NO_ACCOUNT = 'No account has this e-mail address.'
export const requestTexts = {
  own: 'This is your own account. It stays, and your own data stand on your account page.',
  done: 'The account is deleted.',
}
