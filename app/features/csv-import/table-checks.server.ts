/** Stores the checks of uploaded tables for an hour, in the database that all processes share (021, 043); the uploaded file is not stored. */
import type { ItemValues } from '#app/features/catalog/catalog.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
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
export type Found = { changes: ChangeLine[]; refused: RefusedLine[] }
export type PlanList = keyof Found

export type Plan = {
  id: string
  fileName: string
  at: number
  counts: { rows: number; unchanged: number; changed: number; added: number; noted: number; refused: number }
  /** how many rows change each column, in the order of the table */
  columns: { title: string; count: number }[]
  /** titles of columns that the file does not have */
  missing: string[]
  notice: string | null
}

/** What the writing came to; rows whose item changed since the check are left out. */
export type Applied = { updated: number; added: number; leftOut: number; left: { row: number; name: string; text: string }[] }

/** Lines of a list on one page */
export const PLAN_PAGE = 50
/** Lines that are in memory at a time. */
const PART = 500
const HOUR = 3_600_000

/** Ids begin with the time, so they sort by it; nobody can guess the rest. */
const beginOfId = (at: number) => String(Math.max(at, 0)).padStart(13, '0')
export const newPlanId = (now: number): string => `${beginOfId(now)}-${newSecretId()}`

export async function saveLines(db: Db, id: string, found: Found): Promise<void> {
  const rows = (['changes', 'refused'] as const).flatMap((part) =>
    found[part].map((line) => ({ checkId: id, part, page: line.row, content: JSON.stringify(line) })),
  )
  if (rows.length > 0) await db.insertInto('tableChecks').values(rows).execute()
}

/** Comes after the lines, so a plan that can be found is whole. */
export async function savePlan(db: Db, plan: Plan): Promise<void> {
  await db
    .insertInto('tableChecks')
    .values({ checkId: plan.id, part: 'plan', page: 0, content: JSON.stringify(plan) })
    .execute()
}

export async function deletePlan(db: Db, id: string): Promise<void> {
  await db.deleteFrom('tableChecks').where('checkId', '=', id).execute()
}

/** Deletes the checks that are older than an hour, also those that a killed process has left half-written. */
export async function deleteOldPlans({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('tableChecks')
    .where('checkId', '<', beginOfId(now() - HOUR))
    .execute()
}

/** Returns null when there is none or its hour is over. */
export async function findPlan({ db, now }: Pick<Shop, 'db' | 'now'>, id: string): Promise<{ plan: Plan; applied: Applied | null } | null> {
  if (!/^\d{13}-[A-Za-z0-9]{22}$/.test(id) || id < beginOfId(now() - HOUR)) return null
  const rows = await db
    .selectFrom('tableChecks')
    .select(['part', 'content'])
    .where('checkId', '=', id)
    .where('part', 'in', ['plan', 'applied'])
    .execute()
  const contentOf = (part: string) => JSON.parse(rows.find((row) => row.part === part)?.content ?? 'null')
  const plan = contentOf('plan') as Plan | null
  return plan && { plan, applied: contentOf('applied') as Applied | null }
}

const linesOf = (db: Db | Tx, id: string, list: PlanList) =>
  db.selectFrom('tableChecks').select(['page as row', 'content']).where('checkId', '=', id).where('part', '=', list).orderBy('page')

/** Pages count from 1. */
export async function listLines<List extends PlanList>(db: Db, id: string, list: List, page: number): Promise<Found[List]> {
  const rows = await linesOf(db, id, list)
    .limit(PLAN_PAGE)
    .offset((page - 1) * PLAN_PAGE)
    .execute()
  return rows.map((row) => JSON.parse(row.content)) as Found[List]
}

/** All lines of a list, a part at a time. */
export async function* eachLines<List extends PlanList>(db: Db | Tx, id: string, list: List): AsyncGenerator<Found[List]> {
  for (let last = 0; ;) {
    const rows = await linesOf(db, id, list).where('page', '>', last).limit(PART).execute()
    if (rows.length > 0) yield rows.map((row) => JSON.parse(row.content)) as Found[List]
    if (rows.length < PART) return
    last = rows.at(-1)!.row
  }
}
