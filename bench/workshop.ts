/** What the owner does with her catalogue, and she and her customers with each other, measured; each part opens a shop of its own in a folder of its own. */
import type { Area } from './areas.ts'
import { workTable } from './report.ts'
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
  /** of Lighthouse: the pages asked for; unset: all */
  pages?: string[] | undefined
}

type Measure = (bench: Bench) => Promise<WorkFigure[]>

const rows = async (bench: Bench, measures: Measure[]): Promise<string> => {
  const found: WorkFigure[] = []
  for (const measure of measures) found.push(...(await measure(bench)))
  return workTable(found)
}
const told = (name: string) => `(\`npm run bench -- --only ${name}\`, ${new Date().toISOString().slice(0, 10)})`

export const workshop: Area = {
  document: 'performance',
  measure: async (bench) => `## The owner's work

Each row is measured in a shop of its own ${told('workshop')}; "beside" is what it is held against in the same run.

${await rows(bench, [measureUploads, measureMerchandise, measureDiscounts, measureMoving, measureTables])}`,
}

export const conversations: Area = {
  document: 'performance',
  measure: async (bench) => `## Conversations and sales

Measured the same way ${told('conversations')}. "Under fire" counts what was lost, doubled or out of order
while connections broke and the shop was restarted and killed. A CSV of all is written as a stream, so its time grows with its rows. Accepting a
message is a session, a transaction and its flush to disk each time, beside the bare flush alone: the server's work for each request is the limit.

${await rows(bench, [measureSending, measureUnderFire, measureLongConversation, measureConversationList, measureSales, measureReports])}`,
}
