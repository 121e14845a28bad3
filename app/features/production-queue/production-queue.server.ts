import { type NotNull, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Tx } from '#db/schema.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { isStorableText } from '#lib/http/form-data.server.ts'
import { type ActionTable, formAction, textField } from '#lib/http/form-actions.server.ts'
import { recordOf } from '#lib/record-of.ts'
import { refuse } from '#lib/refusal.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { change, type ChangeServices } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import { reorderAction } from '#lib/http/reorder-action.server.ts'
import { dayAndTime, formatDate, formatIsoDay, isDay } from '#ui/format-date.ts'
import { notSavedText } from '#ui/texts.ts'
import { type Reorder, reordered } from '#ui/list-order.ts'
import { colorName, type Item, isForSale, stockHint } from '#catalog/catalog.ts'
import { listColors, readPieceImages } from '#catalog/catalog.server.ts'
import { lockBulkChanges } from '#catalog/item-order.server.ts'
import type { ShownStep } from '#conversation/agreement.ts'
import { changeConversation, lockOrder } from '#conversation/conversation.server.ts'
import { customerOf } from '#conversation/people.ts'
import { readOpenCents } from '#payments/payments.server.ts'
import { formatMoney } from '#pricing/money.ts'
import { getSettingsCached } from '#settings/settings.server.ts'
import { getVacationCached, type VacationSettings } from '#settings/vacation.server.ts'
import { queueErrors, queuePageTexts, readyOrderTexts } from './owner-texts.ts'
import {
  entryId,
  MAX_DONE,
  MAX_QUEUED,
  parseEntryId,
  type QueueAction,
  queueTransitions,
  READY_PARAMETER,
  shownStep,
} from './queue.ts'
import { queueTexts } from './texts.ts'

/** SQLite uses the index only if a query has exactly this condition. */
const isOpenEntry = sql<boolean>`"step" <> 'handed-over'`

const queuedLines = (db: Db) =>
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
        .on(
          'item.itemId',
          '=',
          sql<string>`coalesce(nullif("l"."itemId", ''), 'offer-' || "l"."offerId" || '-' || "l"."position")`,
        ),
    )

export async function addToQueue(tx: Tx, offerId: string) {
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
  const entries = lines.map(({ line, kind }) => ({
    offerId,
    line,
    position: end + line,
    step: kind === 'unique' ? ('ready' as const) : ('waiting' as const),
  }))
  await tx.insertInto('queueEntries').values(entries).execute()
}

export async function removeFromQueue(tx: Tx, offerId: string) {
  await tx.deleteFrom('queueEntries').where('offerId', '=', offerId).execute()
}

export async function handOverPieces(tx: Tx, offerId: string, now: number) {
  const entries = tx
    .updateTable('queueEntries')
    .set({ step: 'handed-over', handedOverAt: now })
    .where('offerId', '=', offerId)
  await entries.where(isOpenEntry).execute()
}

async function changeStep(app: ChangeServices, id: string, action: QueueAction) {
  const entry = parseEntryId(id)
  if (!entry) return refuse('not-found')
  const { from, to } = queueTransitions[action]
  const lock = async (tx: Tx) => {
    const queued = await findEntry(tx, entry)
    return queued && lockOrder(tx, queued.orderId)
  }
  const frame = { actor: OWNER_ID, act: 'move-piece' } as const
  return changeConversation(app, lock, frame, async ({ tx, order, now }) => {
    const { numUpdatedRows } = await tx
      .updateTable('queueEntries')
      .set({ step: to, handedOverAt: to === 'handed-over' ? now : null })
      .where('offerId', '=', entry.offerId)
      .where('line', '=', entry.line)
      .where('step', 'in', from)
      .executeTakeFirst()
    const queued = await findEntry(tx, entry)
    if (!queued) return refuse('not-found')
    const { name, step } = queued
    if (numUpdatedRows === 0n) return step === to ? {} : refuse('changed', { name, step })
    const buyer = customerOf(order)
    const detail = {
      offer: entry.offerId,
      line: entry.line,
      buyer,
      before: { step: from[0] },
      after: { step: to },
    }
    const openCents = action === 'finish' ? await readOpenCentsOfReady(tx, [entry.offerId]) : null
    return {
      audit: { name, also: buyer, detail },
      value: { customer: buyer, openCents: openCents?.get(entry.offerId) ?? 0 },
    }
  })
}

