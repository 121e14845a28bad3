import { formatCount, pluralize } from '#ui/format-count.ts'

export const importExportTexts = {
  title: 'Import and export',
  intro: 'All items as one table for your spreadsheet, and the changed table back into the shop.',
  download: 'Download',
  downloadHint: (items: number) => `${pluralize(items, 'item')}, with prices, texts and discounts.`,
  downloadItems: 'Download items',
  downloadSemicolons: 'Download with semicolons',
  semicolons: 'With semicolons: for a spreadsheet in which prices look like 12,50.',
  upload: 'Upload',
  uploadHint: 'First you see what would change, row by row. Nothing is saved before you confirm.',
  columns: 'What the columns contain',
  columnsHint:
    'Columns that you leave out stay unchanged, and so do items whose rows you remove: an import never deletes. A row without an id becomes a draft, which you publish under Merchandise once it has its pictures.',
  file: 'Table (CSV)',
  fileHint: (megabytes: number) =>
    `From this shop’s download or any spreadsheet; at most ${megabytes} MB.`,
  check: 'Check the file',
  checking: 'Checking…',
  etsy: 'Coming from Etsy?',
  etsySteps: [
    'In Etsy, open Shop Manager, then Settings, Options and Download Data.',
    'Choose “Download CSV” under “Currently for sale listings”.',
    'Choose this file under Upload, as it is and in any of Etsy’s languages. Each listing becomes a draft: add its pictures, then publish it.',
  ],
  wholeShop: 'The whole shop',
  wholeShopHint: 'All data of the shop in one file: catalog, conversations, sales, testimonies.',
  imported: 'Imported from another shop',
}

export const columnHints = {
  id: 'Leave it as it is. Empty: a new item.',
  name: 'At most 200 characters.',
  category: 'The title of one of your categories.',
  price: 'In the currency of the shop, such as 12.50 or 12,50.',
  description: 'May have several lines.',
  optionalText: 'Optional.',
  kind: 'unique, made-to-order, or empty.',
  discountType: 'percent, amount, or empty.',
  discountValue: 'Such as 10 or 12.50; empty without a discount.',
  images: 'Read-only; change pictures in the item’s own form.',
}

export const previewTexts = {
  title: 'What would change',
  titleApplied: 'What was changed',
  counts: { changed: 'changed', added: 'new', refused: 'refused', unchanged: 'unchanged' },
  rows: 'Rows of the file',
  lists: { changes: 'Changes', refused: 'Refused' },
  downloadList: 'Download this list',
  pages: 'Pages',
  previous: 'Previous',
  page: (page: number, pages: number) => `Page ${formatCount(page)} of ${formatCount(pages)}`,
  next: 'Next',
  columns: (columns: readonly { title: string; count: number }[]) =>
    `Changes of ${columns.map(({ title, count }) => `${title} (${formatCount(count)})`).join(', ')}.`,
  missingColumns: (titles: readonly string[]) =>
    `Not in this file, and not changed: ${titles.join(', ')}.`,
  refusedRows: (count: number) =>
    `${pluralize(count, 'row')} cannot be imported and would be left out. Correct ${count === 1 ? 'it' : 'them'} in your file and upload it again.`,
  nothing: 'There is nothing to change.',
  apply: (changes: number) => `Apply ${pluralize(changes, 'change')}`,
  applying: 'Applying…',
  discard: 'Discard',
  leftOut: (rows: number) => `${pluralize(rows, 'row')} left out:`,
  leftOutRow: (row: number, name: string, reason: string) => `Row ${row} · ${name}: ${reason}`,
  moreLeftOut: (count: number) => `and ${count} more`,
  empty: 'empty',
  becomes: 'becomes',
  row: (row: number) => `Row ${formatCount(row)}`,
}

