/** The widths of a picture are made in the background: what is left to do stands in its row. Pictures from before wait for their AVIF. */
import { sql, type Kysely } from 'kysely'

export const pictures = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('pictures')
      .addColumn('state', 'text', (c) =>
        c
          .notNull()
          .defaultTo('waiting')
          .check(sql`"state" in ('waiting', 'finished', 'failed')`),
      )
      .execute()
    await db.schema
      .alterTable('pictures')
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('pictures')
      .addColumn('nextAttemptAt', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('pictures_waiting').on('pictures').columns(['state', 'nextAttemptAt']).execute()
  },
}
