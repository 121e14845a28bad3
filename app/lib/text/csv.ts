/** With `semicolon`, semicolons separate cells and numbers have a decimal comma, as in most of Europe. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle => (text === 'semicolon' ? 'semicolon' : 'comma')

/** Returns true if a spreadsheet could run the text as a formula. Spreadsheets ignore leading spaces and invisible characters, and treat full-width signs as normal signs. */
const wouldRun = (text: string): boolean => /^[\s\p{C}']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u.test(text)

/** Escapes a text that a spreadsheet could run as a formula: '=cmd' becomes "'=cmd". */
export const guardCell = (text: string): string => (wouldRun(text) ? `'${text}` : text)
/** Removes the escape of a formula: "'=cmd" becomes '=cmd'. */
export const bareCell = (cell: string): string => (cell.startsWith("'") && wouldRun(cell.slice(1)) ? cell.slice(1) : cell)
