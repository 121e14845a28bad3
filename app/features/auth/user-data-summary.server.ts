import type { Db } from '#db/schema.ts'
import { receiptKeySql } from '#conversation/conversation.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { readAgreements } from '#offers/offers.server.ts'

export type UserDataSummary = Awaited<ReturnType<typeof readUserDataSummary>>

export async function readUserDataSummary(db: Db, id: string) {
  const counts = await db
    .selectNoFrom(({ selectFrom, fn }) => {
      const count = fn.countAll().as('count')
      return [
        selectFrom('favorites').select(count).where('userId', '=', id).as('favorites'),
        selectFrom('messageImages')
          .select((eb) => eb.fn.count('imageId').as('count'))
          .where('orderId', '=', id)
          .as('images'),
        selectFrom('testimonies').select(count).where('writerId', '=', id).as('testimonies'),
        selectFrom('sales')
          .select(count)
          .where('buyerId', '=', id)
          .where('cancels', 'is', null)
          .as('purchases'),
        selectFrom('sales')
          .innerJoin('invoices', (join) => join.on('invoices.receiptKey', '=', receiptKeySql))
          .select(({ fn: { count: countOf } }) => countOf('invoices.number').distinct().as('count'))
          .where('buyerId', '=', id)
          .as('invoices'),
        selectFrom('credits')
          .select(count)
          .where('userId', '=', id)
          .where('usedAt', 'is', null)
          .as('credits'),
        // Messages are numbered from 1 without gaps.
        selectFrom('orders').select('lastSeq').where('id', '=', id).as('messages'),
      ]
    })
    .executeTakeFirstOrThrow()
  const requested = await db
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', 'o.id', 'i.orderId')
    .select('i.name')
    .where('o.id', '=', id)
    .where('o.isClosed', '=', false)
    .where('i.isSold', '=', false)
    .orderBy('i.position')
    .orderBy('i.itemId')
    .execute()
  return {
    favorites: Number(counts.favorites),
    messages: counts.messages ?? 0,
    images: Number(counts.images),
    testimonies: Number(counts.testimonies),
    purchases: Number(counts.purchases),
    invoices: Number(counts.invoices),
    invoiceYears: Number((await readSettings(db)).invoiceYears),
    credits: Number(counts.credits),
    requested: requested.map(({ name }) => name),
    hasAgreement: (await readAgreements(db, id)).some(({ isSettled }) => !isSettled),
  }
}