/** Returns the unpaid cents of agreements whose pieces are all made. */
async function readOpenCentsOfReady(db: Db, offerIds: readonly string[]) {
  const open = await readOpenCents(db, offerIds)
  if (open.size === 0) return open
  const unready = await db
    .selectFrom('queueEntries')
    .select('offerId')
    .distinct()
    .where('offerId', 'in', [...open.keys()])
    .where('step', 'in', ['waiting', 'making'])
    .execute()
  for (const { offerId } of unready) open.delete(offerId)
  return open
}

/** Returns a message for the customer, or '' if there is nothing to tell. [S-481] */
export async function readReadyMessage(app: AppServices, orderId: string, search: URLSearchParams) {
  const offerId = search.get(READY_PARAMETER)
  if (!offerId || !isStorableText(offerId)) return ''
  const offer = await app.db
    .selectFrom('offers')
    .select('id')
    .where('id', '=', offerId)
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  const openCents = offer && (await readOpenCentsOfReady(app.db, [offerId])).get(offerId)
  return openCents ? readyOrderTexts.message(formatMoney(openCents, app.currency)) : ''
}

const findEntry = (tx: Tx, { offerId, line }: { offerId: string; line: number }) =>
  queuedLines(tx)
    .select(['q.step', 'l.name', 'o.orderId'])
    .where('q.offerId', '=', offerId)
    .where('q.line', '=', line)
    .executeTakeFirst()

const orderQueue = (app: ChangeServices, reorder: Reorder) =>
  change(app, { failure: 'the pieces to make could not be ordered' }, async (tx) => {
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
    const ids = [...entries.keys()]
    const order = reordered(ids, reorder)
    if (!order) return refuse('not-found')
    if (order.every((id, index) => id === ids[index])) return {}
    for (const [index, id] of order.entries()) {
      const { offerId, line, position } = entries.get(id)!
      if (position === index + 1) continue
      await tx
        .updateTable('queueEntries')
        .set({ position: index + 1 })
        .where('offerId', '=', offerId)
        .where('line', '=', line)
        .execute()
    }
    return {
      audit: { actor: OWNER_ID, act: 'order-queued-pieces' as const, subject: '' },
      topics: ['orders'] as const,
    }
  })

export async function readSteps(db: Db, offerIds: readonly string[]) {
  const steps = new Map<string, Record<number, ShownStep>>()
  if (offerIds.length === 0) return steps
  const rows = await queuedLines(db)
    .leftJoin('parcels', 'parcels.offerId', 'q.offerId')
    .select(['q.offerId', 'q.line', 'q.step', 'item.isSold', 'o.isShipped', 'parcels.arrivedAt'])
    .where('q.offerId', 'in', offerIds)
    .execute()
  for (const { offerId, line, step, isSold, ...parcel } of rows) {
    if (step === 'waiting' && isSold) continue
    steps.set(offerId, { ...steps.get(offerId), [line]: shownStep(step, parcel) })
  }
  return steps
}

export async function readSaleSteps(db: Db, orderId: string) {
  const rows = await queuedLines(db)
    .leftJoin('parcels', 'parcels.offerId', 'q.offerId')
    .select(['q.step', 'item.saleId', 'o.isShipped', 'parcels.arrivedAt'])
    .where('o.orderId', '=', orderId)
    .where('item.saleId', 'is not', null)
    .$narrowType<{ saleId: NotNull }>()
    .where('q.step', '<>', 'waiting')
    .execute()
  return new Map(rows.map(({ saleId, step, ...parcel }) => [saleId, shownStep(step, parcel)]))
}

