import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#services/database.server.ts'
import type { Db, Tx } from '#db/schema.ts'

type Row = Record<string, unknown>
type Table = {
  name: string
  columns: string[]
  key: string[]
  booleans: string[]
}
type CopiedTable = { table: string; rows: number; checksum: string }

type Side = Pick<Database, 'db' | 'dialect'>

const BATCH = 500

export async function isEmptyDatabase({ db }: Pick<Side, 'db'>) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return tables.length === 0
  for (const { name } of tables.filter(({ name }) => !name.startsWith('kysely_'))) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** Copies everything or nothing into an empty database. Throws if a copy differs. */
export async function copyDatabase(from: Side, to: Side) {
  const tables = await listTables(from, to)
  return from.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((source) =>
      to.db.transaction().execute(async (target) => {
        // The migrations have put rows into some tables.
        for (const { name } of tables.toReversed()) {
          await sql`delete from ${sql.table(name)}`.execute(target)
        }
        const copied: CopiedTable[] = []
        for (const table of tables) copied.push(await copyTable(table, source, target, to.dialect))
        if (to.dialect === 'postgres') await advanceSequences(to.db, target)
        return copied
      }),
    )
}

async function copyTable(table: Table, source: Tx, target: Tx, dialect: Side['dialect']) {
  for await (const rows of readRows(source, table)) {
    const values =
      dialect === 'sqlite' ? rows : rows.map((row) => withBooleans(row, table.booleans))
    await target
      .insertInto(table.name as 'items')
      .values(values as never)
      .execute()
  }
  const before = await describe(source, table)
  const after = await describe(target, table)
  if (before.rows !== after.rows || before.checksum !== after.checksum) {
    throw new Error(
      `${table.name} would not be the same: ${after.rows} of ${before.rows} rows came, or their values differ`,
    )
  }
  return after
}

const withBooleans = (row: Row, booleans: string[]) => ({
  ...row,
  ...Object.fromEntries(
    booleans.map((name) => [name, row[name] === null ? null : row[name] === 1]),
  ),
})

async function* readRows(db: Tx, { name, columns, key }: Table) {
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

async function describe(db: Tx, table: Table) {
  let sum = 0n
  let count = 0
  for await (const rows of readRows(db, table)) {
    count += rows.length
    for (const row of rows) {
      const values = Object.keys(row)
        .toSorted()
        .map((column) => [column, comparable(row[column])])
      sum += createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE()
    }
  }
  const checksum = BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
  return { table: table.name, rows: count, checksum }
}

function comparable(value: unknown) {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'boolean' ? Number(value) : value
}

/**
 * Sorts by creation, so that referenced tables come first. Lists SQLite's columns, without
 * generated ones.
 */
async function listTables(from: Side, to: Side) {
  const sqlite = from.dialect === 'sqlite' ? from.db : to.db
  const postgres = from.dialect === 'sqlite' ? to.db : from.db
  const { rows } = await sql<{
    table: string
    column: string
    pk: number
  }>`select m.name as "table", i.name as "column", i.pk as pk
    from sqlite_master as m, pragma_table_info(m.name) as i
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'kysely%' order by m.rowid, i.cid`.execute(
    sqlite,
  )
  const typedColumns = (await postgres.introspection.getTables()).flatMap(({ name, columns }) =>
    columns.map((column) => ({ ...column, table: name })),
  )
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => {
    const key = columns.filter(({ pk }) => pk > 0).toSorted((left, right) => left.pk - right.pk)
    const booleans = typedColumns.filter(
      ({ table, dataType }) => table === name && dataType === 'bool',
    )
    return {
      name,
      columns: columns.map(({ column }) => column),
      key: key.map(({ column }) => column),
      booleans: booleans.map((column) => column.name),
    }
  })
}

async function advanceSequences(db: Db, tx: Tx) {
  for (const { name: table, columns } of await db.introspection.getTables()) {
    for (const { name: column } of columns.filter(({ isAutoIncrementing }) => isAutoIncrementing)) {
      await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}), highest)
        from (select max(${sql.ref(column)}) as highest from ${sql.table(table)}) as found where highest is not null`.execute(
        tx,
      )
    }
  }
}
