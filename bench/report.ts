/** The figures as a page of Markdown, which reads well in a terminal too. */
import { cpus } from 'node:os'
import type { Check } from './budgets.ts'
import { kB, whole } from './figures.ts'
import type { PageAudit } from './lighthouse.ts'
import type { WorkFigure } from './workshop.ts'

/** What came of an area in a whole run. */
export type Measured = { name: string; seconds: number; checks: Check[]; failure: string | undefined }

/** Every area came to its end and broke no budget; a goal may be missed. */
export const holds = (measured: Measured[]): boolean =>
  measured.every(({ checks, failure }) => failure === undefined && checks.every(({ isMet, isGoal }) => isMet || isGoal))

type Row = (string | number)[]

/** Cells are padded, so that the columns stand below each other in a terminal and as the formatter would have them. */
export function table(head: Row, rows: Row[]): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)))
  const written = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
  return [written[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...written.slice(1)].join('\n')
}

export const checksTable = (checks: Check[]): string =>
  table(
    ['what', 'goal', 'found', 'met'],
    checks.map(({ name, budget, found, isMet, isGoal }) => [name, budget, found, isMet ? 'yes' : isGoal ? 'no' : '**NO**']),
  )

/** A ticket's address is a random text; the page is the same for each. */
export const shownPath = (path: string): string => path.replace(/^(\/writetestimonials\/).*/, '$1{ticket}/')

export const auditsTable = (audits: PageAudit[]): string =>
  table(
    ['page', 'performance', 'accessibility', 'best practices', 'SEO', 'LCP ms', 'CLS', 'TBT ms', 'kB', 'requests'],
    audits.map(({ path, isHidden, scores, paint, shift, blocked, bytes, requests }) => [
      shownPath(path) + (isHidden ? ' (1)' : ''),
      scores.performance,
      scores.accessibility,
      scores['best-practices'],
      scores.seo,
      whole(paint),
      shift.toFixed(3),
      whole(blocked),
      kB(bytes),
      requests,
    ]),
  )

export const workTable = (work: WorkFigure[]): string =>
  table(
    ['what', 'found', 'beside', 'ratio'],
    work.map(({ what, found, beside, ratio }) => [what, found, beside, ratio]),
  )

/** `load`: processes that wanted to run before the bench began (one-minute average). */
export function overview({ load, measured }: { load: number; measured: Measured[] }): string {
  const minutes = measured.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  return `Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}: the built shop on SQLite with the demo shop in it, Node ${process.version},
${cpus().length} processor cores (${cpus()[0]?.model.trim() ?? 'unknown'}), everything over the loopback of one machine. Server and
measuring program share the cores, so the figures show proportions and a lower bound rather than what one server can do at most.
The load of the machine before the run was ${load.toFixed(1)}; times of a run that begins above 1 say little. It took ${minutes.toFixed(0)} minutes.

## Goals and budgets

A goal that is missed is a "no", and why is told [above](#where-goals-are-missed-and-why); a budget may not be broken, or the command fails.

${checksTable(measured.flatMap(({ checks }) => checks))}

${table(
  ['area', 'seconds', 'came to its end'],
  measured.map(({ name, seconds, failure }) => [name, whole(seconds), failure === undefined ? 'yes' : `**NO**: ${failure.split('\n')[0]}`]),
)}
`
}