const entries = (db: Db) =>
  queuedLines(db)
    .select([
      'q.offerId',
      'q.line',
      'q.step',
      'q.handedOverAt',
      'l.itemId',
      'l.name',
      'l.color',
      'l.notes',
      'l.quantity',
    ])
    .select([
      'o.readyBy',
      'o.orderId',
      'orders.userName',
      'orders.userEmail',
      'item.isSold',
      'item.agreedCents',
    ])

const handedOverEntries = (db: Db) =>
  entries(db)
    .leftJoin('parcels', 'parcels.offerId', 'q.offerId')
    .select(['o.isShipped', 'parcels.arrivedAt'])
    .where(sql<boolean>`"step" = 'handed-over'`)
    .orderBy('q.handedOverAt', 'desc')
    .orderBy('q.offerId')
    .orderBy('q.line')

export async function listUnsoldHandovers(db: Db) {
  const rows = await handedOverEntries(db)
    .where('item.isSold', '=', false)
    .limit(MAX_QUEUED)
    .execute()
  return [...Map.groupBy(rows, ({ orderId }) => orderId).values()].map((pieces) => {
    const newest = pieces[0]!
    return {
      orderId: newest.orderId,
      customer: customerOf(newest),
      pieces: pieces.reduce((sum, { quantity }) => sum + quantity, 0),
      cents: pieces.reduce((sum, { agreedCents }) => sum + (agreedCents ?? 0), 0),
      at: newest.handedOverAt ?? 0,
    }
  })
}

type Row = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number]

export async function readQueue(app: AppServices) {
  const { db, now, timeZone } = app
  const open = await entries(db)
    .where(isOpenEntry)
    .orderBy('q.position')
    .orderBy('q.offerId')
    .orderBy('q.line')
    .limit(MAX_QUEUED + 1)
    .execute()
  const handedOver = await handedOverEntries(db).limit(MAX_DONE).execute()
  const [today] = dayAndTime(now(), timeZone)
  const cords = new Map(
    (await listColors(db)).map((color) => [
      colorName(color),
      { image: color.image, hint: stockHint(color) },
    ]),
  )
  const imageOf = await readPieceImages(
    db,
    open.map(({ itemId }) => itemId),
  )
  const readyIds = open.filter(({ step }) => step === 'ready').map(({ offerId }) => offerId)
  const openCents = await readOpenCentsOfReady(db, [...new Set(readyIds)])
  return {
    pieces: open.slice(0, MAX_QUEUED).map((row) => ({
      ...toPiece(row),
      offerId: row.offerId,
      openCents: openCents.get(row.offerId) ?? 0,
      isSold: row.isSold,
      color: row.color,
      notes: row.notes,
      cord: cords.get(row.color) ?? null,
      image: imageOf(row),
      readyBy: row.readyBy && formatIsoDay(row.readyBy),
      isLate: row.readyBy !== '' && row.readyBy < today && row.step !== 'ready',
    })),
    handedOver: handedOver.map((row) => ({
      ...toPiece(row),
      handedOver: queuePageTexts.handedOver[shownStep('handed-over', row)](
        formatDate(row.handedOverAt ?? 0, timeZone),
      ),
      isUnsold: !row.isSold,
    })),
    isCut: open.length > MAX_QUEUED,
    nextReadyDay: await readNextReadyDay(app),
  }
}
export type Queue = Awaited<ReturnType<typeof readQueue>>

const toPiece = (row: Row) => ({
  id: entryId(row.offerId, row.line),
  name: row.name,
  step: row.step,
  quantity: row.quantity,
  orderId: row.orderId,
  customer: customerOf(row),
})

type QueueContext = { app: AppServices }

