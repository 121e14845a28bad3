/** PostgreSQL's `fold`, by which searches compare texts: the same as app/platform/fold.ts, which SQLite calls itself. */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

export const search = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    if (dialect === 'sqlite') return
    await sql`create function fold(words text) returns text language sql immutable parallel safe
      as $$ select lower(regexp_replace(normalize(words, NFKD), '[\\u0300-\\u036f]', '', 'g')) $$`.execute(db)
  },
})
