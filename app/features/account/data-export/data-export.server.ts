/** Everything that the shop keeps of one account, read for its person to take along (035). Nothing of anybody else, and no secret. */
import { libraryTime } from '#app/platform/library-date.ts'
import type { Db } from '#db/schema.ts'
import type { Shop } from '#app/platform/context.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { findInvoice } from '#app/features/print-documents/papers.server.ts'

export type OwnMessage = {
  at: number
  from: 'you' | 'shop'
  text: string
  /** `path` in the shop, `name` in the archive */
  pictures: { path: string; name: string }[]
}

export const isoTime = (at: number): string => new Date(at).toISOString()
/** Of a date of the authentication library. */
export const timeOf = (date: unknown): string => isoTime(libraryTime(date))

/** A read of an account: `isForOwner` leaves out from where and with what its person logs in (S-225). */
export type Wanted = { id: string; isForOwner: boolean }

/** null: there is no such account. */
async function readProfile(db: Db, { id, isForOwner }: Wanted) {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) return null
  const ways = await db.selectFrom('account').select(['providerId', 'createdAt']).where('userId', '=', id).execute()
  const sessions = isForOwner ? [] : await db.selectFrom('session').selectAll().where('userId', '=', id).execute()
  return {
    id,
    name: user.name,
    email: user.email,
    isEmailConfirmed: Boolean(user.emailVerified),
    photo: user.image,
    registeredAt: timeOf(user.createdAt),
    waysToLogIn: ways.map((way) => ({ way: way.providerId === 'credential' ? 'password' : way.providerId, since: timeOf(way.createdAt) })),
    ...(!isForOwner && {
      sessions: sessions.map((session) => ({
        startedAt: timeOf(session.createdAt),
        lastSeenAt: timeOf(session.updatedAt),
        endsAt: timeOf(session.expiresAt),
        browser: session.userAgent,
        address: session.ipAddress,
      })),
    }),
  }
}

async function readFavourites(db: Db, id: string) {
  const rows = await db
    .selectFrom('favourites')
    .innerJoin('items', 'items.id', 'favourites.itemId')
    .select(['items.id', 'items.name', 'favourites.createdAt'])
    .where('userId', '=', id)
    .orderBy('favourites.createdAt')
    .orderBy('items.id')
    .execute()
  return rows.map(({ id: item, name, createdAt }) => ({ item, name, markedAt: isoTime(createdAt) }))
}

/** What is asked for now, and every time that something was asked for (S-196). */
async function readAskedFor(db: Db, id: string) {
  const order = await db.selectFrom('orders').select(['receiptTag', 'isClosed']).where('id', '=', id).executeTakeFirst()
  const lines = await db.selectFrom('orderItems').selectAll().where('orderId', '=', id).orderBy('position').orderBy('itemId').execute()
  const asked = await db.selectFrom('requests').selectAll().where('orderId', '=', id).orderBy('at').orderBy('itemId').execute()
  return {
    order: order && {
      receipt: order.receiptTag,
      isClosed: order.isClosed === 1,
      items: lines.map((line) => ({ item: line.itemId, name: line.name, price: line.priceCents / 100, isSold: line.isSold === 1 })),
    },
    requests: asked.map((one) => ({
      item: one.itemId,
      category: one.categoryTitle,
      askedAt: isoTime(one.at),
      cameToSale: one.saleId !== null,
    })),
  }
}

async function readPurchases(db: Db, id: string) {
  const sales = await db.selectFrom('sales').selectAll().where('buyerId', '=', id).orderBy('createdAt').orderBy('id').execute()
  const purchases = []
  for (const sale of sales) {
    const invoice = await findInvoice(db, receiptKey(sale))
    purchases.push({
      boughtAt: isoTime(sale.createdAt),
      item: sale.itemId,
      name: sale.itemName,
      price: sale.itemPriceCents === null ? null : sale.itemPriceCents / 100,
      paid: sale.salePriceCents / 100,
      receipt: sale.receiptTag,
      invoice: invoice && { number: invoice.number, shipping: invoice.shippingCents / 100 },
      inTheNameOf: { name: sale.buyerName, email: sale.buyerEmail },
    })
  }
  return purchases
}

async function readTestimonies(db: Db, id: string) {
  const rows = await db.selectFrom('testimonies').selectAll().where('writerId', '=', id).orderBy('createdAt').orderBy('id').execute()
  return rows.map((row) => ({
    ticket: row.id,
    receipt: row.receiptTag,
    ticketFrom: isoTime(row.createdAt),
    writtenAt: row.writtenAt === null ? null : isoTime(row.writtenAt),
    testimony: row.testimony,
    isShownOnThePage: row.showOnPage === 1,
    inTheNameOf: { name: row.writerName, email: row.writerEmail },
  }))
}

export type OwnBooks = NonNullable<Awaited<ReturnType<typeof readBooks>>>

/** Everything but the conversation; null: there is no such account. */
export async function readBooks({ db, timeZone, now }: Shop, wanted: Wanted) {
  const profile = await readProfile(db, wanted)
  if (!profile) return null
  const { id } = wanted
  return {
    ...{ shopName: (await readSettings(db)).name, timeZone, at: now(), profile },
    favourites: await readFavourites(db, id),
    asked: await readAskedFor(db, id),
    purchases: await readPurchases(db, id),
    testimonies: await readTestimonies(db, id),
  }
}

const PART = 500

/** Her conversation, as she sees it, up to the newest message of this moment; a part at a time. */
export async function* readOwnMessages({ db }: Pick<Shop, 'db'>, id: string): AsyncGenerator<OwnMessage[]> {
  const order = await db.selectFrom('orders').select('lastSeq').where('id', '=', id).executeTakeFirst()
  for (let from = 0; from < (order?.lastSeq ?? 0); from += PART) {
    const upTo = Math.min(from + PART, order!.lastSeq)
    const part = db.selectFrom('messages as m').where('m.orderId', '=', id).where('m.seq', '>', from).where('m.seq', '<=', upTo)
    const messages = await part.select(['m.seq', 'm.id', 'm.message', 'm.sender', 'm.createdAt']).orderBy('m.seq').execute()
    const pictures = await part
      .innerJoin('messagePictures as s', (join) => join.onRef('s.orderId', '=', 'm.orderId').onRef('s.messageId', '=', 'm.id'))
      .innerJoin('pictures as p', 'p.id', 's.pictureId')
      .select(['m.seq', 's.position', 'p.path'])
      .orderBy('m.seq')
      .orderBy('s.position')
      .execute()
    const bySeq = Map.groupBy(pictures, (picture) => picture.seq)
    yield messages.map(({ seq, message, sender, createdAt }) => ({
      at: createdAt,
      from: sender === id ? 'you' : 'shop',
      text: message,
      pictures: (bySeq.get(seq) ?? []).map(({ position, path }) => ({
        path,
        name: `pictures/${seq}-${position + 1}${path.slice(path.lastIndexOf('.'))}`,
      })),
    }))
  }
}
