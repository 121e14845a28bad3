/** Taking a change of discounts back (docs/decisions/020-discounts-and-history.md). */
import type { Db, FormerDiscountTable, Tx } from '#db/schema.ts'
import { colorName } from '#app/features/catalog/catalog.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { columnsOf, endOffer, hold, parts, tableOf, type Noun } from './discount-changes.server.ts'
import { offerText, type Offer, type Undone } from './discount-texts.ts'

/** COLOR-04 */
const calledIn = (noun: Noun, thing: { name: string }): string => (noun === 'color' ? colorName(thing) : thing.name)

const offers = (db: Db | Tx) =>
  db
    .selectFrom('discountChanges as change')
    .select(['change.seq', 'change.noun', 'change.count', 'change.discountType', 'change.discountValue'])
    .select((build) =>
      build
        .selectFrom('formerDiscounts as former')
        .whereRef('former.seq', '=', 'change.seq')
        .select(({ fn }) => fn.min('former.name').as('name'))
        .as('name'),
    )

/** The last change, until it is undone, dismissed or followed by another one. */
export async function readOffer(db: Db): Promise<Offer | null> {
  const row = await offers(db).where('change.isOffered', '=', 1).orderBy('change.seq', 'desc').limit(1).executeTakeFirst()
  if (!row) return null
  const { seq, noun, count, name } = row
  return { seq, noun, count, discount: readDiscount(row), name: calledIn(noun, { name: name ?? '' }) }
}

/** She has seen it, and what came before it; the history still offers both. */
export async function dismissOffer(shop: Shop, seq: number): Promise<void> {
  await shop.db.updateTable('discountChanges').set({ isOffered: 0 }).where('seq', '<=', seq).execute()
}

/** Those of these acts that can still be undone. */
export async function findUndoable(db: Db, seqs: readonly number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set()
  const rows = await db.selectFrom('discountChanges').select('seq').where('seq', 'in', seqs).execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** Every thing gets the discount it had, unless it was changed again since or is gone. null: there is nothing to undo (any more). */
export async function undoChange(shop: Shop, actor: string, seq: number): Promise<Undone | null> {
  const at = shop.now()
  const undone = await transact(shop.db, async (tx): Promise<Undone | null> => {
    await endOffer(tx)
    // Who takes the row away does the undo; of two at once the other finds nothing.
    const change = await tx.deleteFrom('discountChanges').where('seq', '=', seq).returningAll().executeTakeFirst()
    if (!change) return null
    const all = await tx.deleteFrom('formerDiscounts').where('seq', '=', seq).returningAll().execute()
    const former = all.sort((one, other) => (one.id < other.id ? -1 : 1))
    const done: Undone = { count: 0, left: [], gone: 0 }
    const name = former[0] ? calledIn(change.noun, former[0]) : ''
    for (const part of parts(former)) await putBack(tx, at, { ...change, former: part }, done)
    await recordAct(tx, {
      at,
      actor,
      act: 'undo-discount',
      subject: former.length === 1 ? former[0]!.id : '',
      name: former.length === 1 ? name : '',
      detail: {
        undone: seq,
        what: offerText({ ...change, discount: readDiscount(change), name }),
        ...briefly(done),
      },
    })
    return done
  })
  if (undone) shop.live.changed('catalogue')
  return undone
}

/** The history tells how many were left, and some of their names. */
const briefly = ({ count, left, gone }: Undone) => ({ count, gone, leftCount: left.length, left: left.slice(0, 10) })

type Discounted = Pick<FormerDiscountTable, 'discountType' | 'discountValue'>
type PartOfChange = Discounted & { seq: number; noun: Noun; former: FormerDiscountTable[] }
const keyOf = ({ discountType, discountValue }: Discounted) => `${discountType} ${discountValue}`

async function putBack(tx: Tx, at: number, change: PartOfChange, done: Undone): Promise<void> {
  const ids = change.former.map(({ id }) => id)
  const held = new Map((await hold(tx, change.noun, ids)).map((row) => [row.id, row]))
  const later = await tx.selectFrom('formerDiscounts').select('id').where('id', 'in', ids).where('seq', '>', change.seq).execute()
  const changedAgain = new Set(later.map(({ id }) => id))
  const back: FormerDiscountTable[] = []
  for (const former of change.former) {
    const now = held.get(former.id)
    if (!now) done.gone += 1
    else if (changedAgain.has(former.id) || keyOf(now) !== keyOf(change)) done.left.push(calledIn(change.noun, now))
    else back.push(former)
  }
  done.count += back.length
  for (const alike of Map.groupBy(back, keyOf).values())
    await tx
      .updateTable(tableOf(change.noun))
      .set({ ...columnsOf(readDiscount(alike[0]!)), createdAt: at })
      .where(
        'id',
        'in',
        alike.map(({ id }) => id),
      )
      .execute()
}
