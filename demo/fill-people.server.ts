import type { Tx } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { AppServices } from '#services/context.ts'
import { discountedPrice } from '#pricing/money.ts'
import { newId8, newId15, newSecretId } from '#lib/text/ids.ts'
import {
  categories,
  customers,
  items,
  photo,
  receipts,
  testimonials,
  type DemoCustomer,
  type DemoOffer,
} from './catalog.ts'
import { fillOffer } from './fill-offers.server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const itemById = new Map(items.map((item) => [item.id, item]))
const titleOf = new Map(categories.map((category) => [category.id, category.title]))
function categoryOf(itemId: string) {
  const { categoryId } = itemById.get(itemId)!
  return { categoryId, categoryTitle: titleOf.get(categoryId)! }
}
const photoUrl = (id: string) => `/pictures/${photo(id)}.avif`

/** The uid of each demo customer. */
export async function ensureCustomers(shop: AppServices) {
  const { internalAdapter, password } = await shop.auth.$context
  const uids = new Map<string, string>()
  for (const { id, name, email, password: secret } of customers) {
    const user =
      (await internalAdapter.findUserByEmail(email))?.user ??
      (await internalAdapter.createUser(
        { email, name, image: photoUrl(id), emailVerified: true },
        { method: 'seed' },
      ))
    if ((await internalAdapter.findAccounts(user.id)).length === 0) {
      await internalAdapter.linkAccount({
        userId: user.id,
        providerId: 'credential',
        accountId: user.id,
        password: await password.hash(secret),
      })
    }
    uids.set(id, user.id)
  }
  return uids
}

export async function fillConversation(tx: Tx, customer: DemoCustomer, uid: string, now: number) {
  const { conversation } = customer
  const { messages } = conversation
  const times = messages.map((message) => now - message.minutesAgo * MINUTE)
  await tx
    .insertInto('orders')
    .values({
      id: uid,
      userId: uid,
      userName: customer.name,
      userEmail: customer.email,
      userPhotoURL: photoUrl(customer.id),
      receiptTag: conversation.isClosed ? null : newId8(),
      isClosed: conversation.isClosed,
      fromContactPage: false,
      lastSeq: messages.length,
      lastMessageAt: times.at(-1) ?? now,
      createdAt: times.at(-1) ?? now,
      firstCreatedAt: times[0] ?? now,
    })
    .execute()
  const offers = await fillMessages(tx, customer, uid, times)
  // No reminder emails about the messages of the demo.
  for (const reader of [uid, OWNER_ID]) {
    await tx
      .insertInto('reminders')
      .values({ orderId: uid, reader, seq: messages.length, at: now, emailId: '' })
      .execute()
  }
  await fillOrderItems(tx, customer, uid, times[0] ?? now)
  for (const { id, offer, sentAt } of offers) {
    await fillOffer(tx, offer, { id, orderId: uid, sentAt, now })
  }
  for (const itemId of customer.favoriteItemIds) {
    await tx.insertInto('favorites').values({ userId: uid, itemId, createdAt: now }).execute()
  }
}

async function fillMessages(
  tx: Tx,
  { conversation }: DemoCustomer,
  orderId: string,
  times: readonly number[],
) {
  const readUpTo = { customer: 0, owner: 0 }
  const offers: { id: string; offer: DemoOffer; sentAt: number }[] = []
  for (const [index, { from, text, isReadByOther, offer }] of conversation.messages.entries()) {
    const createdAt = times[index]!
    const offerId = offer ? newId15() : null
    if (offer) offers.push({ id: offerId!, offer, sentAt: createdAt })
    await tx
      .insertInto('messages')
      .values({
        orderId,
        seq: index + 1,
        id: newId15(),
        message: text,
        sender: from === 'owner' ? OWNER_ID : orderId,
        createdAt,
        offerId,
      })
      .execute()
    if (isReadByOther) readUpTo[from === 'owner' ? 'customer' : 'owner'] = index + 1
  }
  await tx
    .insertInto('readReceipts')
    .values([
      { orderId, reader: orderId, seq: readUpTo.customer },
      { orderId, reader: OWNER_ID, seq: readUpTo.owner },
    ])
    .execute()
  return offers
}

async function fillOrderItems(
  tx: Tx,
  { conversation }: DemoCustomer,
  orderId: string,
  requestedAt: number,
) {
  for (const [position, itemId] of conversation.itemIds.entries()) {
    const { name, priceCents, discount = null } = itemById.get(itemId)!
    const isSold = conversation.soldItemIds.includes(itemId)
    await tx
      .insertInto('orderItems')
      .values({
        orderId,
        itemId,
        name,
        priceCents,
        shownPriceCents: discountedPrice(priceCents, discount),
        isSold,
        position,
      })
      .execute()
    // It is inserted with the sale.
    if (isSold) continue
    await tx
      .insertInto('requests')
      .values({
        id: newId15(),
        orderId,
        itemId,
        ...categoryOf(itemId),
        at: requestedAt,
        saleId: null,
      })
      .execute()
  }
}

/**
 * All receipts of a buyer with an email address have the same uid: reports count the buyer once.
 * [S-200]
 */
export async function fillSales(tx: Tx, uids: Map<string, string>, now: number) {
  const guests = new Map<string, string>()
  for (const { tag, daysAgo, buyer, lines } of receipts) {
    const customer =
      'customerId' in buyer
        ? customers.find((candidate) => candidate.id === buyer.customerId)
        : undefined
    const { name, email = '' } = 'customerId' in buyer ? customer! : buyer
    const buyerId = customer ? uids.get(customer.id)! : (guests.get(email || tag) ?? newId15())
    guests.set(email || tag, buyerId)
    for (const [line, { itemId, salePriceCents }] of lines.entries()) {
      const item = itemById.get(itemId)!
      const id = newId15()
      const soldAt = now - Math.round(daysAgo * DAY) + line
      const request = {
        id: newId15(),
        orderId: buyerId,
        itemId,
        ...categoryOf(itemId),
        at: soldAt - 2 * DAY,
        saleId: id,
      }
      await tx.insertInto('requests').values(request).execute()
      await tx
        .insertInto('sales')
        .values({
          id,
          buyerId,
          buyerName: name,
          buyerEmail: email,
          buyerPhotoURL: customer ? photoUrl(customer.id) : '',
          itemId,
          itemName: item.name,
          itemPriceCents: item.priceCents,
          salePriceCents,
          receiptTag: tag,
          createdAt: soldAt,
          ...categoryOf(itemId),
          // Bought at a market.
          method: customer || email ? '' : 'cash',
        })
        .execute()
    }
  }
}

export async function fillTestimonials(tx: Tx, now: number) {
  for (const [index, writer] of testimonials.entries()) {
    const id = newSecretId()
    await tx
      .insertInto('testimonies')
      .values({
        id,
        receiptTag: null,
        writerId: newId15(),
        writerName: writer.writerName,
        writerEmail: writer.writerEmail,
        writerPhotoURL: photoUrl(writer.id),
        testimony: writer.text,
        isAvailable: false,
        isValidated: writer.isValidated,
        showOnPage: writer.isShownOnPage,
        createdAt: now - (index + 1) * DAY,
      })
      .execute()
    for (const [position, { itemId, salePriceCents }] of writer.items.entries()) {
      const { name, priceCents } = itemById.get(itemId)!
      await tx
        .insertInto('testimonyItems')
        .values({ testimonyId: id, position, itemId, name, priceCents, salePriceCents })
        .execute()
    }
  }
}
