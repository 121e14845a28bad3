import type { ItemFormValues } from '#catalog/item-fields.ts'
import { pluralize } from '#ui/format-count.ts'

export const itemListTexts = {
  title: 'Merchandise',
  selectItem: 'Select Item',
  addNewItem: 'Add New Item',
  searchForm: 'Items',
  search: 'Search items',
  found: (count: number, text: string) =>
    count === 0 ? `Nothing found for “${text}”` : `${pluralize(count, 'item')} found`,
  showAllCategories: 'Show all categories',
  noItems: 'No Items',
  showItems: (count: number) => `Show ${pluralize(count, 'item')}`,
  theSearch: 'the search',
  pages: (list: string) => `Parts of ${list}`,
  previous: 'Previous',
  position: (page: number, lastPage: number) => `${page} of ${lastPage}`,
  more: 'More',
}

export const itemFormTexts = {
  unreadable: 'Some of the characters could not be read',
  newItem: 'New Item',
  delete: 'Delete',
  deleteItem: (item: string) => `Delete ${item}`,
  deleteQuestion: (item: string) => `Delete ${item}?`,
  deletedMeanwhile:
    'This item and its images were deleted in the meantime. You can still save what is typed here as a new item; choose its images again.',
  noLongerThere: 'This item no longer exists.',
  noSuchItem: 'This item no longer exists. This form adds a new one.',
  noCategories:
    'There are no categories yet, and every item needs one. The shop creates the first ones at its next start.',
  discard: 'Discard',
  draftRestored: 'Your unsaved changes are back.',
  draftOutdated:
    ' The item was changed since then. You will be asked before anything is overwritten.',
  useStored: 'Use the stored one',
  changedElsewhere:
    'This item was changed somewhere else. You will be asked before anything is overwritten.',
  filesLost: 'Your files were not uploaded; please choose them again below.',
  requiredHint: 'Properties with * are required',
  draftHint: 'A draft needs only a name and a category.',
  selectCategory: 'Select a category',
  tooLong: (most: number, length: number) =>
    `Please Use at Most ${most} Characters (now ${length})`,
  saving: 'Saving…',
  saveDraft: 'Save Draft',
  saveAsDraft: 'Save as Draft',
  publish: 'Publish',
  saveAsNew: 'Save as a New Item',
  update: 'Update Item',
  add: 'Add Item',
  noKind: 'Please choose a kind of the list',
  kinds: { '': 'Not specified', unique: 'One of a kind', 'made-to-order': 'Made to order' },
}

export const itemActionTexts = {
  states: { draft: 'Draft', retired: 'Not for sale', sold: 'Sold' },
  see: 'See it in the shop',
  preview: 'Preview',
  retire: 'Not for sale anymore',
  sell: 'Sell it again',
  duplicate: 'Duplicate',
  copy: (name: string) => `${name} (copy)`,
}

export const itemFieldTexts = {
  name: 'Name',
  categoryId: 'Category',
  price: 'Price',
  description: 'Description',
  width: 'Width',
  soleType: 'Sole type',
  size: 'Size',
  kind: 'Kind',
  images: 'Images',
} satisfies Record<keyof ItemFormValues | 'images', string>

export const itemErrorTexts = {
  name: 'Please Enter Item Name',
  categoryId: 'Please Select a Category',
  price: 'Please Enter a Valid Price',
  description: 'Please Dont Leave Description Blank',
  images: 'Please Add Atleast 1 Image for the Item',
}

