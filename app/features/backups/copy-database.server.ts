/** Copies every row from SQLite to PostgreSQL or back, and compares the number of rows and a checksum of each table. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#app/lib/db/database.server.ts'
import type { Db, Tx } from '#db/schema.ts'

type Row = Record<string, unknown>
type Table = {
  name: string
  /** all columns that are not generated */
  columns: string[]
  /** the columns of the primary key */
  key: string[]
  /** The names of the columns that contain booleans on PostgreSQL, but 0 or 1 on SQLite. */
  flags: string[]
}
/** `checksum` is hexadecimal and does not depend on the order of the rows. */
type CopiedTable = { table: string; rows: number; checksum: string }

type Side = Pick<Database, 'db' | 'dialect'>

/** Each batch and each statement contains at most this many rows. */
const BATCH = 500

/** Returns true if the database has no tables, or if it was migrated and all its tables are empty. */
export async function isEmptyDatabase({ db }: Pick<Side, 'db'>): Promise<boolean> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!all.some(({ name }) => name === 'kysely_migration')) return all.length === 0
  for (const { name } of all.filter(({ name }) => !name.startsWith('kysely_'))) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** Copies everything or nothing. Both databases must have the tables of this version, and `to` must be empty. Throws an error if a copied table differs from the original table. */
export async function copyDatabase(from: Side, to: Side): Promise<CopiedTable[]> {
  const tables = await listTables(from, to)
  return from.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((source) =>
      to.db.transaction().execute(async (target) => {
        // Deletes the rows that the migrations have inserted into the new database.
        for (const { name } of tables.toReversed())
          await sql`delete from ${sql.table(name)}`.execute(target)
        const copied: CopiedTable[] = []
        for (const table of tables) copied.push(await copyTable(table, source, target, to.dialect))
        if (to.dialect === 'postgres') await advanceSequences(to.db, target)
        return copied
      }),
    )
}

async function copyTable(
  table: Table,
  source: Tx,
  target: Tx,
  dialect: Side['dialect'],
): Promise<CopiedTable> {
  for await (const rows of readRows(source, table)) {
    const values = dialect === 'sqlite' ? rows : rows.map((row) => withBooleans(row, table.flags))
    await target
      .insertInto(table.name as 'items')
      .values(values as never)
      .execute()
  }
  const [before, after] = [await describe(source, table), await describe(target, table)]
  if (before.rows !== after.rows || before.checksum !== after.checksum)
    throw new Error(
      `${table.name} would not be the same: ${after.rows} of ${before.rows} rows came, or their values differ`,
    )
  return after
}

const withBooleans = (row: Row, flags: readonly string[]): Row => ({
  ...row,
  ...Object.fromEntries(flags.map((name) => [name, row[name] === null ? null : row[name] === 1])),
})

/** Reads a table in batches by its key, so that the used memory does not grow with the table. */
async function* readRows(db: Tx, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  const order = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ;) {
    const rest = last
      ? sql`where (${order}) > (${sql.join(key.map((column) => last![column]))})`
      : sql``
    const { rows } =
      await sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} ${rest} order by ${order} limit ${sql.lit(BATCH)}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)
  }
}

/** Returns the number of rows and the sum of their hashes. The two databases return the rows in different orders, and the sum is the same in every order. */
async function describe(db: Tx, table: Table): Promise<CopiedTable> {
  let [sum, count] = [0n, 0]
  for await (const rows of readRows(db, table)) {
    count += rows.length
    for (const row of rows) {
      const values = Object.keys(row)
        .toSorted()
        .map((column) => [column, comparable(row[column])])
      sum += createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE()
    }
  }
  return {
    table: table.name,
    rows: count,
    checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0'),
  }
}

const comparable = (value: unknown) =>
  value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value

/** Lists the tables in the order of their creation, so that referenced tables come first. The list of columns comes from SQLite, because SQLite omits generated columns. */
async function listTables(from: Side, to: Side): Promise<Table[]> {
  const [sqlite, postgres] = from.dialect === 'sqlite' ? [from.db, to.db] : [to.db, from.db]
  const { rows } = await sql<{
    table: string
    column: string
    pk: number
  }>`select m.name as "table", i.name as "column", i.pk as pk
    from sqlite_master as m, pragma_table_info(m.name) as i
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'kysely%' order by m.rowid, i.cid`.execute(
    sqlite,
  )
  const typed = (await postgres.introspection.getTables()).flatMap(({ name, columns }) =>
    columns.map((column) => ({ ...column, of: name })),
  )
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => {
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    const flags = typed.filter(({ of, dataType }) => of === name && dataType === 'bool')
    return {
      name,
      columns: columns.map(({ column }) => column),
      key: key.map(({ column }) => column),
      flags: flags.map((column) => column.name),
    }
  })
}

/** Sets the sequences of identity columns to the highest copied value, so that new rows get higher values. */
async function advanceSequences(db: Db, tx: Tx): Promise<void> {
  for (const { name: table, columns } of await db.introspection.getTables())
    for (const { name: column } of columns.filter(({ isAutoIncrementing }) => isAutoIncrementing))
      await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}), highest)
        from (select max(${sql.ref(column)}) as highest from ${sql.table(table)}) as found where highest is not null`.execute(
        tx,
      )
}
