/** What an import has found and done: counted for the terminal, line by line in a file, and kept for the owner's page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '#db/schema.ts'
import { issueLine, type Collection, type Issue } from './documents.ts'

type Count = { found: number; taken: number; there: number }
export type Report = ReturnType<typeof openReport>

/** Lines that the shop itself keeps for the owner's page; the file has all. */
const MAX_KEPT_LINES = 2000

/** `path` null: no file is written. */
export function openReport(path: string | null) {
  const counts = new Map<Collection | 'accounts', Count>()
  const lines: string[] = []
  return {
    path,
    add: (issue: Issue) => void lines.push(issueLine(issue)),
    count(collection: Collection | 'accounts', what: Partial<Count>) {
      const { found, taken, there } = counts.get(collection) ?? { found: 0, taken: 0, there: 0 }
      const more = { found: 0, taken: 0, there: 0, ...what }
      counts.set(collection, { found: found + more.found, taken: taken + more.taken, there: there + more.there })
    },
    counts: () => Object.fromEntries(counts) as Partial<Record<Collection | 'accounts', Count>>,
    issues: () => lines.length,
    lines: () => lines.slice(0, MAX_KEPT_LINES),
    summary(): string[] {
      const rows = [...counts].map(([name, { found, taken, there }]) => {
        const left = found - taken - there
        const parts = [`${taken} taken`, ...(there > 0 ? [`${there} there already`] : []), ...(left > 0 ? [`${left} NOT TAKEN`] : [])]
        return `  ${name.padEnd(10)} ${String(found).padStart(7)} found: ${parts.join(', ')}`
      })
      return [...rows, '', lines.length === 0 ? 'Nothing was odd.' : `${lines.length} findings.`]
    },
    writeFile(summary: readonly string[]) {
      if (path === null) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, [...lines, '', ...summary, ''].join('\n'), { mode: 0o600 })
    },
  }
}

export type ImportView = { id: string; at: number; source: string; findings: number; summary: string; lines: string[] }

/** The imports that the shop remembers, newest first. */
export async function listImports(db: Db): Promise<ImportView[]> {
  const columns = ['id', 'at', 'source', 'findings', 'summary', 'report'] as const
  const rows = await db.selectFrom('imports').select(columns).orderBy('at', 'desc').orderBy('id').execute()
  return rows.map(({ report, ...row }) => ({ ...row, lines: report ? report.split('\n') : [] }))
}
