/** How the file is written: with semicolons goes the decimal comma, as spreadsheets of most of Europe expect. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle => (text === 'semicolon' ? 'semicolon' : 'comma')

/** Spreadsheets skip spaces and invisible signs and read wide signs as plain ones. A guarded cell gets one more apostrophe, so that nothing is lost. */
const wouldRun = (text: string): boolean => /^[\s\p{C}']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u.test(text)

/** '=cmd' → "'=cmd" */
export const guardCell = (text: string): string => (wouldRun(text) ? `'${text}` : text)
/** The other way round: "'=cmd" → '=cmd'. */
export const bareCell = (cell: string): string => (cell.startsWith("'") && wouldRun(cell.slice(1)) ? cell.slice(1) : cell)
