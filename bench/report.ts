/** Formats numbers and tables, and replaces a section of a document. */
import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import type { Check } from './checks.ts'

/** Returns the quantile `part` (0 to 1) of the numbers, or 0 if there are no numbers. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)

/** Formats bytes as kB, where 1 kB is 1,000 bytes. */
export const kB = (bytes: number): string => (bytes / 1000).toFixed(1)
export const ms = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 10 ? 2 : 0)
export const formatInteger = (number: number): string => Math.round(number).toLocaleString('en-US')
/** Returns a ratio such as '3.10 x', or a dash if there is nothing to compare with. */
export const times = (number: number, base: number): string =>
  base > 0 ? `${(number / base).toFixed(2)} x` : '–'

/** Returns a line that says when a section was measured, and how busy the machine was. */
export const stamp = (area: string): string =>
  `Measured by \`npm run bench -- --only ${area}\` on ${new Date().toISOString().slice(0, 10)}; load of the machine ${loadavg()[0]!.toFixed(1)}.`

type Row = (string | number)[]

/** Returns a Markdown table. Cells are padded, so that the columns line up in a terminal and the formatter changes nothing. */
export function table(head: Row, rows: Row[]): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)))
  const written = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  return [
    written[0],
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...written.slice(1),
  ].join('\n')
}

export const checksTable = (checks: Check[]): string =>
  table(
    ['what', 'goal', 'found', 'met'],
    checks.map(({ name, goal, found, isMet }) => [name, goal, found, isMet ? 'yes' : '**no**']),
  )

/** Replaces the section `name` of a document, or adds the section at the end. */
function withSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const section = `${start}\n\n${text.trim()}\n\n${end}`
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`
  return page.slice(0, from) + section + page.slice(to + end.length)
}

export async function writeSection(document: string, name: string, text: string): Promise<void> {
  const file = new URL(`../docs/${document}.md`, import.meta.url)
  await writeFile(file, withSection(await readFile(file, 'utf8').catch(() => ''), name, text))
}
