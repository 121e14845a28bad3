/** What a guest has, counted for her before it moves, and again when it does. */
import type { Db, Tx } from '#db/tables.ts'
import type { WhatMoves } from './guest-texts.ts'
import { provenAccount } from './proven-account.server.ts'

/** S-002: null when she has not proven an account, or too long ago. */
export async function readWhatMoves(db: Db | Tx, guestId: string, now: number): Promise<WhatMoves | null> {
  const account = await provenAccount(db, guestId, now)
  if (!account) return null
  const favourites = await db.selectFrom('favourites').select('itemId').where('userId', '=', guestId).orderBy('itemId').execute()
  const there = await db
    .selectFrom('favourites as f')
    .innerJoin('favourites as own', 'own.itemId', 'f.itemId')
    .where('f.userId', '=', guestId)
    .where('own.userId', '=', account.id)
    .select('f.itemId')
    .execute()
  const order = await db.selectFrom('orders').select(['lastSeq', 'isClosed']).where('id', '=', guestId).executeTakeFirst()
  const pictures = await db
    .selectFrom('messagePictures')
    .where('orderId', '=', guestId)
    .where('pictureId', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const lines = await db.selectFrom('orderItems').select(['name', 'isSold']).where('orderId', '=', guestId).orderBy('position').execute()
  const bought = await db
    .selectFrom('sales')
    .where('buyerId', '=', guestId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const own = await db.selectFrom('orders').select('lastSeq').where('id', '=', account.id).executeTakeFirst()
  const asked = order?.isClosed === 0 ? lines.filter((line) => line.isSold === 0).map((line) => line.name) : []
  return {
    email: account.email,
    favourites: favourites.length,
    favouritesThere: there.length,
    messages: order?.lastSeq ?? 0,
    pictures: Number(pictures.count),
    asked,
    sold: Number(bought.count),
    hasConversation: (own?.lastSeq ?? 0) > 0,
    version: JSON.stringify([account.id, favourites.map(({ itemId }) => itemId), order?.lastSeq ?? 0, Number(pictures.count), asked]),
  }
}
