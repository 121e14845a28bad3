import { pluralizePieces } from './texts.ts'

export const galleryTexts = {
  title: 'Gallery',
  allItemsTitle: 'Everything Handmade',
  favoritesTitle: 'Your Favorites',
  categories: 'Categories',
  all: 'All',
  allItems: 'All items',
  favorites: 'Favorites',
  pages: 'Pages',
  page: (number: number) => `Page ${number}`,
  previous: 'Previous',
  next: 'Next',
  noMatches: 'No items match. Try another word or fewer filters.',
  closeMatches: 'No exact matches. These are close.',
  clearAllFilters: 'Clear all filters',
  searchAllItems: 'Search all items',
  noFavorites: 'No favorites yet. Press the heart on a piece that you like to keep it here.',
  noItems: 'There are no items here yet.',
  seeAllItems: 'See all items',
}

export const galleryFilterTexts = {
  form: 'Pieces',
  searchPieces: 'Search pieces',
  search: 'Search',
  filter: 'Filter',
  active: ' active',
  price: 'Price',
  priceFrom: 'From',
  priceTo: 'To',
  showOnly: 'Show only',
  onSale: 'On sale',
  available: 'Available',
  colors: 'Colors',
  sortBy: 'Sort by',
  featured: 'Featured',
  bestMatch: 'Best match',
  newestFavoriteFirst: 'Newest favorite first',
  show: (count: number) => `Show ${pluralizePieces(count)}`,
  activeFilters: 'Active filters',
  remove: (filter: string) => `Remove ${filter}`,
  clearAll: 'Clear all',
  upToPrice: (price: string) => `Up to ${price}`,
  fromPrice: (price: string) => `From ${price}`,
}

export const sortTexts = {
  newest: 'Newest first',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
  name: 'Name: A to Z',
}
