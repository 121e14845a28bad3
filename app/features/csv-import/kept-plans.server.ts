/** Keeps the checks of uploaded tables for an hour, in the database that all processes share (043); the uploaded file itself is not kept. */
import type { ItemValues } from '#app/features/catalog/catalog.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import type { Change } from './item-table.ts'

export type ChangeLine = {
  row: number
  kind: 'change' | 'add' | 'note'
  id: string
  name: string
  changes: Change[]
  notes: string[]
  /** null for a new item */
  before: ItemValues | null
  after: ItemValues
  /** of a new item */
  pictureIds: string[]
}
export type RefusedLine = { row: number; id: string; name: string; column: string | null; cell: string; text: string }

/** What rows came to, in the two lists of a plan. */
export type Found = { changes: ChangeLine[]; refused: RefusedLine[] }

export type Counts = { rows: number; unchanged: number; changed: number; added: number; noted: number; refused: number }

export type Plan = {
  id: string
  fileName: string
  at: number
  counts: Counts
  /** how many rows change each column, in the order of the table */
  columns: { title: string; count: number }[]
  /** titles of columns that the file does not have */
  missing: string[]
  notice: string | null
}

/** What the writing came to; rows whose item changed since the check are left out. */
export type Applied = { updated: number; added: number; leftOut: number; left: LeftOut[] }
export type LeftOut = { row: number; name: string; text: string }

const planLists = ['changes', 'refused'] as const
export type PlanList = (typeof planLists)[number]
/** Lines of a list on one page */
export const PLAN_PAGE = 50

const HOUR = 3_600_000
/** So many at once, whoever made them: a table may have 32 MB, and what it would change some times as much. */
export const MOST_PLANS = 5
/** The time it was made at, and what nobody can guess. */
const isPlanId = (id: string) => /^\d{13}-[A-Za-z0-9]{22}$/.test(id)
const beginOfId = (at: number) => String(Math.max(at, 0)).padStart(13, '0')
const isOver = (id: string, now: number) => id < beginOfId(now - HOUR)

type Kept = Pick<Shop, 'db' | 'now'>
/** `pages`: how many each list has. */
type Head = { plan: Plan; pages: Record<PlanList, number> }

export async function beginPlan({ db, now }: Kept) {
  await dropBeyond(db, MOST_PLANS - 1)
  const id = `${beginOfId(now())}-${newSecretId()}`
  const waiting: Record<PlanList, string[]> = { changes: [], refused: [] }
  const pages: Record<PlanList, number> = { changes: 0, refused: 0 }
  /** Pages of the lines that wait, as long as those are so many. */
  async function write(list: PlanList, least: number) {
    const rows = []
    while (waiting[list].length >= least) {
      const content = `[${waiting[list].splice(0, PLAN_PAGE).join(',')}]`
      rows.push({ checkId: id, part: list, page: ++pages[list], content })
    }
    if (rows.length > 0) await db.insertInto('tableChecks').values(rows).execute()
  }
  return {
    id,
    async add(found: Found) {
      for (const list of planLists) {
        waiting[list].push(...found[list].map((line) => JSON.stringify(line)))
        await write(list, PLAN_PAGE)
      }
    },
    async finish(plan: Plan) {
      for (const list of planLists) await write(list, 1)
      // Last, so that a plan which can be found is whole.
      const head: Head = { plan, pages }
      await db
        .insertInto('tableChecks')
        .values({ checkId: id, part: 'plan', page: 0, content: JSON.stringify(head) })
        .execute()
    },
    /** Nothing of it is kept. */
    async drop() {
      await db.deleteFrom('tableChecks').where('checkId', '=', id).execute()
    },
  }
}

async function readPart<Content>(db: Db | Tx, id: string, part: string, page = 0): Promise<Content | null> {
  const row = await db
    .selectFrom('tableChecks')
    .select('content')
    .where('checkId', '=', id)
    .where('part', '=', part)
    .where('page', '=', page)
    .executeTakeFirst()
  return row ? (JSON.parse(row.content) as Content) : null
}

/** null: there is none such, or its hour is over. */
export async function findPlan({ db, now }: Kept, id: string): Promise<{ plan: Plan; applied: Applied | null } | null> {
  if (!isPlanId(id) || isOver(id, now())) return null
  const head = await readPart<Head>(db, id, 'plan')
  return head && { plan: head.plan, applied: await readPart<Applied>(db, id, 'applied') }
}

/** A second tab that came too late may be the first to note it: what was really done is told in its place. */
export async function keepApplied({ db }: Pick<Shop, 'db'>, id: string, applied: Applied): Promise<void> {
  const content = JSON.stringify(applied)
  await db
    .insertInto('tableChecks')
    .values({ checkId: id, part: 'applied', page: 0, content })
    .onConflict((same) => {
      const noted = same.columns(['checkId', 'part', 'page'])
      return applied.updated + applied.added > 0 ? noted.doUpdateSet({ content }) : noted.doNothing()
    })
    .execute()
}

/** Pages count from 1. */
export const readPlanPage = async <List extends PlanList>(db: Db, id: string, list: List, page: number): Promise<Found[List]> =>
  (await readPart<Found[List]>(db, id, list, page)) ?? []

/** So many pages are read at once. */
const PAGES = 10

/** A list from front to end. Half a list is never taken for a whole one: it is swept while others read. */
export async function* planParts<List extends PlanList>(db: Db | Tx, id: string, list: List): AsyncGenerator<Found[List]> {
  const head = await readPart<Head>(db, id, 'plan')
  if (!head) throw new Error('the check of a table is gone')
  for (let page = 1; page <= head.pages[list]; page += PAGES) {
    const last = Math.min(page + PAGES - 1, head.pages[list])
    const ofList = db.selectFrom('tableChecks').select('content').where('checkId', '=', id).where('part', '=', list)
    const rows = await ofList.where('page', '>=', page).where('page', '<=', last).orderBy('page').execute()
    if (rows.length <= last - page) throw new Error('a part of the check of a table is gone')
    yield rows.flatMap((row) => JSON.parse(row.content)) as Found[List]
  }
}

/** Checks whose hour is over go, whether they were applied or not. Asked first: to look is cheap, and keeps nobody from writing. */
export async function sweepPlans({ db, now }: Kept): Promise<void> {
  const end = beginOfId(now() - HOUR)
  const old = await db.selectFrom('tableChecks').select('checkId').where('checkId', '<', end).limit(1).executeTakeFirst()
  if (old) await db.deleteFrom('tableChecks').where('checkId', '<', end).execute()
}

/** Whether the owner comes back or not; gives what stops it. */
export const startSweepingPlans = (shop: Kept & Pick<Shop, 'log'>, every = HOUR): (() => Promise<void>) =>
  regularly({ every, failure: 'old checks of tables could not be swept', log: shop.log, isBegunNow: false }, () => sweepPlans(shop))

/** All but the newest. */
async function dropBeyond(db: Db, most: number): Promise<void> {
  const newest = db.selectFrom('tableChecks').select('checkId').distinct().orderBy('checkId', 'desc')
  const first = await newest.limit(1).offset(most).executeTakeFirst()
  if (first) await db.deleteFrom('tableChecks').where('checkId', '<=', first.checkId).execute()
}
