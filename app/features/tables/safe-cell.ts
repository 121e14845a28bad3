/** Cells that a spreadsheet would run as a formula: told apart on the way out, given back exactly on the way in (decision 021). */

/**
 * Spreadsheets leave out spaces and what cannot be seen, and some read the wide signs of East Asian letters as the plain ones. An apostrophe
 * before any of it counts too: so whatever looks guarded already gets one more, and nothing is lost.
 */
const wouldRun = (text: string): boolean => /^[\s\p{C}']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u.test(text)

/** '=cmd' → "'=cmd" */
export const guardCell = (text: string): string => (wouldRun(text) ? `'${text}` : text)
/** The other way round: "'=cmd" → '=cmd'. */
export const bareCell = (cell: string): string => (cell.startsWith("'") && wouldRun(cell.slice(1)) ? cell.slice(1) : cell)
