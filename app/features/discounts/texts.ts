import { pluralize } from '#ui/format-count.ts'

export const discountsTexts = {
  title: 'Discounts',
  list: (names: readonly string[], count: number) => {
    const more = count > names.length ? [`${count - names.length} more`] : []
    return new Intl.ListFormat('en-GB').format([...names, ...more])
  },
}

export const discountFieldTexts = {
  type: 'Discount type',
  amount: 'Amount',
  percent: 'Percent',
  value: 'Value',
  example: 'Enter a number such as 12.50',
}

export const colorsDiscountTexts = {
  title: 'Colors Discount',
  color: 'Color',
  selectColor: 'Select a color',
  go: 'Go',
  remove: 'Remove',
  onSale: 'Colors on sale',
  noneOnSale: 'Empty',
}

export const itemsDiscountTexts = {
  title: 'Items Discount',
  search: 'Items',
  onSale: 'Select Items on Sale',
  name: 'Name',
  comparison: 'Comparison',
  comparisonHint: 'Price without discount: >= at least, == exactly, <= at most.',
  price: 'Price',
  category: 'Category',
  allCategories: 'All Categories',
  submit: 'Search',
  reset: 'Reset',
  noItems: 'No items found.',
  selectAll: 'Select All',
  selected: (count: number, total: number) => `${count} of ${total} selected`,
  columns: 'Columns',
  columnCount: (count: number) => pluralize(count, 'column'),
  showMore: (count: number) => `Show ${count} more`,
  shown: (count: number, total: number) => `${count} of ${total} shown`,
  panel: 'Discount of the selected items',
  apply: 'Apply',
  remove: 'Remove Discount',
  yes: 'Yes',
  no: 'No',
}

export const discountTexts = {
  noColor: 'Please select a color to put on sale...',
  notAboveZero: 'Please Enter a number above 0',
  aboveMaximum: 'A discount is at most 100 percent',
  noColorToRemove: 'Please select a color to remove',
  colorOnSale: 'Successfully put Color on Sale',
  colorRemoved: 'Successfully Removed Color Sale',
  noItems: 'Please select some items to put on sale',
  invalidValue: (value: string, type: string) => `Cannot put item on sale with ${value} ${type}`,
  applyQuestion: (count: number, discount: string) =>
    `Put ${count} item(s) on sale with ${discount} discount.`,
  removeQuestion: (count: number) => `Remove the discount of ${count} item(s)?`,
  freeWarning: (count: number, nothing: string, names: string) =>
    `${count} of them would cost ${nothing}: ${names}.`,
  itemsOnSale: 'Successfully put Items on Sale',
  itemsRemoved: 'Successfully Removed Item Discount',
  failed: 'An error occured while updating the database',
}

export const undoTexts = {
  lastChange: 'Last change',
  items: (count: number) => `${count} items`,
  onSale: (name: string, discount: string) => `${name} on sale with ${discount}.`,
  ended: (name: string) => `Sale of ${name} ended.`,
  undo: 'Undo',
  dismiss: 'Dismiss',
  undone: 'The previous discounts are restored.',
  notRestored: (names: string) => `Not restored, because they were changed since then: ${names}.`,
  deleted: (count: number) => `Deleted since then: ${count}.`,
  nothingUndone: 'This was undone already, or it was too long ago.',
}
