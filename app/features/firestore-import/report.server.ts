import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '#db/schema.ts'
import type { Collection, Issue } from './documents.ts'

type Count = { found: number; taken: number }
export type ImportReport = ReturnType<typeof createReport>

const MAX_STORED_LINES = 2000

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
    summary() {
      const rows = Object.entries(counts).map(([name, { found, taken }]) => {
        const left = found > taken ? `, ${found - taken} NOT IMPORTED` : ''
        return `  ${name.padEnd(10)} ${String(found).padStart(7)} found: ${taken} imported${left}`
      })
      return [...rows, '', lines.length === 0 ? 'No findings.' : `${lines.length} findings.`]
    },
    writeFile(summary: string[]) {
      if (path === null) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, [...lines, '', ...summary, ''].join('\n'), { mode: 0o600 })
    },
  }
}

export type ImportView = Awaited<ReturnType<typeof listImports>>[number]

export async function listImports(db: Db) {
  const rows = await db
    .selectFrom('imports')
    .select(['id', 'at', 'source', 'findings', 'summary', 'report'])
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ report, ...row }) => ({ ...row, lines: report ? report.split('\n') : [] }))
}
