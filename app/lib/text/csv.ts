/** With `semicolon`, semicolons separate cells and numbers have a decimal comma, as in most of Europe. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle =>
  text === 'semicolon' ? 'semicolon' : 'comma'

/** Matches the start of a formula. Spreadsheets ignore leading spaces, quotation marks and invisible characters, and treat full-width signs as normal signs. */
const FORMULA_START = String.raw`(?:(?![;,\t\r\n])[\s\p{C}'"])*[=+\-@＝＋－＠]`
/**
 * Returns a pattern of all places where a spreadsheet could begin a formula: at the start of a cell, and after each separator and line break, because a
 * spreadsheet may split the line at another separator.
 */
const formulaStarts = (escape: string) =>
  new RegExp(
    String.raw`(?<=^|[;,\t\r\n])${escape}(?=${FORMULA_START})|^${escape}(?='*[\t\r\n])`,
    'gu',
  )
const [unescapedStarts, escapedStarts] = [formulaStarts(''), formulaStarts("'")]

/** Escapes a text that a spreadsheet could run as a formula: '=cmd' becomes "'=cmd", and 'x;=cmd' becomes "x;'=cmd". */
export const guardCell = (text: string): string => text.replaceAll(unescapedStarts, "'")
/** Removes the escapes of formulas: "'=cmd" becomes '=cmd'. */
export const bareCell = (cell: string): string => cell.replaceAll(escapedStarts, '')
