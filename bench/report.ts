/** The figures as a page of Markdown, which reads well in a terminal too. */
import { cpus } from 'node:os'
import type { Check } from './budgets.ts'
import { kB, median, ms, times, whole } from './figures.ts'
import type { PageWeight } from './first-load.ts'
import type { PageAudit } from './lighthouse.ts'
import type { Delivery } from './live.ts'
import type { PageRate } from './throughput.ts'
import type { WorkFigure } from './workshop.ts'

export type Figures = {
  date: string
  /** processes that wanted to run before the bench began (one-minute average) */
  load: number
  seconds: number
  connections: number
  rates: PageRate[]
  /** milliseconds */
  firstStart: number
  starts: number[]
  memory: number
  weights: PageWeight[]
  audits: PageAudit[]
  delivery: Delivery
  work: WorkFigure[]
  talk: WorkFigure[]
  checks: Check[]
}

type Row = (string | number)[]

/** Cells are padded, so that the columns stand below each other in a terminal and as the formatter would have them. */
function table(head: Row, rows: Row[]): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)))
  const written = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
  return [written[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...written.slice(1)].join('\n')
}

const edges = ({ p50, p99 }: { p50: number; p99: number }): Row => [ms(p50), ms(p99)]

export const checksTable = (checks: Check[]): string =>
  table(
    ['what', 'budget', 'found', 'met'],
    checks.map((check) => [check.name, check.budget, check.found, check.isMet ? 'yes' : '**NO**']),
  )

/** A ticket's address is a random text; the page is the same for each. */
const shownPath = (path: string): string => path.replace(/^(\/writetestimonials\/).*/, '$1{ticket}/')

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

export function report(figures: Figures): string {
  const { rates, starts, weights, audits, delivery, work, talk, checks, memory } = figures
  return `# How fast the shop is

Written by \`npm run bench -- --write\` on ${figures.date}: the built shop on SQLite with the demo shop in it, Node ${process.version},
${cpus().length} processor cores (${cpus()[0]?.model.trim() ?? 'unknown'}), everything over the loopback of one machine. Server and
measuring program share the cores, so the figures show proportions and a lower bound rather than what one server can do at most.
The load of the machine before the run was ${figures.load.toFixed(1)}; times of a run that begins above 1 say little.

## Budgets

${checksTable(checks)}

## Pages per second

${figures.connections} connections for ${figures.seconds} seconds each, gzip. "Bare" is a plain Node server that sends a ready buffer of the same
bytes, measured in the same run: the last column says which part of that the shop reaches.

${table(
  ['page', 'who', 'pages/s', 'p50 ms', 'p99 ms', 'kB gzip', 'bare/s', 'of bare'],
  rates.map((rate) => [
    rate.path,
    rate.who,
    whole(rate.perSecond),
    whole(rate.p50),
    whole(rate.p99),
    kB(rate.bytes),
    whole(rate.bare),
    times(rate.perSecond, rate.bare),
  ]),
)}

## Starting, resting

${table(
  ['what', 'value'],
  [
    ['first start of an empty shop (tables and the owner are made), process start to the first answer', `${ms(figures.firstStart)} ms`],
    [`start with an existing shop, process start to the first answer of /health (median of ${starts.length})`, `${ms(median(starts))} ms`],
    ['resident memory, ten quiet seconds after such a start', `${(memory / 1e6).toFixed(0)} MB`],
  ],
)}

## The owner's work

Each row is measured in a shop of its own; "beside" is what it is held against in the same run.

${workTable(work)}

## Conversations and sales

Measured the same way. "Under fire" counts what was lost, doubled or out of order while connections broke and the shop was restarted and killed.

${workTable(talk)}

## First load of each public page

kB (1000 bytes). JavaScript counts every file that the page names and what these import statically, each once.
"Sent" is what crosses the wire to a browser that takes gzip and Brotli.

${table(
  ['page', 'JS raw', 'JS gzip', 'JS brotli', 'JS sent', 'CSS raw', 'CSS gzip', 'CSS brotli', 'fonts', 'HTML gzip'],
  weights.map(({ path, scripts, styles, fonts, html }) => [
    shownPath(path),
    ...[scripts.raw, scripts.gzip, scripts.brotli, scripts.sent, styles.raw, styles.gzip, styles.brotli, fonts.raw, html.gzip].map(kB),
  ]),
)}

## Lighthouse

Each public page as a visitor's phone opens it for the first time: Lighthouse's own settings (a slow fourth-generation network, a processor four times
slower), simulated from what it saw in headless Chromium on this machine. Where performance is below 98, the middle one of three runs. LCP: when the
largest part of the first screen stands; CLS: how much moves afterwards; TBT: how long scripts keep a finger waiting.
(1): kept from search engines on purpose; the audit whether these may list the page is left out.

${auditsTable(audits)}

## Live delivery

${delivery.count} messages of customers, one after the other, each sent as a form; the owner's browser listens on its WebSocket. The shop
signals after the commit and before it answers the writer, so the signal usually comes first: "signal after the
answer" is then negative. "Echo" is a message to a bare WebSocket server and back.

${table(
  ['from … to …', 'p50 ms', 'p99 ms', 'p50 of echo'],
  [
    ['form sent … signal in the other browser', ...edges(delivery.heard), times(delivery.heard.p50, delivery.echo.p50)],
    ['form sent … answer that it is kept', ...edges(delivery.answered), times(delivery.answered.p50, delivery.echo.p50)],
    ['answer … signal (signal after the answer)', ...edges(delivery.behindAnswer), '–'],
    ['echo on a bare WebSocket', ...edges(delivery.echo), '1.00 x'],
  ],
)}
`
}
