/** `semicolon` also means decimal commas. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle =>
  text === 'semicolon' ? 'semicolon' : 'comma'

/** Spreadsheets ignore leading spaces, quotation marks and invisible characters. */
const FORMULA_START = String.raw`(?:(?![;,\t\r\n])[\s\p{C}'"])*[=+\-@＝＋－＠]`
/** A spreadsheet may split a cell at any separator or line break. */
const formulaStarts = (escape: string) =>
  new RegExp(
    String.raw`(?<=^|[;,\t\r\n])${escape}(?=${FORMULA_START})|^${escape}(?='*[\t\r\n])`,
    'gu',
  )
const unescapedStarts = formulaStarts('')
const escapedStarts = formulaStarts("'")

export const guardCell = (text: string) => text.replaceAll(unescapedStarts, "'")
export const bareCell = (cell: string) => cell.replaceAll(escapedStarts, '')
