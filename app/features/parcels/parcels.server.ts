/** No message, email, log or audit row contains the address. */
import type { Db, Tx, ParcelTable } from '#db/schema.ts'
import { type Refusal, refuse } from '#lib/refusal.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { ChangeServices } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Parcel } from '#conversation/agreement.ts'
import {
  changeConversation,
  findOffer,
  type ConversationChange,
  type CustomerContext,
  type OwnerContext,
  updateCustomer,
  appendMessage,
} from '#conversation/conversation.server.ts'
import { greetingName } from '#conversation/people.ts'
import { readOpenCents } from '#payments/payments.server.ts'
import { handOverPieces } from '#production-queue/production-queue.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { signatureOf } from '#settings/texts.ts'
import { shippedEmailTexts } from './owner-texts.ts'
import {
  mayDo,
  type ParcelAction,
  parcelState,
  parcelTransitions,
  type Tracking,
} from './parcel.ts'
import { parcelMessages } from './texts.ts'

type OfferForm = { offerId: string }
type ParcelOfOffer = OfferForm & { orderId: string }
type ParcelChange = ConversationChange & { parcel: ParcelTable | undefined }

const actOnParcel = <Refused extends Refusal>(
  app: ChangeServices,
  { orderId, offerId }: ParcelOfOffer,
  action: ParcelAction,
  isSame: (parcel: ParcelTable) => boolean,
  write: (change: ParcelChange) => Promise<string | Refused>,
) => {
  const { by, to } = parcelTransitions[action]
  const frame = { actor: by === 'owner' ? OWNER_ID : by, act: action }
  return changeConversation(app, orderId, frame, async (change) => {
    const { tx, now } = change
    const offer = await findOffer(tx, orderId, offerId)
    if (!offer) return refuse('not-found')
    if (offer.state !== 'accepted') return refuse('not-accepted')
    if (!offer.isShipped) return refuse('not-shipped')
    const parcel = await tx
      .selectFrom('parcels')
      .selectAll()
      .where('offerId', '=', offerId)
      .executeTakeFirst()
    const state = parcelState(parcel)
    if (parcel && state === to && isSame(parcel)) return {}
    if (!mayDo(action, state)) return refuse(state)
    const message = await write({ ...change, parcel })
    if (typeof message !== 'string') return message
    const sender = by === 'owner' ? OWNER_ID : orderId
    if (message !== '') await appendMessage(tx, orderId, { message, sender }, now)
    return {
      audit: { detail: { offer: offerId } },
      topics: action === 'ship-parcel' ? (['mail'] as const) : [],
    }
  })
}

const emptyParcel = {
  recipient: '',
  address: '',
  carrier: '',
  trackingNumber: '',
  trackingUrl: '',
  shippedAt: null,
  arrivedAt: null,
}

