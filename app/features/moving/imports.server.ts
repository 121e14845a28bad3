/** What the shop remembers of the exports that were imported into it. */
import type { Db } from '#db/tables.ts'

export type ImportView = { id: string; at: number; source: string; findings: number; summary: string; lines: string[] }

/** Newest first. */
export async function listImports(db: Db): Promise<ImportView[]> {
  const rows = await db.selectFrom('imports').selectAll().orderBy('at', 'desc').orderBy('id').execute()
  return rows.map(({ id, at, source, findings, summary, report }) => ({
    id,
    at,
    source,
    findings,
    summary,
    lines: report ? report.split('\n') : [],
  }))
}
