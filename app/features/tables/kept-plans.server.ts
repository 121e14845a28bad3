/** Keeps the checks of uploaded tables for an hour, in the database that all processes share (043); the uploaded file itself is not kept. */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Tx } from '#db/tables.ts'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { PLAN_PAGE, planLists, type Applied, type ChangeLine, type Plan, type PlanList, type RefusedLine } from './import-plan.ts'

const HOUR = 3_600_000
/** So many at once, whoever made them: a table may have 32 MB, and what it would change some times as much. */
export const MOST_PLANS = 5
/** The time it was made at, and what nobody can guess. */
const isPlanId = (id: string) => /^\d{13}-[A-Za-z0-9]{22}$/.test(id)
const beginOfId = (at: number) => String(Math.max(at, 0)).padStart(13, '0')
const isOver = (id: string, now: number) => id < beginOfId(now - HOUR)

type Kept = Pick<Shop, 'db' | 'now'>
type Line = { changes: ChangeLine; refused: RefusedLine }
/** `pages`: how many each list has. */
type Head = { plan: Plan; pages: Record<PlanList, number> }

export type PlanWriter = {
  id: string
  add: <List extends PlanList>(list: List, lines: readonly Line[List][]) => Promise<void>
  finish: (plan: Plan) => Promise<void>
  /** Nothing of it is kept. */
  drop: () => Promise<void>
}

export async function beginPlan({ db, now }: Kept): Promise<PlanWriter> {
  await dropBeyond(db, MOST_PLANS - 1)
  const id = `${beginOfId(now())}-${newSecretId()}`
  const waiting: Record<PlanList, string[]> = { changes: [], refused: [] }
  const pages: Record<PlanList, number> = { changes: 0, refused: 0 }
  /** Whole pages; with `isLast` the rest too. */
  async function write(list: PlanList, isLast: boolean) {
    const rows = []
    while (waiting[list].length >= (isLast ? 1 : PLAN_PAGE)) {
      const content = `[${waiting[list].splice(0, PLAN_PAGE).join(',')}]`
      rows.push({ checkId: id, part: list, page: ++pages[list], content })
    }
    if (rows.length > 0) await db.insertInto('tableChecks').values(rows).execute()
  }
  return {
    id,
    async add(list, lines) {
      waiting[list].push(...lines.map((line) => JSON.stringify(line)))
      await write(list, false)
    },
    async finish(plan) {
      for (const list of planLists) await write(list, true)
      // Last, so that a plan which can be found is whole.
      const head: Head = { plan, pages }
      await db
        .insertInto('tableChecks')
        .values({ checkId: id, part: 'plan', page: 0, content: JSON.stringify(head) })
        .execute()
    },
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
export const readPlanPage = async <List extends PlanList>(db: Db, id: string, list: List, page: number): Promise<Line[List][]> =>
  (await readPart<Line[List][]>(db, id, list, page)) ?? []

/** One page of a list after the other. Half a list is never taken for a whole one: it is swept while others read. */
export async function* planPages<List extends PlanList>(db: Db | Tx, id: string, list: List): AsyncGenerator<Line[List][]> {
  const head = await readPart<Head>(db, id, 'plan')
  if (!head) throw new Error('the check of a table is gone')
  for (let page = 1; page <= head.pages[list]; page++) {
    const lines = await readPart<Line[List][]>(db, id, list, page)
    if (!lines) throw new Error('a part of the check of a table is gone')
    yield lines
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

/** Those of versions before 032, which lay in the data folder. Rows of a backup that somebody has unpacked there stay: their folder has this name too. */
export async function dropPlanFolders(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'tables')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isPlanId)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  // Only when it is empty.
  await rmdir(folder).catch(() => {})
}
