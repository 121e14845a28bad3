/** What is unread is counted from an index alone, without reading a single text. */
import type { Kysely } from 'kysely'

export const unread = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('messages_unread').on('messages').columns(['orderId', 'seq', 'sender']).execute()
  },
}
