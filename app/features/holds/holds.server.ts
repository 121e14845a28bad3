import { z } from 'zod'
import type { Tx } from '#db/schema.ts'
import { type ActionTable, formAction, textField } from '#lib/http/form-actions.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import { type Refusal, isRefusal, refuse } from '#lib/refusal.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { ChangeServices } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import { dayAndTime, isDay } from '#ui/format-date.ts'
import { notSavedText } from '#ui/texts.ts'
import {
  type Availability,
  availabilityTransitions,
  holdDay,
  NO_END,
} from '#catalog/availability.ts'
import { findAgreement, lockItem, releaseHolds } from '#catalog/item-holds.server.ts'
import { changeConversation, type OwnerContext } from '#conversation/conversation.server.ts'
import { findUnsoldLine } from '#conversation/order-lines.server.ts'
import { customerOf } from '#conversation/people.ts'
import { endOfDay } from '#sales/period.ts'
import { holdErrors, holdTexts, MAX_HOLD_DAYS } from './owner-texts.ts'

type NewHold = { itemId: string; orderId: string; offerId: string | null; until: number }
/** Only the owner may read `holder` and `until`. */
type HoldRefusal =
  | (Refusal<'not-unique' | 'not-for-sale' | 'sold' | 'agreed'> & { item: string })
  | (Refusal<'held'> & { item: string; holder: string; until: number })

/**
 * Puts the piece on hold for this order, or returns why this is impossible. An offer that is not
 * accepted yet does not shorten a longer hold of the same order.
 */
