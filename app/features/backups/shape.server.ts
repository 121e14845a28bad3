/** Tables, functions and triggers as a whole: taken away for a restore, or kept from acting while rows are brought back (045). */
import { sql } from 'kysely'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db, Tx } from '#db/tables.ts'
import { tablesAndViews, type Table } from './tables.server.ts'

/** Nothing of the shop's stays but the list of migrations; what an extension of PostgreSQL has brought stays as well. */
export async function clearDatabase(tx: Tx, dialect: Dialect): Promise<void> {
  const all = await tablesAndViews(tx, dialect)
  if (dialect === 'sqlite') {
    // Whatever refers to what: nothing is left at the end.
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    for (const { name, isView } of all) await sql`drop ${sql.raw(isView ? 'view' : 'table')} ${sql.table(name)}`.execute(tx)
    return
  }
  for (const { name, isView } of all) await sql`drop ${sql.raw(isView ? 'view' : 'table')} if exists ${sql.table(name)} cascade`.execute(tx)
  for (const name of await listFunctions(tx)) await sql`drop routine if exists ${sql.raw(name)} cascade`.execute(tx)
}

async function listFunctions(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select oid::regprocedure::text as name from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p')
      and not exists (select 1 from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`.execute(db)
  return rows.map(({ name }) => name)
}

/** Names of all that `clearDatabase` would take away. */
export async function listAll(db: Db | Tx, dialect: Dialect): Promise<string[]> {
  const tables = (await tablesAndViews(db, dialect)).map(({ name }) => name)
  return dialect === 'sqlite' ? tables : [...tables, ...(await listFunctions(db))]
}

/** Rows come with what triggers once made of them; a second time would count double. */
export async function withoutTriggers<Result>(tx: Tx, dialect: Dialect, tables: Table[], work: () => Promise<Result>): Promise<Result> {
  if (dialect === 'postgres') {
    const turn = async (how: 'disable' | 'enable') => {
      for (const { name } of tables) await sql`alter table ${sql.table(name)} ${sql.raw(how)} trigger user`.execute(tx)
    }
    await turn('disable')
    const done = await work()
    await turn('enable')
    return done
  }
  const triggers = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master where type = 'trigger'`.execute(tx)
  for (const { name } of triggers.rows) await sql`drop trigger ${sql.id(name)}`.execute(tx)
  const done = await work()
  for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(tx)
  return done
}
