/** Stores addresses and shipments of accepted offers. Every change is one conditional write, together with its row in the audit log. No message, email, log or audit row contains the address. */
import type { Db, Tx } from '#db/schema.ts'
import type { ParcelTable } from '#db/schema-agreements.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { appendMessage, customerColumns, lockOrder } from '#app/features/orders/orders.server.ts'
import { customerName, greetingName, type Parcel } from '#app/features/orders/order.ts'
import { handOverPieces } from '#app/features/production-queue/production-queue.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { signatureOf } from '#app/features/settings/texts.ts'
import { shippedEmailTexts } from './owner-texts.ts'
import {
  mayDo,
  type ParcelAction,
  parcelState,
  parcelTransitions,
  type Tracking,
} from './parcel.ts'
import { parcelMessages, type ParcelRefusal } from './texts.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>
export type ParcelResult = { ok: true } | { ok: false; refusal: ParcelRefusal }
type Where = { orderId: string; offerId: string }
/** The result of an action: a write with its message or without one, 'same' if there was nothing to write, or a refusal. */
type Written = { message: string | null } | 'same' | ParcelRefusal

/** Runs one action on the parcel of an accepted offer. Locks the order, so that the state of the parcel cannot change before the write. */
async function actOnParcel(
  app: Deps,
  { orderId, offerId }: Where,
  action: ParcelAction,
  write: (tx: Tx, parcel: ParcelTable | undefined, order: Order, now: number) => Promise<Written>,
): Promise<ParcelResult> {
  const done = await tryWrite(app.log, 'a parcel could not be changed', () =>
    inTransaction(app.db, async (tx): Promise<ParcelResult> => {
      const order = await lockOrder(tx, orderId)
      const offer = await tx
        .selectFrom('offers')
        .select(['state', 'isShipped'])
        .where('id', '=', offerId)
        .where('orderId', '=', orderId)
        .executeTakeFirst()
      if (!order || !offer) return { ok: false, refusal: 'not-found' }
      if (offer.state !== 'accepted') return { ok: false, refusal: 'not-accepted' }
      if (offer.isShipped === 0) return { ok: false, refusal: 'not-shipped' }
      const parcel = await tx
        .selectFrom('parcels')
        .selectAll()
        .where('offerId', '=', offerId)
        .executeTakeFirst()
      const now = app.now()
      const written = await write(tx, parcel, order, now)
      if (written === 'same') return { ok: true }
      if (typeof written === 'string') return { ok: false, refusal: written }
      const { by } = parcelTransitions[action]
      const actor = by === 'owner' ? ADMIN_ID : 'customer'
      const name = customerName({ name: order.userName, email: order.userEmail })
      await recordAuditEvent(tx, {
        at: now,
        actor,
        act: action,
        subject: orderId,
        name,
        detail: { offer: offerId },
      })
      const sender = by === 'owner' ? ADMIN_ID : orderId
      if (written.message)
        await appendMessage(tx, orderId, { id: newId15(), message: written.message, sender }, now)
      return { ok: true }
    }),
  )
  if (done.ok) app.live.changed('orders', `order:${orderId}`)
  return done
}

const none = {
  recipient: '',
  address: '',
  carrier: '',
  trackingNumber: '',
  trackingUrl: '',
  shippedAt: null,
  arrivedAt: null,
} as const

/** Inserts or updates the parcel unless it was shipped meanwhile. */
async function writeUnshipped(
  tx: Tx,
  offerId: string,
  change: Partial<ParcelTable> & { changedAt: number },
): Promise<boolean> {
  const written = await tx
    .insertInto('parcels')
    .values({ offerId, ...none, ...change })
    .onConflict((same) =>
      same.column('offerId').doUpdateSet(change).where('parcels.shippedAt', 'is', null),
    )
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 1n
}

/** Stores the address that the customer gives or corrects before the parcel is shipped. A message without the address informs the owner. [AGREE-50, AGREE-54] */
export const giveAddress = (
  app: Deps,
  user: User,
  offerId: string,
  { recipient, address }: Pick<Parcel, 'recipient' | 'address'>,
) =>
  actOnParcel(
    app,
    { orderId: user.id, offerId },
    'give-address',
    async (tx, parcel, order, now) => {
      const state = parcelState(parcel)
      if (!mayDo('give-address', state)) return state
      if (parcel?.recipient === recipient && parcel.address === address) return 'same'
      const changedAt = Math.max(now, (parcel?.changedAt ?? 0) + 1)
      if (!(await writeUnshipped(tx, offerId, { recipient, address, changedAt }))) return 'shipped'
      await tx.updateTable('orders').set(customerColumns(user)).where('id', '=', order.id).execute()
      return { message: parcelMessages[state === 'no-address' ? 'give-address' : 'change-address'] }
    },
  )