async function placeHold(tx: Tx, hold: NewHold, now: number) {
  const { itemId, orderId, offerId, until } = hold
  const row = await lockItem(tx, itemId, now)
  if (row === null) return refuse('not-for-sale', { item: '' })
  const item = row.name
  if (row.kind !== 'unique') return refuse('not-unique', { item })
  if (!availabilityTransitions.hold.from.includes(row.availability)) return refuse('sold', { item })
  const agreement = await findAgreement(tx, itemId, orderId)
  if (agreement) {
    const holder = await readHolder(tx, agreement.orderId)
    return refuse('held', { item, holder, until: NO_END })
  }
  if (row.state !== 'listed') return refuse('not-for-sale', { item })
  const isLonger = row.hold?.orderId === orderId && row.hold.until >= until
  if (isLonger && offerId !== null && until < NO_END) {
    return { ok: true as const, item, isChanged: false }
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('holds')
    .values({ ...hold, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('itemId')
        .doUpdateSet({ orderId, offerId, until, createdAt: now })
        .where(({ or, eb }) =>
          or([eb('holds.orderId', '=', orderId), eb('holds.until', '<=', now)]),
        ),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return { ok: true as const, item, isChanged: true }
  const holder = await readHolder(tx, row.hold!.orderId)
  return refuse('held', { item, holder, until: row.hold!.until })
}

async function readHolder(tx: Tx, orderId: string) {
  const order = await tx
    .selectFrom('orders')
    .select(['userName', 'userEmail'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  return customerOf(order ?? { userName: '', userEmail: '' })
}

type OfferToHold = {
  id: string
  orderId: string
  lines: readonly { itemId: string }[]
  validUntil: number | null
}

/** The hold of an accepted offer has no end. The caller has locked the order. [AGREE-21] */
export async function holdForOffer(
  tx: Tx,
  { id, orderId, lines, validUntil }: OfferToHold,
  now: number,
) {
  const until = validUntil ?? NO_END
  let isChanged = false
  // The fixed sequence of the locks prevents deadlocks.
  for (const itemId of lines.flatMap((line) => line.itemId || []).toSorted()) {
    const placed = await placeHold(tx, { itemId, orderId, offerId: id, until }, now)
    if (placed.ok) isChanged ||= placed.isChanged
    else if (placed.refusal === 'held' || placed.refusal === 'sold') return placed
  }
  return { ok: true as const, isChanged }
}

export async function releaseHoldsOfOffer(tx: Tx, offerId: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('holds')
    .where('offerId', '=', offerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const holdLine = (
  { app, orderId }: OwnerContext,
  { itemId, until: day }: { itemId: string; until: string },
) =>
  changeConversation(app, orderId, { actor: OWNER_ID, act: 'hold-item' }, async ({ tx, now }) => {
    const line = await findUnsoldLine(tx, orderId, itemId)
    if (!line) return refuse('not-found')
    if (line.offerId !== null) return refuse('agreed', { item: line.name })
    const until = endOfDay(day, app.timeZone)
    const placed = await placeHold(tx, { itemId, orderId, offerId: null, until }, now)
    if (isRefusal(placed)) return placed
    const { item } = placed
    return { audit: { also: item, detail: { itemId, item } }, isCatalogChanged: true }
  })

const releaseLine = ({ app, orderId }: OwnerContext, { itemId }: { itemId: string }) =>
  changeConversation(app, orderId, { actor: OWNER_ID, act: 'release-item' }, async ({ tx }) => {
    const line = await findUnsoldLine(tx, orderId, itemId)
    if (line?.offerId) return refuse('agreed', { item: line.name })
    const isReleased = await releaseHolds(tx, orderId, itemId)
    if (!isReleased) return {}
    const item = line?.name ?? ''
    return { audit: { also: item, detail: { itemId, item } }, isCatalogChanged: true }
  })

/** `holder` is '' if this conversation holds the item; `day` is '' if the hold has no end. */
export type HoldView = {
  availability: Availability
  holder: string
  day: string
  until: string
  isAgreed: boolean
}

export async function readHolds(
  app: Pick<AppServices, 'db' | 'now' | 'timeZone'>,
  orderId: string,
): Promise<Record<string, HoldView>> {
  const { timeZone } = app
  const now = app.now()
  const rows = await app.db
    .selectFrom('orderItems')
    .innerJoin('items', 'items.id', 'orderItems.itemId')
    .leftJoin('holds', (join) =>
      join.onRef('holds.itemId', '=', 'items.id').on('holds.until', '>', now),
    )
    .leftJoin('orders', 'orders.id', 'holds.orderId')
    .where('orderItems.orderId', '=', orderId)
    .where('isSold', '=', false)
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
        availability: state === 'sold' ? 'sold' : 'available',
        holder: '',
        day: '',
        until: '',
        isAgreed: offerId !== null,
      }
      if (state === 'sold' || until === null) return [id, view]
      view.availability = 'on-hold'
      view.day = holdDay(until, now, timeZone)
      if (until < NO_END) view.until = dayAndTime(until - 1, timeZone)[0]
      if (holderId !== orderId) {
        view.holder = customerOf({ userName: userName ?? '', userEmail: userEmail ?? '' })
      }
      return [id, view]
    }),
  )
}

const POLL_MS = 20_000

export async function endHolds(app: ChangeServices) {
  const endedHolds = await inTransaction(app.db, async (tx) => {
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
      const detail = { itemId, item: item?.name ?? '' }
      await recordAuditEvent(tx, {
        at: now,
        actor: 'shop',
        act: 'end-hold',
        subject: orderId,
        name: await readHolder(tx, orderId),
        also: detail.item,
        detail,
      })
    }
    return holds
  })
  if (endedHolds.length > 0) {
    app.live.changed(
      'catalog',
      'orders',
      ...endedHolds.map(({ orderId }) => `order:${orderId}` as const),
    )
  }
}

export const startEndingHolds = (app: AppServices) =>
  runEvery({ every: POLL_MS, failure: 'holds could not end', log: app.log }, () => endHolds(app))

const untilField = ({ app: { now, timeZone } }: OwnerContext) => {
  const [today] = dayAndTime(now(), timeZone)
  const [latest] = dayAndTime(now() + MAX_HOLD_DAYS * 86_400_000, timeZone)
  return z
    .string(holdErrors.badDay)
    .trim()
    .refine(isDay, { error: holdErrors.badDay, abort: true })
    .refine((day) => day >= today, holdErrors.pastDay)
    .refine((day) => day <= latest, holdErrors.lateDay)
}

const toAnswer = (error: string, status = 409) => ({ status, field: 'until', error })
const refusals = {
  'not-found': toAnswer(holdErrors['not-found'], 404),
  failed: toAnswer(notSavedText, 500),
}
const explain = (refusal: HoldRefusal, { app }: OwnerContext) =>
  toAnswer(holdRefusalText(app, refusal))

export const holdActions: ActionTable<OwnerContext> = {
  hold: formAction({
    schema: (context: OwnerContext) => z.object({ itemId: textField, until: untilField(context) }),
    run: holdLine,
    success: holdTexts.held,
    refusals: {
      ...refusals,
      'not-unique': explain,
      'not-for-sale': explain,
      agreed: explain,
      sold: explain,
      held: explain,
    },
  }),
  release: formAction({
    schema: z.object({ itemId: textField }),
    run: releaseLine,
    success: holdTexts.released,
    refusals: { ...refusals, agreed: explain },
  }),
}

export function holdRefusalText(
  { now, timeZone }: Pick<AppServices, 'now' | 'timeZone'>,
  refusal: HoldRefusal,
) {
  const { item } = refusal
  switch (refusal.refusal) {
    case 'held':
      return holdErrors.held(item, refusal.holder, holdDay(refusal.until, now(), timeZone))
    case 'sold':
      return holdErrors.sold(item)
    default:
      return holdErrors[refusal.refusal]
  }
}
