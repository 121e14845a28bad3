/** Fills a database from an archive in one transaction: it then holds the archive's rows and no other, or is as it was (045). */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { migrations } from '#db/migrate.ts'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Tx } from '#db/tables.ts'
import { tableEntry } from './archive.ts'
import { UnusableArchive, type Archive } from './read-archive.server.ts'
import { readLines, writeRows, type Row } from './rows.server.ts'
import { clearDatabase, listAll, withoutTriggers } from './shape.server.ts'
import { listTables, type ColumnKind, type Table } from './tables.server.ts'

/** A message has 10,000 letters, the longest report some million. */
const MOST_LINE = 32 * 1024 * 1024

export type Loaded = { table: string; rows: number; sum: string }

/** The tables are made anew in the archive's own shape, filled, read again and compared, and only then brought up to date. */
export async function loadRows(tx: Tx, dialect: Dialect, archive: Archive): Promise<Loaded[]> {
  const known = Object.entries(migrations(dialect))
  const had = new Set(archive.manifest.migrations)
  const before = await listAll(tx, dialect)
  await clearDatabase(tx, dialect)
  try {
    for (const [name, { up }] of known) if (had.has(name)) await up(tx)
  } catch {
    // Whoever makes up an archive may name any of them: the later ones change what the earlier ones have made.
    throw new UnusableArchive(`${archive.name} was made by no version of the shop: the tables that it names do not fit together`)
  }
  const tables = await listTables(tx, dialect)
  refuseOtherShape(archive, tables)
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx)
  const loaded = await withoutTriggers(tx, dialect, tables, async () => {
    for (const table of tables) await writeRows(tx, dialect, table, readRows(archive, table))
    const compared: Loaded[] = []
    for (const table of tables) compared.push(await compare(tx, dialect, archive, table))
    return compared
  })
  if (dialect === 'postgres') await continueCounting(tx)
  for (const [name, { up }] of known) if (!had.has(name)) await up(tx)
  const ours = await listAll(tx, dialect)
  refuseOthersThings(before.filter((name) => !ours.includes(name)))
  return loaded
}

/** What is not the shop's would be lost: nothing can bring it back. */
export function refuseOthersThings(names: string[]): void {
  if (names.length === 0) return
  const some = names.slice(0, 3).join(', ')
  throw new UnusableArchive(
    `The database holds what is no shop's (${some}${names.length > 3 ? ' and more' : ''}) and would be lost: the shop needs a database, or a schema, of its own`,
  )
}

/** Before anything else is done with it. */
export function refuseUnknownVersion({ name, manifest }: Archive, dialect: Dialect): void {
  const known = Object.keys(migrations(dialect))
  const unknown = manifest.migrations.find((migration) => !known.includes(migration))
  if (unknown !== undefined)
    throw new UnusableArchive(`${name} was made by a newer version of the shop (${unknown.slice(0, 60)}). Bring that version here first`)
}

function refuseOtherShape({ name, manifest }: Archive, tables: Table[]): void {
  const shapeOf = (list: [string, string[]][]) => JSON.stringify(list.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const theirs = shapeOf(Object.entries(manifest.tables).map(([table, { columns }]) => [table, columns]))
  const ours = shapeOf(tables.map((table) => [table.name, Object.keys(table.columns)]))
  if (theirs !== ours) throw new UnusableArchive(`${name} has other tables or columns than a shop of its version`)
}

async function* readRows(archive: Archive, table: Table): AsyncGenerator<Row> {
  const entry = tableEntry(table.name)
  const kinds = Object.entries(table.columns)
  const columns = JSON.stringify(Object.keys(table.columns))
  let number = 0
  for await (const line of readEachLine(archive, entry)) {
    number += 1
    const row = parse(line)
    if (!row || JSON.stringify(Object.keys(row)) !== columns || !kinds.every(([name, kind]) => fits(row[name], kind)))
      throw new UnusableArchive(`${archive.name} is damaged: line ${number} of ${entry} is no row`)
    yield row
  }
}

/** SQLite would take any value for any column, and the shop would break over it later. */
function fits(value: unknown, kind: ColumnKind): boolean {
  if (value === null) return true
  if (kind === 'flag') return value === 0 || value === 1
  return typeof value === (kind === 'number' ? 'number' : 'string')
}

function parse(line: string): Row | null {
  try {
    const row: unknown = JSON.parse(line)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return null
    return Object.values(row).every((value) => value === null || typeof value === 'string' || typeof value === 'number')
      ? (row as Row)
      : null
  } catch {
    return null
  }
}

async function* readEachLine(archive: Archive, entry: string): AsyncGenerator<string> {
  const stream = await archive.open(entry)
  stream.setEncoding('utf8')
  let rest = ''
  for await (const part of stream) {
    const lines = (rest + (part as string)).split('\n')
    rest = lines.pop()!
    if (rest.length > MOST_LINE) throw new UnusableArchive(`${archive.name} is damaged: ${entry} has a line without an end`)
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Row by row, as the archive was written: the same order, the same letters. */
async function compare(tx: Tx, dialect: Dialect, archive: Archive, table: Table): Promise<Loaded> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const lines of readLines(tx, dialect, table, (more) => (rows += more))) hash.update(lines)
  const sum = hash.digest('hex')
  if (sum !== archive.sums.get(tableEntry(table.name)))
    throw new UnusableArchive(`${table.name} would not be the same here as in ${archive.name}: its ${rows} rows read otherwise`)
  return { table: table.name, rows, sum }
}

/** Numbers that the database gives go on after the highest that came. */
async function continueCounting(tx: Tx): Promise<void> {
  const { rows } = await sql<{ counter: string; table: string; column: string }>`select counter.oid::regclass::text as counter,
      counted.relname as "table", attname as "column"
    from pg_class as counter join pg_depend on pg_depend.objid = counter.oid and deptype in ('a', 'i')
    join pg_class as counted on counted.oid = refobjid join pg_attribute on attrelid = counted.oid and attnum = refobjsubid
    where counter.relkind = 'S' and counter.relnamespace = current_schema()::regnamespace`.execute(tx)
  for (const { counter, table, column } of rows)
    await sql`select setval(${counter}::regclass, highest) from (select max(${sql.ref(column)}) as highest from ${sql.table(table)}) as found
      where highest is not null`.execute(tx)
}
