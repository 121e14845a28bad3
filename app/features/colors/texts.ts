import { pluralize } from '#ui/format-count.ts'

export const colorsTexts = {
  title: 'Colors',
  filter: 'Colors',
  find: 'Find a color',
  show: 'Show',
  all: 'All',
  lowStock: 'Low stock',
  notAvailable: 'Not available',
  none: 'No colors yet. Add the first one above.',
  noMatches: 'No colors match.',
  count: (count: number) => pluralize(count, 'color'),
}

export const colorFormTexts = {
  addColor: 'Add Color',
  name: 'Name',
  noName: 'Please enter a name',
  tooLong: (most: number) => `At most ${most} characters`,
  image: 'Image',
  adding: 'Adding…',
  added: (color: string) => `${color} is added`,
  edit: (color: string) => `Edit ${color}`,
  editQuestion: (color: string) => `Edit the color ${color}`,
  anotherImage: 'Another image',
  save: 'Save',
  saving: 'Saving…',
  cancel: 'Cancel',
}

export const colorFlagTexts = {
  isAvailable: 'available',
  isLowOnStock: 'low stock',
}

export const deleteColorTexts = {
  delete: (color: string) => `Delete ${color}`,
  question: (color: string) => `Delete the color ${color}?`,
  unused: 'No piece uses it.',
  used: (count: number) =>
    `Used by ${pluralize(count, 'piece')}. Their pages will no longer show it:`,
  more: (count: number) => `and ${count} more`,
  discount: (discount: string) => `Its discount, ${discount}, is deleted with it.`,
}
