/** Places and releases holds of one-of-a-kind items. A hold ends at its time without a job. Later a job deletes the ended hold and notifies the open pages. */
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { dayAndTime } from '#app/ui/format-date.ts'
import {
  type Availability,
  availabilityTransitions,
  holdDay,
  NO_END,
} from '#app/features/catalog/availability.ts'
import { findAgreement, lockItem } from '#app/features/catalog/holds.server.ts'
import { lockOrder } from '#app/features/orders/orders.server.ts'
import { customerName } from '#app/features/orders/order.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
/** `offerId` is null if the owner held the item with the button in the order panel. */
type NewHold = { itemId: string; orderId: string; offerId: string | null; until: number }
/** `item` is the name of the item. `holder` and `until` say for whom and until when the item is on hold. Only the owner may read them. */
export type HoldRefusal =
  | { reason: 'not-unique' | 'not-for-sale' | 'sold' | 'agreed'; item: string }
  | { reason: 'held'; item: string; holder: string; until: number }
type Placed = { reason: null; item: string; isChanged: boolean } | HoldRefusal

/** Holds an item for one conversation, or changes the end of this conversation's hold. An offer that the customer has not accepted does not shorten a longer hold. Locks the item. Refuses the write while another conversation holds the item. [AGREE-22] */
async function placeHold(tx: Tx, hold: NewHold, now: number): Promise<Placed> {
  const item = await lockItem(tx, hold.itemId, now)
  if (item === null) return { reason: 'not-for-sale', item: '' }
  if (item.kind !== 'unique') return { reason: 'not-unique', item: item.name }
  if (!availabilityTransitions.hold.from.includes(item.availability))
    return { reason: 'sold', item: item.name }
  const agreement = await findAgreement(tx, hold.itemId, hold.orderId)
  if (agreement)
    return {
      reason: 'held',
      item: item.name,
      ...(await readHolder(tx, { ...agreement, until: NO_END })),
    }
  if (item.state !== 'listed') return { reason: 'not-for-sale', item: item.name }
  const isLonger = item.hold?.orderId === hold.orderId && item.hold.until >= hold.until
  if (isLonger && hold.offerId !== null && hold.until < NO_END)
    return { reason: null, item: item.name, isChanged: false }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('holds')
    .values({ ...hold, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('itemId')
        .doUpdateSet({
          orderId: hold.orderId,
          offerId: hold.offerId,
          until: hold.until,
          createdAt: now,
        })
        .where(({ or, eb }) =>
          or([eb('holds.orderId', '=', hold.orderId), eb('holds.until', '<=', now)]),
        ),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return { reason: null, item: item.name, isChanged: true }
  return { reason: 'held', item: item.name, ...(await readHolder(tx, item.hold!)) }
}

async function readHolder(tx: Tx, { orderId, until }: { orderId: string; until: number }) {
  const order = await tx
    .selectFrom('orders')
    .select(['userName as name', 'userEmail as email'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  return { holder: customerName(order ?? { name: '', email: '' }), until }
}

/** Returns the ids of the items in a fixed sequence, so that two transactions that lock several items cannot block each other. */
const sortedIds = (lines: readonly { itemId: string }[]): string[] =>
  lines.flatMap(({ itemId }) => itemId || []).toSorted()

/**
 * Holds the one-of-a-kind items of an offer until the offer expires, or without end once the customer has accepted it. A longer hold for the same customer
 * stays as it is. Returns the first refusal, or whether a hold has changed. The caller must have locked the order. [AGREE-21]
 */
export async function holdForOffer(
  tx: Tx,
  {
    id,
    orderId,
    lines,
    validUntil,
  }: Pick<NewHold, 'orderId'> & {
    id: string
    lines: readonly { itemId: string }[]
    validUntil: number | null
  },
  now: number,
): Promise<{ refusal: HoldRefusal; isChanged: false } | { refusal: null; isChanged: boolean }> {
  const until = validUntil ?? NO_END
  let isChanged = false
  for (const itemId of sortedIds(lines)) {
    const placed = await placeHold(tx, { itemId, orderId, offerId: id, until }, now)
    if (placed.reason === null) isChanged ||= placed.isChanged
    else if (placed.reason === 'held' || placed.reason === 'sold')
      return { refusal: placed, isChanged: false }
  }
  return { refusal: null, isChanged }
}

/** Releases the items that an offer holds, because the offer was withdrawn, replaced or canceled. Returns whether a hold has ended. */
export async function releaseHoldsOfOffer(tx: Tx, offerId: string): Promise<boolean> {
  return (
    (await tx.deleteFrom('holds').where('offerId', '=', offerId).executeTakeFirst())
      .numDeletedRows > 0n
  )
}

export type HoldResult = { ok: true } | { ok: false; refusal: HoldRefusal | 'not-found' | 'failed' }

/** Holds a requested item until `until`, or releases it if `until` is null. The owner pressed the button in the order panel. An item of an accepted offer cannot be changed. [AGREE-22, AGREE-23] */
export async function changeHold(
  app: Deps,
  orderId: string,
  itemId: string,
  until: number | null,
): Promise<HoldResult> {
  const done = await tryWrite(app.log, 'an item could not be held', () =>
    inTransaction(app.db, async (tx): Promise<HoldResult> => {
      const order = await lockOrder(tx, orderId)
      const line = await tx
        .selectFrom('orderItems')
        .select(['name', 'offerId'])
        .where('orderId', '=', orderId)
        .where('itemId', '=', itemId)
        .where('isSold', '=', 0)
        .executeTakeFirst()
      if (!order || (!line && until !== null)) return { ok: false, refusal: 'not-found' }
      // The customer relies on the agreement, so only its cancellation releases the item.
      if (line && line.offerId !== null)
        return { ok: false, refusal: { reason: 'agreed', item: line.name } }
      const now = app.now()
      let item = line?.name ?? ''
      if (until === null) {
        const { numDeletedRows } = await tx
          .deleteFrom('holds')
          .where('itemId', '=', itemId)
          .where('orderId', '=', orderId)
          .executeTakeFirst()
        // If no hold was deleted, the owner has pressed the button twice.
        if (numDeletedRows === 0n) return { ok: true }
      } else {
        const placed = await placeHold(tx, { itemId, orderId, offerId: null, until }, now)
        if (placed.reason !== null) return { ok: false, refusal: placed }
        item = placed.item
      }
      const name = customerName({ name: order.userName, email: order.userEmail })
      const act = until === null ? 'release-item' : 'hold-item'
      await recordAuditEvent(tx, {
        at: now,
        actor: ADMIN_ID,
        act,
        subject: orderId,
        name,
        also: item,
        detail: { itemId, item },
      })
      return { ok: true }
    }),
  )
  if (done.ok) app.live.changed('catalog', 'orders', `order:${orderId}`)
  return done
}

/** What the owner sees about a requested one-of-a-kind item. `holder` is the name of another customer, or '' for the customer of this conversation. `day` is '' for a hold without end. `isAgreed` is true for an item of an accepted offer. */
export type HoldView = {
  availability: Availability
  holder: string
  day: string
  until: string
  isAgreed: boolean
}

/** Returns the availability of each unsold one-of-a-kind item of an order. [AGREE-23] */
export async function readHolds(
  app: Pick<AppServices, 'db' | 'now' | 'timeZone'>,
  orderId: string,
): Promise<Record<string, HoldView>> {
  const [now, { timeZone }] = [app.now(), app]
  const rows = await app.db
    .selectFrom('orderItems')
    .innerJoin('items', 'items.id', 'orderItems.itemId')
    .leftJoin('holds', (join) =>
      join.onRef('holds.itemId', '=', 'items.id').on('holds.until', '>', now),
    )
    .leftJoin('orders', 'orders.id', 'holds.orderId')
    .where('orderItems.orderId', '=', orderId)
    .where('isSold', '=', 0)
    .where('items.kind', '=', 'unique')
    .where('items.state', 'in', ['listed', 'sold'])
    .select([
      'items.id',
      'items.state',
      'holds.until',
      'holds.orderId as holderId',
      'userName',
      'userEmail',
      'orderItems.offerId',
    ])
    .execute()
  return Object.fromEntries(
    rows.map(({ id, state, until, holderId, userName, userEmail, offerId }) => {
      const view: HoldView = {
        availability: state === 'sold' ? 'sold' : until === null ? 'available' : 'on-hold',
        holder: '',
        day: '',
        until: '',
        isAgreed: offerId !== null,
      }
      if (view.availability !== 'on-hold' || until === null) return [id, view]
      view.day = holdDay(until, now, timeZone)
      if (until < NO_END) view.until = dayAndTime(until - 1, timeZone)[0]
      if (holderId !== orderId)
        view.holder = customerName({ name: userName ?? '', email: userEmail ?? '' })
      return [id, view]
    }),
  )
}

const POLL_MS = 20_000

/** Deletes the holds that have ended, and notifies the pages. A page that is loaded before this job runs shows these items as available, too. [AGREE-24] */
export async function endHolds(app: Deps): Promise<void> {
  const ended = await inTransaction(app.db, async (tx) => {
    const now = app.now()
    const holds = await tx
      .deleteFrom('holds')
      .where('until', '<=', now)
      .returning(['itemId', 'orderId'])
      .execute()
    for (const { itemId, orderId } of holds) {
      const item = await tx
        .selectFrom('items')
        .select('name')
        .where('id', '=', itemId)
        .executeTakeFirst()
      const order = await tx
        .selectFrom('orders')
        .select(['userName', 'userEmail'])
        .where('id', '=', orderId)
        .executeTakeFirst()
      const name = customerName({ name: order?.userName ?? '', email: order?.userEmail ?? '' })
      const detail = { itemId, item: item?.name ?? '' }
      await recordAuditEvent(tx, {
        at: now,
        actor: 'shop',
        act: 'end-hold',
        subject: orderId,
        name,
        also: detail.item,
        detail,
      })
    }
    return holds
  })
  if (ended.length > 0)
    app.live.changed(
      'catalog',
      'orders',
      ...ended.map(({ orderId }) => `order:${orderId}` as const),
    )
}

export const startEndingHolds = (app: AppServices): (() => Promise<void>) =>
  runEvery({ every: POLL_MS, failure: 'holds could not end', log: app.log, isBegunNow: true }, () =>
    endHolds(app),
  )
