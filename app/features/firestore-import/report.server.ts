/** Collects the report of an import: counts for the terminal, lines for a file, and a summary for the owner's page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '#db/schema.ts'
import type { Collection, Issue } from './documents.ts'

type Count = { found: number; taken: number }
export type ImportReport = ReturnType<typeof createReport>

/** The shop stores at most this many lines of a report. The report file contains all lines. */
const MAX_STORED_LINES = 2000

/** If `path` is null, no file is written. */
export function createReport(path: string | null) {
  const counts: Partial<Record<Collection | 'accounts', Count>> = {}
  const lines: string[] = []
  return {
    path,
    counts,
    add: ({ where, field, what, done }: Issue) =>
      void lines.push(`${where}${field && `/${field}`}: ${what}; ${done}`),
    issues: () => lines.length,
    lines: () => lines.slice(0, MAX_STORED_LINES),
    summary(): string[] {
      const rows = Object.entries(counts).map(([name, { found, taken }]) => {
        const left = found > taken ? `, ${found - taken} NOT IMPORTED` : ''
        return `  ${name.padEnd(10)} ${String(found).padStart(7)} found: ${taken} imported${left}`
      })
      return [...rows, '', lines.length === 0 ? 'No findings.' : `${lines.length} findings.`]
    },
    writeFile(summary: readonly string[]) {
      if (path === null) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, [...lines, '', ...summary, ''].join('\n'), { mode: 0o600 })
    },
  }
}

export type ImportView = {
  id: string
  at: number
  source: string
  findings: number
  summary: string
  lines: string[]
}

export async function listImports(db: Db): Promise<ImportView[]> {
  const columns = ['id', 'at', 'source', 'findings', 'summary', 'report'] as const
  const rows = await db
    .selectFrom('imports')
    .select(columns)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ report, ...row }) => ({ ...row, lines: report ? report.split('\n') : [] }))
}
