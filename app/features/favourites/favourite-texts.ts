/** What is said when a favourite could not be changed. */

export type FavouriteRefusal = 'signed-out' | 'no-item' | 'failed'

export const favouriteTexts: Record<FavouriteRefusal, string> = {
  'signed-out': 'Please log in to mark favorites.',
  'no-item': 'This item is no longer in the shop.',
  failed: 'Your favorite could not be saved. Please try again.',
}