/** Marks the parcel as shipped. `seen` is the `changedAt` of the address that the owner saw, or 0 without an address. If the customer has changed the address meanwhile, the owner must look at it first. [AGREE-53, AGREE-54, AGREE-55] */
export async function shipParcel(
  app: AppServices,
  where: Where,
  { seen, ...tracking }: Tracking & { seen: number },
): Promise<ParcelResult> {
  const canSend = await app.outbox.canSend()
  const done = await actOnParcel(app, where, 'ship-parcel', async (tx, parcel, order, now) => {
    const state = parcelState(parcel)
    // A double click sends the same form twice.
    if (state === 'shipped' && hasTracking(parcel!, tracking)) return 'same'
    if (!mayDo('ship-parcel', state)) return state
    if ((parcel?.changedAt ?? 0) !== seen) return 'other-address'
    if (
      !(await writeUnshipped(tx, where.offerId, {
        ...tracking,
        shippedAt: now,
        changedAt: parcel?.changedAt ?? now,
      }))
    )
      return 'shipped'
    await handOverPieces(tx, where.offerId, now)
    if (canSend) await postShippedEmail(app, tx, order, where.offerId, now)
    return { message: parcelMessages['ship-parcel'] }
  })
  if (done.ok) {
    app.outbox.wake()
    app.live.changed('mail')
  }
  return done
}

const hasTracking = (parcel: ParcelTable, { carrier, trackingNumber, trackingUrl }: Tracking) =>
  parcel.carrier === carrier &&
  parcel.trackingNumber === trackingNumber &&
  parcel.trackingUrl === trackingUrl

/** Writes the email about the shipped parcel. A guest gets none, because her generated address ends with ".invalid". */
async function postShippedEmail(
  app: AppServices,
  tx: Tx,
  order: Order,
  offerId: string,
  now: number,
): Promise<void> {
  const user = await tx
    .selectFrom('user')
    .select(['name', 'email', 'emailVerified'])
    .where('id', '=', order.id)
    .executeTakeFirst()
  if (!user || user.email.endsWith('.invalid')) return
  const settings = await readSettings(tx)
  const link = app.emailLinkOrigin && `${app.emailLinkOrigin}/login/?messages=`
  const values = {
    name: greetingName(user),
    signature: signatureOf(settings),
    shopName: settings.name,
    link,
  }
  const email = {
    subject: shippedEmailTexts.subject(settings.name),
    text: shippedEmailTexts.text(values),
  }
  await app.outbox.post(
    tx,
    { id: `shipped-${offerId}`, kind: 'shipped', to: user.email, ...email },
    now,
  )
}

/** Corrects the carrier and tracking number of a parcel that the owner has shipped. [AGREE-53] */
export const correctTracking = (app: Deps, where: Where, tracking: Tracking) =>
  actOnParcel(app, where, 'correct-tracking', async (tx, parcel) => {
    const state = parcelState(parcel)
    if (!mayDo('correct-tracking', state)) return state
    if (hasTracking(parcel!, tracking)) return 'same'
    const written = tx
      .updateTable('parcels')
      .set(tracking)
      .where('offerId', '=', where.offerId)
      .where('arrivedAt', 'is', null)
    return (await written.executeTakeFirst()).numUpdatedRows === 1n ? { message: null } : 'arrived'
  })

/** Stores the customer's confirmation that the parcel has arrived. [AGREE-56] */
export const confirmArrival = (app: Deps, user: User, offerId: string) =>
  actOnParcel(app, { orderId: user.id, offerId }, 'confirm-arrival', async (tx, parcel, _, now) => {
    const state = parcelState(parcel)
    if (state === 'arrived') return 'same'
    if (!mayDo('confirm-arrival', state)) return state
    const arrived = tx
      .updateTable('parcels')
      .set({ arrivedAt: now })
      .where('offerId', '=', offerId)
      .where('arrivedAt', 'is', null)
    return (await arrived.executeTakeFirst()).numUpdatedRows === 1n
      ? { message: parcelMessages['confirm-arrival'] }
      : 'same'
  })

/** Reads the parcels of offers, with their addresses. Only the customer and the owner may see the result. [AGREE-52] */
export async function readParcels(
  db: Db | Tx,
  offerIds: readonly string[],
): Promise<Map<string, Parcel>> {
  if (offerIds.length === 0) return new Map()
  const rows = await db.selectFrom('parcels').selectAll().where('offerId', 'in', offerIds).execute()
  return new Map(rows.map(({ offerId, ...parcel }) => [offerId, parcel]))
}

/** Deletes the address of an agreement that the owner cancels before she ships the parcel. [AGREE-59] */
export async function deleteUnshippedParcel(tx: Tx, offerId: string): Promise<void> {
  await tx
    .deleteFrom('parcels')
    .where('offerId', '=', offerId)
    .where('shippedAt', 'is', null)
    .execute()
}

/** Deletes the addresses of a deleted guest, because her conversation stays in the shop. [AGREE-59] */
export async function deleteParcelsOf(tx: Tx, orderId: string): Promise<void> {
  const offers = tx.selectFrom('offers').select('id').where('orderId', '=', orderId)
  await tx.deleteFrom('parcels').where('offerId', 'in', offers).execute()
}
