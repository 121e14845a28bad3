/** What the check of a file found, kept until it is applied: one line for each row that is not unchanged, and the counts. */
import type { Change } from './item-changes.ts'
import type { Refusal } from './item-row.ts'
import type { ItemValues } from './item-table.ts'

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

export const refusedLine = (row: number, id: string, name: string, { column, cell, text }: Refusal, title: string | null): RefusedLine => ({
  row,
  id: id.slice(0, 60),
  name: name.slice(0, 200),
  column: column === null ? null : title,
  cell: cell.slice(0, 120).toWellFormed(),
  text,
})

export type Counts = { rows: number; unchanged: number; changed: number; added: number; noted: number; refused: number }
export const noCounts = (): Counts => ({ rows: 0, unchanged: 0, changed: 0, added: 0, noted: 0, refused: 0 })

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

/** The two lists of a plan, and how much of one stands on a page. */
export const planLists = ['changes', 'refused'] as const
export type PlanList = (typeof planLists)[number]
export const PLAN_PAGE = 50

/** How many things a press of the button would write. */
export const toApply = ({ changed, added }: Counts): number => changed + added
