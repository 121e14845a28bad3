/** A table that takes no more writes of one kind, as a full or broken disk would refuse them in the middle of a transaction. */
import { sql } from 'kysely'
import type { Db, Dialect, Tables } from '#db/schema.ts'

export async function refuseWrites(db: Db, dialect: Dialect, table: keyof Tables, act: 'insert' | 'update' | 'delete'): Promise<void> {
  const on = sql`create trigger refusing before ${sql.raw(act)} on ${sql.table(table)} for each row`
  if (dialect === 'sqlite') {
    await sql`${on} begin select raise(abort, 'this write is refused'); end`.execute(db)
    return
  }
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'this write is refused'; end $$`.execute(db)
  await sql`${on} execute function refuse()`.execute(db)
}
