/** Which tables a backup holds: whatever the database itself says there is, so that none that a migration adds can be forgotten (045). */
import { sql, type TableMetadata } from 'kysely'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db, Tx } from '#db/tables.ts'

/** What a column's values are in an archive: the same on both databases. */
export type ColumnKind = 'text' | 'number' | 'flag' | 'date'
export type Table = {
  name: string
  /** by name */
  columns: Record<string, ColumnKind>
  /** columns of the primary key, in its order */
  key: string[]
  /** tables that its rows refer to */
  refersTo: string[]
}

/** Notes about one machine, or about now; an archive without them is whole. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  backups: 'which process made which archive, in which folder',
  tableChecks: 'what an uploaded table would change, for an hour',
}

const kinds: Record<string, ColumnKind> = {
  ...{ text: 'text', varchar: 'text', integer: 'number', bigint: 'number', int2: 'number', int4: 'number', int8: 'number', real: 'number' },
  ...{ float8: 'number', 'double precision': 'number', bool: 'flag', boolean: 'flag', date: 'date', timestamptz: 'date' },
}

/** Those that others refer to come first: in this order rows can be written, in the opposite one deleted. */
export async function listTables(db: Db | Tx, dialect: Dialect): Promise<Table[]> {
  const found: Table[] = []
  const { keys, references } = await (dialect === 'sqlite' ? askSqlite : askPostgres)(db)
  const of = (asked: Asked, table: string) => asked.filter((one) => one.table === table).map(({ name }) => name)
  for (const { name, columns, isView } of await tablesAndViews(db, dialect)) {
    if (isView || name in LEFT_OUT) continue
    const sorted = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    found.push({
      name,
      columns: Object.fromEntries(sorted.map((column) => [column.name, kindOf(name, column.name, column.dataType)])),
      key: of(keys, name),
      refersTo: of(references, name),
    })
  }
  return inOrder(found)
}

/** Of the shop's own schema: a database of PostgreSQL may have others. What an extension has brought is the extension's. */
export async function tablesAndViews(db: Db | Tx, dialect: Dialect): Promise<TableMetadata[]> {
  const all = await db.introspection.getTables()
  if (dialect === 'sqlite') return all
  const { rows } = await sql<{ schema: string; name: string }>`select current_schema() as schema, relname as name from pg_class
    where relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`.execute(db)
  return all.filter((one) => rows.some(({ schema, name }) => one.schema === schema && one.name === name))
}

function kindOf(table: string, column: string, type: string): ColumnKind {
  const kind = kinds[type.toLowerCase().replace(/\(.*/, '')]
  if (!kind) throw new Error(`a backup does not know how to keep ${table}.${column}, which is ${type || 'of no type'}`)
  return kind
}

type Asked = { table: string; name: string }[]

/** Columns of primary keys in their order, and which table refers to which. */
async function askSqlite(db: Db | Tx): Promise<{ keys: Asked; references: Asked }> {
  const keys = await sql<Asked[number]>`select m.name as "table", i.name as name from sqlite_master as m, pragma_table_info(m.name) as i
    where m.type = 'table' and i.pk > 0 order by m.name, i.pk`.execute(db)
  const references = await sql<Asked[number]>`select distinct m.name as "table", f."table" as name
    from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`.execute(db)
  return { keys: keys.rows, references: references.rows }
}

async function askPostgres(db: Db | Tx): Promise<{ keys: Asked; references: Asked }> {
  const keys = await sql<Asked[number]>`select relname as "table", attname as name from pg_index
    cross join lateral unnest(indkey) with ordinality as part(number, place)
    join pg_attribute on attrelid = indrelid and attnum = part.number
    join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and indisprimary order by relname, place`.execute(db)
  const references = await sql<Asked[number]>`select distinct one.relname as "table", other.relname as name from pg_constraint
    join pg_class as one on one.oid = conrelid join pg_class as other on other.oid = confrelid
    where contype = 'f' and one.relnamespace = current_schema()::regnamespace`.execute(db)
  return { keys: keys.rows, references: references.rows }
}

function inOrder(tables: Table[]): Table[] {
  const ordered: Table[] = []
  let waiting = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const free = waiting.filter(({ name, refersTo }) => refersTo.every((other) => other === name || !names.has(other)))
    if (free.length === 0) throw new Error(`tables refer to each other in a ring: ${[...names].join(', ')}`)
    ordered.push(...free)
    waiting = waiting.filter((table) => !free.includes(table))
  }
  return ordered
}
