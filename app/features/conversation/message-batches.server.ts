import type { Db, OrderTable } from '#db/schema.ts'

const BATCH_SIZE = 500

/** Leaves out messages that are newer than `lastSeq`. */
export async function* readMessageBatches(
  db: Db,
  { id, lastSeq }: Pick<OrderTable, 'id' | 'lastSeq'>,
) {
  for (let from = 0; from < lastSeq; from += BATCH_SIZE) {
    yield await db
      .selectFrom('messages')
      .select(['seq', 'id', 'message', 'sender', 'createdAt'])
      .where('orderId', '=', id)
      .where('seq', '>', from)
      .where('seq', '<=', Math.min(from + BATCH_SIZE, lastSeq))
      .orderBy('seq')
      .execute()
  }
}
