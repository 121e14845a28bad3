/** Inserts the customers of the demo shop with their conversations, and the shop's sales and testimonials. */
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import type { AppServices } from '#app/services/context.ts'
import { discountedPrice } from '#app/features/pricing/money.ts'
import { newId8, newId15, newSecretId } from '#app/lib/text/ids.ts'
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
/** Returns the category of an item, because sales and requests also store the category. */
function categoryOf(itemId: string): { categoryId: string; categoryTitle: string } {
  const { categoryId } = itemById.get(itemId)!
  return { categoryId, categoryTitle: titleOf.get(categoryId)! }
}
const photoUrl = (id: string) => `/pictures/${photo(id)}.avif`

/** Creates the missing accounts of the demo customers with better-auth. Returns the uid of each demo customer. */
export async function ensureCustomers(shop: AppServices): Promise<Map<string, string>> {
  const { internalAdapter, password } = await shop.auth.$context
  const uids = new Map<string, string>()
  for (const { id, name, email, password: secret } of customers) {
    const known = (await internalAdapter.findUserByEmail(email))?.user
    const user =
      known ??
      (await internalAdapter.createUser(
        { email, name, image: photoUrl(id), emailVerified: true },
        { method: 'seed' },
      ))
    if ((await internalAdapter.findAccounts(user.id)).length === 0)
      await internalAdapter.linkAccount({
        userId: user.id,
        providerId: 'credential',
        accountId: user.id,
        password: await password.hash(secret),
      })
    uids.set(id, user.id)
  }
  return uids
}

export async function fillConversation(
  tx: Tx,
  customer: DemoCustomer,
  uid: string,
  now: number,
): Promise<void> {
  const { conversation } = customer
  const at = conversation.messages.map((message) => now - message.minutesAgo * MINUTE)
  await tx
    .insertInto('orders')
    .values({
      id: uid,
      userId: uid,
      userName: customer.name,
      userEmail: customer.email,
      userPhotoURL: photoUrl(customer.id),
      receiptTag: conversation.isClosed ? null : newId8(),
      isClosed: conversation.isClosed ? 1 : 0,
      fromContactPage: 0,
      lastSeq: conversation.messages.length,
      lastMessageAt: at.at(-1) ?? now,
      createdAt: at.at(-1) ?? now,
      firstCreatedAt: at[0] ?? now,
    })
    .execute()
  const readUpTo = { customer: 0, owner: 0 }
  const offers: { id: string; offer: DemoOffer; at: number }[] = []
  for (const [index, { from, text, isReadByOther, offer }] of conversation.messages.entries()) {
    const sender = from === 'owner' ? ADMIN_ID : uid
    const offerId = offer ? newId15() : null
    if (offer) offers.push({ id: offerId!, offer, at: at[index]! })
    await tx
      .insertInto('messages')
      .values({
        orderId: uid,
        seq: index + 1,
        id: newId15(),
        message: text,
        sender,
        createdAt: at[index]!,
        offerId,
      })
      .execute()
    if (isReadByOther) readUpTo[from === 'owner' ? 'customer' : 'owner'] = index + 1
  }
  await tx
    .insertInto('readReceipts')
    .values([
      { orderId: uid, reader: uid, seq: readUpTo.customer },
      { orderId: uid, reader: ADMIN_ID, seq: readUpTo.owner },
    ])
    .execute()
  // These rows prevent reminder emails about the messages of the demo.
  for (const reader of [uid, ADMIN_ID])
    await tx
      .insertInto('reminders')
      .values({ orderId: uid, reader, seq: conversation.messages.length, at: now, emailId: '' })
      .execute()
  for (const [position, itemId] of conversation.itemIds.entries()) {
    const { name, priceCents, discount = null } = itemById.get(itemId)!
    const isSold = conversation.soldItemIds.includes(itemId) ? 1 : 0
    const line = {
      name,
      priceCents,
      shownPriceCents: discountedPrice(priceCents, discount),
      isSold,
    } as const
    await tx
      .insertInto('orderItems')
      .values({ orderId: uid, itemId, ...line, position })
      .execute()
    // The request for a sold item is inserted later, together with the sale.
    if (isSold) continue
    const request = {
      id: newId15(),
      orderId: uid,
      itemId,
      ...categoryOf(itemId),
      at: at[0] ?? now,
      saleId: null,
    }
    await tx.insertInto('requests').values(request).execute()
  }
  for (const { id, offer, at: sentAt } of offers)
    await fillOffer(tx, offer, { id, orderId: uid, sentAt, now })
  for (const itemId of customer.favoriteItemIds)
    await tx.insertInto('favorites').values({ userId: uid, itemId, createdAt: now }).execute()
}

/** Inserts the sales. All receipts of a buyer with an email address have the same uid, so that reports count the buyer once. [S-200] */
export async function fillSales(tx: Tx, uids: Map<string, string>, now: number): Promise<void> {
  const guests = new Map<string, string>()
  for (const { tag, daysAgo, buyer, lines } of receipts) {
    const customer =
      'customerId' in buyer
        ? customers.find((candidate) => candidate.id === buyer.customerId)
        : undefined
    const [name, email] =
      'customerId' in buyer ? [customer!.name, customer!.email] : [buyer.name, buyer.email ?? '']
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
          // A buyer who has neither an account nor an email address bought at a market.
          method: customer || email ? '' : 'cash',
        })
        .execute()
    }
  }
}

export async function fillTestimonials(tx: Tx, now: number): Promise<void> {
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
        isAvailable: 0,
        isValidated: writer.isValidated ? 1 : 0,
        showOnPage: writer.isShownOnPage ? 1 : 0,
        createdAt: now - (index + 2) * DAY,
        writtenAt: now - (index + 1) * DAY,
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
