export const categoriesTexts = {
  title: 'Categories',
  intro:
    'Visitors see them in this order. Changes are saved when you press Enter or leave a field.',
  order: 'Order of categories',
  edit: 'Edit',
  editCategory: (category: string) => `Edit ${category}`,
  sample: { dark: 'In the dark theme', light: 'In the light theme' },
  hide: 'Hide',
  show: 'Show',
  ofCategory: (act: string, category: string) => `${act}: ${category}`,
  done: {
    hide: 'Hidden. Visitors do not see this category.',
    show: 'Visitors see this category again.',
  },
  isHidden: 'Hidden',
  isEmpty: 'Empty',
  hidden: 'Visitors do not see this category. Its pieces stay in the shop.',
  empty: 'Visitors see it once it contains a piece.',
}

export const categoryFormTexts = {
  title: 'Title',
  noTitle: 'Please enter a title',
  tooLong: (most: number) => `At most ${most} characters`,
  themeColor: 'Theme color',
  pickThemeColor: (category: string) => `Pick the theme color of ${category}`,
  noColor: 'Please choose a color such as #c98a5e',
  save: 'Save',
  saveCategory: (category: string) => `Save ${category}`,
  saving: 'Saving…',
  saved: 'Saved',
  savedElsewhere: (title: string) =>
    `Another window has just saved “${title}”. Saving replaces it with yours.`,
  replaced: (title: string) => `Saved over “${title}”, which another window had just saved`,
}

export const categoryImageTexts = {
  image: 'Image',
  add: 'Add image',
  change: 'Change image',
  ofCategory: (act: string, category: string) => `${act} of ${category}`,
  uploading: 'Uploading…',
}

export const newCategoryTexts = {
  row: 'Add new category',
  add: 'Add',
  impossible: 'Cannot add new Categories at the moment',
}

export const defaultTitles = {
  'wall-hangings': 'Wall Hangings',
  'plant-hangers': 'Plant Hangers',
  bags: 'Bags',
  'key-chains': 'Key Chains',
  coasters: 'Coasters',
  more: 'More',
}
