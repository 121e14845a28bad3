import type { Db, Tx, OfferTable } from '#db/schema.ts'
import type { Message } from '#conversation/message.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import { refuse, type Refusal } from '#lib/refusal.ts'
import type { ChangeServices } from '#services/change.server.ts'
import type { AppServices, User } from '#services/context.ts'
import {
  changeConversation,
  findOffer,
  type Order,
  appendMessage,
  type ConversationChange,
  type CustomerContext,
  type OwnerContext,
  openClosedOrder,
  updateCustomer,
  ensureReceiptTag,
} from '#conversation/conversation.server.ts'
import { customerOf } from '#conversation/people.ts'
import { changeCredit, findCredit } from '#credits/credits.server.ts'
import {
  offerTransitions,
  OPEN_STATES,
  type OfferAction,
  offerTotal,
  piecesTotal,
  stateAt,
} from './offer.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Offer, OfferLine } from '#conversation/agreement.ts'
import { replyBlockedReason } from '#conversation/conversation.ts'
import type { Credit } from '#credits/credit.ts'
import { holdForOffer, releaseHoldsOfOffer } from '#holds/holds.server.ts'
import type { Cents } from '#pricing/money.ts'
import { addPayments, readDefaultDeposit } from '#payments/payments.server.ts'
import { deleteUnshippedParcel, readParcels } from '#parcels/parcels.server.ts'
import {
  addToQueue,
  readSteps,
  removeFromQueue,
} from '#production-queue/production-queue.server.ts'
import { offerMessages } from './texts.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { readLastPosition } from '#conversation/order-lines.server.ts'
import { orderItemId, typedLineId } from '#conversation/order-line.ts'