async function writeUnshipped(
  tx: Tx,
  offerId: string,
  change: Partial<ParcelTable> & { changedAt: number },
) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('parcels')
    .values({ offerId, ...emptyParcel, ...change })
    .onConflict((conflict) =>
      conflict.column('offerId').doUpdateSet(change).where('parcels.shippedAt', 'is', null),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const giveAddress = (
  { app, user }: CustomerContext,
  { offerId, recipient, address }: OfferForm & Pick<Parcel, 'recipient' | 'address'>,
) =>
  actOnParcel(
    app,
    { orderId: user.id, offerId },
    'give-address',
    (parcel) => parcel.recipient === recipient && parcel.address === address,
    async ({ tx, parcel, now }) => {
      const changedAt = Math.max(now, (parcel?.changedAt ?? 0) + 1)
      const isWritten = await writeUnshipped(tx, offerId, { recipient, address, changedAt })
      if (!isWritten) return refuse('shipped')
      await updateCustomer(tx, user)
      return parcelMessages[parcel?.recipient ? 'change-address' : 'give-address']
    },
  )

type ShipForm = OfferForm & Tracking & { seen: number; confirm: string }

/**
 * `seen` is `changedAt` of the address that the owner saw, or 0. Refuses an unpaid offer unless
 * `confirm` is 'Yes'. [AGREE-53]
 */
export async function shipParcel(
  { app, orderId }: OwnerContext,
  { offerId, seen, confirm, ...tracking }: ShipForm,
) {
  const canSend = await app.outbox.canSend()
  const result = await actOnParcel(
    app,
    { orderId, offerId },
    'ship-parcel',
    (parcel) => hasTracking(parcel, tracking),
    async ({ tx, parcel, now }) => {
      if ((parcel?.changedAt ?? 0) !== seen) return refuse('other-address')
      const openCents = (await readOpenCents(tx, [offerId])).get(offerId) ?? 0
      if (openCents > 0 && confirm !== 'Yes') return refuse('unpaid', { openCents })
      const isWritten = await writeUnshipped(tx, offerId, {
        ...tracking,
        shippedAt: now,
        changedAt: parcel?.changedAt ?? now,
      })
      if (!isWritten) return refuse('shipped')
      await handOverPieces(tx, offerId, now)
      if (canSend) await postShippedEmail(app, tx, { orderId, offerId }, now)
      return parcelMessages['ship-parcel']
    },
  )
  if (result.ok) app.outbox.wake()
  return result
}

const hasTracking = (parcel: ParcelTable, { carrier, trackingNumber, trackingUrl }: Tracking) =>
  parcel.carrier === carrier &&
  parcel.trackingNumber === trackingNumber &&
  parcel.trackingUrl === trackingUrl

async function postShippedEmail(
  app: Pick<AppServices, 'outbox' | 'emailLinkOrigin'>,
  tx: Tx,
  { orderId, offerId }: ParcelOfOffer,
  now: number,
) {
  const user = await tx
    .selectFrom('user')
    .select(['name', 'email', 'emailVerified'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!user || user.email.endsWith('.invalid')) return
  const settings = await readSettings(tx)
  const email = {
    id: `shipped-${offerId}`,
    kind: 'shipped' as const,
    to: user.email,
    subject: shippedEmailTexts.subject(settings.name),
    text: shippedEmailTexts.text({
      name: greetingName(user),
      signature: signatureOf(settings),
      shopName: settings.name,
      link: app.emailLinkOrigin && `${app.emailLinkOrigin}/login/?messages=`,
    }),
  }
  await app.outbox.post(tx, email, now)
}

export const correctTracking = (
  { app, orderId }: OwnerContext,
  { offerId, ...tracking }: OfferForm & Tracking,
) =>
  actOnParcel(
    app,
    { orderId, offerId },
    'correct-tracking',
    (parcel) => hasTracking(parcel, tracking),
    async ({ tx }) => ((await updateUnarrived(tx, offerId, tracking)) ? '' : refuse('arrived')),
  )

export const confirmArrival = ({ app, user }: CustomerContext, { offerId }: OfferForm) =>
  actOnParcel(
    app,
    { orderId: user.id, offerId },
    'confirm-arrival',
    () => true,
    async ({ tx, now }) =>
      (await updateUnarrived(tx, offerId, { arrivedAt: now }))
        ? parcelMessages['confirm-arrival']
        : refuse('arrived'),
  )

async function updateUnarrived(tx: Tx, offerId: string, changes: Partial<ParcelTable>) {
  const { numUpdatedRows } = await tx
    .updateTable('parcels')
    .set(changes)
    .where('offerId', '=', offerId)
    .where('arrivedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function readParcels(db: Db, offerIds: readonly string[]) {
  if (offerIds.length === 0) return new Map<string, Parcel>()
  const rows = await db.selectFrom('parcels').selectAll().where('offerId', 'in', offerIds).execute()
  return new Map(rows.map(({ offerId, ...parcel }) => [offerId, parcel]))
}

export async function deleteUnshippedParcel(tx: Tx, offerId: string) {
  await tx
    .deleteFrom('parcels')
    .where('offerId', '=', offerId)
    .where('shippedAt', 'is', null)
    .execute()
}

export async function deleteParcelsOf(tx: Tx, orderId: string) {
  const offers = tx.selectFrom('offers').select('id').where('orderId', '=', orderId)
  await tx.deleteFrom('parcels').where('offerId', 'in', offers).execute()
}

export async function listAddressedOffers(db: Db, offerIds: readonly string[]) {
  if (offerIds.length === 0) return []
  const rows = await db
    .selectFrom('parcels')
    .select('offerId')
    .where('offerId', 'in', offerIds)
    .where('recipient', '!=', '')
    .execute()
  return rows.map(({ offerId }) => offerId)
}

export async function findParcelAddress(db: Db, offerIds: readonly string[]) {
  if (offerIds.length === 0) return null
  const parcel = await db
    .selectFrom('parcels')
    .select(['recipient as name', 'address'])
    .where('offerId', 'in', offerIds)
    .where('address', '!=', '')
    .orderBy('changedAt', 'desc')
    .executeTakeFirst()
  return parcel ?? null
}
