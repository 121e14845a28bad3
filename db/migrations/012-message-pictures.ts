/** Pictures in conversations: those that were uploaded and wait for their message, and those of messages. */
import type { Kysely } from 'kysely'

export const messagePictures = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('chatUploads')
      .addColumn('pictureId', 'text', (c) => c.primaryKey().notNull().references('pictures.id').onDelete('cascade'))
      .addColumn('sender', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('chatUploads_sender').on('chatUploads').column('sender').execute()
    await db.schema
      .createTable('messagePictures')
      .addColumn('orderId', 'text', (c) => c.notNull())
      .addColumn('messageId', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('pictureId', 'text', (c) => c.references('pictures.id').onDelete('set null'))
      .addPrimaryKeyConstraint('messagePictures_pk', ['orderId', 'messageId', 'position'])
      .addForeignKeyConstraint('messagePictures_message', ['orderId', 'messageId'], 'messages', ['orderId', 'id'], (c) =>
        c.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('messagePictures_picture').on('messagePictures').column('pictureId').execute()
  },
}