export const importTexts = {
  noFile: 'Please choose a file',
  empty: 'This file is empty',
  noRows: 'This file has column names but no rows',
  noIdColumn:
    'The column “id” is missing. It identifies the item of each row: download the items again and keep that column.',
  tooLarge: (megabytes: number) => `This file is larger than ${megabytes} MB`,
  tooMany: (rows: number) =>
    `A file may have at most ${pluralize(rows, 'row')}; split it into several files`,
  notText: 'This is not a CSV file',
  workbook:
    'This is an Excel workbook. In Excel choose “Save As” and “CSV UTF-8”, and upload that file',
  failed: 'The file could not be checked. Nothing has been changed',
  applyFailed: 'The changes could not be written. Nothing has been changed; please try again',
  gone: 'This preview has expired. Please upload the file again',
  nothingToApply: 'There is nothing to change',
  again: 'These changes were already made; nothing was done twice',
  newDraft: 'Becomes a draft: add its pictures, then publish it',
  imagesStay: 'Pictures stay as they are: they are changed in the item’s own form',
  imagesLeftOut: (leftOut: number, all: number) =>
    `Leaves out ${leftOut} of ${all} pictures, because ${leftOut === 1 ? 'it is' : 'they are'} unknown or already used`,
  costsNothing: (nothing: string) => `With its discount this costs ${nothing}`,
  priceExample: 'enter a price such as 12.50',
  numberExample: 'enter a number such as 12.50',
  noDiscountType: 'Please write percent or amount',
  unknownId: 'There is no item with this id. For a new item leave the id empty',
  unreadable: 'Some of the characters could not be read',
  changedMeanwhile: 'The item was changed in the meantime',
  goneMeanwhile: 'The item was deleted in the meantime',
  categoryGone: 'Its category was deleted in the meantime',
  imagesGone: 'Its pictures are already used',
  manyColumns: (count: number, limit: number) =>
    `The first row has ${count} columns; at most ${limit} are read.`,
  noColumns: (columns: string) => `The first row does not name the columns. They are: ${columns}.`,
  unknownColumns: (unknown: string, columns: string) =>
    `There is no column ${unknown}. The columns are: ${columns}.`,
  repeatedColumns: (repeated: string) => `The file has more than one column ${repeated}.`,
}

export const etsyTexts = {
  materials: (materials: string) => `Materials: ${materials}`,
  sameName: 'There is already an item with this name',
  noCategory: (category: string) =>
    `Its title and tags name none of your categories, so it goes into “${category}”`,
  currency: (code: string) =>
    `Its price is in ${code.slice(0, 10) || 'another currency'}: please check it`,
  images: 'Its pictures stay at Etsy: add them to the draft',
}

const utf16 = 'The file was read as UTF-16.'
export const encodingNotices = {
  'utf-8': null,
  'utf-16le': utf16,
  'utf-16be': utf16,
  'windows-1252':
    'The file is not UTF-8. It was read as Windows-1252, as Excel writes plain CSV: check whether characters such as é are right.',
}

export const duplicateId = (row: number) => `This id is already used in row ${row}`
export const wrongWidth = (cells: number, columns: number) =>
  `This row has ${pluralize(cells, 'cell')}, the first row ${columns}`
export const unknownCategory = (cell: string) => `There is no category “${cell.slice(0, 60)}”`

const csvErrors: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_MAX_RECORD_SIZE: 'this row has no end; perhaps a quotation mark is missing',
  INVALID_OPENING_QUOTE: 'a quotation mark is in the middle of a cell',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the quotation mark that ends a cell',
}
export const parseErrorText = (code: string, line: number) =>
  `Line ${line}: ${csvErrors[code] ?? 'this row could not be read'}`

export const appliedText = (updated: number, added: number) =>
  [
    updated > 0 && `${pluralize(updated, 'item')} updated`,
    added > 0 && `${pluralize(added, 'item')} added`,
  ]
    .filter(Boolean)
    .join(', ') || 'Nothing was changed'

export const kindNames = {
  change: 'Changed',
  add: 'New',
  note: 'Note',
  refused: 'Refused',
}
