/** What the owner does with her catalogue, and she and her customers with each other, measured; each part opens a shop of its own in a folder of its own. */
import { measureUploads } from './uploads.ts'
import { measureMerchandise } from './merchandise.ts'
import { measureLongConversation } from './long-conversation.ts'
import { measureConversationList } from './conversation-list.ts'
import { measureDiscounts } from './discounts.ts'
import { measureMoving } from './moving.ts'
import { measureSending } from './sending.ts'
import { measureReports } from './reports.ts'
import { measureTables } from './tables.ts'
import { measureUnderFire } from './under-fire.ts'
import { measureSales } from './sales.ts'

/** One row: what was done, what was found, what it is held against in the same run, and their ratio. A dash where there is none. */
export type WorkFigure = { what: string; found: string; beside: string; ratio: string }

export type Bench = {
  /** a folder for data folders; removed at the end */
  folder: string
  /** the drawn demo shop, to be copied */
  demoShop: string
  say: (line: string) => void
}

type Measure = (bench: Bench) => Promise<WorkFigure[]>

const groups = {
  workshop: [measureUploads, measureMerchandise, measureDiscounts, measureMoving, measureTables],
  conversations: [measureSending, measureUnderFire, measureLongConversation, measureConversationList, measureSales, measureReports],
} satisfies Record<string, Measure[]>

export type Work = keyof typeof groups
export const isWork = (name: string | undefined): name is Work => name !== undefined && Object.hasOwn(groups, name)

export async function measureWork(bench: Bench, group: Work): Promise<WorkFigure[]> {
  const found: WorkFigure[] = []
  for (const measure of groups[group]) found.push(...(await measure(bench)))
  return found
}
