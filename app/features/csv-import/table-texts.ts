/** What the page of tables says. */
import { countText } from '#app/ui/amounts.ts'

/** CSV of 100,000 items with short descriptions; the form around it needs little more. */
export const MAX_TABLE_BYTES = 32 * 1024 * 1024
/** The same catalogue twice over. */
export const MAX_ROWS = 200_000

export const tableTexts = {
  noFile: 'Please choose a file',
  empty: 'This file is empty',
  noRows: 'This file has a first row with the names of the columns, and nothing below it',
  noIdColumn: 'The column “id” is missing. By it the shop knows which item a row is about: download the items again and keep that column.',
  tooLarge: `This file is larger than ${MAX_TABLE_BYTES / 1024 / 1024} MB`,
  tooMany: `A file may have at most ${MAX_ROWS.toLocaleString('en-US')} rows; divide it into several`,
  notText: 'This is not a table but some other kind of file',
  workbook: 'This is an Excel workbook. In Excel choose “Save As” and “CSV UTF-8”, and upload that file',
  failed: 'The file could not be checked. Nothing has been changed',
  applyFailed: 'The changes could not be written. Nothing has been changed; please try again',
  gone: 'That check is no longer kept. Please upload the file again',
  nothingToApply: 'There is nothing to change',
  again: 'These changes were already made; nothing was done twice',
  picturesStay: 'Pictures stay as they are: they are changed in the item’s own form',
  costsNothing: 'With its discount this costs $0.00',
  noDiscountType: 'Please write percent or amount',
  unknownId: 'There is no item with this id. For a new item leave the id empty',
  unreadable: 'Some of the characters could not be read',
  changedMeanwhile: 'The item was changed meanwhile',
  goneMeanwhile: 'The item was deleted meanwhile',
  categoryGone: 'Its category was deleted meanwhile',
  picturesGone: 'Its pictures are no longer free',
} as const

export const notices = {
  windows: 'The file is not UTF-8. It was read as Windows-1252, as Excel writes plain CSV: see whether letters such as é are right.',
  utf16: 'The file was read as UTF-16.',
} as const

export const doubledId = (row: number): string => `This id stands already in row ${row}`
export const wrongWidth = (cells: number, columns: number): string => `This row has ${countText(cells, 'cell')}, the first row ${columns}`
export const unknownCategory = (cell: string): string => `There is no category “${cell.slice(0, 60)}”`

/** What the reader of CSV found broken, with the line of the file. */
export function brokenText(code: string, line: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `Line ${line}: a quotation mark is opened and never closed`
  if (code === 'CSV_MAX_RECORD_SIZE') return `Line ${line}: this row has no end; perhaps a quotation mark is missing`
  if (code === 'INVALID_OPENING_QUOTE') return `Line ${line}: a quotation mark stands in the middle of a cell`
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return `Line ${line}: something stands behind the quotation mark that ends a cell`
  return `Line ${line}: this row could not be read`
}

/** After the writing. */
export const appliedText = (updated: number, added: number): string =>
  updated + added === 0
    ? 'Nothing was changed'
    : `${[updated > 0 && `${countText(updated, 'item')} updated`, added > 0 && `${countText(added, 'item')} added`].filter(Boolean).join(', ')}`

export const kindNames = { change: 'Changed', add: 'New', note: 'Note', refused: 'Refused' } as const