export const itemTexts = {
  formReset: 'Form Reset!',
  added: 'Item Successfully Added!',
  draftAdded: 'Draft Saved. Visitors do not see it yet.',
  published: 'Published! Visitors can see it now.',
  retired: 'Not for sale anymore',
  listed: 'For sale again',
  duplicated: 'This is a copy. It is a draft until you publish it.',
  updated: 'Item Successfully Updated!',
  deleted: 'Deleted Item Successfully!',
  deleteCancelled: 'Cancelled Deleting Item',
  deleteFailed: 'An Error Occured while Deleting Item...',
  uploadFailed: 'An Error Occured while Uploading Image...',
  failed: 'An Error Occured! Please contact your Provider...',
  filesLeft: (urls: readonly string[]) =>
    `An Error Occured while Uploading Data... Please ask provider to delete: ${urls.join(', ')}`,
  conflict: 'This item was changed in the meantime. Nothing is saved yet.',
  gone: 'This item was deleted in the meantime. Nothing is saved yet.',
  uploadsLost: 'Some images were no longer in the shop. They are being uploaded again.',
  uploadLost: 'This image is no longer in the shop. Please choose it again.',
}

export const itemConflictTexts = {
  title: 'This item was changed in the meantime',
  hint: 'Nothing is saved yet. These values differ:',
  yours: 'Yours: ',
  stored: 'Stored: ',
  images: (count: number) => pluralize(count, 'image'),
  onlyHere: (images: string, count: number) => `${images}, ${count} of them only here`,
  otherColors: (images: string) => `${images}, with other colors or availability`,
  otherOrder: (images: string) => `${images}, in another order`,
  keepMine: 'Keep mine',
  useStored: 'Use the stored one',
}

export const itemImagesTexts = {
  order: 'Order of images',
  added: (count: number, all: number) => `${pluralize(count, 'image')} added, ${all} in total.`,
  moved: (from: number, to: number, count: number) =>
    `Image ${from} is now image ${to} of ${count}.`,
  removed: (number: number, left: number) => `Image ${number} removed, ${left} left.`,
  add: 'Add Image',
  takePhoto: 'Take Photo',
  chooseCategory: 'Choose a category, and they are uploaded while you go on.',
  dropHere: 'Drop them here',
  dropOrPaste: 'or drop or paste pictures here',
  choose: 'Choose images',
  uploading: (number: number, count: number) => `Uploading image ${number} of ${count}…`,
}

export const itemImageTexts = {
  name: (number: number) => `image ${number}`,
  preview: (image: string) => `Preview of ${image}`,
  cover: 'Cover',
  uploaded: 'Uploaded',
  retry: 'Retry',
  retryUpload: (image: string) => `Retry upload of ${image}`,
  offline: 'Waiting for the connection',
  sending: (percent: number) => `Uploading ${percent}%`,
  storing: 'Almost there…',
  shrinking: 'Preparing…',
  waiting: 'Waiting…',
  needsCategory: 'Waiting for a category',
  stopped: 'Stopped. It is uploaded when you save.',
  cancel: 'Cancel',
  cancelUpload: (image: string) => `Cancel upload of ${image}`,
  upload: (image: string) => `Upload of ${image}`,
  available: 'this photo’s color is available',
  colors: (count: number) => `Colors (${count})`,
  sameAsBefore: 'Same as the image before',
  searchColorsOf: (image: string) => `Search the colors of ${image}`,
  searchColors: 'Search colors',
  colorsOf: (image: string) => `Colors of ${image}`,
  noColors: 'No colors yet',
  noSuchColor: 'No such color',
  moveForward: (image: string) => `Move ${image} forward`,
  moveBack: (image: string) => `Move ${image} back`,
  removeImage: (image: string) => `Remove ${image}`,
  remove: 'remove',
}

export const arrangeTexts = {
  title: 'Order of Pieces',
  intro:
    'Drag a piece, or type its place. Once you have arranged them, the gallery shows your pieces in this order; new ones come first.',
  link: 'Arrange pieces',
  categories: 'Categories',
  all: 'All',
  order: 'Order of pieces',
  place: (piece: string) => `Place of ${piece}`,
  placeHint: 'Type a whole number, 1 or higher, such as 3.',
  newestFirst: 'Newest first again',
  newestFirstQuestion: 'Give up this order, and show the newest pieces first again?',
  isCut: (count: number) =>
    `These are the first ${count} pieces. Choose a category to arrange the others.`,
  none: 'There are no pieces in the shop yet.',
  add: 'Add a piece',
}
