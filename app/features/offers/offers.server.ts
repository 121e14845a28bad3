/** Sends offers and changes their states. One transaction contains the conditional write, its row in the audit log and its message. */
import type { Tx } from '#db/schema.ts'
import type { OfferTable } from '#db/schema-agreements.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import {
  appendMessage,
  customerColumns,
  ensureReceiptTag,
  lockOrder,
  openClosedOrder,
} from '#app/features/orders/orders.server.ts'
import {
  customerName,
  type Offer,
  type OfferLine,
  replyBlockedReason,
} from '#app/features/orders/order.ts'
import {
  addToQueue,
  removeFromQueue,
} from '#app/features/production-queue/production-queue.server.ts'
import {
  type HoldRefusal,
  holdForOffer,
  releaseHoldsOfOffer,
} from '#app/features/holds/holds.server.ts'
import { readDeposit } from '#app/features/payments/payments.server.ts'
import { deleteUnshippedParcel } from '#app/features/parcels/parcels.server.ts'
import type { Credit } from '#app/features/credits/credit.ts'
import { findCredit, releaseCredit, redeemCredit } from '#app/features/credits/credits.server.ts'
import { agreeOnLines, readLines, releaseLines } from './agreed-lines.server.ts'
import {
  offerTotal,
  offerTransitions,
  OPEN_STATES,
  type OfferAction,
  piecesTotal,
  stateAt,
} from './offer.ts'
import { offerMessages, type OfferRefusal } from './texts.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

export type NewOffer = Pick<
  Offer,
  'id' | 'lines' | 'shippingCents' | 'isShipped' | 'readyBy' | 'validUntil' | 'creditCode'
> & {
  message: string
}
type SendOfferRefusal =
  | 'not-found'
  | 'closed'
  | 'no-reply'
  | 'not-requested'
  | 'agreed'
  | 'unknown'
  | 'used'
  | 'already-sent'
  | 'failed'
/** `itemIds` are the one-of-a-kind items of which the offer contains several pieces. */
type NotSentReason =
  | { refusal: SendOfferRefusal }
  | { refusal: 'not-held'; hold: HoldRefusal }
  | { refusal: 'only-one'; itemIds: string[] }
type SendOfferResult = { ok: true } | ({ ok: false } & NotSentReason)

/**
 * Sends the owner's offer, which replaces the open offer of the conversation, and holds its one-of-a-kind items. Changes nothing if an offer with
 * this id is already stored, and refuses it if its terms differ from the stored ones. [AGREE-01, AGREE-03, AGREE-21]
 */
export async function sendOffer(
  app: Deps,
  orderId: string,
  offer: NewOffer,
): Promise<SendOfferResult> {
  let hasHold = false
  const done = await tryWrite(app.log, 'an offer could not be sent', () =>
    inTransaction(app.db, async (tx): Promise<SendOfferResult> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, refusal: 'not-found' }
      const stored = await tx
        .selectFrom('offers')
        .selectAll()
        .where('id', '=', offer.id)
        .executeTakeFirst()
      if (stored)
        return (await isSameOffer(tx, orderId, stored, offer))
          ? { ok: true }
          : { ok: false, refusal: 'already-sent' }
      const isAbandoned = order.userId === null
      const refusal = replyBlockedReason({
        isClosed: order.isClosed === 1,
        fromContactPage: order.fromContactPage === 1 || isAbandoned,
      })
      if (refusal) return { ok: false, refusal }
      const wrong = await whatIsWrongWithPieces(tx, orderId, offer.lines)
      if (wrong) return { ok: false, refusal: wrong }
      const credit =
        offer.creditCode === null ? null : await findCredit(tx, offer.creditCode, orderId)
      if (offer.creditCode !== null && credit?.state !== 'open')
        return { ok: false, refusal: credit ? 'used' : 'unknown' }
      const now = app.now()
      const replaced = await readOpenOffer(tx, orderId)
      if (replaced) await changeState(tx, order, replaced, 'replace', now)
      const isReleased = replaced !== undefined && (await releaseHoldsOfOffer(tx, replaced.id))
      await insertOffer(tx, orderId, offer, credit, now)
      const held = await holdForOffer(tx, { ...offer, orderId }, now)
      if (held.refusal !== null) throw new NotSent({ refusal: 'not-held', hold: held.refusal })
      const itemIds = await findUniqueItems(tx, offer.lines)
      if (itemIds.length > 0) throw new NotSent({ refusal: 'only-one', itemIds })
      hasHold = isReleased || held.isChanged
      await appendMessage(
        tx,
        orderId,
        { id: newId15(), message: offer.message, sender: ADMIN_ID, offerId: offer.id },
        now,
      )
      await record(tx, order, 'send-offer', offer.id, now)
      return { ok: true }
    }).catch((error: unknown): SendOfferResult => {
      if (error instanceof NotSent) return { ok: false, ...error.reason }
      throw error
    }),
  )
  if (done.ok) publish(app, orderId, hasHold)
  return done
}

