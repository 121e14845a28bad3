/** The order of an export: by id, compared letter code by letter code, the same on every database and machine. */
import type { Tx } from '#db/tables.ts'

type WithId = 'categories' | 'colors' | 'items' | 'showcase' | 'orders' | 'sales' | 'requests' | 'testimonies' | 'user'
const CHUNK = 500

export async function sortedIds(tx: Tx, table: WithId): Promise<string[]> {
  const rows = await tx.selectFrom(table).select('id').execute()
  return rows.map((row) => row.id).sort()
}

export function* inChunks(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += CHUNK) yield ids.slice(from, from + CHUNK)
}

export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
