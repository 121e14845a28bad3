/** Cells that a spreadsheet would run as a formula: told apart on the way out, given back exactly on the way in (decision 021). */

const wouldRun = /^'*[=+\-@\t\r\n]/
const isGuarded = /^'+[=+\-@\t\r\n]/

/** '=cmd' → "'=cmd"; what looks guarded already gets one more, so that nothing is lost. */
export const guardCell = (text: string): string => (wouldRun.test(text) ? `'${text}` : text)
/** The other way round: "'=cmd" → '=cmd'. */
export const bareCell = (cell: string): string => (isGuarded.test(cell) ? cell.slice(1) : cell)
