/** The gallery's texts are in gallery-texts.ts, which item pages do not load. */
import { pluralize } from '#ui/format-count.ts'
import type { OptionalItemText } from './item-fields.ts'

export const pluralizePieces = (count: number) => pluralize(count, 'piece')

export const stockTexts = {
  notAvailable: 'Not available',
  lowOnStock: 'Low on stock',
}

export const itemCardTexts = {
  colors: (names: string) => `Colors: ${names}`,
  favorite: (item: string) => `Favorite: ${item}`,
  seeAll: (count: number) => `See all ${count}`,
}

export const favoriteTexts = {
  signedOut: 'Please log in to mark favorites.',
  noItem: 'This item is no longer in the shop.',
  failed: 'Your favorite could not be saved. Please try again.',
}

export const itemPageTexts = {
  trail: 'You are here',
  gallery: 'Gallery',
  colors: 'Colors Used',
  colorHint: (color: string, hint: string) => `${color}: ${hint}`,
  readMore: 'Read more',
  readLess: 'Read less',
  measures: { width: 'Width', soleType: 'Soletype', size: 'Size' } satisfies Record<
    OptionalItemText,
    string
  >,
  shipsFrom: (place: string) => `Ships from ${place}`,
  orderRequest: 'Order Request',
  favorites: 'Your Favorite Items',
  noFavorites: 'No favorites yet. Press the heart beside a name to keep a piece here.',
  mostOrdered: 'Customers Most Ordered',
  similar: 'You May Also Like',
  samples: 'A few samples, until the first orders have come in.',
}

export const itemNotFoundTexts = {
  title: 'This item was not found',
  hint: 'It may have found its home already.',
  gallery: 'Browse the gallery',
}

export const itemImageTexts = {
  none: 'No picture yet',
  alt: (item: string, colors: string) => (colors ? `${item} in ${colors}` : item),
  enlarge: ', enlarge',
  previous: 'Previous picture',
  next: 'Next picture',
  shownIn: (colors: string) => `Shown in ${colors}`,
  position: (number: number, count: number) => `Picture ${number} of ${count}`,
  images: 'Pictures',
  unavailablePosition: (number: number, count: number) =>
    `Picture ${number} of ${count}, not available`,
}

export const itemZoomTexts = {
  title: (item: string) => `Pictures of ${item}`,
  position: (number: number, count: number) => `${number} of ${count}`,
  close: 'Close',
  fullSize: (number: number) => `Picture ${number}, full size`,
  zoomOut: 'Press to see the whole image',
  zoomIn: 'Press to zoom in',
}