/** Rolls back the transaction, because the offer cannot be sent. */
class NotSent extends Error {
  reason: NotSentReason
  constructor(reason: NotSentReason) {
    super(reason.refusal)
    this.reason = reason
  }
}

/** Returns the one-of-a-kind items of which the offer contains several pieces. The items must be locked, so that their kind cannot change. [AGREE-09] */
async function findUniqueItems(tx: Tx, lines: readonly OfferLine[]): Promise<string[]> {
  const several = lines.flatMap(({ itemId, quantity }) =>
    itemId !== '' && quantity > 1 ? itemId : [],
  )
  if (several.length === 0) return []
  const unique = await tx
    .selectFrom('items')
    .select('id')
    .where('id', 'in', several)
    .where('kind', '=', 'unique')
    .execute()
  return unique.map(({ id }) => id)
}

/** Returns whether the stored offer is this offer, so that the form was only sent twice. The owner may also have changed the form after its response was lost. */
async function isSameOffer(
  tx: Tx,
  orderId: string,
  stored: OfferTable,
  { lines, ...offer }: NewOffer,
): Promise<boolean> {
  const terms = ({
    shippingCents,
    readyBy,
    validUntil,
  }: Pick<OfferTable, 'shippingCents' | 'readyBy' | 'validUntil'>) =>
    JSON.stringify([shippingCents, readyBy, validUntil])
  const rows = await readLines(tx, offer.id)
  const texts = (some: readonly Omit<OfferLine, 'id'>[]) =>
    JSON.stringify(
      some.map(({ itemId, name, color, notes, quantity, cents }) => [
        itemId,
        name,
        color,
        notes,
        quantity,
        cents,
      ]),
    )
  const isSameCredit = stored.creditCode === null || stored.creditCode === offer.creditCode
  const isSameWay = (stored.isShipped === 1) === offer.isShipped
  const isSameText =
    texts(rows.map(({ priceCents, ...line }) => ({ ...line, cents: priceCents }))) === texts(lines)
  return (
    stored.orderId === orderId &&
    terms(stored) === terms(offer) &&
    isSameCredit &&
    isSameWay &&
    isSameText
  )
}

