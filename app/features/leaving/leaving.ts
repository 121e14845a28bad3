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
