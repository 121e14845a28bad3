/** Tables as CSV: the style of a file, and cells that a spreadsheet would run as a formula (decision 021). */

/** How the file is written: with semicolons goes the decimal comma, as spreadsheets of most of Europe expect. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle => (text === 'semicolon' ? 'semicolon' : 'comma')

/**
 * Spreadsheets leave out spaces and what cannot be seen, and some read the wide signs of East Asian letters as the plain ones. An apostrophe
 * before any of it counts too: so whatever looks guarded already gets one more, and nothing is lost.
 */
const wouldRun = (text: string): boolean => /^[\s\p{C}']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u.test(text)

/** '=cmd' → "'=cmd" */
export const guardCell = (text: string): string => (wouldRun(text) ? `'${text}` : text)
/** The other way round: "'=cmd" → '=cmd'. */
export const bareCell = (cell: string): string => (cell.startsWith("'") && wouldRun(cell.slice(1)) ? cell.slice(1) : cell)
