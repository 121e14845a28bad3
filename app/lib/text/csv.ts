/** Spreadsheets in most of Europe use a decimal comma, and semicolons between cells. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle => (text === 'semicolon' ? 'semicolon' : 'comma')

/** Spreadsheets ignore spaces and invisible characters, and treat full-width signs as normal ones. An escaped cell gets another apostrophe. */
const wouldRun = (text: string): boolean => /^[\s\p{C}']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u.test(text)

/** '=cmd' → "'=cmd" */
export const guardCell = (text: string): string => (wouldRun(text) ? `'${text}` : text)
/** "'=cmd" → '=cmd' */
export const bareCell = (cell: string): string => (cell.startsWith("'") && wouldRun(cell.slice(1)) ? cell.slice(1) : cell)