async function changeState(tx: Tx, offerId: string, action: OfferAction, now: number) {
  const { from, to, by } = offerTransitions[action]
  const { numUpdatedRows } = await tx
    .updateTable('offers')
    .set({ state: to, changedAt: now })
    .where('id', '=', offerId)
    .where('state', 'in', from)
    .$if(by === 'customer', (query) => query.where('validUntil', '>', now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const creditUse = (order: Order, { id, creditCode }: OfferTable) => ({
  code: creditCode!,
  offerId: id,
  userId: order.id,
  subject: order.id,
  name: customerOf(order),
})

/** The credit of an offer with a sold piece stays used. [AGREE-66] */
export async function releaseCredits(tx: Tx, order: Order, now: number) {
  const offers = await tx
    .selectFrom('offers')
    .selectAll()
    .where('orderId', '=', order.id)
    .where('state', '=', 'accepted')
    .where('creditCode', 'is not', null)
    .execute()
  for (const offer of offers) {
    if (await releaseLines(tx, offer)) {
      await changeCredit(tx, 'release', creditUse(order, offer), now)
    }
  }
}

export async function markOffersSeen(tx: Tx, orderId: string, seq: number, now: number) {
  const { from, to } = offerTransitions.see
  const readOffers = tx
    .selectFrom('messages')
    .select('offerId')
    .where('orderId', '=', orderId)
    .where('seq', '<=', seq)
    .$castTo<{ offerId: string }>()
  await tx
    .updateTable('offers')
    .set({ state: to, changedAt: now })
    .where('orderId', '=', orderId)
    .where('state', 'in', from)
    .where('validUntil', '>', now)
    .where('id', 'in', readOffers)
    .execute()
}

const POLL_MS = 20_000

/** Pages show an offer as expired before this job stores it. [AGREE-08] */
export async function expireOffers(app: ChangeServices) {
  const offers = await app.db
    .selectFrom('offers')
    .select(['id', 'orderId'])
    .where('state', 'in', OPEN_STATES)
    .where('validUntil', '<=', app.now())
    .execute()
  for (const { id, orderId } of offers) {
    const frame = { actor: 'shop', act: 'expire-offer' } as const
    await changeConversation(app, orderId, frame, async ({ tx, now }) =>
      (await changeState(tx, id, 'expire', now))
        ? { audit: { detail: { offer: id } } }
        : refuse('not-open'),
    )
  }
}

export const startExpiringOffers = (app: AppServices) =>
  runEvery({ every: POLL_MS, failure: 'offers could not expire', log: app.log }, () =>
    expireOffers(app),
  )

type NewOffer = Pick<
  Offer,
  'id' | 'lines' | 'shippingCents' | 'isShipped' | 'readyBy' | 'validUntil' | 'creditCode'
> & {
  message: string
  /** With null, the deposit is the percentage that the settings say. */
  depositCents: Cents | null
}

/**
 * Sending an offer twice changes nothing; sending it again with other terms is refused. [AGREE-01]
 */
export const sendOffer = (app: ChangeServices, orderId: string, offer: NewOffer) =>
  changeConversation(
    app,
    orderId,
    { actor: OWNER_ID, act: 'send-offer' },
    async ({ tx, order, now }) => {
      const existingOffer = await tx
        .selectFrom('offers')
        .selectAll()
        .where('id', '=', offer.id)
        .executeTakeFirst()
      if (existingOffer) {
        const isSame = await isSameOffer(tx, orderId, existingOffer, offer)
        return isSame ? {} : refuse('already-sent')
      }
      const reason = replyBlockedReason({
        isClosed: order.isClosed,
        fromContactPage: order.fromContactPage || order.userId === null,
      })
      if (reason) return refuse(reason)
      const problem = await findProblem(tx, orderId, offer.lines)
      if (problem) return refuse(problem)
      const credit = offer.creditCode && (await findCredit(tx, offer.creditCode, orderId))
      if (offer.creditCode && !credit) return refuse('unknown')
      if (credit && credit.state !== 'open') return refuse('used')

      const creditCents = creditCentsOf(offer, credit || null)
      if ((offer.depositCents ?? 0) > offerTotal({ ...offer, creditCents })) {
        return refuse('high-deposit')
      }
      const isHoldReleased = await replaceOpenOffer(tx, order, now)
      if (!(await insertOffer(tx, orderId, offer, credit || null, now))) {
        return refuse('already-sent')
      }
      const hold = await holdForOffer(tx, { ...offer, orderId }, now)
      if (hold.ok === false) return refuse('not-held', { hold })
      const itemIds = await findUniqueItems(tx, offer.lines)
      if (itemIds.length > 0) return refuse('only-one', { itemIds })
      const message = { message: offer.message, sender: OWNER_ID, offerId: offer.id }
      await appendMessage(tx, orderId, message, now)
      return {
        audit: { detail: { offer: offer.id } },
        isCatalogChanged: isHoldReleased || hold.isChanged,
      }
    },
  )

async function replaceOpenOffer(tx: Tx, order: Order, now: number) {
  const offer = await findOpenOffer(tx, order.id)
  if (!offer) return false
  if (await changeState(tx, offer.id, 'replace', now)) {
    await recordAuditEvent(tx, {
      at: now,
      actor: OWNER_ID,
      act: 'replace-offer',
      subject: order.id,
      name: customerOf(order),
      detail: { offer: offer.id },
    })
  }
  return releaseHoldsOfOffer(tx, offer.id)
}

export const findOpenOffer = (db: Db, orderId: string) =>
  db
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', orderId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst()

/** Locks the items, so that their kind cannot change. */
async function findUniqueItems(tx: Tx, lines: readonly OfferLine[]) {
  const severalIds = lines.flatMap(({ itemId, quantity }) =>
    itemId !== '' && quantity > 1 ? itemId : [],
  )
  if (severalIds.length === 0) return []
  const items = await tx
    .selectFrom('items')
    .select('id')
    .where('id', 'in', severalIds)
    .where('kind', '=', 'unique')
    .execute()
  return items.map(({ id }) => id)
}

async function isSameOffer(tx: Tx, orderId: string, existing: OfferTable, offer: NewOffer) {
  const { creditCode, shippingCents, readyBy, validUntil, isShipped } = existing
  const lines = (await readLines(tx, offer.id)).map((line) => ({ ...line }))
  return (
    existing.orderId === orderId &&
    (creditCode === null || creditCode === offer.creditCode) &&
    shippingCents === offer.shippingCents &&
    (offer.depositCents === null || existing.depositCents === offer.depositCents) &&
    readyBy === offer.readyBy &&
    validUntil === offer.validUntil &&
    isShipped === offer.isShipped &&
    isDeepStrictEqual(lines, lineRows(offer))
  )
}

const lineRows = ({ id, lines }: NewOffer) =>
  lines.map(({ cents, ...line }, index) => ({
    ...line,
    offerId: id,
    position: index + 1,
    priceCents: cents,
  }))

const creditCentsOf = ({ lines }: NewOffer, credit: Credit | null) =>
  Math.min(credit?.cents ?? 0, piecesTotal(lines))

async function insertOffer(
  tx: Tx,
  orderId: string,
  offer: NewOffer,
  credit: Credit | null,
  now: number,
) {
  const { id, shippingCents, isShipped, readyBy, validUntil } = offer
  const creditCents = creditCentsOf(offer, credit)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('offers')
    .values({
      id,
      orderId,
      state: 'sent',
      shippingCents,
      isShipped,
      readyBy,
      validUntil,
      creditCents,
      creditCode: creditCents > 0 ? credit!.code : null,
      depositCents:
        offer.depositCents ?? (await readDefaultDeposit(tx, offerTotal({ ...offer, creditCents }))),
      soldDifferenceCents: 0,
      createdAt: now,
      changedAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return false
  await tx.insertInto('offerLines').values(lineRows(offer)).execute()
  return true
}

async function findProblem(tx: Tx, orderId: string, lines: readonly OfferLine[]) {
  const ids = lines.flatMap(({ itemId }) => itemId || [])
  if (ids.length === 0) return null
  const rows = await tx
    .selectFrom('orderItems')
    .select(['itemId', 'offerId'])
    .where('orderId', '=', orderId)
    .where('isSold', '=', false)
    .execute()
  const requested = new Map(rows.map(({ itemId, offerId }) => [itemId, offerId]))
  if (new Set(ids).size < ids.length || ids.some((id) => !requested.has(id))) return 'not-requested'
  return ids.some((id) => requested.get(id) !== null) ? 'agreed' : null
}

type OfferForm = { offerId: string }

/** Ensures a receipt tag, because all sales of an agreement form one receipt. [AGREE-04] */
export const acceptOffer = ({ app, user }: CustomerContext, { offerId }: OfferForm) =>
  actOnOffer(
    app,
    'accept',
    { orderId: user.id, offerId, user, message: offerMessages.accept },
    async ({ tx, order, offer, now }) => {
      await addToQueue(tx, offerId)
      if (!(await agreeOnLines(tx, offer))) return refuse('outdated')
      await ensureReceiptTag(tx, order.id)
      if (offer.creditCode !== null) {
        const isRedeemed = await changeCredit(tx, 'use', creditUse(order, offer), now)
        if (!isRedeemed) return refuse('no-credit')
      }
      const lines = await readLines(tx, offerId)
      const items = { id: offerId, orderId: order.id, lines, validUntil: null }
      const hold = await holdForOffer(tx, items, now)
      return hold.ok ? hold.isChanged : refuse('outdated')
    },
  )

export const requestChange = (
  { app, user }: CustomerContext,
  { offerId, text: message }: OfferForm & { text: string },
) =>
  actOnOffer(app, 'request-change', { orderId: user.id, offerId, user, message }, async () => false)

export const withdrawOffer = ({ app, orderId }: OwnerContext, { offerId }: OfferForm) =>
  actOnOffer(
    app,
    'withdraw',
    { orderId, offerId, message: offerMessages.withdraw },
    async ({ tx }) => releaseHoldsOfOffer(tx, offerId),
  )

/** The owner must undo the sale of a sold piece first. [AGREE-07] */
export const cancelOffer = ({ app, orderId }: OwnerContext, { offerId }: OfferForm) =>
  actOnOffer(
    app,
    'cancel',
    { orderId, offerId, message: offerMessages.cancel },
    async ({ tx, order, offer, now }) => {
      if (!(await releaseLines(tx, offer))) return refuse('sold')
      await removeFromQueue(tx, offerId)
      await deleteUnshippedParcel(tx, offerId)
      if (offer.creditCode !== null) {
        await changeCredit(tx, 'release', creditUse(order, offer), now)
      }
      return releaseHoldsOfOffer(tx, offerId)
    },
  )

/** `user` is set if the customer acts. `write` returns whether a hold has changed. */
const actOnOffer = <Refused extends Refusal>(
  app: ChangeServices,
  action: 'accept' | 'request-change' | 'withdraw' | 'cancel',
  form: OfferForm & { orderId: string; user?: User; message: string },
  write: (change: ConversationChange & { offer: OfferTable }) => Promise<Refused | boolean>,
) => {
  const { orderId, offerId, user, message } = form
  const { from, to } = offerTransitions[action]
  const frame = { actor: user ? 'customer' : OWNER_ID, act: `${action}-offer` } as const
  return changeConversation(app, orderId, frame, async (change) => {
    const { tx, order, now } = change
    const offer = await findOffer(tx, orderId, offerId)
    if (!offer) return refuse('not-found')
    const state = stateAt(offer, now)
    if (state === to && action !== 'request-change') return {}
    if (!from.includes(state) || !(await changeState(tx, offerId, action, now))) {
      return refuse(state)
    }
    if (user) {
      await updateCustomer(tx, user)
      if (order.isClosed) await openClosedOrder(tx, orderId)
    }
    await appendMessage(tx, orderId, { message, sender: user?.id ?? OWNER_ID }, now)
    const isCatalogChanged = await write({ ...change, offer })
    if (typeof isCatalogChanged !== 'boolean') return isCatalogChanged
    return { audit: { detail: { offer: offerId } }, isCatalogChanged }
  })
}

/**
 * The credit lowers the first prices, so that invoices show what is paid. Returns false if a piece
 * cannot be agreed on. [AGREE-06]
 */
export async function agreeOnLines(
  tx: Tx,
  { id, orderId, creditCents }: Pick<OfferTable, 'id' | 'orderId' | 'creditCents'>,
) {
  const lines = await readLines(tx, id)
  let creditLeft = creditCents
  let orderPosition = await readLastPosition(tx, orderId)
  for (const { position, itemId, name, color, quantity, priceCents } of lines) {
    const usedCredit = Math.min(creditLeft, priceCents * quantity)
    creditLeft -= usedCredit
    const agreed = { offerId: id, agreedCents: priceCents * quantity - usedCredit, quantity }
    if (itemId === '') {
      orderPosition += 1
      const typedLine = {
        ...agreed,
        orderId,
        itemId: typedLineId(id, position),
        name,
        color,
        priceCents,
        shownPriceCents: priceCents,
        isSold: false,
        position: orderPosition,
      }
      await tx.insertInto('orderItems').values(typedLine).execute()
      continue
    }
    const { numUpdatedRows } = await tx
      .updateTable('orderItems')
      .set({ ...agreed, ...(color && { color }) })
      .where('orderId', '=', orderId)
      .where('itemId', '=', itemId)
      .where('isSold', '=', false)
      .where('offerId', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
  }
  return true
}

const readLines = (tx: Tx, offerId: string) =>
  tx
    .selectFrom('offerLines')
    .selectAll()
    .where('offerId', '=', offerId)
    .orderBy('position')
    .execute()

async function releaseLines(tx: Tx, offer: OfferTable) {
  const { id, orderId } = offer
  const soldLine = await tx
    .selectFrom('orderItems')
    .select('itemId')
    .where('orderId', '=', orderId)
    .where('offerId', '=', id)
    .where('isSold', '=', true)
    .executeTakeFirst()
  const lines = await readLines(tx, id)
  if (soldLine || (await isSoldEarlier(tx, offer, lines))) return false
  const typedIds = lines.filter(({ itemId }) => itemId === '').map(orderItemId)
  if (typedIds.length > 0) {
    await tx
      .deleteFrom('orderItems')
      .where('orderId', '=', orderId)
      .where('offerId', '=', id)
      .where('itemId', 'in', typedIds)
      .execute()
  }
  await tx
    .updateTable('orderItems')
    .set({ offerId: null, agreedCents: null, quantity: 1 })
    .where('orderId', '=', orderId)
    .where('offerId', '=', id)
    .execute()
  return true
}

async function isSoldEarlier(
  tx: Tx,
  { orderId, changedAt }: OfferTable,
  lines: Awaited<ReturnType<typeof readLines>>,
) {
  const presentSales = tx
    .selectFrom('orderItems')
    .select('saleId')
    .where('orderId', '=', orderId)
    .where('saleId', 'is not', null)
  const sale = await tx
    .selectFrom('sales')
    .select('id')
    .where('buyerId', '=', orderId)
    .where('itemId', 'in', lines.map(orderItemId))
    .where('createdAt', '>=', changedAt)
    .where('cancels', 'is', null)
    .where('id', 'not in', presentSales.$narrowType<{ saleId: string }>())
    .where('id', 'not in', canceledSaleIds(tx))
    .limit(1)
    .executeTakeFirst()
  return sale !== undefined
}

export async function withOffers<Row extends Message & { offerId: string | null }>(
  db: Db,
  rows: readonly Row[],
) {
  const ids = rows.flatMap(({ offerId }) => offerId ?? [])
  const offers = await readOffers(db, ids)
  return rows.map(({ offerId, ...message }) => {
    const offer = offers.get(offerId ?? '')
    return { ...message, ...(offer && { offer }) }
  })
}

const offerColumns = [
  'id',
  'state',
  'shippingCents',
  'isShipped',
  'depositCents',
  'creditCode',
  'creditCents',
  'soldDifferenceCents',
  'readyBy',
  'validUntil',
] as const

export async function readOffers(db: Db, ids: readonly string[]) {
  const offers = new Map<string, Offer>()
  if (ids.length === 0) return offers
  const rows = await db.selectFrom('offers').select(offerColumns).where('id', 'in', ids).execute()
  const lines = await db
    .selectFrom('offerLines')
    .select(['offerId', 'itemId', 'name', 'color', 'notes', 'quantity', 'priceCents as cents'])
    .where('offerId', 'in', ids)
    .orderBy('position')
    .execute()
  const soldOffers = await db
    .selectFrom('offers')
    .innerJoin('orderItems as line', (join) =>
      join
        .onRef('line.orderId', '=', 'offers.orderId')
        .onRef('line.offerId', '=', 'offers.id')
        .on('line.isSold', '=', true),
    )
    .select('offers.id')
    .where('offers.id', 'in', ids)
    .execute()
  const steps = await readSteps(db, ids)
  const parcels = await readParcels(db, ids)
  for (const offer of rows) {
    offers.set(offer.id, {
      ...offer,
      isSold: soldOffers.some(({ id }) => id === offer.id),
      lines: lines.flatMap(({ offerId, ...line }) => (offerId === offer.id ? line : [])),
      steps: steps.get(offer.id),
      parcel: parcels.get(offer.id),
    })
  }
  await addPayments(db, offers.values(), offerTotal)
  return offers
}

/** Includes canceled offers, whose payments may have to be returned. */
export async function readAgreements(db: Db, orderId: string) {
  const agreements = await db
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', orderId)
    .where('state', 'in', ['accepted', 'canceled'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const lines = await db
    .selectFrom('orderItems')
    .select('offerId')
    .where('orderId', '=', orderId)
    .where('isSold', '=', false)
    .execute()
  const unsold = new Set(lines.map(({ offerId }) => offerId))
  const offers = await readOffers(
    db,
    agreements.map(({ id }) => id),
  )
  return [...offers.values()]
    .filter(({ state, payment }) => state === 'accepted' || payment)
    .map((offer) => ({
      ...offer,
      isSettled: offer.state === 'accepted' && !unsold.has(offer.id) && !offer.payment?.due,
    }))
}