const stepAction = (action: QueueAction) =>
  formAction({
    schema: z.object({ id: textField }),
    run: async ({ app }: QueueContext, { id }) => {
      const result = await changeStep(app, id, action)
      return result.ok ? { ...result, currency: app.currency } : result
    },
    success: ({ value, currency }) =>
      value?.openCents
        ? readyOrderTexts.unpaid(value.customer, formatMoney(value.openCents, currency))
        : [],
    refusals: {
      changed: ({ name, step }) => ({ status: 409, toasts: [queueErrors.changed(name, step)] }),
      'not-found': { status: 404, toasts: [queueErrors.notFound] },
      failed: { status: 500, toasts: [notSavedText] },
    },
  })

const reorder = reorderAction<QueueContext>(({ app }, change) => orderQueue(app, change))

export const queueActions: ActionTable<QueueContext> = {
  ...recordOf(Object.keys(queueTransitions) as QueueAction[], stepAction),
  move: reorder,
  order: reorder,
}

type ReadyDateServices = Pick<AppServices, 'db' | 'live' | 'now' | 'timeZone'>

const countQueuedCached = ({ db, live }: ReadyDateServices) =>
  cached({ live }, ['orders'], 'queued pieces', async () => {
    const sum = await queuedLines(db)
      .select(({ fn }) => fn.sum<string | number | null>('l.quantity').as('pieces'))
      .where(isOpenEntry)
      .where('q.step', '<>', 'ready')
      .executeTakeFirst()
    return Number(sum?.pieces ?? 0)
  })

export async function suggestReadyBy(app: ReadyDateServices, pieces: number) {
  const perWeek = weeklyTenths((await getSettingsCached(app)).piecesPerWeek)
  if (perWeek === null || pieces === 0) return ''
  const queued = await countQueuedCached(app)
  const today = todayIn(app)
  const day = readyDay(queued + pieces, perWeek, today)
  return afterVacation(day, today, await getVacationCached(app))
}

/** Postpones the day, because the owner makes nothing while she is away. [S-494] */
export function afterVacation(
  day: string,
  today: string,
  { awayFrom, awayUntil }: VacationSettings,
) {
  if (!isDay(awayUntil) || awayUntil < today) return day
  const isFromKnown = isDay(awayFrom) && awayFrom > today
  if (isFromKnown && awayFrom > day) return day
  const firstDay = isFromKnown ? addDays(awayFrom, -1) : today
  return addDays(day, daysBetween(firstDay, awayUntil))
}

const DAY_MS = 86_400_000

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const todayIn = ({ now, timeZone }: ReadyDateServices) => dayAndTime(now(), timeZone)[0]

async function readNextReadyDay(app: ReadyDateServices) {
  const day = await suggestReadyBy(app, 1)
  return day && formatReadyDay(day, todayIn(app))
}

export async function readReadyNote(app: ReadyDateServices, item: Pick<Item, 'kind' | 'state'>) {
  if (item.kind !== 'made-to-order' || !isForSale(item.state)) return ''
  const day = await readNextReadyDay(app)
  return day && queueTexts.ready(day)
}

/** A day more than ten years away would only scare customers. */
const MAX_DAYS = 3650

/** Returns tenths of a piece, or null if invalid. */
export function weeklyTenths(typed: string) {
  const tenths = /^\d{1,3}(\.\d)?$/.test(typed) ? Math.round(Number(typed) * 10) : 0
  return tenths > 0 ? tenths : null
}

export function readyDay(pieces: number, perWeekTenths: number, today: string) {
  return addDays(today, Math.min(Math.ceil((pieces * 70) / perWeekTenths), MAX_DAYS))
}

const DAY = { month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const dayInYear = new Intl.DateTimeFormat('en-US', DAY)
const dayAndYear = new Intl.DateTimeFormat('en-US', { ...DAY, year: 'numeric' })

export const formatReadyDay = (day: string, today: string) =>
  (day.slice(0, 4) === today.slice(0, 4) ? dayInYear : dayAndYear).format(Date.parse(day))
