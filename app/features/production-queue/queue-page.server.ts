/** Reads the data of the owner's page that lists the pieces to make, and handles the forms of this page. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { type ActionOutcome, done, foundOutcome, refused } from '#app/ui/action-result.ts'
import { dayAndTime, formatDate, formatIsoDay } from '#app/ui/format-date.ts'
import { colorName, stockHint } from '#app/features/catalog/catalog.ts'
import {
  inBatches,
  listColors,
  readFirstPictures,
  toJoinedImageView,
} from '#app/features/catalog/catalog.server.ts'
import { customerName } from '#app/features/orders/order.ts'
import { changeStep, isOpenEntry, orderQueue, queuedLines } from './production-queue.server.ts'
import { entryId, isQueueAction, MAX_DONE, MAX_QUEUED } from './queue.ts'
import { queueErrors } from './owner-texts.ts'
import { readNextReadyDay } from './ready-date.server.ts'

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
    .where(sql<boolean>`"step" = 'handed-over'`)
    .orderBy('q.handedOverAt', 'desc')
    .orderBy('q.offerId')
    .orderBy('q.line')

/** Lists the customers to whom the owner has handed over pieces without completing their sale, so that their price is missing in Sales and Reports. [AGREE-112] */
export async function listUnsoldHandovers(db: Db) {
  const rows = await handedOverEntries(db).where('item.isSold', '=', 0).limit(MAX_QUEUED).execute()
  return [...Map.groupBy(rows, ({ orderId }) => orderId).values()].map((pieces) => {
    const { orderId, userName, userEmail, handedOverAt } = pieces[0]!
    return {
      orderId,
      customer: customerName({ name: userName, email: userEmail }),
      pieces: pieces.reduce((sum, { quantity }) => sum + quantity, 0),
      cents: pieces.reduce((sum, { agreedCents }) => sum + (agreedCents ?? 0), 0),
      at: handedOverAt ?? 0,
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
      { picture: color.picture, hint: stockHint(color) },
    ]),
  )
  const pictures = await readPictures(db, open)
  return {
    pieces: open.slice(0, MAX_QUEUED).map((row) => ({
      ...toPiece(row),
      isSold: row.isSold === 1,
      ...{
        color: row.color,
        notes: row.notes,
        cord: cords.get(row.color) ?? null,
        picture: pictures.get(row.itemId) ?? null,
      },
      readyBy: row.readyBy && formatIsoDay(row.readyBy),
      isLate: row.readyBy !== '' && row.readyBy < today && row.step !== 'ready',
    })),
    handedOver: handedOver.map((row) => ({
      ...toPiece(row),
      handedOver: formatDate(row.handedOverAt ?? 0, timeZone),
      isUnsold: row.isSold === 0,
    })),
    isCut: open.length > MAX_QUEUED,
    nextReadyDay: await readNextReadyDay(app),
  }
}
export type Queue = Awaited<ReturnType<typeof readQueue>>

const toPiece = ({ offerId, line, step, name, quantity, orderId, userName, userEmail }: Row) => ({
  id: entryId(offerId, line),
  ...{ name, step, quantity, orderId },
  customer: customerName({ name: userName, email: userEmail }),
})

async function readPictures(db: Db, rows: readonly Row[]) {
  const ids = [...new Set(rows.map(({ itemId }) => itemId))].filter((id) => id !== '')
  const found = await Promise.all(inBatches(ids).map((part) => readFirstPictures(db, part)))
  return new Map(found.flat().map((row) => [row.itemId, toJoinedImageView(row)]))
}

export async function handleQueueAction(app: AppServices, form: FormData): Promise<ActionOutcome> {
  const [intent, id] = [formText(form, 'intent'), formText(form, 'id')]
  if (isQueueAction(intent)) {
    const moved = await changeStep(app, id, intent)
    if (moved.ok) return done()
    if (moved.refusal === 'changed')
      return refused(409, { toasts: [queueErrors.changed(moved.name, moved.step)] })
    return moved.refusal === 'failed'
      ? refused(500, { toasts: [queueErrors.failed] })
      : refused(404, { toasts: [queueErrors.notFound] })
  }
  const by = { up: -1, down: 1 }[formText(form, 'by')]
  if (intent === 'move' && (by === -1 || by === 1))
    return foundOutcome(await orderQueue(app, { id, by }))
  if (intent !== 'order') return refused(400)
  return foundOutcome(
    await orderQueue(app, {
      order: form.getAll('order').filter((value) => typeof value === 'string'),
    }),
  )
}