async function insertOffer(
  tx: Tx,
  orderId: string,
  offer: NewOffer,
  credit: Credit | null,
  now: number,
): Promise<void> {
  const { id, shippingCents, readyBy, validUntil } = offer
  const agreed = {
    id,
    orderId,
    shippingCents,
    readyBy,
    validUntil,
    isShipped: offer.isShipped ? 1 : 0,
  } as const
  const creditCents = Math.min(credit?.cents ?? 0, piecesTotal(offer.lines))
  const used = { creditCents, creditCode: creditCents > 0 ? credit!.code : null }
  const depositCents = await readDeposit(tx, offerTotal({ ...offer, creditCents }))
  const made = await tx
    .insertInto('offers')
    .values({
      ...agreed,
      ...used,
      depositCents,
      soldDifferenceCents: 0,
      state: 'sent',
      createdAt: now,
      changedAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  // Another conversation has stored an offer with this id in the meantime.
  if (made.numInsertedOrUpdatedRows === 0n) throw new NotSent({ refusal: 'already-sent' })
  const rows = offer.lines.map(({ cents, ...line }, at) => ({
    offerId: id,
    position: at + 1,
    ...line,
    priceCents: cents,
  }))
  await tx.insertInto('offerLines').values(rows).execute()
}

/** Returns what is wrong if an item of an offer is not an unsold item of the order, appears twice, or is part of an accepted offer. [AGREE-09, AGREE-82] */
async function whatIsWrongWithPieces(
  tx: Tx,
  orderId: string,
  lines: readonly OfferLine[],
): Promise<'not-requested' | 'agreed' | null> {
  const ids = lines.flatMap(({ itemId }) => itemId || [])
  if (ids.length === 0) return null
  const rows = await tx
    .selectFrom('orderItems')
    .select(['itemId', 'offerId'])
    .where('orderId', '=', orderId)
    .where('isSold', '=', 0)
    .execute()
  const requested = new Map(rows.map(({ itemId, offerId }) => [itemId, offerId]))
  if (new Set(ids).size < ids.length || ids.some((id) => !requested.has(id))) return 'not-requested'
  return ids.some((id) => requested.get(id) !== null) ? 'agreed' : null
}

const readOpenOffer = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('offers')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst()

/** Writes the new state if the offer is in a state from which the action is possible. Returns whether the state was written. */
async function changeState(
  tx: Tx,
  order: Order,
  { id }: Pick<OfferTable, 'id'>,
  action: OfferAction,
  now: number,
): Promise<boolean> {
  const { from, to, by } = offerTransitions[action]
  const changed = await tx
    .updateTable('offers')
    .set({ state: to, changedAt: now })
    .where('id', '=', id)
    .where('state', 'in', from)
    .$if(by === 'customer', (query) => query.where('validUntil', '>', now))
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  if (action !== 'see') await record(tx, order, `${action}-offer`, id, now)
  return true
}

const actors = { customer: 'customer', owner: ADMIN_ID, time: 'shop' } as const

function record(
  tx: Tx,
  order: Order,
  act: 'send-offer' | `${Exclude<OfferAction, 'see'>}-offer`,
  offer: string,
  at: number,
) {
  const name = customerName({ name: order.userName, email: order.userEmail })
  const actor =
    act === 'send-offer'
      ? ADMIN_ID
      : actors[offerTransitions[act.replace(/-offer$/, '') as OfferAction].by]
  return recordAuditEvent(tx, { at, actor, act, subject: order.id, name, detail: { offer } })
}

/** Publishes a changed offer. If a hold has changed, the pages of visitors change, too. */
const publish = (app: Pick<AppServices, 'live'>, orderId: string, hasHold = false) =>
  app.live.changed('orders', `order:${orderId}`, ...(hasHold ? (['catalog'] as const) : []))

export type OfferResult = { ok: true } | { ok: false; refusal: OfferRefusal }

/** Runs one action on an offer. If the offer is already in the state after the action, the form was sent twice and nothing changes. */
async function actOnOffer(
  app: Deps,
  { orderId, offerId }: { orderId: string; offerId: string },
  action: 'accept' | 'request-change' | 'withdraw' | 'cancel',
  write: (tx: Tx, order: Order, offer: OfferTable, now: number) => Promise<OfferRefusal | null>,
): Promise<OfferResult> {
  let hasHold = false
  const done = await tryWrite(app.log, 'an offer could not be changed', () =>
    inTransaction(app.db, async (tx): Promise<OfferResult> => {
      const order = await lockOrder(tx, orderId)
      const offer = await tx
        .selectFrom('offers')
        .selectAll()
        .where('id', '=', offerId)
        .where('orderId', '=', orderId)
        .executeTakeFirst()
      if (!order || !offer) return { ok: false, refusal: 'not-found' }
      const now = app.now()
      const state = stateAt(offer, now)
      if (state === offerTransitions[action].to && action !== 'request-change') return { ok: true }
      if (
        !offerTransitions[action].from.includes(state) ||
        !(await changeState(tx, order, offer, action, now))
      )
        return { ok: false, refusal: state }
      const refusal = await write(tx, order, offer, now)
      if (refusal !== null) throw new Refused(refusal)
      if (action === 'accept') {
        const held = await holdForOffer(
          tx,
          { id: offerId, orderId, lines: await readLines(tx, offerId), validUntil: null },
          now,
        )
        if (held.refusal !== null) throw new Refused('outdated')
        hasHold = held.isChanged
      } else if (action !== 'request-change') hasHold = await releaseHoldsOfOffer(tx, offerId)
      return { ok: true }
    }).catch((error: unknown): OfferResult => {
      if (error instanceof Refused) return { ok: false, refusal: error.refusal }
      throw error
    }),
  )
  if (done.ok) publish(app, orderId, hasHold)
  return done
}

/** Rolls back the transaction, because a later write of the action was refused. */
class Refused extends Error {
  refusal: OfferRefusal
  constructor(refusal: OfferRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** Accepts the offer: its lines become part of the order, with the agreed prices, and all its sales form one receipt. A closed order is reopened, as after a message. [AGREE-04, AGREE-06] */
export const acceptOffer = (app: Deps, user: User, offerId: string): Promise<OfferResult> =>
  actOnOffer(app, { orderId: user.id, offerId }, 'accept', async (tx, order, offer, now) => {
    await writeCustomerMessage(tx, order, user, offerMessages.accept, now)
    await addToQueue(tx, offer.id)
    if (!(await agreeOnLines(tx, offer))) return 'outdated'
    await ensureReceiptTag(tx, order.id)
    return offer.creditCode === null || (await redeemCredit(tx, creditUse(order, offer), now))
      ? null
      : 'no-credit'
  })

/** Returns the use of the offer's credit. The id of the order is also the id of the customer. */
const creditUse = (order: Order, { id, creditCode }: OfferTable) => ({
  ...{ code: creditCode!, offerId: id, userId: order.id },
  ...{ subject: order.id, name: customerName({ name: order.userName, email: order.userEmail }) },
})

/** Sends the customer's request for a change as a message. She can still accept the offer. [AGREE-05] */
export const requestChange = (
  app: Deps,
  user: User,
  offerId: string,
  text: string,
): Promise<OfferResult> =>
  actOnOffer(app, { orderId: user.id, offerId }, 'request-change', async (tx, order, _, now) => {
    await writeCustomerMessage(tx, order, user, text, now)
    return null
  })

async function writeCustomerMessage(
  tx: Tx,
  order: Order,
  user: User,
  message: string,
  now: number,
): Promise<void> {
  await tx.updateTable('orders').set(customerColumns(user)).where('id', '=', order.id).execute()
  if (order.isClosed) await openClosedOrder(tx, order.id)
  await appendMessage(tx, order.id, { id: newId15(), message, sender: user.id }, now)
}

/** Withdraws an offer that the customer has not accepted. [AGREE-02] */
export const withdrawOffer = (app: Deps, orderId: string, offerId: string): Promise<OfferResult> =>
  actOnOffer(app, { orderId, offerId }, 'withdraw', async (tx, _, __, now) => {
    await appendMessage(
      tx,
      orderId,
      { id: newId15(), message: offerMessages.withdraw, sender: ADMIN_ID },
      now,
    )
    return null
  })

/** Cancels an accepted offer. Its pieces stay in the order without the agreed prices. If a piece is sold, the owner must first undo the sale. [AGREE-07] */
export const cancelOffer = (app: Deps, orderId: string, offerId: string): Promise<OfferResult> =>
  actOnOffer(app, { orderId, offerId }, 'cancel', async (tx, order, offer, now) => {
    if (!(await releaseLines(tx, offer))) return 'sold'
    await removeFromQueue(tx, offerId)
    await deleteUnshippedParcel(tx, offer.id)
    if (offer.creditCode !== null) await releaseCredit(tx, creditUse(order, offer), now)
    await appendMessage(
      tx,
      orderId,
      { id: newId15(), message: offerMessages.cancel, sender: ADMIN_ID },
      now,
    )
    return null
  })

/** Makes the credits of a conversation's accepted offers usable again, because the owner deletes the conversation. The credit of an offer of which a piece is sold stays used. [AGREE-66] */
export async function releaseCredits(tx: Tx, order: Order, now: number): Promise<void> {
  const accepted = tx
    .selectFrom('offers')
    .selectAll()
    .where('orderId', '=', order.id)
    .where('state', '=', 'accepted')
  for (const offer of await accepted.where('creditCode', 'is not', null).execute())
    if (await releaseLines(tx, offer)) await releaseCredit(tx, creditUse(order, offer), now)
}

/** Marks the open offer as seen, because the customer has read the message that contains it. The caller must have locked the order. */
export async function markOffersSeen(
  tx: Tx,
  orderId: string,
  seq: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ state: offerTransitions.see.to, changedAt: now })
    .where('orderId', '=', orderId)
    .where('state', 'in', offerTransitions.see.from)
    .where('validUntil', '>', now)
    .where(
      'id',
      'in',
      tx
        .selectFrom('messages')
        .select('offerId')
        .where('orderId', '=', orderId)
        .where('seq', '<=', seq)
        .$castTo<{ offerId: string }>(),
    )
    .execute()
}

const POLL_MS = 20_000

/** Stores the state of offers that have expired, and notifies their conversations. Pages show these offers as expired even before this job runs. [AGREE-08] */
export async function expireOffers(app: Deps): Promise<void> {
  const due = app.db
    .selectFrom('offers')
    .select(['id', 'orderId'])
    .where('state', 'in', OPEN_STATES)
    .where('validUntil', '<=', app.now())
  for (const offer of await due.execute()) {
    const isChanged = await inTransaction(app.db, async (tx) => {
      const order = await lockOrder(tx, offer.orderId)
      return order !== undefined && (await changeState(tx, order, offer, 'expire', app.now()))
    })
    if (isChanged) publish(app, offer.orderId)
  }
}

export const startExpiringOffers = (app: AppServices): (() => Promise<void>) =>
  runEvery(
    { every: POLL_MS, failure: 'offers could not expire', log: app.log, isBegunNow: true },
    () => expireOffers(app),
  )
