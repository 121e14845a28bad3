/** Keeps the queue of pieces that the owner has to make. An entry of the queue is a line of an accepted offer. */
import { type NotNull, sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { QueueStep } from '#db/schema-agreements.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { lockBulkChanges } from '#app/features/catalog/item-order.server.ts'
import { customerName } from '#app/features/orders/order.ts'
import { completeSequence, sequenceAfterStep } from '#app/ui/list-order.ts'
import { entryId, parseEntryId, type QueueAction, queueTransitions } from './queue.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>

/** A condition with a constant value. SQLite uses the index of the open entries only if the query contains exactly the condition of this index. */
export const isOpenEntry = sql<boolean>`"step" <> 'handed-over'`

/** Selects the entries of the queue with the lines of their offers and orders. */
export const queuedLines = (db: Db | Tx) =>
  db
    .selectFrom('queueEntries as q')
    .innerJoin('offerLines as l', (join) =>
      join.onRef('l.offerId', '=', 'q.offerId').onRef('l.position', '=', 'q.line'),
    )
    .innerJoin('offers as o', 'o.id', 'q.offerId')
    .innerJoin('orders', 'orders.id', 'o.orderId')
    .leftJoin('orderItems as item', (join) =>
      join
        .onRef('item.orderId', '=', 'o.orderId')
        .onRef('item.offerId', '=', 'o.id')
        // Must match the function typedLineId.
        .on(
          'item.itemId',
          '=',
          sql<string>`coalesce(nullif("l"."itemId", ''), 'offer-' || "l"."offerId" || '-' || "l"."position")`,
        ),
    )

/** Adds the lines of an accepted offer to the end of the queue. A one-of-a-kind piece begins with the step "ready", because it exists already. [AGREE-30, AGREE-34] */
export async function addToQueue(tx: Tx, offerId: string): Promise<void> {
  const lines = await tx
    .selectFrom('offerLines as l')
    .leftJoin('items', 'items.id', 'l.itemId')
    .select(['l.position as line', 'items.kind'])
    .where('l.offerId', '=', offerId)
    .execute()
  const last = await tx
    .selectFrom('queueEntries')
    .select((eb) => eb.fn.max('position').as('position'))
    .where(isOpenEntry)
    .executeTakeFirst()
  const end = last?.position ?? 0
  const entries = lines.map(
    ({ line, kind }) =>
      ({
        offerId,
        line,
        position: end + line,
        step: kind === 'unique' ? 'ready' : 'waiting',
      }) as const,
  )
  await tx.insertInto('queueEntries').values(entries).execute()
}

/** Removes the lines of a canceled offer from the queue. [AGREE-31] */
export async function removeFromQueue(tx: Tx, offerId: string): Promise<void> {
  await tx.deleteFrom('queueEntries').where('offerId', '=', offerId).execute()
}

/** Hands over the pieces of a shipped parcel. The audit row of the parcel records this. [AGREE-93] */
export async function handOverPieces(tx: Tx, offerId: string, now: number): Promise<void> {
  const entries = tx
    .updateTable('queueEntries')
    .set({ step: 'handed-over', handedOverAt: now })
    .where('offerId', '=', offerId)
  await entries.where(isOpenEntry).execute()
}

type Entry = { offerId: string; line: number }
type StepResult =
  | { ok: true }
  | { ok: false; refusal: 'not-found' | 'failed' }
  | { ok: false; refusal: 'changed'; name: string; step: QueueStep }

/** Moves an entry to another step. If the entry already has this step, the form was sent twice and nothing changes. [AGREE-32] */
export async function changeStep(app: Deps, id: string, action: QueueAction): Promise<StepResult> {
  const entry = parseEntryId(id)
  if (!entry) return { ok: false, refusal: 'not-found' }
  const { from, to } = queueTransitions[action]
  let orderId = ''
  const done = await tryWrite(app.log, 'a piece could not be moved to another step', () =>
    inTransaction(app.db, async (tx): Promise<StepResult> => {
      const now = app.now()
      const changed = await tx
        .updateTable('queueEntries')
        .set({ step: to, handedOverAt: to === 'handed-over' ? now : null })
        .where('offerId', '=', entry.offerId)
        .where('line', '=', entry.line)
        .where('step', 'in', from)
        .executeTakeFirst()
      const found = await findEntry(tx, entry)
      if (!found) return { ok: false, refusal: 'not-found' }
      const { step, name } = found
      if (changed.numUpdatedRows === 0n)
        return step === to ? { ok: true } : { ok: false, refusal: 'changed', name, step }
      orderId = found.orderId
      const buyer = customerName({ name: found.userName, email: found.userEmail })
      const detail = {
        offer: entry.offerId,
        line: entry.line,
        buyer,
        before: { step: from[0] },
        after: { step: to },
      }
      await recordAuditEvent(tx, {
        at: now,
        actor: ADMIN_ID,
        act: 'move-piece',
        subject: orderId,
        name,
        also: buyer,
        detail,
      })
      return { ok: true }
    }),
  )
  if (orderId !== '') app.live.changed('orders', `order:${orderId}`)
  return done
}

const findEntry = (tx: Tx, { offerId, line }: Entry) =>
  queuedLines(tx)
    .select(['q.step', 'l.name', 'o.orderId', 'orders.userName', 'orders.userEmail'])
    .where('q.offerId', '=', offerId)
    .where('q.line', '=', line)
    .executeTakeFirst()

type Reorder = { order: string[] } | { id: string; by: -1 | 1 }

/** Stores a new sequence of the open entries in one transaction, so that concurrent changes do not mix. Returns false if the moved entry is unknown. [AGREE-33] */
export async function orderQueue(app: Deps, reorder: Reorder): Promise<boolean> {
  const done = await inTransaction(app.db, async (tx) => {
    await lockBulkChanges(tx)
    const rows = await tx
      .selectFrom('queueEntries')
      .select(['offerId', 'line', 'position'])
      .where(isOpenEntry)
      .orderBy('position')
      .orderBy('offerId')
      .orderBy('line')
      .execute()
    const entries = new Map(rows.map((row) => [entryId(row.offerId, row.line), row]))
    const present = [...entries.keys()]
    if ('id' in reorder && !entries.has(reorder.id)) return null
    const order =
      'id' in reorder
        ? sequenceAfterStep(present, reorder.id, reorder.by)
        : completeSequence(present, reorder.order)
    if (order.every((id, at) => id === present[at])) return 'same'
    for (const [at, id] of order.entries()) {
      const { offerId, line, position } = entries.get(id)!
      if (position !== at + 1)
        await tx
          .updateTable('queueEntries')
          .set({ position: at + 1 })
          .where('offerId', '=', offerId)
          .where('line', '=', line)
          .execute()
    }
    await recordAuditEvent(tx, {
      at: app.now(),
      actor: ADMIN_ID,
      act: 'order-queued-pieces',
      subject: '',
    })
    return 'changed'
  })
  if (done === 'changed') app.live.changed('orders')
  return done !== null
}

/** Returns the steps of the lines of each accepted offer. The step "waiting" of a sold piece is left out, because customers would think that the sale is waiting. [AGREE-38, AGREE-122] */
export async function readSteps(
  db: Db | Tx,
  offerIds: readonly string[],
): Promise<Map<string, Record<number, QueueStep>>> {
  const steps = new Map<string, Record<number, QueueStep>>()
  if (offerIds.length === 0) return steps
  const rows = await queuedLines(db)
    .select(['q.offerId', 'q.line', 'q.step', 'item.isSold'])
    .where('q.offerId', 'in', offerIds)
    .execute()
  for (const { offerId, line, step, isSold } of rows)
    if (step !== 'waiting' || isSold !== 1)
      steps.set(offerId, { ...steps.get(offerId), [line]: step })
  return steps
}

/** Returns the steps of the sold pieces of an order by the ids of their sales, without the step "waiting". [AGREE-38, AGREE-122] */
export async function readSaleSteps(db: Db, orderId: string): Promise<Map<string, QueueStep>> {
  const rows = await queuedLines(db)
    .select(['q.step', 'item.saleId'])
    .where('o.orderId', '=', orderId)
    .where('item.saleId', 'is not', null)
    .$narrowType<{ saleId: NotNull }>()
    .where('q.step', '<>', 'waiting')
    .execute()
  return new Map(rows.map(({ saleId, step }) => [saleId, step]))
}
