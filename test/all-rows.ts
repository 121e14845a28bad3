/** Every row of every table, whichever database it is, so that two states of a shop are compared as a whole. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export type AllRows = Record<string, Record<string, unknown>[]>

/** By table; rows stand in an order of their own values, as neither database promises one. */
export async function listAllRows(db: Db): Promise<AllRows> {
  const all: AllRows = {}
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    const plain = rows.map((row) => ({ ...row }))
    all[name] = plain.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
  return all
}

const keyOf = (row: Record<string, unknown>) => JSON.stringify(row)
