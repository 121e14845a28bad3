/** Rows as lines of JSON, in the order of their key, and back: the same lines whichever database the rows stand in (045). */
import { setImmediate as otherWork } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Tx } from '#db/tables.ts'
import type { ColumnKind, Table } from './tables.server.ts'

export type Value = string | number | null
export type Row = Record<string, unknown>

/** Rows at a time: visitors wait for one such part at most. */
const AT_ONCE = 200
/** SQLite takes 32,766 values in one statement, PostgreSQL 65,535. */
const MOST_VALUES = 30_000

/** Each part is whole lines. */
export async function* readLines(tx: Tx, dialect: Dialect, table: Table, count: (rows: number) => void = () => {}): AsyncGenerator<string> {
  const columns = Object.entries(table.columns)
  for await (const rows of dialect === 'sqlite' ? readSqlite(tx, table) : readPostgres(tx, table)) {
    count(rows.length)
    yield rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map(([name, kind]) => [name, plain(row[name], kind)])))}\n`)
      .join('')
    await otherWork()
  }
}

const namesOf = (table: Table) => sql.join(Object.keys(table.columns).map((name) => sql.ref(name)))

/** Flags are 0 and 1, dates texts, as SQLite keeps them. */
function plain(value: unknown, kind: ColumnKind): Value {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (kind === 'flag') return Number(value)
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a value that is ${typeof value} cannot be kept`)
}

async function* readSqlite(tx: Tx, table: Table): AsyncGenerator<Row[]> {
  let part: Row[] = []
  const all = tx.selectFrom(sql<Row>`${sql.table(table.name)}`.as('one')).selectAll()
  for await (const row of all.orderBy(sql.join(table.key.map((name) => sql.ref(name)))).stream()) {
    part.push(row)
    if (part.length < AT_ONCE) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** By the bytes of a text, as SQLite orders: each database has an order of its own for letters. */
async function* readPostgres(tx: Tx, table: Table): AsyncGenerator<Row[]> {
  const order = table.key.map((name) => (table.columns[name] === 'text' ? sql`${sql.ref(name)} collate "C"` : sql.ref(name)))
  await sql`declare kept no scroll cursor for select ${namesOf(table)} from ${sql.table(table.name)} order by ${sql.join(order)}`.execute(
    tx,
  )
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(AT_ONCE)} from kept`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) break
  }
  await sql`close kept`.execute(tx)
}

/** Gives back how many rows were written; each has just the columns of its table (`readRows` has seen to it). */
export async function writeRows(tx: Tx, dialect: Dialect, table: Table, rows: AsyncIterable<Row>): Promise<number> {
  const columns = Object.entries(table.columns)
  const most = Math.min(500, Math.floor(MOST_VALUES / columns.length))
  let count = 0
  let waiting: Row[] = []
  const write = async () => {
    if (waiting.length === 0) return
    const values = waiting.map((row) => sql`(${sql.join(columns.map(([name, kind]) => stored(row[name], kind, dialect)))})`)
    await sql`insert into ${sql.table(table.name)} (${namesOf(table)}) values ${sql.join(values)}`.execute(tx)
    count += waiting.length
    waiting = []
  }
  for await (const row of rows) {
    waiting.push(row)
    if (waiting.length === most) await write()
  }
  await write()
  return count
}

const stored = (value: unknown, kind: ColumnKind, dialect: Dialect): unknown =>
  kind === 'flag' && dialect === 'postgres' && value !== null ? value === 1 : value
