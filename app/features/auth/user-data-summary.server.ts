/** Counts the data that is deleted with an account, or that moves when a guest links an account. [S-002, S-222] */
import type { Db, Tx } from '#db/schema.ts'
import { readAgreements } from '#app/features/offers/read-offers.server.ts'

export type UserDataSummary = {
  favorites: number
  messages: number
  pictures: number
  testimonies: number
  purchases: number
  /** the number of unused credits */
  credits: number
  /** The names of the unsold items in an open order. */
  requested: string[]
  /** whether pieces or payments of an offer are not settled yet */
  hasAgreement: boolean
}

export async function readUserDataSummary(db: Db | Tx, id: string): Promise<UserDataSummary> {
  const counted = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('favorites')
        .select(fn.countAll().as('count'))
        .where('userId', '=', id)
        .as('favorites'),
      selectFrom('messagePictures')
        .select((eb) => eb.fn.count('pictureId').as('count'))
        .where('orderId', '=', id)
        .as('pictures'),
      selectFrom('testimonies')
        .select(fn.countAll().as('count'))
        .where('writerId', '=', id)
        .as('testimonies'),
      selectFrom('sales')
        .select(fn.countAll().as('count'))
        .where('buyerId', '=', id)
        .where('cancels', 'is', null)
        .as('purchases'),
      selectFrom('credits')
        .select(fn.countAll().as('count'))
        .where('userId', '=', id)
        .where('usedAt', 'is', null)
        .as('credits'),
      // Messages are numbered from 1 without gaps, so the last number is the number of messages.
      selectFrom('orders').select('lastSeq').where('id', '=', id).as('messages'),
    ])
    .executeTakeFirstOrThrow()
  const requested = await db
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
    favorites: Number(counted.favorites),
    messages: counted.messages ?? 0,
    pictures: Number(counted.pictures),
    testimonies: Number(counted.testimonies),
    purchases: Number(counted.purchases),
    credits: Number(counted.credits),
    requested: requested.map(({ name }) => name),
    hasAgreement: (await readAgreements(db, id)).some(({ isSettled }) => !isSettled),
  }
}
