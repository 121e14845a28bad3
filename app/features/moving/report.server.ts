/** What an import has found and done: counted, grouped for the terminal, and line by line in a file. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findingLine, type Collection, type Finding } from './moving.ts'

export type Count = { found: number; taken: number; there: number }
export type Report = ReturnType<typeof openReport>

const BUFFER = 500
/** Kinds of findings in the summary; the file holds every single one. */
const MOST_KINDS = 40
/** Lines that the shop itself keeps for the owner's page. */
const KEPT_LINES = 2000

/** `path` null: no file is written. */
export function openReport(path: string | null) {
  const counts = new Map<Collection, Count>()
  const kinds = new Map<string, number>()
  const kept: string[] = []
  let buffer: string[] = []
  let findings = 0
  let isBegun = false
  const write = (lines: readonly string[]) => {
    if (path === null) return
    if (!isBegun) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, '', { mode: 0o600 })
      isBegun = true
    }
    appendFileSync(path, lines.map((line) => `${line}\n`).join(''))
  }
  const flush = () => {
    if (buffer.length > 0) write(buffer)
    buffer = []
  }
  const kindOf = ({ where, field, done }: Finding) => {
    const name = where.split('/')[0]!
    const place = name === 'pictures' ? name : `${name}/…/${field.replace(/\[\d+\]/g, '[…]')}`
    return `${place}: ${done.replace(/read as \S+/, 'read as …').replace(/“.*”|".*"/g, '…')}`
  }
  return {
    path,
    find(finding: Finding) {
      findings += 1
      const line = findingLine(finding)
      if (kept.length < KEPT_LINES) kept.push(line)
      buffer.push(line)
      if (buffer.length >= BUFFER) flush()
      const kind = kindOf(finding)
      if (kinds.has(kind) || kinds.size < 1000) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    },
    count(collection: Collection, what: Partial<Count>) {
      const before = counts.get(collection) ?? { found: 0, taken: 0, there: 0 }
      counts.set(collection, {
        found: before.found + (what.found ?? 0),
        taken: before.taken + (what.taken ?? 0),
        there: before.there + (what.there ?? 0),
      })
    },
    counts: () => Object.fromEntries(counts) as Partial<Record<Collection, Count>>,
    findings: () => findings,
    /** at most so many as the shop keeps */
    lines: () => kept,
    summary(): string[] {
      const rows = [...counts].map(([name, { found, taken, there }]) => {
        const parts = [`${taken} taken`, ...(there > 0 ? [`${there} there already`] : []), ...leftOut(found - taken - there)]
        return `  ${name.padEnd(10)} ${String(found).padStart(7)} found: ${parts.join(', ')}`
      })
      const grouped = [...kinds].toSorted((a, b) => b[1] - a[1])
      const more = grouped.length > MOST_KINDS ? [`  … and ${grouped.length - MOST_KINDS} other kinds`] : []
      const told = findings === 0 ? ['Nothing was odd.'] : [`${findings} findings:`]
      return [
        ...rows,
        '',
        ...told,
        ...grouped.slice(0, MOST_KINDS).map(([kind, count]) => `  ${String(count).padStart(6)} × ${kind}`),
        ...more,
      ]
    },
    /** All that is left goes to the file, the summary last. */
    end(lines: readonly string[]) {
      flush()
      write(['', ...lines])
    },
  }
}

const leftOut = (count: number) => (count > 0 ? [`${count} NOT TAKEN`] : [])
