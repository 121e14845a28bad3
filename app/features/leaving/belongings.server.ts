/** What would go with an account, counted, so that nobody deletes it without knowing (S-222). */
import type { Db } from '#db/tables.ts'
import type { Belongings } from './leaving.ts'

export async function readBelongings(db: Db, id: string): Promise<Belongings> {
  const count = async (table: 'favourites' | 'messagePictures' | 'testimonies' | 'sales', column: string): Promise<number> => {
    const found = await db
      .selectFrom(table as 'favourites')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where(column as 'userId', '=', id)
      .executeTakeFirstOrThrow()
    return Number(found.count)
  }
  const asked = await db
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', 'o.id', 'i.orderId')
    .select('i.name')
    .where('o.id', '=', id)
    .where('o.isClosed', '=', 0)
    .where('i.isSold', '=', 0)
    .orderBy('i.position')
    .orderBy('i.itemId')
    .execute()
  return {
    favourites: await count('favourites', 'userId'),
    // Numbered without a gap: the last number is how many there are.
    messages: (await db.selectFrom('orders').select('lastSeq').where('id', '=', id).executeTakeFirst())?.lastSeq ?? 0,
    pictures: await count('messagePictures', 'orderId'),
    testimonies: await count('testimonies', 'writerId'),
    purchases: await count('sales', 'buyerId'),
    asked: asked.map(({ name }) => name),
  }
}
