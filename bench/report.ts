/** Formats numbers and tables, and replaces a section of the file of results. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
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

/** Returns a Markdown table. */
export function table(head: Row, rows: Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const checksTable = (checks: Check[]): string =>
  table(
    ['what', 'goal', 'found', 'met'],
    checks.map(({ name, goal, found, isMet }) => [name, goal, found, isMet ? 'yes' : '**no**']),
  )

/** Replaces the section `name` of a page, or adds the section at the end. */
export function withSection(page: string, name: string, text: string): string {
  const start = `<!-- bench:${name} -->`
  const end = `<!-- /bench:${name} -->`
  const section = `${start}\n\n${text.trim()}\n\n${end}`
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`.trimStart()
  return page.slice(0, from) + section + page.slice(to + end.length)
}

const results = new URL('../.cache/bench/results.md', import.meta.url)

/** Writes the section `name` into the file of results, which Git ignores. */
export async function writeSection(name: string, text: string): Promise<void> {
  const page = await readFile(results, 'utf8').catch(() => '')
  await mkdir(new URL('.', results), { recursive: true })
  await writeFile(results, withSection(page, name, text))
}
