/** What belongs to one person in the shop, counted: what goes with an account (S-222), or moves with a guest (S-002). */
import type { Db, Tx } from '#db/schema.ts'

export type Belongings = {
  favourites: number
  messages: number
  pictures: number
  testimonies: number
  purchases: number
  /** names of the unsold pieces of an open order */
  asked: string[]
}

export async function readBelongings(db: Db | Tx, id: string): Promise<Belongings> {
  const counted = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('favourites').select(fn.countAll().as('count')).where('userId', '=', id).as('favourites'),
      selectFrom('messagePictures')
        .select((eb) => eb.fn.count('pictureId').as('count'))
        .where('orderId', '=', id)
        .as('pictures'),
      selectFrom('testimonies').select(fn.countAll().as('count')).where('writerId', '=', id).as('testimonies'),
      selectFrom('sales').select(fn.countAll().as('count')).where('buyerId', '=', id).as('purchases'),
      // Numbered without a gap: the last number is how many there are.
      selectFrom('orders').select('lastSeq').where('id', '=', id).as('messages'),
    ])
    .executeTakeFirstOrThrow()
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
    favourites: Number(counted.favourites),
    messages: counted.messages ?? 0,
    pictures: Number(counted.pictures),
    testimonies: Number(counted.testimonies),
    purchases: Number(counted.purchases),
    asked: asked.map(({ name }) => name),
  }
}
